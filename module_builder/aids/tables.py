"""Charts as tables: each cell as far as it is known, an empty box where it is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Polyline, Rectangle, Shape
from assistant.game.charts import Chart, Key
from assistant.game.packs import keys_of
from assistant.pictures.colours import INK, WHITE
from assistant.pictures.style import GRID, SOFT_INK
from assistant.state.sources import CERTAIN, Source
from assistant.state.state import Cell

from .page import LEAST, PITCH, Area, Block, Look, one_line, words

SIZES = tuple(points * POINT for points in (9.5, 9.0, 8.5, 8.0, 7.5, 7.0))
_TITLE, _NOTE, _SUB = 12 * POINT, 7.5 * POINT, 9.5 * POINT
_PAD, _LEAST_ROW = 1.2, 5.2
MINUS, NOTHING = "\u2212", "\u2013"
MADE_UP = "#8a4b00"
"""What is only a reconstruction is printed in this colour, in brackets."""


class Known(NamedTuple):
    """How much of a chart is known. shown: whether reconstructed cells are shown too."""

    chart: Chart
    shown: bool

    def cell(self, key: tuple[int | str, ...]) -> Cell | None:
        """A cell that is printed, None where a box stays empty."""
        cell = self.chart.cells.get(key)
        return cell if cell and (self.shown or cell.source in CERTAIN) else None

    @property
    def in_words(self) -> str:
        """Where the cells come from, and how many are missing."""
        keys = keys_of(self.chart)
        cells = [self.chart.cells.get(key) for key in keys]
        sources = {source: sum(cell is not None and cell.source is source for cell in cells) for source in Source}
        own = sources[Source.PRINTED] + sources[Source.STATED]
        said = [f"{sources[Source.RULEBOOK]} from the rulebook"] if sources[Source.RULEBOOK] else []
        said += [f"{own} from your own copy"] if own else []
        made = len([cell for cell in cells if cell and cell.source not in CERTAIN])
        empty = len(keys) - own - sources[Source.RULEBOOK] - (made if self.shown else 0)
        said += [f"{made} in brackets RECONSTRUCTED, not those of the printed chart"] if made and self.shown else []
        said += [f"{empty} not known: write them in, or enter them in your pack"] if empty else []
        return f"{len(keys)} cells: {', '.join(said)}" if keys else "its ends are not known"


def chart_blocks(known: Known, look: Look, wide: float) -> list[Block]:
    """The title of a chart, a table for all keys but the last two, and what its cells mean."""
    chart, keys = known.chart, keys_of(known.chart)
    blocks = [_title(known, look, wide)]
    tables = [(above, list(some)) for above, some in groupby(keys, key=lambda key: key[:-2])]
    texts = [cell_text(chart, known.cell(key)) for key in keys]
    for above, some in tables:
        blocks.append(_table(known, above, some, look, wide, max(texts, key=len, default="")))
    if not keys:
        blocks.append(_words("Its first and last row or column are printed on your chart only.", _NOTE, wide))
    legend = "; ".join(f"{field.name}: {field.note}" for field in chart.fields if field.note)
    if legend:
        blocks.append(_words(f"Cells: {legend}", _NOTE, wide))
    return blocks


def _words(text: str, size: float, wide: float) -> Block:
    lines = words(text, size, wide)
    return Block(lines.height + 1, lambda x, y: lines.at(x, y, fill=SOFT_INK))


def _title(known: Known, look: Look, wide: float) -> Block:
    chart = known.chart
    name = chart.title[:1].upper() + chart.title[1:]
    title = words(f"{name} ({chart.rule})" if chart.rule else name, _TITLE, wide, bold=True)
    doubtful = known.shown and any(cell.source not in CERTAIN for cell in chart.cells.values())
    note = words(known.in_words, _NOTE, wide, bold=doubtful)

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from title.at(x, y)
        yield from note.at(x, y + title.height + 0.4, fill=MADE_UP if doubtful else SOFT_INK)

    return Block(title.height + note.height + 1.4, draw, tied=True)


def cell_text(chart: Chart, cell: Cell | None) -> str:
    """A cell in words: its fields with slashes, in brackets if it is not certain; "" for an empty box."""
    if cell is None:
        return ""
    text = " / ".join(_value(cell.values[field.name]) for field in chart.fields)
    return text if cell.source in CERTAIN else f"[{text}]"


def _value(value: int | str) -> str:
    return NOTHING if value == "-" else f"{value}".replace("-", MINUS)


def heads(key: Key, values: Sequence[int | str]) -> list[str]:
    """The words over rows or columns; the ends of an open key hold for what lies beyond."""
    found = [f"{value}".replace("-", MINUS) if isinstance(value, int) else value for value in values]
    if key.open and isinstance(values[0], int) and len(found) > 1:
        found[0], found[-1] = f"{found[0]} or less", f"{found[-1]} or more"
    return found


def _table(
    known: Known,
    above: tuple[int | str, ...],
    keys: Sequence[tuple[int | str, ...]],
    look: Look,
    wide: float,
    widest: str,
) -> Block:
    """One table: the last key down its side, the one before across its head; a single key stands across or down, as it fits."""
    chart = known.chart
    columns = list(dict.fromkeys(key[-2:-1] for key in keys))
    rows = list(dict.fromkeys(key[-1:] for key in keys))
    grid = {(row, column): known.cell((*above, *column, *row)) for row in rows for column in columns}
    row_key, column_key = chart.keys[-1], chart.keys[-2] if len(chart.keys) > 1 else None
    row_heads = heads(row_key, [row[0] for row in rows])
    column_heads = heads(column_key, [column[0] for column in columns]) if column_key else [_fields(chart)]
    texts = {at: cell_text(chart, cell) for at, cell in grid.items()}
    return ruled(
        Ruled(" ".join(map(str, above)), row_key.name, column_key.name if column_key else "", row_heads, column_heads),
        {(rows.index(row), columns.index(column)): text for (row, column), text in texts.items()},
        look,
        wide,
        widest,
    )


def _fields(chart: Chart) -> str:
    return " / ".join(field.name for field in chart.fields)


class Ruled(NamedTuple):
    """The words around the cells of a table. title: over it; down, across: what its rows and columns are."""

    title: str
    down: str
    across: str
    rows: Sequence[str]
    columns: Sequence[str]


def ruled(around: Ruled, cells: Mapping[tuple[int, int], str], look: Look, wide: float, widest: str = "") -> Block:
    """A table with its cells by row and column. widest: the longest text of its columns, so that several tables look alike."""
    left = max(text_width(text, SIZES[0], bold=True) for text in [*around.rows, around.down]) + 2 * _PAD
    longest = [widest, *cells.values()]

    def needed(size: float) -> float:
        return max(
            max((text_width(text, size) for text in longest), default=0.0),
            max(text_width(text, size, bold=True) for text in around.columns),
        ) + 2 * _PAD  # fmt: skip

    room = (wide - left) / len(around.columns)
    size = next((size for size in SIZES if needed(size) <= room), LEAST)
    each = min(room, max(needed(size), 14.0, 0.6 * room))
    whole = left + each * len(around.columns)
    row = max(size * PITCH + 1.2, _LEAST_ROW)
    titled = _SUB * PITCH + 1.4 if around.title else 0.0
    captioned = LEAST * PITCH + 0.4 if around.across else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        if around.title:
            yield one_line(x, y + _SUB, around.title[:1].upper() + around.title[1:], _SUB, wide, bold=True)
        top = y + titled
        if around.across:
            yield one_line(x + left, top + LEAST, around.across, LEAST, whole - left, fill=SOFT_INK)
        top += captioned
        yield Rectangle(x=x, y=top, width=whole, height=row, fill=look.tint(GRID, 0.5))
        yield one_line(x + _PAD, top + row - 1.7, around.down, size, left - _PAD, fill=SOFT_INK)
        for column, head in enumerate(around.columns):
            middle = x + left + (column + 0.5) * each
            yield one_line(middle, top + row - 1.7, head, size, each - 0.6, bold=True, anchor="middle")
        for number, head in enumerate(around.rows):
            at = top + (number + 1) * row
            ground = look.tint(GRID, 0.16) if number % 2 else WHITE
            yield Rectangle(x=x, y=at, width=whole, height=row, fill=ground)
            yield one_line(x + _PAD, at + row - 1.7, head, size, left - _PAD, bold=True)
            for column in range(len(around.columns)):
                text = cells.get((number, column), "")
                fill = MADE_UP if text.startswith("[") else INK
                middle = x + left + (column + 0.5) * each
                yield one_line(middle, at + row - 1.7, text, size, each - 0.6, anchor="middle", fill=fill)
        yield from _lines(Area(x, top, whole, row * (len(around.rows) + 1)), left, each, row)

    return Block(titled + captioned + row * (len(around.rows) + 1) + 1.2, draw)


def _lines(area: Area, left: float, each: float, row: float) -> Iterator[Shape]:
    """The lines between cells, and the frame."""
    x, y = area.left + left, area.top
    while x < area.right - 0.1:
        yield Polyline(points=((x, area.top), (x, area.bottom)), stroke=GRID, width=0.2, butt=True)
        x += each
    while y < area.bottom - 0.1:
        yield Polyline(points=((area.left, y), (area.right, y)), stroke=GRID, width=0.2, butt=True)
        y += row
    yield Rectangle(x=area.left, y=area.top, width=area.width, height=area.height, stroke=SOFT_INK, stroke_width=0.35)
