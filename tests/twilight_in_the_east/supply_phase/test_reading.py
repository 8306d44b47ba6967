"""Who is Isolated in a Supply Phase whose owner picks the modes of his supply units himself (14.2, 14.4.1)."""

from __future__ import annotations

import pytest

from ...conftest import answered, told, typed

ROAD = "4023=4022:4021:4020:4019:4018:4017:4016:4015:4014\n"
"""A railway, and a road of eight hexes: the train reaches its end in Extended Mode alone."""
UNITS = (
    '40.22: russian corps-train - "3 Train" range=4 extended-range=8\n40.14: russian infantry XX 25/3 army=Second {}\n'
)
HELD = "40.21,40.20,40.19,40.18,40.17,40.16,40.15 control=central-powers\n40.14 control=russian\n"
HEAD = "turn=5\nside russian whole-network\n"


@pytest.mark.rule("14.4.1", "14.4g")
def test_a_line_that_extended_mode_would_make_long_enough_is_a_way_out_through_six_enemy_hexes_but_not_seven() -> None:
    text = HEAD + ROAD + HELD + UNITS.format("")
    report = answered(typed(text), "supply-phase", side="russian", extended=[])
    assert [one.isolated for one in report.result.forces] == [True]
    assert report.result.totals.isolated == 1
    assert told(report, "Isolated (step 7)") == ["25/3 loses 3 levels"]
    best = answered(typed(text), "supply-phase", side="russian")
    assert (best.result.forces, best.result.totals.low) == ((), 1)
    held = HELD.replace("40.21,", "") + "40.21 control=russian\n"
    report = answered(typed(HEAD + ROAD + held + UNITS.format("")), "supply-phase", side="russian", extended=[])
    assert [one.isolated for one in report.result.forces] == [False]
    assert told(report, "Out of Supply (step 6)") == ["25/3 loses 1 level"]


@pytest.mark.rule("14.4e", "14.4.1")
def test_it_is_asked_whether_such_a_unit_is_isolated_and_nothing_is_settled_before() -> None:
    report = answered(typed(HEAD + ROAD + UNITS.format("cel=-4")), "supply-phase", side="russian", extended=[])
    assert (report.changes, report.result.settled) == ((), False)
    assert [ask.how for ask in report.asks] == ["25/3 way-out=no"]
    assert report.verdict.text.endswith("25/3 may surrender")
