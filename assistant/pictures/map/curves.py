"""Smooth lines: through or near points, moved aside, as ribbons of varying width, and the points along them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from ...drawing.scene import Point

Line = tuple[Point, ...]
#: How often a zigzag is calmed, and what share of the way its points go there and back.
_CALMED, _THERE, _BACK = 8, 0.6, -0.62


def smooth(points: Sequence[Point], steps: int = 4, *, closed: bool = False) -> Line:
    """A curve near points (a quadratic B-spline): through the middles between two of them, and through both ends of an open one.

    steps: points on it for each one given. It never leaves the corners of the given line by more than an eighth of the bend there.
    """
    if len(points) < 3:
        return tuple(points)
    weights = _weights(steps)
    line: list[Point] = [] if closed else [points[0]]
    around = [points[-1], *points, points[0]] if closed else points
    last = len(around) - 2
    for number in range(1, len(around) - 1):
        (x0, y0), (x1, y1), (x2, y2) = around[number - 1], around[number], around[number + 1]
        if closed or number > 1:
            x0, y0 = (x0 + x1) / 2, (y0 + y1) / 2
        if closed or number < last:
            x2, y2 = (x1 + x2) / 2, (y1 + y2) / 2
        line += [(a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2) for a, b, c in weights]
    return tuple(line)


def place_on(number: int, corners: int, steps: int) -> int:
    """The place of the point nearest to the corner of a number, from 0, on the curve that `smooth` draws near so many corners."""
    last = max((corners - 2) * steps, 1)
    if number <= 0:
        return 0
    return last if number >= corners - 1 else min((number - 1) * steps + steps // 2, last)


def _weights(steps: int) -> list[tuple[float, float, float]]:
    shares = [number / steps for number in range(1, steps + 1)]
    return [((1 - t) * (1 - t), 2 * t * (1 - t), t * t) for t in shares]


def calmed(points: Sequence[Point], moved: Sequence[int]) -> list[Point]:
    """A line with less of the zigzag of hexsides. moved: the places of the points that may move; the line is closed if its first or
    last point is among them.

    Each point goes towards the middle of its neighbours and back by turns, so that a bulge keeps its size (Taubin's smoothing).
    """
    calm = list(points)
    for share in (_THERE, _BACK) * _CALMED:
        before = calm.copy()
        for at in moved:
            (x0, y0), (x, y), (x1, y1) = before[at - 1], before[at], before[(at + 1) % len(before)]
            calm[at] = x + share * ((x0 + x1) / 2 - x), y + share * ((y0 + y1) / 2 - y)
    return calm


def bend(start: Point, control: Point, end: Point, steps: int) -> list[Point]:
    """A curve from one point to another (a quadratic Bézier), without its start."""
    (x0, y0), (x1, y1), (x2, y2) = start, control, end
    return [(a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2) for a, b, c in _weights(steps)]


def swing(start: Point, leaving: Point, arriving: Point, end: Point, steps: int) -> list[Point]:
    """A curve from one point to another (a cubic Bézier), without its start. leaving, arriving: its controls."""
    line = []
    for number in range(1, steps + 1):
        t = number / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        line.append(
            (
                a * start[0] + b * leaving[0] + c * arriving[0] + d * end[0],
                a * start[1] + b * leaving[1] + c * arriving[1] + d * end[1],
            )
        )
    return line


def normals(line: Sequence[Point]) -> list[Point]:
    """At each point the direction to the right of the way, of length 1."""
    normals_of = []
    for number in range(len(line)):
        (x0, y0), (x1, y1) = line[max(number - 1, 0)], line[min(number + 1, len(line) - 1)]
        length = hypot(x1 - x0, y1 - y0) or 1.0
        normals_of.append(((y0 - y1) / length, (x1 - x0) / length))
    return normals_of


def shifted(line: Sequence[Point], by: float | Sequence[float]) -> Line:
    """A line moved to its right, by one distance or by one for each point."""
    distances = [by] * len(line) if isinstance(by, int | float) else by
    sides = normals(line)
    return tuple([(x + dx * far, y + dy * far) for (x, y), (dx, dy), far in zip(line, sides, distances, strict=True)])


def ribbon(line: Sequence[Point], widths: Sequence[float]) -> Line:
    """The outline of a line that has its width at each point."""
    right = shifted(line, [width / 2 for width in widths])
    left = shifted(line, [-width / 2 for width in widths])
    return (*right, *reversed(left))


def reach(line: Sequence[Point]) -> list[float]:
    """How far each point is from the start, along the line."""
    lengths = [0.0]
    for (x0, y0), (x1, y1) in pairwise(line):
        lengths.append(lengths[-1] + hypot(x1 - x0, y1 - y0))
    return lengths


def point_at(line: Sequence[Point], far: Sequence[float], distance: float) -> tuple[Point, Point]:
    """The point at a distance along a line, and the direction there. far: as `reach` has it."""
    number = min(max(bisect_right(far, distance) - 1, 0), len(line) - 2)
    (x0, y0), (x1, y1) = line[number], line[number + 1]
    length = far[number + 1] - far[number] or 1.0
    share = (distance - far[number]) / length
    return (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), ((x1 - x0) / length, (y1 - y0) / length)
