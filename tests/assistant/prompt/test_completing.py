"""What Tab completes."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.prompt.completing import completions
from assistant.prompt.session import Session
from assistant.prompt.table import Table

from ...conftest import GAME
from ...terminal import at_a_terminal
from .test_terminal import PROMPT


@pytest.fixture(scope="module")
def session(twilight: Game) -> Session:
    session = Session(Table(Position(twilight, twilight.state())), 100)
    for line in ("t=1", "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 ="):
        session.enter(line)
    return session


@pytest.mark.parametrize(
    ("before", "words"),
    [
        pytest.param("und", ["undo"], id="a command"),
        pytest.param("forc", ["forced-march"], id="a question"),
        pytest.param("411", ["4119", "4118"], id="hexes of the table and around them"),
        pytest.param("<402", ["4020", "4021"], id="behind the sign"),
        pytest.param("4119 rou", ["rough"], id="a word of the game"),
        pytest.param("4119 lot", ["Lötzen"], id="a unit without its accents"),
        pytest.param('4119 "20', ['"20 lw"'], id="a name in quotes"),
        pytest.param("retreat cause=c", ["crt", "check"], id="the value of a parameter"),
        pytest.param("retreat unit", ["units="], id="a parameter"),
        pytest.param("4119 1/1 supply=", ["in", "low", "out"], id="the value of a fact"),
        pytest.param("4023=402", ["4022", "4024"], id="the next hex of a chain"),
        pytest.param("4023=4022-4", ["4021", "4023", "4122", "4121"], id="and the next"),
        pytest.param("4023=4022r^:41", ["4122", "4121"], id="behind letters and signs"),
        pytest.param("4119 xyz", [], id="nothing"),
    ],
)
def test_what_may_stand_here(session: Session, before: str, words: list[str]) -> None:
    assert [word for word, _ in completions(session, before)] == words


def test_tab_completes_at_a_terminal(tmp_path: Path) -> None:
    lines = ["4119 roug\t", "po\t"]
    shown = at_a_terminal(tmp_path, ["table", GAME], lines, awaits=PROMPT, then=b"\x04", enter="\r")
    assert "read: 41.19 rough" in shown
    assert "\r\n41.19 rough\r\n" in shown
