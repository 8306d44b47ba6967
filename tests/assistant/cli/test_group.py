"""A command on a game without its name, and what a shell completes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli.main import cli
from assistant.plugins import registry
from assistant.plugins.entry_points import EntryPoint
from assistant.plugins.registry import installed_games

from ...cases import few, thorough
from ...conftest import GAME


def said(*words: str) -> str:
    done = CliRunner().invoke(cli, words, standalone_mode=False)
    if done.exception:
        raise done.exception
    return done.output


@pytest.fixture
def one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {GAME: installed_games()[GAME]}
    monkeypatch.setattr(registry, "installed_games", lambda: games)


@pytest.mark.usefixtures("one_game")
@pytest.mark.parametrize("words", [["questions"], ["questions", "twi"], ["questions", GAME]])
def test_one_game_needs_no_name_and_any_beginning_is_enough(words: list[str]) -> None:
    assert said(*words).startswith("battle: ")


@thorough
@pytest.mark.usefixtures("one_game")
def test_what_stands_behind_the_game_may_stand_alone() -> None:
    assert said("rules", "10.8a") == said("rules", GAME, "10.8a")
    assert said("rules", GAME, "10.8a").startswith("10.8a")


def test_a_table_begins_with_a_position_without_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    (tmp_path / "mine.pos").write_text(f"game {GAME}\nturn=7\n")
    done = CliRunner().invoke(cli, ["table", "--umpire", str(tmp_path / "mine.pos")], input="position\n")
    assert "turn=7" in done.output


def test_a_table_begins_with_a_position_as_json_without_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    mine = tmp_path / "mine.pos"
    mine.write_text(f"game {GAME}\nturn=7\n")
    (tmp_path / "mine.json").write_text(said("convert", str(mine), "--umpire"))
    done = CliRunner().invoke(cli, ["table", "--umpire", str(tmp_path / "mine.json")], input="position\n")
    assert "turn=7" in done.output


@pytest.mark.usefixtures("one_game")
def test_a_table_begins_empty_without_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    done = CliRunner().invoke(cli, ["table", "--as", "german", "--new"], input="t=1\n")
    assert "Seen: what the Central Powers side may know" in done.output


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    games: dict[str, EntryPoint] = {**installed_games(), "twilight-in-the-west": installed_games()[GAME]}
    monkeypatch.setattr(registry, "installed_games", lambda: games)


@pytest.mark.usefixtures("two_games")
def test_with_two_games_the_name_is_needed() -> None:
    with pytest.raises(registry.InputError) as error:
        registry.game_folder("twi")
    assert str(error.value).startswith("'twi' may be twilight-in-the-east or twilight-in-the-west")
    with pytest.raises(registry.InputError, match="several games are installed"):
        registry.game_folder("")
    assert registry.game_folder("twilight-in-the-e").id == GAME


@pytest.mark.usefixtures("two_games")
def test_with_two_games_a_rule_alone_is_told_what_to_put_before_it() -> None:
    done = CliRunner().invoke(cli, ["rules", "10.8"])
    games = list(registry.installed_games())
    hint = f"write: assistant rules {games[0]} 10.8; installed: {', '.join(games)}"
    assert (done.exit_code, done.stderr.splitlines()) == (
        3,
        ["assistant: 10.8 is a rule number, but no game is named", f"  {hint}"],
    )


@few(2)
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("assistant rules tw", [GAME]),
        ("assistant forc", ["forced-march"]),
        ("assistant ask disp", ["displace"]),
        (f"assistant pack enter {GAME} cr", ["crt"]),
        (f"assistant pack enter {GAME} cou", ["counters"]),
        (f"assistant pack set {GAME} a", ["army"]),
        (f"assistant pack set {GAME} unit 25/3 artillery", ["artillery", "artillery-class"]),
        (f"assistant pack set {GAME} ground 41.19 terr", ["terrain"]),
    ],
)
def test_a_shell_completes_games_questions_charts_and_tracks(line: str, completed: list[str], tmp_path: Path) -> None:
    shell = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")), "_ASSISTANT_COMPLETE": "bash_complete"}
    environment = os.environ | shell | {"FIELD_STAFF_DATA": str(tmp_path)}
    command = [sys.executable, "-m", "assistant"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == [f"plain,{word}" for word in completed]


@pytest.mark.usefixtures("one_game")
@pytest.mark.parametrize("words", [["crt", "-"], [GAME, "crt", "-"]])
def test_standard_input_is_a_word_and_no_game(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path))
    done = CliRunner().invoke(cli, ["pack", "take", *words], input="")
    assert done.exit_code == 3, done.output
    assert "unexpected extra argument" not in done.output
