"""The curves of accounts in a picture over time: the field in which they lie, and how each is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from .colours import INK, contrast, mix
from .scene import Circle, Point, Polygon, Polyline, Shape
from .style import PAPER

MOST = 8
"""How many lines can be told apart: as many as there are strokes."""
WORDS = 3.2
SMALL = 2.6
BEHIND = 44.0  # mm for the names behind it
_SEEN = 3.2  # least contrast of a line with the paper, as WCAG defines it
_STROKES: tuple[tuple[tuple[float, ...], float], ...] = (
    ((), 0.75),
    ((3.0, 1.2), 0.75),
    ((), 0.35),
    ((1.0, 0.9), 0.75),
    ((5.0, 1.0, 1.0, 1.0), 0.75),
    ((3.0, 1.2), 0.35),
    ((), 1.3),
    ((1.0, 0.9), 0.35),
)
"""The dash and width of each line, so that they differ without colours too; its mark is filled or hollow, round or
square.
"""
Box = tuple[float, float, float, float]


class Mark(msgspec.Struct, frozen=True):
    """A level of a line."""

    title: str
    at: int
    """The number with which it begins."""
    reached: int | None = None
    """When, None if it has not been reached."""


class AccountCurve(msgspec.Struct, frozen=True):
    """What an account held."""

    title: str
    colour: str
    """Empty for ink."""
    points: Sequence[tuple[int, int]]
    """From when on it held how much, in order."""
    levels: Sequence[Mark] = ()
    """In order."""


class Tick(msgspec.Struct, frozen=True):
    """A date on the axis."""

    at: int
    """When."""
    label: str
    """Such as Mar."""
    place: int
    """Its number among the dates of its group, from 0."""
    group: str = ""
    """Such as 1916, "" for none."""


class CurveField(msgspec.Struct, frozen=True):
    """Where the lines are drawn, in millimetres, and what its edges mean."""

    left: float
    top: float
    right: float
    bottom: float
    first: int
    last: int
    low: int
    high: int

    def x(self, when: float) -> float:
        """Return how far across a moment lies, in millimetres."""
        return self.left + (when - self.first) / max(self.last - self.first, 1) * (self.right - self.left)

    def y(self, holds: float) -> float:
        """Return how far down a value lies, in millimetres."""
        return self.bottom - (holds - self.low) / (self.high - self.low) * (self.bottom - self.top)


def next_level(line: AccountCurve) -> Mark | None:
    """Return the next level that a line has not reached."""
    return next((mark for mark in line.levels if mark.reached is None and mark.at > line.points[-1][1]), None)


def line_colour(colour: str) -> str:
    """Return a colour made dark enough to be seen as a line on paper; ink for none."""
    shade = colour or INK
    while contrast(shade, PAPER) < _SEEN:
        shade = mix(shade, INK, 0.1)
    return shade


def find_corners(field: CurveField, line: AccountCurve) -> list[Point]:
    """Return the corners of a stepped line, to the right edge of the field."""
    points = [(field.x(when), field.y(holds)) for when, holds in line.points]
    corners = points[:1]
    for (_, y), (x, deep) in pairwise(points):
        corners += [(x, y), (x, deep)]
    corners.append((field.right, points[-1][1]))
    return [point for number, point in enumerate(corners) if number == 0 or point != corners[number - 1]]


def draw_curve(field: CurveField, line: AccountCurve, number: int) -> Shape:
    """Return a line in its stroke. Thin and broken ones are drawn over the others: where lines run together each can be
    seen.
    """
    dash, width = _STROKES[number % MOST]
    return Polyline(
        points=tuple(find_corners(field, line)),
        stroke=line_colour(line.colour),
        width=width,
        dash=dash,
        butt=bool(dash),
    )


def draw_signs(field: CurveField, line: AccountCurve, number: int) -> Iterator[Shape]:
    """Yield the marks of a line, at its end and where it reaches levels."""
    colour = line_colour(line.colour)
    yield _draw_sign(find_corners(field, line)[-1], colour, number)
    for mark in line.levels:
        if mark.reached is not None and field.first <= mark.reached <= field.last:
            yield _draw_sign((field.x(mark.reached), field.y(mark.at)), colour, number)


def _draw_sign(at: Point, colour: str, number: int) -> Shape:
    """Return the mark of a line: round, square, or standing on a corner, and filled or hollow."""
    (x, y), size, fill = at, 0.95, PAPER if number % 2 else colour
    if number % 4 < 2:
        return Circle(x=x, y=y, radius=size, fill=fill, stroke=colour, width=0.35)
    out = ((-1, -1), (1, -1), (1, 1), (-1, 1)) if number < 4 else ((-1.3, 0), (0, -1.3), (1.3, 0), (0, 1.3))
    points = tuple((x + dx * size, y + dy * size) for dx, dy in out)
    return Polygon(points=points, fill=fill, stroke=colour, width=0.35)
