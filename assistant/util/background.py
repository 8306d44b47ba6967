"""Expensive work that is done elsewhere: its results are at hand, or an exception names the work that is not done yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from typing import Any, NamedTuple, TypeVar, TypeVarTuple

from .errors import InputError

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Work(NamedTuple):
    """A module's function without side effects, and the values to apply it to."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def do(self) -> Any:
        try:
            return self.function(*self.arguments)
        except InputError as error:
            return error


class NotYet(Exception):
    """Work that must be done elsewhere first."""

    def __init__(self, work: Work) -> None:
        super().__init__(work.function.__name__)
        self.work = work


class AtHand:
    """The results of recent work. `most`: the maximum number of results kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: tuple[tuple[Work, Any], ...] = ()

    def put(self, work: Work, made: object) -> None:
        self._made = ((work, made), *(entry for entry in self._made if entry[0] != work))[: self._most]

    def forget(self, work: Work) -> None:
        self._made = tuple(entry for entry in self._made if entry[0] != work)

    def made_of(self, work: Work, *, dear: bool) -> Any:
        """Return the result of work. `dear`: whether the work is done elsewhere.

        Raises NotYet if it is done elsewhere and the result is not here, and InputError as the work does.
        """
        results = [result for done_work, result in self._made if done_work == work]
        if not results:
            if dear:
                raise NotYet(work)
            results = [work.do()]
            self.put(work, results[0])
        if isinstance(results[0], InputError):
            raise copy(results[0])
        return results[0]


_HERE: ContextVar[tuple[AtHand, bool] | None] = ContextVar("what is at hand", default=None)
"""The results at hand, and whether a new question waits for its answer instead of getting it later."""


@contextmanager
def using(at_hand: AtHand, *, waits: bool = False) -> Iterator[None]:
    """Take results in the block from those at hand, and leave expensive work to others.

    `waits`: whether a new question raises NotYet until its answer is there.
    """
    before = _HERE.set((at_hand, waits))
    try:
        yield
    finally:
        _HERE.reset(before)


def work_out(dear: bool, function: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """Return the result of a function without side effects. `dear`: whether to leave it to others, if there are any.

    Raises NotYet if the result is not there yet, and InputError as the function does.
    """
    waiting = _HERE.get()
    if waiting is None:
        return function(*arguments)
    result: T = waiting[0].made_of(Work(function, arguments), dear=dear)
    return result


def is_shared() -> bool:
    """Return whether expensive work is left to others, as for a table with many users."""
    return _HERE.get() is not None


def waits() -> bool:
    """Return whether a new question waits for its answer."""
    waiting = _HERE.get()
    return waiting is not None and waiting[1]
