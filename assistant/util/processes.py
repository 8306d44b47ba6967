"""Work in other processes: on many items in their order, or on one item as long as its result is wanted.

An item that kills its process does not stop the others. `concurrent.futures` does not say which item did so, and it
ends its processes only after their work.
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
MAX_PROCESSES = 61
"""The maximum number of processes: Windows waits for no more at once."""
_SAFE_PATH = "PYTHONSAFEPATH"
MAX_AHEAD_PER_PROCESS = 8
"""The maximum number of items per process that are taken but not yet yielded, as an earlier item is still at work."""


class Ended(NamedTuple):
    """The result of an item whose process ended before its work, for example killed or out of memory."""

    code: int | None
    """The exit code of the process, or minus the number of the signal that ended it."""


def work_through(work: Callable[[A], B], items: Iterable[A], jobs: int) -> Generator[tuple[A, B | Ended]]:
    """Yield each item with its result, in the order of the items, which are taken as they are needed.

    The processes end with the iterator.

    `work`: a function of a module, or a `functools.partial` of one, that raises nothing.
    `jobs`: the number of processes, at most one per processor.

    Raises RuntimeError if processes cannot begin.
    """
    jobs = min(jobs, os.cpu_count() or 1, MAX_PROCESSES)
    numbered_items = enumerate(items)
    workers: list[_Worker[A, B]] = []
    unyielded: dict[int, tuple[A, B | Ended]] = {}  # results that wait for the result of an earlier item
    next_number = 0  # number of the item to be yielded next
    has_more_items = True
    has_any_begun = False
    try:
        while True:
            idle = [worker for worker in workers if worker.assigned is None]
            busy = [worker for worker in workers if worker.assigned is not None]
            while len(unyielded) + len(busy) < MAX_AHEAD_PER_PROCESS * jobs and (idle or len(workers) < jobs):
                if (numbered_item := next(numbered_items, None)) is None:
                    has_more_items = False
                    break
                if idle:
                    worker = idle.pop()
                else:
                    worker = _Worker(work)
                    workers.append(worker)
                worker.assign(*numbered_item)
                busy.append(worker)
            # yield after assigning work, so that the processes work while the caller uses the results
            while next_number in unyielded:
                yield unyielded.pop(next_number)
                next_number += 1
            if not busy and not has_more_items:
                break
            if busy:  # all assigned items may have been waiting to be yielded
                for worker in _wait_for_any(busy):
                    number, item, result = worker.receive()
                    unyielded[number] = item, result
                    has_any_begun = has_any_begun or worker.has_begun
                    if isinstance(result, Ended):
                        if not has_any_begun:
                            _check_was_killed(result)
                        workers.remove(worker)
                        worker.end()
    finally:
        for worker in workers:
            worker.end()


def _check_was_killed(ended: Ended) -> None:
    """Raise RuntimeError unless a signal ended the process, as each further process would fail too."""
    if (ended.code or 0) >= 0:
        hint = 'a script that begins processes does so below: if __name__ == "__main__":'
        raise RuntimeError(f"a process ended before its work, with exit code {ended.code}; {hint}")


class Crew(Generic[A, B]):
    """Processes that are started when needed and work on one item after another.

    A process is ended if nobody waits for its result.

    `size`: number of threads that wait for processes to begin or to answer.
    `memory`: maximum bytes of data of each process, where the system can limit it, as Linux does.
    """

    def __init__(self, work: Callable[[A], B], size: int, memory: int | None = None) -> None:
        self._work = work
        self._memory = memory
        self._idle: list[_Worker[A, B]] = []
        self._busy: set[_Worker[A, B]] = set()
        self._threads = ThreadPoolExecutor(size, "crew")

    async def work_on(self, item: A, seconds: float) -> B | Ended:
        """Return the result of an item. Its process is ended if the call is cancelled or the time is over.

        `seconds`: the maximum time for the item, from when its process is ready.

        Raises TimeoutError if the item takes longer.
        """
        worker = self._idle.pop() if self._idle else _Worker(self._work, self._memory)
        self._busy.add(worker)
        receiving: Future[Any] = self._threads.submit(worker.await_begin)
        try:
            await asyncio.wrap_future(receiving)
            worker.assign(0, item)
            receiving = self._threads.submit(worker.receive)
            result: B | Ended
            async with asyncio.timeout(seconds):
                _, _, result = await asyncio.wrap_future(receiving)
        except BaseException:
            self._end(worker, receiving)
            raise
        if isinstance(result, Ended):
            self._end(worker, receiving)
        else:
            self._busy.discard(worker)
            self._idle.append(worker)
        return result

    def _end(self, worker: _Worker[A, B], receiving: Future[Any]) -> None:
        self._busy.discard(worker)
        worker.kill()
        receiving.add_done_callback(lambda _: worker.end())

    def close(self) -> None:
        # `_end` closes the connection of a busy worker, once its thread has noticed that the worker was killed
        for worker in (*self._busy, *self._idle):
            worker.kill()
        for worker in self._idle:
            worker.end()
        self._idle.clear()
        self._threads.shutdown(wait=False)


class _Worker(Generic[A, B]):
    def __init__(self, work: Callable[[A], B], memory: int | None = None) -> None:
        context = get_context("spawn")  # the same on every system, and safe beside threads
        self.connection: Connection[Any, Any]
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, work, memory), daemon=True)
        self.has_begun = False
        self.assigned: tuple[int, A] | None = None
        """The number and the item that the process works on, or None while it is idle."""
        with without_interrupts(), _without_own_folder():
            self._process.start()
        theirs.close()  # so that reading raises EOFError once the process has ended

    def assign(self, number: int, item: A) -> None:
        self.assigned = number, item
        with suppress(OSError):  # the process has ended, as `receive` will find
            self.connection.send(item)

    def receive(self) -> tuple[int, A, B | Ended]:
        assert self.assigned is not None
        result: B | Ended
        try:
            self.await_begin()
            result = self.connection.recv()
        except (EOFError, OSError):
            result = self._find_end()
        number, item = self.assigned
        self.assigned = None
        return number, item, result

    def await_begin(self) -> None:
        with suppress(EOFError, OSError):
            self.has_begun = self.has_begun or self.connection.recv()  # `_serve` sends True at first

    def _find_end(self) -> Ended:
        self._process.join()
        return Ended(self._process.exitcode)

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> None:
        self.kill()
        self._process.join()
        self.connection.close()


def _wait_for_any(busy: list[_Worker[A, B]]) -> list[_Worker[A, B]]:
    readable = wait([worker.connection for worker in busy])
    return [worker for worker in busy if worker.connection in readable]


def _serve(connection: Connection[Any, Any], work: Callable[[A], B], memory: int | None) -> None:
    """Receive items and send back their results in the new process, until the connection is closed.

    Standard output belongs to the parent and is discarded here. Garbage is collected after each item; the objects
    loaded for the first item are frozen.
    """
    ignore_interrupts()
    collect_seldom()
    Thread(target=_end_with_parent, daemon=True).start()
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (until the end)
    if memory is not None:
        with suppress(ImportError, OSError, ValueError):  # Windows lacks the module, other systems may refuse the limit
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    with suppress(EOFError, OSError):  # the parent has closed the connection
        connection.send(True)  # ready, for `await_begin`
        for number in count():
            item = connection.recv()
            result = work(item)
            connection.send(result)
            del item, result
            gc.collect()
            if number == 0:
                gc.freeze()


def _end_with_parent() -> None:
    """End this process, even in the middle of its work, when its parent process ends."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


@contextmanager
def _without_own_folder() -> Iterator[None]:
    """Prevent processes started in the block from importing modules of the current folder."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
