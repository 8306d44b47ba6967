"""Who stands where around a unit, and whose zones of control reach where (4.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assistant.questions.view import Gather, View
from assistant.state.state import Unit

from ..ground.zones import Barriers, exerts_zone, side_of, zones


def nearest_enemy(view: View, place: str, enemies: Iterable[Unit]) -> int | None:
    """Hexes to the nearest enemy, None if there is none on the map."""
    places = (unit.place for unit in enemies)
    return min(
        (view.board.distance(place, other) for other in places if other and view.board.is_hex(other)), default=None
    )


class Situation(NamedTuple):
    """Who stands where, as supply sees it.

    side: whose supply is asked; friends, enemies: their hexes; friendly_zones, enemy_zones: hexes in their zones; unsaid:
    hexsides of which nothing is said and over which zones that matter were taken to reach.
    """

    side: str
    friends: frozenset[str]
    enemies: frozenset[str]
    friendly_zones: frozenset[str]
    enemy_zones: frozenset[str]
    unsaid: frozenset[str]


def situation(facts: Gather, unit: Unit) -> Situation:
    """Both sides' units and zones of control.

    Rule: 4.1, 4.1.1, 4.1.2
    """
    view = facts.view
    side = side_of(facts, unit)
    occupied: dict[bool, set[str]] = {True: set(), False: set()}
    exerting: dict[bool, set[str]] = {True: set(), False: set()}
    for other in view.units():
        theirs = side_of(facts, other)
        if other.place is None or not theirs:
            continue
        occupied[theirs == side].add(other.place)
        if exerts_zone(facts.word("arm", other.id), facts.flag("entrained", other.id)):
            exerting[theirs == side].add(other.place)
    by_us, by_them = Barriers(view), Barriers(view)
    ours = zones(exerting[True], view.board.neighbours, by_us)
    enemy = zones(exerting[False], view.board.neighbours, by_them)
    contested = {over for over in by_us.unsaid if enemy & set(over.split("|"))}  # elsewhere our zone changes nothing
    unsaid = frozenset(by_them.unsaid | contested)
    return Situation(side, frozenset(occupied[True]), frozenset(occupied[False]), ours, enemy, unsaid)
