"""The rules of supply lines: cost, ground, and the supply given along them (14.1 to 14.4).

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
from ..ground.hexsides import CLOSED_BARRIERS
from ..railways.network import RAIL_HEX_WEIGHTS
from ..terms import GREAT_RIVERS

SupplyState = Literal["in", "low", "out"]
QUARTERS_PER_HEX = 4
ROADS = frozenset({"road", "primary-road", "secondary-road"})
EXTRA_COSTS = {"rough": QUARTERS_PER_HEX // 2, "mountain": QUARTERS_PER_HEX, "wetlands": QUARTERS_PER_HEX}
"""The extra cost of terrain without a road."""
UNFAVOURABLE_VALUES: Mapping[str, Value] = {
    "terrain": "high-mountain",
    "barrier": ("lake",),
    "rail": "no-rail",
    "road": "no-road",
    "crossing": "no-crossing",
    "operational": "none",
    "map-edge": "none",
    "station": False,
}
"""The least favourable value for supply lines, by track."""
RR_IN_SUPPLY_HEXES = 3
"""The range from an RR line within which units are In Supply (14.2.3)."""
RR_LOW_SUPPLY_HEXES = 6
"""The range from an RR line within which units are at least in Low Supply (14.2.3)."""
RR_LINE = "RR line"
"""The kind of source for RR lines."""


def bars_of_step(terrain: str, barrier: Collection[str], *, crossed: bool) -> Iterator[Clause]:
    """Yield the bars to a supply line into a hex.

    `barrier`: the features of the hexside.
    `crossed`: whether a bridge, a ferry, a road or an RR line leads over the hexside.

    Rule: 14.1.1
    """
    yield terrain == "sea" or CLOSED_BARRIERS & set(barrier), "14.1.1", "a lake or sea blocks it"
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
    """Return the cost of tracing a supply line into a hex, or the reason that bars it.

    `barrier`, `rail`, `road`, `crossing`: the features of the hexside.
    `operational`: whether an RR line is friendly and operational in both hexes.
    `flooded`: whether it is High Water or Autumn under the Grand Campaign rules.

    Rule: 14.1.2a, 14.1.2b, 14.1.2c, 14.1.2d, 14.1.2e, 14.1.2f, 2.2b, 2.2g
    """
    by_road = road in ROADS
    crossed = crossing != "no-crossing" or by_road or rail in RAIL_HEX_WEIGHTS
    for holds, _, why in bars_of_step(terrain, barrier, crossed=crossed):
        if holds:
            return why
    if rail in RAIL_HEX_WEIGHTS and operational:
        return Cost(RAIL_HEX_WEIGHTS[rail], "double-track RR" if rail == "rail2" else "single-track RR", True)
    cost = QUARTERS_PER_HEX
    why = "by road" if by_road else terrain
    if not by_road:
        if not (terrain == "wetlands" and freeze):
            cost += EXTRA_COSTS.get(terrain, 0)
        if "ridge" in barrier:
            cost += QUARTERS_PER_HEX
            why = f"{why}, Mountain Ridge"
    if flooded and GREAT_RIVERS & set(barrier):
        cost += QUARTERS_PER_HEX
        why = f"{why}, river in High Water or Autumn"
    return Cost(cost, why)


def is_flooded(weather: str, turn: int, *, campaign: bool) -> bool:
    """Return whether great rivers cost a hex more, in High Water and Autumn of the Grand Campaign. Rule: 14.1.2f"""
    return campaign and (weather == "high-water" or not is_summer(turn))


def within(cost: int, hexes: int, reading: str) -> bool:
    """Return whether the cost of a line lies within a range.

    `reading`: ruling supply-rounding.

    Rule: 14.1, 4.6
    """
    length = Fraction(cost, QUARTERS_PER_HEX)
    return half_up(length) <= hexes if reading == "half-up" else length <= hexes


def connected_railway(edges: Collection[str], closed: Collection[str], rails: Mapping[str, Sequence[str]]) -> CostField:
    """Return the RR hexes that a contiguous line links to a friendly map edge, with their links.

    `edges`: operational RR hexes at a friendly map edge.
    `closed`: hexes that enemies occupy and, for a depot's LOC, hexes that EZOCs close.
    `rails`: the next hexes along operational RR lines, by hex.

    Rule: 14.2.1a
    """
    return radius(sorted(edges), None, rails.__getitem__, closed=closed)


def ranges(kind: str, near: int, far: int = 0) -> tuple[Range, ...]:
    """Return the ranges of a source, each with the supply that it gives.

    Within the first a unit is In Supply. The second is Extended Mode for a depot (In Supply) and a Corps Train (Low
    Supply), and Low Supply from an RR line.

    `kind`: the arm of the supply unit, `RR_LINE` or "fortress".
    `near`, `far`: the ranges in hexes; `far` is 0 if there is only one.

    Rule: 14.2.3, 14.4d
    """
    beyond = Range(far, "in" if kind.endswith("depot") else "low", kind != RR_LINE)
    return (Range(near, "in"), beyond) if far else (Range(near, "in"),)


def near_and_far(source: LineSource) -> tuple[int, int]:
    """Return the two ranges of a source in hexes, each 0 if the source has none."""
    near, far = (*(range.hexes or 0 for range in source.ranges), 0, 0)[:2]
    return near, far


def longest_range(source: LineSource) -> int:
    """Return the longest range of a source in any mode, in hexes, or 0 if it has none."""
    return max((range.hexes for range in source.ranges if range.hexes is not None), default=0)


def reach_for(source: LineSource, gives: Collection[str]) -> int | None:
    """Return the longest range in which a source gives one of the states, in hexes, or None if it gives none.

    `gives`: the states.
    """
    giving = [range for range in source.ranges if range.gives in gives]
    return max((range.hexes for range in giving if range.hexes is not None), default=None)


def supply_from(source: LineSource, cost: int, reading: str) -> Range | None:
    """Return the range in which a source serves at a cost, or None if the unit is too far.

    Rule: 14.2.3, 14.4d
    """
    return source.at(lambda hexes: within(cost, hexes, reading))


class SourceReach(msgspec.Struct, frozen=True, kw_only=True):
    """A source's ranges, and the length of its line."""

    source: Name
    kind: Annotated[str, note("corps-train, minor-depot, major-depot, fortress or RR line")]
    place: UnitHex
    cost: Annotated[Fraction | None, note("length of its line in hexes, null if none is known or leads there")]
    range: Annotated[int | None, note("normal range in hexes, null if the player vouches for the line")]
    extended_range: Annotated[int | None, note("range in Extended Mode, or for Low Supply from an RR line")]


class TriedSource(SourceReach, frozen=True, kw_only=True):
    """A supply source that was tried."""

    why_not: Annotated[str, note("why the source does not serve the unit, empty if it does")]
