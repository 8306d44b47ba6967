"""The campaign's books at the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli.main import cli


@pytest.fixture
def books(tmp_path: Path) -> str:
    file = str(tmp_path / "war.journal")
    assert run("new", "der-weltkrieg", file).startswith(file)
    run("add", file, "ah", "dm", "22", "Sabac")
    return file


def run(*words: str) -> str:
    done = CliRunner().invoke(cli, ["journal", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_what_is_due_is_asked_for_a_nation_by_its_short_name(books: str) -> None:
    named, short = run("due", books, "who=austro-hungarian", "until=sep14/7"), run("due", books, "ah", "until=sep14/7")
    assert named == short and "Austria-Hungary" in short and "Russia" not in short


def test_what_is_taken_is_shown_with_what_it_changes_and_once(books: str, tmp_path: Path) -> None:
    other, mail = str(tmp_path / "other.journal"), tmp_path / "mail.txt"
    run("new", "der-weltkrieg", other)
    run("amend", books, "1", "18")
    mail.write_text(run("send", books))
    assert run("take", other, str(mail), "--yes").splitlines() == [
        "aug14/1 ah dm 22 Sabac",
        "aug14/1 amend 1 ah dm 18 Sabac",
        "  Austria-Hungary: demoralization points +18",
    ]
    assert run("take", other, str(mail), "--yes") == "2 entries are there already\n"


def test_an_entry_that_is_no_answer_loads_no_question(books: str) -> None:
    code = (
        f"import sys; from assistant.cli.main import cli; cli(['journal', 'amend', {books!r}, '1', '18'], "
        "standalone_mode=False); print(*(name for name in sys.modules if name.startswith('assistant.questions')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "" and "2 aug14/1 amend 1 ah dm 18 Sabac" in done.stdout
