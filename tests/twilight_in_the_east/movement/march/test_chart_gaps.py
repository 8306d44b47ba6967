"""A march over ground of which the owner's chart has not every cell: only what the march needs is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report

from ....conftest import answered, told, typed

MARCH = """
turn=3 phase=movement phasing=russian
40.22, 40.23 clear
40.22|40.23 open {ways}
40.22: russian infantry XX A corps=3 army=First steps=10 movement=7
{cells}
"""
SUMMER = "chart terrain-cost summer {} = {}"
BY_ROAD = "a step is paid by road where an RR line leads too, of which no cost is typed (chart terrain-cost summer rail = COST)"


def march(ways: str, **cells: str) -> Report[Any]:
    typed_cells = "\n".join(SUMMER.format(name.replace("_", "-"), cost) for name, cost in cells.items())
    return answered(typed(MARCH.format(ways=ways, cells=typed_cells)), "move", units="A", way="40.23")


def test_along_a_road_the_cost_of_the_rr_line_beside_it_is_not_needed() -> None:
    report = march("primary-road rail2", clear="2", primary_road="1.5")
    assert report.asks == ()
    assert "1 1/2 Movement Points" in report.verdict.text
    assert told(report, "Assumed") == [BY_ROAD]
    report = march("secondary-road rail2", clear="2", secondary_road="2", rail="1")
    assert "1 Movement Point;" in report.verdict.text
    assert not told(report, "Assumed")


@pytest.mark.parametrize(("ways", "asked"), [("rail1", "rail"), ("secondary-road rail1", "secondary-road")])
def test_what_no_typed_road_stands_in_for_is_asked_for(ways: str, asked: str) -> None:
    report = march(ways, clear="2")
    assert ("terrain-cost", "summer", asked) in {ask.key for ask in report.asks}
