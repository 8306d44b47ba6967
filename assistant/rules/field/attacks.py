"""When a side attacks, and the hexes of an attack: who defends them, from where several are attacked together, what all
attackers cross, whether they surround a defender, and which enemies stand in their zones of control.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import product

from ...asking.permission import holding
from ...asking.report import Step
from ...asking.view import Gather, View, moment
from ...game.boards import Board
from ...state.state import hexside
from ...util.errors import InputError
from .hexsides import Hexside, HexsideTracks
from .units import Field


def bars_by_turn(view: View, side: str, phases: Collection[str], rule: str) -> list[Step]:
    """Return what keeps a side from attacking at this moment, where that is stated: another phase, or the turn of the
    enemy.

    The tracks are `phase` and `phasing`, which a game may lack. phases: those in which units attack.
    """
    phase, phasing = moment(view)
    clauses = (
        (phase not in ("", *phases), rule, "attacks are made only in the Combat Phases, but this is {phase}"),
        (phasing not in ("", side), rule, "{side} may not attack in the enemy's player turn"),
    )
    return holding(clauses, phase=phase, side=view.game.file.the_side(side))


def _side_in(view: View, at: str) -> str:
    """Return the side whose units stand in a hex, "" if none do."""
    return next((side for unit in view.stack(at) if (side := view.side_of(unit.id))), "")


def defender_of(view: View, at: Sequence[str], holder: Callable[[View, str], str] = _side_in) -> str:
    """Return the side that defends hexes which are attacked together. holder: of a hex, "" for nobody; by default those
    who stand there.

    Raises InputError for a hex that nobody defends, and for hexes of both sides.
    """
    holders = {place: holder(view, place) for place in at}
    for place, side in holders.items():
        if not side:
            raise InputError(f"nothing defends {place}", hint="place the defender there, or name another hex")
    if len({*holders.values()}) > 1:
        raise InputError(f"{' and '.join(at)} are held by both sides", hint="attack them one at a time")
    return holders[at[0]]


def attacking_hexes(view: View, at: Sequence[str], named: Sequence[str], side: str) -> list[str]:
    """Return the hexes from which a side attacks: those that are named, or else all adjacent to every attacked hex in
    which it stands. Raises InputError for a named one in which it does not.
    """
    for place in named:
        if not any(view.side_of(unit.id) == side for unit in view.stack(place)):
            raise InputError(f"from: no attacker stands in {place}", hint="leave it out, or place the attacker there")
    near = (place for place in common_ring(view.board, at) if _side_in(view, place) == side)
    return [*dict.fromkeys(named or near)]


def refuse_idle(
    facts: Gather, withheld: Iterable[str], places: Collection[str], side: str, marks: Mapping[str, str]
) -> None:
    """Raise InputError for a unit to be withheld from an attack that makes none anyway.

    places: the hexes from which a side attacks; marks: the flags of units that do not attack, each with what it says.
    """
    view = facts.view
    for name in withheld:
        whys = (
            (view.side_of(name) != side, "it is not of the attacker's side"),
            (view.unit(name).place not in places, "it stands in none of the hexes that attack"),
            *((facts.flag(mark, name), why) for mark, why in marks.items()),
        )
        if why := next((why for holds, why in whys if holds), ""):
            raise InputError(f"withhold: {name} does not attack anyway: {why}", hint="leave it out")


def common_ring(board: Board, at: Sequence[str]) -> list[str]:
    """Return the hexes adjacent to all of some hexes, at least one."""
    return [place for place in board.neighbours(at[0]) if all(place in board.neighbours(other) for other in at)]


def all_across(facts: Gather, over: Iterable[Hexside], track: str, word: str) -> bool:
    """Return whether a feature lies on all of some hexsides, one at least. Asks for those that are not stated, unless
    one is known to be without it.

    track, word: of the feature.
    """
    sides = [*over]
    if any(side.is_stated and side.word(track) != word for side in sides):
        return False
    return bool(sides) and [facts.word(track, side.name) for side in sides] == [word] * len(sides)


def is_surrounded(
    facts: Gather,
    at: Sequence[str],
    places: Collection[str],
    between: Callable[[str, str], Hexside],
    extends: Callable[[Hexside], bool],
    track: str,
) -> bool:
    """Return whether attackers occupy, or have in their zones of control, every hex around those that they attack. Asks
    for hexsides that are not stated where they decide it.

    at: the attacked hexes; places: those of the attackers; between, extends: the game's reading of a hexside, and
    whether zones cross it; track: of what lies on hexsides.
    """
    beside = facts.view.board.neighbours
    unknown = list[Hexside]()
    for place in sorted({place for target in at for place in beside(target)}.difference(at, places)):
        reaching = [over for start in places if place in beside(start) and extends(over := between(start, place))]
        if not reaching:
            return False
        if not any(over.is_stated for over in reaching):
            unknown += reaching
    for over in unknown:
        facts.word(track, over.name)
    return True


def enemies_in_zones(
    who: Field, side: str, places: Collection[str], at: Collection[str], tracks: HexsideTracks, rule: str, text: str
) -> list[str]:
    """Return the other hexes with enemies in the zones of control that attackers have where they stand, in order.
    Hexsides that are not stated, and that zones are assumed to cross, are named in the report.

    places: of the attackers; at: the hexes that they attack; rule, text: of the assumption, as for
    `HexsideTracks.assume_none`.
    """
    reached = (who.zone_of(side, places) & who.around(side).enemies).difference(at)
    between = {hexside(*pair) for pair in product(places, reached)}
    tracks.assume_none(who.view, sorted(between & who.unstated(side)), rule, text)
    return sorted(reached)
