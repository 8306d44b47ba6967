"""The arrows of a sketch: attacks, choices and ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, dist, pi, sin

from msgspec.structs import replace

from ...asking.sketch import Arrow, ArrowKind, Sketch
from ..colours import INK, WHITE, contrast
from ..geometry import PageBox, distance_inside, move_towards, point_between, shift_aside
from ..layout import Layout
from ..scene import Group, Layer, Point, Polyline, Shape
from ..style import HEX_MM

_WAY_WIDTH_MM = 2.0
_ATTACK_WIDTH_MM = 2.6
_RIM_WIDTH_MM = 1.1
_WAY_HEAD_MM = 4.4
_ATTACK_HEAD_MM = 4.8
_CHOICE_HEAD_MM = 4.4
_HEADS_MM: Mapping[ArrowKind, float] = {"attack": _ATTACK_HEAD_MM, "choice": _CHOICE_HEAD_MM, "support": 3.4}
"""The lengths of the heads of arrows that have another one than a way."""
MIN_SHAFT_MM = 3.0
"""The minimum length of the shaft of an arrow, without its head."""
_DEPTH_OF_CHOICE_MM = 4.2
"""The length of the arrow of a choice inside its hex."""
_DEPTH_AT_COUNTERS_MM = 0.2
_TIP_GAP_MM = 0.8
"""The distance from the tip of an arrow to the counters before it."""
_FOOT_GAP_MM = 1.9
"""The distance from the counters to an arrow that starts there, so large that its round end does not touch them."""
_STUB_MM = 3.6
"""The length on each side of the hexside of the arrow for a way that will be open later."""
_MIN_STUB_MM = 1.2
_STUB_OFFSET_MM = 1.7
"""The shift of such an arrow to the right, which leaves room for one in the other direction."""
_DETOUR_RADIUS_MM = 14.2
"""The distance from the middle of a hex to a way round its counters."""
_DETOUR_STEP_RADIANS = pi / 9
"""The angle between the points of a detour."""
_GAP_TO_COUNTERS_MM = 0.9
_NAMED_RIM_MM = 0.9
_MIN_DARK_CONTRAST = 4.5
"""The minimum contrast ratio of a dark colour and white."""
_NAMED_WAY_WIDTH_MM = 1.5

Lines = Sequence[tuple[Arrow, tuple[Point, ...]]]
"""Arrows with the points of each."""


def arrow_lines(layout: Layout, sketch: Sketch, boxes: Mapping[str, PageBox]) -> Lines:
    """Return all arrows of a sketch with their points; attacks continue from the ends of named ways."""
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


def arrow_line(
    layout: Layout, arrow: Arrow, boxes: Mapping[str, PageBox], *, joined: bool = False
) -> tuple[Point, ...]:
    """Return the points of an arrow, from the counters of its first hex through the hex centres to an end by its kind.

    `boxes`: the box of each stack.
    `joined`: whether the arrow is an attack that continues a way, which ends in the middle of its first hex.
    """
    points = [layout.centre(name) for name in arrow.hexes]
    if arrow.kind == "onward":
        return _find_stub(layout, arrow.hexes[-2], arrow.hexes[-1], boxes)
    first, last = arrow.hexes[0], arrow.hexes[-1]
    length = dist(points[-2], points[-1])
    meets_counters = arrow.kind == "attack" and last in boxes and (not joined or first in boxes)
    if arrow.kind == "way" or meets_counters:
        end_gap = distance_inside(boxes[last].corners, points[-1], points[-2]) + _TIP_GAP_MM if last in boxes else 0.0
    else:
        end_gap = distance_inside(layout.corners(last), points[-1], points[-2])
        depth = _DEPTH_OF_CHOICE_MM
        if last in boxes:
            to_counters = distance_inside(boxes[last].corners, points[-1], points[-2]) + _TIP_GAP_MM
            depth = min(max(end_gap - to_counters, _DEPTH_AT_COUNTERS_MM), depth)
        end_gap += 0.3 if arrow.kind == "attack" else -depth
    tip = point_between(points[-1], points[-2], min(end_gap / length, 1.0))
    foot = distance_inside(boxes[first].corners, points[0], points[1]) + _FOOT_GAP_MM if first in boxes else HEX_MM / 6
    if joined and first not in boxes:
        foot = 0.0
    elif len(points) == 2:
        min_length = MIN_SHAFT_MM + _HEADS_MM.get(arrow.kind, _WAY_HEAD_MM)
        foot = max(min(foot, dist(points[0], tip) - min_length), 0.0)
    return (move_towards(points[0], points[1], foot), *points[1:-1], tip)


def _find_stub(layout: Layout, one: str, other: str, boxes: Mapping[str, PageBox]) -> tuple[Point, Point]:
    start, end = layout.centre(one), layout.centre(other)
    middle = point_between(start, end, 0.5)
    ends = list[Point]()
    for name, centre in ((one, start), (other, end)):
        free = dist(centre, middle)
        if name in boxes:
            moved = shift_aside((centre, middle), (start, end), _STUB_OFFSET_MM)
            free -= distance_inside(boxes[name].corners, *moved) + 0.5
        ends.append(move_towards(middle, centre, max(min(_STUB_MM, free), _MIN_STUB_MM)))
    first, last = shift_aside(ends, (start, end), _STUB_OFFSET_MM)
    return first, last


def way_line(layout: Layout, arrow: Arrow, boxes: Mapping[str, PageBox]) -> tuple[Point, ...]:
    """Return the points of a way, from the counters of its first hex to the counters or the middle of its last hex."""
    centres = [layout.centre(name) for name in arrow.hexes]
    points = [_clear_of(boxes.get(arrow.hexes[0]), centres[0], centres[1])]
    for one, at, other, name in zip(centres, centres[1:], centres[2:], arrow.hexes[1:], strict=False):
        points += _round_counters(one, at, other) if name in boxes else [at]
    return (*points, _clear_of(boxes.get(arrow.hexes[-1]), centres[-1], centres[-2]))


def _clear_of(box: PageBox | None, centre: Point, towards: Point) -> Point:
    return (
        centre
        if box is None
        else move_towards(centre, towards, distance_inside(box.corners, centre, towards) + _GAP_TO_COUNTERS_MM)
    )


def _round_counters(one: Point, at: Point, other: Point) -> Iterator[Point]:
    """Yield the points of a way round the counters of a hex, on the shorter side.

    A way straight on uses the same side in both directions.

    `one`, `at`, `other`: the centres of the previous hex, the hex and the next hex.
    """
    enter, leave = point_between(one, at, 0.5), point_between(at, other, 0.5)
    first, last = atan2(enter[1] - at[1], enter[0] - at[0]), atan2(leave[1] - at[1], leave[0] - at[0])
    turn = (last - first + pi) % (2 * pi) - pi
    if abs(abs(turn) - pi) < 0.05:
        turn = abs(turn) if one < other else -abs(turn)
    count = max(round(abs(turn) / _DETOUR_STEP_RADIANS), 2)
    yield enter
    for number in range(1, count):
        angle = first + turn * number / count
        yield at[0] + _DETOUR_RADIUS_MM * cos(angle), at[1] + _DETOUR_RADIUS_MM * sin(angle)
    yield leave


def arrow_layer(lines: Lines, colours: Mapping[str, str], *, shaded: bool = False) -> Layer:
    """Return the arrows in the colours of their sides.

    `shaded`: whether they are drawn over shades and must be conspicuous. Then all rims come first, so that ways that
    meet are joined.
    """
    groups, rims = list[Group](), list[Shape]()
    for arrow, points in lines:
        shapes = (named_shapes if shaded else arrow_shapes)(arrow.kind, points, colours[arrow.side])
        if shaded:
            rims += [replace(shape, stroke="") for shape in shapes if isinstance(shape, Polyline) and shape.casing]
            shapes = [replace(shape, casing="") if isinstance(shape, Polyline) else shape for shape in shapes]
        groups.append(Group(format_arrow(arrow), tuple(shapes)))
    return Layer("arrows", (*rims, *groups, *(_draw_bridges(lines, colours) if shaded else ())))


_BRIDGE_MM = 3.2
"""The length of a bridge on each side of the crossing."""
_BRIDGE_RIM_MM = 1.8


def _draw_bridges(lines: Lines, colours: Mapping[str, str]) -> Iterator[Shape]:
    """Yield a bridge for each way that crosses an earlier one, so that it does not seem to turn there."""
    ways = [(arrow, points) for arrow, points in lines if arrow.name]
    for number, (arrow, points) in enumerate(ways):
        bridges = dict.fromkeys(bridge for _, under in ways[:number] for bridge in find_bridges(under, points))
        for bridge in bridges:
            colour = colours[arrow.side]
            rim = WHITE if contrast(colour, WHITE) > _MIN_DARK_CONTRAST else INK
            width = _NAMED_WAY_WIDTH_MM
            yield Polyline(
                points=bridge, stroke=colour, width=width, casing=rim, casing_width=width + _BRIDGE_RIM_MM, butt=True
            )


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


_SAME_POINT_MM = 0.05


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


def arrow_shapes(kind: str, points: Sequence[Point], colour: str) -> list[Shape]:
    """Return an arrow by its kind.

    It is solid for a way, hollow for a choice, broad for an attack, dashed for support, thin for a way open only later.
    """
    if kind == "support":
        return named_shapes(kind, points, colour)
    if kind == "onward":
        return [Polyline(points=tuple(points), stroke=colour, width=0.8, head=2.6, casing=WHITE, casing_width=2.0)]
    if kind == "choice":
        return [
            Polyline(
                points=tuple(points), stroke=colour, width=2.6, head=_CHOICE_HEAD_MM, casing=WHITE, casing_width=3.5
            ),
            Polyline(points=_shorten(points, 0.9), stroke=WHITE, width=1.5, head=2.7),
        ]
    if kind == "attack":
        casing = _ATTACK_WIDTH_MM + _RIM_WIDTH_MM
        return [
            Polyline(
                points=tuple(points),
                stroke=colour,
                width=_ATTACK_WIDTH_MM,
                head=_ATTACK_HEAD_MM,
                casing=WHITE,
                casing_width=casing,
            )
        ]
    line = Polyline(
        points=tuple(points),
        stroke=colour,
        width=_WAY_WIDTH_MM,
        head=_WAY_HEAD_MM,
        casing=WHITE,
        casing_width=_WAY_WIDTH_MM + _RIM_WIDTH_MM,
    )
    return [line]


def named_shapes(kind: str, points: Sequence[Point], colour: str) -> list[Shape]:
    """Return the arrow of a named way, or any arrow over shades.

    A way has no head, because an attack continues from its end. It is dashed for a unit that only supports. Its rim
    contrasts with any ground: white round a dark colour, dark round a light one.
    """
    width, head = {"support": (_NAMED_WAY_WIDTH_MM, 3.4), "onward": (0.8, 2.6), "attack": (2.0, 4.4)}.get(
        kind, (_NAMED_WAY_WIDTH_MM, 0.0)
    )
    rim = WHITE if contrast(colour, WHITE) > _MIN_DARK_CONTRAST else INK
    casing = width + _NAMED_RIM_MM
    shapes: list[Shape] = [
        Polyline(points=tuple(points), stroke=colour, width=width, head=head, casing=rim, casing_width=casing)
    ]
    if kind == "support":
        shapes.append(Polyline(points=_shorten(points, 3.4), stroke=WHITE, width=0.8, dash=(1.6, 1.6), butt=True))
    return shapes


def _shorten(points: Sequence[Point], by: float) -> tuple[Point, ...]:
    return (move_towards(points[0], points[1], by * 0.2), *points[1:-1], move_towards(points[-1], points[-2], by))


def format_arrow(arrow: Arrow) -> str:
    """Return a text that describes an arrow."""
    first, *others = arrow.hexes
    if arrow.kind == "attack":
        return f"{first} attacks {others[-1]}"
    if arrow.kind == "support" and not arrow.name:
        return f"{first} supports the attack on {others[-1]}"
    if arrow.kind == "onward":
        return f"then open from {first} to {others[-1]}{f', {arrow.label}' if arrow.label else ''}"
    if arrow.name:
        what = "supports" if arrow.kind == "support" else "comes"
        return f"{arrow.name}: {what} from {first} by {', '.join(others)}"
    return f"{'a way' if arrow.kind == 'way' else 'open'} from {first} to {', '.join(others)}"
