"""From file to file by `--after`, and at the prompt: what is settled once a turn or once a phase stays so that long (4.0)."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState

from ..commands import run_command
from ..conftest import typed, why_not
from .asking import GAME, undone

FLANK = "scenario=masurian-lakes\nturn=20\nphasing=german\nphase=first-movement\n4432: 8A/41KB fixed\n"
EXCHANGE = """scenario=historical
turn=3
phasing=german
phase=first-combat
5320: XVII/36 supply=in, XVII/35 supply=in
5420 clear: III/25 supply=in
5320|5420 open
chart german-table 2:1 1+ = EX
"""


def write(folder: Path, name: str, text: str) -> None:
    """A position in a file."""
    (folder / name).write_text(f"game {GAME}\n{text}", "utf-8")


def go(folder: Path, question: str, before: str, *words: str, after: str = "") -> str:
    """What a question about a file says; its changes are written into another one."""
    done = run_command(folder, "ask", question, before, *words, *(["--after", after] if after else []))
    assert done.returncode in (0, 4), done.stderr
    return done.stdout


@pytest.mark.rule("9.4/41KB")
def test_the_die_for_41kb_is_thrown_once_a_turn_from_file_to_file(tmp_path: Path) -> None:
    write(tmp_path, "0.pos", FLANK)
    go(tmp_path, "release", "0.pos", "--answers", "release=2", after="1.pos")
    assert "the die has been rolled this turn" in go(tmp_path, "release", "1.pos")
    steps = 0
    while "turn=21" not in (text := (tmp_path / f"{steps + 1}.pos").read_text()) or "phasing=german" not in text:
        steps += 1
        go(tmp_path, "next", f"{steps}.pos", after=f"{steps + 1}.pos")
    assert steps == 8, "four German phases and four Russian ones"
    assert "rolled" not in text
    assert "released on 5-6" in go(tmp_path, "release", f"{steps + 1}.pos")


@pytest.mark.rule("9.4/41KB")
def test_what_a_file_states_of_the_die_for_41kb_holds_for_its_turn() -> None:
    assert why_not(undone(FLANK + "8A/41KB rolled", "release")) == ["9.4"]


@pytest.mark.rule("6.4/EX")
def test_after_an_exchange_nobody_advances_in_that_phase_from_file_to_file(tmp_path: Path) -> None:
    write(tmp_path, "0.pos", EXCHANGE)
    said = go(tmp_path, "battle", "0.pos", "--at", "5420", "--answers", "die=3 attacker.pay=XVII/35", after="1.pos")
    assert "an exchange" in said
    assert "exchanged" in (tmp_path / "1.pos").read_text()
    said = go(tmp_path, "advance", "1.pos", "--units", "XVII/36", "--at", "5420")
    assert "after an exchange all units stay" in " ".join(said.split())
    go(tmp_path, "next", "1.pos", after="2.pos")
    assert "exchanged" not in (tmp_path / "2.pos").read_text()
    assert "after an exchange" not in go(tmp_path, "advance", "2.pos", "--units", "XVII/36", "--at", "5420")


@pytest.mark.rule("6.4/EX", "9.4/41KB")
def test_at_the_prompt_they_end_with_the_phase_and_with_the_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    exchanged = typed(f"game {GAME}\n{EXCHANGE}5420 exchanged attacked\n")
    assert "exchanged of 5420" in "\n".join(Session(TableState(exchanged), 200).enter("phase=second-movement"))
    rolled = Session(TableState(typed(f"game {GAME}\n{FLANK}8A/41KB rolled\n")), 200)
    assert "rolled of 8A/41KB" not in "\n".join(rolled.enter("phase=first-combat"))
    assert "rolled of 8A/41KB" in "\n".join(rolled.enter("turn=21"))
