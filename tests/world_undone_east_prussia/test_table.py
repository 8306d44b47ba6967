"""A combat of the game on one line of the table prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.formats.positions import Position
from assistant.plugins.registry import load_game
from assistant.prompt.session import Session
from assistant.prompt.table import Table

from .asking import GAME


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    game = load_game(GAME)
    return Session(Table(Position(game, game.state())), 200)


def enter(session: Session, *lines: str) -> str:
    """What the last of these lines says back."""
    return "\n".join([session.enter(line) for line in lines][-1])


SUPPLIED = ("XVII/36 supply=in", "XVII/35 supply=in")


def test_a_combat_is_one_line_with_the_usual_ground_taken_for_granted(session: Session) -> None:
    said = enter(session, "5420 III/25 < 5320 XVII/36 XVII/35", *SUPPLIED)
    assert "= column 2:1 of the German table; roll 1d6" in said
    assert "?1 5420 clear*, ?2 5320|5420 open*" in said


def test_an_assumption_is_changed_by_its_number(session: Session) -> None:
    said = enter(session, "5420 III/25 < 5320 XVII/36 XVII/35", *SUPPLIED, "?1 forest")
    assert "= column 2:1 of the German table; roll 1d6 +1" in said


def test_a_unit_of_no_roster_is_infantry_unless_it_is_said(session: Session) -> None:
    line = '5420 III/25 < 5320 "XVII/99" 8th 6-3'
    assert "new unit, not in the roster: XVII/99, german infantry 8th" in enter(session, line)
    assert "= column 1:1 of the German table" in enter(session, "XVII/99 supply=in")


def test_only_the_hex_of_konigsberg_is_asked_for_where_it_decides(session: Session) -> None:
    said = enter(session, "5420 III/25 < 5320 XVII/36 XVII/35")
    assert "type it, as HEX named=Königsberg" in said
    assert "column 2:1" in enter(session, "3410 named=Königsberg")
