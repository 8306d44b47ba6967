"""The ground that stacks retreat over."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, partial
from typing import Annotated, Any

import msgspec

from assistant.asking import note
from assistant.asking.view import View
from assistant.mechanics.tracing import zone
from assistant.rules.field import Hexside

from ..ground.edges import is_at_edge, lies_off_map
from ..ground.hexsides import between, do_zones_cross, impassable, is_unbridged, lets_there_and_back
from ..terms import OFF_MAP

MOUNTAINS = frozenset({"mountain", "high-mountain"})


class RetreatStep(msgspec.Struct, frozen=True):
    """What the way into the next hex means."""

    shut: str = ""
    """What nobody crosses."""
    into_sea: bool = False
    """Whether that hex is sea."""
    river: bool = False
    """Whether an un-bridged Major or Grand River is crossed."""
    mountains: bool = False
    """Whether artillery is lost."""
    unsaid: tuple[str, ...] = ()
    """What is not stated and assumed to be open."""


class Terrain:
    """The terrain as far as it is known, each hex and hexside read once."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.around: dict[Hashable, Any] = {}
        """What `retreat.ways` has worked out over it, by where a stack is and its way."""
        self.neighbours = cache(partial(_list_neighbours, view))
        """The hexes around; none around a place off the map."""
        self.passage = cache(partial(_read_passage, view))
        """What the way from a hex into the next means."""
        self.is_off_map = cache(partial(lies_off_map, view))
        """Whether a unit that enters a place has left the map with that."""
        self.zone_from = cache(partial(_find_zone, view, self.neighbours))
        """The hexes in the zone of control of a unit at a place that has one."""
        self.controller = cache(partial(_read_controller, view))
        """The side that is said to control a hex, None if that is not stated."""

    def is_at_edge(self, place: str) -> bool:
        """Return whether a hex lies at an edge of the map."""
        return place != OFF_MAP and self.view.board.is_hex(place) and is_at_edge(self.view, place)


def _list_neighbours(view: View, here: str) -> tuple[str, ...]:
    return tuple(view.board.neighbours(here)) if here != OFF_MAP and view.board.is_hex(here) else ()


def _read_passage(view: View, here: str, there: str) -> RetreatStep:
    return passage(between(view, here, there))


def _find_zone(view: View, neighbours: Callable[[str], tuple[str, ...]], place: str) -> frozenset[str]:
    return zone([place], neighbours, lambda here, there: do_zones_cross(between(view, here, there)))


def _read_controller(view: View, place: str) -> str | None:
    fact = view.fact("control", place)
    return None if fact is None else str(fact.value)


def passage(over: Hexside) -> RetreatStep:
    """Return what crossing a hexside means to a stack that retreats over it. Rule: 11.2.4a"""
    lets = lets_there_and_back(over)
    unstated = []
    if not over.enters:
        unstated.append(f"terrain of {over.there}")
    if not over.is_stated:
        unstated.append(f"hexside {over.name}")
    if lets is None:
        unstated.append("the movement cost of high-mountain")
    shut = impassable(over, "retreat")
    into_sea = over.enters == "sea"
    return RetreatStep(shut, into_sea, is_unbridged(over), through_mountains(over), tuple(unstated))


def through_mountains(over: Hexside) -> bool:
    """Return whether a way leads out of or into a Mountain hex or over a ridge, and along no road or RR line. Rule:
    11.2.4c
    """
    return bool(MOUNTAINS & {over.leaves, over.enters} or "ridge" in over.lies) and not over.linked


class RetreatGround(msgspec.Struct, frozen=True):
    """The ground as a retreating stack finds it."""

    terrain: Terrain
    side: str
    origin: Annotated[str, note("the hex of the combat")]
    enemies: Annotated[frozenset[str], note("hexes, like `enemy_zones`")]
    enemy_zones: frozenset[str]
    friends: Annotated[frozenset[str], note("hexes, its own only if a unit stays there")]
    sources: Annotated[frozenset[str], note("hexes of its supply sources")] = frozenset()
    areas: Annotated[tuple[frozenset[str] | None, ...], note("those of its armies, None where one is not stated")] = ()
    garrisoned: Annotated[bool, note("whether a Fortress Garrison is in it")] = False
    abandoned: Annotated[frozenset[str], note("hexes that enemies have left by a retreat in this combat")] = frozenset()
    turns_back: Annotated[bool, note("whether it may go back to the hex it has just left")] = False
    nations: Annotated[frozenset[str], note("of its units")] = frozenset()
    fischer: Annotated[bool, note("whether one is of Streifkorps Fischer")] = False
    may_leave: Annotated[bool, note("whether it may leave the map though another hex is open")] = False

    @property
    def view(self) -> View:
        """What is known."""
        return self.terrain.view

    def distance(self, here: str, there: str) -> int:
        """Return hexes between two places."""
        return self.view.board.distance(here, there)
