"""The map of letters of a board: `terrain.txt`, a line of column numbers, then a line for each row with a letter a
column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...util.errors import InputError, OnFault, Where
from ...util.numbers import natural
from ..hexes import Hex, HexGrid
from .tokens import lines_of

TERRAIN = "terrain.txt"
UNKNOWN, OFF = "?", "."
"""The letters for a hex of unknown terrain, and for none."""


class Letter(NamedTuple):
    """A letter of the map. where: it stands, or any other word of the file."""

    text: str
    where: Where


def read_letters(text: str, file: str, grid: HexGrid, on_fault: OnFault) -> Iterator[tuple[str, Letter]]:
    """The letters of a map by the printed numbers of their hexes, without what is off the map.

    file: as messages name it. Each fault goes to `on_fault` with line and column, and its row or column is left out; of
    the columns off the map, and of the rows, only the first is named.
    """
    lines = _lines(text, file)
    try:
        columns = _columns(next(lines, []), on_fault)
    except InputError as error:
        return on_fault(error)
    rows, outside = set[int](), set[str]()
    for head, *letters in lines:
        try:
            row = _row(head, rows, letters, columns)
        except InputError as error:
            on_fault(error)
            continue
        for column, letter in zip(columns, letters, strict=True):
            if column is None or letter.text == OFF:
                continue
            at = Hex(column, row)
            if grid.holds(at):
                yield grid.name(at), letter
                continue
            (first, last), (top, bottom) = grid.columns, grid.rows
            what = "row" if first <= column <= last else "column"
            if what not in outside:
                outside.add(what)
                hint = f"columns run from {first} to {last}, rows from {top} to {bottom}"
                fault = f"{what} {row if what == 'row' else column} is off the map"
                on_fault(InputError(fault, where=letter.where, hint=hint))
    return None


def _lines(text: str, file: str) -> Iterator[list[Letter]]:
    """The words of each line that has any."""
    for number, line in enumerate(lines_of(text), 1):
        if words := [Letter(match[0], Where(file, number, match.start() + 1)) for match in _WORD.finditer(line)]:
            yield words


_WORD = re.compile(r"\S+")


def _columns(words: Sequence[Letter], on_fault: OnFault) -> list[int | None]:
    """The numbers of the columns, None for one that is there before. Raises InputError for what is not a number."""
    columns: list[int | None] = []
    seen = set[int]()
    for word in words:
        column = _number(word)
        if column in seen:
            what = f"column {word.text} is drawn twice"
            on_fault(InputError(what, where=word.where, hint="leave out one of the two"))
            columns.append(None)
        else:
            columns.append(column)
            seen.add(column)
    return columns


def _row(head: Letter, before: set[int], letters: Sequence[Letter], columns: Sequence[int | None]) -> int:
    """The number of a row, which joins those before. Raises InputError for one that is there before, or has not a
    letter a column.
    """
    row = _number(head)
    if row in before:
        raise InputError(f"row {head.text} is drawn twice", where=head.where, hint="leave out one of the two")
    before.add(row)
    if len(letters) != len(columns):
        what = f"row {row} has {len(letters)} letters for {len(columns)} columns"
        raise InputError(what, where=head.where, hint=f"a letter for each column; {OFF} is off the map")
    return row


def _number(word: Letter) -> int:
    number = natural(word.text)
    if number is None:
        hint = "the columns stand in the first line, and the row before each of the others"
        raise InputError(f"{word.text!r} is not a column or row number", where=word.where, hint=hint)
    return number
