"""A table as it is drawn: heads, rows and rules, whole or in parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Polyline, Rectangle, Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.util.typesetting import sentence

from .flow import BETWEEN, Block
from .page import EASY, LEAST, SIZES, AidStyle
from .words import PITCH, Words, set_line, set_words

SUBTITLE = 9.5 * POINT
PAD = 1.2  # mm at each side of a text
_LEAST_ROW = 5.2  # mm, the height of a row at least
_WIDEST_SIDE = 50.0  # mm, the heads of rows at most
_HEAD_LINES = 3  # lines of a head at most
_TALL = 24  # rows from which on a table is folded into parts side by side if it has room
WRITTEN = 8.4  # mm, the width of a box that a player writes into at least
_HAND = 1.3  # times as wide as print that his hand is
MADE_UP = "#8a4b00"
"""The colour of cells that are not the printed ones, which stand in brackets."""


class Table(NamedTuple):
    """The words of a table."""

    title: str
    """Over it."""
    down: str
    """What its rows are."""
    across: str
    """What its columns are."""
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Mapping[tuple[int, int], str]
    """By row and column, from 0."""
    groups: Sequence[str] = ()
    """Heads that each stand over several columns."""
    longest: float = 0.0
    """The width of the longest text that a cell may hold, for letters of size 1."""

    @property
    def abreast(self) -> int:
        """How many columns stand below one head."""
        return len(self.columns) // len(self.groups) if self.groups else 1

    @property
    def side(self) -> float:
        """The width of the heads of its rows."""
        texts = [*self.rows, *self.down.split()]
        width = max(text_width(text, SIZES[0], bold=True) for text in texts) + 2 * PAD
        return min(width, _WIDEST_SIDE)

    @property
    def has_empty(self) -> bool:
        """Whether there are boxes to write into."""
        return "" in self.cells.values()

    def column(self, size: float) -> float:
        """Return the width that a column needs for letters of a size: for its cells, for the words of its head, and to
        write in.
        """
        inside = max((text_width(text, size) for text in self.cells.values()), default=0.0)
        inside = max(inside, self.longest * size)
        written = max(WRITTEN, self.longest * _HAND * LEAST + 2.0) if self.has_empty else 0.0
        return max(inside + 2 * PAD, written, *(_head_width(text, size) for text in self.columns), self._grouped(size))

    def _grouped(self, size: float) -> float:
        """Return what the heads over several columns need of each."""
        return max((_head_width(text, size) / self.abreast for text in self.groups), default=0.0)

    def folds(self, width: float, height: float) -> int:
        """Return in how many parts side by side it fits a place in letters that are read with ease, 0 if it does not:
        in one part if that is not tall, else in the fewest that are not.
        """
        fitting = 0
        for folds in range(1, 5):
            each, deep = (width - BETWEEN * (folds - 1)) / folds, ceil(len(self.rows) / folds)
            if self.part(range(deep)).fits(each, height):
                fitting = folds
                if deep <= _TALL:
                    break
        return fitting

    def fits(self, width: float, height: float) -> bool:
        """Return whether a place is enough for letters that are read with ease, and to write into empty boxes."""
        if (width - self.side) / len(self.columns) < self.column(EASY):
            return False
        return self.height(width, EASY) <= height and self.height(width, self.size(width)) <= height

    def size(self, width: float) -> float:
        """Return the largest size of letters in which it fits a width."""
        room = (width - self.side) / len(self.columns)
        return next((size for size in SIZES if self.column(size) <= room), LEAST)

    def height(self, width: float, size: float) -> float:
        """Return how high it is in this width."""
        return _Frame(self, width, size).height

    def part(self, rows: range, columns: range | None = None) -> Table:
        """Return some of its rows and columns."""
        across = columns or range(len(self.columns))
        per = self.abreast
        return self._replace(
            rows=self.rows[rows.start : rows.stop],
            columns=self.columns[across.start : across.stop],
            groups=self.groups[across.start // per : across.stop // per] if self.groups else (),
            cells={
                (row - rows.start, column - across.start): self.cells[row, column]
                for row in rows
                for column in across
                if (row, column) in self.cells
            },
        )

    def parts(self, width: float, height: float) -> Iterator[Table]:
        """Yield the parts in which it fits a page: as many columns as have room, and as many rows."""
        needed = self.column(LEAST)
        abreast = max(int((width - self.side) // min(needed, width - self.side)), 1)
        abreast = max(abreast // self.abreast, 1) * self.abreast
        deep = max(int((height - _Frame(self, width, SIZES[0]).heads) // _row_height(SIZES[0])), 1)
        for right in range(0, len(self.columns), abreast):
            for down in range(0, len(self.rows), deep):
                part = self.part(
                    range(down, min(down + deep, len(self.rows))), range(right, min(right + abreast, len(self.columns)))
                )
                title = sentence(f"{self.title}, continued".removeprefix(", ")) if right or down else self.title
                yield part._replace(title=title)


def _head_width(text: str, size: float) -> float:
    """Return what a head needs, its words on lines of their own if need be."""
    lines = max((text_width(word, size, bold=True) for word in text.split()), default=0.0)
    return max(lines, text_width(text, size, bold=True) / (_HEAD_LINES - 0.6)) + 1.6


def _row_height(size: float) -> float:
    """Return the height of a row with letters of a size."""
    return max(size * PITCH + 1.2, _LEAST_ROW)


class _Frame:
    """Where the parts of a table lie, in a width and with letters of a size."""

    def __init__(self, table: Table, width: float, size: float) -> None:
        self.table, self.wide, self.size = table, width, size
        self.left = table.side
        self.each = (width - self.left) / max(len(table.columns), 1)
        self.row = _row_height(size)
        self.titled = SUBTITLE * PITCH + 1.0 if table.title and not table.across else 0.0
        self.across = _row_height(EASY) if table.across else 0.0
        self.groups = [self._head(text, self.each * table.abreast) for text in table.groups]
        self.columns = [self._head(text, self.each) for text in table.columns]
        self.corner = set_words(table.down, size, self.left - 1.6, bold=True)
        self.grouped = max((head.height for head in self.groups), default=-1.4) + 1.4
        lines = max((head.height for head in self.columns), default=0.0) + 1.4
        self.head = max(lines, self.row, self.corner.height + 1.4 - self.across - self.grouped)

    def _head(self, text: str, room: float) -> Words:
        return set_words(text, self.size, room - 1.2, bold=True)

    @property
    def heads(self) -> float:
        """From its top to its first row."""
        return self.titled + self.across + self.grouped + self.head

    @property
    def height(self) -> float:
        """The height of all."""
        return self.heads + self.row * len(self.table.rows) + 1.4


def block_of_table(table: Table, style: AidStyle, width: float, size: float = 0.0) -> Block:
    """Return a table as it is printed, over a whole width. size: of its letters, by default as large as have room."""
    frame = _Frame(table, width, size or table.size(width))

    def draw(x: float, y: float) -> Iterator[Shape]:
        if frame.titled:
            yield set_line(x, y + SUBTITLE, table.title, SUBTITLE, width, bold=True)
        top = y + frame.titled
        yield from _draw_head(table, frame, style, x, top)
        first = y + frame.heads
        for number, head in enumerate(table.rows):
            yield from _draw_row(table, frame, style, number, head, x, first + number * frame.row)
        yield from _draw_lines(frame, x, top, first)

    return Block(frame.height, draw)


def _draw_head(table: Table, frame: _Frame, style: AidStyle, x: float, top: float) -> Iterator[Shape]:
    """Yield the heads of a table on their ground: what the columns are, over them their groups, and what the rows are."""
    left = x + frame.left
    height = frame.across + frame.grouped + frame.head
    yield Rectangle(x=x, y=top, width=frame.wide, height=height, fill=style.tint(GRID, 0.5))
    yield from frame.corner.at(x + PAD, top + height - frame.corner.height - 0.7)
    if table.across:
        base = top + frame.across - 1.6
        named = text_width(table.title, SUBTITLE, bold=True) + 3.0 if table.title else frame.left
        if table.title:
            yield set_line(x + PAD, base, table.title, SUBTITLE, frame.wide - 2 * PAD, bold=True)
        room, middle = frame.wide - max(named, frame.left) - 2, (x + max(named, frame.left) + x + frame.wide) / 2
        yield set_line(middle, base, table.across, EASY, room, anchor="middle")
    for number, head in enumerate(frame.groups):
        middle = left + (number + 0.5) * frame.each * table.abreast
        yield from head.at(middle, top + frame.across + 0.7, anchor="middle")
    base = top + frame.across + frame.grouped
    for column, head in enumerate(frame.columns):
        plain = head._replace(bold=not table.groups)
        below = base + (frame.head - head.height) / 2
        yield from plain.at(left + (column + 0.5) * frame.each, below, anchor="middle")


def _draw_row(
    table: Table, frame: _Frame, style: AidStyle, number: int, head: str, x: float, top: float
) -> Iterator[Shape]:
    """Yield one row of a table: its head, and its cells."""
    base = top + frame.row / 2 + frame.size * 0.35
    ground = style.tint(GRID, 0.16) if number % 2 else WHITE
    yield Rectangle(x=x, y=top, width=frame.wide, height=frame.row, fill=ground)
    yield set_line(x + PAD, base, head, frame.size, frame.left - PAD - 0.4, bold=True)
    for column in range(len(table.columns)):
        if text := table.cells.get((number, column), ""):
            middle = x + frame.left + (column + 0.5) * frame.each
            fill = MADE_UP if text.startswith("[") else INK
            yield set_line(middle, base, text, frame.size, frame.each - 0.6, anchor="middle", fill=fill)


def _draw_lines(frame: _Frame, x: float, top: float, first: float) -> Iterator[Shape]:
    """Yield the lines between the cells of a table, heavier ones between its groups and around it."""
    table = frame.table
    left, right = x + frame.left, x + frame.wide
    bottom = first + frame.row * len(table.rows)
    for row in range(1, len(table.rows)):
        y = first + row * frame.row
        yield Polyline(points=((x, y), (right, y)), stroke=GRID, width=0.2, butt=True)
    for column in range(1, len(table.columns)):
        edge = column % table.abreast == 0 and bool(table.groups)
        at = left + column * frame.each
        upper = top + frame.across if edge or not table.groups else first - frame.head
        yield Polyline(points=((at, upper), (at, bottom)), stroke=SOFT_INK if edge else GRID, width=0.2, butt=True)
    for points in (((left, top + frame.across), (left, bottom)), ((x, first), (right, first))):
        yield Polyline(points=points, stroke=SOFT_INK, width=0.3, butt=True)
    if table.across:
        y = top + frame.across
        yield Polyline(points=((x, y), (right, y)), stroke=GRID, width=0.2, butt=True)
    yield Rectangle(x=x, y=top, width=frame.wide, height=bottom - top, stroke=SOFT_INK, stroke_width=0.35)
