"""Hungary and the west bank of the Vistula, as stated and as the board draws them (22.2, 23.1.1)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.ground.edges import is_in_hungary, is_west_of_vistula

from ...conftest import viewed

EAST = "board east\n"


@pytest.mark.rule("23.1.1")
def test_hungary_lies_behind_the_border_of_its_province() -> None:
    view = viewed(EAST)
    assert [is_in_hungary(view, hex) for hex in ("64.105", "45.110", "31.114")] == [True, True, True]
    assert [is_in_hungary(view, hex) for hex in ("30.90", "14.112", "58.52", "60.17")] == [False] * 4
    stated = viewed(EAST + "64.105 province=none\n30.90 province=hungary\n14.112 province=bukowina")
    assert [is_in_hungary(stated, hex) for hex in ("64.105", "30.90", "14.112")] == [False, True, False]
    paper = viewed("44.20 province=hungary\n44.22 country=russian\n44.23 country=austro-hungarian")
    assert [is_in_hungary(paper, hex) for hex in ("44.20", "44.21", "44.22", "44.23")] == [True, None, False, None]


@pytest.mark.rule("22.2")
def test_the_west_bank_of_the_vistula_is_that_of_warsaw() -> None:
    view = viewed(EAST)
    assert [is_west_of_vistula(view, hex) for hex in ("58.52", "70.60", "85.30", "80.79")] == [True] * 4
    assert [is_west_of_vistula(view, hex) for hex in ("57.52", "50.60", "60.17", "74.25", "30.90")] == [False] * 5
    stated = viewed(EAST + "70.60 vistula=east\n50.60 vistula=west")
    assert [is_west_of_vistula(stated, hex) for hex in ("70.60", "50.60", "58.52")] == [False, True, True]
    paper = viewed("70.60 vistula=west\n50.60 vistula=east")
    assert [is_west_of_vistula(paper, hex) for hex in ("70.60", "50.60", "58.52")] == [True, False, None]
