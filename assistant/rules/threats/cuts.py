"""Lines of supply that an enemy unit can cut in its next move.

Each hex within enemy reach on a line or beside one is tried: the game's rules of supply judge the position with the
unit in this hex.
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
    """The cuts found, and what was left out."""

    cuts: tuple[Cut, ...] = ()
    tried: int = 0
    """The number of enemy moves tried."""
    untried: tuple[str, ...] = ()
    """The hexes of enemy moves that were not tried."""
    asks: Mapping[str, Ask] = {}
    """The missing facts by name."""
    faults: tuple[str, ...] = ()
    """The reasons why supply could not be examined."""


def find_cuts(front: Front, units: Sequence[str]) -> Cuts:
    """Return the hexes from which enemies can cut the supply of units.

    Missing facts or errors after one enemy move do not stop the other moves.
    """
    try:
        supply = front.rules.trace_supply(front.view, front.side, units)
        supply_before = supply(None)
    except MissingFacts as missing:
        return Cuts(asks={ask.name: ask for ask in missing.asks})
    except MachineError:
        raise
    except InputError as error:
        return Cuts(faults=(f"supply: {error.what}",))
    lines = {name: set(state.hexes) for name, state in supply_before.items()}
    goals = _find_goals(front, lines)
    most = Limit.CUTS.most
    cuts = list[Cut]()
    untried = goals[most:]
    asks = dict[str, Ask]()
    faults = list[str]()
    for at in front.view.each(goals[:most], "moves"):
        try:
            cut = _try_cut(front, at, supply_before, lines, supply)
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
    """Return the hexes within enemy reach on or beside lines of supply, those passed by most lines first."""
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
    supply_before: Mapping[str, SupplyState],
    lines: Mapping[str, set[str]],
    supply: Callable[[View | None], Mapping[str, SupplyState]],
) -> Cut | None:
    """Return the effect on supply of the strongest enemy that can enter a hex, or None if no supply gets worse."""
    view = front.view
    rules = front.rules
    units = [*front.enemies.into[at]]
    strongest = max(units, key=lambda name: (rules.measure_weight(view, name), name))
    supply_after = supply(view.quiet_view().after([changed(view, "place", strongest, at, "")]))
    worse = tuple(
        SupplyLoss(unit=name, place=state.place, before=state.words, after=supply_after[name].words)
        for name, state in supply_before.items()
        if name in supply_after and 0 <= supply_after[name].rank < state.rank
    )
    if not worse:
        return None
    others = tuple(unit for unit in units if unit != strongest)
    enters = any(at in crossed for crossed in lines.values())
    return Cut(at=at, unit=strongest, others=others, enters=enters, worse=worse)
