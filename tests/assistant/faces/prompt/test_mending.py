"""A line that is not understood: what it may mean is offered, or it comes back to be mended."""

from __future__ import annotations

import pytest

from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.faces.prompt.terminal import complete_line
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.installed.registry import load_game


@pytest.fixture
def session() -> Session:
    game = load_game("twilight-in-the-east")
    session = Session(TableState(Position(game, build_state(game))), 100)
    for line in ("turn=1", "41.19 clear 36/17 10-10-5-10 35/17 10-10-5-10", "40.20 clear 25/3 10-10-5-10"):
        session.enter(line)
    return session


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("36/XVII at 41.20", "41.20 36/17"),
        ("25/3: 10-10-5-10 at 40.21", "40.21 25/3 10-10-5-10"),
        ("28/XX lost 2 steps", "28/20 lost=2"),
        ("36/XVII and 35/XVII attack 40.20", "40.20 < 41.19"),
        ("attack 4119 \u2192 4020", "40.20 < 41.19"),
        ("atack 4020 form 4119", "40.20 < 41.19"),
        ("36/XVII attack\u2019s 40.20 from 4119", "40.20 < 41.19"),
        ("Is 25/3 in supply?", "supply 25/3"),
        ("how far can 25/3 go by road", "reach 25/3"),
        ("25/3 goes 40.20 40.21 41.21", "25/3 > 40.21 41.21"),
        ("gt 5", "turn=5"),
        ("35/XVII eliminated", "off 35/17"),
        ("scratch that", "undo"),
        ("what can I type", "help"),
    ],
)
def test_what_people_type_at_first_is_answered_with_the_line_that_says_it(
    session: Session, typed: str, meant: str
) -> None:
    before = session.table
    assert session.enter(typed) == [f"? did you mean `{meant}`? (y or n)"]
    assert session.table is before
    session.enter("n")
    assert session.table is before


def test_yes_enters_the_line_that_was_meant(session: Session) -> None:
    session.enter("36/XVII at 41.20")
    session.enter("y")
    assert session.table.position.state.units["36/17"].place == "41.20"


@pytest.mark.parametrize(
    ("typed", "before", "first"),
    [
        ("41.19 claer 1/1 12-16-7-11 < 40.20 25/3", "41.19 claer", "clear"),
        ("batle 41.19 40.20", "batle", "battle"),
    ],
)
def test_a_refused_line_comes_back_at_the_wrong_word(session: Session, typed: str, before: str, first: str) -> None:
    session.enter(typed)
    line, at = session.returned
    assert (line, line[:at]) == (typed, before)
    assert complete_line(session, before)[0][0] == first


def test_a_short_answer_or_a_line_that_was_entered_does_not_come_back(session: Session) -> None:
    for line in ("zzz", "41.20 clear"):
        session.enter(line)
        assert session.returned == ("", 0)
