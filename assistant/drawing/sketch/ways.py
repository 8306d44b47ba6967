"""The ways of units that come from afar: from their counters through the middle of hexes, or round counters there, to
where an attack goes on. Ways that share hexes run on one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, cos, pi, sin

from ...asking.sketch import Arrow, Sketch
from ..geometry import PageBox, distance_inside, move_towards, point_between
from ..layout import Layout
from ..scene import Point
from .arrows import arrow_line

_RIM = 14.2  # mm from the middle of a hex to a way that leads round counters
_TURN = pi / 9  # radians from one of its points to the next
_CLEAR = 0.9  # mm from its ends to the counters there

Lines = Sequence[tuple[Arrow, tuple[Point, ...]]]
"""Arrows with the points of each."""


def arrow_lines(layout: Layout, sketch: Sketch, boxes: Mapping[str, PageBox]) -> Lines:
    """Return all arrows of a sketch with their points: attacks go on where ways with names end.

    boxes: the box that each stack fills.
    """
    reached = {arrow.hexes[-1] for arrow in sketch.arrows if arrow.name}
    lines: list[tuple[Arrow, tuple[Point, ...]]] = []
    for arrow in sketch.arrows:
        if arrow.name:
            line = way_line(layout, arrow, boxes)
        else:
            goes_on = arrow.kind == "attack" and arrow.hexes[0] in reached
            line = arrow_line(layout, arrow, boxes, joined=goes_on)
        lines.append((arrow, line))
    return lines


def way_line(layout: Layout, arrow: Arrow, boxes: Mapping[str, PageBox]) -> tuple[Point, ...]:
    """Return the points of a way, from the counters of its first hex to the middle of its last hex or to the counters
    there.
    """
    centres = [layout.centre(name) for name in arrow.hexes]
    points = [_clear_of(boxes.get(arrow.hexes[0]), centres[0], centres[1])]
    for one, at, other, name in zip(centres, centres[1:], centres[2:], arrow.hexes[1:], strict=False):
        points += _round_counters(one, at, other) if name in boxes else [at]
    return (*points, _clear_of(boxes.get(arrow.hexes[-1]), centres[-1], centres[-2]))


def _clear_of(box: PageBox | None, centre: Point, towards: Point) -> Point:
    """Return the point from which on a line from the middle of a hex is clear of the counters there."""
    return (
        centre if box is None else move_towards(centre, towards, distance_inside(box.corners, centre, towards) + _CLEAR)
    )


def _round_counters(one: Point, at: Point, other: Point) -> Iterator[Point]:
    """Yield the points of a way along the rim of a hex, from one hexside to another: the shorter way round, straight on
    one that is the same there and back.
    """
    enter, leave = point_between(one, at, 0.5), point_between(at, other, 0.5)
    first, last = atan2(enter[1] - at[1], enter[0] - at[0]), atan2(leave[1] - at[1], leave[0] - at[0])
    turn = (last - first + pi) % (2 * pi) - pi
    if abs(abs(turn) - pi) < 0.05:
        turn = abs(turn) if one < other else -abs(turn)
    many = max(round(abs(turn) / _TURN), 2)
    yield enter
    for number in range(1, many):
        angle = first + turn * number / many
        yield at[0] + _RIM * cos(angle), at[1] + _RIM * sin(angle)
    yield leave
