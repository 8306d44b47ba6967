"""Lines of points: length, simplified and smoothed forms, points at even steps, and the side of a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist, exp

Point = tuple[float, float]
Line = list[Point]


def length(line: Sequence[Point]) -> float:
    """Return the length of a line, in its own units."""
    return sum(dist(one, other) for one, other in pairwise(line))


def simplify(line: Sequence[Point], tolerance: float) -> Line:
    """Return a line with fewer points, from which the others are at most `tolerance` away (Douglas and Peucker)."""
    keep = {0, len(line) - 1}
    unchecked = [(0, len(line) - 1)]
    while unchecked:
        first, last = unchecked.pop()
        max_distance, farthest = tolerance, -1
        for index in range(first + 1, last):
            distance = from_segment(line[index], line[first], line[last])[0]
            if distance > max_distance:
                max_distance, farthest = distance, index
        if farthest >= 0:
            keep.add(farthest)
            unchecked += [(first, farthest), (farthest, last)]
    return [line[index] for index in sorted(keep)]


def from_segment(point: Point, start: Point, end: Point) -> tuple[float, float]:
    """Return the distance of a point from a segment, and the nearest point as a share of the segment from its start."""
    along = (end[0] - start[0], end[1] - start[1])
    square = along[0] ** 2 + along[1] ** 2
    if not square:
        return dist(point, start), 0.0
    share = ((point[0] - start[0]) * along[0] + (point[1] - start[1]) * along[1]) / square
    share = min(1.0, max(0.0, share))
    return dist(point, (start[0] + share * along[0], start[1] + share * along[1])), share


def nearest(point: Point, line: Sequence[Point]) -> tuple[float, int]:
    """Return the distance of a point from a line, and the index of the nearest of its segments."""
    return min((from_segment(point, one, other)[0], index) for index, (one, other) in enumerate(pairwise(line)))


def on_line(point: Point, line: Sequence[Point]) -> Point:
    """Return the point of a line that is nearest to a point."""
    _, index = nearest(point, line)
    (x0, y0), (x1, y1) = line[index], line[index + 1]
    share = from_segment(point, line[index], line[index + 1])[1]
    return x0 + share * (x1 - x0), y0 + share * (y1 - y0)


def resample(line: Sequence[Point], step: float) -> Line:
    """Return points at even steps along a line; its first and last points are kept."""
    steps = max(1, round(length(line) / step))
    step_length = length(line) / steps
    points = [line[0]]
    walked = 0.0
    next_step = 1
    for one, other in pairwise(line):
        segment_length = dist(one, other)
        while (
            next_step < steps and walked + segment_length >= next_step * step_length > walked - 1e-12 and segment_length
        ):
            share = (next_step * step_length - walked) / segment_length
            points.append((one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])))
            next_step += 1
        walked += segment_length
    return [*points, line[-1]]


def smoothed(line: Sequence[Point], width: float, step: float) -> Line:
    """Return a line without its small meanders: points at even steps, averaged by a bell curve of this width.

    The ends stay where they are.
    """
    points = resample(line, step)
    reach = max(1, round(2 * width / step))
    weights = [exp(-((offset * step / width) ** 2)) for offset in range(reach + 1)]
    smooth = []
    for index in range(len(points)):
        near = min(reach, index, len(points) - 1 - index)
        x = y = total = 0.0
        for offset in range(-near, near + 1):
            weight = weights[abs(offset)]
            x, y, total = x + weight * points[index + offset][0], y + weight * points[index + offset][1], total + weight
        smooth.append((x / total, y / total))
    return resample(smooth, step)


def is_left(point: Point, line: Sequence[Point]) -> bool:
    """Return whether a point is to the left of a line in its direction, with x to the right and y down as on a board."""
    _, index = nearest(point, line)
    start, end = line[index], line[index + 1]
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0]) < 0
