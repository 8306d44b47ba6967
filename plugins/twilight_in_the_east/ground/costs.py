"""What a step of a march costs: the ground of the hex that is entered and what lies on the hexside, off the road or
along it, by the owner's Terrain Effects Chart (8.1.1 to 8.1.6, 18.1, 20.1).

Costs are in halves of a Movement Point, the smallest step of the chart.
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
"""What takes units over a river, each a feature of the chart."""
ROADWAYS = ("primary-road", "secondary-road")
SAME_BUT = {
    "high-water": ("summer", frozenset({*GREAT_RIVERS, *BRIDGES})),
    "freeze": ("autumn", frozenset[str]()),
}
"""The tables of the weather, each with that of its season and the features that the weather makes dearer (20.1)."""
PILLAU = "66.18"
PILLAU_STRAIT = "66.18|67.18"
"""The hexside that Germans cross while they control Pillau (8.1.5)."""
HALF_HEX_COST = 1
"""Movement Points to enter a half-hex, in an EZOC or not (23.4.1)."""
HALF_HEX = 2
"""The same in halves of a Movement Point."""
HALF = Fraction(1, 2)
HALVES = ("cavalry", "artillery", *SUPPLY_ARMS)
"""The arms of which every unit counts one half, whatever its size (8.1.4a)."""
CAUSEWAY_LIMITS = ((0, 0, 4), (0, 1, 2), (1, 0, 1), (0, 2, 1))
"""How many divisions, brigades and Asset Units may cross a causeway in a phase: one of these (8.1.6), two brigades
being as good as a division (2.2).
"""

Cost = int | None
"""Halves of a Movement Point; None where the chart prohibits the step."""


class Passage(NamedTuple):
    """One kind of step, in plain values."""

    terrain: Annotated[str, note('of the hex entered, "" if it is not stated')]
    lies: Annotated[frozenset[str], note("what is on the hexside")] = frozenset()
    ways: Annotated[frozenset[str], note('the roadways and "rail" that lead over it')] = frozenset()
    crossing: Annotated[str, note('what takes units over its river, "" if nothing does')] = ""
    escarpment: Annotated[bool, note("whether the hex entered has escarpment terrain")] = False
    causeway: Annotated[bool, note("whether one leads over the hexside")] = False
    half_hex: Annotated[bool, note("whether a half-hex is entered")] = False
    unstated: Annotated[
        frozenset[str], note("what is not stated: the crossing of the river, the escarpment of the hex entered")
    ] = frozenset()


class Price(NamedTuple):
    """What a kind of step costs, in halves of a Movement Point."""

    off: int | None
    """Over the ground."""
    road: int | None = None
    """Along a roadway or RR line, None without one."""
    shut: bool = False
    """Whether the chart prohibits the ground."""
    back_shut: bool = False
    """Whether it prohibits the ground of the way back."""
    back_road: bool = False
    """Whether a road leads back."""

    def cheapest(self, congestion: int, *, alone: bool) -> int | None:
        """Return the cheapest price of a step: a unit that moves alone chooses the road or the ground for each hex;
        None if it has neither, or none that is known.

        congestion: halves that friends in the hex add along the road. Rule: 8.1.4, 8.1.4b
        """
        by_road = self.road + congestion if alone and self.road is not None else None
        if self.off is None or by_road is None:
            return by_road if self.off is None else self.off
        return min(self.off, by_road)

    def prohibits(self, *, alone: bool) -> bool:
        """Return whether the chart closes the step to units, or the way back. alone: whether a road helps, as the unit
        moves alone. Rule: 8.1.1b
        """
        there = self.shut and not (alone and self.road is not None)
        return there or (self.back_shut and not (alone and self.back_road))


def table_in_force(turn: int, weather: str) -> str:
    """Return the table of the chart: of the season, or of High Water or Freeze. weather: "normal" where the campaign's
    weather is not in use. Rule: 8.1.1, 20.1b
    """
    return weather if weather in SAME_BUT else calendar.season(turn)


def river_features(passage: Passage, *, freeze: bool) -> tuple[str, ...]:
    """Return what the river of a hexside costs, as features of the chart: the bridge, pontoon bridge or ferry in place
    of the river; a minor river is nothing in Freeze. Rule: 8.1.3, 18.1b, 20.1c
    """
    rivers = _rivers_that_count(passage, freeze=freeze)
    return (passage.crossing,) if rivers and passage.crossing else tuple(rivers)


def _rivers_that_count(passage: Passage, *, freeze: bool) -> list[str]:
    return sorted((RIVERS & passage.lies) - ({"minor-river"} if freeze else set()))


def facts_needed(passage: Passage, *, freeze: bool, added: bool = False) -> frozenset[str]:
    """Return what is not stated of a step and decides its cost: neither matters over a causeway that costs something in
    place of the ground, nor the crossing of a river that is nothing in Freeze.

    `added`: as in `ground_features`.

    Rule: 20.1c
    """
    if passage.causeway and not added:
        return frozenset()
    if not _rivers_that_count(passage, freeze=freeze):
        return passage.unstated - {"crossing"}
    return passage.unstated


def ground_features(passage: Passage, *, freeze: bool, added: bool = False) -> tuple[str, ...]:
    """Return what a step over the ground costs, as features of the chart: the terrain of the hex, the river, a ridge;
    an escarpment where its hexside leads into escarpment terrain; a causeway. Wetlands are clear in Freeze.

    added: whether a causeway costs something besides the terrain, and not in its place (ruling causeway-cost).
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
    """Return what a step along each roadway or RR line costs, as features of the chart: the road or line in place of
    the terrain and of what lies on the hexside, rivers excepted. Rule: 8.1.4
    """
    return tuple((way, *river_features(passage, freeze=freeze)) for way in sorted(passage.ways))


def price_passage(passage: Passage, cost: Callable[[str], Cost], *, freeze: bool, added: bool = False) -> Price:
    """Return what a kind of step costs. cost: of a feature of the chart; added: as in `ground_features`. Rule: 8.1.1"""
    if passage.half_hex:
        return Price(HALF_HEX)
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
    """Return what a step that the chart allows is paid for: each feature of the chart with its cost, in halves of a
    Movement Point; along the cheapest roadway or RR line, or over the ground.

    by: "road" or "ground"; the rest as in `price_passage`.
    """
    ways = [ground_features(passage, freeze=freeze, added=added)]
    if by == "road":
        ways = [*road_features(passage, freeze=freeze)]
    priced = [tuple((feature, halves) for feature in way if (halves := cost(feature)) is not None) for way in ways]
    known = [parts for way, parts in zip(ways, priced, strict=True) if len(parts) == len(way)]
    return min(known, key=lambda parts: sum(halves for _, halves in parts), default=())


def congestion(units: Iterable[tuple[str, str, bool]]) -> Fraction:
    """Return the Movement Points that a unit pays more where it enters a hex by road, for the friends in it.

    units: arm, size and whether it shows its reduced side, of each. Rule: 8.1.4a
    """
    return sum((_crowding(arm, size, reduced=reduced) for arm, size, reduced in units), Fraction(0))


def _crowding(arm: str, size: str, *, reduced: bool) -> Fraction:
    if arm == "infantry":
        return {"XX": HALF if reduced else Fraction(1), "X": HALF}.get(size, Fraction(0))
    return HALF if arm in HALVES else Fraction(0)


def crosses_at_pillau(over: str, nations: Collection[str], holder: str) -> bool:
    """Return whether units may cross the strait at Pillau: Germans, while their side controls it. over: the hexside;
    holder: the side that controls Pillau. Rule: 8.1.5
    """
    return over == PILLAU_STRAIT and {*nations} == {"german"} and holder == "central-powers"


def fits_causeway(divisions: int, brigades: int, assets: int) -> bool:
    """Return whether so many formations and Asset Units may cross one causeway in a phase. Rule: 8.1.6"""
    return any(divisions <= limit[0] and brigades <= limit[1] and assets <= limit[2] for limit in CAUSEWAY_LIMITS)
