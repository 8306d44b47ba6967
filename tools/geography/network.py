"""Courses along unnamed lines: from one waypoint to the next along the pieces of rivers in open data.

The pieces carry no names; a game's table names a river's waypoints instead. Between two waypoints near the network the
course follows it if that is not much longer than the straight line; elsewhere it is straight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from math import dist

import msgspec

from .lines import Line, Point

#: The maximum distance of a waypoint from the network.
_MAX_WAYPOINT_DISTANCE_HEXES = 0.45
#: The maximum gap between pieces that are joined.
_MAX_GAP_HEXES = 0.12
#: The maximum length of a way along the network: this factor times the straight line ...
_MAX_DETOUR_FACTOR = 2.2
#: ... plus this allowance.
_DETOUR_ALLOWANCE_HEXES = 0.6


class Network(msgspec.Struct, frozen=True, dict=True):
    """Pieces of lines, joined where their points are close together."""

    pieces: tuple[tuple[Point, ...], ...]

    @cached_property
    def _squares(self) -> Mapping[tuple[int, int], list[Point]]:
        """The points of all pieces by square, with the widest search as its side."""
        squares: dict[tuple[int, int], list[Point]] = {}
        for piece in self.pieces:
            for point in piece:
                squares.setdefault(
                    (int(point[0] // _MAX_WAYPOINT_DISTANCE_HEXES), int(point[1] // _MAX_WAYPOINT_DISTANCE_HEXES)), []
                ).append(point)
        return squares

    def near(self, point: Point, reach: float) -> list[tuple[float, Point]]:
        """Return the points of the network within reach of a point, nearest first, with their distances."""
        column, row = int(point[0] // _MAX_WAYPOINT_DISTANCE_HEXES), int(point[1] // _MAX_WAYPOINT_DISTANCE_HEXES)
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
                for away, other in self.near(end, _MAX_GAP_HEXES):
                    if other != end:
                        links[end].append((away, other))
                        links[other].append((away, end))
        return links

    def way(self, start: Point, end: Point, max_length: float) -> Line | None:
        """Return the shortest way along the network between two of its points, or None beyond `max_length`."""
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
            for length, other in self._links.get(here, ()):
                if walked + length < min(best.get(other, max_length), max_length):
                    best[other], before[other] = walked + length, here
                    heappush(queue, (walked + length, other))
        return None

    def course(self, waypoints: Sequence[Point]) -> Line:
        """Return a line through waypoints, along the network where that is near and not much longer than straight."""
        nearby = [self.near(point, _MAX_WAYPOINT_DISTANCE_HEXES) for point in waypoints]
        points_on_network = [near[0][1] if near else point for near, point in zip(nearby, waypoints, strict=True)]
        line: Line = [points_on_network[0]]
        for index, (start, end) in enumerate(pairwise(points_on_network)):
            way = None
            if nearby[index] and nearby[index + 1]:
                way = self.way(start, end, _MAX_DETOUR_FACTOR * dist(start, end) + _DETOUR_ALLOWANCE_HEXES)
                if way is None:  # another piece may be as near
                    way = self._find_other_way(nearby[index], nearby[index + 1])
            line += way or [start, end]
        return [point for index, point in enumerate(line) if not index or point != line[index - 1]]

    def _find_other_way(
        self, starts: Sequence[tuple[float, Point]], ends: Sequence[tuple[float, Point]]
    ) -> Line | None:
        for _, start in starts[:: max(1, len(starts) // 6)]:
            for _, end in ends[:: max(1, len(ends) // 6)]:
                way = self.way(start, end, _MAX_DETOUR_FACTOR * dist(start, end) + _DETOUR_ALLOWANCE_HEXES)
                if way is not None:
                    return way
        return None
