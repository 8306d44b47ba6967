"""The printed form of charts: headings in words, and the meanings of codes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import groupby, product
from typing import Annotated, NamedTuple

from ..util.notes import note
from ..util.typesetting import sentence, set_in_type, with_spaces
from .charts import BELOW_SIGN, CellField, Chart, ChartKey, Ends, Keys, end_of

BLANK_ROWS = 10
"""The number of empty rows or columns to write into if only the owner knows the ends of a chart."""


class Grid(NamedTuple):
    """A table of a chart: its last key runs down, the one before across."""

    above: Annotated[Keys, note("the common parts of its cells' keys")]
    title: Annotated[str, note("the common parts in words")]
    down: Annotated[str, note("the title of the rows")]
    across: Annotated[str, note('the title of the columns, or "" for the single column of a chart with one key')]
    rows: Annotated[Sequence[int | str], note("the part of the key for each row")]
    columns: Annotated[Sequence[Keys], note("the part of the key for each column, empty for a single column")]
    row_heads: Annotated[Sequence[str], note("the printed headings, like `column_heads`")]
    column_heads: Sequence[str]

    def key(self, row: int, column: int) -> Keys:
        """Return the key of the cell in a row and a column, both from 0."""
        return (*self.above, *self.columns[column], self.rows[row])


def grids_of(chart: Chart, keys: Iterable[Keys]) -> list[Grid]:
    """Return the tables of a chart, one for each combination of the parts before the last two."""
    return [
        _make_grid(chart, above, list(keys_of_grid)) for above, keys_of_grid in groupby(keys, key=lambda key: key[:-2])
    ]


def _make_grid(chart: Chart, above: Keys, keys: Sequence[Keys]) -> Grid:
    columns = list(dict.fromkeys(key[-2:-1] for key in keys))
    rows = list(dict.fromkeys(key[-1] for key in keys))
    across = chart.keys[-2] if len(chart.keys) > 1 else None
    return Grid(
        above=above,
        title=", ".join(format_heads(key, [value])[0] for key, value in zip(chart.keys, above, strict=False)),
        down=format_key_title(chart.keys[-1]),
        across=format_key_title(across) if across else "",
        rows=rows,
        columns=columns,
        row_heads=format_heads(chart.keys[-1], rows),
        column_heads=format_heads(across, [column[0] for column in columns]) if across else [],
    )


def keys_to_fill_in(chart: Chart) -> list[Keys]:
    """Return keys of a chart with unknown ends, with blanks for the rows and columns that the owner adds."""
    blanks = [" " * number for number in range(1, BLANK_ROWS + 1)]
    return [*product(*(key.values or key.row(Ends()) or blanks for key in chart.keys))]


def format_heads(key: ChartKey, values: Sequence[int | str]) -> list[str]:
    """Return the headings of rows or columns. At the ends of an open key they have "or less" and "or more"."""
    if key.has_owner_ends:
        return [_format_end(value) for value in values]
    printed = dict(zip(key.values, key.heads, strict=False))
    texts = [
        set_in_type(str(value)) if isinstance(value, int) else printed.get(value) or sentence(with_spaces(value))
        for value in values
    ]
    if key.open and isinstance(values[0], int) and len(texts) > 1:
        texts[0], texts[-1] = f"{texts[0]} or less", f"{texts[-1]} or more"
    return texts


def format_key_title(key: ChartKey) -> str:
    """Return the title of a key in words."""
    return key.title or sentence(with_spaces(key.name))


def _format_end(value: int | str) -> str:
    """Return the heading of a row or column whose key has an owner's ends, or "" for an unknown one."""
    end = end_of(value)
    text = set_in_type((end.value if end else str(value)).strip())
    return f"{text} or {'less' if end.sign == BELOW_SIGN else 'more'}" if end else text


def field_title(field: CellField) -> str:
    """Return the heading above the values of a field."""
    return field.title or sentence(with_spaces(field.name))


def code_meanings(fields: Sequence[CellField], used: Container[str] | None = None) -> Mapping[str, str]:
    """Return the meanings of codes, by the codes that share a meaning.

    `used`: the codes to explain, or None for all.
    """
    by_meaning: dict[str, dict[str, None]] = {}
    for field in fields:
        for code, meaning in zip(field.values, field.meanings, strict=False):
            if used is None or code in used:
                by_meaning.setdefault(meaning, {})[set_in_type(code)] = None
    return {" ".join(codes): meaning for meaning, codes in by_meaning.items()}
