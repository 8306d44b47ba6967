"""The question `victory`: points for places, losses and awards, levels by multiples, and what decides instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.asking.question import answer_question
from assistant.asking.report import Report
from assistant.asking.view import Gather
from assistant.game.games import Game
from assistant.rules.victory import Decided, ScoreRules, Victory, lacking, victory_level, victory_question

from ...conftest import told
from .moor import moor, seen

LEVELS = {"triumph": 3, "success": 2}


def decided(facts: Gather) -> Decided | None:
    """Red wins as soon as its Raiders stand in 0101."""
    there = any(unit.id == "Raiders" for unit in facts.view.stack("0101"))
    return Decided("red", "coup", "9.1", "the Raiders are in 0101") if there else None


RULES = ScoreRules(
    lambda view: LEVELS, lambda facts, at: facts.word("control", at), decided, rule="8.1", level_rule="8.2"
)
QUESTION = victory_question(RULES)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return moor(tmp_path, {})


def victory(game: Game, text: str) -> Report[Victory]:
    return answer_question(QUESTION, seen(game, text), QUESTION.parameters(), {})


PLACES = "0402 vp=6 control=blue\n0403 vp=2 control=red\n0404 vp=0\n"


def test_points_are_for_places_losses_of_the_others_and_awards(game: Game) -> None:
    report = victory(game, PLACES + "side red lost=3\nside blue awarded=1")
    assert report.result is not None
    assert [(*(source.points for source in one.sources), one.open, one.total) for one in report.result.scores] == [
        (6, 3, 1, 2, 10),
        (2, 0, 0, 6, 2),
    ]
    assert [(one.hex, one.points, one.controller) for one in report.result.places] == [
        ("0402", 6, "blue"),
        ("0403", 2, "red"),
    ]
    assert report.verdict.text == "Blue 10, Red 2: triumph of the Blue side"
    assert (report.result.winner, report.result.lead, report.result.level) == ("blue", 8, "triumph")
    assert told(report, "Victory Points")[0] == (
        "Blue: 6 for places, 3 for losses, 1 awarded = 10; 2 still to be had for places"
    )
    assert told(report, "Victory") == ["Red: 18 short of a success", "Red: 28 short of a triumph"]
    assert told(report, "Assumed") == ["only the places stated score: 0402, 0403 (state others: HEX vp=5)"]


def test_towns_whose_points_are_not_stated_are_named(game: Game) -> None:
    rules = ScoreRules(lambda view: {"triumph": 3}, lambda facts, at: "blue", towns="town")
    question = victory_question(rules)
    view = seen(game, f"{PLACES}0402, 0405 town=town\n0406 town=none\n")
    report = answer_question(question, view, question.parameters(), {})
    assert report.result is not None
    assert report.result.unknown == ("0405",)
    assert report.verdict.text.endswith("(1 place without points)")
    assert told(report, "Assumed")[1] == "not stated, so counted as 0: the Victory Points of 0405"


def test_what_is_not_stated_of_a_place_is_asked_for(game: Game) -> None:
    assert [one.key for one in victory(game, "0402 vp=6").asks] == [("control", "0402")]


def test_something_else_may_decide(game: Game) -> None:
    report = victory(game, PLACES + "0101: Raiders")
    assert report.verdict.text == "Blue 6, Red 2: coup of the Red side"
    assert (told(report, "Victory"), told(report, "Assumed")) == (["the Raiders are in 0101"], [])


@pytest.mark.parametrize(
    ("points", "won"),
    [
        ({"a": 6, "b": 2}, ("a", "triumph")),
        ({"a": 2, "b": 5}, ("b", "success")),
        ({"a": 3, "b": 2}, ("", "")),
        ({"a": 0, "b": 0}, ("", "")),
        ({"a": 1, "b": 0}, ("a", "triumph")),
        ({"a": 6, "b": 2, "c": 3}, ("a", "success")),
    ],
)
def test_levels_are_multiples_of_the_strongest_other(points: dict[str, int], won: tuple[str, str]) -> None:
    assert victory_level(points, LEVELS) == won


def test_what_a_side_lacks_of_a_multiple() -> None:
    assert [lacking({"a": 4, "b": 3}, side, 2) for side in "ab"] == [2, 5]
    assert lacking({"a": 0, "b": 0}, "a", 3) == 1
    assert lacking({"a": 9, "b": 3}, "a", 3) == 0
