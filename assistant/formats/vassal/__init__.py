"""VASSAL's files: saves, logs and modules, read and written exactly; saves read as positions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...game.games import Game
from ...util.limits import TooMuch
from ..positions import Cut, Format, Position, Record


def _read(data: bytes, name: str, load_game: Callable[[str], Game], cut: Cut | None = None) -> Position:
    """A save as a position; its reader is imported when needed."""
    from .positions import read

    return read(data, name, load_game, cut)


def _read_record(data: bytes, name: str, load_game: Callable[[str], Game], cut: Cut | None = None) -> Record:
    """A log as a record of play; its reader is imported when needed."""
    from .recorded import read_record

    return read_record(data, name, load_game, cut)


def _read_at(data: bytes, name: str, load_game: Callable[[str], Game], moment: str, cut: Cut | None = None) -> Position:
    """The position at a moment of a log; its reader is imported when needed."""
    from .recorded import read_at

    return read_at(data, name, load_game, moment, cut)


SAVE, LOG = ".vsav", ".vlog"
"""How the names of saves and logs end."""


def _survey(error: TooMuch, path: Path) -> TooMuch:
    """The error for a file that is too large, with every limit that it exceeds."""
    from .containers import name_save_limits

    return name_save_limits(error, path)


ENDINGS = (SAVE, LOG, ".sav", ".log")
"""The endings that are read; the last two are those of old engines."""
FORMAT = Format("VASSAL save", ENDINGS, _read, _read, _read_record, _survey, _read_at)
