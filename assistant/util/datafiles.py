"""Reading a game's data files: TOML and CSV, with the file and the line in every message."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

import msgspec

from .errors import InputError, Where
from .files import read_bytes

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


def read_toml(file: Traversable, kind: type[T]) -> T:
    """A TOML file decoded as `kind`. Raises InputError that names the entry at fault."""
    try:
        return msgspec.convert(tomllib.loads(read_text(file)), kind)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InputError(str(error), where=Where(file.name)) from None


def read_rows(file: Traversable, required: Sequence[str], name: str = "") -> Iterator[tuple[dict[str, str], Where]]:
    """The rows of a CSV file, each with its line. Messages call the file `name`, by default its own name.

    Raises InputError if a required column is missing, or if a row has too few or too many cells.
    """
    name = name or file.name
    rows = csv.DictReader(io.StringIO(read_text(file), newline=""), strict=True)
    try:
        missing = [column for column in required if column not in (rows.fieldnames or ())]
        if missing:
            expected = "expected: " + ",".join(required)
            raise InputError(f"column {missing[0]!r} is missing", where=Where(name, 1), hint=expected)
        for row in rows:
            where = Where(name, rows.line_num)
            if None in row or None in row.values():
                raise InputError(
                    "the row has too few or too many cells", where=where, hint=",".join(rows.fieldnames or ())
                )
            yield row, where
    except csv.Error as error:
        raise InputError(
            str(error), where=Where(name, rows.reader.line_num or 1), hint="check the quotation marks"
        ) from None
