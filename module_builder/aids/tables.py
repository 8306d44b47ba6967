"""Charts as printed tables: heads in words, one value a cell, and a key to what the codes mean.

A cell that is not known is an empty box. A table is drawn whole, or folded into parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise, product
from math import ceil
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import POINT_MM, text_width
from assistant.drawing.scene import Polyline, Rectangle, Scene, Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.game.charts import CellField, Chart
from assistant.game.pack_charts import list_keys
from assistant.game.printed_charts import Grid, code_meanings, field_title, grids_of, keys_to_fill_in
from assistant.state.state import Cell
from assistant.state.tracks import CERTAIN, Source
from assistant.state.trust import describe_making
from assistant.util.console import format_count
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .flow import (
    COLUMN_GAP_MM,
    LINE_PITCH_FACTOR,
    Block,
    Piece,
    Words,
    blocks_scene,
    half_of,
    make_pieces,
    paragraph,
    set_line,
    set_words,
)
from .page import EASY_SIZE_MM, LETTER_SIZES_MM, MIN_SIZE_MM, AidStyle, format_rule

_SUBTITLE_SIZE_MM = 9.5 * POINT_MM
"""The size of the letters of a subtitle."""
_PAD_MM = 1.2
"""The space at each side of a text."""
_MIN_ROW_HEIGHT_MM = 5.2
_MAX_ROW_HEAD_WIDTH_MM = 50.0
"""The maximum width of the heads of rows."""
_MAX_HEAD_LINES = 3
_MIN_FOLDED_ROWS = 24
"""The number of rows from which a table is folded into parts side by side, if it has room."""
MIN_WRITTEN_MM = 8.4
"""The minimum width of a box that a player writes into."""
_HANDWRITING_WIDTH_FACTOR = 1.3
"""The width of handwriting, as a multiple of print."""
MADE_UP_COLOUR = "#8a4b00"
"""The colour of made-up cells, which stand in brackets, and of notes on them."""
_TITLE_SIZE_MM = 12 * POINT_MM
"""The size of the letters of a title."""
_NOTE_SIZE_MM = 8 * POINT_MM
_KEY_SIZE_MM = 8 * POINT_MM
_MAX_TITLES_HEIGHT_MM = 24.0
"""The maximum height above a table."""


class Table(NamedTuple):
    """The words of a table."""

    title: str
    """The title above the table."""
    down: str
    """The title of the rows."""
    across: str
    """The title of the columns."""
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Mapping[tuple[int, int], str]
    """The words by row and column, from 0."""
    groups: Sequence[str] = ()
    """Heads over several columns each."""
    longest: float = 0.0
    """The width of the longest text that a cell may hold, for letters of size 1."""

    @property
    def abreast(self) -> int:
        return len(self.columns) // len(self.groups) if self.groups else 1

    @property
    def side(self) -> float:
        texts = [*self.rows, *self.down.split()]
        width = max(text_width(text, LETTER_SIZES_MM[0], bold=True) for text in texts) + 2 * _PAD_MM
        return min(width, _MAX_ROW_HEAD_WIDTH_MM)

    @property
    def has_empty(self) -> bool:
        return "" in self.cells.values()

    def column(self, size: float) -> float:
        """Return the width of a column for letters of a size: for its cells, the words of its head, and to write in."""
        inside = max((text_width(text, size) for text in self.cells.values()), default=0.0)
        inside = max(inside, self.longest * size)
        written = (
            max(MIN_WRITTEN_MM, self.longest * _HANDWRITING_WIDTH_FACTOR * MIN_SIZE_MM + 2.0) if self.has_empty else 0.0
        )
        return max(
            inside + 2 * _PAD_MM, written, *(_head_width(text, size) for text in self.columns), self._grouped(size)
        )

    def _grouped(self, size: float) -> float:
        """Return the width that heads over several columns need of each."""
        return max((_head_width(text, size) / self.abreast for text in self.groups), default=0.0)

    def folds(self, width: float, height: float) -> int:
        """Return the number of parts side by side in which a legible table fits a place, or 0.

        It is 1 if the table is not tall, else the smallest number of parts that are not.
        """
        fitting = 0
        for folds in range(1, 5):
            each, deep = (width - COLUMN_GAP_MM * (folds - 1)) / folds, ceil(len(self.rows) / folds)
            if self.part(range(deep)).fits(each, height):
                fitting = folds
                if deep <= _MIN_FOLDED_ROWS:
                    break
        return fitting

    def fits(self, width: float, height: float) -> bool:
        """Return whether a legible table fits a place, with room to write into empty boxes."""
        if (width - self.side) / len(self.columns) < self.column(EASY_SIZE_MM):
            return False
        return self.height(width, EASY_SIZE_MM) <= height and self.height(width, self.size(width)) <= height

    def size(self, width: float) -> float:
        room = (width - self.side) / len(self.columns)
        return next((size for size in LETTER_SIZES_MM if self.column(size) <= room), MIN_SIZE_MM)

    def height(self, width: float, size: float) -> float:
        return _Frame(self, width, size).height

    def part(self, rows: range, columns: range | None = None) -> Table:
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
        """Yield parts that fit a page, each with as many columns and rows as have room."""
        needed = self.column(MIN_SIZE_MM)
        abreast = max(int((width - self.side) // min(needed, width - self.side)), 1)
        abreast = max(abreast // self.abreast, 1) * self.abreast
        deep = max(int((height - _Frame(self, width, LETTER_SIZES_MM[0]).heads) // _row_height(LETTER_SIZES_MM[0])), 1)
        for right in range(0, len(self.columns), abreast):
            for down in range(0, len(self.rows), deep):
                part = self.part(
                    range(down, min(down + deep, len(self.rows))), range(right, min(right + abreast, len(self.columns)))
                )
                title = sentence(f"{self.title}, continued".removeprefix(", ")) if right or down else self.title
                yield part._replace(title=title)


def _head_width(text: str, size: float) -> float:
    """Return the width of a head, with a line for each word if need be."""
    lines = max((text_width(word, size, bold=True) for word in text.split()), default=0.0)
    return max(lines, text_width(text, size, bold=True) / (_MAX_HEAD_LINES - 0.6)) + 1.6


def _row_height(size: float) -> float:
    return max(size * LINE_PITCH_FACTOR + 1.2, _MIN_ROW_HEIGHT_MM)


class _Frame:
    """The places of the parts of a table, in a width and with letters of a size."""

    def __init__(self, table: Table, width: float, size: float) -> None:
        self.table, self.wide, self.size = table, width, size
        self.left = table.side
        self.each = (width - self.left) / max(len(table.columns), 1)
        self.row = _row_height(size)
        self.titled = _SUBTITLE_SIZE_MM * LINE_PITCH_FACTOR + 1.0 if table.title and not table.across else 0.0
        self.across = _row_height(EASY_SIZE_MM) if table.across else 0.0
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
        return self.titled + self.across + self.grouped + self.head

    @property
    def height(self) -> float:
        return self.heads + self.row * len(self.table.rows) + 1.4


def block_of_table(table: Table, style: AidStyle, width: float, size: float = 0.0) -> Block:
    """Return a table over a whole width.

    `size`: the size of letters, by default the largest that has room.
    """
    frame = _Frame(table, width, size or table.size(width))

    def draw(x: float, y: float) -> Iterator[Shape]:
        if frame.titled:
            yield set_line(x, y + _SUBTITLE_SIZE_MM, table.title, _SUBTITLE_SIZE_MM, width, bold=True)
        top = y + frame.titled
        yield from _draw_head(table, frame, style, x, top)
        first = y + frame.heads
        for number, head in enumerate(table.rows):
            yield from _draw_row(table, frame, style, number, head, x, first + number * frame.row)
        yield from _draw_lines(frame, x, top, first)

    return Block(frame.height, draw)


def _draw_head(table: Table, frame: _Frame, style: AidStyle, x: float, top: float) -> Iterator[Shape]:
    left = x + frame.left
    height = frame.across + frame.grouped + frame.head
    yield Rectangle(x=x, y=top, width=frame.wide, height=height, fill=style.tint(GRID, 0.5))
    yield from frame.corner.at(x + _PAD_MM, top + height - frame.corner.height - 0.7)
    if table.across:
        base = top + frame.across - 1.6
        named = text_width(table.title, _SUBTITLE_SIZE_MM, bold=True) + 3.0 if table.title else frame.left
        if table.title:
            yield set_line(x + _PAD_MM, base, table.title, _SUBTITLE_SIZE_MM, frame.wide - 2 * _PAD_MM, bold=True)
        room, middle = frame.wide - max(named, frame.left) - 2, (x + max(named, frame.left) + x + frame.wide) / 2
        yield set_line(middle, base, table.across, EASY_SIZE_MM, room, anchor="middle")
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
    base = top + frame.row / 2 + frame.size * 0.35
    ground = style.tint(GRID, 0.16) if number % 2 else WHITE
    yield Rectangle(x=x, y=top, width=frame.wide, height=frame.row, fill=ground)
    yield set_line(x + _PAD_MM, base, head, frame.size, frame.left - _PAD_MM - 0.4, bold=True)
    for column in range(len(table.columns)):
        if text := table.cells.get((number, column), ""):
            middle = x + frame.left + (column + 0.5) * frame.each
            fill = MADE_UP_COLOUR if text.startswith("[") else INK
            yield set_line(middle, base, text, frame.size, frame.each - 0.6, anchor="middle", fill=fill)


def _draw_lines(frame: _Frame, x: float, top: float, first: float) -> Iterator[Shape]:
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


class Coverage(NamedTuple):
    """The cells of a chart that are known."""

    chart: Chart
    shown: bool
    """Whether cells that are not the printed ones are shown too."""

    def cell(self, key: tuple[int | str, ...]) -> Cell | None:
        """Return a cell to print, or None for an empty box."""
        cell = self.chart.cells.get(key)
        return cell if cell and (self.shown or cell.source in CERTAIN) else None

    @property
    def _making(self) -> str:
        """The origin of the cells that are not printed, such as "made up"."""
        return " or ".join(dict.fromkeys(map(describe_making, sorted(self.chart.sources - CERTAIN))))

    @property
    def in_words(self) -> str:
        """The origin of the cells, and the number of missing ones."""
        keys = list_keys(self.chart, doubtful=self.shown)
        cells = [self.chart.cells.get(key) for key in keys]
        sources = {source: sum(cell is not None and cell.source is source for cell in cells) for source in Source}
        own = sources[Source.PRINTED] + sources[Source.STATED]
        if keys and sources[Source.RULEBOOK] == len(keys):
            return "all from the rulebook"
        made = len([cell for cell in cells if cell and cell.source not in CERTAIN]) if self.shown else 0
        empty = len(keys) - own - sources[Source.RULEBOOK] - made
        parts: list[str] = []
        if sources[Source.RULEBOOK]:
            parts.append(f"{sources[Source.RULEBOOK]} from the rulebook")
        if own:
            parts.append(f"{own} from your own copy")
        if made:
            parts.append(f"{made} in brackets {self._making.upper()}, not those of the printed chart")
        if empty:
            parts.append(f"{empty} not known: write them in, or enter them in your pack")
        return f"{format_count(len(keys), 'cell')}: {', '.join(parts)}" if keys else "its ends are not known"


def chart_pieces(
    known: Coverage, style: AidStyle, upright: Box, turned: Box, max_size: float = LETTER_SIZES_MM[0]
) -> list[Piece]:
    """Return a chart in half the width of a page, in the whole width, or on a page turned on its side: the first that fits.

    `upright`, `turned`: the room on either page.
    `max_size`: the size of the largest letters.
    """
    half, tables = half_of(upright), tables_of(known)

    def pieces(area: Box) -> list[Piece]:
        tried = (
            _list_blocks(known, style, area.width, area.height, size, tables)
            for size in LETTER_SIZES_MM
            if EASY_SIZE_MM <= size <= max_size
        )
        fitting = (blocks for blocks in tried if sum(block.height for block in blocks) <= area.height)
        blocks = next(fitting, None) or _list_blocks(known, style, area.width, area.height, tables=tables)
        return make_pieces(blocks, area, half=area is half, landscape=area is turned)

    if len(tables) == 1 and list_keys(known.chart, doubtful=known.shown) and _has_room(tables, half.width, half.height):
        return pieces(half)
    narrow = not _has_room(tables, upright.width, upright.height)
    return pieces(turned if narrow and _has_room(tables, turned.width, turned.height) else upright)


def _has_room(tables: Sequence[Table], width: float, height: float) -> bool:
    """Return whether all tables of a chart fit a place as they are, or folded."""
    return all(table.folds(width, height - _MAX_TITLES_HEIGHT_MM) for table in tables)


def chart_scene(known: Coverage, style: AidStyle, width: float, height: float = 1000.0) -> Scene:
    """Return a chart as a picture of a width, for windows and pages that are not a set of aids.

    `height`: the maximum height.
    """
    return blocks_scene(known.chart.title, _list_blocks(known, style, width - 2 * _PAD_MM, height), width, _PAD_MM)


def _list_blocks(
    known: Coverage,
    style: AidStyle,
    width: float,
    height: float,
    most: float = LETTER_SIZES_MM[0],
    tables: Sequence[Table] | None = None,
) -> list[Block]:
    """Return the title of a chart, its tables, side by side if two have room, and the key to its cells.

    `height`: the height above which tables are parted.
    `most`: the size of the largest letters in tables.
    `tables`: the tables, if they have been made.
    """
    tables = tables or tables_of(known)
    half, height = (width - COLUMN_GAP_MM) / 2, height - _MAX_TITLES_HEIGHT_MM
    blocks = [_block_of_title(known, width)]
    if len(tables) > 1 and all(table.fits(half, height) for table in tables):
        size = min(most, *(table.size(half) for table in tables))
        blocks += [_block_of_tables(tables[n : n + 2], style, half, size) for n in range(0, len(tables), 2)]
    else:
        for table in tables:
            if folds := table.folds(width, height):
                each = (width - COLUMN_GAP_MM * (folds - 1)) / folds
                deep = ceil(len(table.rows) / folds)
                parts = [
                    table.part(range(at, min(at + deep, len(table.rows)))) for at in range(0, len(table.rows), deep)
                ]
                blocks.append(_block_of_tables(parts, style, each, min(most, table.size(each))))
            else:
                blocks += [block_of_table(part, style, width) for part in table.parts(width, height)]
    if not list_keys(known.chart, doubtful=known.shown):
        blank = "Its first and last row or column are printed on your chart only: write the heads in too."
        blocks += paragraph(blank, _NOTE_SIZE_MM, width)
    blocks += _block_of_key(known, width)
    return blocks


def _block_of_tables(tables: Sequence[Table], style: AidStyle, each: float, size: float) -> Block:
    blocks = [block_of_table(table, style, each, size) for table in tables]

    def draw(x: float, y: float) -> Iterator[Shape]:
        for number, block in enumerate(blocks):
            yield from block.draw(x + number * (each + COLUMN_GAP_MM), y)

    return Block(max(block.height for block in blocks), draw)


def _block_of_title(known: Coverage, width: float) -> Block:
    chart = known.chart
    rule = format_rule(chart.rule)
    aside = text_width(rule, _SUBTITLE_SIZE_MM) + 2.0 if rule else 0.0
    title = set_words(sentence(chart.title), _TITLE_SIZE_MM, width - aside, bold=True)
    doubtful = known.shown and any(cell.source not in CERTAIN for cell in chart.cells.values())
    note = set_words(sentence(known.in_words), _NOTE_SIZE_MM, width, bold=doubtful)

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from title.at(x, y)
        if rule:
            yield set_line(x + width, y + _TITLE_SIZE_MM, rule, _SUBTITLE_SIZE_MM, width, anchor="end", fill=SOFT_INK)
        yield from note.at(x, y + title.height + 0.2, fill=MADE_UP_COLOUR if doubtful else SOFT_INK)

    return Block(title.height + note.height + 1.4, draw, tied=True)


def _block_of_key(known: Coverage, width: float) -> list[Block]:
    chart, blocks = known.chart, list[Block]()
    if codes := code_meanings(chart.fields, _find_codes(known)):
        columns = min(max(int(width // 80), 1), len(codes))
        blocks.append(_block_of_codes(codes, columns, width))
    remarks = [f"{field_title(field)}: {field.note}." for field in chart.fields if field.note and not field.title]
    if chart.remark:
        remarks.append(chart.remark)
    return blocks + paragraph(" ".join(remarks), _NOTE_SIZE_MM, width)


def _find_codes(known: Coverage) -> set[str] | None:
    """Return the codes in the cells of a chart, or None if cells are unknown, which may hold any."""
    keys = list_keys(known.chart, doubtful=known.shown)
    if not keys:
        return None
    codes: set[str] = set()
    for key in keys:
        cell = known.cell(key)
        if cell is None:
            return None
        for value in cell.values.values():
            codes.update(str(value).split())
    return codes


def _block_of_codes(codes: Mapping[str, str], columns: int, width: float) -> Block:
    each = (width - COLUMN_GAP_MM * (columns - 1)) / columns
    hang = max(text_width(code, EASY_SIZE_MM, bold=True) for code in codes) + 2.0
    lines = [(code, set_words(meaning, _KEY_SIZE_MM, each - hang)) for code, meaning in codes.items()]
    height = [meaning.height + 0.5 for _, meaning in lines]
    enough = next(room for room in sorted(accumulate(height)) if len(_split_columns(height, room)) <= columns)
    parts = _split_columns(height, enough)

    def draw(x: float, y: float) -> Iterator[Shape]:
        for number, part in enumerate(parts):
            left, top = x + number * (each + COLUMN_GAP_MM), y
            for code, meaning in lines[part.start : part.stop]:
                yield set_line(left, top + EASY_SIZE_MM * 0.96, code, EASY_SIZE_MM, hang - 1.0, bold=True)
                yield from meaning.at(left + hang, top)
                top += meaning.height + 0.5

    return Block(max(sum(height[part.start : part.stop]) for part in parts) + 0.6, draw)


def _split_columns(heights: Sequence[float], room: float) -> list[range]:
    """Return lines in columns, each filled up to a height before the next begins."""
    starts, filled = [0], 0.0
    for number, height in enumerate(heights):
        if filled + height > room + 1e-6 and number > starts[-1]:
            starts.append(number)
            filled = 0.0
        filled += height
    return [range(start, end) for start, end in pairwise([*starts, len(heights)])]


def format_cell(chart: Chart, cell: Cell | None) -> str:
    """Return a cell in words, its fields separated by slashes, or "" for an empty box. An uncertain cell is in
    brackets.
    """
    if cell is None:
        return ""
    return _put_in_brackets(" / ".join(_format_field(cell, field) for field in chart.fields), cell)


def _format_field(cell: Cell, field: CellField) -> str:
    return str(cell.values[field.name])


def _put_in_brackets(text: str, cell: Cell) -> str:
    return text if cell.source in CERTAIN else f"[{text}]"


def tables_of(known: Coverage) -> list[Table]:
    """Return the tables of a chart: one for each choice of all keys but the last two."""
    keys = list_keys(known.chart, doubtful=known.shown) or keys_to_fill_in(known.chart)
    return [_make_table(known, grid) for grid in grids_of(known.chart, keys)]


def _make_table(known: Coverage, grid: Grid) -> Table:
    """Return one table with its cells. The heads of columns name the fields of a cell that has several."""
    fields = known.chart.fields
    cells: dict[tuple[int, int], str] = {}
    for down, right in product(range(len(grid.rows)), range(len(grid.columns))):
        cell = known.cell(grid.key(down, right))
        for place, field in enumerate(fields):
            words = _put_in_brackets(_format_field(cell, field), cell) if cell else ""
            cells[down, right * len(fields) + place] = words
    several = bool(grid.across) and len(fields) > 1
    titles = [field_title(field) for field in fields] * len(grid.columns)
    return Table(
        title=grid.title,
        down=grid.down,
        across=grid.across,
        rows=grid.row_heads,
        columns=titles if several or not grid.across else grid.column_heads,
        cells=cells,
        groups=grid.column_heads if several else (),
        longest=max((text_width(_longest_text(field), 1.0) for field in fields), default=0.0),
    )


def _longest_text(field: CellField) -> str:
    by_length = sorted(field.values, key=lambda value: text_width(value, 1.0))
    number = str(field.most) if field.most is not None else "00"
    return max(
        " ".join(by_length[-2:] if field.several else by_length[-1:]), number if not field.values else "", key=len
    )
