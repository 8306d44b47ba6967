"""The sign of each status: told apart by colour, by lightness in a grey print, and by form."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin

from ...drawing.scene import Circle, Path, Point, Polygon, Shape
from ..colours import INK, WHITE
from .shown import Status

COLOURS: Mapping[Status, str] = {
    "full": "#4b9bd1",
    "low": "#f5c93c",
    "none": "#a8321f",
    "cut-off": "#1c1714",
    "unknown": WHITE,
}
_RIM = 0.13
"""The white rim round a sign, as a share of its radius."""


def status_shapes(status: Status, x: float, y: float, radius: float, *, doubtful: bool = False) -> list[Shape]:
    """The sign of a status round a point: a disc with a tick, a triangle with a bar, a square with a cross, an octagon
    with a cross, or a question mark in a diamond. doubtful: with a dashed ring round it.
    """
    colour = COLOURS[status]
    ink = INK if status in ("low", "unknown") else WHITE
    width = radius * 0.3
    shapes: list[Shape] = []
    if doubtful:
        ring = tuple(_around(x, y, radius * 1.42, 24, 0.0))
        dash = (radius * 0.45, radius * 0.3)
        shapes.append(Path(lines=(ring,), closed=True, fill=WHITE, stroke=INK, width=radius * 0.16, dash=dash))
    if status == "full":
        shapes += [Circle(x=x, y=y, radius=radius * (1 + _RIM), fill=WHITE)]
        shapes += [Circle(x=x, y=y, radius=radius, fill=colour, stroke=INK, width=radius * 0.1)]
        marks: tuple[tuple[Point, ...], ...] = (((-0.48, 0.02), (-0.12, 0.4), (0.5, -0.38)),)
    else:
        many, turn, size = _FORMS[status]
        body = tuple(_around(x, y + (radius * 0.12 if many == 3 else 0), radius * size, many, turn))
        rim = tuple(_around(x, y + (radius * 0.12 if many == 3 else 0), radius * (size + 1.6 * _RIM), many, turn))
        shapes += [
            Polygon(points=rim, fill=WHITE),
            Polygon(points=body, fill=colour, stroke=INK, width=radius * 0.1),
        ]
        marks = _MARKS[status]
    lines = tuple(tuple((x + dx * radius, y + dy * radius) for dx, dy in line) for line in marks)
    return [*shapes, Path(lines=lines, stroke=ink, width=width)]


_FORMS: Mapping[Status, tuple[int, float, float]] = {
    "low": (3, -pi / 2, 1.28),
    "none": (4, pi / 4, 1.28),
    "cut-off": (8, pi / 8, 1.12),
    "unknown": (4, 0.0, 1.25),
}
"""How many corners a sign has, how far it is turned, and how large it is."""
_CROSS = (((-0.46, -0.46), (0.46, 0.46)), ((-0.46, 0.46), (0.46, -0.46)))
_HOOK = ((-0.3, -0.3), (-0.22, -0.5), (0.0, -0.6), (0.25, -0.5), (0.28, -0.25), (0.0, 0.05), (0.0, 0.22))
_MARKS: Mapping[Status, tuple[tuple[Point, ...], ...]] = {
    "low": (((0.0, -0.42), (0.0, 0.18)), ((0.0, 0.5), (0.0, 0.52))),
    "none": _CROSS,
    "cut-off": _CROSS,
    "unknown": (_HOOK, ((0.0, 0.55), (0.0, 0.57))),
}


def _around(x: float, y: float, radius: float, many: int, turn: float) -> list[Point]:
    angles = (turn + 2 * pi * number / many for number in range(many))
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def break_shapes(x: float, y: float, radius: float) -> list[Shape]:
    """The sign of what breaks a line, round a point: a ring with a bar across it."""
    bar = ((x - radius * 0.55, y - radius * 0.55), (x + radius * 0.55, y + radius * 0.55))
    return [
        Circle(x=x, y=y, radius=radius * 1.3, fill=WHITE),
        Circle(x=x, y=y, radius=radius * 0.9, fill=WHITE, stroke=BREAK, width=radius * 0.42),
        Path(lines=(bar,), stroke=BREAK, width=radius * 0.42, butt=True),
    ]


BREAK = "#8f1226"
