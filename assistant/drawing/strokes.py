"""The parts of a line with casing and arrow head: plain strokes and filled heads, from the bottom up."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import msgspec

from .scene import Point, Polyline


class Stroke(msgspec.Struct, frozen=True):
    """One part of a line: an open stroke through `points`, or a filled head.

    width: of the stroke, or of the rim around the head, 0 for none. round_ends: whether its ends and corners are rounded.
    """

    points: tuple[Point, ...]
    colour: str
    width: float
    is_head: bool = False
    round_ends: bool = True
    dash: tuple[float, ...] = ()
    opacity: float = 1.0


def strokes(line: Polyline) -> Iterator[Stroke]:
    """The casing, then the line, shortened by its arrow head if it has one, then the head."""
    points, head = _shaft(line)
    if line.casing:
        rim = line.casing_width - line.width
        yield Stroke(points, line.casing, line.casing_width, opacity=line.casing_opacity)
        if head:
            yield Stroke(head, line.casing, rim, is_head=True, opacity=line.casing_opacity)
    if not line.stroke:
        return
    yield Stroke(points, line.stroke, line.width, round_ends=not line.butt, dash=line.dash)
    if head:
        yield Stroke(head, line.stroke, 0.0, is_head=True)


def _shaft(line: Polyline) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The points of the line without its arrow head, and those of the head."""
    if not line.head:
        return line.points, ()
    (x0, y0), (x1, y1) = line.points[-2:]
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    back, half = line.head, line.head * 0.55
    foot = (x1 - dx * back, y1 - dy * back)
    head = ((x1, y1), (foot[0] - dy * half, foot[1] + dx * half), (foot[0] + dy * half, foot[1] - dx * half))
    end = (x1 - dx * back * 0.9, y1 - dy * back * 0.9)
    return (*line.points[:-1], end), head
