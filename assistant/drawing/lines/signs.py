"""The signs of a picture of lines: how supply stands with a unit, what breaks a line and what limits it."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, hypot, pi, sin

from ...asking.line_sketch import (
    Status,
)
from ..colours import INK, WHITE
from ..scene import Circle, Path, Point, Polygon, Shape

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
