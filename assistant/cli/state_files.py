"""The file of a position as a command names it: by its path, or as an example of an installed game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..util.errors import InputError, Where, suggested

if TYPE_CHECKING:
    from ..game.games import Game

EXAMPLE = "example:"
"""What stands before the name of an example: `example:battle`, `example:kai/battle`."""
POSITION = ".pos"


class StateFile(click.ParamType):  # type: ignore[type-arg]  # older versions of click take no argument there
    """The argument STATE: a path, an example or `-` for standard input."""

    name = "state"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path of the file."""
        return file_of(str(value))


def file_of(state: str) -> str:
    """The path of a position's file, that of an example by its name. Raises InputError if there is no such example, and
    for a position that is not there.
    """
    if state.startswith(EXAMPLE):
        return _example(state)
    if state.endswith(POSITION):
        try:
            os.lstat(state)
        except FileNotFoundError:
            names = _names(_tour_games())[:3]
            hint = f"check the path, or try an example: {', '.join(names)}" if names else "check the path"
            raise InputError("No such file or directory", where=Where(state), hint=hint) from None
        except OSError:  # told by whoever reads it
            pass
    return state


def _example(state: str) -> str:
    """The path of `example:NAME` or `example:GAME/NAME`."""
    from ..plugins.registry import installed_games, load_game, named_game

    named, slash, name = state.removeprefix(EXAMPLE).rpartition("/")
    games = [named_game(named)] if slash else [*_tour_games(), *map(load_game, installed_games())]
    for game in games:
        for file in _examples(game):
            if name in (file.stem, file.name):
                return str(file)
    raise InputError(f"there is no {state}", hint=suggested(state, _names(games, f"{named}{slash}")))


def _tour_games() -> list[Game]:
    """The installed games that `assistant demo` shows by itself."""
    from ..plugins.registry import installed_games, load_game

    return [game for game in map(load_game, installed_games()) if game.file.demo and game.file.demo.brief]


def _examples(game: Game) -> Iterator[Path]:
    """The files of a game's examples, positions first."""
    folder = game.folder.joinpath("examples")
    if isinstance(folder, Path) and folder.is_dir():
        yield from sorted(folder.iterdir(), key=lambda file: (file.suffix != POSITION, file.name))


def _names(games: list[Game], named: str = "") -> list[str]:
    """The examples of games by name. named: what stands before each, such as the game as it was typed."""
    files = dict.fromkeys(
        file.stem if file.suffix == POSITION else file.name for game in games for file in _examples(game)
    )
    return [f"{EXAMPLE}{named}{name}" for name in files]
