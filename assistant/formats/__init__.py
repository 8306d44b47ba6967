"""Files in which a state comes: position notation and JSON, and whatever plugins add.

A file gives a `Position`: the state, what is asked of it and the answers so far stay apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError, Where
from ..games import Game
from ..hookspecs import hookimpl
from ..state import GameState

LARGEST = 16 * 2**20
"""Bytes that a state's file may hold."""


class Asked(NamedTuple):
    """A question that a file asks, and its parameters as typed."""

    question: str
    parameters: Mapping[str, Any]


class Position(NamedTuple):
    """What a file holds: a state, the questions asked of it, the answers to their rolls and choices.

    marks: where each parameter ("at") and each answer ("crt") stands in the file.
    """

    game: Game
    state: GameState
    asks: tuple[Asked, ...] = ()
    answers: Mapping[str, str] = {}
    marks: Mapping[str, Where] = {}


class Format(NamedTuple):
    """One file format: its name, the endings of its files, and the reader.

    read: from the file's bytes, its name for messages and the loader of games; raises InputError with line and column.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, str, Callable[[str], Game]], Position]


@hookimpl
def register_formats(register: Callable[[Format], None]) -> None:
    from .json_state import FORMAT as json_state
    from .notation import FORMAT as notation

    register(notation)
    register(json_state)


def read_position(path: str, data: bytes | None = None) -> Position:
    """The position in a file, by its ending; `data` if it was read already (from standard input, say).

    Raises InputError for a file that is not there, too large, of no known format, or wrong inside.
    """
    from ..registry import formats, load_game

    if data is None:
        data = _bytes_of(Path(path))
    known = formats()
    suffix = Path(path).suffix.lower()
    for format in known:
        if suffix in format.suffixes:
            return format.read(data, path, load_game)
    endings = " ".join(sorted(suffix for format in known for suffix in format.suffixes))
    raise InputError(f"{suffix or 'no ending'} is no known kind of file", where=Where(path), hint=f"known: {endings}")


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(error.strerror or str(error), where=Where(str(path)), hint="check the path") from None
    if len(data) > LARGEST:
        raise InputError(f"larger than {LARGEST // 2**20} MiB", where=Where(str(path)), hint="this is no state")
    return data
