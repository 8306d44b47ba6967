"""The cost of a step of a march, by the owner's Terrain Effects Chart (8.1.1 to 8.1.6, 18.1, 20.1).

It depends on the ground of the hex entered and the features on the hexside, off the road or along it. Costs are in
halves of a Movement Point, the smallest unit of the chart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from typing import Annotated, NamedTuple

from assistant.asking import note

from ..terms import GREAT_RIVERS, SUPPLY_ARMS
from . import calendar

SEA = "sea"
RIVERS = frozenset({"minor-river", *GREAT_RIVERS})
BRIDGES = ("bridge", "pontoon", "ferry")
"""The features of the chart by which units cross a river."""
ROADWAYS = ("primary-road", "secondary-road")
WEATHER_TABLES = {
    "high-water": ("summer", frozenset({*GREAT_RIVERS, *BRIDGES})),
    "freeze": ("autumn", frozenset[str]()),
}
"""The tables for weather: the season's table on which each is based, and the features whose cost it raises (20.1)."""
PILLAU = "66.18"
PILLAU_STRAIT = "66.18|67.18"
"""The hexside that Germans cross while they control Pillau (8.1.5)."""
HALF_HEX_COST = 1
"""Movement Points to enter a half-hex, in an EZOC or not (23.4.1)."""
HALF_HEX_COST_HALVES = 2
"""`HALF_HEX_COST` in halves of a Movement Point."""
HALF_COUNT = Fraction(1, 2)
HALF_COUNTED_ARMS = ("cavalry", "artillery", *SUPPLY_ARMS)
"""The arms whose units count one half each, whatever their size (8.1.4a)."""
CAUSEWAY_LIMITS = ((0, 0, 4), (0, 1, 2), (1, 0, 1), (0, 2, 1))
"""Maximum divisions, brigades and Asset Units across a causeway in a phase, as alternatives (8.1.6).

Two brigades count as a division (2.2).
"""

Cost = int | None
"""A number of halves of a Movement Point, or None if the chart prohibits the step."""


class Passage(NamedTuple):
    """A kind of step, in plain values."""

    terrain: Annotated[str, note('terrain of the hex entered, or "" if it is not stated')]
    lies: Annotated[frozenset[str], note("features on the hexside")] = frozenset()
    ways: Annotated[frozenset[str], note('the roadways and "rail" that lead over it')] = frozenset()
    crossing: Annotated[str, note('what takes units over its river, or "" if nothing does')] = ""
    escarpment: Annotated[bool, note("whether the hex entered has escarpment terrain")] = False
    causeway: Annotated[bool, note("whether one leads over the hexside")] = False
    half_hex: Annotated[bool, note("whether a half-hex is entered")] = False
    unstated: Annotated[
        frozenset[str], note("unstated facts: the crossing of the river, the escarpment of the hex entered")
    ] = frozenset()


class Price(NamedTuple):
    """The price of a kind of step, in halves of a Movement Point."""

    off: int | None
    """The price off the roads, or None if the step is prohibited or the price is not known."""
    road: int | None = None
    """The price along a roadway or RR line, or None if there is none."""
    shut: bool = False
    """Whether the chart prohibits the step off the roads."""
    back_shut: bool = False
    """Whether the chart prohibits the way back off the roads."""
    back_road: bool = False
    """Whether a road leads back."""

    def cheapest(self, congestion: int, *, moves_alone: bool) -> int | None:
        """Return the lowest known price of a step, or None if there is none.

        A unit that moves alone chooses the road or the ground for each hex.

        `congestion`: halves that friends in the hex add along the road.

        Rule: 8.1.4, 8.1.4b
        """
        by_road = self.road + congestion if moves_alone and self.road is not None else None
        if self.off is None or by_road is None:
            return by_road if self.off is None else self.off
        return min(self.off, by_road)

    def prohibits(self, *, moves_alone: bool) -> bool:
        """Return whether the chart closes the step, or the way back, to units.

        `moves_alone`: whether the unit moves alone, so that a road helps.

        Rule: 8.1.1b
        """
        there = self.shut and not (moves_alone and self.road is not None)
        return there or (self.back_shut and not (moves_alone and self.back_road))


def table_in_force(turn: int, weather: str) -> str:
    """Return the table of the chart: that of the season, of High Water or of Freeze.

    `weather`: "normal" if the campaign's weather is not in use.

    Rule: 8.1.1, 20.1b
    """
    return weather if weather in WEATHER_TABLES else calendar.season(turn)


def river_features(passage: Passage, *, freeze: bool) -> tuple[str, ...]:
    """Return the chart's features for the river of a hexside.

    A bridge, pontoon bridge or ferry replaces the river. A minor river is nothing in Freeze.

    Rule: 8.1.3, 18.1b, 20.1c
    """
    rivers = _rivers_that_count(passage, freeze=freeze)
    return (passage.crossing,) if rivers and passage.crossing else tuple(rivers)


def _rivers_that_count(passage: Passage, *, freeze: bool) -> list[str]:
    return sorted((RIVERS & passage.lies) - ({"minor-river"} if freeze else set()))


def facts_needed(passage: Passage, *, freeze: bool, added: bool = False) -> frozenset[str]:
    """Return the unstated facts that decide the cost of a step.

    Over a causeway that replaces the ground none matters, and in Freeze the crossing of a minor river does not.

    `added`: as in `ground_features`.

    Rule: 20.1c
    """
    if passage.causeway and not added:
        return frozenset()
    if not _rivers_that_count(passage, freeze=freeze):
        return passage.unstated - {"crossing"}
    return passage.unstated


def ground_features(passage: Passage, *, freeze: bool, added: bool = False) -> tuple[str, ...]:
    """Return the chart's features for a step over the ground: terrain, river, ridge, escarpment, causeway.

    An escarpment counts if its hexside leads into escarpment terrain. Wetlands are clear in Freeze.

    `added`: whether a causeway is paid besides the terrain, and not instead of it (ruling causeway-cost).

    Rule: 8.1.1, 8.1.2, 20.1c
    """
    if passage.causeway and not added:
        return ("causeway",)
    terrain = "clear" if freeze and passage.terrain == "wetlands" else passage.terrain
    ridges = [ridge for ridge in ("ridge", "escarpment") if ridge in passage.lies]
    if not passage.escarpment and "escarpment" in ridges:
        ridges.remove("escarpment")
    causeway = ("causeway",) if passage.causeway else ()
    return (terrain, *river_features(passage, freeze=freeze), *ridges, *causeway)


def road_features(passage: Passage, *, freeze: bool) -> tuple[tuple[str, ...], ...]:
    """Return the chart's features for a step along each roadway or RR line.

    The road or line replaces the terrain and the features on the hexside, except rivers.

    Rule: 8.1.4
    """
    return tuple((way, *river_features(passage, freeze=freeze)) for way in sorted(passage.ways))


def price_passage(passage: Passage, cost: Callable[[str], Cost], *, freeze: bool, added: bool = False) -> Price:
    """Return the price of a kind of step.

    `cost`: returns the cost of a feature of the chart.
    `added`: as in `ground_features`.

    Rule: 8.1.1
    """
    if passage.half_hex:
        return Price(HALF_HEX_COST_HALVES)
    if facts_needed(passage, freeze=freeze, added=added):
        return Price(None)

    def total(features: Iterable[str]) -> Cost:
        costs = [None if feature == SEA else cost(feature) for feature in features]
        return None if None in costs else sum(filter(None, costs))

    known = bool(passage.terrain) or (passage.causeway and not added)
    off = total(ground_features(passage, freeze=freeze, added=added)) if known else None
    roads = [price for way in road_features(passage, freeze=freeze) if (price := total(way)) is not None]
    return Price(off, min(roads, default=None), shut=known and off is None)


def parts_of_price(
    passage: Passage, cost: Callable[[str], Cost], *, by: str, freeze: bool, added: bool = False
) -> tuple[tuple[str, int], ...]:
    """Return the features that make up the price of a step, each with its cost in halves of a Movement Point.

    They belong to the ground, or to the cheapest roadway or RR line.

    `by`: "road" or "ground".
    `cost`, `added`: as in `price_passage`.
    """
    ways = [ground_features(passage, freeze=freeze, added=added)]
    if by == "road":
        ways = [*road_features(passage, freeze=freeze)]
    priced = [tuple((feature, halves) for feature in way if (halves := cost(feature)) is not None) for way in ways]
    known = [parts for way, parts in zip(ways, priced, strict=True) if len(parts) == len(way)]
    return min(known, key=lambda parts: sum(halves for _, halves in parts), default=())


def congestion(units: Iterable[tuple[str, str, bool]]) -> Fraction:
    """Return the Movement Points that friends in a hex add to its entry by road.

    `units`: arm, size, and whether the reduced side shows, for each friend.

    Rule: 8.1.4a
    """
    return sum((_crowding(arm, size, reduced=reduced) for arm, size, reduced in units), Fraction(0))


def _crowding(arm: str, size: str, *, reduced: bool) -> Fraction:
    if arm == "infantry":
        return {"XX": HALF_COUNT if reduced else Fraction(1), "X": HALF_COUNT}.get(size, Fraction(0))
    return HALF_COUNT if arm in HALF_COUNTED_ARMS else Fraction(0)


def crosses_at_pillau(over: str, nations: Collection[str], holder: str) -> bool:
    """Return whether units may cross the strait at Pillau.

    Only Germans may, while their side controls Pillau.

    `over`: the hexside.
    `holder`: the side that controls Pillau.

    Rule: 8.1.5
    """
    return over == PILLAU_STRAIT and {*nations} == {"german"} and holder == "central-powers"


def fits_causeway(divisions: int, brigades: int, assets: int) -> bool:
    """Return whether these numbers of formations and Asset Units may cross one causeway in a phase. Rule: 8.1.6"""
    return any(divisions <= limit[0] and brigades <= limit[1] and assets <= limit[2] for limit in CAUSEWAY_LIMITS)
