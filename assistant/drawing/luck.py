"""Luck as pictures: the swing of each battle as columns with what came marked, a running curve for each side, and
tables, as one picture or as pages of a printer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Annotated, NamedTuple

import msgspec

from ..mechanics.distribution import format_percent, format_whole_percent
from ..util.notes import note
from .chart import HEAD, title_lines
from .colours import INK, mix
from .lettering import POINT, READABLE, base_line, fit_line, text_width, wrap
from .over_time import line_colour, spread_heights
from .scene import Circle, Group, Layer, Point, Polygon, Polyline, Rectangle, Scene, Shape, Text, text_lines
from .style import GRID, MARGIN, PAPER, SOFT_INK

WIDTH = 190.0  # mm, of the picture: A4 with margins
PAGE = 277.0  # mm, the height of a page
_INNER = WIDTH - 2 * MARGIN
_WORDS = 3.0  # size of letters, mm, as the next
_SMALL = 2.6
_LEAST = READABLE * POINT  # mm, to which letters may shrink
_GAP = 8.0  # mm between battles
_BESIDE = 3  # battles side by side
_PANEL = (_INNER - (_BESIDE - 1) * _GAP) / _BESIDE  # mm, the width of a battle
_HIGH = 13.0  # mm, its highest column
_TALL = 43.0  # mm, the height of all of it
_CURVE = 46.0  # mm, the height of the running curve
_BEFORE = 11.0  # mm for the figures before it
_BEHIND = 36.0  # mm for the names behind it
_DASHES: tuple[tuple[float, ...], ...] = ((), (3.0, 1.2), (1.0, 0.9))  # mm, of the lines of the curve by turns


class SwingChart(msgspec.Struct, frozen=True):
    """What a battle might have come to, and what it came to."""

    title: Annotated[str, note("which battle it is")]
    lines: Annotated[Sequence[str], note("lines below the title")]
    axis: Annotated[str, note("what is distributed")]
    colour: Annotated[str, note("of the columns: that of the side whose swing it is")]
    chances: Annotated[Sequence[tuple[int, Fraction]], note("each value with its chance, in order")]
    came: Annotated[int, note("the value that came")]
    expected: Annotated[Fraction, note("what was expected")]


class RunningCurve(msgspec.Struct, frozen=True):
    """A line of the running curve."""

    title: str
    colour: str
    points: Sequence[tuple[int, Fraction]]
    """After how many rolls it stood where."""


class RunningChart(msgspec.Struct, frozen=True):
    """The running luck of several sides over all rolls."""

    title: str
    lines: Sequence[RunningCurve]
    marks: Sequence[tuple[int, str]]
    """After how many rolls each battle ends, with its number."""
    note: str = ""


class LuckTable(msgspec.Struct, frozen=True):
    """A small table."""

    title: str
    head: Sequence[str]
    """Over the cells behind the label."""
    rows: Sequence[tuple[str, Sequence[str]]]
    """Labels with their cells."""


class _Block(NamedTuple):
    """What is drawn together."""

    height: float
    draw: Callable[[float], list[Shape]]
    """Takes the height at which it begins."""


def luck_scenes(
    title: str,
    about: Sequence[str],
    running: RunningChart | None,
    tables: Sequence[LuckTable],
    charts: Sequence[SwingChart],
    caption: Sequence[str],
    *,
    paged: bool,
) -> list[Scene]:
    """Return the picture, as one scene or as pages. about: lines below the title; caption: lines at the foot."""
    blocks = [_block_of_heading(title, about)]
    if running:
        blocks.append(_block_of_curve(running))
    blocks += [_block_of_table(table) for table in tables if table.rows]
    blocks += [_block_of_battles(charts[at : at + _BESIDE]) for at in range(0, len(charts), _BESIDE)]
    if caption:
        blocks.append(_block_of_paragraph(caption))
    pages: list[list[tuple[float, _Block]]] = [[]]
    y = MARGIN
    for block in blocks:
        if paged and pages[-1] and y + block.height > PAGE - MARGIN:
            pages.append([])
            y = MARGIN
        pages[-1].append((y, block))
        y += block.height
    words = " ".join(_describe_chart(chart) for chart in charts)
    return [_make_page(title, words if number == 0 else "", page, paged=paged) for number, page in enumerate(pages)]


def _make_page(title: str, words: str, page: Sequence[tuple[float, _Block]], *, paged: bool) -> Scene:
    last, block = page[-1]
    height = PAGE if paged else last + block.height + MARGIN
    paper = Rectangle(x=0, y=0, width=WIDTH, height=height, fill=PAPER)
    drawn = tuple(shape for y, part in page for shape in part.draw(y))
    layers = (Layer("paper", (paper,)), Layer("luck", drawn))
    return Scene(width=WIDTH, height=height, title=title, description=words, layers=layers)


def running_scene(running: RunningChart) -> Scene:
    """Return the running curve alone."""
    block = _block_of_curve(running)
    return _make_page(running.title, "", [(MARGIN / 2, block)], paged=False)


def battle_scene(chart: SwingChart) -> Scene:
    """Return one battle alone, as wide as its columns need."""
    layers = (Layer("chart", (Group(_describe_chart(chart), tuple(_draw_chart(chart, 1.0, 0.0, title=False))),)),)
    return Scene(
        width=_PANEL + 2.0, height=_TALL - 10.0, title=chart.title, description=_describe_chart(chart), layers=layers
    )


def _block_of_heading(title: str, about: Sequence[str]) -> _Block:
    _, height = title_lines(title, about, 0.0, _INNER)

    def draw(y: float) -> list[Shape]:
        texts, _ = title_lines(title, about, y, _INNER)
        return [*texts]

    return _Block(height + 4.0, draw)


def _block_of_paragraph(lines: Sequence[str]) -> _Block:
    parts = [part for line in lines for part in wrap(line, _SMALL, _INNER)]

    def draw(y: float) -> list[Shape]:
        return [*text_lines(parts, y + _SMALL, _SMALL, 1.4, x=MARGIN, fill=SOFT_INK)]

    return _Block(len(parts) * _SMALL * 1.4 + 2.0, draw)


# --- tables ---------------------------------------------------------------------------------------------------------------

_ROW = 4.6  # mm from one row of a table to the next


def _block_of_table(table: LuckTable) -> _Block:
    return _Block(_ROW * (len(table.rows) + 1) + 5.0, lambda y: [*_draw_table(table, y)])


def _draw_table(table: LuckTable, top: float) -> Iterator[Shape]:
    cells = [[table.head[at], *(row[at] for _, row in table.rows)] for at in range(len(table.head))]
    shown = [at for at, column in enumerate(cells) if any(column[1:])]
    widths = {
        at: max(text_width(cell, _WORDS, bold=number == 0) for number, cell in enumerate(cells[at])) for at in shown
    }
    right, ends = WIDTH - MARGIN, dict[int, float]()
    for at in reversed(shown):
        ends[at] = right
        right -= widths[at] + 5.0
    room = right - MARGIN
    for number, (label, row) in enumerate([(table.title, table.head), *table.rows]):
        base, bold = top + _WORDS + number * _ROW, number == 0
        fitted = fit_line(label, HEAD if bold else _WORDS, room, least=_LEAST, bold=bold)
        yield Text(x=MARGIN, y=base, text=fitted.lines[0], size=fitted.size, bold=bold, fill=INK)
        for at in shown:
            fill = SOFT_INK if bold else INK
            yield Text(x=ends[at], y=base, text=row[at], size=_WORDS, anchor="end", bold=bold, fill=fill)
    line = top + _WORDS + 1.5
    yield Polyline(points=((MARGIN, line), (WIDTH - MARGIN, line)), stroke=GRID, width=0.25, butt=True)


# --- a battle -------------------------------------------------------------------------------------------------------------


def _block_of_battles(charts: Sequence[SwingChart]) -> _Block:
    def draw(y: float) -> list[Shape]:
        return [
            Group(_describe_chart(chart), tuple(_draw_chart(chart, MARGIN + number * (_PANEL + _GAP), y)))
            for number, chart in enumerate(charts)
        ]

    return _Block(_TALL, draw)


def _draw_chart(chart: SwingChart, left: float, top: float, *, title: bool = True) -> Iterator[Shape]:
    """Yield the columns of a battle; the one that came is dark, with a mark over it, and a line stands at what was
    expected.
    """
    y = top
    if title:
        heading = fit_line(chart.title, HEAD, _PANEL, least=_LEAST, bold=True)
        yield Text(x=left, y=y + HEAD, text=heading.lines[0], size=heading.size, bold=True, fill=INK)
        for number, line in enumerate(chart.lines):
            words = fit_line(line, _SMALL, _PANEL, least=_LEAST)
            yield Text(x=left, y=y + 7.4 + number * 3.5, text=words.lines[0], size=words.size, fill=SOFT_INK)
        y += 10.0
    floor = y + 5.0 + _HIGH + 4.5
    first, last = chart.chances[0][0], chart.chances[-1][0]
    largest = max(chance for _, chance in chart.chances)
    pitch = min(_PANEL / (last - first + 1), 7.0)
    start = left + (_PANEL - pitch * (last - first + 1)) / 2
    pale = mix(chart.colour, PAPER, 0.58)

    def middle(value: float) -> float:
        return start + (value - first + 0.5) * pitch

    for value, chance in chart.chances:
        height = max(float(chance / largest) * _HIGH, 0.15)
        fill = chart.colour if value == chart.came else pale
        yield Rectangle(x=middle(value) - pitch * 0.4, y=floor - height, width=pitch * 0.8, height=height, fill=fill)
        if value == chart.came:
            yield from _draw_mark(middle(value), floor - height, format_whole_percent(chance))
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if step * pitch >= text_width("+88", _SMALL) + 0.8)
    for value in range(ceil(first / step) * step, last + 1, step):
        label = f"{value:+}" if value else "0"
        yield Text(x=middle(value), y=floor + 3.4, text=label, size=_SMALL, anchor="middle", fill=SOFT_INK)
    yield Polyline(points=((left, floor), (left + _PANEL, floor)), stroke=GRID, width=0.3, butt=True)
    at = middle(float(chart.expected))
    ends = ((at, floor + 0.6), (at, floor - _HIGH - 1.0))
    yield Polyline(points=ends, stroke=INK, width=0.3, dash=(1.0, 0.8), butt=True)
    words = fit_line(chart.axis, _SMALL, _PANEL, least=_LEAST)
    yield Text(x=left + _PANEL / 2, y=floor + 7.2, text=words.lines[0], size=words.size, anchor="middle", fill=SOFT_INK)


def _draw_mark(x: float, top: float, chance: str) -> Iterator[Shape]:
    """Yield the mark over the column that came, with its chance."""
    yield Polygon(points=((x, top - 0.5), (x - 1.1, top - 2.2), (x + 1.1, top - 2.2)), fill=INK)
    yield Text(x=x, y=top - 2.9, text=chance, size=_SMALL, anchor="middle", bold=True, fill=INK, halo=PAPER)


def _describe_chart(chart: SwingChart) -> str:
    every = ", ".join(f"{value:+} ({format_percent(chance)})" for value, chance in chart.chances)
    return f"{chart.title}, {chart.axis}: came {chart.came:+}, expected {float(chart.expected):+.2f}, of {every}."


# --- the running curve ----------------------------------------------------------------------------------------------------


def _block_of_curve(running: RunningChart) -> _Block:
    return _Block(_CURVE + 24.0, lambda y: [*_draw_running(running, y)])


def _draw_running(running: RunningChart, top: float) -> Iterator[Shape]:
    yield Text(x=MARGIN, y=top + HEAD, text=running.title, size=HEAD, bold=True, fill=INK)
    remark = fit_line(running.note, _SMALL, _INNER, least=_LEAST)
    yield Text(x=MARGIN, y=top + 7.6, text=remark.lines[0], size=remark.size, fill=SOFT_INK)
    upper, lower = top + 11.0, top + 11.0 + _CURVE
    left, right = MARGIN + _BEFORE, WIDTH - MARGIN - _BEHIND
    values = [float(value) for line in running.lines for _, value in line.points]
    low, high = min(-0.5, *values), max(0.5, *values)
    low, high = low - (high - low) * 0.06, high + (high - low) * 0.06
    last = max(at for line in running.lines for at, _ in line.points)

    def at(when: int, value: Fraction | float) -> Point:
        across = left + when / max(last, 1) * (right - left)
        return across, lower - (float(value) - low) / (high - low) * (lower - upper)

    step = next(step for step in (0.25, 0.5, 1, 2, 5, 10, 20, 50) if (high - low) / step <= 7)
    for number in range(ceil(low / step), int(high / step) + 1):
        level = at(0, number * step)[1]
        stroke = GRID if number == 0 else mix(GRID, PAPER, 0.7)
        yield Polyline(points=((left, level), (right, level)), stroke=stroke, width=0.2, butt=True)
        label = f"{number * step:+g}" if number else "0"
        base = base_line(level, _SMALL)
        yield Text(x=left - 1.6, y=base, text=label, size=_SMALL, anchor="end", fill=SOFT_INK)
    yield from _draw_ends(running, at, (upper, lower))
    for number, line in enumerate(running.lines):
        yield Group(_format_line(line), (_draw_curve(line, at, number),))
    yield from _draw_names(running, at, (right, lower))


def _draw_ends(running: RunningChart, at: Callable[[int, float], Point], field: tuple[float, float]) -> Iterator[Shape]:
    """Yield where each battle ends, with its number, where there is room for it."""
    upper, lower = field
    free, begun = 0.0, at(0, 0)[0]
    for when, label in running.marks:
        x = at(when, 0)[0]
        yield Polyline(points=((x, upper), (x, lower + 1.2)), stroke=mix(GRID, PAPER, 0.55), width=0.2, butt=True)
        middle, width = (begun + x) / 2, text_width(label, _SMALL)
        if middle - width / 2 >= free:
            yield Text(x=middle, y=lower + 4.2, text=label, size=_SMALL, anchor="middle", fill=SOFT_INK)
            free = middle + width / 2 + 0.8
        begun = x
    if running.marks:
        middle = (at(0, 0)[0] + at(running.marks[-1][0], 0)[0]) / 2
        yield Text(x=middle, y=lower + 7.8, text="battle", size=_SMALL, anchor="middle", fill=SOFT_INK)


def _draw_curve(line: RunningCurve, place: Callable[[int, Fraction], Point], number: int) -> Polyline:
    dash = _DASHES[number % len(_DASHES)]
    points = tuple(place(when, value) for when, value in line.points)
    return Polyline(points=points, stroke=line_colour(line.colour), width=0.7, dash=dash, butt=bool(dash))


def _draw_names(
    running: RunningChart, at: Callable[[int, Fraction], Point], edge: tuple[float, float]
) -> Iterator[Shape]:
    """Yield the names of the lines behind their ends."""
    right, lowest = edge
    ends = sorted((at(*line.points[-1])[1], number) for number, line in enumerate(running.lines))
    heights = spread_heights([height for height, _ in ends], _WORDS * 1.3, lowest)
    for y, (height, number) in zip(heights, ends, strict=True):
        line = running.lines[number]
        colour = mix(line_colour(line.colour), INK, 0.35)
        yield Circle(x=right, y=height, radius=0.9, fill=line_colour(line.colour))
        if abs(y - height) > 0.6:
            yield Polyline(points=((right + 1.4, height), (right + 3.0, y)), stroke=GRID, width=0.2)
        fitted = fit_line(_format_line(line), _WORDS, _BEHIND - 4.0, least=_LEAST, bold=True)
        base = base_line(y, fitted.size)
        yield Text(x=right + 3.6, y=base, text=fitted.lines[0], size=fitted.size, bold=True, fill=colour)


def _format_line(line: RunningCurve) -> str:
    return f"{line.title} {float(line.points[-1][1]):+.2f}"
