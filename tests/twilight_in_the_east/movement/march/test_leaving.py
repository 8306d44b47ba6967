"""Units that leave the map for good (1.2.2)."""

from __future__ import annotations

import pytest

from ....conftest import answered, ruled, told, typed, why_not
from .ground import CHART, changes_of, moved, russian

REMOVED = "\nruling off-map-move=removed"
EDGE = f"{CHART}turn=5 phase=movement phasing=russian\n01.50 clear\n02.50 clear map-edge=russian\n"


@pytest.mark.rule("1.2.2")
def test_no_unit_moves_off_the_map_of_its_own_will() -> None:
    text = f"{EDGE}02.50: {russian('R')}"
    report = answered(typed(text), "move", units="R", off=True)
    assert (why_not(report), report.changes) == (["1.2.2"], ())
    inside = moved(f"30.20: {russian('R')}{REMOVED}", "R", "30.19", off=True)
    assert told(inside, "Not allowed") == ["30.19 does not lie at an edge of the map"]
    usual = moved(f"30.20: {russian('R')}", "R", "30.19", off=True)
    assert [ruled(each, "off-map-move") for each in (report, inside, usual)] == ["refused", "", ""]


@pytest.mark.rule("1.2.2")
def test_who_is_left_behind_does_not_keep_others_from_leaving_the_map() -> None:
    text = f"{EDGE}03.50 clear\n04.50 clear\n04.50: {russian('R')}, {russian('S')}{REMOVED}"
    for units in ("R,S", "S,R"):
        report = answered(typed(text), "move", units=units, way="03.50,02.50", drop="S@03.50", off=True)
        assert (why_not(report), {move.unit: move.end for move in report.result.moves}["S"]) == ([], "03.50")
        assert changes_of(report, "place", "departed", "ended") == {
            ("place", "R"): None, ("place", "S"): "03.50", ("departed", "R"): "off-map", ("ended", "S"): True,
        }  # fmt: skip
    report = answered(typed(text), "move", units="S,R", way="03.50,02.50", drop="S@02.50", off=True)
    assert report.verdict.text.startswith("R goes off the map for good"), "S stays at the edge"
    assert changes_of(report, "place") == {("place", "R"): None, ("place", "S"): "02.50"}


@pytest.mark.rule("1.2.2b")
def test_who_is_left_before_romania_stays() -> None:
    text = f"30.20: {russian('R')}, {russian('S')}\n30.18 country=romanian{REMOVED}"
    both = moved(text, "S,R", "30.19,30.18", drop="S@30.18")
    assert {unit for track, unit in changes_of(both, "departed")} == {"R", "S"}, "dropped in it is gone too"
    report = moved(text, "S,R", "30.19,30.18", drop="S@30.19")
    assert changes_of(report, "place", "departed") == {
        ("place", "R"): None, ("place", "S"): "30.19", ("departed", "R"): "off-map",
    }  # fmt: skip


@pytest.mark.rule("1.2.2", "1.2.2b")
def test_by_another_reading_it_departs_and_is_not_eliminated() -> None:
    text = f"{EDGE}02.50: {russian('R')}{REMOVED}"
    report = answered(typed(text), "move", units="R", off=True)
    assert report.verdict.text.startswith("R goes off the map for good")
    assert changes_of(report, "place", "departed") == {("place", "R"): None, ("departed", "R"): "off-map"}
    assert not [part for part in report.parts if part.title == "Victory Points" and part.steps]


@pytest.mark.rule("1.2.2b")
def test_who_goes_into_romania_departs() -> None:
    text = f"30.20: {russian('R')}, {russian('S')}\n30.19 country=romanian{REMOVED}"
    report = moved(text, "R,S", "30.19")
    assert changes_of(report, "place", "departed") == {
        ("place", "R"): None, ("place", "S"): None, ("departed", "R"): "off-map", ("departed", "S"): "off-map",
    }  # fmt: skip
    assert changes_of(moved(f"30.20: {russian('R')}", "R", "30.19"), "place", "departed") == {("place", "R"): "30.19"}
    text = f"30.20: {russian('R')}\n30.19 country=romanian{REMOVED}"
    assert ("control", "30.19") not in changes_of(moved(text, "R", "30.19"), "control")


@pytest.mark.rule("1.2.2b", "16.4")
def test_a_supply_unit_that_departs_does_not_come_back() -> None:
    text = f"30.20: russian corps-train - T movement=7\n30.19 country=romanian{REMOVED}"
    assert changes_of(moved(text, "T", "30.19"), "place", "departed", "arrives") == {
        ("place", "T"): None, ("departed", "T"): "off-map",
    }  # fmt: skip
    off = f"{EDGE}02.50: russian corps-train - T movement=7{REMOVED}"
    assert changes_of(answered(typed(off), "move", units="T", off=True), "place", "departed", "arrives") == {
        ("place", "T"): None, ("departed", "T"): "off-map",
    }  # fmt: skip
