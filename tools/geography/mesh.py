"""The hexes of a board as a mesh: the hex at a point, and the hexsides with the hexes on either side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import dist, floor
from typing import NamedTuple

import msgspec

from assistant.game.hexes import Corner, Hex, HexGrid
from assistant.rules.field.places import EDGES

from .lines import Point, from_segment

_SQUARE_HEXES = 1.25
"""The side of the squares in which hexsides are looked up."""
_HALF_HEXSIDE_HEXES = 0.289
_FILLED_SHARE = 0.96
"""The share of a hex that its points fill."""


class Side(NamedTuple):
    """A hexside in the direction from corner to corner, with the hexes on either side."""

    start: Corner
    end: Corner
    left: str
    right: str


class Mesh(msgspec.Struct, frozen=True, dict=True):
    """The hexes of a board that are on the map."""

    grid: HexGrid
    hexes: frozenset[str]

    def centre(self, name: str) -> Point:
        return self._centres[name]

    @cached_property
    def _centres(self) -> Mapping[str, Point]:
        return {name: self.grid.centre(self.grid.parse(name)) for name in self.hexes}

    def hex_at(self, point: Point) -> str | None:
        """Return the hex that contains a point, or None off the map."""
        column, row = floor(point[0]), floor(point[1])
        candidates = [
            (dist(point, self._centres[name]), name)
            for across in (-1, 0, 1)
            for down in (-1, 0, 1)
            for name in self._squares.get((column + across, row + down), ())
        ]
        distance, name = min(candidates, default=(9.0, ""))
        if not name:
            return None
        around = self.grid.around(self.grid.parse(name)).values()
        return name if all(distance <= dist(point, self.grid.centre(other)) for other in around) else None

    @cached_property
    def _squares(self) -> Mapping[tuple[int, int], list[str]]:
        squares: dict[tuple[int, int], list[str]] = {}
        for name, (x, y) in self._centres.items():
            squares.setdefault((floor(x), floor(y)), []).append(name)
        return squares

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        beside = {}
        for name in self.hexes:
            around = map(self.grid.name, self.grid.neighbours(self.grid.parse(name)).values())
            beside[name] = tuple(other for other in around if other in self.hexes)
        return beside

    def at(self, corner: Corner) -> Point:
        return self._corners[corner]

    @cached_property
    def _corners(self) -> Mapping[Corner, Point]:
        return {corner: self.grid.point(corner) for side in self.sides for corner in (side.start, side.end)}

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The hexsides with a hex of the board on both sides, once in each direction."""
        sides = []
        for name in sorted(self.hexes):
            here = self.grid.parse(name)
            for beyond in self.neighbours[name]:
                # from left to right, as seen looking across
                start, end = self.grid.corners(here, self.grid.parse(beyond))
                sides.append(Side(start, end, beyond, name))
        return tuple(sides)

    @cached_property
    def onward(self) -> Mapping[Corner, tuple[Side, ...]]:
        by_start: dict[Corner, list[Side]] = {}
        for side in self.sides:
            by_start.setdefault(side.start, []).append(side)
        return {corner: tuple(sides) for corner, sides in by_start.items()}

    @cached_property
    def rim(self) -> frozenset[Corner]:
        """The corners at the edge of the map, where one hexside begins instead of three."""
        return frozenset(corner for corner, sides in self.onward.items() if len(sides) == 1)

    def sides_near(self, point: Point, reach: float) -> list[tuple[Side, float]]:
        """Return the hexsides within reach of a point, in both directions, with their distances."""
        near = []
        column, row = floor(point[0] / _SQUARE_HEXES), floor(point[1] / _SQUARE_HEXES)
        for across in (-1, 0, 1):
            for down in (-1, 0, 1):
                for middle, side in self._sides_by_square.get((column + across, row + down), ()):
                    if dist(point, middle) <= reach + _HALF_HEXSIDE_HEXES:
                        distance = from_segment(point, self.at(side.start), self.at(side.end))[0]
                        if distance <= reach:
                            near.append((side, distance))
        return near

    @cached_property
    def _sides_by_square(self) -> Mapping[tuple[int, int], list[tuple[Point, Side]]]:
        squares: dict[tuple[int, int], list[tuple[Point, Side]]] = {}
        for side in self.sides:
            middle = self.middle(side)
            squares.setdefault((floor(middle[0] / _SQUARE_HEXES), floor(middle[1] / _SQUARE_HEXES)), []).append(
                (middle, side)
            )
        return squares

    def middle(self, side: Side) -> Point:
        (x1, y1), (x2, y2) = self.at(side.start), self.at(side.end)
        return (x1 + x2) / 2, (y1 + y2) / 2

    def outermost(self, edge: str) -> frozenset[str]:
        """Return the hexes at an edge of the map: north, east, south or west."""
        names = EDGES[edge][:1] if EDGES[edge][0] in self.grid.around(self.grid.middle) else EDGES[edge][1:]
        around = ((name, self.grid.around(self.grid.parse(name))) for name in self.hexes)
        return frozenset(
            name for name, others in around if not any(self.grid.name(others[way]) in self.hexes for way in names)
        )

    def points(self, name: str, steps: int) -> Iterator[Point]:
        """Yield points spread evenly over a hex.

        `steps`: the number of steps from its centre to a corner.
        """
        x, y = self.centre(name)
        (ax, ay), (bx, by) = self._spokes
        for p in range(-steps, steps + 1):
            for q in range(max(-steps, -p - steps), min(steps, -p + steps) + 1):
                yield x + (p * ax + q * bx) * _FILLED_SHARE / steps, y + (p * ay + q * by) * _FILLED_SHARE / steps

    @cached_property
    def _spokes(self) -> tuple[Point, Point]:
        """The vectors from the centre of a hex to two successive corners."""
        here = self.grid.middle
        x, y = self.grid.centre(here)
        one, other, *_ = self.grid.around(here).values()
        (ax, ay), (bx, by) = (self.grid.point(self.grid.corners(here, beyond)[0]) for beyond in (one, other))
        return (ax - x, ay - y), (bx - x, by - y)


def everywhere(grid: HexGrid) -> frozenset[str]:
    """Return all hexes within the columns and rows of a grid."""
    (first, last), (top, bottom) = grid.columns, grid.rows
    return frozenset(grid.name(Hex(column, row)) for column in range(first, last + 1) for row in range(top, bottom + 1))
