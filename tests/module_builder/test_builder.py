"""The builder's commands: the tour and the check of a game's files."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli as assistant
from assistant.game.gamefile import tracks_of_hiding
from assistant.game.games import Game
from assistant.installed.registry import load_game
from module_builder.cli import cli
from module_builder.tour import _show_minute

from ..cases import thorough

DEMOS = ("kaisers-war-in-the-east", "twilight-in-the-east")
"""Two games whose demos name more commands."""


def test_a_game_whose_answers_rest_on_printed_charts_comes_first_wherever_it_stands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _show_minute([load_game("twilight-in-the-east"), load_game("kaisers-war-in-the-east")])
    shown = capsys.readouterr().out
    assert shown.index("Kaiser's War in the East: ") < shown.index("1914, Twilight in the East: ")


def test_a_game_without_a_tour_is_named_with_what_it_has() -> None:
    done = CliRunner().invoke(assistant, ["demo", "der-weltkrieg"])
    assert done.exit_code == 3
    assert done.stderr == "assistant: der-weltkrieg has no tour\n  its questions: assistant questions der-weltkrieg\n"


def test_the_demo_shows_battles_in_a_minute_first_those_that_rest_on_printed_charts() -> None:
    done = CliRunner().invoke(assistant, ["demo"])
    lines = done.output.splitlines()
    assert (done.exit_code, len(lines) <= 100) == (0, True)
    assert lines[0].startswith("Kaiser's War in the East: ")
    first, _, second = done.output.partition("\n1914, Twilight in the East: ")
    assert "DD, the defender is defeated" in first and "(if " not in first
    assert "made-up charts are right)" in second
    assert any(line.startswith("= 25/3 is In Supply from 3 Train, 1 1/2 hexes away") for line in lines)
    assert done.output.count("Odds and column: 42 against 23 is 2:1") == 1
    assert any(line.startswith("    assistant demo --all ") for line in lines)
    demos = [game.file.demo for game in map(load_game, DEMOS)]
    commands = [command for demo in demos if demo for command, _ in demo.then]
    assert commands and all(any(line.startswith(f"    {command} ") for line in lines) for command in commands)


@pytest.mark.parametrize("ending", ["", ".exe"])
def test_the_demo_ends_with_the_command_that_opens_the_page(
    ending: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("assistant", "field-staff"):
        (tmp_path / f"{name}{ending}").touch()
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.argv", [str(tmp_path / f"assistant{ending}"), "demo"])
    said, command = CliRunner().invoke(assistant, ["demo"]).output.splitlines()[-2:]
    assert said.startswith("Try this: the table page in your browser")
    assert command == f"    {tmp_path / f'field-staff{ending}'}"


@thorough  # a kept page holds all that it prints
def test_the_tour_shows_what_the_game_says(twilight: Game) -> None:
    done = CliRunner().invoke(assistant, ["demo", "--all"])
    assert done.exit_code == 0
    demo = twilight.file.demo
    assert demo is not None
    for _, about in demo.shows:
        assert about in done.output
    assert "42:23 rounds to 2:1" in done.output
    assert "22/1 is Out of Supply and Isolated" in done.output


def test_a_tour_of_a_game_that_is_not_there() -> None:
    done = CliRunner().invoke(assistant, ["demo", "nothing"])
    assert (done.exit_code, done.stderr.splitlines()[0]) == (
        3,
        f"assistant: unknown game 'nothing', and no folder of that name in {Path.cwd()}",
    )


def test_checking_a_games_files() -> None:
    game = load_game("kaisers-war-in-the-east")
    done = CliRunner().invoke(cli, ["check", game.id])
    assert done.exit_code == 0
    assert (
        f"{len(game.tracks) - len(tracks_of_hiding(game.file, game.tracks))} tracks, {len(game.roster)} unit types, {len(game.charts)} charts"
        in done.output
    )
    assert CliRunner().invoke(cli, ["check", "nothing"]).exit_code == 3
