"""Rows of a chart, typed at once: the cells that differ only in their last key, in as few keys as possible.

Cells stand between spaces. `=` repeats the cell before and `===` does so three times; the words of a field need no
spaces between them (`+3xw1`), capitals do not count, and what is left out behind the last slash is nothing: `-` or the
least number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from ..util.errors import InputError
from .charts import CellField, Chart

Key = tuple[int | str, ...]


def rows_of(keys: Iterable[Key]) -> list[list[Key]]:
    """The keys of cells sorted into rows: those that follow each other and differ only in the last key."""
    return [list(row) for _, row in groupby(keys, key=lambda key: key[:-1])]


def row_name(keys: Sequence[Key]) -> str:
    """The cells of a row in words: `summer 1:4, 2 to 6, 8 to 12`, or one cell as `summer 1:4 7`."""
    if len(keys) == 1:
        return " ".join(map(str, keys[0]))
    runs: list[list[int | str]] = []
    for key in keys:
        last = key[-1]
        if runs and (isinstance(last, str) or runs[-1][-1] == last - 1):
            runs[-1].append(last)
        else:
            runs.append([last])
    before = " ".join(map(str, keys[0][:-1]))
    parts = (str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
    return ", ".join(filter(None, [before, *parts]))


def cells_of(chart: Chart, keys: Sequence[Key], line: str) -> dict[Key, str]:
    """The cells of a typed line, as text, by their keys: all of a row, or its first one alone, which is written with
    all its slashes so that no other line is taken for it.

    Raises InputError for a text that is not a cell, and for more cells or fewer than the row has.
    """
    try:  # one cell with spaces in it
        chart.cell(line)
        return {keys[0]: line.strip()}
    except InputError:
        words = re.sub(r"\s*/\s*", "/", line).split()
    if len(words) == 1 and len(words[0].split("/")) != len(chart.fields) and set(words[0]) != {"="}:
        raise _not_a_cell(chart, words[0])
    values: list[str] = []
    for word in words:
        if set(word) == {"="}:
            if not values:
                raise InputError("there is no cell before =", hint="type the first cell of a row")
            values += [values[-1]] * len(word)
        else:
            values.append(_in_full(chart, word))
    if len(values) not in (1, len(keys)):
        fields = " / ".join(field.name for field in chart.fields)
        what = f"{len(values)} cells for the {len(keys)} of {chart.name} {row_name(keys)}"
        raise InputError(what, hint=f"a cell is {fields}, with spaces only between cells; = repeats the one before")
    return dict(zip(keys, values, strict=False))


def _in_full(chart: Chart, word: str) -> str:
    """A cell as the chart writes it. Raises InputError for a text that is not one."""
    parts = word.split("/")
    missing = [_nothing(field) for field in chart.fields[len(parts) :]]
    if len(parts) > len(chart.fields) or "" in missing:
        raise _not_a_cell(chart, word)
    text = " / ".join([*map(_part, chart.fields, parts), *missing])
    cell = chart.cell(text)
    return " / ".join(str(cell.values[field.name]) for field in chart.fields)


def _not_a_cell(chart: Chart, word: str) -> InputError:
    fields = " / ".join(field.name for field in chart.fields)
    return InputError(f"{word!r} is not a cell of chart {chart.name}", hint=f"a cell is: {fields}")


def _nothing(field: CellField) -> str:
    """What a field holds that is left out, "" if it has to be typed."""
    if "-" in field.values:
        return "-"
    return "" if field.values or field.least is None else str(field.least)


def _part(field: CellField, text: str) -> str:
    """The words of a field with spaces between them, if they are words of the field without them."""
    if not field.several:
        return text
    words = sorted(field.values, key=len, reverse=True)
    words_found = re.findall("|".join(map(re.escape, words)), text, re.IGNORECASE)
    return " ".join(words_found) if "".join(words_found) == text else text
