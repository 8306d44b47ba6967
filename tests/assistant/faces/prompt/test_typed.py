"""Lines as people type them at first: understood, or answered with the line that would be right, and none misread in silence."""

from __future__ import annotations

import random

import pytest

from assistant.faces.prompt.phrases import phrases_of
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.faces.prompt.terminal import complete_line
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.installed.registry import load_game

from ....cases import thorough
from .typed import GAMES, Row, answered, fits, rows, session_at


@pytest.mark.parametrize(
    ("name", "least"), [pytest.param("typed.tsv", 0.9, marks=pytest.mark.thorough), ("typed_since.tsv", 1)]
)
def test_lines_as_people_type_them_are_understood_or_answered_with_the_line_that_is_right(
    name: str, least: float
) -> None:
    """least: the share of lines that are answered rightly, at least."""
    typed = rows(name)
    answers = {row: answered(row) for row in typed}
    wrong = [row for row in typed if not fits(row, answers[row])]
    assert len(wrong) <= (1 - least) * len(typed), "\n".join(f"{row.line}: {answers[row]}" for row in wrong)
    assert [row for row in wrong if answers[row].startswith("=")] == []  # misread in silence


@pytest.mark.parametrize("name", GAMES)
def test_the_phrases_of_a_game_are_read(name: str) -> None:
    assert phrases_of(load_game(GAMES[name])).phrases


def answer(game: str, situation: str, line: str) -> str:
    return answered(Row(game, situation, line, "", ""))


@pytest.mark.parametrize(("game", "situation"), [("twilight", "battle"), ("kaiser", "battle"), ("undone", "battle")])
def test_dice_are_typed_alike_in_every_game(game: str, situation: str) -> None:
    assert answer(game, situation, "rolled a five") == "5"
    assert "the roll of" in answer(game, situation, "it went badly for me")
    assert answer(game, situation, "roll for me please").startswith("!! it throws no dice")


@pytest.mark.parametrize("dash", "-\u2013\u2014\u2212\u2011")
def test_every_dash_is_a_dash(dash: str) -> None:
    said = answer("twilight", "position", f"40.18 29/20 10{dash}11{dash}5{dash}10")
    assert "29/20 defence=11" in said


@pytest.mark.parametrize("quotes", ['""', "\u201c\u201d", "\u201e\u201c"[1:] * 2])
def test_every_quotation_mark_is_one(quotes: str) -> None:
    session = session_at("twilight", "position")
    session.enter(f"39.20 {quotes[0]}2 rf/22{quotes[-1]}")
    assert session.table.position.state.units["2 rf/22"].place == "39.20"


def test_a_terrain_before_a_unit_is_the_ground() -> None:
    assert "3710 mountain" in answer("weltkrieg", "position", '3710 mountain "GE 8BR Mtn"')


def test_several_lines_are_entered_one_after_the_other() -> None:
    session = session_at("twilight", "position")
    assert session.enter("both 25 and 27 are flipped") == [
        "? did you mean `25/3 reduced`, then `27/3 reduced`? (y or n)"
    ]
    session.enter("y")
    state = session.table.position.state
    assert [state.facts["reduced", unit].value for unit in ("25/3", "27/3")] == [True, True]


def test_chat_gets_a_hint_of_what_to_type() -> None:
    game = load_game(GAMES["twilight"])
    session = Session(TableState(Position(game, build_state(game))), 200)
    assert session.enter("nice weather we have today") != []
    assert session.enter("my cat sleeps beside the map") == [
        "! this is not understood",
        "  type HEX UNIT, UNIT FACT, a combat HEX < HEX, or a question; `help` shows each, `help WORD` what a word means",
    ]


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.thorough if seed > 5 else ()) for seed in range(300)]
)
def test_any_words_get_an_answer_and_what_is_offered_changes_nothing(seed: int) -> None:
    """Ten lines a seed, of words of two lines that people typed, in any order."""
    chance, typed = random.Random(seed), rows("typed.tsv")
    for _ in range(10):
        of = [row for row in typed if row.game == chance.choice([*GAMES])]
        first, second = chance.choices(of, k=2)
        words = [*first.line.split(), *second.line.split()]
        line = " ".join(chance.sample(words, chance.randint(1, len(words))))
        session = session_at(first.game, first.situation)
        before = session.table
        said = session.enter(line)
        assert said, line
        assert session.table is before or not (session.fault or session.held), line


@thorough
def test_a_long_text_is_not_searched_for_a_meaning() -> None:
    assert answer("twilight", "position", "attack 41.19 from " * 400).startswith("!")


# --- what may be meant is offered, or the line comes back to be mended --------------------------------------------------


@pytest.fixture
def germans() -> Session:
    game = load_game(GAMES["twilight"])
    session = Session(TableState(Position(game, build_state(game))), 100)
    for line in ("turn=1", "41.19 clear 36/17 10-10-5-10 35/17 10-10-5-10", "40.20 clear 25/3 10-10-5-10"):
        session.enter(line)
    return session


def test_yes_alone_enters_the_line_that_was_meant(germans: Session) -> None:
    before = germans.table
    assert germans.enter("36/XVII at 41.20") == ["? did you mean `41.20 36/17`? (y or n)"]
    assert germans.table is before
    germans.enter("n")
    assert germans.table is before
    germans.enter("36/XVII at 41.20")
    germans.enter("y")
    assert germans.table.position.state.units["36/17"].place == "41.20"


@pytest.mark.parametrize(
    ("typed", "before", "first"),
    [
        ("41.19 claer 1/1 12-16-7-11 < 40.20 25/3", "41.19 claer", "clear"),
        ("batle 41.19 40.20", "batle", "battle"),
    ],
)
def test_a_refused_line_comes_back_at_the_wrong_word(germans: Session, typed: str, before: str, first: str) -> None:
    germans.enter(typed)
    line, at = germans.returned
    assert (line, line[:at]) == (typed, before)
    assert complete_line(germans, before)[0][0] == first


def test_a_short_answer_or_a_line_that_was_entered_does_not_come_back(germans: Session) -> None:
    for line in ("zzz", "41.20 clear"):
        germans.enter(line)
        assert germans.returned == ("", 0)
