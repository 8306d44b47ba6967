"""Areas on hexes: the points in closed lines, and the share of a hex or hexside that an area covers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import msgspec

from .lines import Point


class Area(msgspec.Struct, frozen=True, dict=True):
    """Closed lines; a point is in the area if it is in an odd number of them."""

    rings: tuple[tuple[Point, ...], ...]

    @cached_property
    def _rows(self) -> Mapping[int, list[tuple[Point, Point]]]:
        """The segments in each row of half a unit."""
        rows: dict[int, list[tuple[Point, Point]]] = {}
        for ring in self.rings:
            for one, other in pairwise([*ring, ring[0]]):
                if one[1] != other[1]:
                    top, bottom = sorted((one[1], other[1]))
                    for row in range(int(top // 0.5), int(bottom // 0.5) + 1):
                        rows.setdefault(row, []).append((one, other))
        return rows

    def holds(self, point: Point) -> bool:
        x, y = point
        inside = False
        for (x1, y1), (x2, y2) in self._rows.get(int(y // 0.5), ()):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                inside = not inside
        return inside

    def share(self, points: Sequence[Point]) -> float:
        return sum(map(self.holds, points)) / len(points)
