"""What is taken on a picture: boxes and lines that marks keep off."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from math import hypot, inf

from .geometry import PageBox
from .scene import Point

FIRM = 1000.0
"""How bad it is to cover what must not be covered: counters, and what is written."""
RING = 12.0  # cost for a letter of covering each bit of an outline, which is broken there
STRAND = 300.0  # the same of a line that is not broken
OVER_FIRM = 20.0  # cost of each square millimetre of what must not be covered, on top of covering it at all
_CELL = 16.0  # mm, the side of a cell in which boxes are looked for
_NEAR = 2.0  # mm that a bit of a line may reach from the cell of its middle


class TakenBoxes:
    """Boxes that are taken, each with how bad it would be to cover it."""

    def __init__(self) -> None:
        self._columns: dict[int, dict[int, list[tuple[float, float, float, float, float]]]]
        self._columns = defaultdict(lambda: defaultdict(list))  # of cells, and in each its boxes

    def copy(self) -> TakenBoxes:
        """Return the same boxes, to which others may be added apart."""
        room = TakenBoxes()
        for x, column in self._columns.items():
            room._columns[x].update((y, entries.copy()) for y, entries in column.items())
        return room

    def include(self, other: TakenBoxes) -> TakenBoxes:
        """Take all that another room has, too, and return this room."""
        for x, column in other._columns.items():
            for y, entries in column.items():
                self._columns[x][y] += entries
        return self

    def take(self, area: PageBox, weight: float) -> None:
        """Take a box."""
        entry = (*area, weight)
        for x in _find_cells(area.left, area.right):
            for y in _find_cells(area.top, area.bottom):
                self._columns[x][y].append(entry)

    def take_line(self, points: Iterable[Point], width: float, weight: float) -> None:
        """Take what a line of some width covers; weight: for each bit of it that is about as long as wide."""
        half = max(width / 2, 0.4)
        step = max(2 * half, 1.6)
        columns = self._columns
        for (x0, y0), (x1, y1) in pairwise(points):
            many = int(hypot(x1 - x0, y1 - y0) / step) or 1
            across, down = (x1 - x0) / many, (y1 - y0) / many
            for number in range(many):
                x, y = x0 + across * number, y0 + down * number
                column = columns[int(x // _CELL)]
                column[int(y // _CELL)].append((x - half, y - half, x + half, y + half, weight))

    def cost(self, area: PageBox, most: float = inf) -> float:
        """Return how much a box would cover; what is as bad as `most` may be worse still."""
        left, top, right, bottom = area
        columns, rows = self._columns, _find_cells(top - _NEAR, bottom + _NEAR)
        cost, met = 0.0, set[int]()  # each once, though it lies in several cells
        for x in _find_cells(left - _NEAR, right + _NEAR):
            if x not in columns:
                continue
            column = columns[x]
            for y in rows:
                for entry in column.get(y, ()):
                    if entry[0] < right and entry[2] > left and entry[1] < bottom and entry[3] > top:
                        if id(entry) in met:
                            continue
                        met.add(id(entry))
                        cost += entry[4]
                        if entry[4] >= FIRM:
                            cost += OVER_FIRM * area.overlap(PageBox(*entry[:4]))
                        if cost >= most:
                            return cost
        return cost


def _find_cells(least: float, most: float) -> range:
    """Return the columns or the rows of cells between two lengths."""
    return range(int(least // _CELL), int(most // _CELL) + 1)
