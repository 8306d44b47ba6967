"""What a supply line costs and where it may pass, and what a source gives along it (14.1 to 14.4).

Costs count in quarters of a hex.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.asking import note
from assistant.asking.permission import Clause
from assistant.mechanics.odds import half_up
from assistant.mechanics.tracing import CostField, radius
from assistant.rules.field.lines import Cost, LineSource, Range
from assistant.state.tracks import Value
from assistant.state.vocabulary import Name, UnitHex

from ..ground.calendar import is_summer
from ..ground.hexsides import CLOSED
from ..railways.network import RAILS
from ..terms import GREAT_RIVERS

SupplyState = Literal["in", "low", "out"]
HEX = 4
"""Steps of cost to a hex."""

ROADS = frozenset({"road", "primary-road", "secondary-road"})
MORE = {"rough": HEX // 2, "mountain": HEX, "wetlands": HEX}
"""What terrain costs besides, without a road."""
WORST: Mapping[str, Value] = {
    "terrain": "high-mountain",
    "barrier": ("lake",),
    "rail": "no-rail",
    "road": "no-road",
    "crossing": "no-crossing",
    "operational": "none",
    "map-edge": "none",
    "station": False,
}
"""The value of a fact that is worst for lines."""
BEST: Mapping[str, Value] = {
    "terrain": "clear",
    "barrier": (),
    "rail": "rail2",
    "road": "primary-road",
    "crossing": "bridge",
}
"""The value that is best for them; of operational RR hexes, map edges and control it is their own side."""
RR_IN_SUPPLY = 3
RR_LOW = 6
RR_LINE = "RR line"
"""The kind of a source that is a railway."""


def bars_of_step(terrain: str, barrier: Collection[str], *, crossed: bool) -> Iterator[Clause]:
    """Yield what blocks a supply line into a hex. terrain: of the hex; barrier: on the hexside; crossed: whether a bridge,
    a ferry, a roadway or an RR line leads over it. Rule: 14.1.1
    """
    yield terrain == "sea" or CLOSED & set(barrier), "14.1.1", "a lake or sea blocks it"
    yield terrain == "high-mountain", "14.1.1", "a High Mountain hex blocks it"
    yield "grand-river" in barrier and not crossed, "14.1.1", "a Grand River without bridge, pontoon or ferry blocks it"
    yield "major-river" in barrier and not crossed, "14.1.1", "a Major River without bridge, pontoon or ferry blocks it"


def step_cost(
    terrain: str,
    barrier: Collection[str],
    rail: str,
    road: str,
    crossing: str,
    *,
    operational: bool,
    freeze: bool,
    flooded: bool,
) -> Cost | str:
    """Return what it costs to trace a supply line into a hex, or why it cannot be traced there.

    barrier, rail, road, crossing: on the hexside; operational: whether an RR line is friendly and operational in both
    hexes; flooded: High Water or Autumn under the Grand Campaign rules.
    Rule: 14.1.2a, 14.1.2b, 14.1.2c, 14.1.2d, 14.1.2e, 14.1.2f, 2.2b, 2.2g
    """
    by_road = road in ROADS
    crossed = crossing != "no-crossing" or by_road or rail in RAILS
    for holds, _, why in bars_of_step(terrain, barrier, crossed=crossed):
        if holds:
            return why
    if rail in RAILS and operational:
        return Cost(RAILS[rail], "double-track RR" if rail == "rail2" else "single-track RR", True)
    cost = HEX
    why = "by road" if by_road else terrain
    if not by_road:
        if not (terrain == "wetlands" and freeze):
            cost += MORE.get(terrain, 0)
        if "ridge" in barrier:
            cost += HEX
            why = f"{why}, Mountain Ridge"
    if flooded and GREAT_RIVERS & set(barrier):
        cost += HEX
        why = f"{why}, river in High Water or Autumn"
    return Cost(cost, why)


def is_flooded(weather: str, turn: int, *, campaign: bool) -> bool:
    """Return whether great rivers cost supply lines a hex more: in High Water and Autumn, in the Grand Campaign only.
    Rule: 14.1.2f
    """
    return campaign and (weather == "high-water" or not is_summer(turn))


def within(cost: int, hexes: int, reading: str) -> bool:
    """Return whether a line of this cost lies within a range. reading: ruling supply-rounding. Rule: 14.1, 4.6"""
    length = Fraction(cost, HEX)
    return half_up(length) <= hexes if reading == "half-up" else length <= hexes


def connected_railway(edges: Collection[str], closed: Collection[str], rails: Mapping[str, Sequence[str]]) -> CostField:
    """Return the RR hexes that a contiguous line links to a friendly map edge, and how.

    edges: operational hexes at that edge; closed: hexes that enemies occupy, for a depot's LOC also those that EZOCs
    close; rails: to which hexes an operational RR line leads from each.
    Rule: 14.2.1a
    """
    return radius(sorted(edges), None, rails.__getitem__, closed=closed)


def ranges(kind: str, near: int, far: int = 0) -> tuple[Range, ...]:
    """Return the ranges of a source in hexes: normal, and Extended Mode, in which a depot gives full supply, a Corps
    Train Low Supply; of an RR line In Supply within three hexes, then Low Supply.

    kind: the arm of the supply unit, RR_LINE or "fortress"; far: 0 for none.
    Rule: 14.2.3, 14.4d
    """
    beyond = Range(far, "in" if kind.endswith("depot") else "low", kind != RR_LINE)
    return (Range(near, "in"), beyond) if far else (Range(near, "in"),)


def near_and_far(source: LineSource) -> tuple[int, int]:
    """Return the two ranges of a source, in hexes; 0 for none."""
    near, far = (*(range.hexes or 0 for range in source.ranges), 0, 0)[:2]
    return near, far


def longest_range(source: LineSource) -> int:
    """Return how far a source reaches in any of its modes, in hexes; 0 for one without ranges. No source here reaches
    any distance.
    """
    return max((range.hexes for range in source.ranges if range.hexes is not None), default=0)


def reach_for(source: LineSource, gives: Collection[str]) -> int | None:
    """Return how far a source gives one of some states, in hexes; None if it never does."""
    giving = [range for range in source.ranges if range.gives in gives]
    return max((range.hexes for range in giving if range.hexes is not None), default=None)


def supply_from(source: LineSource, cost: int, reading: str) -> Range | None:
    """Return the range in which a source serves at this cost in quarters of a hex, None if it is too far.
    Rule: 14.2.3, 14.4d
    """
    return source.at(lambda hexes: within(cost, hexes, reading))


class SourceReach(msgspec.Struct, frozen=True, kw_only=True):
    """How far a source reaches, and the length of its line."""

    source: Name
    kind: Annotated[str, note("corps-train, minor-depot, major-depot, fortress or RR line")]
    place: UnitHex
    cost: Annotated[Fraction | None, note("length of its line in hexes, null if none is known or leads there")]
    range: Annotated[int | None, note("normal range in hexes, null if the player vouches for the line")]
    extended_range: Annotated[int | None, note("range in Extended Mode, or for Low Supply from an RR line")]


class TriedSource(SourceReach, frozen=True, kw_only=True):
    """A supply source that was tried."""

    why_not: Annotated[str, note("why the source does not serve the unit, empty if it does")]
