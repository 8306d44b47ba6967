"""Who may open a journal: what it shows, and what it says of a line that is added, may be more than a side knows."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assistant.faces.cli.main import cli

GAME = "twilight-in-the-east"
START = f"game {GAME}\nturn=3 hidden-units=caps\n40.20 capped: russian dummy - Rumour movement=6\n41.15: 1/1\n"
OPENING = [
    ("list",),
    ("why", "vp", "russian"),
    ("due",),
    ("check",),
    ("csv",),
    ("send",),
    ("add", "fact Rumor spent=march:2"),
    ("amend", "1", "fact 41.15: 1/1 -2"),
    ("strike", "1"),
    ("take", "mail.txt"),
]


@pytest.fixture
def folder(tmp_path: Path, own_data: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("start.pos").write_text(START)
    return tmp_path


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, words, input=typed, prog_name="assistant")


def began(folder: Path) -> bytes:
    """A journal with everything, which a side finds that has set its viewpoint."""
    assert run("journal", "new", GAME, "war.journal", "--from", "start.pos").exit_code == 0
    assert run("journal", "add", "war.journal", "fact Rumour spent=march:1").exit_code == 0
    assert run("viewpoint", GAME, "central-powers").exit_code == 0
    return (folder / "war.journal").read_bytes()


@pytest.mark.parametrize("command", OPENING, ids=lambda command: command[0])
def test_a_side_neither_reads_nor_writes_a_journal_that_shows_more(folder: Path, command: tuple[str, ...]) -> None:
    before = began(folder)
    refused = run("journal", command[0], "war.journal", *command[1:])
    assert refused.exit_code == 3
    assert "a journal shows more than central-powers may know" in refused.stderr
    assert "Rumour" not in refused.output
    assert (folder / "war.journal").read_bytes() == before


def test_a_fault_in_a_journal_tells_a_side_nothing(folder: Path) -> None:
    began(folder)
    file = folder / "war.journal"
    file.write_text(file.read_text() + '9 3 fact Rumor nonsense="Rumour"\n')
    for command in (("journal", "list", "war.journal"), ("table", GAME, "war.journal")):
        assert "Rumour" not in run(*command).output


def test_a_side_keeps_a_journal_of_what_it_knows(folder: Path) -> None:
    began(folder)
    (folder / "own.journal").write_text(f"journal {GAME} 1\nseen by central-powers\n41.15: 1/1\n")
    assert run("journal", "add", "own.journal", "fact 41.15: 1/1 -2").exit_code == 0
    assert "1/1 -2" in run("journal", "list", "own.journal").stdout
    assert run("table", GAME, "own.journal", typed="list\n").exit_code == 0
    assert run("journal", "list", "own.journal").exit_code == 0
    (folder / "own.journal").write_text(f"journal {GAME} 1\nseen by russian\n40.20: 25/3\n")
    assert run("journal", "list", "own.journal").exit_code == 3
