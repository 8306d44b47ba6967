"""The command `assistant demo`: the tour of the installed games."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Any

import click

from assistant.asking.report import Report, to_brief
from assistant.asking.wrapping import wrap_text
from assistant.formats.positions import Asked, Position
from assistant.game.games import Game
from assistant.game.viewpoint import reduce_state
from assistant.installed.formats import read_position
from assistant.installed.registry import games_beside, installed_games, named_game
from assistant.service import ask
from assistant.state.state import UMPIRE
from assistant.util.console import echo
from assistant.util.datafiles import read_data, resolve_within
from assistant.util.errors import InputError
from assistant.util.late import load


@click.command()
@click.argument("game", required=False)
@click.option("--all", "whole", is_flag=True, help="All examples, with full workings and the module's contents.")
def demo(game: str | None, whole: bool) -> None:
    """What the assistant answers, in a minute: a battle before the dice and after them, and a supply line. With a GAME,
    or --all, every example with full workings.
    """
    shown = []
    names = [game] if game else installed_games()
    for name in names:
        try:
            candidate = named_game(name)
        except InputError as error:
            if game:
                raise
            echo(f"assistant: {error}", err=True)
            continue
        if candidate.file.demo:
            shown.append(candidate)
    if not shown:
        raise InputError("no installed game has a tour", hint="install one, or name it: assistant demo GAME")
    main = next((each for each in shown if each.file.demo and each.file.demo.brief), None)
    if main and not (game or whole):
        _show_minute(main, [other for other in shown if other is not main])
        return
    for number, toured in enumerate(shown):
        if number:
            echo(f"\n{'=' * 100}\n")
        _show_tour(toured, game or toured.id)


def _show_minute(game: Game, others: Sequence[Game]) -> None:
    """Print a game in a minute. others: the further games that have a tour."""
    assert game.file.demo is not None
    echo("\n".join(wrap_text(f"{game.title}: {game.file.about}", 100)))
    typed: list[str] = []
    report: Report[Any] | None = None
    for file, about in game.file.demo.brief:
        position, data = _read_example(game, file)
        echo(f"\n{about}")
        before, typed = typed, data.decode("utf-8").splitlines()
        goes_on = not set(before).isdisjoint(typed[1:])
        for line in typed:
            if not goes_on or line not in before:
                echo(f"    {line}")
        for asked in position.asks:
            last, report = report, ask(position, asked)
            echo(f"\n{to_brief(report, before=last)}", nl=False)
    echo("\nMore")
    titles = " and ".join(shown.title for shown in (game, *others))
    commands = [*game.file.demo.then, ("assistant demo --all", f"the tour of {titles}")]
    column = max(len(command) for command, _ in commands)
    for command, what in commands:
        echo(f"    {command:<{column}}   {what}")
    command, shows = game.file.demo.try_this
    if command:
        echo(f"\nTry this: {shows}\n    {_format_command(command)}")


def _format_command(command: str) -> str:
    """Return a command as it can be copied: with the path of the program beside the one that runs now, if it is not
    found by name.
    """
    program, space, words = command.partition(" ")
    running = Path(sys.argv[0])
    beside = running.with_name(f"{program}{running.suffix}")
    return f"{beside}{space}{words}" if beside.is_file() and not which(program) else command


def _read_example(game: Game, file: str) -> tuple[Position, bytes]:
    """Return an example as somebody sees it who may see all, and the bytes of its file."""
    data = read_data(resolve_within(game.folder, file))
    position = read_position(file, data, games_beside(game), lambda game, state: reduce_state(game, state, UMPIRE))
    return position, data


def _show_tour(game: Game, name: str) -> None:
    """Print the tour of a game. name: what the command line calls it."""
    assert game.file.demo is not None
    echo(f"{game.title}: {game.file.demo.title}\n{game.file.about}")
    for file, about in game.file.demo.shows:
        echo(f"\n{'-' * 100}\n{about}\n")
        position, data = _read_example(game, file)
        asks = position.asks
        if file.endswith(".vsav"):
            asks = (Asked("check", {}), *asks)
        else:
            for line in data.decode("utf-8").splitlines():
                echo(f"    {line}")
        for asked in asks:
            echo(f"\n{ask(position, asked)}", nl=False)
    if game.file.module:
        built = load("module_builder.vassal.module:build_module")(
            game
        )  # only here: the tour in a minute makes no module
        echo(f"\n{'-' * 100}\nThe VASSAL module {game.file.module.name}: {built.in_words}.")
        echo(f"To write it to a file: module-builder module {name}")
