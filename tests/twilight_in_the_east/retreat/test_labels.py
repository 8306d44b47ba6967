"""What the hexes of a retreat cost, in a few characters."""

from __future__ import annotations

from twilight_in_the_east.retreat.picture import format_cost, format_price, format_route
from twilight_in_the_east.retreat.ways import ForceRetreat, RetreatHex

FREE = RetreatHex(hex="43.18")


def zone(hex: str, *costs: ForceRetreat) -> RetreatHex:
    return RetreatHex(hex=hex, zone=True, costs=costs)


def cost(force: str, levels: int, steps: int, *guns: str) -> ForceRetreat:
    return ForceRetreat(force=force, levels=levels, steps=steps, guns=guns)


def test_what_hexes_cost_in_a_few_characters() -> None:
    route = [zone("42.19", cost("1/1", 1, 0)), FREE, zone("44.18", cost("1/1", 1, 1, "4 FA"))]
    assert [*format_route(route)] == [
        ("42.19", "1st EZOC: 1 level"),
        ("43.18", "free"),
        ("44.18", "2nd EZOC: 1 level, 1 step, guns"),
    ]
    hex = zone("42.19", cost("1/1", 1, 1, "4 FA"))
    assert format_cost(hex) == "1 level, 1 step, guns"
    assert format_cost(hex, named=True) == "1 level, 1 step, 4 FA"
    assert format_price(cost("1/1", 2, 1)) == "loses 2 levels and 1 step"
    assert format_price(cost("1/1", 0, 0)) == ""
