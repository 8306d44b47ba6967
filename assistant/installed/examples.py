"""The examples and set-ups that come with games, by name: `example:battle`, `example:kai/1914`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from ..util.errors import InputError, format_suggestion
from .formats import formats
from .registry import installed_games, load_game, named_game

if TYPE_CHECKING:
    from ..game.games import Game

EXAMPLE = "example:"
"""What stands before the name of an example or a set-up."""
POSITION = ".pos"
"""The ending of a position in notation, which an example's name leaves out."""


def example_file(named: str, find_game: Callable[[str], Game] | None = None) -> Path:
    """Return the path of `example:NAME` or `example:GAME/NAME`.

    find_game: what GAME stands for; by default any game that a command may name, be it in a folder, whose code is run
    then. Raises InputError if there is no such example.
    """
    game_named, slash, name = named.removeprefix(EXAMPLE).rpartition("/")
    games = [(find_game or named_game)(game_named)] if slash else []
    for game in games or chain(first_games(), map(load_game, installed_games())):
        for file in examples_of(game):
            if name in (file.stem, file.name):
                return file
    names = example_names(games or map(load_game, installed_games()), f"{game_named}{slash}")
    raise InputError(f"there is no {named}", hint=format_suggestion(named, names))


def first_games() -> Iterator[Game]:
    """Return the installed games with which the table page can begin: an example without a game is theirs first."""
    return (game for game in map(load_game, installed_games()) if game.file.start)


def examples_of(game: Game) -> Iterator[Path]:
    """Yield the files of a game's examples, positions in notation first, and those of its set-ups."""
    endings = {suffix for known in formats() for suffix in known.suffixes}
    for folder in (game.folder.joinpath(name) for name in ("examples", "setups")):
        if isinstance(folder, Path) and folder.is_dir():
            files = (file for file in folder.iterdir() if file.suffix in endings)
            yield from sorted(files, key=lambda file: (file.suffix != POSITION, file.name))


def example_names(games: Iterable[Game], named: str = "") -> list[str]:
    """Return the examples of games by name. named: what stands before each, such as the game as it was typed."""
    files = dict.fromkeys(
        file.stem if file.suffix == POSITION else file.name for game in games for file in examples_of(game)
    )
    return [f"{EXAMPLE}{named}{name}" for name in files]
