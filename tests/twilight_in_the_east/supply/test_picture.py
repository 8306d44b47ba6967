"""What the picture of supply shows: of a whole side, of one unit, on a board and on paper."""

from __future__ import annotations

import pytest

import assistant
from assistant.asking.line_sketch import LineSketch
from assistant.asking.view import View
from assistant.service import parts, picture_and_parts
from assistant.util.errors import InputError
from twilight_in_the_east.supply.picture import draw_supply
from twilight_in_the_east.supply.question import find_supply_alone

from ...cases import thorough

RAILHEAD = """game twilight-in-the-east
board east
trust counters
turn=5
phasing=russian
64.39 operational=russian control=russian
64.38 operational=russian control=russian
65.37 operational=russian control=russian: "Russian 1 Train"
"""
CORPS = (
    RAILHEAD
    + """68.35: 22/1
64.31: 24/1
60.31: 36/13
68.36: 41/20
"""
)
CUT_OFF = (
    RAILHEAD
    + """68.35: 22/1
68.36: 41/20
66.35: 37/20
68.33: 35/17
70.35: 36/17
"""
)
NETWORK = """game twilight-in-the-east
4026=4025=4024-4023:4022/4021r
4023:4123:4122/4222m
40.24: "3 Train" range=5 extended-range=8
40.21: 25/3
42.22: 27/3
"""


def drawn(text: str, **parameters: object) -> LineSketch:
    position = assistant.parse(text)
    report = assistant.ask(position, "supply", **parameters)
    return draw_supply(View(position.game, position.state), report, find_supply_alone)


@pytest.mark.rule("14.4")
def test_the_picture_of_a_side_shows_states_lines_sources_and_a_caption() -> None:
    found = drawn(CORPS)
    assert {one.unit: one.status for one in found.units} == {
        "Russian 1 Train": "full",
        "22/1": "low",
        "24/1": "low",
        "36/13": "none",
    }
    assert found.sides == ("russian",)
    (one, other) = drawn(CORPS).strands
    assert {one.unit, other.unit} == {"22/1", "24/1"}
    assert one.hexes[0] == other.hexes[0] == "65.37"
    assert not one.full
    found = drawn(CORPS)
    (train,) = (one for one in found.origins if one.unit)
    assert not train.ways
    assert (train.name, train.place, train.mode, train.extended) == ("Russian 1 Train", "65.37", "extended, 9", True)
    (single,) = (one for one in found.reaches if not one.ways)
    assert "65.37" in single.near < single.far
    (railway,) = (one for one in found.reaches if one.ways)
    assert "65.37" in railway.near < railway.far
    found = drawn(CORPS)
    caption = found.caption
    counts = "The Russian side: 1 In Supply, 2 in Low Supply, 1 Out of Supply."
    assert found.answer.startswith(f"{counts} Out of Supply: 36/13. In Low Supply: 24/1 and 22/1 (if")
    assert "36/13: Russian 1 Train is of another corps (14.3.1)." in caption
    assert any(line.startswith("Drawn, not from the printed game: the Eastern Front") for line in caption)


@thorough
def test_one_unit_is_drawn_the_same_way_with_what_breaks_its_lines() -> None:
    found = drawn(CUT_OFF, unit="22/1")
    (unit,) = found.units
    assert (unit.unit, unit.status) == ("22/1", "cut-off")
    assert {(one.where, one.why, one.units) for one in found.breaks} == {
        ("66.36", "EZOC", ("22/1",)),
        ("67.35", "EZOC", ("22/1",)),
    }


def test_one_unit_has_the_cost_up_to_each_hex_of_its_line() -> None:
    found = drawn(NETWORK, unit="27/3")
    assert found.labels == {"40.23": "1/2", "41.23": "1 1/2", "41.22": "2 1/2"}
    assert found.units[0].more.startswith("4 1/2 of ")
    assert found.strands[0].hexes == ("40.24", "40.23", "41.23", "41.22", "42.22")


@thorough
def test_the_way_that_fails_is_that_of_the_cause_and_ends_where_it_is_cut() -> None:
    (way,) = drawn(CUT_OFF, unit="22/1").failing
    assert (way.hexes[0], way.hexes[-1]) == ("65.37", "68.35")
    assert (way.ends, way.text) == ("66.36", "line ends here after 2 hexes: EZOC")


@thorough
def test_units_near_the_line_of_one_are_shown_with_it() -> None:
    assert {"68.36", "66.35"} <= set(drawn(CUT_OFF, unit="22/1").focus)


def test_a_source_far_away_is_named_instead_of_shown() -> None:
    far = (
        RAILHEAD.replace("turn=5", "turn=5\n23.60: russian major-depot - D army=Second range=6 extended-range=8")
        + "68.35: 22/1\n"
    )
    found = drawn(far, unit="22/1")
    assert "D" not in {one.name for one in found.origins}
    assert "More than 12 hexes away and not shown: D." in found.caption


def test_a_typed_network_is_drawn_without_a_board() -> None:
    found = drawn(NETWORK)
    assert {one.unit: one.status for one in found.units} == {"3 Train": "full", "25/3": "full", "27/3": "full"}
    assert {one.name for one in found.origins if one.ways} >= {"the RR line at 40.23"}
    assert [one.ways for one in found.reaches] == [True, False]


def test_a_unit_whose_state_turns_on_a_fact_is_undecided() -> None:
    far = 'game twilight-in-the-east\n4023m/4022m/4021m/4020m\n40.23: "3 Train" range=2 extended-range=4\n40.20: 25/3\n'
    (unit,) = drawn(far, unit="25/3").units
    assert unit.status == "unknown"
    served = f"{RAILHEAD}68.35: 22/1\n"
    assert [unit.status for unit in drawn(served, unit="22/1").units] == ["full"]
    (unit,) = drawn(served.replace("65.37 operational=russian", "65.37 operational=russian?"), unit="22/1").units
    assert unit.status == "unknown"


def test_no_units_are_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="no units to draw"):
        drawn("game twilight-in-the-east\nboard east\ntrust counters\nturn=5\n")


def test_a_picture_and_its_parts_at_once_are_what_each_is_alone() -> None:
    position = assistant.parse(NETWORK)
    report = assistant.ask(position, "supply")
    both = picture_and_parts(position, report)
    assert both == (assistant.picture(position, report), parts(position, report))
    assert picture_and_parts(position, report, part=1)[0] == assistant.picture(position, report, part=1)


@pytest.mark.parametrize("ending", [".svg", ".pdf", ".png"])
def test_a_whole_side_is_drawn_into_a_file(ending: str) -> None:
    position = assistant.parse(NETWORK)
    report = assistant.ask(position, "supply")
    assert len(assistant.picture(position, report, ending)) > 10_000
