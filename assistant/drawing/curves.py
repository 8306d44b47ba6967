"""The curves of accounts in a picture over time: their field, how each is drawn, its names and levels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from .colours import INK, contrast, mix
from .lettering import POINT, READABLE, base_line, fit_line, text_width
from .scene import Circle, Point, Polygon, Polyline, Shape, Text
from .style import GRID, PAPER, SOFT_INK

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


_PITCH = 1.25  # from one base line of names to the next, as a multiple of the size


def draw_across(field: CurveField, common: Sequence[tuple[str, int]]) -> Iterator[Shape]:
    """Yield the levels that all lines have, across the field."""
    for _, at in common:
        y = field.y(at)
        yield Polyline(
            points=((field.left, y), (field.right, y)), stroke=SOFT_INK, width=0.2, dash=(0.6, 0.8), butt=True
        )


def name_across(field: CurveField, lines: Sequence[AccountCurve], common: Sequence[tuple[str, int]]) -> dict[Box, Text]:
    """Return the names of these levels above them by their boxes, where no line passes and no other name stands."""
    names: dict[Box, Text] = {}
    edges = [edge for line in lines for edge in pairwise(find_corners(field, line))]
    for title, at in common:
        y, text = field.y(at), f"{title} {at}"
        width = text_width(text, SMALL)
        lefts = [field.left + 0.5 + part * (field.right - field.left - width - 1.0) / 4 for part in range(5)]
        places = [(left, y - 0.7 - SMALL, left + width, y - 0.3) for left in lefts]
        free = [box for box in places if not any(_meet(box, other) for other in names)]
        if free:
            box = min(free, key=lambda box: sum(_crosses(edge, box) for edge in edges))
            names[box] = Text(x=box[0], y=y - 1.0, text=text, size=SMALL, fill=SOFT_INK, halo=PAPER)
    return names


def name_behind(
    field: CurveField, lines: Sequence[AccountCurve], common: frozenset[tuple[str, int]]
) -> Iterator[Shape]:
    """Yield the names of the lines behind their ends, and the next level of each, as near to their heights as there is
    room.
    """
    wanted: list[tuple[float, str, str, bool]] = []
    for line in lines:
        colour, holds = mix(line_colour(line.colour), INK, 0.35), line.points[-1][1]
        wanted.append((field.y(holds), f"{line.title} {holds}", colour, True))
        level = next_level(line)
        if level is None or (level.title, level.at) in common:
            continue
        whose = f"{level.title} {level.at}" + (f", {line.title}" if len(lines) > 1 else "")
        if level.at <= field.high:
            y = field.y(level.at)
            wanted.append((y, whose, colour, False))
            ends = ((field.right - 14.0, y), (field.right, y))
            yield Polyline(points=ends, stroke=line_colour(line.colour), width=0.25, dash=(0.6, 0.8), butt=True)
    wanted.sort()
    x, pitch = field.right + 5.0, WORDS * _PITCH
    for y, (at, text, colour, bold) in zip(
        spread_heights([row[0] for row in wanted], pitch, field.bottom), wanted, strict=True
    ):
        if abs(y - at) > 0.6:
            ends = ((field.right + 1.6, at), (field.right + 4.4, y))
            yield Polyline(points=ends, stroke=GRID, width=0.2)
        fitted = fit_line(text, WORDS if bold else SMALL, BEHIND - 5.0, least=READABLE * POINT, bold=bold)
        base = base_line(y, fitted.size)
        yield Text(x=x, y=base, text=fitted.lines[0], size=fitted.size, bold=bold, fill=colour)


def spread_heights(heights: Sequence[float], pitch: float, lowest: float) -> list[float]:
    """Return heights in order, moved as little as need be until each is a pitch below the one before; none below the
    lowest.
    """
    placed: list[list[float]] = []
    for height in heights:
        placed.append([height])
        while len(placed) > 1 and _first_height(placed[-2], pitch) + len(placed[-2]) * pitch > _first_height(
            placed[-1], pitch
        ):
            below = placed.pop()
            placed[-1] += below
    rows = [_first_height(block, pitch) + number * pitch for block in placed for number in range(len(block))]
    for number in range(len(rows)):  # from below up, where the last ones have moved beyond the edge
        most = lowest - number * pitch
        rows[-1 - number] = min(rows[-1 - number], most)
    return rows


def _first_height(block: Sequence[float], pitch: float) -> float:
    """Return the height of the first of heights that stand a pitch apart, with their middle where it was."""
    return sum(block) / len(block) - (len(block) - 1) * pitch / 2


def name_on_lines(
    field: CurveField, lines: Sequence[AccountCurve], common: frozenset[tuple[str, int]], others: Iterable[Box]
) -> Iterator[Shape]:
    """Yield the names of the levels that were reached, beside the marks on their lines. others: the boxes of other
    names.
    """
    edges = [edge for line in lines for edge in pairwise(find_corners(field, line))]
    marks: list[tuple[float, float, str, str]] = []
    for line in lines:
        ink = mix(line_colour(line.colour), INK, 0.35)
        for mark in line.levels:
            if mark.reached is None or (mark.title, mark.at) in common:
                continue
            if field.first <= mark.reached <= field.last:
                marks.append((field.x(mark.reached), field.y(mark.at), f"{mark.title} {mark.at}", ink))
    boxes = [*others, *((x - 1.2, y - 1.2, x + 1.2, y + 1.2) for x, y, _, _ in marks)]
    for x, y, text, colour in marks:
        places = list(_list_places(field, x, y, text_width(text, SMALL)))
        free = [box for box in places if _is_free(x, y, box, boxes)]
        if not free:
            continue  # the description of the picture has it
        best = min(free, key=lambda box: (sum(_crosses(edge, box) for edge in edges), places.index(box)))
        if way := _trace_way(x, y, best):
            yield Polyline(points=((x, y), way[-1][:2]), stroke=GRID, width=0.2)
        boxes += [best, *way]
        yield Text(x=best[0], y=best[3] - 0.7, text=text, size=SMALL, fill=colour, halo=PAPER)


def _is_free(x: float, y: float, box: Box, taken: Sequence[Box]) -> bool:
    """Return whether neither a box nor the line that leads to it from a mark meets another box."""
    parts = (box, *_trace_way(x, y, box))
    return not any(_meet(part, other) for part in parts for other in taken)


def _list_places(field: CurveField, x: float, y: float, width: float) -> Iterator[Box]:
    """Yield the boxes in which the name of a mark may stand, the best first: left above it or right below it, then
    farther off.
    """
    for step in range(8):
        for left, middle in ((x - 2.0 - width, y - 1.2 - step * 2.0), (x + 2.0, y + 1.2 + step * 2.0)):
            box = (left, middle - SMALL / 2 - 0.3, left + width, middle + SMALL / 2 + 0.3)
            if box[0] >= field.left and box[2] <= field.right and field.top - 4.0 <= box[1] and box[3] <= field.bottom:
                yield box


def _trace_way(x: float, y: float, box: Box) -> list[Box]:
    """Return points on the way from a mark to its name, outside both, as boxes without size; none where the name is
    near.
    """
    if box[1] <= y + 2.5 and box[3] >= y - 2.5:
        return []
    u, v = (box[2] if box[2] < x else box[0], box[1] if box[1] > y else box[3])
    points = [(x + (u - x) * part / 8, y + (v - y) * part / 8) for part in range(9)]
    return [(*point, *point) for point in points if abs(point[1] - y) > 1.3]


def _meet(box: Box, other: Box) -> bool:
    return box[0] < other[2] + 0.6 and other[0] < box[2] + 0.6 and box[1] < other[3] and other[1] < box[3]


def _crosses(edge: tuple[Point, Point], box: Box) -> bool:
    """Return whether a level or upright edge passes through a box."""
    (x, y), (u, v) = edge
    return min(x, u) < box[2] and box[0] < max(x, u) + 0.01 and min(y, v) < box[3] and box[1] < max(y, v) + 0.01
