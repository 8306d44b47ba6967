"""The ground of a retreat: what each hexside means to a stack that goes back over it, and who stands around it then."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from assistant.field import Hexside
from assistant.mechanics.tracing import zone
from assistant.questions import View

from ..ground.entry import impassable
from ..ground.hexsides import between, lets_there_and_back, unbridged
from ..ground.zones import crossed_by_zones

MOUNTAINS = frozenset({"mountain", "high-mountain"})


class Passage(NamedTuple):
    """What the way into the next hex means. shut: what nobody crosses; river: whether an un-bridged Major or Grand River is crossed;
    mountains: whether artillery is lost; unsaid: what is not stated and assumed to be open."""

    shut: str
    river: bool
    mountains: bool
    unsaid: tuple[str, ...]


class Terrain:
    """The terrain as far as it is known, each hexside read once."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._passages: dict[tuple[str, str], Passage] = {}
        self._neighbours: dict[str, tuple[str, ...]] = {}
        self._zones: dict[str, frozenset[str]] = {}
        self._friendly: dict[str, str | None] = {}

    def neighbours(self, here: str) -> tuple[str, ...]:
        """The hexes around; none around a place off the map."""
        if here not in self._neighbours:
            board = self.view.board
            self._neighbours[here] = tuple(board.neighbours(here)) if board.is_hex(here) else ()
        return self._neighbours[here]

    def passage(self, here: str, there: str) -> Passage:
        """What the way into the next hex means."""
        if (here, there) not in self._passages:
            self._passages[here, there] = passage(between(self.view, here, there))
        return self._passages[here, there]

    def zone_from(self, place: str) -> frozenset[str]:
        """The hexes in the zone of control of a unit at a place that has one."""
        if place not in self._zones:
            self._zones[place] = zone(
                [place], self.neighbours, lambda here, there: crossed_by_zones(between(self.view, here, there))
            )
        return self._zones[place]

    def controller(self, place: str) -> str | None:
        """The side that is said to control a hex, None if that is not stated."""
        if place not in self._friendly:
            fact = self.view.fact("control", place)
            self._friendly[place] = None if fact is None else str(fact.value)
        return self._friendly[place]


def passage(over: Hexside) -> Passage:
    """What crossing a hexside means to a stack that retreats over it. Rule: 11.2.4a"""
    lets = lets_there_and_back(over)
    unsaid = [f"terrain of {over.there}"] * (not over.enters) + [f"hexside {over.name}"] * (not over.is_stated)
    unsaid += ["the movement cost of high-mountain"] * (lets is None)
    return Passage(impassable(over, "retreat"), unbridged(over), through_mountains(over), tuple(unsaid))


def through_mountains(over: Hexside) -> bool:
    """Whether a way leads out of or into a Mountain hex or over a ridge, and along no road or RR line. Rule: 11.2.4c"""
    return bool(MOUNTAINS & {over.leaves, over.enters} or "ridge" in over.lies) and not over.linked


class Ground(msgspec.Struct, frozen=True, dict=True):
    """The ground as a stack finds it that retreats.

    origin: the hex of the combat; enemies, enemy_zones, friends: hexes, its own only if somebody stays there; sources: hexes of its
    supply sources; areas: those of its armies, None where one is not stated; garrisoned: whether a Fortress Garrison is in it;
    abandoned: hexes that enemies have left by a retreat in this combat; turns_back: whether it may go back to the hex it has just left;
    nations: of its units.
    """

    terrain: Terrain
    side: str
    origin: str
    enemies: frozenset[str]
    enemy_zones: frozenset[str]
    friends: frozenset[str]
    sources: frozenset[str] = frozenset()
    areas: tuple[frozenset[str] | None, ...] = ()
    garrisoned: bool = False
    abandoned: frozenset[str] = frozenset()
    turns_back: bool = False
    nations: frozenset[str] = frozenset()

    @property
    def view(self) -> View:
        """What is known."""
        return self.terrain.view

    def distance(self, here: str, there: str) -> int:
        """Hexes between two places."""
        return self.view.board.distance(here, there)
