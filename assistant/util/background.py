"""Dear work that is done elsewhere: what comes of it is at hand for whoever needs it, or it is said what is not there
yet.
"""

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
    """A function without effects that a module holds, and values to which it is applied."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def do(self) -> Any:
        """Return what comes of it, be it an error of the input."""
        try:
            return self.function(*self.arguments)
        except InputError as error:
            return error


class NotYet(Exception):
    """Work that has to be done first, elsewhere. work: which."""

    def __init__(self, work: Work) -> None:
        super().__init__(work.function.__name__)
        self.work = work


class AtHand:
    """What has come of the last work. most: of how much of it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: tuple[tuple[Work, Any], ...] = ()

    def put(self, work: Work, made: object) -> None:
        """Keep what has come of work, an error of the input too."""
        self._made = ((work, made), *(kept for kept in self._made if kept[0] != work))[: self._most]

    def forget(self, work: Work) -> None:
        """Keep no longer what has come of work."""
        self._made = tuple(kept for kept in self._made if kept[0] != work)

    def made_of(self, work: Work, *, dear: bool) -> Any:
        """Return what comes of work. dear: whether it is done elsewhere. Raises NotYet if it is and that is not here,
        and InputError as the work does.
        """
        known = [made for at_hand, made in self._made if at_hand == work]
        if not known:
            if dear:
                raise NotYet(work)
            known = [work.do()]
            self.put(work, known[0])
        if isinstance(known[0], InputError):
            raise copy(known[0])
        return known[0]


_HERE: ContextVar[tuple[AtHand, bool] | None] = ContextVar("what is at hand", default=None)
"""What is at hand, and whether a new question waits for its answer; else the answer comes later."""


@contextmanager
def using(at_hand: AtHand, *, waits: bool = False) -> Iterator[None]:
    """Take what is needed in the block from what is at hand, and let others do what is dear.

    waits: whether what asks a new question raises NotYet until the answer is there.
    """
    before = _HERE.set((at_hand, waits))
    try:
        yield
    finally:
        _HERE.reset(before)


def work_out(dear: bool, function: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """Return what a function without effects comes to. dear: whether others apply it, where they can. Raises NotYet if
    it is not there yet, and InputError as the function does.
    """
    here = _HERE.get()
    if here is None:
        return function(*arguments)
    made: T = here[0].made_of(Work(function, arguments), dear=dear)
    return made


def is_shared() -> bool:
    """Return whether dear work is left to others, as a table that many use waits for none."""
    return _HERE.get() is not None


def waits() -> bool:
    """Return whether a new question waits for its answer."""
    here = _HERE.get()
    return here is not None and here[1]
