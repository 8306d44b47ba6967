"""Lessons: what is decided, how a typed guess is read, and how it is marked."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from assistant.game.examples import Figure, read_examples
from assistant.installed.registry import installed_games, published_game
from assistant.records.lesson_progress import read_progress, save_finished
from assistant.records.lessons import Decision, list_lessons, mark_guess, parse_guess, play_lesson
from assistant.util.errors import InputError

from .test_examples import COLUMN, EXAMPLE, GAME, STEP

WORD = Decision("Which column?", "word", ("1:2", "1:1", "1 1/2"), ("1:1",), "4.4")
WORDS = Decision("Who checks?", "words", ("A", "B", "nobody else"), ("A", "B"), "ours")
HEXES = Decision("Where?", "hexes", ("40.19", "40.20", "40.21"), ("40.19", "40.21"), "ours")
ASKED = Figure(path="figures.column", values=("1:1",), printed="4.4", decide="Which?", choices=("1:1", "2:1"))


def test_only_examples_that_ask_for_a_decision_are_lessons() -> None:
    lesson = replace(EXAMPLE, steps=(replace(STEP, figures=(ASKED,)),))
    assert list_lessons([EXAMPLE, lesson]) == (lesson,)


def test_a_step_has_its_position_its_decisions_and_the_answer() -> None:
    lesson = replace(EXAMPLE, steps=(replace(STEP, figures=(COLUMN, ASKED)),))
    (step,) = play_lesson(published_game(GAME), lesson)
    assert step.decisions == (Decision("Which?", "word", ("1:1", "2:1"), ("1:1",), "4.4"),)
    assert step.report
    assert step.report.verdict.figures["column"] == "1:1"


@pytest.mark.parametrize("game", installed_games())
def test_no_step_of_a_lesson_takes_more_than_eight_taps(game: str) -> None:
    """One for each right choice, one to confirm several choices, and one to go on. All right choices are offered."""
    published = published_game(game)
    for lesson in list_lessons(read_examples(published).example):
        for step in play_lesson(published, lesson):
            taps = sum(1 if one.kind == "word" else len(one.right) + 1 for one in step.decisions) + 1
            assert taps <= 8, (lesson.number, step.step.ask)
            for decision in step.decisions:
                assert {*decision.right} <= {*decision.offers}, (lesson.number, decision)
                assert len(decision.offers) >= 2, (lesson.number, decision)


def test_hexes_and_units_are_offered_from_the_position() -> None:
    hexes = Figure(path="verdict", values=("39.20",), printed="ours", decide="Where?")
    units = Figure(path="verdict", values=("A",), printed="ours", decide="Who?")
    lesson = replace(EXAMPLE, steps=(replace(STEP, figures=(hexes, units)),))
    (step,) = play_lesson(published_game(GAME), lesson)
    where, who = step.decisions
    assert (where.kind, who.kind) == ("hexes", "units")
    assert who.offers == ("A", "d")
    assert {"40.20", "39.20", "41.19", "42.19"} <= set(where.offers)
    assert "30.20" not in where.offers


@pytest.mark.parametrize(
    ("typed", "decision", "guess"),
    [
        ("1:1", WORD, ("1:1",)),
        (" B ", WORD, ("1:1",)),
        ("1 1/2", WORD, ("1 1/2",)),
        ("3:1", WORD, None),
        ("a b", WORD, None),
        ("none", WORD, None),
        ("A, b", WORDS, ("A", "B")),
        ("nobody else", WORDS, ("nobody else",)),
        ("none", WORDS, ()),
        ("40.19 40.21", HEXES, ("40.19", "40.21")),
        ("40.19, 40.19", HEXES, ("40.19",)),
        ("a", HEXES, None),
        ("", HEXES, None),
    ],
)
def test_a_typed_guess(typed: str, decision: Decision, guess: tuple[str, ...] | None) -> None:
    assert parse_guess(typed, decision) == guess


def test_a_guess_is_right_only_if_nothing_is_wrong_or_missed() -> None:
    assert mark_guess(HEXES, ("40.21", "40.19")).is_right
    marked = mark_guess(HEXES, ("40.20", "40.19"))
    assert (marked.is_right, marked.right, marked.wrong, marked.missed) == (False, ("40.19",), ("40.20",), ("40.21",))


def test_finished_lessons_are_kept_by_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "new"))
    assert read_progress(GAME) == ()
    for number in ("4.4/1", "4.4/2", "4.4/1"):
        save_finished(GAME, number)
    save_finished("another", "1/1")
    assert read_progress(GAME) == ("4.4/1", "4.4/2")
    (tmp_path / "new" / "lessons.json").write_text("{")
    with pytest.raises(InputError, match=r"lessons\.json"):
        read_progress(GAME)
    with pytest.raises(InputError):
        save_finished(GAME, "4.4/3")
    assert (tmp_path / "new" / "lessons.json").read_text() == "{"
