"""Supply: what a supply line costs and where it may pass, which sources serve a unit, and isolation (14.1 to 14.4).

Costs count in quarters of a hex.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import NamedTuple

from assistant.field import standing as field
from assistant.mechanics.rounding import half_up
from assistant.mechanics.tracing import Crossing, Crossings, cost_field

from ..ground.calendar import is_summer

HEX = 4
"""Steps of cost to a hex."""

ROADS = frozenset({"road", "primary-road", "secondary-road"})
RAILS = {"rail1": 2, "rail2": 1}
RR_IN_SUPPLY, RR_LOW = 3, 6
MOST_ENEMY_HEXES = 6


class Cost(NamedTuple):
    """What one hex of a supply line costs, in quarters of a hex, and why."""

    quarters: int
    why: str
    by_rail: bool = False


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
    """What it costs to trace a supply line into a hex, or why it cannot be traced there.

    terrain: of the hex entered; barrier, rail, road, crossing: on the hexside; operational: whether the RR line, if
    there is one, is friendly and operational in both hexes; freeze: Freeze weather; flooded: High Water or Autumn under
    the Grand Campaign rules.

    Rule: 14.1.1, 14.1.2a, 14.1.2b, 14.1.2c, 14.1.2d, 14.1.2e, 14.1.2f, 2.2b, 2.2g
    """
    by_rail = rail in RAILS and operational
    by_road = road in ROADS
    bridged = crossing != "no-crossing" or rail in RAILS or by_road
    great_river = {"grand-river", "major-river"} & set(barrier)
    if {"lake", "sea", "impassable"} & set(barrier) or terrain == "sea":
        return "a lake or sea bars it"
    if terrain == "high-mountain":
        return "a High Mountain hex bars it"
    if great_river and not bridged:
        return (
            f"a {'Grand' if 'grand-river' in great_river else 'Major'} River without bridge, pontoon or ferry bars it"
        )
    if by_rail:
        return Cost(RAILS[rail], "double-track RR" if rail == "rail2" else "single-track RR", True)
    cost, why = HEX, "by road" if by_road else terrain
    if not by_road:
        if terrain == "rough":
            cost += HEX // 2
        elif terrain == "mountain" or (terrain == "wetlands" and not freeze):
            cost += HEX
        if "ridge" in barrier:
            cost, why = cost + HEX, f"{why}, Mountain Ridge"
    if great_river and flooded:
        cost, why = cost + HEX, f"{why}, river in High Water or Autumn"
    return Cost(cost, why)


def is_flooded(weather: str, turn: int, campaign: bool) -> bool:
    """Whether great rivers cost supply lines a hex more: in High Water and in Autumn, in the Grand Campaign only.

    Rule: 14.1.2f
    """
    return campaign and (weather == "high-water" or not is_summer(turn))


def closed_hexes(enemies: Collection[str], enemy_zones: Collection[str], friends: Collection[str]) -> frozenset[str]:
    """The hexes that no supply line passes: enemy-occupied ones, and those in an EZOC without a friendly unit.

    Rule: 14.1, 4.1.2
    """
    return field.closed_hexes(enemies, enemy_zones, friends)


def closed_for_isolation(
    enemies: Collection[str], enemy_zones: Collection[str], friends: Collection[str], friendly_zones: Collection[str]
) -> frozenset[str]:
    """The same for the test of isolation, where a friendly zone, the unit's own included, opens a hex as well.

    Rule: 14.4.1, 4.1.3
    """
    return field.closed_hexes(enemies, enemy_zones, {*friends, *friendly_zones})


def within(cost: int, hexes: int, reading: str) -> bool:
    """Whether a line of this cost lies within a range. reading: ruling supply-rounding.

    Rule: 14.1, 4.6
    """
    return (half_up(Fraction(cost, HEX)) if reading == "half-up" else Fraction(cost, HEX)) <= hexes


def connected_railway(
    crossings: Crossings, operational: Collection[str], edges: Iterable[str], closed: Collection[str] = ()
) -> frozenset[str]:
    """The friendly operational RR hexes that a contiguous line joins to a friendly map edge.

    closed: hexes that the line may not pass (EZOCs, for a depot's LOC).

    Rule: 14.2.1a
    """

    def price(kind: Crossing) -> int | None:
        return 0 if dict(kind.over)["rail"] in RAILS else None

    barred = (set(crossings.hexes) - set(operational)) | set(closed)
    starts = {edge: 0 for edge in edges if edge in operational}
    return frozenset(cost_field(crossings, price, starts, closed=barred).cost)


class Source(NamedTuple):
    """A supply source that a unit may use: a depot, a Corps Train, a RR line hex or a fortress.

    kind: the arm of the supply unit, "RR line" or "fortress". range, extended: in hexes, normal and Extended Mode (for a
    RR line: the reach of In Supply and of Low Supply).
    """

    name: str
    kind: str
    place: str
    range: int
    extended: int


class Reach(NamedTuple):
    """How a source reaches a unit at some cost: the state it gives, and whether it has to be extended."""

    state: str
    extended: bool


def reach(source: Source, cost: int, reading: str) -> Reach | None:
    """The supply state that a source gives at this cost in quarters of a hex, None if it is too far.

    A depot gives full supply in Extended Mode too, a Corps Train then gives Low Supply, and so does a RR line beyond
    three hexes. reading: ruling supply-rounding.

    Rule: 14.2.3, 14.4d
    """
    if within(cost, source.range, reading):
        return Reach("in", False)
    if source.extended and within(cost, source.extended, reading):
        return Reach("in" if source.kind.endswith("depot") else "low", source.kind != "RR line")
    return None
