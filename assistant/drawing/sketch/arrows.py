"""The arrows of a sketch: attacks, choices and ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import dist

from msgspec.structs import replace

from ...asking.sketch import Arrow, ArrowKind, Sketch
from ..colours import INK, WHITE, contrast
from ..geometry import PageBox, distance_inside, move_towards, point_between, shift_aside
from ..layout import Layout
from ..scene import Group, Layer, Point, Polyline, Shape
from ..style import HEX_MM
from .bridges import find_bridges
from .lanes import bead_layer, lane_lines, place_beads

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
_NAMED_RIM_MM = 0.9
_MIN_DARK_CONTRAST = 4.5
"""The minimum contrast ratio of a dark colour and white."""
_NAMED_WAY_WIDTH_MM = 1.5
_NAMED_ATTACK_WIDTH_MM = 2.0

Lines = Sequence[tuple[Arrow, tuple[Point, ...]]]
"""Arrows with the points of each."""


def arrow_lines(layout: Layout, sketch: Sketch, boxes: Mapping[str, PageBox]) -> Lines:
    """Return all arrows of a sketch with their points; attacks continue from the ends of named ways."""
    attacks = dict[int, list[tuple[str, str]]]()
    for arrow in sketch.arrows:
        if arrow.kind == "attack":
            attacks.setdefault(arrow.goal, []).append((arrow.hexes[0], arrow.hexes[-1]))
    named = [arrow for arrow in sketch.arrows if arrow.name]
    ways = dict(zip(map(id, named), lane_lines(layout, named, attacks, boxes), strict=True))
    lines: list[tuple[Arrow, tuple[Point, ...]]] = []
    for arrow in sketch.arrows:
        if arrow.name:
            lines.append((arrow, ways[id(arrow)]))
            continue
        joined = [ways[id(way)][-1] for way in named if (way.goal, way.hexes[-1]) == (arrow.goal, arrow.hexes[0])]
        lines.append((arrow, arrow_line(layout, arrow, boxes, joined if arrow.kind == "attack" else ())))
    return lines


def arrow_line(
    layout: Layout, arrow: Arrow, boxes: Mapping[str, PageBox], joined: Sequence[Point] = ()
) -> tuple[Point, ...]:
    """Return the points of an arrow, from the counters of its first hex through the hex centres to an end by its kind.

    `boxes`: the box of each stack.
    `joined`: the ends of the ways that the arrow continues, an attack.
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
        return max(joined, key=lambda end: dist(end, tip)), tip
    if len(points) == 2:
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


_BRIDGE_RIM_MM = 1.8


def _draw_bridges(lines: Lines, colours: Mapping[str, str]) -> Iterator[Shape]:
    """Yield a bridge for each way that crosses an earlier one, so that it does not seem to turn there."""
    ways = [(arrow, points) for arrow, points in lines if arrow.goal or arrow.name]
    for number, (arrow, points) in enumerate(ways):
        bridges = dict.fromkeys(bridge for _, under in ways[:number] for bridge in find_bridges(under, points))
        for bridge in bridges:
            colour = colours[arrow.side]
            rim = WHITE if contrast(colour, WHITE) > _MIN_DARK_CONTRAST else INK
            width = _NAMED_ATTACK_WIDTH_MM if arrow.kind == "attack" else _NAMED_WAY_WIDTH_MM
            yield Polyline(
                points=bridge, stroke=colour, width=width, casing=rim, casing_width=width + _BRIDGE_RIM_MM, butt=True
            )


def goal_layer(lines: Lines) -> Layer:
    """Return the numbers of the hexes to which ways lead, on the ways."""
    return bead_layer(place_beads(lines))


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
    width, head = {
        "support": (_NAMED_WAY_WIDTH_MM, 3.4),
        "onward": (0.8, 2.6),
        "attack": (_NAMED_ATTACK_WIDTH_MM, 4.4),
    }.get(kind, (_NAMED_WAY_WIDTH_MM, 0.0))
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
