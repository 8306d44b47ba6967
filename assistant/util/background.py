"""Expensive work that is done elsewhere: its result is returned if known, else NotYet is raised with the work."""

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
    """A function without side effects, at the top of a module, and its arguments."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def do(self) -> Any:
        try:
            return self.function(*self.arguments)
        except InputError as error:
            return error


class NotYet(Exception):
    """An exception with the work that must be done elsewhere first."""

    def __init__(self, work: Work) -> None:
        super().__init__(work.function.__name__)
        self.work = work


class AtHand:
    """The results of recent work.

    `most`: maximum number of results kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: tuple[tuple[Work, Any], ...] = ()

    def put(self, work: Work, result: object) -> None:
        self._made = ((work, result), *(entry for entry in self._made if entry[0] != work))[: self._most]

    def forget(self, work: Work) -> None:
        self._made = tuple(entry for entry in self._made if entry[0] != work)

    def made_of(self, work: Work, *, dear: bool) -> Any:
        """Return the result of work.

        `dear`: whether the work is too expensive to be done here.

        Raises NotYet if it is and the result is not known yet, and InputError if the work does.
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


_AT_HAND: ContextVar[tuple[AtHand, bool] | None] = ContextVar("what is at hand", default=None)
"""The results of recent work, and whether a new question waits for its answer instead of getting it later."""


@contextmanager
def using(at_hand: AtHand, *, waits: bool = False) -> Iterator[None]:
    """In the block, take results of expensive work from `at_hand`, and raise NotYet for the others.

    `waits`: whether a new question raises NotYet until its answer is there.
    """
    before = _AT_HAND.set((at_hand, waits))
    try:
        yield
    finally:
        _AT_HAND.reset(before)


def work_out(dear: bool, function: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """Return the result of a function without side effects.

    `dear`: whether the work is left to others inside a block of `using`.

    Raises NotYet if the result is not there yet, and InputError if the function does.
    """
    waiting = _AT_HAND.get()
    if waiting is None:
        return function(*arguments)
    result: T = waiting[0].made_of(Work(function, arguments), dear=dear)
    return result


def is_shared() -> bool:
    """Return whether expensive work is left to others, as for a table with many users."""
    return _AT_HAND.get() is not None


def waits() -> bool:
    """Return whether a new question waits for its answer."""
    waiting = _AT_HAND.get()
    return waiting is not None and waiting[1]
