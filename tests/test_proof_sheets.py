"""The proof sheets of the games say what is so, in words that a player can check; and their worked cases are as the tests have them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assistant.game.proof.clauses import read_proof
from assistant.game.proof.examples import Example, list_examples, read_examples
from assistant.game.proof.sheet import write_proof
from assistant.game.proof.stated import read_stated
from assistant.game.rule_index import rule_index
from assistant.installed.registry import load_game

from .cases import thorough
from .credit import GAMES
from .proof_examples import read_sources
from .proof_sheets import (
    CODE,
    EMPTY,
    PRIVATE,
    UNSHOWN,
    count_conditions,
    find_faults,
    is_empty,
    sheet_of,
    unshown_rules,
)
from .proof_showing import answer_lines, repeat

TESTS = Path(__file__).parent
MIN_SHOWN = {
    "twilight-in-the-east": (380, 140),
    "kaisers-war-in-the-east": (190, 55),
    "world-undone-east-prussia-1914": (50, 9),
    "der-weltkrieg": (135, 35),
}
"""The minimum numbers of sentences and of conditions of each game that its sheet shows."""


def check_that_rules_show_no_clause_of_another(blocks: Mapping[str, Sequence[str]]) -> None:
    for rule in ("8.1.4", "13.3.3"):
        assert not any(
            "8.1.1b" in line or "prohibits" in line for line in blocks[rule] if line.startswith(("    says", "    may"))
        )


def check_that_sheets_name_functions_not_shown(blocks: Mapping[str, Sequence[str]]) -> None:
    for rule in ("14.6", "9.8.1"):
        assert any(re.match(r"  [^ ].*: \w+ \(\w+/\w+\.py:\d+\)", line) for line in blocks[rule])


CHECKS = {
    "twilight-in-the-east": (check_that_rules_show_no_clause_of_another, check_that_sheets_name_functions_not_shown)
}
"""Checks of single rules, beside those of all, as the whole sheet is read only once."""


SHORTEST = "world-undone-east-prussia-1914"
"""The game whose whole sheet is read in a second; the others take several each."""


@pytest.mark.parametrize("game", [game if game == SHORTEST else pytest.param(game, marks=thorough) for game in GAMES])
def test_nothing_is_wrong_with_the_sheets(game: str) -> None:
    assert [*find_faults(game)] == []
    for kind, rules in unshown_rules(game).items():
        known = {rule for name, what, rule in UNSHOWN if (name, what) == (game, kind)}
        assert {*rules} <= known, f"{kind}; python -m tests.proof_examples --game {game}, or write a case"
        assert known <= {*rules}, f"take them out of unshown_rules.txt: {kind}"
    sentences = sum(bool(clause.rule) for clause in sheet_of(game).proof.clauses)
    assert (sentences >= MIN_SHOWN[game][0], count_conditions(sheet_of(game))[0] >= MIN_SHOWN[game][1]) == (True, True)
    for check in CHECKS.get(game, ()):
        check(sheet_of(game).blocks)


@pytest.mark.parametrize(
    ("line", "is_code"),
    [
        ("the unit is not in Rail Mode", False),
        ("the hex is 58.52, 61.48 or 57.48", False),
        ("some (at least two) of the units", False),
        ("way.off and not way.may", True),
        ("word('arm', unit)", True),
        ("the great_river", True),
        ("hexes[0]", True),
        ("unit not in roster", True),
        ("there is None", True),
    ],
)
def test_code_is_told_from_words(line: str, is_code: bool) -> None:
    assert bool(CODE.search(line)) == is_code


@pytest.mark.parametrize(
    ("line", "is_private"),
    [
        ("the hex: as worked out by hex_of (rules.py:3)", True),
        ("when there is no place of the unit", True),
        ("when the scenario and the unit is the scenario and the unit", True),
        ("when the side is not the side", True),
        ("each unit such that it moves", True),
        ("when the phasing side is stated, but not the side", True),
        ("when a the unit is late", True),
        ("when the phase of the turn of the turn is late", True),
        ("when the side is not the side of the unit", False),
        ("when there are units in the place of the unit", False),
        ("when the unit is in supply and the hex is in the home country", False),
    ],
)
def test_private_wording_is_noticed(line: str, is_private: bool) -> None:
    assert bool(PRIVATE.search(line)) == is_private


@pytest.mark.parametrize(
    "line", ["the unit must stop in  / , in a zone", "it is {}", "units in: ", "it leads from  into"]
)
def test_empty_places_are_noticed(line: str) -> None:
    assert EMPTY.search(line)


def sheet_lines(game: str, rule: str) -> list[str]:
    about = load_game(game)
    proof = read_proof(about.folder, about.tracks, rule)
    return [*write_proof(proof, rule_index(about), read_examples(about), read_stated(about), rule)]


def test_the_bar_of_a_fortress_is_on_the_sheet_and_no_other() -> None:
    lines = sheet_lines("world-undone-east-prussia-1914", "3.3/fort-entry")
    said = [line for line in lines if line.startswith(("    says", "    may say"))]
    assert said == ["    says: a Russian unit may not enter the fortress in {hex}"]
    assert "      when the side is Russian" in lines


def test_a_rule_without_a_clause_says_who_computes_it_and_shows_a_case() -> None:
    lines = sheet_lines("world-undone-east-prussia-1914", "3.4/length")
    assert any(re.match(r"  the maximum length of .*: longest_line \(supply\.py:\d+\)", line) for line in lines)
    assert "  for example:" in lines
    assert any(line.startswith("    answer: ") for line in lines)


@pytest.mark.parametrize(
    ("game", "rule", "line"),
    [
        (
            "world-undone-east-prussia-1914",
            "7.1/order",
            "  First Movement is left out (turn 1; of the German side; without the option schlieffen)",
        ),
        (
            "der-weltkrieg",
            "7-18",
            "    line 52: Russia, from the latest of being Shaken and December 1914 (by the ruling early-rows: no), until the earliest of collapse and surrender, turn 1 of the month: 15 supply points",
        ),
        (
            "der-weltkrieg",
            "16-1",
            "  the journal of a campaign may record: an HQ, an engineer or another unit is destroyed",
        ),
        (
            "world-undone-east-prussia-1914",
            "5.2",
            "  ruling rail-turn-3: in doubt is how many units may entrain on turn 3. Readings: five: five; two: two. Taken: five",
        ),
    ],
)
def test_what_files_state_of_a_rule_is_on_its_sheet(game: str, rule: str, line: str) -> None:
    lines = [*read_stated(load_game(game)).write(rule)]
    assert line in lines


def test_an_empty_sheet_is_a_fault() -> None:
    assert is_empty(["7.1  First turn", "  neither code nor a file states it", ""])
    assert is_empty(["7.1  First turn", ""])
    assert not is_empty(["7.1  First turn", "  left to the players: it is a matter of conduct", ""])
    assert not is_empty(["7.1  First turn", "  First Movement is left out", ""])


@cache
def marks_of(folder: str) -> dict[str, str]:
    """The text above each test of a game, where its marks are, by the test's name; with those of tests that a table makes."""
    tables = "".join(file.read_text("utf-8") for file in (TESTS / folder).glob("*.csv"))
    marks = dict[str, str]()
    for file in (TESTS / folder).rglob("test_*.py"):
        text = file.read_text("utf-8")
        for name in re.findall(r"^(?:    )?def (test_\w+)", text, re.MULTILINE):
            marks[name] = marks.get(name, tables) + text
    return marks


@pytest.mark.parametrize("game", GAMES)
def test_worked_cases_are_of_tests_that_are_marked_with_their_rules(game: str) -> None:
    marks = marks_of(GAMES[game][0])
    examples = read_examples(load_game(game))
    for rule, test in read_sources(game).items():
        assert rule in examples, f"{rule} has no case: run python -m tests.proof_examples --game {game}"
        assert test in marks, f"{test} is gone: run python -m tests.proof_examples --game {game}"
        assert re.search(rf"(?<![\w.]){re.escape(rule)}(?![\w.])", marks[test]), (
            f"{test} is no longer marked with {rule}"
        )


def case_params(written: bool) -> list[Any]:
    """The worked cases of tests, or those that were written for the sheets, which are marked with their rules as tests are."""
    return [
        pytest.param(game, example, id=f"{game}-{rule}", marks=[pytest.mark.rule(*example.rules)] if written else [])
        for game in GAMES
        for example in list_examples(load_game(game))
        for rule in example.rules[:1]
        if (rule in read_sources(game)) != written
    ]


def check_answer(game: str, example: Example) -> None:
    lines = [line.shown for line in answer_lines(repeat(example.position)).lines]
    assert [line for line in example.answer if line not in lines] == [], f"python -m tests.proof_examples --game {game}"


@pytest.mark.few(8)
@pytest.mark.parametrize(("game", "example"), case_params(written=False))
def test_a_worked_case_is_answered_so(game: str, example: Example) -> None:
    check_answer(game, example)


@pytest.mark.few(12)
@pytest.mark.parametrize(("game", "example"), case_params(written=True))
def test_a_case_written_for_the_sheets_is_answered_so(game: str, example: Example) -> None:
    check_answer(game, example)
