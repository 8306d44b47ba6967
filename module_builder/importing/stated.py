"""What its author says of the pieces of a module in a table, `pieces.csv`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from assistant.util.datafiles import read_rows
from assistant.util.errors import InputError, Where, format_suggestion

from .names import clean_text

PIECES = "pieces.csv"
COLUMNS = ("piece", "nation", "side", "unit")
NONE = "none"
"""What a row says of a piece that has no nation or no side, or is no unit."""


class PieceRow(NamedTuple):
    """A row of the table, "" for what it leaves open. Without a piece it says the side of a nation."""

    piece: str
    nation: str = ""
    side: str = ""
    unit: str = ""
    where: Where = Where(PIECES)


def read_pieces(file: Path) -> list[PieceRow]:
    """Return the rows of a table that say something. Raises InputError with file and line for one that cannot be used."""
    rows = list[PieceRow]()
    for row, where in read_rows(file, COLUMNS[:1], str(file), optional=COLUMNS[1:]):
        for column in row:
            if column not in COLUMNS:
                what, hint = f"unknown column {column!r}", format_suggestion(column, COLUMNS)
                raise InputError(what, where=where._replace(line=1), hint=hint)
        piece, nation, side, unit = (clean_text(row.get(column, "")) for column in COLUMNS)
        read = PieceRow(piece, nation, side, unit, where)
        if not read.piece and read.unit:
            what = "the row has a unit, but no piece"
            raise InputError(what, where=where, hint="write the piece as the import lists it")
        if not read.piece and read.side and not read.nation:
            what = "the row has a side, but neither a piece nor a nation"
            raise InputError(what, where=where, hint="write the piece as the import lists it, or a nation")
        if read.side or read.unit or (read.piece and read.nation):
            rows.append(read)
    return rows
