"""The signs of a picture of lines, with their words: the supply of units, breaks and limits of lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import cos, hypot, pi, sin
from typing import Any

from ...asking.line_sketch import Break, LineSketch, Status
from ..colours import INK, WHITE
from ..geometry import PageBox, box_around, middle_of, point_between
from ..layout import Layout
from ..lettering import base_line, text_width, wrap
from ..placement import Inscription, Placement
from ..scene import Circle, Group, Layer, Path, Point, Polygon, Shape, inset, text_lines
from ..style import SOFT_INK

COLOURS: Mapping[Status, str] = {
    "full": "#4b9bd1",
    "low": "#f5c93c",
    "none": "#a8321f",
    "cut-off": "#1c1714",
    "unknown": WHITE,
}
"""Of the signs of statuses."""
BREAK = "#8f1226"  # the colour of breaks and of ways that fail
_RIM = 0.13
"""The white rim round a sign, as a share of its radius."""
_FORMS: Mapping[Status, tuple[int, float, float]] = {
    "low": (3, -pi / 2, 1.28),
    "none": (4, pi / 4, 1.28),
    "cut-off": (8, pi / 8, 1.12),
    "unknown": (4, 0.0, 1.25),
}
"""How many corners a sign has, how far it is turned, and how large it is."""
_CROSS = (((-0.46, -0.46), (0.46, 0.46)), ((-0.46, 0.46), (0.46, -0.46)))  # strokes within a sign of radius 1
_HOOK = ((-0.3, -0.3), (-0.22, -0.5), (0.0, -0.6), (0.25, -0.5), (0.28, -0.25), (0.0, 0.05), (0.0, 0.22))
"""The bow of a question mark, the same."""
_MARKS: Mapping[Status, tuple[tuple[Point, ...], ...]] = {
    "low": (((0.0, -0.42), (0.0, 0.18)), ((0.0, 0.5), (0.0, 0.52))),
    "none": _CROSS,
    "cut-off": _CROSS,
    "unknown": (_HOOK, ((0.0, 0.55), (0.0, 0.57))),
}
"""What stands in each sign, as strokes."""


def status_shapes(status: Status, x: float, y: float, radius: float) -> list[Shape]:
    """Return the sign of a status round a point: a disc with a tick, a triangle with a bar, a square or an octagon with
    a cross, or a question mark in a diamond.
    """
    colour = COLOURS[status]
    ink = INK if status in ("low", "unknown") else WHITE
    width = radius * 0.3
    shapes: list[Shape] = []
    if status == "full":
        shapes += [Circle(x=x, y=y, radius=radius * (1 + _RIM), fill=WHITE)]
        shapes += [Circle(x=x, y=y, radius=radius, fill=colour, stroke=INK, width=radius * 0.1)]
        marks: tuple[tuple[Point, ...], ...] = (((-0.48, 0.02), (-0.12, 0.4), (0.5, -0.38)),)
    else:
        many, turn, size = _FORMS[status]
        middle = y + (radius * 0.12 if many == 3 else 0)
        rim = _corners(x, middle, radius * (size + 1.6 * _RIM), many, turn)
        body = _corners(x, middle, radius * size, many, turn)
        shapes += [Polygon(points=rim, fill=WHITE), Polygon(points=body, fill=colour, stroke=INK, width=radius * 0.1)]
        marks = _MARKS[status]
    lines = tuple(tuple((x + dx * radius, y + dy * radius) for dx, dy in line) for line in marks)
    return [*shapes, Path(lines=lines, stroke=ink, width=width)]


def _corners(x: float, y: float, radius: float, many: int, turn: float) -> tuple[Point, ...]:
    """Return the corners of a regular shape round a point."""
    angles = (turn + 2 * pi * number / many for number in range(many))
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)


def break_shapes(x: float, y: float, radius: float) -> list[Shape]:
    """Return the sign of what breaks a line, round a point: a ring with a bar across it."""
    bar = ((x - radius * 0.55, y - radius * 0.55), (x + radius * 0.55, y + radius * 0.55))
    return [
        Circle(x=x, y=y, radius=radius * 1.3, fill=WHITE),
        Circle(x=x, y=y, radius=radius * 0.9, fill=WHITE, stroke=BREAK, width=radius * 0.42),
        Path(lines=(bar,), stroke=BREAK, width=radius * 0.42, butt=True),
    ]


def limit_shapes(x: float, y: float, radius: float, along: Point = (1.0, 0.0)) -> list[Shape]:
    """Return the sign of where a range ends, round a point: a bar across the line. along: where the line leads from
    there.
    """
    length = hypot(*along) or 1.0
    across = -along[1] / length * radius * 1.5, along[0] / length * radius * 1.5
    bar = (x - across[0], y - across[1]), (x + across[0], y + across[1])
    return [
        Path(lines=(bar,), stroke=WHITE, width=radius * 1.1),
        Path(lines=(bar,), stroke=INK, width=radius * 0.55, butt=True),
    ]


# --- breaks -----------------------------------------------------------------------------------------------------------

_BREAK_RADIUS_MM = 2.6
BREAK_REACH_MM = _BREAK_RADIUS_MM * 1.3
"""The distance from the middle of the sign of a break to its edge."""
_BREAK_WORDS_SIZE_MM = 2.9


def break_points(
    layout: Layout, shown: LineSketch, boxes: Mapping[str, PageBox], scale: float
) -> Iterator[tuple[Break, Point]]:
    """Yield the breaks in hexes that are drawn, each with the place of its sign: on its hexside, or left of counters.

    `boxes`: the boxes of counters.
    """
    for gap in shown.breaks:
        ends = gap.where.split("|")
        if not all(map(layout.draws, ends)):
            continue
        x, y = layout.centre(ends[0])
        if len(ends) == 2:
            x, y = point_between((x, y), layout.centre(ends[1]), 0.5)
        elif gap.where in boxes:
            x = boxes[gap.where].left - _BREAK_RADIUS_MM * scale * 1.3 - 0.3
        yield gap, (x, y)


def _choose_words(shown: LineSketch, gap: Break) -> str:
    """Return the words beside the sign of a break, those of a way that fails if it ends there."""
    return next((way.text for way in shown.failing if way.ends == gap.where), gap.why)


def break_marks(
    points: Sequence[tuple[Break, Point]], shown: LineSketch, scale: float, large: float
) -> Iterator[tuple[str, Inscription[Any]]]:
    """Yield the words of breaks beside their signs.

    `points`: the places of the signs; `large`: how much letters are enlarged.
    """
    for number, (gap, point) in enumerate(points):
        yield (
            "",
            Inscription(
                f"break {number}",
                partial(_place_beside_sign, _choose_words(shown, gap), point, BREAK_REACH_MM * scale, large),
                plate=True,
            ),
        )


def _place_beside_sign(text: str, point: Point, sign: float, large: float) -> Iterator[Placement[Sequence[str]]]:
    """Yield the places for the words of a break: below, above, right and left of its sign, on one line or two."""
    x, y = point
    for number, lines in enumerate(_split_words(text, large)):
        width, height = max(_plate_width(line, large) for line in lines), _plate_height(lines, large)
        down, over = sign + 0.5 + height / 2, sign + 0.5 + width / 2
        places = [(0.0, down), (0.0, -down), (over, 0.0), (-over, 0.0)]
        for distance in (0.0, 3.0, 6.0, 9.0):
            places += [(share * width, up * (down + distance)) for up in (1, -1) for share in (0.0, 0.3, -0.3)]
            places += [(across * (over + distance), up * 4.0) for up in (0, 1, -1, 2, -2) for across in (1, -1)]
        for nth, (dx, dy) in enumerate(places):
            yield Placement(number * 2.0 + nth, box_around(x + dx, y + dy, width + 0.6, height + 0.6), lines)


def _split_words(text: str, large: float) -> Iterator[Sequence[str]]:
    """Yield words on one line, and on two."""
    yield (text,)
    lines = wrap(text, _BREAK_WORDS_SIZE_MM * large, text_width(text, _BREAK_WORDS_SIZE_MM * large) * 0.62)
    if len(lines) == 2:
        yield lines


def break_layer(
    points: Sequence[tuple[Break, Point]],
    layout: Layout,
    shown: LineSketch,
    placed: Mapping[str, Placement[Any]],
    *,
    scale: float,
    large: float = 1.0,
) -> Layer:
    """Return the sign of each break, and its words where they are placed.

    `points`: the places of the signs; `large`: how much letters are enlarged.
    """
    course, shapes = shown.course, list[Shape]()
    for number, (gap, (x, y)) in enumerate(points):
        around = course.get(gap.where)
        if not gap.limit:
            parts = break_shapes(x, y, _BREAK_RADIUS_MM * scale)
        elif around and all(map(layout.draws, around)):
            (before_x, before_y), (after_x, after_y) = map(layout.centre, around)
            parts = limit_shapes(x, y, _BREAK_RADIUS_MM * scale, (after_x - before_x, after_y - before_y))
        else:
            parts = limit_shapes(x, y, _BREAK_RADIUS_MM * scale)
        if place := placed.get(f"break {number}"):
            parts += _draw_plate(place.drawn, middle_of(place.box.corners), large)
        whom = f", for {', '.join(gap.units)}" if gap.units else ""
        shapes.append(Group(f"{gap.where}: {gap.why}{whom}", tuple(parts)))
    return Layer("breaks", tuple(shapes))


def _plate_width(text: str, large: float) -> float:
    return text_width(text, _BREAK_WORDS_SIZE_MM * large) + 1.6


def _plate_height(lines: Sequence[str], large: float) -> float:
    return _BREAK_WORDS_SIZE_MM * large * 1.08 * len(lines) + 0.9 * large


def _draw_plate(lines: Sequence[str], middle: Point, large: float) -> list[Shape]:
    (x, y), size = middle, _BREAK_WORDS_SIZE_MM * large
    width, height = max(_plate_width(line, large) for line in lines), _plate_height(lines, large)
    plate = inset(
        (x - width / 2, y - height / 2, width, height), 0.0, radius=1.0, fill=WHITE, stroke=SOFT_INK, stroke_width=0.2
    )
    base = base_line(y, size, len(lines), 1.08)
    return [plate, *text_lines(lines, base, size, 1.08, x=x, anchor="middle", fill=INK)]
