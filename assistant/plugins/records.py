"""How a game was played, read from whatever file tells it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..formats.positions import Cut, bytes_of
from ..formats.records import Record
from ..game.games import Game
from ..util.errors import InputError, Where
from .registry import formats


def read_record(path: str, load_game: Callable[[str], Game], cut: Cut) -> Record:
    """How a game was played, from a file of a format that tells it; the arguments are those of `read_position`.

    Raises InputError for a file that is missing, too large, of a format that does not tell it, or wrong inside.
    """
    if path == "-":
        raise InputError("a log is not read from standard input", where=Where("-"), hint="name its file")
    telling = [file_format for file_format in formats() if file_format.read_record is not None]
    data, suffix = bytes_of(Path(path), formats()), Path(path).suffix.lower()
    for file_format in telling:
        if suffix in file_format.suffixes and file_format.read_record is not None:
            record = file_format.read_record(data, path, load_game, cut)
            if isinstance(record, Record):
                return record
    endings = " ".join(sorted(suffix for file_format in telling for suffix in file_format.suffixes))
    kind = f"a {suffix} file" if suffix else "a file without an ending"
    raise InputError(f"{kind} does not record how a game was played", where=Where(path), hint=f"known: {endings}")
