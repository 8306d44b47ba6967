"""The processes beside the server, so that a slow question blocks nobody: turns, values to send, and answers."""

from __future__ import annotations

import asyncio
import io
import pickle
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

from ....asking.recent_answers import RecentAnswers
from ....game.games import Game, pack_folder
from ....installed.registry import named_game
from ....util.background import Work
from ....util.errors import InputError
from ....util.files import stamps
from ....util.processes import Crew, Ended
from ..desk import StandingTable
from ..messages.requests import Reading
from ..respond import answer_reading, failure_of, reply_safely
from ..tiles import Pictures, Recent

PROCESSES = 2
"""The number of processes, each of which answers one question at a time."""
MAX_ANSWER_SECONDS = 30.0
"""The maximum time for an answer."""
_MAX_MEMORY_BYTES = 2**30
"""The maximum memory for the data of a process."""
_MAX_VIEWPOINTS_KEPT = 4
"""The maximum number of viewpoints whose recent answers a process keeps."""
_ASK_LESS = "ask about less, such as one unit or one hex"
"""The hint if an answer takes too much time or memory."""

_Named = tuple[str, str]
"""A game in an encoded value: its name, and the stamps of its owner's pack."""
Question = tuple[bytes, Reading] | Work
"""A question for a process: a table as `hand_over` returns it with a request about it, or work."""


class Workers:
    """The processes beside the server, which answer a question of several requests only once."""

    def __init__(self) -> None:
        self._crew = Crew(WorkerReader(), PROCESSES, _MAX_MEMORY_BYTES)
        self._turns = Turns(PROCESSES)
        self._at_work: list[_Asked] = []

    def close(self) -> None:
        self._crew.close()

    async def answer(self, link: str, asking: Callable[[], Awaitable[Question]]) -> Any:
        """Return the response to a request, or the result of work, once it is the turn of a link.

        Work ends early if no request waits for it any longer.

        `asking`: returns the question as it is when the turn comes.

        Raises InputError if the answer takes too much time or memory, or fails otherwise.
        """
        try:
            return await self._answer(link, asking)
        except Exception as error:
            raise failure_of(error, "the work beside the table") from None

    async def _answer(self, link: str, asking: Callable[[], Awaitable[Question]]) -> Any:
        await self._turns.come(link)
        try:
            question = await asking()
            asked = next((asked for asked in self._at_work if asked.question == question), None)
        except BaseException:
            self._turns.pass_on()
            raise
        if asked:
            self._turns.pass_on()
        else:
            asked = _Asked(question, asyncio.create_task(self._work_on(question)))
            asked.answering.add_done_callback(lambda _: self._turns.pass_on())
            self._at_work.append(asked)
        asked.waiting += 1
        try:
            return await asyncio.shield(asked.answering)
        finally:
            asked.waiting -= 1
            if asked in self._at_work and (asked.answering.done() or not asked.waiting):
                self._at_work.remove(asked)
                asked.answering.cancel()

    async def work_out(self, link: str, work: Work) -> Any:
        async def asking() -> Work:
            return work

        return await self.answer(link, asking)

    async def _work_on(self, question: Question) -> Any:
        games = dict[str, Game]()
        put = write_value(question, games) if isinstance(question, Work) else question
        try:
            made = await self._crew.work_on(put, MAX_ANSWER_SECONDS)
        except TimeoutError:
            raise InputError(f"no answer within {MAX_ANSWER_SECONDS:g} seconds", hint=_ASK_LESS) from None
        if isinstance(made, Ended):
            raise InputError("the answer could not be finished; memory may have run out", hint=_ASK_LESS)
        return _read_value(made, lambda named: games[named[0]]) if isinstance(question, Work) else made


class _Asked:
    def __init__(self, question: Question, answering: asyncio.Task[Any]) -> None:
        self.question = question
        self.answering = answering
        self.waiting = 0  # the number of callers that wait for the answer


class Turns:
    """A queue for the use of a resource by a limited number of requests at once.

    The links take turns, so that no request waits for all requests of another link.
    """

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # by link; the first link has the next turn

    async def come(self, link: str) -> None:
        """Wait for the turn of a link, which `pass_on` ends."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(link, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._leave(link, turn)
            else:  # the turn has come just now
                self.pass_on()
            raise

    def pass_on(self) -> None:
        """End a turn, and begin the next one in the queue."""
        while self._waiting:
            link = next(iter(self._waiting))
            queue = self._waiting.pop(link)
            turn = queue.popleft()
            if queue:
                self._waiting[link] = queue  # this link goes behind the others
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _leave(self, link: str, turn: asyncio.Future[None]) -> None:
        if turn in (queue := self._waiting.get(link, deque())):
            queue.remove(turn)
            if not queue:
                del self._waiting[link]


def hand_over(table: StandingTable) -> bytes:
    """Return a table encoded as bytes for another process."""
    return write_value((table.position, table.answer, table.passage))


def write_value(value: object, games: dict[str, Game] | None = None) -> bytes:
    """Return a value encoded as bytes, with names and stamps in place of games.

    `games`: a dictionary to which each game is added by its name, or None.
    """
    written = io.BytesIO()
    _ValueWriter(written, {} if games is None else games).dump(value)
    return written.getvalue()


class _ValueWriter(pickle.Pickler):
    def __init__(self, written: io.BytesIO, games: dict[str, Game]) -> None:
        super().__init__(written, pickle.HIGHEST_PROTOCOL)
        self._games = games

    dispatch_table: Mapping[type, Callable[[Any], Any]] = {MappingProxyType: lambda read: (_read_only, (dict(read),))}

    def persistent_id(self, value: object) -> object:
        if not isinstance(value, Game):
            return None
        name = value.home or value.id
        self._games[name] = value
        return name, repr(sorted(stamps(pack_folder(value.id)).items()))


class WorkerReader:
    """The function that answers in another process, with caches of games, pictures of their boards, and recent answers.

    The recent answers are kept apart by viewpoint.
    """

    def __init__(self) -> None:
        self._games = Recent[Game](2)
        self._pictures = Pictures()
        self._recent = Recent[RecentAnswers](_MAX_VIEWPOINTS_KEPT)

    def __call__(self, question: tuple[bytes, Reading] | bytes) -> bytes:
        """Return the response to a request as JSON, or the encoded result of encoded work."""
        if isinstance(question, bytes):
            return self._do_work(question)
        handed, request = question
        return reply_safely(request, lambda: answer_reading(self._read_table(handed), request))

    def _do_work(self, handed: bytes) -> bytes:
        try:
            work: Work = _read_value(handed, self._game)
            return write_value(work.do())
        except Exception as error:
            return write_value(failure_of(error, "work"))

    def _read_table(self, handed: bytes) -> StandingTable:
        position, answer, passage = _read_value(handed, self._game)
        recent = self._recent.get(position.state.seen_by, RecentAnswers)
        return StandingTable(position, answer, self._pictures, recent, passage)

    def _game(self, named: _Named) -> Game:
        return self._games.get(" ".join(named), lambda: named_game(named[0]))


def _read_value(written: bytes, game: Callable[[_Named], Game]) -> Any:
    """Return a decoded value that this program has encoded as bytes."""
    return _ValueReader(io.BytesIO(written), game).load()


class _ValueReader(pickle.Unpickler):
    def __init__(self, written: io.BytesIO, game: Callable[[_Named], Game]) -> None:
        super().__init__(written)
        self._game = game

    def persistent_load(self, named: _Named) -> Game:
        return self._game(named)


def _read_only(values: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(values)
