"""Sequences that go on from one another, so that none is copied for what is added to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

T = TypeVar("T")


class Grown(Sequence[T]):
    """Items that stay as they are: the first of a list that they share with all that goes on from them."""

    __slots__ = ("_count", "_items")
    __hash__ = None  # type: ignore[assignment]  # it equals other sequences

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = [*items]
        self._count = len(self._items)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, int):
            return self._items[at if 0 <= at < self._count else range(self._count)[at]]
        among = range(self._count)[at]
        return self._items[among.start : among.stop] if among.step == 1 else [self._items[index] for index in among]

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._count)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(other) == self._count and self.goes_on(other)

    def goes_on(self, other: Sequence[T]) -> bool:
        """Return whether the first of the items are all of other ones."""
        if isinstance(other, Grown) and other._items is self._items:
            return other._count <= self._count
        return self[: len(other)] == [*other]

    def first(self, count: int) -> Grown[T]:
        """Return the first items, so many of them."""
        part = Grown[T]()
        part._items = self._items
        part._count = min(count, self._count)
        return part

    def plus(self, more: Sequence[T]) -> Grown[T]:
        """Return the items with more behind them. They are copied only if something else goes on from them already."""
        ahead = self._items[self._count : self._count + len(more)]
        whole = self if ahead == [*more[: len(ahead)]] else Grown(self)
        whole._items.extend(more[len(whole._items) - whole._count :])
        part = whole.first(0)
        part._count = self._count + len(more)
        return part
