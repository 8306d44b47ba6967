"""A combat of the game on one line of the table prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.installed.registry import load_game

from ..cases import thorough
from .asking import GAME

FOLDER = Path(__file__).parents[2] / "plugins" / "world_undone_east_prussia"


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    game = load_game(GAME)
    return Session(TableState(Position(game, build_state(game))), 200)


def enter(session: Session, *lines: str) -> str:
    """What the last of these lines says back."""
    return "\n".join([session.enter(line) for line in lines][-1])


SUPPLIED = ("XVII/36 supply=in", "XVII/35 supply=in")


def test_a_combat_is_one_line_with_the_usual_ground_taken_for_granted(session: Session) -> None:
    said = enter(session, "5420 III/25 < 5320 XVII/36 XVII/35", *SUPPLIED)
    assert (
        "= XVII/36 and XVII/35 against III/25 at 5420: column 2:1 of the German table, whose last column is not known."
        in said
    )
    assert "?1 5420 clear*, ?2 5320|5420 open*" in said


def test_an_assumption_is_changed_by_its_number(session: Session) -> None:
    said = enter(session, "5420 III/25 < 5320 XVII/36 XVII/35", *SUPPLIED, "?1 forest")
    assert "= +1 to the die" in said


def test_a_unit_of_no_roster_is_infantry_unless_it_is_said(session: Session) -> None:
    line = '5420 III/25 < 5320 "XVII/99" 8th 6-3'
    assert "not in the roster: XVII/99 (german infantry 8th)" in enter(session, line)
    assert ": column 1:1 of the German table" in enter(session, "XVII/99 supply=in")


@thorough
def test_whether_units_are_in_supply_is_one_question(session: Session) -> None:
    assert "undecided: 1 fact is missing" in enter(session, "5420 III/25 < 5320 XVII/36 XVII/35")
    assert session.prompt == "supply of XVII/36, XVII/35 (in / out)> "
    assert "column 2:1" in enter(session, "in")
    assert "column 1:1" in enter(session, "5320 supply=out")


def test_the_hex_of_konigsberg_is_answered_by_a_bare_hex(session: Session) -> None:
    enter(session, "5320: XVII/36", "supply unit=XVII/36")
    assert session.prompt == "hex of Königsberg (a hex)> "
    assert "in supply from Königsberg, 19 hexes" in enter(session, "3410")


HISTORICAL = ["board east-prussia", "trust counters"]


@pytest.fixture
def historical(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """The historical set-up on the drawn board, at the second German impulse."""
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    return Session(
        TableState(read_notation((FOLDER / "setups/historical.pos").read_bytes(), "historical.pos", load_game)), 80
    )


def test_the_next_phase_that_was_carried_out_is_not_said_to_be_owed(historical: Session) -> None:
    said = enter(historical, *HISTORICAL, "move units=I/2 way=5419", "done", "next", "done")
    assert said.startswith("carried out and entered in the journal: The next phase: turn 1: Second Combat")
    assert "not carried out" not in said


def test_no_heading_stands_last_above_the_lines_that_are_left_out(historical: Session) -> None:
    moves = ["I/2 way=5419", "I/1 way=5320,5420", "XVII/36 way=5321", "8A/1KB way=5715", "8A/41KB way=5716,5715"]
    moved = [line for move in moves for line in (f"move units={move}", "done")]
    said = enter(historical, *HISTORICAL, *moved, "next", "done", "attacks side=german").splitlines()
    left_out = said.index("  (more: `why`)")
    assert said[left_out - 1] == "  6.0  18 against 5, column 3:1: I/1, I/2 (die +1)"
    assert "Attack on 5714" in enter(historical, "why").splitlines()


def test_a_unit_that_saves_its_points_where_it_is_stays_there(historical: Session) -> None:
    said = enter(
        historical, *HISTORICAL, "turn=2 phasing=russian phase=first-movement", "move units=IV/5-Sch reserve=2"
    )
    assert "= IV/5-Sch can stay in 4826 for 0 of 3 Movement Points" in said
