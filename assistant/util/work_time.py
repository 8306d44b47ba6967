"""Time limits for work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from . import clock

T = TypeVar("T")


class OutOfTime(BaseException):
    """The signal that work has used up its time.

    It is no error of the input or of a game's code: only the code that set the limit catches it.
    """


class WorkTime:
    """The time that work may take from now on.

    `seconds`: processor time, so that a busy machine gets as much done.
    """

    def __init__(self, seconds: float) -> None:
        self._end = clock.work_seconds() + seconds

    @property
    def is_over(self) -> bool:
        return clock.work_seconds() >= self._end

    def each(self, items: Iterable[T], what: str) -> Iterator[T]:
        """Yield the items one by one, as a `Watch` does.

        Raises OutOfTime if the time is over before the next item.
        """
        for item in items:
            if self.is_over:
                raise OutOfTime(what)
            yield item
