"""Shapes and paths as operators of a PDF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from .scene import Circle, Point, Rectangle, SymbolPath

#: The distance of the control points of a quarter circle from its ends, in radii.
_QUARTER = 0.5523
ROUND, BUTT, MITRE = "1 J 1 j", "0 J 1 j", "0 J 0 j"
"""How strokes end and turn."""


def paint(fill: bool, stroke: bool) -> str:
    """The operator that paints a path."""
    return "B" if fill and stroke else "f" if fill else "S" if stroke else "n"


@cache
def colour(written: str) -> str:
    """The red, green and blue of #rrggbb. Raises ValueError for anything else."""
    if not re.fullmatch("#[0-9a-fA-F]{6}", written):
        raise ValueError(f"{written!r} is not a colour: write it as #rrggbb")
    return " ".join(f"{int(written[at : at + 2], 16) / 255:.3g}" for at in (1, 3, 5))


def numbers(*values: float) -> str:
    """Lengths with three decimals. Raises ValueError for one that is not finite."""
    text = " ".join(["%.3f"] * len(values)) % values  # twice as fast as one by one
    if "n" in text:  # nan, inf
        raise ValueError(f"{text} is not a length")
    return text


def through(points: Sequence[Point]) -> str:
    """A line through points."""
    text = _line_of(len(points)) % tuple([value for point in points for value in point])
    if "n" in text:  # nan, inf
        raise ValueError(f"{text} is not a length")
    return text


@cache
def _line_of(count: int) -> str:
    """The pattern of a line through so many points."""
    return "%.3f %.3f m" + " %.3f %.3f l" * (count - 1)


def rectangle_path(box: Rectangle) -> str:
    """A rectangle, its corners rounded if it says so."""
    radius = min(box.radius, box.width / 2, box.height / 2)
    if radius <= 0:
        return f"{numbers(box.x, box.y, box.width, box.height)} re"
    return _rounded(box.x, box.y, box.x + box.width, box.y + box.height, radius)


def circle_path(circle: Circle) -> str:
    """A circle of four curves."""
    x, y, r = circle.x, circle.y, circle.radius
    left, top, right, bottom, k = x - r, y - r, x + r, y + r, r * _QUARTER
    return (
        f"{numbers(x, top)} m {numbers(x + k, top, right, y - k, right, y)} c "
        f"{numbers(right, y + k, x + k, bottom, x, bottom)} c {numbers(x - k, bottom, left, y + k, left, y)} c "
        f"{numbers(left, y - k, x - k, top, x, top)} c h"
    )


def _rounded(left: float, top: float, right: float, bottom: float, radius: float) -> str:
    """A box with rounded corners, clockwise from the left end of its upper side."""
    r, k = radius, radius * (1 - _QUARTER)
    return (
        f"{numbers(left + r, top)} m {numbers(right - r, top)} l "
        f"{numbers(right - k, top, right, top + k, right, top + r)} c {numbers(right, bottom - r)} l "
        f"{numbers(right, bottom - k, right - k, bottom, right - r, bottom)} c {numbers(left + r, bottom)} l "
        f"{numbers(left + k, bottom, left, bottom - k, left, bottom - r)} c {numbers(left, top + r)} l "
        f"{numbers(left, top + k, left + k, top, left + r, top)} c h"
    )


class _Pen:
    """A pen for fontTools that records a path as operators."""

    def __init__(self) -> None:
        self.operators: list[str] = []
        self._at: Point = (0.0, 0.0)

    def _add(self, operator: str, *points: Point) -> None:
        self._at = points[-1] if points else self._at
        self.operators.append(f"{numbers(*(value for point in points for value in point))} {operator}")

    def moveTo(self, point: Point) -> None:  # noqa: N802
        self._add("m", point)

    def lineTo(self, point: Point) -> None:  # noqa: N802
        self._add("l", point)

    def curveTo(self, *points: Point) -> None:  # noqa: N802
        self._add("c", *points)

    def qCurveTo(self, control: Point, end: Point) -> None:  # noqa: N802
        (x0, y0), (x, y), (x1, y1) = self._at, control, end
        self._add(
            "c", (x0 + (x - x0) * 2 / 3, y0 + (y - y0) * 2 / 3), (x1 + (x - x1) * 2 / 3, y1 + (y - y1) * 2 / 3), end
        )

    def closePath(self) -> None:  # noqa: N802
        self.operators.append("h")

    def endPath(self) -> None:  # noqa: N802
        """An open path needs no operator."""


def symbol_operators(paths: tuple[SymbolPath, ...]) -> str:
    """The operators that draw a symbol's paths in the units of its view box, in the current colours.

    Raises ValueError for an invalid path.
    """
    from fontTools.svgLib.path.parser import parse_path

    drawn = []
    for path in paths:
        if path.filled or path.width:
            pen = _Pen()
            try:
                parse_path(path.data, pen)
            except (ValueError, LookupError, ArithmeticError) as error:
                raise ValueError(f"{path.data!r} is not a path: {error}") from None
            ends = ROUND if path.round_ends else MITRE
            stroke = f"{numbers(path.width)} w {ends}" if path.width else ""
            painted = paint(path.filled, bool(path.width)) + ("*" if path.filled and path.even_odd else "")
            shown = f"{stroke} {' '.join(pen.operators)} {painted}"
            own = f"{colour(path.fill)} rg " if path.fill else ""
            own += f"{colour(path.stroke)} RG " if path.stroke else ""
            drawn.append(f"q {own}{shown} Q" if own else shown)
    return " ".join(drawn)
