"""What a table says of the pieces of a module, `pieces.csv`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

from assistant.util.datafiles import read_rows
from assistant.util.errors import InputError, Where, format_suggestion
from assistant.util.notes import note

from .kinds import PieceKind, Pieces
from .names import clean_text, word_of

PIECES = "pieces.csv"
COLUMNS = ("piece", "nation", "side", "unit")
NONE = "none"
"""What a row says of a piece that has no nation or no side, or is no unit."""

_Key = TypeVar("_Key")


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


class StatedPieces(NamedTuple):
    """What the table says of pieces and nations."""

    nations: Annotated[dict[PieceKind, str], note("as it is written, or NONE, as in `sides`")]
    sides: dict[PieceKind, str]
    sides_of_nations: Annotated[dict[str, str], note("by the words of the nations")]
    units: Annotated[dict[PieceKind, PieceRow], note("the rows that give another name, or say that it is a marker")]
    rows: Sequence[PieceRow]

    @property
    def named_sides(self) -> list[str]:
        """The sides that it names."""
        return [side for side in (*self.sides.values(), *self.sides_of_nations.values()) if side != NONE]


def match_rows(rows: Sequence[PieceRow], pieces: Pieces) -> StatedPieces:
    """Return what rows say of pieces that have their names: a piece is called as its unit is without the table, or as
    in the module, where several may be called so. Raises InputError for a piece that there is not, and for one of which
    two rows say different things.
    """
    named: dict[str, list[PieceKind]] = defaultdict(list)
    for kind in pieces.kinds:
        named[kind.name.casefold()].append(kind)
    named |= {kind.unit.casefold(): [kind] for kind in pieces.kinds if kind.unit}
    found = StatedPieces({}, {}, {}, {}, rows)
    for row in rows:
        if not row.piece:
            _state(found.sides_of_nations, word_of(row.nation), row.side, row)
            continue
        kinds = named.get(row.piece.casefold())
        if not kinds:
            known = {unit for kind in pieces.kinds if (unit := kind.unit or kind.name)}
            what = f"the module has no piece {row.piece!r}"
            raise InputError(what, where=row.where, hint=format_suggestion(row.piece, known))
        if row.unit and len(kinds) > 1:
            what = f"{len(kinds)} pieces are called {row.piece!r}"
            hint = f"name one of them: {', '.join(kind.unit for kind in kinds if kind.unit)}"
            raise InputError(what, where=row.where, hint=hint)
        for kind in kinds:
            _state(found.nations, kind, row.nation, row)
            _state(found.sides, kind, row.side, row)
            if row.unit and found.units.setdefault(kind, row).unit != row.unit:
                raise _twice(row)
    return found


def _state(said: dict[_Key, str], key: _Key, value: str, row: PieceRow) -> None:
    """Note what a row says. Raises InputError if another one says something else."""
    plain = NONE if value.casefold() == NONE else value
    if plain and said.setdefault(key, plain) != plain:
        raise _twice(row)


def _twice(row: PieceRow) -> InputError:
    what = f"another row says something else of {row.piece or row.nation!r}"
    return InputError(what, where=row.where, hint="leave one of them out")
