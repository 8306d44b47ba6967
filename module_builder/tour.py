"""The command `assistant demo`: the tour of the installed games."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple

import click

from assistant.asking.placeholders import list_stand_ins
from assistant.asking.report import Report, to_brief
from assistant.asking.wrapping import wrap_text
from assistant.formats.positions import Asked, Position
from assistant.game.gamefile import Demo
from assistant.game.games import Game
from assistant.game.viewpoint import reduce_state
from assistant.installed.formats import read_position
from assistant.installed.registry import installed_games, make_game_loader, named_game
from assistant.service import ask
from assistant.state.state import UMPIRE
from assistant.util.console import echo
from assistant.util.datafiles import read_data, resolve_within
from assistant.util.errors import InputError
from assistant.util.late import load

_WIDTH = 100
"""The columns of the tour."""


@click.command()
@click.argument("game", required=False)
@click.option("--all", "whole", is_flag=True, help="All examples, with full workings and the module's contents.")
def demo(game: str | None, whole: bool) -> None:
    """What the assistant answers, in a minute: battles before the dice and after them, and a supply line. With a GAME
    that has a tour, or --all, every example with full workings.
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
        where = f"{game} has no tour" if game else "no installed game has a tour"
        raise InputError(
            where, hint=f"its questions: assistant questions {game}" if game else "install a game that has one"
        )
    if not (game or whole) and any(each.brief for each in _demos(shown)):
        _show_minute(shown)
        return
    for number, toured in enumerate(shown):
        if number:
            echo(f"\n{'=' * _WIDTH}\n")
        _show_tour(toured, game or toured.id)


def _demos(games: Iterable[Game]) -> Iterator[Demo]:
    return (game.file.demo for game in games if game.file.demo)


class BriefExample(NamedTuple):
    """An example of the tour in a minute, with the answers to its questions."""

    about: str
    typed: list[str]
    reports: list[Report[Any]]


def _show_minute(games: Sequence[Game]) -> None:
    """Print the brief examples of games, first those whose answers rest on printed charts alone."""
    briefs = [(game, list(_answer_brief(game))) for game in games]
    briefs.sort(key=lambda brief: _rests_on_charts(brief[1]))
    for game, examples in briefs:
        if examples:
            echo("\n".join(wrap_text(f"{game.title}: {game.file.about}", _WIDTH)))
            _show_brief(examples)
            echo()
    echo("More")
    commands = [
        *chain.from_iterable(demo.then for demo in _demos(games)),
        ("assistant demo --all", f"the tour of {len(games)} games, with full workings"),
    ]
    column = max(len(command) for command, _ in commands)
    for command, what in commands:
        echo("\n".join(wrap_text(what, _WIDTH, f"    {command:<{column}}   ", typed=True)))
    for command, shows in (demo.try_this for demo in _demos(games)):
        if command:
            echo(f"\nTry this: {shows}\n    {_format_command(command)}")


def _answer_brief(game: Game) -> Iterator[BriefExample]:
    for file, about in game.file.demo.brief if game.file.demo else ():
        position, data = _read_example(game, file)
        reports = [ask(position, asked) for asked in position.asks]
        yield BriefExample(about, data.decode("utf-8").splitlines(), reports)


def _rests_on_charts(examples: Iterable[BriefExample]) -> bool:
    return any("charts" in list_stand_ins(report.rests_on) for example in examples for report in example.reports)


def _show_brief(examples: Iterable[BriefExample]) -> None:
    """Print examples. An example that continues the one before it shows only what is new."""
    before: list[str] = []
    last: Report[Any] | None = None
    for about, typed, reports in examples:
        echo("\n" + "\n".join(wrap_text(about, _WIDTH)))
        goes_on = not set(before).isdisjoint(typed[1:])
        for line in typed:
            if not goes_on or line not in before:
                echo(f"    {line}")
        for report in reports:
            echo(f"\n{to_brief(report, before=last)}", nl=False)
            last = report
        before = typed


def _format_command(command: str) -> str:
    """Return a command to copy, with the path of this program if it is not found by name."""
    program, space, words = command.partition(" ")
    running = Path(sys.argv[0])
    beside = running.with_name(f"{program}{running.suffix}")
    return f"{beside}{space}{words}" if beside.is_file() and not which(program) else command


def _read_example(game: Game, file: str) -> tuple[Position, bytes]:
    data = read_data(resolve_within(game.folder, file))
    position = read_position(file, data, make_game_loader(game), lambda game, state: reduce_state(game, state, UMPIRE))
    return position, data


def _show_tour(game: Game, name: str) -> None:
    assert game.file.demo is not None
    echo(f"{game.title}: {game.file.demo.title}\n{game.file.about}")
    for file, about in game.file.demo.shows:
        echo(f"\n{'-' * _WIDTH}\n{about}\n")
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
        # Loaded only here, because the short tour makes no module.
        built = load("module_builder.vassal.module:build_module")(game)
        echo(f"\n{'-' * _WIDTH}\nThe VASSAL module {game.file.module.name}: {built.in_words}.")
        echo(f"To write it to a file: module-builder module {name}")
