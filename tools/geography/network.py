"""Courses along lines without names: the way from one waypoint to the next through the pieces of open data.

The pieces of rivers carry no names; a game's table names a river's waypoints instead. Between two waypoints near the
network the course follows it, if that is not much longer than the straight way; elsewhere it is straight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from math import dist

import msgspec

from .lines import Line, Point

#: How far a waypoint may lie from the network, in hexes.
_NEAR = 0.45
#: How wide a gap between pieces may be, in hexes.
_GAP = 0.12
#: A way along the network is taken up to this many times the straight one ...
_LONGER = 2.2
#: ... and this much more, in hexes.
_MORE = 0.6


class Network(msgspec.Struct, frozen=True, dict=True):
    """Pieces of lines, joined where their points lie close together."""

    pieces: tuple[tuple[Point, ...], ...]

    @cached_property
    def _squares(self) -> Mapping[tuple[int, int], list[Point]]:
        """The points of all pieces by squares of the widest search."""
        squares: dict[tuple[int, int], list[Point]] = {}
        for piece in self.pieces:
            for point in piece:
                squares.setdefault((int(point[0] // _NEAR), int(point[1] // _NEAR)), []).append(point)
        return squares

    def near(self, point: Point, reach: float) -> list[tuple[float, Point]]:
        """Return the points of the network within reach of a point, nearest first."""
        column, row = int(point[0] // _NEAR), int(point[1] // _NEAR)
        candidates = [
            (dist(point, other), other)
            for across in (-1, 0, 1)
            for down in (-1, 0, 1)
            for other in self._squares.get((column + across, row + down), ())
        ]
        return sorted((away, other) for away, other in candidates if away <= reach)

    @cached_property
    def _links(self) -> Mapping[Point, list[tuple[float, Point]]]:
        links: dict[Point, list[tuple[float, Point]]] = {}
        for piece in self.pieces:
            for one, other in pairwise(piece):
                links.setdefault(one, []).append((dist(one, other), other))
                links.setdefault(other, []).append((dist(one, other), one))
        for piece in self.pieces:
            for end in (piece[0], piece[-1]):
                for away, other in self.near(end, _GAP):
                    if other != end:
                        links[end].append((away, other))
                        links[other].append((away, end))
        return links

    def way(self, start: Point, end: Point, most: float) -> Line | None:
        """Return the shortest way along the network between two of its points; None if it is longer than the most."""
        best, before = {start: 0.0}, {start: start}
        queue = [(0.0, start)]
        while queue:
            walked, here = heappop(queue)
            if here == end:
                line = [end]
                while line[-1] != start:
                    line.append(before[line[-1]])
                return line[::-1]
            if walked > best[here]:
                continue
            for away, other in self._links.get(here, ()):
                if walked + away < min(best.get(other, most), most):
                    best[other], before[other] = walked + away, here
                    heappush(queue, (walked + away, other))
        return None

    def course(self, waypoints: Sequence[Point]) -> Line:
        """Return a line through waypoints, along the network where that is near and not much longer than straight on."""
        nearby = [self.near(point, _NEAR) for point in waypoints]
        on = [near[0][1] if near else point for near, point in zip(nearby, waypoints, strict=True)]
        line: Line = [on[0]]
        for index, (start, end) in enumerate(pairwise(on)):
            way = None
            if nearby[index] and nearby[index + 1]:
                way = self.way(start, end, _LONGER * dist(start, end) + _MORE)
                if way is None:  # another piece may lie as near
                    way = self._find_other_way(nearby[index], nearby[index + 1])
            line += way or [start, end]
        return [point for index, point in enumerate(line) if not index or point != line[index - 1]]

    def _find_other_way(
        self, starts: Sequence[tuple[float, Point]], ends: Sequence[tuple[float, Point]]
    ) -> Line | None:
        for _, start in starts[:: max(1, len(starts) // 6)]:
            for _, end in ends[:: max(1, len(ends) // 6)]:
                way = self.way(start, end, _LONGER * dist(start, end) + _MORE)
                if way is not None:
                    return way
        return None
