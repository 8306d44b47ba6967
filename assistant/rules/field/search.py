"""The one search of ways over hexes: for the cheapest way into each place, and for all ways that can be gone.

A game says what is next from the end of a way, and what that costs; it keeps what bars the other steps as it is asked.
Where a way may end is for whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Any, TypeVar

P = TypeVar("P", bound=tuple[Any, ...])
T = TypeVar("T")


def cheapest_ways(
    begun: Iterable[P], onward: Callable[[P], Iterable[P]], place: Callable[[P], Hashable]
) -> Iterator[P]:
    """Yield a cheapest way into each place that is reached, the cheapest ones first. A way begins with its price, and
    what follows decides between ways of the same price: the least comes first.

    begun: ways from which others go on; onward: those that go a step farther than one, asked for once that one was
    yielded; place: where a way has come, with all on which it turns how it goes on.
    """
    edge = [*begun]
    heapify(edge)
    reached = set[Hashable]()
    while edge:
        way = heappop(edge)
        at = place(way)
        if at not in reached:
            reached.add(at)
            yield way
            for farther in onward(way):
                heappush(edge, farther)


def whole_ways(way: tuple[T, ...], onward: Callable[[tuple[T, ...]], Iterable[T]]) -> Iterator[tuple[T, ...]]:
    """Yield all ways that begin so and from whose end nothing leads on. onward: what may be next of a way."""
    is_whole = True
    for there in onward(way):
        is_whole = False
        yield from whole_ways((*way, there), onward)
    if is_whole:
        yield way
