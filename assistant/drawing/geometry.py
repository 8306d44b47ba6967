"""Points, lines and boxes on a page, in millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import cos, dist, hypot, pi, sin
from typing import NamedTuple

from .scene import Point


class PageBox(NamedTuple):
    """A box in mm."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def corners(self) -> tuple[Point, ...]:
        return (self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def overlap(self, other: PageBox) -> float:
        """Return the area of the overlap with another box, in square mm."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)


_CORNERS = {
    flat: [(cos(turn + n * pi / 3), sin(turn + n * pi / 3)) for n in range(6)]
    for flat, turn in ((True, 0.0), (False, pi / 6))
}
"""The corners of a hex from its centre, as shares of its radius, by whether its upper side is flat."""


def hexagon(centre: Point, radius: float, *, flat: bool) -> tuple[Point, ...]:
    """Return the corners of a hex, clockwise."""
    x, y = centre
    return tuple([(x + radius * across, y + radius * down) for across, down in _CORNERS[flat]])


def point_between(one: Point, other: Point, share: float) -> Point:
    """Return the point at a share, 0 to 1, of the way from one point to the other."""
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def middle_of(points: Sequence[Point]) -> Point:
    """Return the mean of points."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def move_towards(point: Point, towards: Point, by: float) -> Point:
    """Return a point moved towards another one by a distance in mm, or away from it if the distance is below 0."""
    dx, dy = towards[0] - point[0], towards[1] - point[1]
    length = hypot(dx, dy) or 1.0
    return point[0] + dx / length * by, point[1] + dy / length * by


def box_around(x: float, y: float, width: float, height: float) -> PageBox:
    """Return a box centred on a point."""
    return PageBox(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def boxes_along(points: Sequence[Point], half: float) -> Iterator[PageBox]:
    """Yield square boxes that cover everything within a distance of `half` from a line."""
    for start, end in pairwise(points):
        count = max(int(dist(start, end) / half), 1)
        for number in range(count + 1):
            x, y = point_between(start, end, number / count)
            yield box_around(x, y, 2 * half, 2 * half)


def shift_aside(points: Iterable[Point], direction: tuple[Point, Point], by: float) -> tuple[Point, ...]:
    """Return points moved to the right of a direction by a distance in mm."""
    (x0, y0), (x1, y1) = direction
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = -(y1 - y0) / length * by, (x1 - x0) / length * by
    return tuple((x + dx, y + dy) for x, y in points)


def distance_inside(corners: Sequence[Point], start: Point, end: Point) -> float:
    """Return the distance from `start`, inside a convex shape, to the edge of the shape on the way to `end`.

    If the way stays inside, it is the length of the way.
    """
    length = hypot(end[0] - start[0], end[1] - start[1])
    dx, dy = (end[0] - start[0]) / (length or 1), (end[1] - start[1]) / (length or 1)
    nearest = length
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        across = (x1 - x0) * dy - (y1 - y0) * dx
        if across:
            distance = ((x1 - x0) * (y0 - start[1]) - (y1 - y0) * (x0 - start[0])) / across
            if distance > 0:
                nearest = min(nearest, distance)
    return nearest
