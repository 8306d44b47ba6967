"""Reading a game's data files: TOML and CSV, with the file and the line in every message."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from .errors import InputError, OnFault, Where, stop
from .files import read_bytes
from .fitting import Misfit, fitted, line_of, named

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

T = TypeVar("T")


def read_text(file: Traversable) -> str:
    """A file's text. Raises InputError if the file is missing or is not UTF-8."""
    try:
        data = read_bytes(file) if isinstance(file, Path) and file.exists() else file.read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"the text is not UTF-8 (byte {error.start})", where=Where(file.name), hint="save it as UTF-8"
        ) from None
    except OSError as error:
        raise InputError(
            error.strerror or str(error), where=Where(file.name), hint="the game's folder needs this file"
        ) from None


def read_toml(file: Traversable, kind: type[T], on_fault: OnFault = stop) -> T:
    """A TOML file decoded as `kind`. Each fault goes to `on_fault` with its place; if that returns, a default is used."""
    data = {}
    try:
        data = tomllib.loads(read_text(file))
    except InputError as error:
        on_fault(error)
    except tomllib.TOMLDecodeError as error:
        what, line, column = _decode_error(str(error))
        on_fault(
            InputError(what, where=Where(file.name, line, column), hint="check quotes, brackets and doubled names")
        )
    if not data:
        return fitted(data, kind, _ignore)
    return read_table(data, kind, file, on_fault)


def read_table(
    data: object, kind: type[T], file: Traversable, on_fault: OnFault = stop, path: tuple[str, ...] = ()
) -> T:
    """A table of a TOML file decoded as `kind`, with faults as in `read_toml`. path: of the table in the file."""

    def tell(misfit: Misfit) -> None:
        at = (*path, *misfit.path)
        what = f"{named(at)}: {misfit.what}" if at else misfit.what
        on_fault(InputError(what, where=Where(file.name, line_of(read_text(file), at)), hint=misfit.hint))

    return fitted(data, kind, tell)


def _ignore(misfit: Misfit) -> None:
    """The file as a whole is at fault, which has been reported."""


def _decode_error(message: str) -> tuple[str, int, int]:
    """The message of the TOML reader, with line and column removed from it."""
    found = re.fullmatch(r"(.*) \(at line ([0-9]+), column ([0-9]+)\)", message)
    return (found[1], int(found[2]), int(found[3])) if found else (message, 0, 0)


def read_rows(
    file: Traversable, required: Sequence[str], name: str = "", on_fault: OnFault = stop
) -> Iterator[tuple[dict[str, str], Where]]:
    """The rows of a CSV file, each with its line. Messages call the file `name`, by default its own name.

    A missing file, column or cell goes to `on_fault`; if that raises nothing, the row or the file is left out.
    """
    name = name or file.name
    try:
        rows = csv.DictReader(io.StringIO(read_text(file), newline=""), strict=True)
    except InputError as error:
        error.where = Where(name)
        return on_fault(error)
    try:
        missing = [column for column in required if column not in (rows.fieldnames or ())]
        if missing:
            expected = "expected: " + ",".join(required)
            return on_fault(InputError(f"column {missing[0]!r} is missing", where=Where(name, 1), hint=expected))
        for row in rows:
            where = Where(name, rows.line_num)
            if None in row or None in row.values():
                columns = ",".join(rows.fieldnames or ())
                on_fault(InputError("the row has too few or too many cells", where=where, hint=columns))
            else:
                yield row, where
    except csv.Error as error:
        on_fault(InputError(str(error), where=Where(name, rows.reader.line_num or 1), hint="check the quotation marks"))
    return None
