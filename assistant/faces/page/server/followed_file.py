"""The file that a table follows: what another program changes in it comes to the table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NamedTuple

from ....formats.positions import Position
from ....game.games import Game
from ....game.states import build_state
from ....service import read
from ....state.patches import patch_state
from ....util.errors import InputError, Where
from ....util.files import is_whole
from ...prompt.files import TableFile, table_file
from ..desk import own_name
from ..statements import LastStated, enter_lines, lines_to_state
from ..tables import OpenTables

EVERY = 0.5
"""Seconds between two looks at a file."""


Stamp = tuple[int, int] | None
"""What changes when a file is saved; None without one."""


class WatchedFile(NamedTuple):
    """A file that other programs may change."""

    file: Path
    work: Callable[[], object]
    """What brings the table up to date."""
    seen: Stamp
    """The stamp of the file as the table last saw it."""


async def changes(file: Path, seen: Stamp, every: float = EVERY) -> AsyncIterator[None]:
    """Yield each time that a file has been saved since it had a stamp; it does not end. A file that is still being
    written is waited for.
    """
    reported = seen
    before = stamp_of(file)
    while True:
        await asyncio.sleep(every)
        now = stamp_of(file)
        if now is not None and now != reported and now == before and is_whole(file):
            reported = now
            yield
        before = now


def stamp_of(file: Path) -> Stamp:
    """Return the stamp of a file as it is now."""
    try:
        about = file.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


class FollowedFile:
    """A position that another program writes: its table begins with it, and what changes in it is stated there. file: a
    position, a save, a log, or the kept table of the table prompt, which is never written; tables: where its table is.
    Raises InputError for a file that cannot be read.
    """

    def __init__(self, file: Path, game: Game, tables: OpenTables, load: Callable[[str], Game]) -> None:
        self.file = file
        self._game = game
        self._load = load
        self.seen: Stamp = None
        position = self._read()
        self.name = own_name(file)
        is_new = self.name not in tables.names()
        desk = tables.lay(self.name, game, position) if is_new else tables.desk(self.name)
        self._heard = LastStated(desk.file)
        if is_new:
            self._heard.write(position)

    def _read(self) -> Position:
        """Return the position in the file, without what it asks."""
        if self.file.resolve() == table_file(self._game.id).resolve():
            known = TableFile(self.file).read(self._load)
            position = known.position if known else Position(self._game, build_state(self._game))
        else:
            position = read(self.file, game=self._game)
        if position.game.id != self._game.id:
            raise InputError(
                f"this is a position of {position.game.id}", where=Where(str(self.file)), hint=f"not of {self._game.id}"
            )
        return Position(self._game, position.state)

    def take_in_changes(self, tables: OpenTables) -> None:
        """State at the table what has changed in the file.

        `tables`: where its table is now.

        Raises InputError if the file cannot be read, or a change cannot be stated.
        """
        desk = tables.desk(self.name)
        self.seen = stamp_of(self.file)  # before it is read: what is saved meanwhile is read again
        now = self._read()
        before = self._heard.read(self._load)
        state = desk.books.journal.position().state
        enter_lines(desk, lines_to_state(desk, patch_state(state, before or state, now.state)))
        self._heard.write(now)
