"""A folder with a small game that works at once, for its author to change."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from assistant.faces.cli.group import GameCommand
from assistant.installed.registry import game_id
from assistant.util.console import echo, format_count
from assistant.util.errors import InputError, Where
from assistant.util.files import read_own
from assistant.util.writing import clear_set, write_all

_ID_PLACEHOLDER = "@ID@"
_TITLE_PLACEHOLDER = "@TITLE@"


def check_new(folder: Path, hint: str = "name a new folder: nothing is overwritten") -> str:
    """Return the id of a game whose files are to be written into a new or empty folder.

    Raises InputError if the folder is not empty, or its name is not a valid game id.
    """
    id = game_id(folder)
    clear_set(folder)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise InputError("it already exists", where=Where(str(folder)), hint=hint)
    return id


def new_game(folder: Path, *, rules: bool = False) -> list[str]:
    """Write the files of a small game into a new or empty folder, and return their names.

    `rules`: whether `rules.toml` answers its questions, instead of `[combat]` in `game.toml` its combats alone.

    Raises InputError as `check_new`.
    """
    id = check_new(folder)
    title = " ".join(word.capitalize() for word in id.replace("_", "-").split("-"))
    texts = dict(_read_files(files(__package__).joinpath("template"), ""))
    if rules:
        texts |= _read_files(files(__package__).joinpath("template_rules"), "")
    made = {
        name: text.replace(_ID_PLACEHOLDER, id).replace(_TITLE_PLACEHOLDER, title).encode()
        for name, text in texts.items()
    }
    write_all(folder, made)
    return list(made)


def _read_files(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: (entry.is_dir(), entry.name)):
        if entry.is_dir():
            yield from _read_files(entry, f"{path}{entry.name}/")
        else:
            yield path + entry.name, read_own(entry).decode()


@click.command("new", cls=GameCommand)
@click.argument("folder", type=click.Path(path_type=Path, readable=False))
@click.option(
    "--rules", is_flag=True, help="With its rules as data, in rules.toml, which answer every common question."
)
def new(folder: Path, rules: bool) -> None:
    """Make a FOLDER with a small game that works at once, for you to change. The handbook's page "Your first game"
    starts here.
    """
    made = new_game(folder, rules=rules)
    echo(f"{folder}: {format_count(len(made), 'file')}; next: module-builder check {folder}")
