"""The search of routes over hexes: the cheapest route into each place, and all complete routes.

A game lists the next steps from the end of a route with their costs, and records itself what bars other steps. The
caller decides where a route may end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Any, TypeVar

P = TypeVar("P", bound=tuple[Any, ...])
T = TypeVar("T")


def cheapest_ways(
    starts: Iterable[P], onward: Callable[[P], Iterable[P]], place: Callable[[P], Hashable]
) -> Iterator[P]:
    """Yield a cheapest route into each place, cheapest first.

    A route is a tuple that begins with its price; of routes with the same price the least tuple wins.

    `starts`: the routes to start from.
    `onward`: returns the routes one step longer, asked for once the route has been yielded.
    `place`: returns the end of a route, with everything that decides how it may continue.
    """
    queue = [*starts]
    heapify(queue)
    reached = set[Hashable]()
    while queue:
        way = heappop(queue)
        at = place(way)
        if at not in reached:
            reached.add(at)
            yield way
            for farther in onward(way):
                heappush(queue, farther)


def whole_ways(way: tuple[T, ...], onward: Callable[[tuple[T, ...]], Iterable[T]]) -> Iterator[tuple[T, ...]]:
    """Yield all routes that begin with `way` and cannot continue."""
    is_whole = True
    for there in onward(way):
        is_whole = False
        yield from whole_ways((*way, there), onward)
    if is_whole:
        yield way
