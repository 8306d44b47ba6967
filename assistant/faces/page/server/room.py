"""A table and its seats, at which lines are entered in turn and questions answered in other processes.

Each seat is told when its view has changed. A line that asks a new question is entered once the answer is computed. A
line that changes the table is entered at once, and an answer that it leaves open is shown later.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec

from ....util.background import AtHand, NotYet, Work, using
from ....util.errors import InputError
from ..desk import PageDesk
from ..messages.requests import (
    AnyRequest,
    AtPassage,
    AtTable,
    BeginFromRequest,
    BeginRequest,
    BoardRequest,
    CountPassagesRequest,
    DeletePhotoRequest,
    DeleteRequest,
    EnterRequest,
    FitPhotoRequest,
    GetPhotoRequest,
    GiveSaveRequest,
    GroundRequest,
    LessonRequest,
    ListGamesRequest,
    ListLessonsRequest,
    ListPhotosRequest,
    ListPromptRequest,
    LuckRequest,
    MeasurePictureRequest,
    OpenLinkRequest,
    OpenPromptRequest,
    PackInRequest,
    PackOutRequest,
    PaintRequest,
    PictureGameRequest,
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

_OWNER_READS = (
    ListPhotosRequest,
    MeasurePictureRequest,
    GetPhotoRequest,
    GroundRequest,
    GiveSaveRequest,
    ListLessonsRequest,
    LessonRequest,
    ListPromptRequest,
    PictureGameRequest,
    LuckRequest,
)
"""The requests without changes that only the owner may make."""
_OWNER_WRITES = (
    BeginRequest,
    DeleteRequest,
    OpenLinkRequest,
    OpenPromptRequest,
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
"""The requests that write files on the laptop besides the table."""
_OWNER_REQUESTS = (*_OWNER_WRITES, *_OWNER_READS)
"""The requests that a player may not make."""
_MAX_REQUESTS_WAITING = 32
"""The maximum number of requests of a session that wait for their answer."""
_MAX_TRIES = 8
"""The maximum number of tries to enter a line, when answers must be computed first."""
_MAX_TRIES_WITH_ANSWER = 2
"""The number of these tries that also wait for the answer to the new question.

The table may change meanwhile, so that another answer is needed; the later tries ask without an answer.
"""
_PATIENCE_SECONDS = 0.5
"""The maximum time for which the response to a line waits for the answer to the question that it leaves open."""
_MAX_ANSWERS_KEPT = 16
"""The maximum number of answers that are cached."""
_MAX_LISTENERS = 8
"""The maximum number of pages of a session that listen."""
_NO_LINK = ""
"""The link of the server itself, for work that no seat has requested."""


class Crowded(Exception):
    """An error for too many waiting requests or pages of a session."""


_Version = tuple[PageDesk, int] | None
"""A table and the number of its changes so far, or None for an unreadable table."""


class _Versioned(NamedTuple):
    """A table as shown to a seat or sent to another process, with its version."""

    version: _Version
    table: bytes


class TableRoom:
    """A table and its seats.

    `table`: the name of the shared table, or "" if each seat opens its own.
    `tables`: the tables as each seat sees them, by the path of the seat.
    `thread`: the executor for the table's work, one call at a time, or None for a thread.
    `workers`: the processes beside the table, or None to begin them.
    """

    def __init__(
        self,
        table: str,
        tables: Mapping[str, OpenTables],
        *,
        thread: Executor | None = None,
        workers: Workers | None = None,
    ) -> None:
        self.table = table
        self.tables = tables
        # one thread, as each line needs the table after the line before
        self._thread = thread or ThreadPoolExecutor(1, "table")
        self.workers = workers or Workers()
        self.patience = _PATIENCE_SECONDS
        self._turns = Turns(1)
        self._answers = AtHand(_MAX_ANSWERS_KEPT)
        self._open_answers: dict[PageDesk, tuple[Work, asyncio.Task[None]]] = {}
        """The work that the open question of each table needs, and the task that does it."""
        self._waiting = Counter[str]()
        """The number of requests waiting for an answer, by session."""
        self._listening = Counter[str]()
        """The number of listening pages, by session."""
        self._shown: dict[tuple[str, str], _Versioned] = {}
        """The table as shown last, by the path of the seat and the name of the table."""
        self._shown_to_listeners: dict[str, Mapping[str, bytes]] = {}
        """The tables for the listening pages of a seat by name, by the path of the seat."""
        self._sent: dict[str, _Versioned] = {}
        """The table as sent last to another process, by the path of the seat."""
        self._listeners: dict[str, set[asyncio.Event]] = {path: set() for path in tables}
        """An event for each listening page, set when its tables may have changed, by the path of the seat."""
        self._has_unheard_change = False
        self._telling: asyncio.Task[None] | None = None

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        self.workers.close()

    def admit(self, session: str) -> AbstractContextManager[None]:
        """Count a request of a session from before it is read until it is answered.

        Raises Crowded if too many wait.
        """
        return _count_in(self._waiting, session, _MAX_REQUESTS_WAITING)

    async def respond(self, seat: Seat, request: bytes) -> bytes:
        """Return the response to a request of a seat.

        If the call is cancelled, waiting work is dropped, and work that only reads ends.
        """
        asked = read_request(request)
        if not seat.here and (refusal := self._refusal(asked)) is not None:
            return msgspec.json.encode(refusal)
        if not seat.here and isinstance(asked, BoardRequest | TileRequest):
            asked = msgspec.structs.replace(asked, photo="")  # only the owner may know which hexes a photo shows
        if isinstance(asked, DeleteRequest) and self.table and asked.table == self.table:
            return msgspec.json.encode(Refused(what="this table is being served", hint="stop the server first"))
        if isinstance(asked, LuckRequest) and self.table:  # it takes as long as all battles, and others would wait
            refused = Refused(what="luck is left out while the table is served", hint="ask `assistant luck FILE`")
            return msgspec.json.encode(refused)
        if isinstance(asked, CountPassagesRequest | AtPassage) and asked.log:
            try:
                await self._explain_log(seat.path, asked.table)
            except InputError as error:
                return msgspec.json.encode(show_error(error))
        if isinstance(asked, Reading):
            return await self._read(seat.path, asked)
        if isinstance(asked, EnterRequest):
            return msgspec.json.encode(await self._enter(seat.path, asked))
        return await self._do_in_turn(
            seat.path, self._answer, seat.path, asked, changes=isinstance(asked, _OWNER_WRITES)
        )

    async def _read(self, path: str, asked: Reading) -> bytes:
        async def prepare_question() -> tuple[bytes, Reading]:
            return await self._do_in_turn(path, self._write_for_process, path, asked), asked

        try:
            response: bytes = await self.workers.answer(path, prepare_question)
        except InputError as error:
            return msgspec.json.encode(show_error(error))
        return response

    async def _explain_log(self, path: str, table: str) -> None:
        """Have the log with which a table began explained in another process, unless its passages are known.

        Raises InputError if that takes too much time or memory.
        """
        work = await self._do_in_turn(path, self._find_log_work, path, CountPassagesRequest(table=table, log=True))
        if work is None:
            return
        try:
            result = await self.workers.work_out(path, work)
        except InputError as error:
            raise InputError(error.what, hint="`assistant explain FILE` explains a log of any length") from None
        await self._do_in_turn(path, self._answers.put, work, result)

    def _find_log_work(self, path: str, asked: CountPassagesRequest) -> Work | None:
        """Return the work that the passages of a table's log need, or None if they are known or there are none."""
        try:
            self.tables[path].desk(asked.table).count_passages(asked)
        except NotYet as missing:
            return missing.work
        except Exception:  # the request itself reports the error
            return None
        return None

    async def _enter(self, path: str, asked: EnterRequest) -> TableShown | Refused:
        """Enter a line and return the table after it, with the answer to its question if that is soon computed.

        If the line needs an answer first, that answer is computed, and the line is tried again.
        """
        worked_out = list[tuple[Work, Any]]()
        for tries in range(_MAX_TRIES):
            attempt = partial(self._try_line, path, asked, worked_out, waits=tries < _MAX_TRIES_WITH_ANSWER)
            entered = await self._do_in_turn(path, attempt, changes=True)
            if not isinstance(entered, NotYet):
                break
            try:
                worked_out.append((entered.work, await self.workers.work_out(path, entered.work)))
            except InputError as error:
                return show_error(error)
        if isinstance(entered, NotYet):
            return show_error(failure_of(entered, "Enter"))
        if isinstance(entered, Refused):
            return entered
        desk, shown = entered
        if (open_answer := self._open_answers.get(desk)) is None:
            return shown
        _, answering = open_answer
        await asyncio.wait([answering], timeout=self.patience)
        try:
            now = await self._do_in_turn(path, desk.show)
        except Exception as error:  # the line has been entered: only its answer is not shown yet
            failure_of(error, "Look")
            return shown
        return msgspec.structs.replace(now, said=shown.said, held=shown.held, refused=shown.refused)

    def _try_line(
        self, path: str, asked: EnterRequest, worked_out: Sequence[tuple[Work, Any]], *, waits: bool
    ) -> tuple[PageDesk, TableShown] | Refused | NotYet:
        """Return the table after a line, a refusal, or NotYet if the line needs an answer first and was not entered.

        `worked_out`: the results of the work that earlier tries needed.
        `waits`: whether a new question needs its answer before the line is entered.
        """
        for work, result in worked_out:
            self._answers.put(work, result)
        try:
            with using(self._answers, waits=waits):
                desk = self.tables[path].desk(asked.table)
                return desk, desk.enter(asked)
        except NotYet as answer:
            return answer
        except Exception as error:
            return show_error(failure_of(error, "Enter"))

    async def _do_in_turn(self, link: str, work: Callable[..., T], *arguments: object, changes: bool = False) -> T:
        """Call a function in the table's thread when it is the turn of a link, and return its result.

        Once begun, the call is finished even if this one is cancelled. Then the answers for which tables wait are
        computed.

        `changes`: whether the function may change a table.
        """
        await self._turns.come(link)
        answer = asyncio.ensure_future(self._do_in_thread(work, arguments))

        def pass_on(_: asyncio.Future[T]) -> None:
            self._turns.pass_on()
            if changes:
                self.changed()

        answer.add_done_callback(pass_on)
        return await asyncio.shield(answer)

    def _refusal(self, asked: AnyRequest | Refused) -> msgspec.Struct | None:
        if isinstance(asked, ListGamesRequest):
            return GamesListed(games=(), tables=(self.table,))
        if isinstance(asked, _OWNER_REQUESTS):
            return Refused(what="this is done at the laptop", hint="open the laptop's own link there")
        if isinstance(asked, AtTable) and asked.table != self.table:
            return Refused(what="this link opens another table", hint=f"its name is {self.table}")
        return None

    async def _do_in_thread(self, work: Callable[..., T], arguments: tuple[object, ...]) -> T:
        loop = asyncio.get_running_loop()
        result, awaited = await loop.run_in_executor(self._thread, self._do_and_catch_up, work, arguments)
        self._work_out_answers(awaited)
        return result

    def _do_and_catch_up(
        self, work: Callable[..., T], arguments: tuple[object, ...]
    ) -> tuple[T, dict[PageDesk, tuple[str, Work]]]:
        """Call a function, then let all open tables show their computed answers.

        Returns the result and, by table, a seat with that table open and the work that the open question needs.
        """
        with using(self._answers):
            result = work(*arguments)
            awaited = dict[PageDesk, tuple[str, Work]]()
            for path, tables in self.tables.items():
                for desk in tables.opened():
                    try:
                        desk.catch_up()
                    except Exception as error:  # a request for this table reports the error
                        failure_of(error, "Look")
                        continue
                    if desk.awaited:
                        awaited.setdefault(desk, (path, desk.awaited))
        return result, awaited

    def _work_out_answers(self, awaited: Mapping[PageDesk, tuple[str, Work]]) -> None:
        """Start the work for which tables wait, and cancel work that is no longer needed."""
        for desk, (work, answering) in [*self._open_answers.items()]:
            if desk not in awaited or awaited[desk][1] != work or answering.done():
                del self._open_answers[desk]
                answering.cancel()
        for desk, (path, work) in awaited.items():
            if desk not in self._open_answers:
                self._open_answers[desk] = work, asyncio.create_task(self._answer_open(path, work))

    async def _answer_open(self, path: str, work: Work) -> None:
        """Compute the answer to a table's open question, and let the table show it.

        An error is shown too, but not cached, since the work may succeed next time.
        """
        failed = False
        try:
            result = await self.workers.work_out(path, work)
        except InputError as error:
            result = error
            failed = True
        try:
            await self._do_in_turn(_NO_LINK, self._answers.put, work, result, changes=True)
        finally:
            if failed:
                self._answers.forget(work)

    def _answer(self, path: str, asked: AnyRequest | Refused) -> bytes:
        if isinstance(asked, ShowTableRequest):
            return self._show(path, asked.table)
        return reply(self.tables[path], asked)

    def _show(self, path: str, name: str) -> bytes:
        shown = self._shown.get((path, name))
        version = self._find_version(path, name)
        if version is None or shown is None or shown.version != version:
            shown = _Versioned(version, reply(self.tables[path], ShowTableRequest(table=name)))
            if version is not None:
                self._shown[path, name] = shown
        return shown.table

    def _show_all(self, path: str) -> Mapping[str, bytes]:
        """Return the shared table and the others that a seat has opened, by name, in the seat's view."""
        shared = [self.table] if self.table else []
        opened = [desk.name for desk in self.tables[path].opened()]
        self._shown_to_listeners[path] = {name: self._show(path, name) for name in (*shared, *opened)}
        return self._shown_to_listeners[path]

    def _write_for_process(self, path: str, asked: Reading) -> bytes:
        desk = self.tables[path].desk(asked.table)
        if isinstance(asked, AtPassage) and asked.passage is not None:
            return hand_over(desk.standing_at(asked))
        sent = self._sent.get(path)
        if sent is None or sent.version != (desk, desk.changes):
            sent = self._sent[path] = _Versioned((desk, desk.changes), hand_over(desk.standing))
        return sent.table

    def _find_version(self, path: str, name: str) -> _Version:
        try:
            desk = self.tables[path].desk(name)
        except Exception:  # a request for the table reports the error
            return None
        return desk, desk.changes

    async def renew(self, work: Callable[[], object] = lambda: None) -> None:
        """Call `work`, then check the tables for changes by other programs."""
        await self._do_in_turn(_NO_LINK, work, changes=True)

    def changed(self) -> None:
        self._has_unheard_change = True
        if self._telling is None or self._telling.done():
            self._telling = asyncio.get_running_loop().create_task(self._tell_listeners())

    async def _tell_listeners(self) -> None:
        while self._has_unheard_change:  # repeats if something has changed meanwhile
            self._has_unheard_change = False
            for path, listeners in self._listeners.items():
                if listeners:
                    await self._do_in_turn(_NO_LINK, self._show_all, path)
                for listener in listeners:
                    listener.set()

    @property
    def is_heard(self) -> bool:
        return any(self._listeners.values())

    async def listen(self, seat: Seat, session: str, heartbeat: float) -> AsyncGenerator[bytes | None]:
        """Yield each open table of a seat in the seat's view: at first, and after each change.

        Yields None if no table is open at first, and after each period without a visible change.

        `heartbeat`: the length of the period, in seconds.

        Raises Crowded at first if too many pages of the session listen.
        """
        path = seat.path
        listener = asyncio.Event()
        last = dict[str, bytes]()
        with _count_in(self._listening, session, _MAX_LISTENERS):
            self._listeners[path].add(listener)
            try:
                if not await self._do_in_turn(path, self._show_all, path):
                    yield None
                clock = asyncio.get_running_loop().time
                next_heartbeat = clock() + heartbeat
                while True:
                    before = last
                    last = dict(self._shown_to_listeners[path])
                    for name, table in last.items():
                        if table != before.get(name):
                            next_heartbeat = clock() + heartbeat
                            yield table
                    try:
                        await asyncio.wait_for(listener.wait(), next_heartbeat - clock())
                    except TimeoutError:
                        next_heartbeat = clock() + heartbeat
                        yield None
                    listener.clear()
            finally:
                self._listeners[path].discard(listener)


@contextmanager
def _count_in(counts: Counter[str], session: str, maximum: int) -> Iterator[None]:
    """Add 1 to the count of a session during the block.

    Raises Crowded at the maximum.
    """
    if counts[session] >= maximum:
        raise Crowded
    counts[session] += 1
    try:
        yield
    finally:
        counts[session] -= 1
        if not counts[session]:
            del counts[session]
