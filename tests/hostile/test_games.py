"""A stranger's game: every command on it answers, or refuses it in two lines, at once and in little memory."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.group import UNUSABLE_EXIT_CODE
from assistant.faces.cli.main import cli
from assistant.game.games import read_game
from assistant.game.pack_charts import list_keys
from assistant.installed.check import examine_game
from assistant.util.errors import InputError
from module_builder.cli import cli as builder
from module_builder.new import new_game

from ..cases import few, thorough
from ..reloading import forget_folders

HUGE = """
[huge]
title = "huge"
on = "unit"
kind = "integer"
least = 0
most = 30000000
printed = "counter"
"""
SPOILED = [
    ("game.toml", 'red = ["red"]', "red = []", "[sides] 'red' has no nation"),
    ("game.toml", 'red = ["red"]', '"" = ["red"]', "[sides] '' cannot be the name of a side"),
    ("game.toml", "red = [", "umpire = [", "[sides] 'umpire' cannot be the name of a side"),
    ("game.toml", 'file = "roster.csv"', 'file = "/etc/passwd"', "'/etc/passwd' leads out of the game's folder"),
    ("game.toml", 'file = "roster.csv"', 'file = "ros\\u0000ter.csv"', "a text has a character that cannot be printed"),
    ("charts.toml", 'file = "charts/', 'file = "../', "leads out of the game's folder"),
    ("game.toml", "setups/start.pos", "../start.pos", "names ../start.pos, which is outside the game's folder"),
    ("game.toml", '[["examples/attack.pos"', '[["x\\u0000.pos"', "a text has a character that cannot be printed"),
    ("game.toml", "columns = [1, 10]", "columns = [10, 1]", "[grid] columns run from 10 to 1"),
    (
        "game.toml",
        "columns = [1, 10]",
        "columns = [1, 2000000000]",
        "[grid.columns] entry 2: 2000000000 is not allowed",
    ),
    ("game.toml", "{column:02}", "{column:00}", "must hold {column} and {row} once each"),
    ("game.toml", "dice = [1, 6]  ", "dice = [40, 6]  ", "[combat.dice] entry 1: 40 is not allowed"),
    ("tracks.toml", "most = 8", "most = 30000000", "more than 1000 values to step through"),
    ("tracks.toml", "most = 8", "most = 30000000000", "[turn] most: 30000000000 is not allowed"),
    ("tracks.toml", 'values = ["blue", "red"]', 'values = ["blue", "red", ""]', "[nation] has a value without letters"),
]


@pytest.fixture
def heath(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    new_game(Path("heath"))
    return tmp_path / "heath"


def replaced(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


@few(1)
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("file", "old", "new", "what"), SPOILED)
def test_what_is_wrong_is_named_and_never_a_traceback(heath: Path, file: str, old: str, new: str, what: str) -> None:
    replaced(heath / file, old, new)
    assert any(what in fault for fault in examine_game("heath").faults.lines)
    example = "heath/examples/attack.pos --game heath"
    words = [
        (cli, f"odds {example}"),
        (cli, "reference heath"),
        (cli, "schema heath"),
        (builder, "module heath --out x.vmod"),
    ]
    for program, command in words:
        forget_folders()
        done = CliRunner().invoke(program, command.split())
        assert isinstance(done.exception, SystemExit | None), done.exception
        assert done.exit_code in (0, UNUSABLE_EXIT_CODE)
        assert len(done.stderr.splitlines()) <= 2


def test_a_number_of_thirty_million_values_is_never_listed(heath: Path) -> None:
    (heath / "tracks.toml").open("a").write(HUGE)
    game = read_game("heath", heath)
    track = game.tracks["huge"]
    assert track.in_turn() == ()
    assert (track.farthest(), track.farthest(5), track.schema()["maximum"]) == (30_000_000, 5, 30_000_000)
    assert examine_game("heath").faults.lines == []


def test_a_chart_of_thirty_million_cells_is_refused(heath: Path) -> None:
    replaced(heath / "charts.toml", "keys = [", 'keys = [{ name = "huge", least = 0, most = 30000000 }, ')
    replaced(heath / "charts.toml", "file = ", "# ")
    with pytest.raises(InputError, match="chart crt has more than 100000 cells"):
        list_keys(read_game("heath", heath).chart("crt"))


def test_a_roster_behind_a_link_is_refused(heath: Path) -> None:
    heath.joinpath("roster.csv").rename(heath.parent / "secret.csv")
    heath.joinpath("roster.csv").symlink_to(heath.parent / "secret.csv")
    with pytest.raises(InputError, match="'roster.csv' leads out of the game's folder"):
        read_game("heath", heath).roster  # noqa: B018


@thorough
def test_many_mistakes_end_the_check(heath: Path) -> None:
    (heath / "game.toml").write_text("".join(f"key{number} = 1\n" for number in range(30_000)))
    done = CliRunner().invoke(builder, ["check", "heath"])
    assert (done.exit_code, done.stdout) == (1, "heath: the first 100 mistakes; correct these, and check again\n")
    first, *others = done.stderr.splitlines()
    assert first == "module-builder: game.toml:1: key0: unknown key"
    assert len(others) == 99


def test_signs_of_a_game_that_steer_a_terminal_are_escaped(heath: Path) -> None:
    for name in ("game.toml", "tracks.toml", "charts.toml"):
        text = (heath / name).read_text("utf-8")
        (heath / name).write_text(re.sub(r'^((?:title|about) = ")', r"\1\\u202e\\u009b2J", text, flags=re.M), "utf-8")
    words = (["reference"], ["demo"], ["questions"], ["questions", "--json"], ["schema"], ["rules"])
    for command, *options in words:
        said = CliRunner().invoke(cli, [command, str(heath), *options]).output
        assert said
        assert all(line.isprintable() for line in said.split("\n")), command
