"""The command `luck`: logs and journals, its forms, its page, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assistant.faces.cli.main import cli
from assistant.installed.registry import load_game
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile

from ....cases import thorough
from ....conftest import typed
from ....world_undone_east_prussia.test_luck import field

LOG = str(Path(__file__).parents[4] / "plugins" / "twilight_in_the_east" / "examples" / "comprehensive-example.vlog")


def run(*words: str) -> Result:
    done = CliRunner().invoke(cli, ["luck", *words], prog_name="assistant")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture(autouse=True)
def home(tmp_path: Path, own_data: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def journal(seen: str = "") -> str:
    path, game = Path("east.journal"), load_game("world-undone-east-prussia-1914")
    create(path, write_head(game, typed(field()), ""))
    if seen:
        path.write_text(path.read_text().replace("\n", f"\nseen by {seen}\n", 1))
    JournalFile(path, load_game, seen).add("answer battle at=5420 | die=3 attacker.pay=A")
    return str(path)


@thorough
def test_every_throw_of_a_log_is_told_or_counted_as_left_out() -> None:
    done = run(LOG, "--as", "german")
    assert "0 battles, 1 other roll\n" in done.output and "5 throws left out, matched to no roll" in done.output
    assert "throws left out" not in run(LOG, "--umpire").output


def test_a_journal_of_another_game_than_the_one_named_is_refused() -> None:
    done = run(journal(), "--game", "twilight-in-the-east")
    what = "the position is for world-undone-east-prussia-1914, not for twilight-in-the-east"
    assert (done.exit_code, done.stderr) == (
        3,
        f"assistant: east.journal:1: {what}\n  name world-undone-east-prussia-1914 instead\n",
    )


def test_what_is_neither_a_log_nor_a_journal_is_told_both_endings(home: Path) -> None:
    (home / "battle.pos").write_text(field())
    done = run("battle.pos")
    what = "battle.pos: a .pos file does not record how a game was played"
    assert (done.exit_code, done.stderr) == (3, f"assistant: {what}\n  known: .journal .log .sav .vlog .vsav\n")


def test_a_page_that_exists_is_refused_before_the_log_is_read(home: Path) -> None:
    (home / "luck.html").write_text("mine")
    done = run("missing.vlog", "--page", "luck.html")
    assert done.exit_code == 3 and "luck.html: the file already exists" in done.output


def test_a_journal_is_told_by_its_entries() -> None:
    done = run(journal(), "--umpire")
    assert "1. Attack on 5420 from 5320 (turn 3, First Combat (German), entry 1)\n" in done.output


def test_a_side_may_open_its_own_journal_alone() -> None:
    done = run(journal(), "--as", "german")
    assert done.exit_code == 3 and "a journal shows more than german may know" in done.output
    Path("east.journal").unlink()
    own = journal("german")
    assert "You see what the German side knows." in run(own, "--as", "german").output
    assert run(own, "--as", "russian").exit_code == 3


@pytest.mark.parametrize("form", ["--csv", "--json", "--forum"])
def test_a_form_gives_that_form_alone(form: str) -> None:
    output = run(journal(), "--umpire", form).output
    begins = {
        "--csv": "battle,step",
        "--json": "{",
        "--forum": "The Russian player was luckier than in 75 of 100 such battles.\nLuck in",
    }
    assert output.startswith(begins[form])
    if form == "--json":
        assert json.loads(output)["battles"][0]["swing"] == -2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--csv", "--forum"], "--csv and --forum do not go together"),
        (["--page", "luck.txt"], "luck.txt is not a page that can be written"),
        (["--as", "french"], "unknown side 'french'"),
        (["--accept", "rumour"], "unknown source 'rumour'"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(words: list[str], said: str) -> None:
    done = run(LOG, *words)
    assert done.exit_code == 3 and said in done.output


@pytest.mark.parametrize("name", ["save.vsav", "field.pos"])
def test_a_file_without_a_record_of_play_is_refused(name: str) -> None:
    Path(name).write_text("game twilight-in-the-east\n")
    done = run(name)
    assert done.exit_code == 3 and not done.stdout


def test_a_page_is_written_beside_the_report_and_not_over_another() -> None:
    played = journal()
    assert run(played, "--page", "luck.html").exit_code == 0
    assert Path("luck.html").read_text().startswith("<!DOCTYPE html>")
    assert run(played, "--page", "luck.html").exit_code == 3
    assert run(played, "--page", "luck.html", "--force").exit_code == 0
