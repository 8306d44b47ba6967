"""The hook that checks games before a commit: what it is, and what it does with the files that have changed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from assistant.installed.registry import game_folder, installed_games
from module_builder.cli import cli

from ..cases import thorough

ROOT = Path(__file__).parents[2]
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
PAGE = (ROOT / "docs/making/first-game.md").read_text("utf-8")
CONFIGURED = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)]
"""The files that the page shows to whoever wants the hook: one for an installed Field Staff, one for its repository."""


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


def test_the_hook_has_what_pre_commit_needs_and_the_page_shows_it_for_both_kinds() -> None:
    assert HOOK.keys() >= {"id", "name", "entry", "language"}
    (installed,), (fetched,) = (config["repos"] for config in CONFIGURED)
    assert installed["repo"] == "local"
    assert fetched["rev"] == "TAG", "no release is named before there is one"
    assert [hook["id"] for hook in (*installed["hooks"], *fetched["hooks"])] == [HOOK["id"]] * 2


@thorough
def test_the_hook_of_the_page_stops_a_commit_with_a_mistake_and_lets_the_mended_one_pass(repository: Path) -> None:
    (hook,) = CONFIGURED[0]["repos"][0]["hooks"]
    assert hook.keys() >= {"id", "name", "entry", "language"}
    assert hook["language"] == "system", "it runs what the terminal finds"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    roster, files = repository / "heath/roster.csv", ["tool.py", "heath/roster.csv", "heath/game.toml"]
    sound = roster.read_text("utf-8")
    for text, code in ((sound.replace("attack", "atack"), 1), (sound, 0)):
        roster.write_text(text, "utf-8")
        done = subprocess.run(
            [*shlex.split(hook["entry"]), *files],
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert ("'atack'" in done.stderr) == bool(code)


def test_each_game_is_checked_once_and_files_of_none_are_left_out(repository: Path) -> None:
    done = changed("tool.py", "heath/roster.csv", "games/moor/boards/field/board.toml", "heath/game.toml")
    assert done.exit_code == 0
    titles = [line.partition(":")[0] for line in done.stdout.splitlines() if "unit types" in line]
    assert titles == ["Heath", "Moor"]


def test_neither_a_mistake_nor_a_folder_that_is_no_game_stops_the_others(repository: Path) -> None:
    for folder in ("heath", "games/moor"):
        (repository / folder / "roster.csv").write_text("unit,nation\n1st,green\n")
    done = changed("heath/roster.csv", "games/moor/roster.csv")
    assert done.exit_code == 1
    assert done.stderr.count("module-builder: roster.csv:2: ") >= 2
    (repository / "heath").rename("Bad Id")
    done = changed("Bad Id/game.toml", "games/moor/roster.csv")
    assert done.exit_code == 1
    assert "'Bad Id' is not a valid game id" in done.stderr
    assert done.stdout.startswith("Moor: ")


def test_a_game_in_a_package_is_checked_by_its_id(repository: Path) -> None:
    """As docs/making/first-game.md names the folder of a package."""
    assert CliRunner().invoke(cli, ["new", "my-game"]).exit_code == 0
    assert any("my-game" in file.read_text("utf-8") for file in Path("my-game").rglob("*.pos"))
    package = Path("my-game").rename("my_game")
    described = package / "game.toml"
    described.write_text('id = "my-game"\n' + described.read_text("utf-8"), "utf-8")
    assert changed("my_game/game.toml").exit_code == 0


@pytest.mark.parametrize("package", sorted(path.parent.name for path in (ROOT / "plugins").glob("*/game.toml")))
def test_our_own_games_state_their_ids(package: str) -> None:
    """So that a check of the folder is one of the installed game."""
    assert installed_games()[game_folder(str(ROOT / "plugins" / package)).id].value == package


def test_nothing_of_a_game_has_changed(repository: Path) -> None:
    done = changed("tool.py")
    assert (done.exit_code, done.output) == (0, "")
