"""What comes in a turn or a period: the rows of the schedules, and the units that `arrivals` names (9.2, optional rules)."""

from __future__ import annotations

import pytest

from assistant.game.schedule_files import read_schedules
from assistant.installed.registry import load_game

from ..asking import kaiser

CHART = "supply units as on the Turn Record Chart"
OPTIONS = "options=faster-mobilization+moltke-plan+modern-artillery\n"


def due(text: str, **named: str) -> list[tuple[str, str, str]]:
    """What is due: turn, side, in words."""
    return [(item.turn, item.who, item.text) for item in kaiser(text, "due", **named).result.items]


@pytest.mark.rule("9.2", "9.7/blocked", "Opt/Rev2-effects")
def test_units_come_in_their_turns_or_those_that_they_state_until_the_second_revolution() -> None:
    assert due("turn=2\n") == [
        ("2", "central-powers", CHART),
        ("2", "allies", "1 supply unit"),
        ("2", "allies", "Rus-9"),
    ]
    owned = "turn=20\nchart scheduled-supply central-powers 20 = 2\n"
    assert due(owned) == [("20", "central-powers", "2 supply units"), ("20", "allies", CHART)]
    assert ("4", "allies", "Rus-9") in due("turn=4\nRus-9 arrives=2\n")
    assert "Rus-9" not in [text for _, _, text in due("turn=4\n")]

    def units(text: str) -> list[tuple[str, str]]:
        return [(turn, name) for turn, _, name in due(text, turn="1", until="8", who="allies") if "Rus-" in name]

    assert units("turn=1\nRus-9 arrives=4\nRus-6 arrives=7\n") == [("4", "Rus-9"), ("7", "Rus-6")]
    assert units("turn=1\n2418: Rus-9\n") == units("turn=1\nrevolution=2\n") == []

    def units(text: str) -> dict[str, tuple[str, ...]]:
        return {one.side: one.units for one in kaiser(f"turn=2\nmain-effort=west\n{text}", "turn").result.players}

    assert units("Ger-10 arrives=2\n") == {"allies": ("Rus-9",), "central-powers": ("Ger-10",)}
    assert units("revolution=2\nGer-10 arrives=2\n") == {"allies": (), "central-powers": ("Ger-10",)}


@pytest.mark.rule("Opt/FastMob", "Opt/Moltke", "Opt/Artillery")
def test_options_bring_points_and_supply_units() -> None:
    assert due("turn=1\n" + OPTIONS) == [
        ("1", "allies", "-10 Victory Points"),
        ("1", "central-powers", "3 supply units"),
        ("1", "allies", "2 supply units"),
    ]
    report = kaiser("turn=4\n" + OPTIONS, "due", who="central-powers")
    assert "\u221233 Victory Points (end of turn)" in str(report)
    assert due("turn=6\noptions=moltke-plan\n", who="central-powers") == [("6", "central-powers", "2 supply units")]


@pytest.mark.rule("23.2", "Opt/VarRomania-arrivals")
def test_who_comes_with_romania() -> None:
    def units(text: str) -> list[tuple[str, str]]:
        period = due(text, turn="17", until="24")
        return [(turn, name) for turn, _, name in period if "supply" not in name]

    assert units("turn=17\n") == [("19", "Mackensen"), ("19", "Turk-1")]
    assert units("turn=17\noptions=variable-romania\nromania-enters=17\n") == [
        ("17", "Mackensen"),
        ("17", "Turk-1"),
        ("18", "Rom-4"),
        ("20", "Romanian-Front"),
    ]


def test_no_row_adds_to_an_account_which_the_question_turn_does() -> None:
    """A journal would count points a second time, and past the end of the track (5.6)."""
    assert not any(row.account or row.counter for row in read_schedules(load_game("kaisers-war-in-the-east")).rows)
