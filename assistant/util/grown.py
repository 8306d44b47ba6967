"""Growing sequences that share their items: appending to one does not copy it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

T = TypeVar("T")


class Grown(Sequence[T]):
    """An immutable sequence, stored as the first items of a list shared with the sequences that continue it."""

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
        indexes = range(self._count)[at]
        return (
            self._items[indexes.start : indexes.stop]
            if indexes.step == 1
            else [self._items[index] for index in indexes]
        )

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._count)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(other) == self._count and self.goes_on(other)

    def goes_on(self, other: Sequence[T]) -> bool:
        if isinstance(other, Grown) and other._items is self._items:
            return other._count <= self._count
        return self[: len(other)] == [*other]

    def first(self, count: int) -> Grown[T]:
        part = Grown[T]()
        part._items = self._items
        part._count = min(count, self._count)
        return part

    def plus(self, more: Sequence[T]) -> Grown[T]:
        """Return this sequence followed by more items.

        The items are copied only if another sequence already continues this one differently.
        """
        next_items = self._items[self._count : self._count + len(more)]
        base = self if next_items == [*more[: len(next_items)]] else Grown(self)
        base._items.extend(more[len(base._items) - base._count :])
        part = base.first(0)
        part._count = self._count + len(more)
        return part
