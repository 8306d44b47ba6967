"""Charts as printed tables: heads in words, one value a cell, an empty box where a cell is not known, and a key to what
the codes mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise, product
from math import ceil
from typing import NamedTuple

from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Scene, Shape
from assistant.drawing.style import SOFT_INK
from assistant.game.charts import CellField, Chart
from assistant.game.pack_charts import list_keys
from assistant.game.printed_charts import Grid, code_meanings, field_title, grids_of, keys_to_fill_in
from assistant.state.state import Cell
from assistant.state.tracks import CERTAIN, Source
from assistant.state.trust import describe_making
from assistant.util.console import format_count
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .flow import BETWEEN, Block, Piece, blocks_scene, half_of, make_pieces, paragraph
from .page import EASY, SIZES, AidStyle, format_rule
from .table_blocks import MADE_UP, PAD, SUBTITLE, Table, block_of_table
from .words import set_line, set_words

_TITLE = 12 * POINT  # size of letters, mm, as the next three
_NOTE = 7.5 * POINT
_KEY = 8 * POINT
_TITLES = 24.0  # mm that stand above a table at most


class Coverage(NamedTuple):
    """How much of a chart is known."""

    chart: Chart
    shown: bool
    """Whether cells that are not the printed ones are shown too."""

    def cell(self, key: tuple[int | str, ...]) -> Cell | None:
        """Return a cell that is printed, None where a box stays empty."""
        cell = self.chart.cells.get(key)
        return cell if cell and (self.shown or cell.source in CERTAIN) else None

    @property
    def _making(self) -> str:
        """How the cells that are not the printed ones were made, such as "made up"."""
        return " or ".join(dict.fromkeys(map(describe_making, sorted(self.chart.sources - CERTAIN))))

    @property
    def in_words(self) -> str:
        """Where the cells come from, and how many are missing."""
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


def chart_pieces(known: Coverage, style: AidStyle, upright: Box, turned: Box, most: float = SIZES[0]) -> list[Piece]:
    """Return a chart in half the width of a page where that is enough, else in the whole width, on a page turned on its
    side where an upright one is too narrow. upright, turned: the room on either page; most: the size of its largest
    letters.
    """
    half, tables = half_of(upright), tables_of(known)

    def pieces(area: Box) -> list[Piece]:
        """Return the chart in letters as large as one page has room for."""
        tried = (
            _list_blocks(known, style, area.width, area.height, size, tables) for size in SIZES if EASY <= size <= most
        )
        fitting = (blocks for blocks in tried if sum(block.height for block in blocks) <= area.height)
        blocks = next(fitting, None) or _list_blocks(known, style, area.width, area.height, tables=tables)
        return make_pieces(blocks, area, half=area is half, landscape=area is turned)

    if len(tables) == 1 and list_keys(known.chart, doubtful=known.shown) and _has_room(tables, half.width, half.height):
        return pieces(half)
    narrow = not _has_room(tables, upright.width, upright.height)
    return pieces(turned if narrow and _has_room(tables, turned.width, turned.height) else upright)


def _has_room(tables: Sequence[Table], width: float, height: float) -> bool:
    """Return whether all tables of a chart fit a width and height as they are, or folded."""
    return all(table.folds(width, height - _TITLES) for table in tables)


def chart_scene(known: Coverage, style: AidStyle, width: float, height: float = 1000.0) -> Scene:
    """Return a chart alone, as a picture of this width: for windows and pages that are not a set of aids. height: the
    most that it may take.
    """
    return blocks_scene(known.chart.title, _list_blocks(known, style, width - 2 * PAD, height), width, PAD)


def _list_blocks(
    known: Coverage,
    style: AidStyle,
    width: float,
    height: float,
    most: float = SIZES[0],
    tables: Sequence[Table] | None = None,
) -> list[Block]:
    """Return the title of a chart, a table for all keys but the last two, side by side if two have room, and the key to
    its cells.

    width, height: the room that it has; what is higher is parted; most: the size of the largest letters in tables;
    tables: those of the chart, if they have been made.
    """
    tables = tables or tables_of(known)
    half, height = (width - BETWEEN) / 2, height - _TITLES
    blocks = [_block_of_title(known, width)]
    if len(tables) > 1 and all(table.fits(half, height) for table in tables):
        size = min(most, *(table.size(half) for table in tables))
        blocks += [_block_of_tables(tables[n : n + 2], style, half, size) for n in range(0, len(tables), 2)]
    else:
        for table in tables:
            if folds := table.folds(width, height):
                each = (width - BETWEEN * (folds - 1)) / folds
                deep = ceil(len(table.rows) / folds)
                parts = [
                    table.part(range(at, min(at + deep, len(table.rows)))) for at in range(0, len(table.rows), deep)
                ]
                blocks.append(_block_of_tables(parts, style, each, min(most, table.size(each))))
            else:
                blocks += [block_of_table(part, style, width) for part in table.parts(width, height)]
    if not list_keys(known.chart, doubtful=known.shown):
        blank = "Its first and last row or column are printed on your chart only: write the heads in too."
        blocks += paragraph(blank, _NOTE, width)
    blocks += _block_of_key(known, width)
    return blocks


def _block_of_tables(tables: Sequence[Table], style: AidStyle, each: float, size: float) -> Block:
    blocks = [block_of_table(table, style, each, size) for table in tables]

    def draw(x: float, y: float) -> Iterator[Shape]:
        for number, block in enumerate(blocks):
            yield from block.draw(x + number * (each + BETWEEN), y)

    return Block(max(block.height for block in blocks), draw)


def _block_of_title(known: Coverage, width: float) -> Block:
    """Return the title of a chart with its rule at its right, and below it how much of it is known."""
    chart = known.chart
    rule = format_rule(chart.rule)
    aside = text_width(rule, SUBTITLE) + 2.0 if rule else 0.0
    title = set_words(sentence(chart.title), _TITLE, width - aside, bold=True)
    doubtful = known.shown and any(cell.source not in CERTAIN for cell in chart.cells.values())
    note = set_words(sentence(known.in_words), _NOTE, width, bold=doubtful)

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield from title.at(x, y)
        if rule:
            yield set_line(x + width, y + _TITLE, rule, SUBTITLE, width, anchor="end", fill=SOFT_INK)
        yield from note.at(x, y + title.height + 0.2, fill=MADE_UP if doubtful else SOFT_INK)

    return Block(title.height + note.height + 1.4, draw, tied=True)


def _block_of_key(known: Coverage, width: float) -> list[Block]:
    """Return what the codes of a chart mean, and what else there is to know of it."""
    chart, blocks = known.chart, list[Block]()
    if codes := code_meanings(chart.fields, _find_codes(known)):
        columns = min(max(int(width // 80), 1), len(codes))
        blocks.append(_block_of_codes(codes, columns, width))
    remarks = [f"{field_title(field)}: {field.note}." for field in chart.fields if field.note and not field.title]
    if chart.remark:
        remarks.append(chart.remark)
    return blocks + paragraph(" ".join(remarks), _NOTE, width)


def _find_codes(known: Coverage) -> set[str] | None:
    """Return the codes in the cells of a chart, None if some of its cells are not known: any may stand there."""
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
    """Return codes with their meanings, one below the other in columns of about the same height."""
    each = (width - BETWEEN * (columns - 1)) / columns
    hang = max(text_width(code, EASY, bold=True) for code in codes) + 2.0
    lines = [(code, set_words(meaning, _KEY, each - hang)) for code, meaning in codes.items()]
    height = [meaning.height + 0.5 for _, meaning in lines]
    enough = next(room for room in sorted(accumulate(height)) if len(_split_columns(height, room)) <= columns)
    parts = _split_columns(height, enough)

    def draw(x: float, y: float) -> Iterator[Shape]:
        for number, part in enumerate(parts):
            left, top = x + number * (each + BETWEEN), y
            for code, meaning in lines[part.start : part.stop]:
                yield set_line(left, top + EASY * 0.96, code, EASY, hang - 1.0, bold=True)
                yield from meaning.at(left + hang, top)
                top += meaning.height + 0.5

    return Block(max(sum(height[part.start : part.stop]) for part in parts) + 0.6, draw)


def _split_columns(heights: Sequence[float], room: float) -> list[range]:
    """Return lines in columns, each filled up to a height before the next one begins."""
    starts, filled = [0], 0.0
    for number, height in enumerate(heights):
        if filled + height > room + 1e-6 and number > starts[-1]:
            starts.append(number)
            filled = 0.0
        filled += height
    return [range(start, end) for start, end in pairwise([*starts, len(heights)])]


def format_cell(chart: Chart, cell: Cell | None) -> str:
    """Return a cell in words: its fields with slashes, in brackets if it is not certain; "" for an empty box."""
    if cell is None:
        return ""
    return _put_in_brackets(" / ".join(_format_field(cell, field) for field in chart.fields), cell)


def _format_field(cell: Cell, field: CellField) -> str:
    return str(cell.values[field.name])


def _put_in_brackets(text: str, cell: Cell) -> str:
    return text if cell.source in CERTAIN else f"[{text}]"


def tables_of(known: Coverage) -> list[Table]:
    """Return the tables of a chart: one for all keys but the last two."""
    keys = list_keys(known.chart, doubtful=known.shown) or keys_to_fill_in(known.chart)
    return [_make_table(known, grid) for grid in grids_of(known.chart, keys)]


def _make_table(known: Coverage, grid: Grid) -> Table:
    """Return one table with its cells, and below the heads of its columns the fields of a cell where it has several."""
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
    """Return the longest text that a field may hold."""
    by_length = sorted(field.values, key=lambda value: text_width(value, 1.0))
    number = str(field.most) if field.most is not None else "00"
    return max(
        " ".join(by_length[-2:] if field.several else by_length[-1:]), number if not field.values else "", key=len
    )
