"""The same work on many things, in several processes: in order, few at a time. An item that kills its process does not stop
the others.

`concurrent.futures` does not say which item has ended a process, and ends its processes only after their work.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NamedTuple, TypeVar

A = TypeVar("A")
B = TypeVar("B")
MOST = 61
"""The most processes: Windows waits for no more at once."""
AHEAD = 8
"""How many items for each process may be at work or done while an earlier one is still at work."""


class Ended(NamedTuple):
    """What comes of an item whose process has ended: the system may have taken its memory, or somebody has killed it.

    code: the exit code of the process, below 0 the number of the signal that has ended it.
    """

    code: int | None


def work_through(work: Callable[[A], B], items: Iterable[A], jobs: int) -> Generator[tuple[A, B | Ended]]:
    """Each item with what comes of it, in the order of the items. They are taken one by one, as they are needed.

    work: a function that a module holds, or a `functools.partial` of one; it raises nothing. jobs: how many processes; more
    than there are processors would gain nothing, and are not begun.
    All of them are ended, whatever they are doing, once the iterator is closed or raises anything.

    Raises RuntimeError if processes cannot begin.
    """
    jobs = min(jobs, os.cpu_count() or 1, MOST)
    todo = enumerate(items)
    crew: list[_Worker[A, B]] = []
    done: dict[int, tuple[A, B | Ended]] = {}
    shown, more, begun = 0, True, False
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
                worker.take(*following)
                busy.append(worker)
            while shown in done:  # once all processes have work again
                yield done.pop(shown)
                shown += 1
            if not busy and not more:
                break
            for worker in _wait_for_any(busy) if busy else ():  # none is, if all have waited for an earlier item
                number, item, made = worker.hear()
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


class _Worker(Generic[A, B]):
    """A process that works on one item at a time.

    at: the item that it works on, with its number; ready: whether it has begun; connection: by which it is heard.
    """

    def __init__(self, work: Callable[[A], B]) -> None:
        context = get_context("spawn")  # the same on every system, and safe beside threads
        self.connection: Connection[Any, Any]
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, work), daemon=True)
        self.ready = False
        self.at: tuple[int, A] | None = None
        with _ignore_interrupts():
            self._process.start()
        theirs.close()  # so that nothing more comes once the process has ended

    def take(self, number: int, item: A) -> None:
        """Work on an item."""
        self.at = number, item
        with suppress(OSError):  # it has ended, which is heard
            self.connection.send(item)

    def hear(self) -> tuple[int, A, B | Ended]:
        """What has come of its item."""
        assert self.at is not None
        made: B | Ended
        try:
            if not self.ready:
                self.ready = self.connection.recv()
            made = self.connection.recv()
        except (EOFError, OSError):
            self._process.join()
            made = Ended(self._process.exitcode)
        number, item = self.at
        self.at = None
        return number, item, made

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self.connection.close()


def _wait_for_any(busy: list[_Worker[A, B]]) -> list[_Worker[A, B]]:
    """Those that have something to say, once there is one."""
    speaking = wait([worker.connection for worker in busy])
    return [worker for worker in busy if worker.connection in speaking]


def _serve(connection: Connection[Any, Any], work: Callable[[A], B]) -> None:
    """Work on what comes, until whoever sends it is gone.

    What an item leaves behind goes before the next one comes: Python would wait until there is much of it. What the first
    has loaded stays, and is not looked through again.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
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
