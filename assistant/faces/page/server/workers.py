"""Values handed to processes beside the server, and what these answer: a dear question keeps nobody's tap waiting."""

from __future__ import annotations

import asyncio
import io
import pickle
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

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
from .turns import Turns

READERS = 2
"""How many questions are answered at once."""
SECONDS = 30.0
"""The longest that the answer to one may take."""
_MEMORY = 2**30
"""The most bytes for the data of the process that answers it."""
_ASK_LESS = "ask about less, such as one unit or one hex"
"""The remedy where an answer takes too long or too much memory."""

_Named = tuple[str, str]
"""What stands for a game: its name, and what its owner's pack is like."""
Question = tuple[bytes, Reading] | Work
"""A table that was handed over, and a request about it; or work."""


def hand_over(table: StandingTable) -> bytes:
    """Return a table as bytes."""
    return write_value((table.position, table.answer))


def write_value(value: object, games: dict[str, Game] | None = None) -> bytes:
    """Return a value as bytes: games in it by their names, and by what their owner's pack is like. games: takes each by
    its name.
    """
    written = io.BytesIO()
    _ValueWriter(written, {} if games is None else games).dump(value)
    return written.getvalue()


def _read_value(written: bytes, game: Callable[[_Named], Game]) -> Any:
    """Return the value that bytes are, which this program has written. game: gives a game by what stands for it."""
    return _Taker(io.BytesIO(written), game).load()


class WorkerReader:
    """What answers in the other process. It keeps the games that it has loaded, and what it has drawn of their
    boards.
    """

    def __init__(self) -> None:
        self._games = Recent[Game](2)
        self._pictures = Pictures()

    def __call__(self, question: tuple[bytes, Reading] | bytes) -> bytes:
        """Return the response to a request, as JSON; of work that was written, what has come of it."""
        if isinstance(question, bytes):
            return self._work_out(question)
        handed, request = question
        return reply_safely(request, lambda: answer_reading(self._take(handed), request))

    def _work_out(self, handed: bytes) -> bytes:
        try:
            work: Work = _read_value(handed, self._game)
            return write_value(work.do())
        except Exception as error:
            return write_value(failure_of(error, "work"))

    def _take(self, handed: bytes) -> StandingTable:
        position, answer = _read_value(handed, self._game)
        return StandingTable(position, answer, self._pictures)

    def _game(self, named: _Named) -> Game:
        return self._games.get(" ".join(named), lambda: named_game(named[0]))


class _ValueWriter(pickle.Pickler):
    """Writes values; of a game only which it is."""

    def __init__(self, written: io.BytesIO, games: dict[str, Game]) -> None:
        super().__init__(written, pickle.HIGHEST_PROTOCOL)
        self._games = games

    dispatch_table: Mapping[type, Callable[[Any], Any]] = {MappingProxyType: lambda read: (_read_only, (dict(read),))}

    def persistent_id(self, value: object) -> object:
        """Return what stands for a value, None for itself."""
        if not isinstance(value, Game):
            return None
        name = value.home or value.id
        self._games[name] = value
        return name, repr(sorted(stamps(pack_folder(value.id)).items()))


class _Taker(pickle.Unpickler):
    """Reads what this program itself has written. game: gives a game by what stands for it."""

    def __init__(self, written: io.BytesIO, game: Callable[[_Named], Game]) -> None:
        super().__init__(written)
        self._game = game

    def persistent_load(self, named: _Named) -> Game:
        """Return the game that was written."""
        return self._game(named)


def _read_only(values: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(values)


class _Asked:
    """A question at work. waiting: how many wait for its answer."""

    def __init__(self, question: Question, answering: asyncio.Task[Any]) -> None:
        self.question = question
        self.answering = answering
        self.waiting = 0


class Beside:
    """The processes beside the server. A question that several ask at once is answered once."""

    def __init__(self) -> None:
        self._crew = Crew(WorkerReader(), READERS, _MEMORY)
        self._turns = Turns(READERS)
        self._at_work: list[_Asked] = []

    def close(self) -> None:
        """Answer nothing more."""
        self._crew.close()

    async def answer(self, link: str, asking: Callable[[], Awaitable[Question]]) -> Any:
        """Return the answer to a question, once it is the turn of a link: the response to a request, or what has come
        of work, which ends once nothing waits for it.

        asking: gives the question as it is then. Raises InputError if the answer takes too long or too much, and for
        any other failure.
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
        """Return what comes of work, as `answer` gives it."""

        async def asking() -> Work:
            return work

        return await self.answer(link, asking)

    async def _work_on(self, question: Question) -> Any:
        games = dict[str, Game]()
        put = write_value(question, games) if isinstance(question, Work) else question
        try:
            made = await self._crew.work_on(put, SECONDS)
        except TimeoutError:
            raise InputError(f"no answer within {SECONDS:g} seconds", hint=_ASK_LESS) from None
        if isinstance(made, Ended):
            raise InputError("the answer could not be finished; memory may have run out", hint=_ASK_LESS)
        return _read_value(made, lambda named: games[named[0]]) if isinstance(question, Work) else made
