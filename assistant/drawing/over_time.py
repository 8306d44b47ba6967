"""Accounts over time as a picture: a stepped line for each, with its levels, and its name at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from .chart import title_lines
from .colours import INK, contrast, mix
from .lettering import MIN_READABLE_POINTS, POINT_MM, base_line, fit_line, text_width
from .scene import Circle, Group, Layer, Point, Polygon, Polyline, Rectangle, Scene, Shape, Text
from .style import GRID, MARGIN, PAPER, SOFT_INK

_WIDTH_MM = 190.0
_FIELD_HEIGHT_MM = 92.0
_MIN_FIGURES_WIDTH_MM = 11.0
"""The minimum width of the room for figures left of the field."""
MAX_LINES = 8
"""The maximum number of lines that can be distinguished, which is the number of strokes."""
_TEXT_SIZE_MM = 3.2
_SMALL_SIZE_MM = 2.6
_NAMES_WIDTH_MM = 44.0
"""The width of the room for names, to the right of the field."""
_NAME_PITCH_FACTOR = 1.25
"""The distance between base lines of names, as a multiple of their size."""
_MIN_CONTRAST = 3.2
"""The minimum contrast ratio of a line and the paper, as WCAG defines it."""
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
"""The dash and width of each line, so that lines differ without colours too.

The line's mark is filled or hollow, round or square.
"""
Box = tuple[float, float, float, float]


class Mark(msgspec.Struct, frozen=True):
    """A level of a line."""

    title: str
    at: int
    """The value at which the level begins."""
    reached: int | None = None
    """The moment when the account reached it, or None if it has not."""


class AccountCurve(msgspec.Struct, frozen=True):
    """The value of an account over time."""

    title: str
    colour: str
    """The colour of the line, or "" for ink."""
    points: Sequence[tuple[int, int]]
    """The moment of each change with the new value, in order."""
    levels: Sequence[Mark] = ()
    """The levels, in order."""


class Tick(msgspec.Struct, frozen=True):
    """A date on the axis."""

    at: int
    """The moment of the date."""
    label: str
    """The text of the date, such as Mar."""
    place: int
    """The place among the dates of its group, from 0."""
    group: str = ""
    """The group of the date, such as 1916, or "" for none."""


class _CurveField(msgspec.Struct, frozen=True):
    left: float
    top: float
    right: float
    bottom: float
    first: int
    last: int
    low: int
    high: int

    def x(self, when: float) -> float:
        return self.left + (when - self.first) / max(self.last - self.first, 1) * (self.right - self.left)

    def y(self, value: float) -> float:
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)


def over_time_scene(
    title: str,
    remarks: Sequence[str],
    lines: Sequence[AccountCurve],
    ticks: Sequence[Tick],
    span: tuple[int, int],
    steps: Sequence[int],
) -> Scene:
    """Return the picture, as wide as a page of text: a stepped line for each account, with name and last value.

    A level common to all lines crosses the field; any other is marked where its line reaches it.

    `lines`: at most `MAX_LINES`.
    `span`: the first and the last moment.
    `steps`: the possible intervals between labels, in dates, the smallest first.
    """
    words, below = title_lines(title, remarks, MARGIN, _WIDTH_MM - 2 * MARGIN)
    top = below + 7.0
    low, high = _choose_range(lines)
    figures_width = max(_MIN_FIGURES_WIDTH_MM, *(text_width(f"{end}", _TEXT_SIZE_MM) + 3.0 for end in (low, high)))
    field = _CurveField(
        MARGIN + figures_width, top, _WIDTH_MM - MARGIN - _NAMES_WIDTH_MM, top + _FIELD_HEIGHT_MM, *span, low, high
    )
    shared = _find_common(lines)
    common = sorted((level for level in shared if low < level[1] <= high), key=lambda level: level[1])
    height = field.bottom + 15.0
    paper = Rectangle(x=0, y=0, width=_WIDTH_MM, height=height, fill=PAPER)
    axes = (*_draw_dates(field, ticks, steps), *_draw_figures(field, with_lines=not common))
    # thin and broken lines last, so that each is visible where lines run together
    order = sorted(range(len(lines)), key=lambda number: (-_STROKES[number][1], len(_STROKES[number][0])))
    drawn = [Group(_format_account(lines[number]), (_draw_curve(field, lines[number], number),)) for number in order]
    across = _name_across(field, lines, common)
    names = (
        *across.values(),
        *_name_behind(field, lines, shared),
        *_name_on_lines(field, lines, shared, across),
    )
    signs = tuple(sign for number, line in enumerate(lines) for sign in _draw_signs(field, line, number))
    layers = (
        Layer("paper", (paper,)),
        Layer("axes", axes),
        Layer("levels", tuple(_draw_across(field, common))),
        Layer("lines", tuple(drawn)),
        Layer("signs", signs),
        Layer("names", names),
        Layer("words", tuple(words)),
    )
    description = " ".join(f"{_format_account(line)}." for line in lines)
    return Scene(width=_WIDTH_MM, height=height, title=title, description=description, layers=layers)


def _choose_range(lines: Sequence[AccountCurve]) -> tuple[int, int]:
    """Return the lowest and the highest value of the field.

    The field includes 0, all values, and next levels that are near.
    """
    held = [holds for line in lines for _, holds in line.points]
    low, high = min(0, *held), max(1, *held)
    near_levels = []
    for line in lines:
        mark = next_level(line)
        if mark and mark.at - low <= (high - low) * 1.4:
            near_levels.append(mark.at)
    return low, round(max(high, *near_levels, low + 4) * 1.04 + 0.5)


def _find_common(lines: Sequence[AccountCurve]) -> frozenset[tuple[str, int]]:
    return frozenset.intersection(*(frozenset((mark.title, mark.at) for mark in line.levels) for line in lines))


def round_step(span: float, max_steps: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20 and so on that divides a span into at most `max_steps` steps."""
    step, factors = 1, (2.0, 2.5, 2.0)
    number = 0
    while span / step > max_steps:
        step = round(step * factors[number % 3])
        number += 1
    return step


def _draw_figures(field: _CurveField, *, with_lines: bool) -> Iterator[Shape]:
    """Yield round numbers left of the field.

    `with_lines`: whether each has a faint line across the field, or else a short one, as levels cross the field.
    """
    step = round_step(field.high - field.low, 6)
    for number in range(-(-field.low // step) * step, field.high + 1, step):
        y = field.y(number)
        stroke = GRID if number == 0 or not with_lines else mix(GRID, PAPER, 0.7)
        ends = (field.left, field.right) if number == 0 or with_lines else (field.left - 1.5, field.left)
        yield Polyline(points=((ends[0], y), (ends[1], y)), stroke=stroke, width=0.2, butt=True)
        base = base_line(y, _TEXT_SIZE_MM)
        yield Text(x=field.left - 2.0, y=base, text=f"{number}", size=_TEXT_SIZE_MM, anchor="end", fill=SOFT_INK)


def _draw_dates(field: _CurveField, ticks: Sequence[Tick], steps: Sequence[int]) -> Iterator[Shape]:
    labels = [tick for tick in ticks if tick.place % _choose_step(field, ticks, steps) == 0]
    floor = field.bottom + 1.5
    for tick in ticks:
        x, deep = field.x(tick.at), 2.0 if tick in labels else 0.9
        yield Polyline(points=((x, floor), (x, floor + deep)), stroke=GRID, width=0.25, butt=True)
    for tick in labels:
        if (x := field.x(tick.at)) + text_width(tick.label, _TEXT_SIZE_MM) / 2 <= field.right + 3.0:
            yield Text(x=x, y=floor + 5.6, text=tick.label, size=_TEXT_SIZE_MM, anchor="middle", fill=SOFT_INK)
    groups = list(dict.fromkeys(tick.group for tick in ticks if tick.group))
    ends = [*(field.x(next(tick.at for tick in ticks if tick.group == group)) for group in groups), field.right]
    for group, (left, right) in zip(groups, pairwise(ends), strict=True):
        if text_width(group, _TEXT_SIZE_MM, bold=True) <= right - left:
            middle = (left + right) / 2
            yield Text(
                x=middle, y=floor + 10.4, text=group, size=_TEXT_SIZE_MM, anchor="middle", bold=True, fill=SOFT_INK
            )
        if left > field.left:
            yield Polyline(points=((left, floor + 7.6), (left, floor + 10.8)), stroke=GRID, width=0.25, butt=True)


def _choose_step(field: _CurveField, ticks: Sequence[Tick], steps: Sequence[int]) -> int:
    """Return the smallest interval between labels, in dates, at which labels do not touch."""
    widest = max((text_width(tick.label, _TEXT_SIZE_MM) for tick in ticks), default=0.0) + 2.0
    min_distance = min((field.x(two.at) - field.x(one.at) for one, two in pairwise(ticks)), default=widest)
    return next((step for step in steps if step * min_distance >= widest), steps[-1])


def _format_account(line: AccountCurve) -> str:
    holds, ahead = line.points[-1][1], next_level(line)
    words = [f"{line.title}: {holds}"]
    words += [f"{mark.title} at {mark.at} reached" for mark in line.levels if mark.reached is not None]
    if ahead:
        words.append(f"{ahead.at - holds} to {ahead.title}")
    return ", ".join(words)


# --- curves -----------------------------------------------------------------------------------------------------------


def next_level(line: AccountCurve) -> Mark | None:
    """Return the first level that a line has not reached, or None if it has reached all."""
    return next((mark for mark in line.levels if mark.reached is None and mark.at > line.points[-1][1]), None)


def line_colour(colour: str) -> str:
    """Return a colour darkened until it is visible as a line on paper, or ink for ""."""
    shade = colour or INK
    while contrast(shade, PAPER) < _MIN_CONTRAST:
        shade = mix(shade, INK, 0.1)
    return shade


def _find_corners(field: _CurveField, line: AccountCurve) -> list[Point]:
    points = [(field.x(when), field.y(holds)) for when, holds in line.points]
    corners = points[:1]
    for (_, y), (x, deep) in pairwise(points):
        corners += [(x, y), (x, deep)]
    corners.append((field.right, points[-1][1]))
    return [point for number, point in enumerate(corners) if number == 0 or point != corners[number - 1]]


def _draw_curve(field: _CurveField, line: AccountCurve, number: int) -> Shape:
    dash, width = _STROKES[number % MAX_LINES]
    return Polyline(
        points=tuple(_find_corners(field, line)),
        stroke=line_colour(line.colour),
        width=width,
        dash=dash,
        butt=bool(dash),
    )


def _draw_signs(field: _CurveField, line: AccountCurve, number: int) -> Iterator[Shape]:
    colour = line_colour(line.colour)
    yield _draw_sign(_find_corners(field, line)[-1], colour, number)
    for mark in line.levels:
        if mark.reached is not None and field.first <= mark.reached <= field.last:
            yield _draw_sign((field.x(mark.reached), field.y(mark.at)), colour, number)


def _draw_sign(at: Point, colour: str, number: int) -> Shape:
    (x, y), size, fill = at, 0.95, PAPER if number % 2 else colour
    if number % 4 < 2:
        return Circle(x=x, y=y, radius=size, fill=fill, stroke=colour, width=0.35)
    out = ((-1, -1), (1, -1), (1, 1), (-1, 1)) if number < 4 else ((-1.3, 0), (0, -1.3), (1.3, 0), (0, 1.3))
    points = tuple((x + dx * size, y + dy * size) for dx, dy in out)
    return Polygon(points=points, fill=fill, stroke=colour, width=0.35)


# --- names ------------------------------------------------------------------------------------------------------------


def _draw_across(field: _CurveField, common: Sequence[tuple[str, int]]) -> Iterator[Shape]:
    for _, at in common:
        y = field.y(at)
        yield Polyline(
            points=((field.left, y), (field.right, y)), stroke=SOFT_INK, width=0.2, dash=(0.6, 0.8), butt=True
        )


def _name_across(
    field: _CurveField, lines: Sequence[AccountCurve], common: Sequence[tuple[str, int]]
) -> dict[Box, Text]:
    """Return the names of the common levels by their boxes, each above its level where the fewest lines cross it."""
    names: dict[Box, Text] = {}
    edges = [edge for line in lines for edge in pairwise(_find_corners(field, line))]
    for title, at in common:
        y, text = field.y(at), f"{title} {at}"
        width = text_width(text, _SMALL_SIZE_MM)
        lefts = [field.left + 0.5 + part * (field.right - field.left - width - 1.0) / 4 for part in range(5)]
        places = [(left, y - 0.7 - _SMALL_SIZE_MM, left + width, y - 0.3) for left in lefts]
        free = [box for box in places if not any(_meet(box, other) for other in names)]
        if free:
            box = min(free, key=lambda box: sum(_crosses(edge, box) for edge in edges))
            names[box] = Text(x=box[0], y=y - 1.0, text=text, size=_SMALL_SIZE_MM, fill=SOFT_INK, halo=PAPER)
    return names


def _name_behind(
    field: _CurveField, lines: Sequence[AccountCurve], common: frozenset[tuple[str, int]]
) -> Iterator[Shape]:
    """Yield the name and value of each line and its next level, as labels to the right of the picture.

    Each label is as close to the height of its value as there is room.

    `common`: the levels shared by all lines, which get no label here.
    """
    names: list[tuple[float, str, str, bool]] = []
    for line in lines:
        colour, value = mix(line_colour(line.colour), INK, 0.35), line.points[-1][1]
        names.append((field.y(value), f"{line.title} {value}", colour, True))
        level = next_level(line)
        if level is None or (level.title, level.at) in common:
            continue
        whose = f"{level.title} {level.at}" + (f", {line.title}" if len(lines) > 1 else "")
        if level.at <= field.high:
            y = field.y(level.at)
            names.append((y, whose, colour, False))
            ends = ((field.right - 14.0, y), (field.right, y))
            yield Polyline(points=ends, stroke=line_colour(line.colour), width=0.25, dash=(0.6, 0.8), butt=True)
    names.sort()
    x, pitch = field.right + 5.0, _TEXT_SIZE_MM * _NAME_PITCH_FACTOR
    for y, (at, text, colour, bold) in zip(
        spread_heights([row[0] for row in names], pitch, field.bottom), names, strict=True
    ):
        if abs(y - at) > 0.6:
            ends = ((field.right + 1.6, at), (field.right + 4.4, y))
            yield Polyline(points=ends, stroke=GRID, width=0.2)
        fitted = fit_line(
            text,
            _TEXT_SIZE_MM if bold else _SMALL_SIZE_MM,
            _NAMES_WIDTH_MM - 5.0,
            min_size=MIN_READABLE_POINTS * POINT_MM,
            bold=bold,
        )
        base = base_line(y, fitted.size)
        yield Text(x=x, y=base, text=fitted.lines[0], size=fitted.size, bold=bold, fill=colour)


def spread_heights(heights: Sequence[float], pitch: float, lowest: float) -> list[float]:
    """Return sorted heights, moved as little as necessary to be a pitch apart, with none below `lowest`."""
    placed: list[list[float]] = []
    for height in heights:
        placed.append([height])
        while len(placed) > 1 and _first_height(placed[-2], pitch) + len(placed[-2]) * pitch > _first_height(
            placed[-1], pitch
        ):
            below = placed.pop()
            placed[-1] += below
    rows = [_first_height(block, pitch) + number * pitch for block in placed for number in range(len(block))]
    for number in range(len(rows)):  # upwards from the last row, which may be below the edge
        most = lowest - number * pitch
        rows[-1 - number] = min(rows[-1 - number], most)
    return rows


def _first_height(block: Sequence[float], pitch: float) -> float:
    """Return the first of equally many heights that are a pitch apart and have the same mean."""
    return sum(block) / len(block) - (len(block) - 1) * pitch / 2


def _name_on_lines(
    field: _CurveField, lines: Sequence[AccountCurve], common: frozenset[tuple[str, int]], others: Iterable[Box]
) -> Iterator[Shape]:
    edges = [edge for line in lines for edge in pairwise(_find_corners(field, line))]
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
        places = list(_list_places(field, x, y, text_width(text, _SMALL_SIZE_MM)))
        free = [box for box in places if _is_free(x, y, box, boxes)]
        if not free:
            continue  # the name is still in the description of the picture
        best = min(free, key=lambda box: (sum(_crosses(edge, box) for edge in edges), places.index(box)))
        if way := _trace_way(x, y, best):
            yield Polyline(points=((x, y), way[-1][:2]), stroke=GRID, width=0.2)
        boxes += [best, *way]
        yield Text(x=best[0], y=best[3] - 0.7, text=text, size=_SMALL_SIZE_MM, fill=colour, halo=PAPER)


def _is_free(x: float, y: float, box: Box, taken: Sequence[Box]) -> bool:
    parts = (box, *_trace_way(x, y, box))
    return not any(_meet(part, other) for part in parts for other in taken)


def _list_places(field: _CurveField, x: float, y: float, width: float) -> Iterator[Box]:
    for step in range(8):
        for left, middle in ((x - 2.0 - width, y - 1.2 - step * 2.0), (x + 2.0, y + 1.2 + step * 2.0)):
            box = (left, middle - _SMALL_SIZE_MM / 2 - 0.3, left + width, middle + _SMALL_SIZE_MM / 2 + 0.3)
            if box[0] >= field.left and box[2] <= field.right and field.top - 4.0 <= box[1] and box[3] <= field.bottom:
                yield box


def _trace_way(x: float, y: float, box: Box) -> list[Box]:
    """Return points on the line between a mark and its name, as boxes without size, or none if the name is near."""
    if box[1] <= y + 2.5 and box[3] >= y - 2.5:
        return []
    u, v = (box[2] if box[2] < x else box[0], box[1] if box[1] > y else box[3])
    points = [(x + (u - x) * part / 8, y + (v - y) * part / 8) for part in range(9)]
    return [(*point, *point) for point in points if abs(point[1] - y) > 1.3]


def _meet(box: Box, other: Box) -> bool:
    return box[0] < other[2] + 0.6 and other[0] < box[2] + 0.6 and box[1] < other[3] and other[1] < box[3]


def _crosses(edge: tuple[Point, Point], box: Box) -> bool:
    """Return whether a horizontal or vertical edge passes through a box."""
    (x, y), (u, v) = edge
    return min(x, u) < box[2] and box[0] < max(x, u) + 0.01 and min(y, v) < box[3] and box[1] < max(y, v) + 0.01
