"""Virtual time for a table's room: a clock that leaps, and an order of what is ready that a seed chooses."""

from __future__ import annotations

import asyncio
import concurrent.futures
import heapq
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from assistant.faces.page.server.workers import Question, WorkerReader
from assistant.util.background import Work


class SeededLoop(asyncio.SelectorEventLoop):
    """A loop that runs what is ready in the order of a seed, and whose clock leaps to what is due next."""

    def __init__(self, seed: str) -> None:
        super().__init__()
        self.now = 0.0
        self.chance = Random(seed)
        self.set_exception_handler(lambda loop, context: None)  # tasks that a crash has ended

    def time(self) -> float:
        return self.now

    def _write_to_self(self) -> None:
        """Wake nobody: nothing comes from another thread."""

    def _run_once(self) -> None:
        ready, scheduled = self._ready, self._scheduled  # type: ignore[attr-defined]
        while scheduled and (not ready or scheduled[0].when() <= self.now):
            timer = heapq.heappop(scheduled)
            timer._scheduled = False
            if not timer.cancelled():
                self.now = max(self.now, timer.when())
                ready.append(timer)
        if not ready:
            raise RuntimeError("nothing can ever happen again: a deadlock")
        at = self.chance.randrange(len(ready))
        handle = ready[at]
        del ready[at]
        if not handle.cancelled():
            handle._run()


class Inline(concurrent.futures.Executor):
    """What does work at once; the loop chooses when its result is heard."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> concurrent.futures.Future[Any]:
        done = concurrent.futures.Future[Any]()
        try:
            done.set_result(work(*arguments, **named))
        except BaseException as error:
            done.set_exception(error)
        return done


class InlineWorkers:
    """What answers beside a table in place of processes: as late as the seed says."""

    def __init__(self, loop: SeededLoop) -> None:
        self.loop = loop

    def close(self) -> None:
        """Close nothing."""

    async def answer(self, link: str, asking: Callable[[], Awaitable[Question]]) -> Any:
        question = await asking()
        await asyncio.sleep(self.loop.chance.choice((0, 0.1, 0.4, 0.6, 5)))
        return question.do() if isinstance(question, Work) else WorkerReader()(question)

    async def work_out(self, link: str, work: Work) -> Any:
        async def asking() -> Work:
            return work

        return await self.answer(link, asking)
