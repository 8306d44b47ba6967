"""The working of an answer below the map of a sketch: rows of figures, the sums that they lead to, and tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ...asking.sketch import FigureChain, FigureTable, Sketch
from ..answer_page import Block
from ..colours import INK, WHITE, mix
from ..lettering import FittedText, base_line, fit_lines, text_width, wrap
from ..scene import ANCHORS, Anchor, Layer, Rectangle, Shape, Text, shift, text_lines
from ..style import GRID, MARGIN, PAPER, SOFT_INK
from .key_lines import LINE

_ROW = 5.0  # mm, the height of a row
_SIZE = 3.1  # size of its letters, mm
_GAP = 4.0  # mm between two columns
_TOTAL = mix(GRID, PAPER, 0.62)  # the ground of a row that sums up
_HEADING = 3.4  # size of a heading, mm
_HEADING_ROW = 5.6  # mm, the height of its row
_ANSWER = 4.6  # size of the figure of the answer, mm
_ANSWER_ROW = 7.4  # mm, the height of its row
_SIDE = 1.6  # mm at each side of a row
_COLUMN = 5.0  # mm between two columns of rows
_NARROWEST = 50.0  # mm, how wide a column of rows is at least


class _WorkingRow(NamedTuple):
    """A row of a working."""

    words: Sequence[str]
    """What its figure is, in lines."""
    how: str
    """What that is the sum of, before it."""
    figure: FittedText
    height: float
    """In millimetres."""


class WorkingBlock:
    """Figures under a heading, a row for each after the word for it. width: of the rows, in millimetres; answer: the
    row, from 0, that is the answer and dark; totals: those that are what the ones before them come to.
    """

    def __init__(
        self,
        title: str,
        rows: Iterable[Sequence[str]],
        width: float,
        *,
        answer: int | None = None,
        totals: Collection[int] = (),
    ) -> None:
        self._title, self._width, self._answer, self._totals = title, width, answer, totals
        figures = [(word, *self._fit_figure(figure, number)) for number, (word, figure) in enumerate(rows)]
        self._widest = max((wide for *_, wide in figures), default=0.0)
        self._rows = [self._fit_row(word, figure, number) for number, (word, figure, _) in enumerate(figures)]

    def _fit_figure(self, figure: str, number: int) -> tuple[FittedText, float]:
        """Return a figure in one or two lines, and how wide these are."""
        size = _ANSWER if number == self._answer else _SIZE
        fitted = fit_lines(figure, size, self._width * 0.6, 2 * size, least=2.4, bold=True)
        return fitted, max(text_width(line, fitted.size, bold=True) for line in fitted.lines)

    def _fit_row(self, word: str, figure: FittedText, number: int) -> _WorkingRow:
        bold, height = number in self._totals or number == self._answer, _ANSWER_ROW if number == self._answer else _ROW
        room = self._width - self._widest - _GAP - 2 * _SIDE
        what, _, how = word.partition(": ")
        if not how or bold or text_width(what, _SIZE) + text_width(how, _SIZE) + _GAP > room:
            what, how = word, ""
        words = wrap(what, _SIZE, room, bold=bold)
        return _WorkingRow(words, how, figure, height + (max(len(words), len(figure.lines)) - 1) * LINE)

    @property
    def height(self) -> float:
        """The height of its heading and all rows, in millimetres."""
        return _HEADING_ROW + sum(row.height for row in self._rows) + 1.0

    def layer(self, top: float) -> Layer:
        """Return the rows with their upper edge there."""
        shapes: list[Shape] = [
            Text(x=MARGIN + _SIDE, y=top + 3.9, text=self._title, size=_HEADING, bold=True, fill=INK),
            Rectangle(x=MARGIN, y=top + _HEADING_ROW - 0.4, width=self._width, height=0.4, fill=INK),
        ]
        y = top + _HEADING_ROW
        for number, (words, how, figure, height) in enumerate(self._rows):
            middle, is_answer, is_total = y + height / 2, number == self._answer, number in self._totals
            ink, right = WHITE if is_answer else INK, MARGIN + self._width - _SIDE
            if is_answer or is_total:
                fill = INK if is_answer else _TOTAL
                shapes.append(Rectangle(x=MARGIN, y=y, width=self._width, height=height, fill=fill))
            else:
                shapes.append(Rectangle(x=MARGIN, y=y + height - 0.12, width=self._width, height=0.12, fill=GRID))
            base, pitch = base_line(middle, _SIZE, len(words), LINE / _SIZE), LINE / _SIZE
            shapes += text_lines(words, base, _SIZE, pitch, x=MARGIN + _SIDE, bold=is_answer or is_total, fill=ink)
            if how:
                at = right - self._widest - _GAP
                shapes.append(Text(x=at, y=base, text=how, size=_SIZE, anchor="end", fill=SOFT_INK))
            base = base_line(middle, figure.size, len(figure.lines), 1.05)
            shapes += text_lines(figure.lines, base, figure.size, 1.05, x=right, anchor="end", bold=True, fill=ink)
            y += height
        return Layer("working", tuple(shapes))


class SideBySide:
    """Two blocks beside each other. across: from the left edge of the first to that of the second, in millimetres."""

    def __init__(self, left: Block, right: Block, across: float) -> None:
        self._left, self._right, self._across = left, right, across

    @property
    def height(self) -> float:
        """The height of the higher one, in millimetres."""
        return max(self._left.height, self._right.height)

    def layer(self, top: float) -> Layer:
        """Return both with their upper edges there."""
        right = shift(self._right.layer(top), self._across, 0.0)
        return Layer("working", (*self._left.layer(top).shapes, *right.shapes))


def working_blocks(sketch: Sketch, width: float) -> Iterator[Block]:
    """Yield how the figures of a sketch lead to its answers, in two columns where these find room in a width, in
    millimetres.
    """
    half = (width - _COLUMN) / 2
    parts: list[Callable[[float], WorkingBlock]] = [
        partial(_block_of_chain, chain) for chain in sketch.chains if chain.links
    ]
    parts[1:1] = [partial(_block_of_sum, table) for table in sketch.tables if is_sum(table)]
    while parts:
        if half < _NARROWEST or len(parts) == 1:
            yield parts.pop(0)(width)
        else:
            yield SideBySide(parts.pop(0)(half), parts.pop(0)(half), half + _COLUMN)


def _block_of_chain(chain: FigureChain, width: float) -> WorkingBlock:
    return WorkingBlock(chain.title, chain.links, width, answer=chain.answer)


def _block_of_sum(table: FigureTable, width: float) -> WorkingBlock:
    return WorkingBlock(table.title, table.rows, width, totals=table.totals)


def is_sum(table: FigureTable) -> bool:
    """Return whether a table stands with the working: a word and a figure a row under a title."""
    return bool(table.title and table.rows) and not table.heads and all(len(row) == 2 for row in table.rows)


def find_badge(sketch: Sketch) -> str:
    """Return the column or the like to which the first figures of a sketch lead, "" if there are none."""
    return next((chain.links[chain.answer][1] for chain in sketch.chains if chain.links), "")


def find_due(sketch: Sketch) -> Sequence[str]:
    """Return what is to be rolled or chosen, where it stands beside the answer: below a badge, and in few lines."""
    return sketch.owed if find_badge(sketch) and len(sketch.owed) <= _MOST_DUE else ()


_MOST_DUE = 2
"""How many lines of what is to be rolled or chosen stand beside the answer at most."""


class TableBlock:
    """A table of figures as it stands below the map. wrapped: whether long heads take several lines."""

    def __init__(self, table: FigureTable, *, wrapped: bool = False) -> None:
        rows = _wrap_heads(table) if wrapped and table.heads else [*filter(None, (table.heads, *table.rows))]
        self._rows = [*rows]
        self._headed = len(rows) - len(table.rows)
        self._totals = {number + self._headed for number in table.totals}
        self._widths = [
            max(text_width(cell, _SIZE, bold=True) for cell in column) for column in zip(*self._rows, strict=True)
        ]

    @property
    def width(self) -> float:
        """How wide it is, in millimetres."""
        return sum(self._widths) + _GAP * (len(self._widths) - 1)

    @property
    def height(self) -> float:
        """The height of all rows, in millimetres."""
        return len(self._rows) * _ROW + 1.5

    def layer(self, top: float) -> Layer:
        """Return the table with its upper edge there: what rows are about on the left, figures to the right of it."""
        shapes: list[Shape] = []
        for number, row in enumerate(self._rows):
            base, x = top + (number + 0.72) * _ROW, MARGIN
            head, total = number < self._headed, number in self._totals
            if total:
                y, row_width = top + number * _ROW + 0.35, self.width + 2.0
                shapes.append(
                    Rectangle(x=MARGIN - 1.0, y=y, width=row_width, height=_ROW - 0.7, fill=_TOTAL, radius=0.6)
                )
            ink = SOFT_INK if head else INK
            for column, (cell, width) in enumerate(zip(row, self._widths, strict=True)):
                bold = head or total or column > 0
                anchor: Anchor = "middle" if column else "start"
                at = x + width * ANCHORS[anchor]
                shapes.append(Text(x=at, y=base, text=cell, size=_SIZE, anchor=anchor, bold=bold, fill=ink))
                x += width + _GAP
            if self._headed - 1 <= number < len(self._rows) - 1:
                line = top + (number + 1) * _ROW
                shapes.append(Rectangle(x=MARGIN, y=line, width=self.width, height=0.3 if head else 0.12, fill=GRID))
        return Layer("figures", tuple(shapes))


_HALF = 0.7
"""How wide a head is at least, as a share of its width in one line, so that it takes two."""


def _wrap_heads(table: FigureTable) -> list[tuple[str, ...]]:
    """Return the rows of a table, its heads in as many as they need to be no wider than figures or their longest word."""
    columns = list[list[str]]()
    for number, head in enumerate(table.heads):
        texts = *(row[number] for row in table.rows), *head.split()
        least = text_width(head, _SIZE, bold=True) * _HALF
        room = max(least, *(text_width(text, _SIZE, bold=True) for text in texts))
        columns.append(list(wrap(head, _SIZE, room, bold=True)))
    height = max(map(len, columns))
    heads = zip(*([""] * (height - len(column)) + column for column in columns), strict=True)
    return [*heads, *table.rows]
