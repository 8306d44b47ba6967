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


def test_an_entry_that_is_no_answer_loads_no_question(books: str) -> None:
    code = (
        f"import sys; from assistant.cli.main import cli; cli(['journal', 'amend', {books!r}, '1', '18'], "
        "standalone_mode=False); print(*(name for name in sys.modules if name.startswith('assistant.questions')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "" and "2 aug14/1 amend 1 ah dm 18 Sabac" in done.stdout


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("serbia-fell", "game serbia-fell"), ("declare", "ah declare"), ("cities 3", "be cities"), ("dm 3", "ge dm")],
)
def test_whom_an_entry_concerns_is_named_where_it_is_missing(books: str, typed: str, hint: str) -> None:
    done = CliRunner().invoke(cli, ["journal", "add", books, typed])
    assert done.exit_code and f"first: {hint}\n" in done.stderr
