"""The file `terrain.txt`: a map on which letters stand for the terrain of hexes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...util.console import format_count
from ...util.datafiles import resolve_within
from ...util.errors import InputError, OnFault, Where, located
from ...util.patterns import late_pattern
from ..hexes import Hex, HexGrid
from .folder import TERRAIN
from .lines import editor_lines, read_file

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


UNKNOWN = "?"
"""The letter for a hex of unknown terrain."""
OFF_MAP = "."
"""The letter for a place off the map."""


class Letter(NamedTuple):
    """A letter of the map, or another word of the file."""

    text: str
    where: Where
    """The line and column of the word."""


def read_letters(folder: Traversable, grid: HexGrid, on_fault: OnFault) -> Iterator[tuple[str, Letter]]:
    """Yield the letters of a board's map by hex number, without letters for places off the map.

    A row or column with a fault is left out. Of the letters outside the grid, only the first beyond its columns and the
    first beyond its rows are reported.

    `on_fault`: receives each fault, with line and column.
    """
    file = resolve_within(folder, TERRAIN)
    name = f"{folder.name}/{TERRAIN}"
    if not file.is_file():
        return None
    lines = _split_lines(read_file(file, name, on_fault), name)
    try:
        columns = _read_columns(next(lines, []), grid, on_fault)
    except InputError as error:
        return on_fault(error)
    rows = set[int]()
    outside = set[str]()
    for head, *letters in lines:
        try:
            row = _read_row(head, grid, rows, letters, columns)
        except InputError as error:
            on_fault(error)
            continue
        for column, letter in zip(columns, letters, strict=True):
            if column is None or letter.text == OFF_MAP:
                continue
            at = Hex(column, row)
            if grid.holds(at):
                yield grid.name(at), letter
                continue
            first, last = grid.columns
            what, number = ("row", row) if first <= column <= last else ("column", column)
            if what not in outside:
                outside.add(what)
                fault = f"{what} {grid.printed(what, number)} is off the map"
                on_fault(InputError(fault, where=letter.where, hint=grid.extent))
    return None


def _split_lines(text: str, file: str) -> Iterator[list[Letter]]:
    for number, line in enumerate(editor_lines(text), 1):
        if words := [Letter(match[0], Where(file, number, match.start() + 1)) for match in _WORD.finditer(line)]:
            yield words


_WORD = late_pattern(r"\S+")


def _read_columns(words: Sequence[Letter], grid: HexGrid, on_fault: OnFault) -> list[int | None]:
    """Return the numbers of the columns, with None for a repeated one."""
    columns: list[int | None] = []
    seen = set[int]()
    for word in words:
        column = _read_number(word, grid, "column")
        if column in seen:
            what = f"column {word.text} is drawn twice"
            on_fault(InputError(what, where=word.where, hint="leave out one of the two"))
            columns.append(None)
        else:
            columns.append(column)
            seen.add(column)
    return columns


def _read_row(
    head: Letter, grid: HexGrid, rows: set[int], letters: Sequence[Letter], columns: Sequence[int | None]
) -> int:
    row = _read_number(head, grid, "row")
    if row in rows:
        raise InputError(f"row {head.text} is drawn twice", where=head.where, hint="leave out one of the two")
    rows.add(row)
    if len(letters) != len(columns):
        what = f"row {grid.printed('row', row)} has {format_count(len(letters), 'letter')} for {len(columns)} columns"
        raise InputError(what, where=head.where, hint=f"a letter for each column; {OFF_MAP} is off the map")
    return row


def _read_number(word: Letter, grid: HexGrid, part: str) -> int:
    with located(word.where):
        number = grid.number(part, word.text)
    if number is None:
        hint = "column numbers go in the first line, and each other line begins with a row number"
        raise InputError(f"{word.text!r} is not a column or row number", where=word.where, hint=hint)
    return number
