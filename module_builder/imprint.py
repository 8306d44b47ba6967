"""The imprint of a printed document: its maker, date and inks."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from assistant.drawing.pdf import Imprint
from assistant.drawing.press import PressProfile
from assistant.game.games import Game, pack_folder
from assistant.util.errors import InputError, Where, refuse_unread
from assistant.util.files import stamps

_EPOCH = "SOURCE_DATE_EPOCH"
_LAST_TIMESTAMP_SECONDS = 253_402_300_799  # the end of the year 9999


def imprint_of(game: Game, *, press: PressProfile | None = None) -> Imprint:
    """Return the imprint of a document made from a game.

    The date is that of the newest file of the game and of the owner's pack, or SOURCE_DATE_EPOCH, so that the same
    files make the same bytes.

    `press`: the profile of the press, or None for the colours of a screen.

    Raises InputError if SOURCE_DATE_EPOCH or the date of a file cannot be read.
    """
    return Imprint(game.file.author, _find_date(game), press)


def _find_date(game: Game) -> datetime | None:
    if stated := os.environ.get(_EPOCH, "").strip():
        if not (stated.isascii() and stated.isdecimal() and int(stated) <= _LAST_TIMESTAMP_SECONDS):
            hint = "write whole seconds since 1970, or unset it"
            raise InputError(f"{stated!r} is not a time", where=Where(_EPOCH), hint=hint)
        return datetime.fromtimestamp(int(stated), UTC)
    folders = [folder for folder in (game.folder, pack_folder(game.id)) if isinstance(folder, Path)]
    times = [time for folder in folders for time, _ in stamps(folder, refuse_unread).values()]
    return datetime.fromtimestamp(max(times) // 1_000_000_000, UTC) if times else None
