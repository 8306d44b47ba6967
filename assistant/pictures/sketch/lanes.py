"""Ways with names, drawn apart: where several share a hexside each has a lane of its own, and round counters on the way they
lead along the rim of the hex, so that each is seen whole from its tail to its head; and the names at their tails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, dist, hypot, pi, sin

from ...drawing.lettering import base_line, text_width
from ...drawing.scene import Group, Layer, Point, Shape, Text, inset
from ...questions.sketch import Arrow, Sketch
from ..colours import INK, WHITE
from ..layout import Area, Layout, aside, distance_inside, middle_of, move, point_between
from ..style import HEX
from .layers import Room, arrow_line, box_round

PITCH = 2.9
"""How far apart two lanes lie, in millimetres."""
_LANES = (0, 1, -1, 2, -2, 3, -3)
"""The lanes from which each way takes one, to the right of its direction, the best first."""
_SHARED, _CROSSED, _ASIDE = 10.0, 1.0, 0.1
"""How bad it is to share a lane across a hexside, to share one in a hex, and to lie that many lanes aside."""
_RIM, _SWAY, _TURN = 14.2, 0.55, pi / 9
"""How far from the middle of a hex a way leads round counters, which share of its lane it keeps there, and the angle from one
of its points to the next.
"""
_CLEAR, _SHORT, _BESIDE = 0.9, 5.6, 2.0
"""How far the tail of a way lies from the counters that it leaves, and its head from those or from the middle of its last
hex, where other arrows begin; and how far beside counters a way passes that is clear of them.
"""

Lines = Sequence[tuple[Arrow, tuple[Point, ...]]]
"""Arrows with the points of each."""


def lines_of(layout: Layout, sketch: Sketch, boxes: Mapping[str, Area]) -> Lines:
    """All arrows of a sketch with their points: those with names in lanes, attacks on numbered hexes up to the counters there.

    boxes: the box that each stack fills.
    """
    lanes = lanes_of([arrow for arrow in sketch.arrows if arrow.name])
    numbered = {spot.hex for spot in sketch.spots if spot.place}
    return [
        (
            arrow,
            lane_line(layout, arrow, lanes[arrow], boxes)
            if arrow.name
            else arrow_line(layout, arrow, boxes, whole=arrow.hexes[-1] in numbered),
        )
        for arrow in sketch.arrows
    ]


def lanes_of(arrows: Sequence[Arrow]) -> dict[Arrow, int]:
    """The lane of each way: 0 for the middle, 1 for the first one to the right of its direction, -1 for the left."""
    lanes = dict[Arrow, int]()
    across, within = set[tuple[str, str, int]](), set[tuple[str, int]]()

    def badness(arrow: Arrow, lane: int) -> float:
        shared = sum((*step, lane * sign) in across for step, sign in _steps(arrow))
        crossed = sum((name, abs(lane)) in within for name in arrow.hexes)
        return _SHARED * shared + _CROSSED * crossed + _ASIDE * abs(lane)

    for arrow in sorted(arrows, key=lambda arrow: (len(arrow.hexes), arrow.hexes)):
        lane = min(_LANES, key=lambda lane: badness(arrow, lane))
        lanes[arrow] = lane
        across |= {(*step, lane * sign) for step, sign in _steps(arrow)}
        within |= {(name, abs(lane)) for name in arrow.hexes}
    return lanes


def _steps(arrow: Arrow) -> Iterator[tuple[tuple[str, str], int]]:
    """The hexsides that a way crosses, as pairs of hexes in one order, with -1 where it goes against that order."""
    for one, other in pairwise(arrow.hexes):
        yield ((one, other), 1) if one < other else ((other, one), -1)


def lane_line(layout: Layout, arrow: Arrow, lane: int, boxes: Mapping[str, Area]) -> tuple[Point, ...]:
    """The points of a way in its lane, from the counters of its first hex to its last hex."""
    by = lane * PITCH
    centres = [layout.centre(name) for name in arrow.hexes]
    (start, second), (before, end) = centres[:2], centres[-2:]
    (tail,), (head,) = aside([start], (start, second), by), aside([end], (before, end), by)
    points = [
        move(tail, translate(tail, start, second), _to_edge(boxes.get(arrow.hexes[0]), tail, (start, second)) + _CLEAR)
    ]
    for (one, at, other), name in zip(
        zip(centres, centres[1:], centres[2:], strict=False), arrow.hexes[1:], strict=False
    ):
        if name in boxes:
            points += _round_counters(one, at, other, by)
        else:
            points.append(_corner(one, at, other, by))
    short = max(_to_edge(boxes.get(arrow.hexes[-1]), head, (end, before), _BESIDE) + _CLEAR, _SHORT)
    return (*points, move(head, translate(head, end, before), short))


def translate(point: Point, start: Point, end: Point) -> Point:
    """A point moved as far, and in the direction, as another point is from the first: from `start` to `end`."""
    return point[0] + end[0] - start[0], point[1] + end[1] - start[1]


def _to_edge(box: Area | None, point: Point, direction: tuple[Point, Point], rim: float = 0.0) -> float:
    """How far it is from a point to the edge of a box, in a direction; 0 outside it. rim: at its sides, in millimetres."""
    if box is None:
        return 0.0
    wide = Area(box.left - rim, box.top, box.right + rim, box.bottom)
    if not (wide.left < point[0] < wide.right and wide.top < point[1] < wide.bottom):
        return 0.0
    return distance_inside(wide.corners, point, translate(point, *direction))


def _corner(one: Point, at: Point, other: Point, by: float) -> Point:
    """Where a lane turns at the middle of a hex."""
    (ax, ay), (bx, by_) = _right(one, at), _right(at, other)
    share = by / max(1 + ax * bx + ay * by_, 0.4)
    return at[0] + (ax + bx) * share, at[1] + (ay + by_) * share


def _right(one: Point, other: Point) -> Point:
    """The direction to the right of the way from one point to another."""
    length = dist(one, other) or 1.0
    return -(other[1] - one[1]) / length, (other[0] - one[0]) / length


def _round_counters(one: Point, at: Point, other: Point, by: float) -> Iterator[Point]:
    """The points of a lane along the rim of a hex, from one hexside to another: the shorter way round."""
    (enter,) = aside([point_between(one, at, 0.5)], (one, at), by)
    (leave,) = aside([point_between(at, other, 0.5)], (at, other), by)
    first, last = (atan2(y - at[1], x - at[0]) for x, y in (enter, leave))
    turn = (last - first + pi) % (2 * pi) - pi
    if abs(abs(turn) - pi) < 0.05 or (abs(turn) > pi * 0.75 and turn * by > 0):
        turn = abs(turn) if by <= 0 else -abs(turn)  # straight on: to the side of the lane
    radius = _RIM - _SWAY * by * (1 if turn > 0 else -1)
    many = max(round(abs(turn) / _TURN), 2)
    yield enter
    for number in range(1, many):
        angle = first + turn * number / many
        yield at[0] + radius * cos(angle), at[1] + radius * sin(angle)
    yield leave


# --- names ------------------------------------------------------------------------------------------------------------

_SIZE, _PAD, _APART, _BEYOND = 3.1, 0.8, 3.0, 5.0
"""The letters of a name, the room round them, how far apart the places are at which one may stand, and how far it may reach
beyond the hexes that are drawn, in millimetres.
"""


def name_layer(layout: Layout, lines: Lines, room: Room, taken: Sequence[Area]) -> Layer:
    """The names of ways, each on its line, as near to the tail as other lines, counters and labels allow, and within its panel.
    room: what counters and labels take, which the names then take too; taken: what else they keep clear of.
    """
    groups = list[Shape]()
    named = [(arrow, points) for arrow, points in lines if arrow.name]
    for arrow, points in named:
        free = Room(room.firm)
        for other, line in lines:
            if other is not arrow:
                free.take_line(line, 1.0)
        for area in taken:
            free.take(area)
        width, height = text_width(arrow.name, _SIZE, bold=True) + 2 * _PAD, _SIZE + 1.0
        panel = next(box for hexes, box in layout.panels if arrow.hexes[0] in hexes)
        x, y = free.place(width, height, _within(panel, width, _along(points, width, height)))
        room.take_firm(box_round(x, y, width, height))
        box = inset(
            x - width / 2, y - height / 2, width, height, 0, radius=0.9, fill=WHITE, stroke=INK, stroke_width=0.3
        )
        text = Text(x=x, y=base_line(y, _SIZE), text=arrow.name, size=_SIZE, anchor="middle", bold=True, fill=INK)
        groups.append(Group(f"{arrow.name}: {arrow.hexes[0]}", (box, text)))
    return Layer("names of ways", tuple(groups))


def _within(panel: Area, width: float, points: Iterable[Point]) -> Iterator[Point]:
    """Points moved to the left or right so that a name round them is not cut off at the edge of a panel. width: of the name."""
    left, right = panel.left - _BEYOND + width / 2, panel.right + _BEYOND - width / 2
    if left > right:
        left = right = (panel.left + panel.right) / 2
    yield from ((min(max(x, left), right), y) for x, y in points)


def _along(points: Sequence[Point], width: float, height: float) -> Iterator[Point]:
    """The places for a name along a line, from its tail on: on the line, or beside it, just touching it; its head stays free.
    width, height: of the name.
    """
    length = sum(dist(one, other) for one, other in pairwise(points))
    first, last = min(4.0, length / 2), max(length - HEX / 5, length / 2)
    for number in range(int((last - first) / _APART) + 1):
        way = first + number * _APART
        at = _point_at(points, way)
        across = _right(at, _point_at(points, way + 0.1))
        by = (abs(across[0]) * width + abs(across[1]) * height) / 2
        yield from ((at[0] + across[0] * share * by, at[1] + across[1] * share * by) for share in (0.0, 0.85, -0.85))


def _point_at(points: Sequence[Point], way: float) -> Point:
    """The point of a line so far from its beginning, its middle beyond its end."""
    for one, other in pairwise(points):
        if (length := hypot(other[0] - one[0], other[1] - one[1])) >= way:
            return move(one, other, way)
        way -= length
    return middle_of(points)
