"""Where lines cross on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import atan2, dist, pi

from ..geometry import move_towards
from ..scene import Point

_BRIDGE_MM = 3.2
"""The length of a bridge on each side of the crossing."""
_SAME_POINT_MM = 0.05


def find_bridges(under: Sequence[Point], over: Sequence[Point]) -> Iterator[tuple[Point, ...]]:
    """Yield the stretches of a line about its crossings with another one.

    Lines that touch, or share a stretch, do not cross.
    """
    for start, end in pairwise(over):
        for other_start, other_end in pairwise(under):
            if (at := _cross(start, end, other_start, other_end)) is not None:
                yield _move_within(at, start), _move_within(at, end)
    for start, at, end in zip(over, over[1:], over[2:], strict=False):
        for before, after in _find_ways_through(under, at):
            if _lies_across((start, end), at, (before, after)):
                yield _move_within(at, start), at, _move_within(at, end)
    for before, at, after in zip(under, under[1:], under[2:], strict=False):
        for start, end in pairwise(over):
            if _lies_between(at, start, end) and _lies_across((start, end), at, (before, after)):
                yield _move_within(at, start), at, _move_within(at, end)


def _find_ways_through(line: Sequence[Point], at: Point) -> Iterator[tuple[Point, Point]]:
    """Yield the points before and after each place where a line leads through a point."""
    for before, middle, after in zip(line, line[1:], line[2:], strict=False):
        if dist(at, middle) < _SAME_POINT_MM:
            yield before, after
    for before, after in pairwise(line):
        if _lies_between(at, before, after):
            yield before, after


def _lies_between(at: Point, start: Point, end: Point) -> bool:
    """Return whether a point lies on a line, but not at an end of it."""
    nearest = min(dist(at, start), dist(at, end))
    return nearest > _SAME_POINT_MM and dist(at, start) + dist(at, end) - dist(start, end) < _SAME_POINT_MM / 10


def _move_within(at: Point, end: Point) -> Point:
    """Return the end of half a bridge, no farther than the end of its stretch."""
    return move_towards(at, end, min(_BRIDGE_MM, dist(at, end)))


def _cross(start: Point, end: Point, other_start: Point, other_end: Point) -> Point | None:
    """Return the point where two lines cross between their ends, or None if they do not."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    (u, v), (du, dv) = other_start, (other_end[0] - other_start[0], other_end[1] - other_start[1])
    turn = dx * dv - dy * du
    if abs(turn) < 1e-9:
        return None
    along, across = ((u - x) * dv - (v - y) * du) / turn, ((u - x) * dy - (v - y) * dx) / turn
    return (x + along * dx, y + along * dy) if 0.01 < along < 0.99 and 0.01 < across < 0.99 else None


def _lies_across(ends: tuple[Point, Point], at: Point, others: tuple[Point, Point]) -> bool:
    """Return whether a line through a point leaves it on both sides of another line through the point."""
    first, second, one, other = (atan2(end[1] - at[1], end[0] - at[0]) for end in (*ends, *others))
    span, turns = (second - first) % (2 * pi), [(angle - first) % (2 * pi) for angle in (one, other)]
    if any(min(turn, 2 * pi - turn, abs(turn - span)) < 0.05 for turn in turns):
        return False  # they share a stretch
    return (turns[0] < span) is not (turns[1] < span)
