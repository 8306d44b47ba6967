"""The hook that checks games before a commit: what it is, and what it does with the files that have changed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from module_builder.cli import cli

ROOT = Path(__file__).parents[2]
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two games and a file of neither."""
    monkeypatch.chdir(tmp_path)
    for name in ("heath", "games/moor"):
        assert CliRunner().invoke(cli, ["new", name]).exit_code == 0
    Path("tool.py").touch()
    return tmp_path


def changed(*files: str) -> Result:
    """What the hook does with files that have changed."""
    program, *words = shlex.split(HOOK["entry"])
    assert program == "module-builder"
    assert all(re.search(HOOK["files"], file) for file in files)
    return CliRunner().invoke(cli, [*words, *files])


def test_the_hook_has_what_pre_commit_needs() -> None:
    assert HOOK.keys() >= {"id", "name", "entry", "language"}
    assert f"id: {HOOK['id']}\n" in (ROOT / "docs/making/first-game.md").read_text("utf-8")


def test_each_game_is_checked_once_and_files_of_none_are_left_out(repository: Path) -> None:
    done = changed("tool.py", "heath/roster.csv", "games/moor/boards/field/board.toml", "heath/game.toml")
    assert done.exit_code == 0
    titles = [line.partition(":")[0] for line in done.stdout.splitlines() if "unit types" in line]
    assert titles == ["Heath", "Moor"]


def test_every_game_with_mistakes_is_told_though_the_first_has_some(repository: Path) -> None:
    for folder in ("heath", "games/moor"):
        (repository / folder / "roster.csv").write_text("unit,nation\n1st,green\n")
    done = changed("heath/roster.csv", "games/moor/roster.csv")
    assert done.exit_code == 1
    assert done.stderr.count("module-builder: roster.csv:2: ") >= 2


def test_nothing_of_a_game_has_changed(repository: Path) -> None:
    done = changed("tool.py")
    assert (done.exit_code, done.output) == (0, "")
