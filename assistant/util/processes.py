"""Work in other processes: on many things in order, few at a time; or on one thing for as long as somebody waits for
it. An item that kills its process does not stop the others.

`concurrent.futures` does not say which item has ended a process, and ends its processes only after their work.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any, Generic, NamedTuple, TypeVar

from .memory import collect_seldom
from .signals import ignore_interrupts, without_interrupts

A = TypeVar("A")
B = TypeVar("B")
MOST = 61
"""The most processes: Windows waits for no more at once."""
_SAFE_PATH = "PYTHONSAFEPATH"
AHEAD = 8
"""How many items for each process may be at work or done while an earlier one is still at work."""


class Ended(NamedTuple):
    """What comes of an item whose process has ended: the system may have taken its memory, or somebody has killed it."""

    code: int | None
    """The exit code of the process, below 0 the number of the signal that has ended it."""


def work_through(work: Callable[[A], B], items: Iterable[A], jobs: int) -> Generator[tuple[A, B | Ended]]:
    """Yield each item with what comes of it, in the order of the items, which are taken as they are needed; processes
    are ended with the iterator.

    work: a function of a module, or a `functools.partial` of one, that raises nothing; jobs: how many processes, at
    most one a processor. Raises RuntimeError if processes cannot begin.
    """
    jobs = min(jobs, os.cpu_count() or 1, MOST)
    todo = enumerate(items)
    crew: list[_Worker[A, B]] = []
    done: dict[int, tuple[A, B | Ended]] = {}
    shown = 0
    more = True
    begun = False
    try:
        while True:
            idle = [worker for worker in crew if worker.at is None]
            busy = [worker for worker in crew if worker.at is not None]
            while len(done) + len(busy) < AHEAD * jobs and (idle or len(crew) < jobs):
                if (following := next(todo, None)) is None:
                    more = False
                    break
                if idle:
                    worker = idle.pop()
                else:
                    worker = _Worker(work)
                    crew.append(worker)
                worker.assign(*following)
                busy.append(worker)
            while shown in done:  # once all processes have work again
                yield done.pop(shown)
                shown += 1
            if not busy and not more:
                break
            if busy:  # none is, if all have waited for an earlier item
                for worker in _wait_for_any(busy):
                    number, item, made = worker.receive()
                    done[number] = item, made
                    begun = begun or worker.ready
                    if isinstance(made, Ended):
                        if not begun and (made.code or 0) >= 0:  # and nobody has killed it
                            hint = 'a script that begins processes does so below: if __name__ == "__main__":'
                            raise RuntimeError(f"a process ended before its work, with exit code {made.code}; {hint}")
                        crew.remove(worker)
                        worker.end()
    finally:
        for worker in crew:
            worker.end()


class Crew(Generic[A, B]):
    """Processes that work on one item after the other, each for as long as its result is awaited; they begin when
    needed.

    work: as `work_through` has it; size: how many there are at most; memory: the most bytes for the data of each, where
    the system can limit them, as Linux does.
    """

    def __init__(self, work: Callable[[A], B], size: int, memory: int | None = None) -> None:
        self._work = work
        self._memory = memory
        self._idle: list[_Worker[A, B]] = []
        self._busy: set[_Worker[A, B]] = set()
        self._threads = ThreadPoolExecutor(size, "crew")

    async def work_on(self, item: A, seconds: float) -> B | Ended:
        """Return what comes of an item. Its process ends with it if nobody waits any longer, or if it takes too long.

        seconds: the longest that it may take once a process is ready. Raises TimeoutError if it takes longer.
        """
        worker = self._idle.pop() if self._idle else _Worker(self._work, self._memory)
        self._busy.add(worker)
        receiving: Future[Any] = self._threads.submit(worker.await_begin)
        try:
            await asyncio.wrap_future(receiving)
            worker.assign(0, item)
            receiving = self._threads.submit(worker.receive)
            made: B | Ended
            async with asyncio.timeout(seconds):
                _, _, made = await asyncio.wrap_future(receiving)
        except BaseException:
            self._end(worker, receiving)
            raise
        if isinstance(made, Ended):
            self._end(worker, receiving)
        else:
            self._busy.discard(worker)
            self._idle.append(worker)
        return made

    def _end(self, worker: _Worker[A, B], receiving: Future[Any]) -> None:
        """End a process, and let go of it once no thread hears it any more."""
        self._busy.discard(worker)
        worker.kill()
        receiving.add_done_callback(lambda _: worker.end())

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        for worker in (*self._busy, *self._idle):
            worker.kill()
        for worker in self._idle:
            worker.end()
        self._idle.clear()
        self._threads.shutdown(wait=False)


class _Worker(Generic[A, B]):
    """A process that works on one item at a time. memory: the most bytes for its data, None for any.

    at: the item that it works on, with its number; ready: whether it has begun; connection: by which it is heard.
    """

    def __init__(self, work: Callable[[A], B], memory: int | None = None) -> None:
        context = get_context("spawn")  # the same on every system, and safe beside threads
        self.connection: Connection[Any, Any]
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, work, memory), daemon=True)
        self.ready = False
        self.at: tuple[int, A] | None = None
        with without_interrupts(), _without_own_folder():
            self._process.start()
        theirs.close()  # so that nothing more comes once the process has ended

    def assign(self, number: int, item: A) -> None:
        """Work on an item."""
        self.at = number, item
        with suppress(OSError):  # it has ended, which is heard
            self.connection.send(item)

    def receive(self) -> tuple[int, A, B | Ended]:
        """Return what has come of its item."""
        assert self.at is not None
        made: B | Ended
        try:
            self.await_begin()
            made = self.connection.recv()
        except (EOFError, OSError):
            made = self._find_end()
        number, item = self.at
        self.at = None
        return number, item, made

    def await_begin(self) -> None:
        """Wait until it has begun, or has ended before."""
        with suppress(EOFError, OSError):
            self.ready = self.ready or self.connection.recv()

    def _find_end(self) -> Ended:
        self._process.join()
        return Ended(self._process.exitcode)

    def kill(self) -> None:
        """Let it end, whatever it is doing."""
        self._process.kill()

    def end(self) -> None:
        """End it, whatever it is doing."""
        self.kill()
        self._process.join()
        self.connection.close()


def _wait_for_any(busy: list[_Worker[A, B]]) -> list[_Worker[A, B]]:
    """Return those that have something to say, once there is one."""
    ready = wait([worker.connection for worker in busy])
    return [worker for worker in busy if worker.connection in ready]


def _serve(connection: Connection[Any, Any], work: Callable[[A], B], memory: int | None) -> None:
    """Work on what comes, until whoever sends it is gone, however that ends. Standard output is his alone.

    What an item leaves behind goes before the next one comes: Python would wait until there is much of it. What the
    first has loaded stays, and is not looked through again.
    """
    ignore_interrupts()
    collect_seldom()
    Thread(target=_end_with_parent, daemon=True).start()
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (until the end)
    if memory is not None:
        with suppress(ImportError, OSError, ValueError):  # which Windows lacks, and other systems may refuse
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    with suppress(EOFError, OSError):  # whoever sends is gone
        connection.send(True)
        for number in count():
            item = connection.recv()
            made = work(item)
            connection.send(made)
            del item, made
            gc.collect()
            if not number:
                gc.freeze()


def _end_with_parent() -> None:
    """End this process in the middle of its work if the one that has begun it ends."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


@contextmanager
def _without_own_folder() -> Iterator[None]:
    """Let a process that is begun here run no module of the folder in which this program runs."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
