"""Luck as one picture, or as pages for a printer.

The chances of each battle are columns with the actual value marked; there are also a running curve for each side, and
tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Annotated, NamedTuple

import msgspec

from ..mechanics.distribution import format_percent, format_whole_percent
from ..util.notes import note
from .chart import SUBTITLE_SIZE_MM, title_lines
from .colours import INK, mix
from .lettering import MIN_READABLE_POINTS, POINT_MM, base_line, fit_line, text_width, wrap
from .over_time import line_colour, spread_heights
from .scene import Circle, Group, Layer, Point, Polygon, Polyline, Rectangle, Scene, Shape, Text, text_lines
from .style import GRID, MARGIN, PAPER, SOFT_INK

PAGE_WIDTH_MM = 190.0
"""The width of a picture or page in mm: A4 with margins."""
PAGE_HEIGHT_MM = 277.0
"""The height of a page in mm."""
_INNER_WIDTH_MM = PAGE_WIDTH_MM - 2 * MARGIN
_TEXT_SIZE_MM = 3.0
_SMALL_SIZE_MM = 2.6
_MIN_TEXT_SIZE_MM = MIN_READABLE_POINTS * POINT_MM
_BATTLES_IN_ROW = 3
_BATTLE_GAP_MM = 8.0
_BATTLE_WIDTH_MM = (_INNER_WIDTH_MM - (_BATTLES_IN_ROW - 1) * _BATTLE_GAP_MM) / _BATTLES_IN_ROW
_BATTLE_HEIGHT_MM = 43.0
_BATTLE_TITLE_HEIGHT_MM = 10.0
_MAX_COLUMN_HEIGHT_MM = 13.0
_MAX_COLUMN_PITCH_MM = 7.0
_CURVE_HEIGHT_MM = 46.0
_SCALE_WIDTH_MM = 11.0
"""The width of the room for figures to the left of the running curve."""
_NAMES_WIDTH_MM = 36.0
"""The width of the room for names to the right of the running curve."""
_CURVE_DASHES_MM: tuple[tuple[float, ...], ...] = ((), (3.0, 1.2), (1.0, 0.9))
"""The dashes of the sides' curves, in turn."""
_ROW_PITCH_MM = 4.6
"""The distance between rows of a table."""


class SwingChart(msgspec.Struct, frozen=True):
    """The possible values of a battle with their chances, and the actual value."""

    title: Annotated[str, note("the battle")]
    lines: Annotated[Sequence[str], note("lines below the title")]
    axis: Annotated[str, note("the quantity along the axis")]
    colour: Annotated[str, note("the colour of the columns, that of the side with this swing")]
    chances: Annotated[Sequence[tuple[int, Fraction]], note("each value with its chance, in order")]
    came: Annotated[int, note("the value that came")]
    expected: Annotated[Fraction, note("the expected value")]


class RunningCurve(msgspec.Struct, frozen=True):
    """A line of the running curve."""

    title: str
    colour: str
    points: Sequence[tuple[int, Fraction]]
    """The number of rolls so far with the value after them, in order."""


class RunningChart(msgspec.Struct, frozen=True):
    """The running luck of several sides over all rolls."""

    title: str
    lines: Sequence[RunningCurve]
    marks: Sequence[tuple[int, str]]
    """The number of rolls so far at the end of each battle, and the battle's number."""
    note: str = ""


class LuckTable(msgspec.Struct, frozen=True):
    """A small table."""

    title: str
    head: Sequence[str]
    """The headings of the columns, without the column of labels."""
    rows: Sequence[tuple[str, Sequence[str]]]
    """The label and the cells of each row."""


class _Block(NamedTuple):
    height: float
    draw: Callable[[float], list[Shape]]
    """A function that draws the block below a height, in mm."""


def luck_scenes(
    title: str,
    remarks: Sequence[str],
    running: RunningChart | None,
    tables: Sequence[LuckTable],
    charts: Sequence[SwingChart],
    caption: Sequence[str],
    *,
    paged: bool,
) -> list[Scene]:
    """Return the picture as one scene, or as pages if `paged`."""
    blocks = [_block_of_heading(title, remarks)]
    if running:
        blocks.append(_block_of_curve(running))
    blocks += [_block_of_table(table) for table in tables if table.rows]
    for start in range(0, len(charts), _BATTLES_IN_ROW):
        blocks.append(_block_of_battles(charts[start : start + _BATTLES_IN_ROW]))
    if caption:
        blocks.append(_block_of_paragraph(caption))
    pages: list[list[tuple[float, _Block]]] = [[]]
    y = MARGIN
    for block in blocks:
        if paged and pages[-1] and y + block.height > PAGE_HEIGHT_MM - MARGIN:
            pages.append([])
            y = MARGIN
        pages[-1].append((y, block))
        y += block.height
    description = " ".join(_describe_chart(chart) for chart in charts)
    return [
        _make_page(title, description if number == 0 else "", page, paged=paged) for number, page in enumerate(pages)
    ]


def _make_page(title: str, description: str, page: Sequence[tuple[float, _Block]], *, paged: bool) -> Scene:
    last_top, last_block = page[-1]
    height = PAGE_HEIGHT_MM if paged else last_top + last_block.height + MARGIN
    paper = Rectangle(x=0, y=0, width=PAGE_WIDTH_MM, height=height, fill=PAPER)
    drawn = tuple(shape for top, block in page for shape in block.draw(top))
    layers = (Layer("paper", (paper,)), Layer("luck", drawn))
    return Scene(width=PAGE_WIDTH_MM, height=height, title=title, description=description, layers=layers)


def running_scene(running: RunningChart) -> Scene:
    """Return the running curve alone."""
    block = _block_of_curve(running)
    return _make_page(running.title, "", [(MARGIN / 2, block)], paged=False)


def battle_scene(chart: SwingChart) -> Scene:
    """Return one battle alone, without its title."""
    description = _describe_chart(chart)
    group = Group(description, tuple(_draw_chart(chart, 1.0, 0.0, title=False)))
    return Scene(
        width=_BATTLE_WIDTH_MM + 2.0,
        height=_BATTLE_HEIGHT_MM - _BATTLE_TITLE_HEIGHT_MM,
        title=chart.title,
        description=description,
        layers=(Layer("chart", (group,)),),
    )


def _block_of_heading(title: str, about: Sequence[str]) -> _Block:
    _, height = title_lines(title, about, 0.0, _INNER_WIDTH_MM)

    def draw(y: float) -> list[Shape]:
        texts, _ = title_lines(title, about, y, _INNER_WIDTH_MM)
        return [*texts]

    return _Block(height + 4.0, draw)


def _block_of_paragraph(lines: Sequence[str]) -> _Block:
    parts = [part for line in lines for part in wrap(line, _SMALL_SIZE_MM, _INNER_WIDTH_MM)]

    def draw(y: float) -> list[Shape]:
        return [*text_lines(parts, y + _SMALL_SIZE_MM, _SMALL_SIZE_MM, 1.4, x=MARGIN, fill=SOFT_INK)]

    return _Block(len(parts) * _SMALL_SIZE_MM * 1.4 + 2.0, draw)


# --- tables ---------------------------------------------------------------------------------------------------------------


def _block_of_table(table: LuckTable) -> _Block:
    return _Block(_ROW_PITCH_MM * (len(table.rows) + 1) + 5.0, lambda y: [*_draw_table(table, y)])


def _draw_table(table: LuckTable, top: float) -> Iterator[Shape]:
    columns = [[table.head[index], *(row[index] for _, row in table.rows)] for index in range(len(table.head))]
    filled = [index for index, cells in enumerate(columns) if any(cells[1:])]
    widths = {
        index: max(text_width(cell, _TEXT_SIZE_MM, bold=row == 0) for row, cell in enumerate(columns[index]))
        for index in filled
    }
    right, right_ends = PAGE_WIDTH_MM - MARGIN, dict[int, float]()
    for index in reversed(filled):
        right_ends[index] = right
        right -= widths[index] + 5.0
    label_width = right - MARGIN
    for number, (label, row) in enumerate([(table.title, table.head), *table.rows]):
        base, is_head = top + _TEXT_SIZE_MM + number * _ROW_PITCH_MM, number == 0
        fitted = fit_line(
            label, SUBTITLE_SIZE_MM if is_head else _TEXT_SIZE_MM, label_width, min_size=_MIN_TEXT_SIZE_MM, bold=is_head
        )
        yield Text(x=MARGIN, y=base, text=fitted.lines[0], size=fitted.size, bold=is_head, fill=INK)
        for index in filled:
            fill, x = SOFT_INK if is_head else INK, right_ends[index]
            yield Text(x=x, y=base, text=row[index], size=_TEXT_SIZE_MM, anchor="end", bold=is_head, fill=fill)
    for number in range(len(table.rows) + 1):  # a line below the heading and each row joins words and figures
        line = top + _TEXT_SIZE_MM + 1.5 + number * _ROW_PITCH_MM
        stroke, width = (INK, 0.4) if number == 0 else (GRID, 0.12)
        yield Polyline(points=((MARGIN, line), (PAGE_WIDTH_MM - MARGIN, line)), stroke=stroke, width=width, butt=True)


# --- a battle -------------------------------------------------------------------------------------------------------------


def _block_of_battles(charts: Sequence[SwingChart]) -> _Block:
    def draw(y: float) -> list[Shape]:
        return [
            Group(
                _describe_chart(chart),
                tuple(_draw_chart(chart, MARGIN + number * (_BATTLE_WIDTH_MM + _BATTLE_GAP_MM), y)),
            )
            for number, chart in enumerate(charts)
        ]

    return _Block(_BATTLE_HEIGHT_MM, draw)


def _draw_chart(chart: SwingChart, left: float, top: float, *, title: bool = True) -> Iterator[Shape]:
    y = top
    if title:
        heading = fit_line(chart.title, SUBTITLE_SIZE_MM, _BATTLE_WIDTH_MM, min_size=_MIN_TEXT_SIZE_MM, bold=True)
        yield Text(x=left, y=y + SUBTITLE_SIZE_MM, text=heading.lines[0], size=heading.size, bold=True, fill=INK)
        for number, line in enumerate(chart.lines):
            words = fit_line(line, _SMALL_SIZE_MM, _BATTLE_WIDTH_MM, min_size=_MIN_TEXT_SIZE_MM)
            yield Text(x=left, y=y + 7.4 + number * 3.5, text=words.lines[0], size=words.size, fill=SOFT_INK)
        y += _BATTLE_TITLE_HEIGHT_MM
    floor = y + 5.0 + _MAX_COLUMN_HEIGHT_MM + 4.5
    first, last = chart.chances[0][0], chart.chances[-1][0]
    largest = max(chance for _, chance in chart.chances)
    pitch = min(_BATTLE_WIDTH_MM / (last - first + 1), _MAX_COLUMN_PITCH_MM)
    start = left + (_BATTLE_WIDTH_MM - pitch * (last - first + 1)) / 2
    pale = mix(chart.colour, PAPER, 0.58)

    def middle(value: float) -> float:
        return start + (value - first + 0.5) * pitch

    for value, chance in chart.chances:
        # an unlikely value must still be seen
        height = max(float(chance / largest) * _MAX_COLUMN_HEIGHT_MM, 0.15)
        fill = chart.colour if value == chart.came else pale
        yield Rectangle(x=middle(value) - pitch * 0.4, y=floor - height, width=pitch * 0.8, height=height, fill=fill)
        if value == chart.came:
            yield from _draw_mark(middle(value), floor - height, format_whole_percent(chance))
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if step * pitch >= text_width("+88", _SMALL_SIZE_MM) + 0.8)
    for value in range(ceil(first / step) * step, last + 1, step):
        label = f"{value:+}" if value else "0"
        yield Text(x=middle(value), y=floor + 3.4, text=label, size=_SMALL_SIZE_MM, anchor="middle", fill=SOFT_INK)
    yield Polyline(points=((left, floor), (left + _BATTLE_WIDTH_MM, floor)), stroke=GRID, width=0.3, butt=True)
    expected_x = middle(float(chart.expected))
    ends = ((expected_x, floor + 0.6), (expected_x, floor - _MAX_COLUMN_HEIGHT_MM - 1.0))
    yield Polyline(points=ends, stroke=INK, width=0.3, dash=(1.0, 0.8), butt=True)
    words = fit_line(chart.axis, _SMALL_SIZE_MM, _BATTLE_WIDTH_MM, min_size=_MIN_TEXT_SIZE_MM)
    yield Text(
        x=left + _BATTLE_WIDTH_MM / 2,
        y=floor + 7.2,
        text=words.lines[0],
        size=words.size,
        anchor="middle",
        fill=SOFT_INK,
    )


def _draw_mark(x: float, top: float, chance: str) -> Iterator[Shape]:
    yield Polygon(points=((x, top - 0.5), (x - 1.1, top - 2.2), (x + 1.1, top - 2.2)), fill=INK)
    yield Text(x=x, y=top - 2.9, text=chance, size=_SMALL_SIZE_MM, anchor="middle", bold=True, fill=INK, halo=PAPER)


def _describe_chart(chart: SwingChart) -> str:
    chances = ", ".join(f"{value:+} ({format_percent(chance)})" for value, chance in chart.chances)
    return f"{chart.title}, {chart.axis}: came {chart.came:+}, expected {float(chart.expected):+.2f}, of {chances}."


# --- the running curve ----------------------------------------------------------------------------------------------------


def _block_of_curve(running: RunningChart) -> _Block:
    return _Block(_CURVE_HEIGHT_MM + 24.0, lambda y: [*_draw_running(running, y)])


def _draw_running(running: RunningChart, top: float) -> Iterator[Shape]:
    yield Text(x=MARGIN, y=top + SUBTITLE_SIZE_MM, text=running.title, size=SUBTITLE_SIZE_MM, bold=True, fill=INK)
    remark = fit_line(running.note, _SMALL_SIZE_MM, _INNER_WIDTH_MM, min_size=_MIN_TEXT_SIZE_MM)
    yield Text(x=MARGIN, y=top + 7.6, text=remark.lines[0], size=remark.size, fill=SOFT_INK)
    upper, lower = top + 11.0, top + 11.0 + _CURVE_HEIGHT_MM
    left, right = MARGIN + _SCALE_WIDTH_MM, PAGE_WIDTH_MM - MARGIN - _NAMES_WIDTH_MM
    values = [float(value) for line in running.lines for _, value in line.points]
    low, high = min(-0.5, *values), max(0.5, *values)  # the range is at least 1, so that small swings look small
    low, high = low - (high - low) * 0.06, high + (high - low) * 0.06
    last_roll = max(rolls for line in running.lines for rolls, _ in line.points)

    def at(rolls: int, value: Fraction | float) -> Point:
        x = left + rolls / max(last_roll, 1) * (right - left)
        return x, lower - (float(value) - low) / (high - low) * (lower - upper)

    step = next(step for step in (0.25, 0.5, 1, 2, 5, 10, 20, 50) if (high - low) / step <= 7)
    for number in range(ceil(low / step), int(high / step) + 1):
        level = at(0, number * step)[1]
        stroke = GRID if number == 0 else mix(GRID, PAPER, 0.7)
        yield Polyline(points=((left, level), (right, level)), stroke=stroke, width=0.2, butt=True)
        label = f"{number * step:+g}" if number else "0"
        base = base_line(level, _SMALL_SIZE_MM)
        yield Text(x=left - 1.6, y=base, text=label, size=_SMALL_SIZE_MM, anchor="end", fill=SOFT_INK)
    yield from _draw_ends(running, at, (upper, lower))
    for number, line in enumerate(running.lines):
        yield Group(_format_line(line), (_draw_curve(line, at, number),))
    yield from _draw_names(running, at, (right, lower))


def _draw_ends(running: RunningChart, at: Callable[[int, float], Point], field: tuple[float, float]) -> Iterator[Shape]:
    """Yield a line at the end of each battle, with the battle's number if it does not touch the previous number."""
    upper, lower = field
    free_from, start = 0.0, at(0, 0)[0]
    for rolls, label in running.marks:
        x = at(rolls, 0)[0]
        yield Polyline(points=((x, upper), (x, lower + 1.2)), stroke=mix(GRID, PAPER, 0.55), width=0.2, butt=True)
        middle, width = (start + x) / 2, text_width(label, _SMALL_SIZE_MM)
        if middle - width / 2 >= free_from:
            yield Text(x=middle, y=lower + 4.2, text=label, size=_SMALL_SIZE_MM, anchor="middle", fill=SOFT_INK)
            free_from = middle + width / 2 + 0.8
        start = x
    if running.marks:
        middle = (at(0, 0)[0] + at(running.marks[-1][0], 0)[0]) / 2
        yield Text(x=middle, y=lower + 7.8, text="battle", size=_SMALL_SIZE_MM, anchor="middle", fill=SOFT_INK)


def _draw_curve(line: RunningCurve, at: Callable[[int, Fraction], Point], number: int) -> Polyline:
    dash = _CURVE_DASHES_MM[number % len(_CURVE_DASHES_MM)]
    points = tuple(at(rolls, value) for rolls, value in line.points)
    return Polyline(points=points, stroke=line_colour(line.colour), width=0.7, dash=dash, butt=bool(dash))


def _draw_names(
    running: RunningChart, at: Callable[[int, Fraction], Point], edge: tuple[float, float]
) -> Iterator[Shape]:
    """Yield the names of the curves to the right of their ends, moved apart where they would touch."""
    right, lowest = edge
    ends = sorted((at(*line.points[-1])[1], number) for number, line in enumerate(running.lines))
    heights = spread_heights([height for height, _ in ends], _TEXT_SIZE_MM * 1.3, lowest)
    for y, (height, number) in zip(heights, ends, strict=True):
        line = running.lines[number]
        colour = mix(line_colour(line.colour), INK, 0.35)
        yield Circle(x=right, y=height, radius=0.9, fill=line_colour(line.colour))
        if abs(y - height) > 0.6:
            yield Polyline(points=((right + 1.4, height), (right + 3.0, y)), stroke=GRID, width=0.2)
        fitted = fit_line(
            _format_line(line), _TEXT_SIZE_MM, _NAMES_WIDTH_MM - 4.0, min_size=_MIN_TEXT_SIZE_MM, bold=True
        )
        base = base_line(y, fitted.size)
        yield Text(x=right + 3.6, y=base, text=fitted.lines[0], size=fitted.size, bold=True, fill=colour)


def _format_line(line: RunningCurve) -> str:
    return f"{line.title} {float(line.points[-1][1]):+.2f}"
