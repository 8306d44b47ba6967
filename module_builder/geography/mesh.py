"""The hexes of a board as a mesh: which hex holds a point, corners and hexsides, and what lies left and right of a hexside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import dist, floor, sqrt
from typing import NamedTuple

import msgspec

from assistant.game.hexes import Hex, HexGrid

from .lines import Point

#: A corner of hexes, in units of a third of a column's step across and half a hex down.
Corner = tuple[int, int]
_ACROSS, _DOWN = sqrt(3) / 6, 0.5
#: The corners of a flat hex from its middle, clockwise from the one to the east.
_CORNERS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))


class Side(NamedTuple):
    """A hexside as one walks along it from corner to corner, with the hexes on either hand."""

    start: Corner
    end: Corner
    left: str
    right: str


class Mesh(msgspec.Struct, frozen=True, dict=True):
    """The mesh of a flat grid; hexes outside the grid's numbers have no name and no hexsides."""

    grid: HexGrid
    hexes: frozenset[str]

    def hex_at(self, point: Point) -> str | None:
        """The hex of the board that holds a point."""
        column = point[0] / (_ACROSS * 3)
        row = point[1] / _DOWN
        near = []
        for across in (floor(column), floor(column) + 1):
            for down in range(floor(row) - 1, floor(row) + 3):
                name = self.by_middle.get((across * 3, down))
                if name:
                    near.append((dist(point, (across * 3 * _ACROSS, down * _DOWN)), name))
        away, name = min(near, default=(9.0, ""))
        return name if away <= 1 / sqrt(3) + 1e-9 and self._holds(point, name) else None

    def _holds(self, point: Point, name: str) -> bool:
        middle = self.centre(name)
        x, y = abs(point[0] - middle[0]), abs(point[1] - middle[1])
        return y <= 0.5 + 1e-9 and x * sqrt(3) / 2 + y / 2 <= 0.5 + 1e-9

    def centre(self, name: str) -> Point:
        """The middle of a hex, in hexes, y down."""
        return self._centres[name]

    @cached_property
    def _centres(self) -> Mapping[str, Point]:
        return {name: self.grid.centre(self.grid.parse(name)) for name in self.hexes}

    @cached_property
    def by_middle(self) -> Mapping[Corner, str]:
        """The hexes by their middles, in the units of corners."""
        return {(round(x / _ACROSS), round(y / _DOWN)): name for name, (x, y) in self._centres.items()}

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The adjacent hexes of each hex, clockwise from the north."""
        found = {}
        for name in self.hexes:
            around = self.grid.neighbours(self.grid.parse(name)).values()
            found[name] = tuple(other for other in map(self.grid.name, around) if other in self.hexes)
        return found

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The hexsides with a hex of the board on both hands, each once in each direction."""
        found = []
        for (x, y), name in sorted(self.by_middle.items()):
            for index, (dx, dy) in enumerate(_CORNERS):
                ex, ey = _CORNERS[(index + 1) % 6]
                beyond = self.by_middle.get((x + dx + ex, y + dy + ey))
                if beyond:  # clockwise round a hex, as y runs down: the hex is on the right hand
                    found.append(Side((x + dx, y + dy), (x + ex, y + ey), beyond, name))
        return tuple(found)

    @cached_property
    def onward(self) -> Mapping[Corner, tuple[Side, ...]]:
        """The hexsides that begin at each corner."""
        found: dict[Corner, list[Side]] = {}
        for side in self.sides:
            found.setdefault(side.start, []).append(side)
        return {corner: tuple(sides) for corner, sides in found.items()}

    def points(self, name: str, steps: int) -> Iterator[Point]:
        """Points spread evenly over a hex, in so many steps from its middle to a corner."""
        x, y = self.centre(name)
        for p in range(-steps, steps + 1):
            for q in range(max(-steps, -p - steps), min(steps, -p + steps) + 1):
                # the corners of a flat hex lie 1/sqrt(3) away, every 60 degrees from the east
                far = 0.96 / sqrt(3) / steps
                yield x + far * (p + q / 2), y + far * q * sqrt(3) / 2


def at(corner: Corner) -> Point:
    """Where a corner lies, in hexes, y down."""
    return corner[0] * _ACROSS, corner[1] * _DOWN


def ends(one: Point, other: Point) -> tuple[Point, Point]:
    """The corners between which the hexside of two adjacent hexes runs, from the hexes' middles."""
    x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    across, down = (other[0] - one[0]) / (2 * sqrt(3)), (other[1] - one[1]) / (2 * sqrt(3))
    return (x - down, y + across), (x + down, y - across)


def everywhere(grid: HexGrid) -> frozenset[str]:
    """All hexes within the columns and rows of a grid."""
    (first, last), (top, bottom) = grid.columns, grid.rows
    return frozenset(grid.name(Hex(column, row)) for column in range(first, last + 1) for row in range(top, bottom + 1))
