"""Attacks: the defender, the attacking hexes, features that all attackers cross, and surrounded defenders."""

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
    """Return the reasons why a side may not attack now: it is another phase, or the enemy's turn.

    Reads the tracks `phase` and `phasing`, which a game may lack.

    `phases`: the phases in which units attack.
    """
    phase, phasing = moment(view)
    clauses = (
        (phase not in ("", *phases), rule, "attacks are made only in the Combat Phases, but this is {phase}"),
        (phasing not in ("", side), rule, "{side} may not attack in the enemy's player turn"),
    )
    return holding(clauses, phase=phase, side=view.game.file.the_side(side))


def _side_in(view: View, at: str) -> str:
    return next((side for unit in view.stack(at) if (side := view.side_of(unit.id))), "")


def defender_of(view: View, at: Sequence[str], holder: Callable[[View, str], str] = _side_in) -> str:
    """Return the side that defends hexes attacked together.

    `holder`: returns the side that holds a hex, or ""; by default the side whose units stand there.

    Raises InputError if nobody defends a hex, or if both sides hold hexes.
    """
    holders = {place: holder(view, place) for place in at}
    for place, side in holders.items():
        if not side:
            raise InputError(f"nothing defends {place}", hint="place the defender there, or name another hex")
    if len({*holders.values()}) > 1:
        raise InputError(f"{' and '.join(at)} are held by both sides", hint="attack them one at a time")
    return holders[at[0]]


def attacking_hexes(view: View, at: Sequence[str], named: Sequence[str], side: str) -> list[str]:
    """Return the hexes from which a side attacks: the named ones, or else its hexes adjacent to all attacked ones.

    Raises InputError if no unit of the side stands in a named hex.
    """
    for place in named:
        if not any(view.side_of(unit.id) == side for unit in view.stack(place)):
            raise InputError(f"from: no attacker stands in {place}", hint="leave it out, or place the attacker there")
    near = (place for place in common_ring(view.board, at) if _side_in(view, place) == side)
    return [*dict.fromkeys(named or near)]


def refuse_idle(
    facts: Gather, withheld: Iterable[str], places: Collection[str], side: str, marks: Mapping[str, str]
) -> None:
    """Raise InputError if a unit to be withheld from an attack would not attack anyway.

    `marks`: the flags of units that do not attack, each with its meaning.
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
    """Return the hexes adjacent to all the given hexes.

    `at`: at least one hex.
    """
    return [place for place in board.neighbours(at[0]) if all(place in board.neighbours(other) for other in at)]


def all_across(facts: Gather, over: Iterable[Hexside], track: str, word: str) -> bool:
    """Return whether a feature lies on all the given hexsides, and there is at least one hexside.

    Asks for hexsides that are not stated, unless one is known to lack the feature.

    `track`, `word`: the feature's track and its value.
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
    """Return whether attackers occupy every hex around the attacked ones, or have it in their zones of control.

    Asks for unstated hexsides that decide the answer.

    `at`: the attacked hexes.
    `places`: the attackers' hexes.
    """
    beside = facts.view.board.neighbours
    undecided = list[Hexside]()
    for place in sorted({place for target in at for place in beside(target)}.difference(at, places)):
        crossed = [
            between_hexes
            for start in places
            if place in beside(start) and extends(between_hexes := between(start, place))
        ]
        if not crossed:
            return False
        if not any(between_hexes.is_stated for between_hexes in crossed):
            undecided += crossed
    for between_hexes in undecided:
        facts.word(track, between_hexes.name)
    return True


def enemies_in_zones(
    who: Field, side: str, places: Collection[str], at: Collection[str], tracks: HexsideTracks, rule: str, text: str
) -> list[str]:
    """Return the other enemy hexes in the attackers' zones of control, in order.

    The report names the unstated hexsides that zones are assumed to cross.

    `places`: the attackers' hexes.
    `at`: the attacked hexes.
    """
    reached = (who.zone_of(side, places) & who.around(side).enemies).difference(at)
    between = {hexside(*pair) for pair in product(places, reached)}
    tracks.assume_none(who.view, sorted(between & who.unstated(side)), rule, text)
    return sorted(reached)
