"""The same work on many things, in several processes: in order, few at a time, and one that ends its process ends no other.

`concurrent.futures` does not say which item has ended a process, and ends its processes only after their work.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NamedTuple, TypeVar

A = TypeVar("A")
B = TypeVar("B")
AHEAD = 8
"""How many items for each process may be at work or done while an earlier one is still at work."""


class Ended(NamedTuple):
    """What comes of an item whose process has ended: the system may have taken its memory, or somebody has killed it.

    code: the exit code of the process, below 0 the number of the signal that has ended it.
    """

    code: int | None


def work_through(work: Callable[[A], B], items: Iterable[A], jobs: int) -> Generator[tuple[A, B | Ended]]:
    """Each item with what comes of it, in the order of the items. They are taken one by one, as they are needed.

    work: a function that a module holds, or a `functools.partial` of one; it raises nothing; jobs: how many processes.
    All of them are ended, whatever they are doing, once the iterator is closed or raises anything.

    Raises RuntimeError if processes cannot begin.
    """
    todo = enumerate(items)
    crew: list[_Worker[A, B]] = []
    done: dict[int, tuple[A, B | Ended]] = {}
    shown, more = 0, True
    try:
        while True:
            idle = [worker for worker in crew if worker.at is None]
            busy = [worker for worker in crew if worker.at is not None]
            while len(done) + len(busy) < AHEAD * jobs and (idle or len(crew) < jobs):
                if (following := next(todo, None)) is None:
                    more = False
                    break
                if not idle:
                    idle.append(_Worker(work))
                    crew += idle
                worker = idle.pop()
                worker.take(*following)
                busy.append(worker)
            while shown in done:  # once all processes have work again
                yield done.pop(shown)
                shown += 1
            if not busy and not more:
                break
            for worker in _heard(busy) if busy else ():  # none is, if all have waited for an earlier item
                number, item, made = worker.hear()
                done[number] = item, made
                if isinstance(made, Ended):
                    crew.remove(worker)
                    worker.end()
    finally:
        for worker in crew:
            worker.end()


class _Worker(Generic[A, B]):
    """A process that works on one item at a time. at: the item that it works on, with its number."""

    def __init__(self, work: Callable[[A], B]) -> None:
        context = get_context("spawn")  # the same on every system, and safe beside threads
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, work), daemon=True)
        self._ready = False
        self.at: tuple[int, A] | None = None
        with _deaf():
            self._process.start()
        theirs.close()  # so that nothing more comes once the process has ended

    @property
    def connection(self) -> Connection[Any, Any]:
        """By which it is heard."""
        return self._connection

    def take(self, number: int, item: A) -> None:
        """Work on an item."""
        self.at = number, item
        with suppress(OSError):  # it has ended, which is heard
            self._connection.send(item)

    def hear(self) -> tuple[int, A, B | Ended]:
        """What has come of its item. Raises RuntimeError if it could not begin."""
        assert self.at is not None
        made: B | Ended
        try:
            if not self._ready:
                self._ready = self._connection.recv()
            made = self._connection.recv()
        except (EOFError, OSError):
            self._process.join()
            if not self._ready:
                hint = 'a script that begins processes does so below: if __name__ == "__main__":'
                raise RuntimeError(
                    f"a process ended before its work, with exit code {self._process.exitcode}; {hint}"
                ) from None
            made = Ended(self._process.exitcode)
        number, item = self.at
        self.at = None
        return number, item, made

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self._connection.close()


def _heard(busy: list[_Worker[A, B]]) -> list[_Worker[A, B]]:
    """Those that have something to say, once there is one."""
    speaking = wait([worker.connection for worker in busy])
    return [worker for worker in busy if worker.connection in speaking]


def _serve(connection: Connection[Any, Any], work: Callable[[A], B]) -> None:
    """Work on what comes, until whoever sends it is gone.

    What an item leaves behind goes before the next one comes: Python would wait until there is much of it. What the first
    has loaded stays, and is not looked through again.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection.send(True)
    for number in count():
        try:
            item = connection.recv()
        except EOFError:
            return
        made = work(item)
        try:
            connection.send(made)
        except OSError:
            return
        del item, made
        gc.collect()
        if not number:
            gc.freeze()


@contextmanager
def _deaf() -> Iterator[None]:
    """Let Ctrl+C reach no process that is begun here, not even before its work: whoever has begun it ends it."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # of a thread that hears no signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
