"""The table and its seats: lines are entered one after the other, questions are answered beside the table, and each
seat hears when what it shows has changed.

A line that asks something new is entered once its answer is there; one that changes something at once, and an answer
that it leaves open is shown later.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec

from ....util.background import AtHand, NotYet, Work, using
from ....util.errors import InputError
from ..desk import PageDesk
from ..messages.requests import (
    AnyRequest,
    AtTable,
    BeginFromRequest,
    BeginRequest,
    BoardRequest,
    DeletePhotoRequest,
    DeleteRequest,
    EnterRequest,
    FitPhotoRequest,
    GetPhotoRequest,
    GiveSaveRequest,
    GroundRequest,
    ListGamesRequest,
    ListPhotosRequest,
    MeasurePictureRequest,
    OpenLinkRequest,
    PackInRequest,
    PackOutRequest,
    PaintRequest,
    PutPhotoRequest,
    Reading,
    ReadSaveRequest,
    RestoreRequest,
    ShowTableRequest,
    TileRequest,
    WriteCellsRequest,
    WriteCounterRequest,
)
from ..messages.table import Refused, TableShown
from ..messages.words import GamesListed
from ..respond import failure_of, read_request, reply
from ..table_view import show_error
from ..tables import OpenTables
from .seats import Seat
from .workers import Turns, Workers, hand_over

T = TypeVar("T")

_OF_OWNER = (ListPhotosRequest, MeasurePictureRequest, GetPhotoRequest, GroundRequest, GiveSaveRequest)
"""What only the owner is shown, and changes nothing."""
_KEEPS = (
    BeginRequest,
    DeleteRequest,
    OpenLinkRequest,
    ReadSaveRequest,
    BeginFromRequest,
    WriteCellsRequest,
    WriteCounterRequest,
    PackInRequest,
    PackOutRequest,
    PutPhotoRequest,
    DeletePhotoRequest,
    FitPhotoRequest,
    PaintRequest,
    RestoreRequest,
)
"""What keeps more on the laptop than what happens at its table."""
_AT_LAPTOP = (*_KEEPS, *_OF_OWNER)
"""What a player may not ask."""
_MOST_WAITING = 32
"""How many requests of a session wait for their answer at most."""
_TRIES = 8
"""How often a line is entered at most until it lacks no answer."""
_WAITS = 2
"""How often its new question waits for its answer, as the table may change meanwhile; then it is asked without."""
_PATIENCE = 0.5
"""How many seconds the response to a line waits for the answer to a question that it leaves open."""
_AT_HAND = 16
"""How many answers are kept, in case that they are asked for again."""
_MOST_LISTENERS = 8
"""How many pages of a session listen at most."""
_OWN = ""
"""In place of a link, for what the table does unasked."""


class Crowded(Exception):
    """Too many requests of a session wait, or too many of its pages listen."""


_Version = tuple[PageDesk, int] | None
"""A table, and how often it has changed; None for one that cannot be read."""


class _Versioned(NamedTuple):
    """What a seat is shown of the table, or what of it is handed over."""

    version: _Version
    """The version of the table when this was worked out."""
    table: bytes


class TableRoom:
    """A table and who looks at it. table: its name, "" where no table is shared and each seat has those that it opens;
    tables: by the path of each seat, the tables as it sees them.
    """

    def __init__(self, table: str, tables: Mapping[str, OpenTables]) -> None:
        self.table = table
        self.tables = tables
        self._thread = ThreadPoolExecutor(1, "table")  # one: a line is entered where the one before it left the table
        self.workers = Workers()
        self.patience = _PATIENCE
        self._at_table = Turns(1)
        self._at_hand = AtHand(_AT_HAND)
        # the work that the open question of a table waits for, and the task that does it
        self._awaited: dict[PageDesk, tuple[Work, asyncio.Task[None]]] = {}
        self._waiting = Counter[str]()
        self._listening = Counter[str]()
        self._is_told = True
        self._shown: dict[tuple[str, str], _Versioned] = {}
        self._told: dict[str, Mapping[str, bytes]] = {}
        self._handed: dict[str, _Versioned] = {}
        self._listeners: dict[str, set[asyncio.Event]] = {path: set() for path in tables}
        self._telling: asyncio.Task[None] | None = None

    def close(self) -> None:
        """Answer nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self.workers.close()

    def admit(self, session: str) -> AbstractContextManager[None]:
        """Let a request of a session in, from before it is read until it is answered. Raises Crowded if too many of it
        wait.
        """
        return _count_in(self._waiting, session, _MOST_WAITING)

    async def respond(self, seat: Seat, request: bytes) -> bytes:
        """Return the response to a request of a seat. If nobody waits for it any longer, what has not begun is not
        begun, and what only reads ends.
        """
        asked = read_request(request)
        if not seat.here and (refusal := self._refusal(asked)) is not None:
            return msgspec.json.encode(refusal)
        if not seat.here and isinstance(asked, BoardRequest | TileRequest):
            asked = msgspec.structs.replace(asked, photo="")  # which hexes it shows is the owner's too
        if isinstance(asked, DeleteRequest) and self.table and asked.table == self.table:
            return msgspec.json.encode(Refused(what="this table is being served", hint="stop the server first"))
        if isinstance(asked, Reading):
            return await self._read(seat.path, asked)
        if isinstance(asked, EnterRequest):
            return msgspec.json.encode(await self._enter(seat.path, asked))
        return await self._in_turn(seat.path, self._answer, seat.path, asked, changes=isinstance(asked, _KEEPS))

    async def _read(self, path: str, asked: Reading) -> bytes:
        """Return the response to a request that only reads, from another process."""

        async def question() -> tuple[bytes, Reading]:
            return await self._in_turn(path, self._hand_over, path, asked.table), asked

        try:
            response: bytes = await self.workers.answer(path, question)
        except InputError as error:
            return msgspec.json.encode(show_error(error))
        return response

    async def _enter(self, path: str, asked: EnterRequest) -> TableShown | Refused:
        """Return the table after a line, with the answer to its question if that is there soon."""
        known = list[tuple[Work, Any]]()
        for tried in range(_TRIES):
            attempt = partial(self._try, path, asked, known, waits=tried < _WAITS)
            entered = await self._in_turn(path, attempt, changes=True)
            if not isinstance(entered, NotYet):
                break
            try:
                known.append((entered.work, await self.workers.work_out(path, entered.work)))
            except InputError as error:
                return show_error(error)
        if isinstance(entered, NotYet):
            return show_error(failure_of(entered, "Enter"))
        if isinstance(entered, Refused):
            return entered
        desk, shown = entered
        if (awaited := self._awaited.get(desk)) is None:
            return shown
        _, working = awaited
        await asyncio.wait([working], timeout=self.patience)
        try:
            now = await self._in_turn(path, desk.show)
        except Exception as error:  # the line is entered all the same
            failure_of(error, "Look")
            return shown
        return msgspec.structs.replace(now, said=shown.said, held=shown.held, refused=shown.refused)

    def _try(
        self, path: str, asked: EnterRequest, known: Sequence[tuple[Work, Any]], *, waits: bool
    ) -> tuple[PageDesk, TableShown] | Refused | NotYet:
        """Return a table after a line; NotYet if it is not entered, as an answer has to be there first. known: what was
        worked out for it.
        """
        for work, made in known:
            self._at_hand.put(work, made)
        try:
            with using(self._at_hand, waits=waits):
                desk = self.tables[path].desk(asked.table)
                return desk, desk.enter(asked)
        except NotYet as answer:
            return answer
        except Exception as error:
            return show_error(failure_of(error, "Enter"))

    async def _in_turn(self, link: str, work: Callable[..., T], *arguments: object, changes: bool = False) -> T:
        """Do something with the table when it is the turn of a link: nothing else comes there. What has begun is done
        even if nobody waits for it any longer. Afterwards the answers that tables await are worked out. changes:
        whether it may change a table.
        """
        await self._at_table.come(link)
        answer = asyncio.ensure_future(self._do(work, arguments))

        def pass_on(_: asyncio.Future[T]) -> None:
            self._at_table.pass_on()
            if changes:
                self.changed()

        answer.add_done_callback(pass_on)
        return await asyncio.shield(answer)

    def _refusal(self, asked: AnyRequest | Refused) -> msgspec.Struct | None:
        """Return what a player is answered to what it may not ask; None for what it may, and for what cannot be
        read.
        """
        if isinstance(asked, ListGamesRequest):
            return GamesListed(games=(), tables=(self.table,))
        if isinstance(asked, _AT_LAPTOP):
            return Refused(what="this is done at the laptop", hint="open the laptop's own link there")
        if isinstance(asked, AtTable) and asked.table != self.table:
            return Refused(what="this link opens another table", hint=f"its name is {self.table}")
        return None

    async def _do(self, work: Callable[..., T], arguments: tuple[object, ...]) -> T:
        """Do something with the table in its thread, and have what is awaited then worked out."""
        made, awaited = await asyncio.get_running_loop().run_in_executor(self._thread, self._do_here, work, arguments)
        self._await_answers(awaited)
        return made

    def _do_here(
        self, work: Callable[..., T], arguments: tuple[object, ...]
    ) -> tuple[T, dict[PageDesk, tuple[str, Work]]]:
        """Do something, and see which tables await an answer then: through which seat, and what has to be done for
        it.
        """
        with using(self._at_hand):
            made = work(*arguments)
            awaited = dict[PageDesk, tuple[str, Work]]()
            for path, tables in self.tables.items():
                for desk in tables.opened():
                    try:
                        desk.catch_up()
                    except Exception as error:  # who asks for that table is answered why
                        failure_of(error, "Look")
                        continue
                    if desk.awaited:
                        awaited.setdefault(desk, (path, desk.awaited))
        return made, awaited

    def _await_answers(self, awaited: Mapping[PageDesk, tuple[str, Work]]) -> None:
        """Have what tables await worked out, and nothing else for them any longer."""
        for desk, (work, working) in [*self._awaited.items()]:
            if desk not in awaited or awaited[desk][1] != work or working.done():
                del self._awaited[desk]
                working.cancel()
        for desk, (path, work) in awaited.items():
            if desk not in self._awaited:
                self._awaited[desk] = work, asyncio.create_task(self._answer_open(path, work))

    async def _answer_open(self, path: str, work: Work) -> None:
        """Have the answer to the question that a table leaves open worked out, and show it there."""
        failed = False
        try:
            made = await self.workers.work_out(path, work)
        except InputError as error:
            made = error
            failed = True
        try:
            await self._in_turn(_OWN, self._at_hand.put, work, made, changes=True)
        finally:
            if failed:  # another time it may not
                self._at_hand.forget(work)

    def _answer(self, path: str, asked: AnyRequest | Refused) -> bytes:
        if isinstance(asked, ShowTableRequest):
            return self._look_at(path, asked.table)
        return reply(self.tables[path], asked)

    def _look_at(self, path: str, name: str) -> bytes:
        """Return what a seat is shown of a table, worked out once each time that this has become another."""
        shown = self._shown.get((path, name))
        version = self._version(path, name)
        if version is None or shown is None or shown.version != version:
            shown = _Versioned(version, reply(self.tables[path], ShowTableRequest(table=name)))
            if version is not None:
                self._shown[path, name] = shown
        return shown.table

    def _look_at_all(self, path: str) -> Mapping[str, bytes]:
        """Return what a seat is shown of the table that is shared, and of each other that it has opened."""
        shared = [self.table] if self.table else []
        opened = [desk.name for desk in self.tables[path].opened()]
        self._told[path] = {name: self._look_at(path, name) for name in (*shared, *opened)}
        return self._told[path]

    def _hand_over(self, path: str, name: str) -> bytes:
        """Return a table of a seat as another process can take it, worked out once each time that this has become
        another.
        """
        desk = self.tables[path].desk(name)
        handed = self._handed.get(path)
        if handed is None or handed.version != (desk, desk.changes):
            handed = self._handed[path] = _Versioned((desk, desk.changes), hand_over(desk.standing))
        return handed.table

    def _version(self, path: str, name: str) -> _Version:
        try:
            desk = self.tables[path].desk(name)
        except Exception:  # the response to a look says why
            return None
        return desk, desk.changes

    async def renew(self, work: Callable[[], object] = lambda: None) -> None:
        """Look at the table again, as something else may have changed it. work: what brings it up to date."""
        await self._in_turn(_OWN, work, changes=True)

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
                    await self._in_turn(_OWN, self._look_at_all, path)
                for listener in listeners:
                    listener.set()

    @property
    def is_heard(self) -> bool:
        """Whether a page listens."""
        return any(self._listeners.values())

    async def listen(self, seat: Seat, session: str, heartbeat: float) -> AsyncGenerator[bytes | None]:
        """Yield what a seat is shown of the table and of each other that it has opened: now, and each time that this
        has changed; None for none, and after a while without a visible change.

        heartbeat: that while in seconds. Raises Crowded at first if too many pages of the session listen.
        """
        path = seat.path
        listener = asyncio.Event()
        last = dict[str, bytes]()
        with _count_in(self._listening, session, _MOST_LISTENERS):
            self._listeners[path].add(listener)
            try:
                if not await self._in_turn(path, self._look_at_all, path):
                    yield None
                now = asyncio.get_running_loop().time
                due = now() + heartbeat
                while True:
                    before = last
                    last = dict(self._told[path])
                    for name, table in last.items():
                        if table != before.get(name):
                            due = now() + heartbeat
                            yield table
                    try:
                        await asyncio.wait_for(listener.wait(), due - now())
                    except TimeoutError:
                        due = now() + heartbeat
                        yield None
                    listener.clear()
            finally:
                self._listeners[path].discard(listener)


@contextmanager
def _count_in(counts: Counter[str], session: str, most: int) -> Iterator[None]:
    """Count something of a session while it lasts. Raises Crowded if there would be more than `most`."""
    if counts[session] >= most:
        raise Crowded
    counts[session] += 1
    try:
        yield
    finally:
        counts[session] -= 1
        if not counts[session]:
            del counts[session]
