"""Texts about a table of a chart that its owner pastes or types: its reading, to be confirmed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

from ..util.console import format_count
from ..util.errors import MAX_FAULTS
from .charts import ABOVE_SIGN, BELOW_SIGN, Chart, ChartKey, Keys
from .pasted_cells import UNKNOWN
from .pasted_tables import TableReading, heads_table, is_heading
from .printed_charts import field_title, grids_of

FORETOLD_SIGN = "~"
"""The sign before a foretold cell that the owner has not confirmed."""
_FAULTY_CELL_SIGN = "!"
"""The text in place of a cell that could not be read."""


def begins_table(chart: Chart, line: str) -> bool:
    """Return whether a typed line begins a table: with marks between cells, or as a title or row of headings."""
    is_marked = "\t" in line or "\n" in line or line.startswith("|") or line.count(";") > 1
    return is_marked or heads_table(chart, line)


def is_headed_row(chart: Chart, line: str) -> bool:
    """Return whether a typed line is a row or column with its heading, as in `2: +1 +1/w1`."""
    head, colon, rest = line.partition(": ")
    return bool(colon and rest.strip()) and is_heading(chart, head)


def format_table(chart: Chart, reading: TableReading, width: int, marked: Iterable[Keys] = ()) -> Iterator[str]:
    """Yield the cells that were read, in tables laid out as printed, none wider than the screen."""
    marked_keys = {*marked}
    known = {**dict.fromkeys(reading.blank, UNKNOWN), **reading.cells}
    fallback = _FAULTY_CELL_SIGN if reading.faults else ""
    for grid in grids_of(chart, keys_in_order(chart, known)):
        if grid.title:
            yield grid.title
        columns = []
        for column, head in enumerate(
            _shorten_heads(grid.column_heads) or [" / ".join(map(field_title, chart.fields))]
        ):
            column_keys = [grid.key(row, column) for row in range(len(grid.rows))]
            texts = (
                (FORETOLD_SIGN if key in marked_keys else "") + known.get(key, fallback).replace(" ", "")
                for key in column_keys
            )
            columns.append([head, *texts])
        yield from _lay_side_by_side([grid.down, *_shorten_heads(grid.row_heads)], columns, width)


def format_reading(reading: TableReading) -> Iterator[str]:
    """Yield the lines on how a table was read: its layout, its open cells and its faults."""
    yield f"read as: {reading.guess}"
    if reading.blank:
        yield f"left open: {_list_first([' '.join(map(str, key)) for key in reading.blank])}"
    yield from reading.faults[:MAX_FAULTS]
    if (remainder := len(reading.faults) - MAX_FAULTS) > 0:
        yield f"and {format_count(remainder, 'more mistake')}"
    yield from (f"  {note}" for note in reading.notes)


def format_save_question(reading: TableReading, number: int, ways: int) -> str:
    """Return the question whether to save the table."""
    which = f"; way {number} of {ways} to read it, n shows the next" if number < ways else ""
    rest = ", without what is wrong" if reading.faults else ""
    return f"save {format_count(len(reading.cells), 'cell')}{rest}{which}"


def keys_in_order(chart: Chart, keys: Iterable[Keys]) -> list[Keys]:
    """Return the keys of all cells in the rows and columns of some keys, in the order of the chart."""
    ordered = sorted(keys, key=lambda key: [_find_place(*part) for part in zip(chart.keys, key, strict=True)])
    tables = [[*table] for _, table in groupby(ordered, key=lambda key: key[:-2])]
    rows = (sorted({key[-1] for key in table}, key=partial(_find_place, chart.keys[-1])) for table in tables)
    columns = (dict.fromkeys(key[:-1] for key in table) for table in tables)
    return [
        (*column, row)
        for columns_of_table, parts in zip(columns, rows, strict=True)
        for column in columns_of_table
        for row in parts
    ]


def _find_place(key: ChartKey, part: int | str) -> int:
    return key.values.index(str(part)) if key.values else key.size(part)


def _shorten_heads(titles: Sequence[str]) -> list[str]:
    return [title.replace(" or less", BELOW_SIGN).replace(" or more", ABOVE_SIGN) for title in titles]


def _lay_side_by_side(first: Sequence[str], columns: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yield columns beside the headings of rows, as many as fit, then the other columns below."""
    head_width = min(max(map(len, first)), max(width // 3, 8))
    padded_heads = [text[:head_width].rjust(head_width) for text in first]
    while columns:
        widths = [max(map(len, column)) for column in columns]
        count = max(
            sum(head_width + sum(widths[: shown + 1]) + 2 * (shown + 1) <= width for shown in range(len(columns))), 1
        )
        for row, head in enumerate(padded_heads):
            cells = (column[row].center(size) for column, size in zip(columns[:count], widths, strict=False))
            yield "  ".join([head, *cells])[:width].rstrip()
        columns = columns[count:]


def _list_first(texts: Sequence[str]) -> str:
    remainder = len(texts) - MAX_FAULTS
    return ", ".join(texts[:MAX_FAULTS]) + (f" and {remainder} more" if remainder > 0 else "")
