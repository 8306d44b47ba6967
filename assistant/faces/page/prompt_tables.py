"""The tables that the prompt has saved on this machine: listed beside those of the page, and continued there as copies."""

from __future__ import annotations

from itertools import count

from msgspec.structs import replace

from ...formats.positions import Position
from ...game.viewpoint import seen_as
from ...game.viewpoint_settings import read_viewpoints
from ...installed.registry import installed_games
from ...util.errors import InputError
from ..prompt.files import TableFile, table_file
from .desk import written_at
from .links import ask_first_question, begins_alike
from .messages.table import TableShown
from .messages.words import TableListed
from .tables import OpenTables, list_table


def list_prompts() -> tuple[str, ...]:
    """Return the games whose table at the prompt is saved on this machine."""
    return tuple(game for game in sorted(installed_games()) if table_file(game).is_file())


def describe_prompt(tables: OpenTables, game: str) -> TableListed:
    """Return the entry of a game's table at the prompt in a list.

    Raises InputError if there is no such table, or if it cannot be read.
    """
    position = _read_position(tables, game)
    listed = list_table(position, next(iter(position.asks), None))
    return replace(listed, written=written_at(table_file(game)))


def open_prompt(tables: OpenTables, game: str) -> TableShown:
    """Return a table that begins with the game's table at the prompt, with its open question.

    A table that has begun with the same position is opened again.

    Raises the errors of `describe_prompt` and `OpenTables.lay`.
    """
    position = _read_position(tables, game)
    start = replace(position, asks=(), answers={})
    for number in count(1):
        name = f"prompt-{game}-{number}"
        if name not in tables.names():
            desk = tables.lay(name, position.game, start)
            break
        if begins_alike(desk := tables.desk(name), start):
            break
    said = "This is a copy of the table at the prompt: what you enter here does not change that one"
    return replace(ask_first_question(desk, position), said=(said,))


def _read_position(tables: OpenTables, game: str) -> Position:
    """Return the position of a game's table at the prompt, as far as the player's own viewpoint may see it."""
    table = TableFile(table_file(game)).read(tables.game) if game in installed_games() else None
    if table is None:
        raise InputError("no table of the prompt is saved here", hint="`assistant table` begins one")
    position = table.position
    return position.with_state(seen_as(position.game, position.state, "", read_viewpoints()))
