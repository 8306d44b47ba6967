"""Railways and roads from hex to hex: each as one chain through the hexes of its towns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import dist

from assistant.util.errors import InputError

from .lines import Point, from_segment
from .mesh import Mesh

#: What a step pays for the square of its distance from the straight line between stations, and what it saves along another line.
_AWAY, _SHARED = 0.7, 0.3
#: How far from the straight line a way may run, in hexes.
_WIDE = 4.0

Price = Callable[[str, str], float | None]
"""What a step between two adjacent hexes costs beyond 1; None if it is barred."""


def chained(
    mesh: Mesh,
    stations: Sequence[tuple[str, Point]],
    soft: Collection[int],
    price: Price,
    shared: Collection[frozenset[str]] = (),
) -> list[str]:
    """The hexes through which a line runs, station by station.

    soft: the indices of stations near which it passes, without touching their hexes; shared: links that other lines use.
    Raises InputError if the sea lies between two stations.
    """
    firm = [index for index in range(len(stations)) if index not in soft]
    chain = [stations[firm[0]][0]]
    for first, last in pairwise(firm):
        between = [point for _, point in stations[first : last + 1]]
        start, end = stations[first][0], stations[last][0]
        if start != end:
            chain += _way(mesh, start, end, between, price, shared)[1:]
    return chain


def _way(
    mesh: Mesh,
    start: str,
    end: str,
    line: Sequence[Point],
    price: Price,
    shared: Collection[frozenset[str]],
) -> list[str]:
    """The cheapest way between two hexes, near a line. Raises InputError if there is none."""
    goal = mesh.centre(end)
    best, before = {start: 0.0}, {start: ""}
    queue = [(dist(mesh.centre(start), goal), start)]
    while queue:
        _, here = heappop(queue)
        if here == end:
            break
        for other in mesh.neighbours[here]:
            extra = price(here, other)
            if extra is None:
                continue
            away = min(from_segment(mesh.centre(other), one, two)[0] for one, two in pairwise(line))
            if away > _WIDE:
                continue
            saved = _SHARED if frozenset((here, other)) in shared else 0.0
            cost = best[here] + 1 + extra + _AWAY * away * away - saved
            if cost < best.get(other, 1e9):
                best[other], before[other] = cost, here
                heappush(queue, (cost + (1 - _SHARED) * dist(mesh.centre(other), goal), other))
    if end not in before:
        raise InputError(f"no way by land leads from {start} to {end}", hint="move the stations in these hexes")
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]
