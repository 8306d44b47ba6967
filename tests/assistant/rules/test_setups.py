"""Set-ups: instructions in words, units that stand as they are told to, those that are placed, and the report on all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistant.asking import Gather, View, changed
from assistant.rules.setups import (
    Instruction,
    SetUpCheck,
    SetupFault,
    check_set_up,
    choose_verdict,
    find_distance_faults,
    find_row_faults,
    list_placings,
    unit_parts,
    units_left_out,
)
from assistant.state.changes import Change, Enter

from ...conftest import viewed

TOWNS = {"Thorn": "30.20", "Lodz": "33.25"}
VIEW = viewed("turn=1\n30.20: 1/1\n30.22: 36/17\n30.18: 35/17\n33.25: 25/3\n")


def instruct(unit: str, **more: object) -> Instruction:
    return Instruction("East", "central-powers", unit, "26.1", **more)  # type: ignore[arg-type]


def faults(facts: Gather, one: Instruction, at: str) -> Iterator[SetupFault]:
    """What a game would say of a hex: the place, the row; the Russians stand on rails, of which nothing is stated."""
    if one.at:
        yield from find_distance_faults(facts.view, one, at, TOWNS.get(one.at), one.at)
    yield from find_row_faults(facts.view, one, at, TOWNS.get)
    if one.country == "russia":
        facts.word("terrain", at)


def found(*instructions: Instruction, view: View = VIEW) -> list[tuple[str, str]]:
    """The status of each unit, and why."""
    return [(one.status, one.why) for one in check_set_up(view.quiet_view(), instructions, faults)]


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        (instruct("1/1"), "anywhere"),
        (instruct("1/1", at="Thorn"), "Thorn"),
        (instruct("1/1", at="Thorn", within=1), "within 1 hex of Thorn"),
        (instruct("1/1", at="Thorn", within=2, reversed=True), "within 2 hexes of Thorn, on its reverse side"),
        (instruct("1/1", country="russia or romania"), "anywhere in Russia or Romania"),
        (instruct("1/1", north_of="Lodz+"), "anywhere north of Lodz (inclusive)"),
        (
            instruct("1/1", north_of="Lodz", south_of="Thorn"),
            "anywhere north of Lodz (exclusive) south of Thorn (exclusive)",
        ),
    ],
)
def test_an_instruction_in_words(instruction: Instruction, words: str) -> None:
    assert instruction.in_words == words
    assert check_set_up(VIEW, [instruction], faults)[0].where == words


def test_a_hex_is_judged_by_place_and_reach_and_what_is_wrong_counts_before_what_is_open() -> None:
    assert found(instruct("1/1", at="Thorn"), instruct("36/17", at="Thorn", within=2)) == [("right", ""), ("right", "")]
    assert found(instruct("36/17", at="Thorn")) == [("misplaced", "30.22 is not Thorn (30.20)")]
    near = instruct("36/17", at="Thorn", within=1)
    assert found(near) == [("misplaced", "30.22 is not within reach of Thorn (30.20)")]
    assert found(instruct("36/17", at="Thorn", north_of="Posen")) == [("misplaced", "30.22 is not Thorn (30.20)")]


def test_what_is_not_known_of_the_map_leaves_a_unit_open() -> None:
    assert found(instruct("1/1", at="Posen")) == [("open", "state HEX named=Posen")]
    assert found(instruct("1/1", north_of="Posen+")) == [("open", "state HEX named=Posen")]
    (one,) = found(instruct("25/3", country="russia"))
    assert one[0] == "open"
    assert one[1].startswith("state 33.25 clear|")


@pytest.mark.parametrize(
    ("unit", "north", "north_in", "south", "south_in"),
    [("35/17", True, True, False, False), ("1/1", False, True, False, True), ("36/17", False, False, True, True)],
)
def test_rows_run_from_east_to_west(unit: str, north: bool, north_in: bool, south: bool, south_in: bool) -> None:
    sides = ({"north_of": "Thorn"}, {"north_of": "Thorn+"}, {"south_of": "Thorn"}, {"south_of": "Thorn+"})
    right = [found(instruct(unit, **side))[0][0] == "right" for side in sides]
    assert right == [north, north_in, south, south_in]


def test_a_hex_beyond_a_row_says_so_and_a_game_may_count_rows_otherwise() -> None:
    assert found(instruct("36/17", north_of="Thorn+")) == [("misplaced", "30.22 is not north of Thorn (30.20)")]
    assert found(instruct("35/17", south_of="Thorn")) == [("misplaced", "30.18 is not south of Thorn (30.20)")]
    strict = find_row_faults(VIEW, instruct("1/1", north_of="Thorn+"), "30.20", TOWNS.get, lambda of: False)
    assert [one.what for one in strict] == ["30.20 is not north of Thorn (30.20)"]


def test_units_that_are_not_on_the_map_are_missing_and_others_are_named() -> None:
    assert found(instruct("27/3"), instruct("nobody")) == [("missing", ""), ("missing", "")]
    off = viewed("turn=1\n30.20: 1/1\n")
    boxed = check_set_up(off, [instruct("1/1"), instruct("36/17")], faults)
    assert [(one.place, one.status) for one in boxed] == [("30.20", "right"), ("", "missing")]
    assert units_left_out(VIEW, [instruct("1/1")]) == ("36/17", "35/17", "25/3")
    assert units_left_out(VIEW, [instruct("25/3")], "central-powers") == ("1/1",)
    assert units_left_out(VIEW, [instruct("1/1")], "russian") == ("25/3",)


def test_the_verdict_counts_and_a_part_lists_each_status() -> None:
    units = check_set_up(VIEW, [instruct("1/1", at="Thorn"), instruct("36/17", at="Posen"), instruct("27/3")], faults)
    assert (
        choose_verdict(units).text
        == "1 unit placed as the scenario says, 1 still to be placed, 1 to be checked on the map"
    )
    assert [(part.title, [line.text for line in part.steps]) for part in unit_parts(units)] == [
        ("Misplaced", []),
        ("Not on the map yet", ["27/3, by the set-up: anywhere"]),
        ("To be checked on the map", ["36/17 in 30.22, by the set-up: Posen - state HEX named=Posen"]),
        ("As the scenario says", ["1/1 in 30.20, by the set-up: Thorn"]),
    ]
    orders = [
        instruct("35/17", at="Lodz"),
        instruct("36/17", at="Lodz"),
        instruct("25/3", at="Warsaw"),
        instruct("27/3"),
    ]
    missing = [SetUpCheck(unit=one.unit, side="red", where=one.in_words, status="missing") for one in orders]
    enter = [Enter(one.unit, one.unit, "33.25", 0, "26.1") for one in orders[:1]]
    moves = [Change("place", one.unit, None, "33.25", "26.1") for one in orders[1:3]]
    assert [line.text for line in unit_parts(missing, [*enter, *moves])[1].steps] == [
        "Lodz: 35/17, 36/17; Warsaw: 25/3",
        "27/3, by the set-up: anywhere",
    ]
    wrong = check_set_up(VIEW, [instruct("36/17", at="Thorn"), instruct("27/3")], faults)
    assert (choose_verdict(wrong).kind, choose_verdict(wrong).text) == ("no", "1 unit misplaced")


def test_what_is_missing_and_has_a_known_hex_is_placed_there_and_its_side_stated_once() -> None:
    full = viewed("turn=1\n30.20: 1/1\n30.22: 36/17\n")
    view = full.after([changed(full, "place", "36/17", None, "")])
    orders = [
        instruct("36/17", at="Lodz"),
        instruct("35/17", at="Lodz", reversed=True),
        instruct("25/3", at="Posen"),
        instruct("27/3", at="Lodz", within=1),
        instruct("1/1", at="Lodz"),
    ]
    assert [*list_placings(view, orders, check_set_up(view, orders, faults), TOWNS.get, "reduced")] == [
        Change("place", "36/17", None, "33.25", "26.1"),
        Enter("35/17", "35/17", "33.25", 0, "26.1"),
        Change("reduced", "35/17", None, True, "26.1"),
    ]
    view = viewed("turn=1\n35/17 arrives=2 reduced\n")
    orders = [instruct("35/17", at="Lodz", reversed=True)]
    (placing,) = list_placings(view, orders, check_set_up(view, orders, faults), TOWNS.get, "reduced")
    assert placing == Change("place", "35/17", None, "33.25", "26.1")


@pytest.mark.parametrize(("unit", "placed"), [("1/1", 1), ("25/3", 0)])
def test_nobody_is_placed_among_enemies(unit: str, placed: int) -> None:
    view = viewed(f"turn=1\n33.25: {unit}\n")
    orders = [instruct("36/17", at="Lodz")]
    assert len([*list_placings(view, orders, check_set_up(view, orders, faults), TOWNS.get)]) == placed
