"""The turn's checklist: who moves when, what options add; and what arrives when, by which rule (4.0, 5.3, 7.1, 9, 10)."""

from __future__ import annotations

import pytest

from assistant.asking.report import Report
from assistant.game.schedule_files import read_schedules
from assistant.installed.registry import load_game

from ..conftest import ruled, told, values
from .asking import GAME, state_after, undone

FULL = ("First Movement", "First Combat", "Second Movement", "Second Combat")


def turn(number: int, text: str = "scenario=historical") -> Report[object]:
    return undone(f"turn={number}\n{text}", "turn")


def phases(report: Report[object]) -> list[tuple[str, tuple[str, ...]]]:
    return [(player.side, player.phases) for player in report.result.players]  # type: ignore[attr-defined]


def said(report: Report[object], side: str) -> list[str]:
    (part,) = (part.title for part in report.parts if part.title.endswith(f"Player Turn: {side}"))
    return told(report, part)


def rules(report: Report[object]) -> set[str]:
    return {step.rule for part in report.parts for step in part.steps}


@pytest.mark.rule("4.0")
@pytest.mark.parametrize("number", [2, 19, 26])
def test_each_side_has_four_phases_the_russians_first(number: int) -> None:
    assert phases(turn(number)) == [("russian", FULL), ("german", FULL)]


@pytest.mark.rule("7.1/order", "9.2.1/first-turn")
def test_the_first_turn_is_the_second_half_of_a_german_one_or_by_the_schlieffen_plan_a_whole_one() -> None:
    report = turn(1)
    assert phases(report) == [("german", FULL[2:])]
    assert any("three attacks at 2:1" in line for line in said(report, "German"))
    assert not any("three attacks" in line for line in said(turn(2), "German"))
    report = turn(1, "scenario=historical\nvariants=schlieffen")
    assert phases(report) == [("german", FULL)]
    assert "7.1/attacks" not in rules(report)
    assert phases(turn(2, "scenario=historical\nvariants=schlieffen"))[0][0] == "russian"


@pytest.mark.rule("9.4/turns", "9.4/41KB")
def test_the_masurian_lakes_begin_by_a_ruling_and_41kb_may_be_released_in_every_turn() -> None:
    text = "scenario=masurian-lakes"
    assert [side for side, _ in phases(turn(19, text))] == ["russian", "german"]
    assert ruled(turn(19, text), "masurian-first") == "russian"
    german = f"{text}\nruling masurian-first = german"
    assert [side for side, _ in phases(turn(19, german))] == ["german"]
    assert [side for side, _ in phases(turn(20, german))] == ["russian", "german"]
    assert ruled(turn(19), "masurian-first") == ""
    assert all(any("41KB" in line for line in said(turn(number, text), "German")) for number in (19, 20, 26))
    assert not any("41KB" in line for line in said(turn(20), "German"))


@pytest.mark.rule("5.3/entry", "3.1/reinf")
def test_who_arrives_where_by_the_turn_on_its_counter() -> None:
    units = "XVII/37 german infantry 8th (7-3) arrives=4\nG/1 russian infantry second (6-2) arrives=4\nXX/41 arrives=5"
    report = turn(4, f"scenario=historical\n{units}")
    assert [player.units for player in report.result.players] == [("G/1",), ("XVII/37",)]  # type: ignore[attr-defined]
    assert any("eastern edge of the map: G/1" in line for line in said(report, "Russian"))
    assert any("western edge of the map, entrained if wished: XVII/37" in line for line in said(report, "German"))
    there = turn(5, "scenario=historical\n2226: XX/41 arrives=5")
    assert [player.units for player in there.result.players] == [(), ()]  # type: ignore[attr-defined]
    assert any("no unit is stated to arrive" in line for line in said(there, "German"))


@pytest.mark.rule("10.0")
@pytest.mark.parametrize(
    ("option", "number", "side", "words"),
    [
        ("forced-march", 2, "German", "forced march"),
        ("refugees", 4, "Russian", "Towns and cities cost 1"),
        ("cavalry-attacks", 2, "Russian", "Cavalry attacks infantry only beside infantry"),
        ("cavalry-retreats", 2, "German", "Cavalry may retreat"),
        ("replacements", 2, "German", "ask replace"),
        ("samsonov", 2, "Russian", "ask samsonov"),
        ("russian-headquarters", 2, "Russian", "ask recover"),
        ("german-headquarters", 2, "German", "no rail movement"),
        ("german-headquarters", 3, "German", "Hindenburg and Ludendorff take the place of Prittwitz"),
    ],
)
def test_an_option_adds_its_steps_only_where_it_is_in_force(option: str, number: int, side: str, words: str) -> None:
    assert any(words in line for line in said(turn(number, f"scenario=historical\noptions={option}"), side))
    assert not any(words in line for line in said(turn(number), side))
    assert (
        f"played with: historical, {option}"
        in told(turn(number, f"scenario=historical\noptions={option}"), "Before the player turns")
        or option < "historical"
    )


@pytest.mark.rule("10.0")
def test_refugees_prittwitz_and_the_trains_of_turn_3_have_their_turns() -> None:
    text = "scenario=historical\noptions=refugees+german-headquarters"
    assert "10.4" not in rules(turn(5, text))
    assert not any("Prittwitz is in command" in line for line in said(turn(3, text), "German"))
    assert not any("Entrain" in line for line in said(turn(2, text), "German"))

    def entrain(number: int, more: str = "") -> list[str]:
        return [
            line for line in said(turn(number, f"scenario=historical\n{more}"), "German") if "Entrain at most" in line
        ]

    assert [entrain(number)[0][-7:] for number in (2, 3, 4)] == ["2 units", "5 units", "5 units"]
    assert [line[-7:] for line in entrain(3, "ruling rail-turn-3 = two")] == ["2 units"]


@pytest.mark.rule("4.0", "9.1", "9.4/turns")
def test_the_last_turn_ends_the_game_and_the_present_phase_is_named() -> None:
    assert told(turn(25), "After them")[-1] == "End of the turn: Move the turn marker on"
    assert told(turn(26), "After them")[-1].startswith("End of the turn: The game ends: count Victory Points")
    masurian = told(turn(26, "scenario=masurian-lakes"), "After them")
    assert masurian[-1].endswith("if no Russian unit is left in East Prussia (ask victory)")
    assert len(masurian) == 1
    report = turn(2, "scenario=historical\nphasing=german\nphase=first-combat")
    assert report.verdict.text == "turn 2, player turns: Russian, German; now First Combat of the German side"
    assert turn(2).verdict.text == "turn 2, player turns: Russian, German"


def follow(text: str) -> dict[tuple[str, str], object]:
    return values(undone(f"scenario=historical\n{text}", "next"))


@pytest.mark.rule("3.5", "4.0", "7.1/order", "5.1/marker")
def test_phases_follow_each_other_and_what_ends_with_them_is_forgotten() -> None:
    units = "5320 reserved=2: XVII/36 disrupted moved"
    first = follow(f"turn=2\nphasing=german\nphase=first-combat\n{units}")
    assert first == {("phase", ""): "second-movement", ("moved", "XVII/36"): None}
    moved = follow("turn=2\nphasing=german\nphase=second-movement\n5320 reserved=2: XVII/36 disrupted")
    assert moved == {("phase", ""): "second-combat", ("reserved", "5320"): None}, "what is not spent is lost"
    last = follow(f"turn=2\nphasing=german\nphase=second-combat\n{units}")
    assert last == {
        ("turn", ""): 3,
        ("phasing", ""): "russian",
        ("phase", ""): "first-movement",
        ("disrupted", "XVII/36"): None,
        ("moved", "XVII/36"): None,
        ("reserved", "5320"): None,
    }
    begin = follow("turn=1\nphasing=german\nphase=second-movement")
    assert begin == {("phase", ""): "second-combat"}
    assert undone("scenario=historical\nturn=26\nphasing=german\nphase=second-combat", "next").verdict.kind == "no"


NINTH = "the Ninth Army, as units of the Second (state them: russian second infantry NAME arrives=2)"
CHANGED = "Hindenburg and Ludendorff in the place of Prittwitz: rail movement from now on"


def due(text: str, **named: str) -> list[tuple[str, str, str, str]]:
    """What is due: turn, side, rule, in words."""
    return [(item.turn, item.who, item.rule, item.text) for item in undone(text, "due", **named).result.items]


@pytest.mark.rule("9.3", "10.6.1/rail")
def test_what_the_rulebook_brings_comes_by_its_variant_and_option_alone() -> None:
    played = "scenario=historical turn=1 {}\n"
    assert due(played.format(""), until="26") == []
    assert due(played.format("variants=ninth-army"), until="26") == [("2", "russian", "9.3", NINTH)]
    led = played.format("options=german-headquarters")
    assert due(led, until="26") == [("3", "german", "10.6.1/rail", CHANGED)]
    assert due(led, until="2") == due(led, turn="4", until="26") == due(led, until="26", who="russian") == []


@pytest.mark.rule("3.1/reinf", "10.5")
def test_units_come_in_the_turn_that_they_state_or_that_of_their_die_until_they_are_on_the_map() -> None:
    text = "turn=3\nXI/22 german infantry arrives=4\nIC/3C arrives=3\n"
    units = [("3", "russian", "5.3/entry", "IC/3C"), ("4", "german", "5.3/entry", "XI/22")]
    assert due(text, until="26") == units
    assert due(text) == units[:1] and due(text, who="german") == []
    assert due("turn=3\nXI/22 german infantry arrives=4\n5919: IC/3C arrives=3\n", until="26") == units[1:]
    assert due(text, turn="4", until="26") == units[1:], "a unit enters in its turn alone"
    text = "turn=5 options=replacements\n5320: XVII/35\n"
    after = state_after(text, "replace", unit="XVII/36", answers={"replace": "4"})
    assert after.value("arrives", "XVII/36") == 9


def test_every_row_is_of_a_rule_of_the_ledger() -> None:
    assert [row.rule for row in read_schedules(load_game(GAME)).rows] == ["9.3", "10.6.1/rail"]
