"""What a map has room for: where something is drawn already, so that names keep clear of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from ...drawing.scene import Point

_CELL = 10.0


class Area(NamedTuple):
    """A box: left, top, right and lower edge."""

    left: float
    top: float
    right: float
    bottom: float


class Room:
    """Boxes that are taken, each with how bad it would be to cover it."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[Area, float]]] = defaultdict(list)

    def take(self, area: Area, weight: float) -> None:
        """Take a box."""
        entry = area, weight
        for cell in _cells(area):
            self._cells[cell].append(entry)

    def take_line(self, points: Iterable[Point], width: float, weight: float) -> None:
        """Take what a line of some width covers; weight: for each bit of it that is about as long as wide."""
        half = max(width / 2, 0.4)
        step = max(2 * half, 1.6)
        for (x0, y0), (x1, y1) in pairwise(points):
            many = max(int(hypot(x1 - x0, y1 - y0) / step), 1)
            for number in range(many):
                x, y = x0 + (x1 - x0) * number / many, y0 + (y1 - y0) * number / many
                self._cells[int(x // _CELL), int(y // _CELL)].append(
                    (Area(x - half, y - half, x + half, y + half), weight)
                )

    def cost(self, area: Area) -> float:
        """How much a box would cover."""
        left, top, right, bottom = area
        found, seen = 0.0, set[int]()
        for cell in _cells(Area(left - 2, top - 2, right + 2, bottom + 2)):
            for entry in self._cells.get(cell, ()):
                (x0, y0, x1, y1), weight = entry
                if x0 < right and x1 > left and y0 < bottom and y1 > top and id(entry) not in seen:
                    seen.add(id(entry))
                    found += weight
        return found


def _cells(area: Area) -> list[tuple[int, int]]:
    return [
        (x, y)
        for x in range(int(area.left // _CELL), int(area.right // _CELL) + 1)
        for y in range(int(area.top // _CELL), int(area.bottom // _CELL) + 1)
    ]
