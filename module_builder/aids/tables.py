"""Charts as tables: each cell as far as it is known, an empty box where it is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import NamedTuple

from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Polyline, Rectangle, Shape
from assistant.game.charts import BELOW, Chart, Ends, Key, Keys, end_of
from assistant.game.packs import keys_of
from assistant.pictures.colours import INK, WHITE
from assistant.pictures.style import GRID, SOFT_INK
from assistant.state.state import Cell
from assistant.state.tracks import CERTAIN, Source
from assistant.util.console import count_text

from ..sheets.sizes import Box
from .page import LEAST, PITCH, SIZES, Block, Look, one_line, paragraph, sentence, with_minus_signs, with_spaces, words

_TITLE, _NOTE, _SUB = 12 * POINT, 7.5 * POINT, 9.5 * POINT
_PAD, _LEAST_ROW, _BETWEEN = 1.2, 5.2, 8.0
_TITLES, _BELOW, _WIDEST_SIDE = 24.0, 3.0, 50.0
"""What stands above a table at most, what is left below a chart, and how wide the heads of rows may be."""
BLANK = 10
"""How many rows or columns are left to write into where only the owner knows where a chart ends."""
_WRITTEN = 12.0
"""The width of a box that a player writes into."""
MADE_UP = "#8a4b00"
"""What is only a reconstruction is printed in this colour, in brackets."""


class Coverage(NamedTuple):
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
        keys = keys_of(self.chart, doubtful=self.shown)
        cells = [self.chart.cells.get(key) for key in keys]
        sources = {source: sum(cell is not None and cell.source is source for cell in cells) for source in Source}
        own = sources[Source.PRINTED] + sources[Source.STATED]
        said = [f"{sources[Source.RULEBOOK]} from the rulebook"] if sources[Source.RULEBOOK] else []
        said += [f"{own} from your own copy"] if own else []
        made = len([cell for cell in cells if cell and cell.source not in CERTAIN])
        empty = len(keys) - own - sources[Source.RULEBOOK] - (made if self.shown else 0)
        said += [f"{made} in brackets RECONSTRUCTED, not those of the printed chart"] if made and self.shown else []
        said += [f"{empty} not known: write them in, or enter them in your pack"] if empty else []
        return f"{count_text(len(keys), 'cell')}: {', '.join(said)}" if keys else "its ends are not known"


def chart_blocks(known: Coverage, look: Look, area: Box) -> list[Block]:
    """The title of a chart, a table for all keys but the last two, side by side if two have room, and what its cells
    mean.
    """
    chart, keys, wide = known.chart, keys_of(known.chart, doubtful=known.shown), area.width
    blank = "" if keys else "Its first and last row or column are printed on your chart only: write the heads in too."
    keys = keys or keys_to_fill_in(chart)
    tables = [_table(known, above, list(some)) for above, some in groupby(keys, key=lambda key: key[:-2])]
    widest = max((text for table in tables for text in table.cells.values()), key=len, default="")
    half, high = (wide - _BETWEEN) / 2, area.height - _TITLES
    blocks = [_title(known, wide)]
    if len(tables) > 1 and all(table.fits(half, high, widest) for table in tables):
        blocks += [_side_by_side(tables[n : n + 2], look, half, widest) for n in range(0, len(tables), 2)]
    else:
        parts = (part for table in tables for part in table.parts(wide, high, widest))
        blocks += [ruled_table(part, look, wide, widest) for part in parts]
    if blank:
        blocks += paragraph(blank, _NOTE, wide)
    legend = "; ".join(f"{field.name}: {field.note}" for field in chart.fields if field.note)
    if legend:
        blocks += paragraph(f"In each cell: {_fields(chart)}. {legend}.", _NOTE, wide)
    return [*blocks, Block(_BELOW, lambda x, y: ())]


def keys_to_fill_in(chart: Chart) -> list[Keys]:
    """Keys of a chart whose ends only its owner knows, with blanks for the rows and columns that he writes in."""
    blanks = [" " * number for number in range(1, BLANK + 1)]
    return [*product(*(key.values or key.row(Ends()) or blanks for key in chart.keys))]


def _side_by_side(tables: Sequence[Table], look: Look, half: float, widest: str) -> Block:
    blocks = [ruled_table(table, look, half, widest) for table in tables]

    def draw(x: float, y: float) -> Iterator[Shape]:
        for number, block in enumerate(blocks):
            yield from block.draw(x + number * (half + _BETWEEN), y)

    return Block(max(block.height for block in blocks), draw)


def _title(known: Coverage, wide: float) -> Block:
    chart = known.chart
    name = sentence(chart.title)
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
    text = " / ".join(with_minus_signs(str(cell.values[field.name])) for field in chart.fields)
    return text if cell.source in CERTAIN else f"[{text}]"


def heads(key: Key, values: Sequence[int | str]) -> list[str]:
    """The words over rows or columns; the ends of an open key hold for what lies beyond."""
    if key.has_owner_ends:
        return [_end_head(value) for value in values]
    texts = [with_minus_signs(str(value)) if isinstance(value, int) else with_spaces(value) for value in values]
    if key.open and isinstance(values[0], int) and len(texts) > 1:
        texts[0], texts[-1] = f"{texts[0]} or less", f"{texts[-1]} or more"
    return texts


def _end_head(value: int | str) -> str:
    """The words over a row or column of a key whose ends are told; nothing over one that is not known."""
    end = end_of(value)
    text = with_minus_signs((end.value if end else str(value)).strip())
    return f"{text} or {'less' if end.sign == BELOW else 'more'}" if end else text


def _table(known: Coverage, above: tuple[int | str, ...], keys: Sequence[tuple[int | str, ...]]) -> Table:
    """One table: the last key down its side, the one before across its head, or the fields of a cell if there is
    none.
    """
    chart = known.chart
    columns = list(dict.fromkeys(key[-2:-1] for key in keys))
    rows = list(dict.fromkeys(key[-1:] for key in keys))
    across = chart.keys[-2] if len(chart.keys) > 1 else None
    cells = {
        (down, right): cell_text(chart, known.cell((*above, *column, *row)))
        for down, row in enumerate(rows)
        for right, column in enumerate(columns)
    }
    return Table(
        title=with_spaces(" ".join(map(str, above))),
        down=chart.keys[-1].name,
        across=across.name if across else "",
        rows=heads(chart.keys[-1], [row[0] for row in rows]),
        columns=heads(across, [column[0] for column in columns]) if across else [_fields(chart)],
        cells=cells,
    )


def _fields(chart: Chart) -> str:
    return " / ".join(field.name for field in chart.fields)


class Table(NamedTuple):
    """The words of a table. title: over it; down, across: what its rows and columns are; cells: by row and column, from
    0.
    """

    title: str
    down: str
    across: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Mapping[tuple[int, int], str]

    @property
    def side(self) -> float:
        """The width of the heads of its rows."""
        wide = max(text_width(text, SIZES[0], bold=True) for text in [*self.rows, self.down]) + 2 * _PAD
        return min(wide, _WIDEST_SIDE)

    @property
    def has_empty(self) -> bool:
        """Whether there are boxes to write into."""
        return "" in self.cells.values()

    def column(self, size: float, widest: str) -> float:
        """The width that a column needs. widest: a text that it must be able to hold as well."""
        inside = max((text_width(text, size) for text in [widest, *self.cells.values()]), default=0.0)
        return max(inside, *(text_width(text, size, bold=True) for text in self.columns)) + 2 * _PAD

    def fits(self, wide: float, high: float, widest: str) -> bool:
        """Whether a place is enough for letters that are read with ease, and to write into empty boxes."""
        enough = not self.has_empty or (wide - self.side) / len(self.columns) >= _WRITTEN
        return enough and self.size(wide, widest) > LEAST and len(self.rows) < high // _row(SIZES[0])

    def size(self, wide: float, widest: str) -> float:
        """The largest size of letters in which it fits a width."""
        room = (wide - self.side) / len(self.columns)
        return next((size for size in SIZES if self.column(size, widest) <= room), LEAST)

    def parts(self, wide: float, high: float, widest: str) -> Iterator[Table]:
        """The table, or the parts in which it fits a page: as many columns as have room, and as many rows."""
        needed = max(self.column(LEAST, widest), _WRITTEN if self.has_empty else 0.0)
        abreast = max(int((wide - self.side) // min(needed, wide - self.side)), 1)
        deep = max(int(high // _row(SIZES[0])) - 1, 1)
        for right in range(0, len(self.columns), abreast):
            for down in range(0, len(self.rows), deep):
                yield self._replace(
                    title=f"{self.title}, continued".removeprefix(", ") if right or down else self.title,
                    rows=self.rows[down : down + deep],
                    columns=self.columns[right : right + abreast],
                    cells={
                        (row - down, column - right): self.cells[row, column]
                        for row in range(down, min(down + deep, len(self.rows)))
                        for column in range(right, min(right + abreast, len(self.columns)))
                    },
                )


def _row(size: float) -> float:
    """The height of a row with letters of a size."""
    return max(size * PITCH + 1.2, _LEAST_ROW)


def ruled_table(table: Table, look: Look, wide: float, widest: str = "") -> Block:
    """A table as it is printed. widest: the longest text of its columns, so that several tables look alike."""
    left, size = table.side, table.size(wide, widest)
    room = (wide - left) / len(table.columns)
    share = 1.0 if table.has_empty else 0.6  # of what room there is
    each = min(room, max(table.column(size, widest), 14.0, share * room))
    whole = left + each * len(table.columns)
    row = _row(size)
    titled = _SUB * PITCH + 1.4 if table.title else 0.0
    captioned = LEAST * PITCH + 0.4 if table.across else 0.0

    def draw(x: float, y: float) -> Iterator[Shape]:
        if table.title:
            yield one_line(x, y + _SUB, sentence(table.title), _SUB, wide, bold=True)
        top = y + titled
        if table.across:
            yield one_line(x + left, top + LEAST, table.across, LEAST, whole - left, fill=SOFT_INK)
        top += captioned
        yield Rectangle(x=x, y=top, width=whole, height=row, fill=look.tint(GRID, 0.5))
        yield one_line(x + _PAD, top + row - 1.7, table.down, size, left - _PAD, fill=INK)
        for column, head in enumerate(table.columns):
            middle = x + left + (column + 0.5) * each
            yield one_line(middle, top + row - 1.7, head, size, each - 0.6, bold=True, anchor="middle")
        for number, head in enumerate(table.rows):
            at = top + (number + 1) * row
            ground = look.tint(GRID, 0.16) if number % 2 else WHITE
            yield Rectangle(x=x, y=at, width=whole, height=row, fill=ground)
            yield one_line(x + _PAD, at + row - 1.7, head, size, left - _PAD, bold=True)
            for column in range(len(table.columns)):
                if not (text := table.cells.get((number, column), "")):
                    continue
                fill = MADE_UP if text.startswith("[") else INK
                middle = x + left + (column + 0.5) * each
                yield one_line(middle, at + row - 1.7, text, size, each - 0.6, anchor="middle", fill=fill)
        yield from _lines(Box(x, top, whole, row * (len(table.rows) + 1)), left, each, row)

    return Block(titled + captioned + row * (len(table.rows) + 1) + 1.2, draw)


def _lines(area: Box, left: float, each: float, row: float) -> Iterator[Shape]:
    """The lines between cells, and the frame."""
    x, y = area.left + left, area.top
    while x < area.right - 0.1:
        yield Polyline(points=((x, area.top), (x, area.bottom)), stroke=GRID, width=0.2, butt=True)
        x += each
    while y < area.bottom - 0.1:
        yield Polyline(points=((area.left, y), (area.right, y)), stroke=GRID, width=0.2, butt=True)
        y += row
    yield Rectangle(x=area.left, y=area.top, width=area.width, height=area.height, stroke=SOFT_INK, stroke_width=0.35)
