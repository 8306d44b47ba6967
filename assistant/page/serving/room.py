"""The table and its seats: requests are answered one after the other, and each seat hears when what it shows has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import msgspec

from ...util.errors import InputError
from ..desk import Desk, OpenTables
from ..messages.requests import (
    AnyRequest,
    AtTable,
    Begin,
    BoardShape,
    Delete,
    DeletePhoto,
    Enter,
    FitPhoto,
    GetPhoto,
    Ground,
    KeepCells,
    KeepCounter,
    ListGames,
    ListPhotos,
    Look,
    MeasurePicture,
    OpenLink,
    PackIn,
    PackOut,
    Paint,
    PutPhoto,
    Restore,
    Tile,
)
from ..messages.table import Refused
from ..messages.words import GamesListed
from ..respond import read_request, reply
from .seats import Seat

T = TypeVar("T")

_OF_OWNER = (ListPhotos, MeasurePicture, GetPhoto, Ground)
"""What only the owner is shown, and changes nothing."""
_KEEPS = (
    Begin,
    Delete,
    OpenLink,
    KeepCells,
    KeepCounter,
    PackIn,
    PackOut,
    PutPhoto,
    DeletePhoto,
    FitPhoto,
    Paint,
    Restore,
)
"""What keeps more on the laptop than what happens at its table."""
_AT_LAPTOP = (*_KEEPS, *_OF_OWNER)
"""What a player may not ask."""
_CHANGES = (Enter, *_KEEPS)
"""What may change a table; all else reads."""
_MOST_WAITING = 64
"""How many requests wait for their answer at most."""
_MOST_LISTENERS = 32
"""How many listen at one seat at most."""


class Crowded(Exception):
    """Too many requests wait, or too many listen."""


_Version = tuple[Desk, int] | None
"""A table, and how often it has changed; None for one that cannot be read."""


class _ShownTable(NamedTuple):
    """What a seat is shown of the table. version: of the table when this was worked out."""

    version: _Version
    table: bytes


class Room:
    """A table and who looks at it. table: its name; tables: by the path of each seat, the tables as it sees them."""

    def __init__(self, table: str, tables: Mapping[str, OpenTables]) -> None:
        self.table, self.tables = table, tables
        self._thread = ThreadPoolExecutor(1, "table")  # one: a line is entered where the one before it left the table
        self._waiting = 0
        self._is_told = True
        self._shown: dict[str, _ShownTable] = {}
        self._listeners: dict[str, set[asyncio.Event]] = {path: set() for path in tables}
        self._look = Look(table=table)
        self._telling: asyncio.Task[None] | None = None

    def close(self) -> None:
        """Answer nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def respond(self, seat: Seat, request: bytes) -> bytes:
        """The response to a request of a seat. Raises Crowded if too many wait."""
        asked = read_request(request)
        if not seat.here and (refusal := self._refusal(asked)) is not None:
            return msgspec.json.encode(refusal)
        if not seat.here and isinstance(asked, BoardShape | Tile):
            asked = msgspec.structs.replace(asked, photo="")  # which hexes it shows is the owner's too
        if isinstance(asked, Delete) and asked.table == self.table:
            return msgspec.json.encode(Refused(what="this table is being served", hint="stop the server first"))
        if self._waiting >= _MOST_WAITING:
            raise Crowded
        self._waiting += 1
        try:
            return await self.do(self._answer, seat.path, asked)
        finally:
            self._waiting -= 1
            if isinstance(asked, _CHANGES):
                self.changed()

    def _refusal(self, asked: AnyRequest | Refused) -> msgspec.Struct | None:
        """What a player is answered to what it may not ask; None for what it may, and for what cannot be read."""
        if isinstance(asked, ListGames):
            return GamesListed(games=(), tables=(self.table,))
        if isinstance(asked, _AT_LAPTOP):
            return Refused(what="this is done at the laptop", hint="open the laptop's own link there")
        if isinstance(asked, AtTable) and asked.table != self.table:
            return Refused(what="this link opens another table", hint=f"its name is {self.table}")
        return None

    async def do(self, work: Callable[..., T], *arguments: object) -> T:
        """Do something with the table, when what was asked before is done."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def _answer(self, path: str, asked: AnyRequest | Refused) -> bytes:
        if isinstance(asked, Look) and asked.table == self.table:
            return self._look_at(path)
        return reply(self.tables[path], asked)

    def _look_at(self, path: str) -> bytes:
        """What a seat is shown of the table, worked out once each time that this has become another."""
        shown, version = self._shown.get(path), self._version(path)
        if shown is None or version is None or shown.version != version:
            shown = self._shown[path] = _ShownTable(version, reply(self.tables[path], self._look))
        return shown.table

    def _version(self, path: str) -> _Version:
        try:
            desk = self.tables[path].desk(self.table)
        except InputError:
            return None
        return desk, desk.changes

    # --- what is told without being asked ---

    async def renew(self, work: Callable[[], object] = lambda: None) -> None:
        """Look at the table again, as something else may have changed it. work: what brings it up to date."""
        await self.do(work)
        self.changed()

    def changed(self) -> None:
        """Tell who listens, as soon as it is known what each seat is shown."""
        self._is_told = False
        if self._telling is None or self._telling.done():
            self._telling = asyncio.get_running_loop().create_task(self._tell())

    async def _tell(self) -> None:
        while not self._is_told:  # what changes meanwhile is told of too
            self._is_told = True
            for path, listeners in self._listeners.items():
                if listeners:
                    await self.do(self._look_at, path)
                for listener in listeners:
                    listener.set()

    def listen(self, seat: Seat, heartbeat: float) -> AsyncGenerator[bytes | None]:
        """What a seat is shown of the table, as a look is answered: now and each time that this has changed; None after a
        while without a change that it shows, whatever else changes. heartbeat: that while in seconds. Raises Crowded if too many listen.
        """
        if len(self._listeners[seat.path]) >= _MOST_LISTENERS:
            raise Crowded
        return self._events(seat.path, heartbeat)

    async def _events(self, path: str, heartbeat: float) -> AsyncGenerator[bytes | None]:
        listener, last = asyncio.Event(), b""
        self._listeners[path].add(listener)
        try:
            await self.do(self._look_at, path)
            now = asyncio.get_running_loop().time
            due = now() + heartbeat
            while True:
                if (table := self._shown[path].table) != last:
                    last, due = table, now() + heartbeat
                    yield table
                try:
                    await asyncio.wait_for(listener.wait(), due - now())
                except TimeoutError:
                    due = now() + heartbeat
                    yield None
                listener.clear()
        finally:
            self._listeners[path].discard(listener)
