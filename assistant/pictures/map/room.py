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
        self._cells: dict[tuple[int, int], list[tuple[float, float, float, float, float]]] = defaultdict(list)

    def take(self, area: Area, weight: float) -> None:
        """Take a box."""
        entry = (*area, weight)
        for cell in _cells(area):
            self._cells[cell].append(entry)

    def take_line(self, points: Iterable[Point], width: float, weight: float) -> None:
        """Take what a line of some width covers; weight: for each bit of it that is about as long as wide."""
        half = max(width / 2, 0.4)
        step = max(2 * half, 1.6)
        cells = self._cells
        for (x0, y0), (x1, y1) in pairwise(points):
            many = int(hypot(x1 - x0, y1 - y0) / step) or 1
            across, down = (x1 - x0) / many, (y1 - y0) / many
            for number in range(many):
                x, y = x0 + across * number, y0 + down * number
                cells[int(x // _CELL), int(y // _CELL)].append((x - half, y - half, x + half, y + half, weight))

    def cost(self, area: Area) -> float:
        """How much a box would cover."""
        left, top, right, bottom = area
        cells = [
            self._cells[cell] for cell in _cells(Area(left - 2, top - 2, right + 2, bottom + 2)) if cell in self._cells
        ]
        covered = {
            id(entry): entry[4]
            for cell in cells
            for entry in cell
            if entry[0] < right and entry[2] > left and entry[1] < bottom and entry[3] > top
        }
        return sum(covered.values())


def _cells(area: Area) -> list[tuple[int, int]]:
    return [
        (x, y)
        for x in range(int(area.left // _CELL), int(area.right // _CELL) + 1)
        for y in range(int(area.top // _CELL), int(area.bottom // _CELL) + 1)
    ]
