"""What `?` says where the prompt asks for something: two lines, with an answer that can be typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.faces.prompt.answers import read_answer
from assistant.faces.prompt.books import JournalSession
from assistant.faces.prompt.examples import list_examples
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.installed.registry import installed_games, load_game, questions_of
from assistant.records.journal.files import create
from assistant.records.journal.journal_file import JournalFile

from ....cases import few
from ....conftest import typed

ASKED = [(game, question) for game in installed_games() for question in questions_of(load_game(game))]
AT_WAR = "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 = 4019o 29/20 = -3"


def at_a_table(game: str, *lines: str, width: int = 80) -> Session:
    """A session at an empty table after some lines."""
    loaded = load_game(game)
    session = Session(TableState(Position(loaded, build_state(loaded))), width)
    for line in lines:
        session.enter(line)
    return session


def check_two_lines(session: Session, width: int) -> None:
    """What `?` says fits, names a page of help that there is, and changes nothing."""
    before, wanted = session.table, session.pending
    first, second = session.enter("?")
    assert max(len(first), len(second)) <= width
    page = second.split("`")[1]
    assert not session.enter(page)[0].startswith("!")
    assert (session.table, session.pending) == (before, wanted)


@few(20)
@pytest.mark.parametrize("width", [80, 40])
@pytest.mark.parametrize(("game", "question"), ASKED, ids=lambda value: str(value))
def test_what_is_asked_for_is_said_in_two_lines(game: str, question: str, width: int) -> None:
    session = at_a_table(game, question, width=width)
    for _ in range(4):
        if session.pending is None:
            return
        check_two_lines(session, width)
        examples = list_examples(session.table, session.pending)
        assert examples or session.pending.kind in ("parameter", "choice") or "such as" in session.enter("?")[0]
        for example in examples:
            if session.pending.kind == "cell":
                assert session.game.chart(str(session.pending.key[0])).cell(example)
            elif session.pending.kind != "parameter":
                assert read_answer(session.table, session.pending, example) is not None
        if not examples or session.pending.kind == "cell":  # which would go into a pack
            return
        session.enter(examples[-1])


@pytest.mark.parametrize("width", [80, 40])
@pytest.mark.parametrize(
    ("lines", "kind", "said"),
    [
        ((), "roll", "Combat Results ...: the total of 2d6, or its dice joined by +, such as 7 or 2+5"),
        (("9",), "cell", "Combat Results Table, summer 1:1 9: attacker / defender, such as - / -"),
        (("7", "3 4"), "choice", ""),
    ],
)
def test_dice_choices_and_chart_cells_have_an_example(lines: tuple[str, ...], kind: str, said: str, width: int) -> None:
    session = at_a_table("twilight-in-the-east", "t=1", AT_WAR, *lines, width=width)
    assert session.pending and session.pending.kind == kind
    check_two_lines(session, width)
    first = session.enter("?")[0]
    assert width < 80 or (first == said if said else ": the number of an option, or its words, such as 1" in first)


def test_where_y_or_n_is_asked_both_are_explained() -> None:
    session = at_a_table("twilight-in-the-east", "4119 1/1", "new")
    (said,) = session.enter("?")
    assert said.endswith("y does it, n leaves everything as it is") and session.prompt == "y or n> "
    assert session.enter("n") == ["nothing has changed"] and session.table.position.state.units


def test_a_journal_says_what_its_question_asks_for(tmp_path: Path) -> None:
    create(tmp_path / "war.journal", "journal der-weltkrieg 1\nturn=may15/0\n")
    books = JournalSession(JournalFile(tmp_path / "war.journal", load_game), 80)
    books.enter("italy serbia=no")
    first, second = books.enter("?")
    assert ", such as " in first and second.startswith("`help ")


def test_an_example_of_a_unit_is_one_on_the_table() -> None:
    session = Session(TableState(typed("40.20: 29/20 -3")), 80)
    session.enter("condition")
    assert session.enter("?")[0].endswith("such as 29/20")
