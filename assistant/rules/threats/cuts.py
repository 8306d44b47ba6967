"""Which lines of supply an enemy unit can cut in its next move: each hex within its reach on a line, or beside one, is
tried, and the game's own rules of supply are asked about the position with the unit there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ...asking.asks import Ask
from ...asking.report import MissingFacts
from ...asking.view import View, changed
from ...util.errors import InputError, MachineError
from ...util.limits import Limit
from .search import Front
from .terms import Cut, SupplyLoss, SupplyState


class Cuts(NamedTuple):
    """What was found."""

    cuts: tuple[Cut, ...] = ()
    tried: int = 0
    """How many moves were tried."""
    untried: tuple[str, ...] = ()
    """The hexes of others."""
    asks: Mapping[str, Ask] = {}
    """What is missing."""
    faults: tuple[str, ...] = ()
    """Why supply could not be looked at."""


def find_cuts(front: Front, units: Sequence[str]) -> Cuts:
    """Return where enemies can cut the supply of units. What is missing or wrong once an enemy has moved does not stop
    other moves.
    """
    try:
        supply = front.rules.trace_supply(front.view, front.side, units)
        now = supply(None)
    except MissingFacts as missing:
        return Cuts(asks={ask.name: ask for ask in missing.asks})
    except MachineError:
        raise
    except InputError as error:
        return Cuts(faults=(f"supply: {error.what}",))
    lines = {name: set(state.hexes) for name, state in now.items()}
    goals = _find_goals(front, lines)
    most = Limit.CUTS.most
    cuts = list[Cut]()
    untried = goals[most:]
    asks = dict[str, Ask]()
    faults = list[str]()
    for at in front.view.each(goals[:most], "moves"):
        try:
            cut = _try_cut(front, at, now, lines, supply)
        except MissingFacts as missing:
            asks |= {ask.name: ask for ask in missing.asks}
            untried.append(at)
        except InputError as error:
            faults.append(f"supply with an enemy in {at}: {error.what}")
            untried.append(at)
        else:
            if cut:
                cuts.append(cut)
    cuts.sort(key=lambda cut: (-len(cut.worse), not cut.enters, cut.at))
    return Cuts(tuple(cuts), len(goals) - len(untried), tuple(sorted(untried)), asks, tuple(faults))


def _find_goals(front: Front, lines: Mapping[str, set[str]]) -> list[str]:
    """Return the hexes that enemies can reach on lines of supply and beside them, those first that most lines pass;
    where the side itself stands nobody comes.
    """
    passing = Counter(hex for crossed in lines.values() for hex in crossed)
    count = dict[str, tuple[int, int]]()
    for at in front.enemies.into:
        beside = sum(passing[near] for near in front.view.board.neighbours(at))
        if passing[at] or beside:
            count[at] = (-passing[at], -beside)
    return sorted(count, key=lambda at: (count[at], at))


def _try_cut(
    front: Front,
    at: str,
    now: Mapping[str, SupplyState],
    lines: Mapping[str, set[str]],
    supply: Callable[[View | None], Mapping[str, SupplyState]],
) -> Cut | None:
    """Return what an enemy in a hex does to supply, None if nothing is worse. The strongest unit that can come there is
    tried.
    """
    view = front.view
    rules = front.rules
    units = [*front.enemies.into[at]]
    first = max(units, key=lambda name: (rules.measure_weight(view, name), name))
    then = supply(view.quiet_view().after([changed(view, "place", first, at, "")]))
    worse = tuple(
        SupplyLoss(unit=name, place=state.place, before=state.words, after=then[name].words)
        for name, state in now.items()
        if name in then and 0 <= then[name].rank < state.rank
    )
    if not worse:
        return None
    others = tuple(unit for unit in units if unit != first)
    enters = any(at in crossed for crossed in lines.values())
    return Cut(at=at, unit=first, others=others, enters=enters, worse=worse)
