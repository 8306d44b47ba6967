"""The ground for retreating stacks, and the bars that close hexes to them (11.2.2, 11.2.4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from functools import cache, partial
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, View, note
from assistant.asking.permission import Clause
from assistant.mechanics.tracing import zone
from assistant.rules.field import HexBar, Hexside, bar_of

from ..ground.edges import is_at_edge, lies_off_map
from ..ground.hexsides import (
    HIGH_MOUNTAIN,
    Entry,
    bars_of_entry,
    between,
    do_zones_cross,
    impassable,
    is_outside_bukowina,
    is_unbridged,
    leads_to_box,
    lets_there_and_back,
)
from ..terms import OFF_MAP

MOUNTAINS = frozenset({"mountain", "high-mountain"})


class RetreatStep(msgspec.Struct, frozen=True):
    """The effects of one step of a retreat, from a hex into the next."""

    shut: str = ""
    """The feature that bars the step, or "" if none does."""
    into_sea: bool = False
    """Whether the next hex is sea."""
    river: bool = False
    """Whether it crosses an un-bridged Major or Grand River."""
    mountains: bool = False
    """Whether it leads through mountains, where artillery is lost."""
    unsaid: tuple[str, ...] = ()
    """Unstated facts that might bar it, in words."""


class Terrain:
    """The stated terrain, with each hex and hexside cached."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.around: dict[Hashable, Any] = {}
        """Cache of `retreat.ways`, by the place of a stack and the hexes that it has entered."""
        self.neighbours = cache(partial(_list_neighbours, view))
        """The adjacent hexes, or () for a place off the map."""
        self.passage = cache(partial(_read_passage, view))
        """The effects of a step from one hex into the next."""
        self.is_off_map = cache(partial(lies_off_map, view))
        """Whether a unit leaves the map by entering a place."""
        self.zone_from = cache(partial(_find_zone, view, self.neighbours))
        """The zone of control of a unit at a place."""
        self.controller = cache(partial(_read_controller, view))
        """The side that controls a hex, or None if it is not stated."""

    def is_at_edge(self, place: str) -> bool:
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
    """Return the effects of crossing a hexside on a retreating stack. Rule: 11.2.4a"""
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
    """Return whether a step leads through Mountains or over a ridge without a road or RR line.

    Rule: 11.2.4c
    """
    return bool(MOUNTAINS & {over.leaves, over.enters} or "ridge" in over.lies) and not over.linked


class RetreatGround(msgspec.Struct, frozen=True):
    """The ground, friends and enemies around a retreating stack."""

    terrain: Terrain
    side: Annotated[str, note("side of the stack")]
    origin: Annotated[str, note("hex of the stack in the combat")]
    enemies: Annotated[frozenset[str], note("hexes with enemies")]
    enemy_zones: Annotated[frozenset[str], note("hexes in enemy zones of control")]
    friends: Annotated[frozenset[str], note("hexes with friendly units that do not retreat with the stack")]
    sources: Annotated[frozenset[str], note("hexes of the stack's supply sources")] = frozenset()
    areas: Annotated[
        tuple[frozenset[str] | None, ...],
        note("Areas of Attachment of the stack's armies, with None for each unstated area"),
    ] = ()
    garrisoned: Annotated[bool, note("whether the stack includes a Fortress Garrison")] = False
    abandoned: Annotated[frozenset[str], note("hexes that enemies have left by a retreat in this combat")] = frozenset()
    turns_back: Annotated[bool, note("whether the stack may go back to the hex that it has just left")] = False
    nations: Annotated[frozenset[str], note("nations of the stack's units")] = frozenset()
    fischer: Annotated[bool, note("whether the stack includes a unit of Streifkorps Fischer")] = False
    may_leave: Annotated[bool, note("whether the stack may leave the map although another hex is open")] = False

    @property
    def view(self) -> View:
        return self.terrain.view

    def distance(self, here: str, there: str) -> int:
        return self.view.board.distance(here, there)


class WayIn(msgspec.Struct, frozen=True):
    """A step of a retreating stack into the next hex, with the facts that may bar it."""

    facts: Annotated[View | Gather, note("the stated facts; a `Gather` asks for unstated ones")]
    here: Annotated[str, note("the present hex")]
    there: Annotated[str, note("the next hex")]
    passage: Annotated[RetreatStep, note("the effects of the step")] = RetreatStep()
    nations: Annotated[Collection[str], note("nations of the units")] = ()
    enemies: Annotated[bool, note("whether enemies are in the next hex")] = False
    abandoned: Annotated[bool, note("whether enemies have left the next hex by a retreat in this combat")] = False
    just_left: Annotated[bool, note("whether the stack has just left the next hex and may not turn back")] = False
    fischer: Annotated[
        bool, note("whether the stack includes a unit of Streifkorps Fischer, which must stay in Bukowina")
    ] = False
    may_leave: Annotated[bool, note("whether the stack may leave the map")] = False
    off_map: Annotated[bool, note("whether the next hex is off the map, in Romania")] = False

    @property
    def leaves_bukowina(self) -> bool:
        """Whether units of Streifkorps Fischer would leave Bukowina by this step."""
        if not self.fischer or is_outside_bukowina(self.facts.word("province", self.here)):
            return False
        return is_outside_bukowina(self.facts.word("province", self.there))


def bars_of_way(way: WayIn) -> Iterator[Clause]:
    """Yield the bars that close a hex to a retreating stack, the most important reason first.

    Bars that depend on the other adjacent hexes, as for a Fortress Complex, are in `WayBack.around`.

    Rule: 4.2b, 11.2.4a, 1.2.2b, 11.2.2b, 23.3
    """
    shut = way.passage.shut
    into = shut == HIGH_MOUNTAIN or way.passage.into_sea
    yield from bars_of_entry(Entry(way.there, way.nations, way.enemies, shut, "11.2.4", into))
    yield way.off_map and not way.may_leave, "1.2.2", "it lies in Romania, which is off the map"
    yield way.leaves_bukowina, "23.3", "the units of Fischer stay in Bukowina or its Holding Box"
    yield way.abandoned, "11.2.2", "an enemy was there at the moment of combat and has left in a retreat"
    yield way.just_left, "11.2.2", "the stack has just left it"


def retreat_bar(way: WayIn) -> HexBar | None:
    """Return the first bar that closes a hex, or None if it is open."""
    return bar_of(bars_of_way(way))


def ask_what_closes(facts: Gather, way: WayIn) -> None:
    """Ask for each unstated fact that decides whether the next hex is closed."""
    for _ in bars_of_way(replace(way, facts=facts)):
        pass


def lasting_bar(way: WayIn) -> HexBar | None:
    """Return the bar that closes a hex even if the enemies there leave, or None."""
    return retreat_bar(replace(way, enemies=False, abandoned=False))


def way_in(ground: RetreatGround, here: str, there: str, before: str = "") -> WayIn:
    """Return a stack's step into a hex.

    `before`: the hex that the stack has just left, or "" at the start.
    """
    return WayIn(
        ground.view,
        here,
        there,
        ground.terrain.passage(here, there),
        ground.nations,
        there in ground.enemies,
        there in ground.abandoned,
        there == before and not ground.turns_back,
        ground.fischer,
        ground.may_leave,
        ground.terrain.is_off_map(there),
    )


_LAST_RESORTS: tuple[Mapping[str, bool], ...] = (
    {"abandoned": False},
    {"fischer": False},
    {"fischer": False, "abandoned": False},
    {"fischer": False, "abandoned": False, "may_leave": True},
)
"""Values of `WayIn` fields that lift bars; each is tried in turn while a stack has no open hex."""


def closed_around(ground: RetreatGround, here: str, before: str = "") -> dict[str, HexBar | None]:
    """Return the bar of each hex around a stack, with None for open hexes.

    If neither a hex nor the Holding Box is open, bars are lifted in the order of `_LAST_RESORTS`. They are the bars on
    hexes left by enemies, on hexes outside Bukowina (Streifkorps Fischer is destroyed there), and on Romania.

    Rule: 1.2.2b, 11.2.2b, 23.3
    """
    ways = [way_in(ground, here, there, before) for there in ground.terrain.neighbours(here)]
    closed = {way.there: retreat_bar(way) for way in ways}
    if leads_to_box(here, ground.nations):
        return closed
    for given_up in _LAST_RESORTS:
        if not all(closed.values()):
            break
        closed = {way.there: retreat_bar(replace(way, **given_up)) for way in ways}
    return closed
