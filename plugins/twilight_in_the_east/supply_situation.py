"""Who stands where, as supply sees it: friends, enemies, zones, and supply units as sources."""

from __future__ import annotations

from typing import NamedTuple

from assistant.errors import InputError
from assistant.state import Unit, hexside
from assistant.view import Gather, View

from .supply import Source
from .zones import exerts_zone, zones

SUPPLY_ARMS = ("corps-train", "minor-depot", "major-depot")


class Situation(NamedTuple):
    """Who stands where, as supply sees it: the side, its units' hexes, the enemies' hexes, and both sides' zones."""

    side: str
    friends: frozenset[str]
    enemies: frozenset[str]
    friendly_zones: frozenset[str]
    enemy_zones: frozenset[str]


def situation(facts: Gather, view: View, unit: Unit) -> Situation:
    """Both sides' units and zones of control.

    Rule: 4.1, 4.1.1, 4.1.2
    """
    side = view.game.side_of(facts.word("nation", unit.id) or "german")
    occupied: dict[bool, set[str]] = {True: set(), False: set()}
    exerting: dict[bool, set[str]] = {True: set(), False: set()}
    for other in view.state.units.values():
        nation = facts.word("nation", other.id)
        if other.place is None or not nation:
            continue
        friend = view.game.side_of(nation) == side
        occupied[friend].add(other.place)
        if exerts_zone(facts.word("arm", other.id), facts.flag("entrained", other.id)):
            exerting[friend].add(other.place)

    def barrier(here: str, there: str) -> frozenset[str]:
        fact = view.fact("barrier", hexside(here, there))
        return frozenset(fact.value) if fact and isinstance(fact.value, tuple) else frozenset()

    ours, theirs = (zones(exerting[friend], view.board.neighbours, barrier) for friend in (True, False))
    return Situation(side, frozenset(occupied[True]), frozenset(occupied[False]), ours, theirs)


def supply_unit(facts: Gather, name: str, place: str) -> Source:
    """A depot or Corps Train as a source, with both its ranges.

    Rule: 3.6.1, 14.2
    """
    arm = facts.word("arm", name)
    if arm and arm not in SUPPLY_ARMS:
        raise InputError(f"{name} is no supply unit")
    return Source(name, arm, place, facts.integer("range", name), facts.integer("extended-range", name))
