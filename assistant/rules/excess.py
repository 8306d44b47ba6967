"""What is too much in a stack: the units that go, as few as may be, and those that find no room."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain, combinations
from typing import Protocol, TypeVar

Choices = tuple[tuple[str, ...], ...]
"""Sets of units of which the owner eliminates one."""
LISTED = 12
"""How many things a stack may hold at most for it to be listed which of them may go."""


class CountedUnit(Protocol):
    """A unit as stacking limits count it."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def nation(self) -> str:
        """Its nation."""


U = TypeVar("U", bound=CountedUnit)


def excess_of(units: Sequence[U], fits: Callable[[Collection[U]], bool]) -> Choices:
    """Return the smallest sets of units without which the others fit."""
    by_name = {unit.id: unit for unit in units}
    return removals([*by_name], lambda left: fits([by_name[name] for name in left]))


def beyond(inside: Iterable[U], arriving: Iterable[U], fits: Callable[[Collection[U]], bool]) -> list[str]:
    """Return the units that arrive in a hex beyond what it holds, in their order. inside: those that are there before."""
    there = [*inside]
    over = list[str]()
    for unit in arriving:
        if fits([*there, unit]):
            there.append(unit)
        else:
            over.append(unit.id)
    return over


def removals(names: Sequence[str], fits: Callable[[Collection[str]], bool]) -> tuple[tuple[str, ...], ...]:
    """Return the sets without which the rest fits and of which no part could stay, the smallest first; none where
    everything fits, and none where there are too many things to list them. fits: whether some of the names fit
    together.
    """
    if fits(names) or len(names) > LISTED:
        return ()
    smallest: list[tuple[str, ...]] = []
    for gone in chain.from_iterable(combinations(names, number) for number in range(1, len(names))):
        smaller = any(set(fewer) <= set(gone) for fewer in smallest)
        if not smaller and fits([name for name in names if name not in gone]):
            smallest.append(gone)
    return tuple(smallest)
