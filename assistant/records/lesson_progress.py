"""The lessons that the user has finished, in `lessons.json` of the data folder."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ..util.console import encode_json
from ..util.errors import InputError, Where
from ..util.files import data_folder, read_bytes


class Progress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `lessons.json`."""

    finished: dict[str, tuple[str, ...]] = {}
    """The numbers of finished lessons by game."""


def _find_file() -> Path:
    return data_folder() / "lessons.json"


def _read_all() -> dict[str, tuple[str, ...]]:
    file = _find_file()
    if not file.exists():
        return {}
    try:
        return msgspec.json.decode(read_bytes(file), type=Progress).finished
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "move the file away; the next finished lesson writes a new one"
        raise InputError(str(error), where=Where(str(file)), hint=hint) from None


def read_progress(game: str) -> tuple[str, ...]:
    """Return the numbers of the lessons of a game that the user has finished.

    Raises InputError if the file cannot be read.
    """
    return _read_all().get(game, ())


def save_finished(game: str, number: str) -> None:
    """Add a lesson to those that the user has finished. Raises InputError if the file cannot be written."""
    from ..util.writing import hold_folder, make_folder, write_whole  # imported late, as progress is mostly read

    make_folder(data_folder())
    with hold_folder(data_folder()):
        finished = _read_all()
        numbers = tuple(dict.fromkeys((*finished.get(game, ()), number)))
        write_whole(_find_file(), encode_json(Progress({**finished, game: numbers})) + b"\n", force=True)
