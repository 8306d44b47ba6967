"""Reading a game's data files: TOML and CSV, with the file and the line in every message."""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_origin, get_type_hints

import msgspec
import tomli

from .errors import InputError, OnFault, Where, located, plain, stop
from .files import read_bytes
from .fitting import Misfit, fit_to_type, line_of, word_path
from .limits import Limit

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)


def inner(folder: Traversable, path: str) -> Traversable:
    """A file or folder in a folder, by its path with slashes.

    Raises InputError for a path that is empty or leads out of the folder: with `..`, from the root, or by a symbolic
    link; and for a pipe or a device, which nobody means to be read as absent.
    """
    parts = path.split("/")
    if not all(part not in ("", ".", "..") and part.isprintable() and not set(part) & set("\\:") for part in parts):
        raise _leads_out(path)
    file = folder.joinpath(*parts)
    if isinstance(folder, Path) and not Path(os.path.realpath(str(file))).is_relative_to(os.path.realpath(folder)):
        raise _leads_out(path)
    if isinstance(file, Path) and file.exists() and not (file.is_file() or file.is_dir()):
        raise InputError("this is a pipe or a device", where=Where(str(file)), hint="put a file in its place")
    return file


def files_in(folder: Traversable) -> list[Traversable]:
    """What lies in a folder, by name, without what editors and systems hide there."""
    return sorted((file for file in folder.iterdir() if not file.name.startswith(".")), key=lambda file: file.name)


def _leads_out(path: str) -> InputError:
    return InputError(f"{path!r} leads out of the game's folder", hint="name a file in it, such as charts/crt.csv")


def read_data(file: Traversable, name: str = "") -> bytes:
    """The bytes of a file of a game or a pack. Raises InputError if it is missing, too large, a pipe or a device.

    name: of the file in messages; by default its own.
    """
    where = Where(name or file.name)
    try:
        data = read_bytes(file) if isinstance(file, Path) else file.read_bytes()
    except InputError as error:
        raise InputError(
            error.what, where=where, hint=error.hint if file.is_file() else _hint_for_missing(file)
        ) from None
    except OSError as error:
        raise InputError(error.strerror or str(error), where=where, hint=_hint_for_missing(file)) from None
    return data


def _hint_for_missing(file: Traversable) -> str:
    """What to do about a file that is not one."""
    return "put a file in place of this folder" if file.is_dir() else "the game's folder needs this file"


def read_text(file: Traversable, name: str = "") -> str:
    """A file's text. Raises InputError if the file is missing, too large or is not UTF-8. name: as in `read_data`."""
    name = name or file.name
    try:
        data = read_data(file, name)
        with located(Where(name)):
            Limit.DATA.check(len(data), "it holds")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = Where(name, data.count(b"\n", 0, error.start) + 1)
        raise InputError("the text is not UTF-8", where=where, hint="save it as UTF-8") from None


def read_toml(file: Traversable, kind: type[T], on_fault: OnFault = stop, name: str = "") -> T:
    """A TOML file decoded as `kind`. Each fault goes to `on_fault` with its place; if that returns, a default is used.

    name: as in `read_data`.
    """
    name = name or file.name
    data: dict[str, Any] | None = None
    text = ""
    try:
        text = read_text(file, name)
        _check_headings(text, name)
        data = tomli.loads(text)
    except InputError as error:
        on_fault(error)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a plain ValueError
        what, line, column = _decode_error(error)
        what, hint = _in_plain_words(what, text, line)
        on_fault(InputError(what, where=Where(name, line, column), hint=hint))
    if fault := _unusable(data):
        path, what, hint = fault
        on_fault(InputError(what, where=Where(name, line_of(text, path)), hint=hint))
        data = None
    if data is None:
        return fit_to_type({}, kind, _ignore)
    return read_table(data, kind, file, on_fault, name=name)


def read_table(
    data: object,
    kind: type[T],
    file: Traversable,
    on_fault: OnFault = stop,
    path: tuple[str, ...] = (),
    *,
    name: str = "",
) -> T:
    """A table of a TOML file decoded as `kind`, with faults as in `read_toml`. path: of the table in the file."""

    def tell(misfit: Misfit) -> None:
        at = (*path, *misfit.path)
        what = f"{word_path(at)}: {misfit.what}" if at else misfit.what
        on_fault(InputError(what, where=Where(name or file.name, line_of(read_text(file), at)), hint=misfit.hint))

    return fit_to_type(data, kind, tell)


def read_tables(folder: Traversable, name: str, kind: type[T], on_fault: OnFault = stop) -> dict[str, T]:
    """The tables of a TOML file that a game may omit, each decoded as `kind` and named by its heading, with faults as
    in `read_toml`.
    """
    file = inner(folder, name)
    if not file.is_file():
        return {}
    tables = {}
    for title, entry in read_toml(file, dict[str, dict[str, Any]], on_fault).items():
        if "name" in entry:
            what = f"[{title}] has a second name"
            on_fault(InputError(what, where=Where(name), hint="leave out `name`"))
        tables[title] = read_table({**entry, "name": title}, kind, file, on_fault, (title,))
    return tables


def _ignore(misfit: Misfit) -> None:
    """The file as a whole is at fault, which has been reported."""


def _separator(text: str) -> str:
    """What stands between the cells of a CSV file, by its first line."""
    head = text.partition("\n")[0]
    return "," if "," in head else next((mark for mark in ";\t" if mark in head), ",")


_MOST_PARTS = 20
_LONG_HEADING = re.compile(rf"^[ \t]*\[[^.,\n]*(?:\.[^.,\n]*){{{_MOST_PARTS}}}", re.MULTILINE)


def _check_headings(text: str, name: str) -> None:
    """Raise InputError for a heading of more than 20 parts: the TOML reader goes through all of them for each key below
    it.
    """
    if match := _LONG_HEADING.search(text):
        line = text.count("\n", 0, match.start()) + 1
        what = f"a heading has more than {_MOST_PARTS} parts"
        raise InputError(what, where=Where(name, line), hint="no table of a game is that deep")


_LARGEST = 10**15


_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
"""What neither a screen nor XML can show."""


def _unusable(data: object) -> tuple[tuple[str | int, ...], str, str] | None:
    """Where in data a number or a text is that nothing can be done with, what is wrong with it and what to do; None if
    there is none: a number that is far too large or is none at all, a text with signs that steer a machine.
    """
    todo: list[tuple[tuple[str | int, ...], object]] = [((), data)]
    while todo:
        path, node = todo.pop()
        texts: Iterable[object] = ()
        if isinstance(node, dict):
            todo += [((*path, key), value) for key, value in node.items()]
            texts = node
        elif isinstance(node, list):
            todo += [((*path, number), value) for number, value in enumerate(node)]
        elif isinstance(node, str):
            texts = (node,)
        elif isinstance(node, int | float) and not -_LARGEST <= node <= _LARGEST:
            return path, "a number is not allowed: it is too large, or none", "write a number of at most nine digits"
        if odd := next((match for text in texts if (match := _UNPRINTABLE.search(str(text)))), None):
            return path, f"a text has a sign that cannot be printed: {odd[0]!r}", "take it out"
    return None


def _decode_error(error: ValueError | RecursionError) -> tuple[str, int, int]:
    """The message of the TOML reader, with line and column removed from it."""
    message = str(error)
    if isinstance(error, RecursionError):
        message = "its lists or tables are nested too deeply, or a key has too many parts"
    elif not isinstance(error, tomli.TOMLDecodeError):
        message = "a number or a date is not allowed"
    match = re.fullmatch(r"(.*) \(at line ([0-9]+), column ([0-9]+)\)", message)
    return (match[1], int(match[2]), int(match[3])) if match else (message, 0, 0)


def _in_plain_words(message: str, text: str, line: int) -> tuple[str, str]:
    """What the TOML reader means by a message about a line, and what to do."""
    at = (text.split("\n")[line - 1] if line else "").partition("=")[0].strip()
    if message == r"Illegal character '\n'":
        return "a quotation mark is not closed in this line", "close it, or write a long text between three of them"
    if message == "Cannot overwrite a value" or message.startswith("Cannot declare "):
        return f"{plain(at[:_LONGEST_NAMED])} stands here a second time", "leave one of the two out, or join them"
    return message, "check quotes, brackets and doubled names"


_LONGEST_NAMED = 80
"""The most letters of a line that a message repeats."""


def read_rows(
    file: Traversable, required: Sequence[str], name: str = "", on_fault: OnFault = stop
) -> Iterator[tuple[dict[str, str], Where]]:
    """The rows of a CSV file, each with its line. Messages call the file `name`, by default its own name.

    Blanks around cells are nothing. Cells are separated by commas; or, as spreadsheets write them in some countries, by
    semicolons or tabs, if the first line holds no comma.

    A missing file, column or cell goes to `on_fault`; if that raises nothing, the row or the file is left out.
    """
    name = name or file.name
    try:
        text = read_text(file, name)
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    except InputError as error:
        return on_fault(error)
    try:
        columns = [column.strip() for column in next(rows, [])]
        known = {*columns}
        missing = next((column for column in required if column not in known), None)
        if missing is not None:
            expected = "expected: " + ",".join(required)
            return on_fault(InputError(f"column {missing!r} is missing", where=Where(name, 1), hint=expected))
        if twice := next((column for column, count in Counter(columns).items() if column and count > 1), ""):
            what = f"column {twice!r} is there twice"
            return on_fault(InputError(what, where=Where(name, 1), hint="leave one of them out"))
        for row in filter(None, rows):
            where = Where(name, rows.line_num)
            if not any(map(str.strip, row)):
                continue  # as spreadsheets write what was emptied
            if len(row) == len(columns):
                yield dict(zip(columns, map(str.strip, row), strict=True)), where
            else:
                what = f"the row has {len(row)} cell{'s' * (len(row) != 1)}, not {len(columns)}"
                on_fault(InputError(what, where=where, hint=lambda: ",".join(columns)))
    except csv.Error as error:
        on_fault(InputError(str(error), where=Where(name, rows.line_num or 1), hint="check the quotation marks"))
    return None


def read_records(file: Traversable, kind: type[S], name: str = "", on_fault: OnFault = stop) -> Iterator[S]:
    """The rows of a CSV file as structs of a kind, a column for each field: words, whole numbers, `yes` for a flag, and
    for a tuple what stands in the cell with blanks between. An empty cell is the field's default.

    name: as in `read_rows`. A missing file, column or cell, and a cell that is not what its field takes, goes to
    `on_fault`; if that raises nothing, the row or the file is left out.
    """
    columns, types = [field.encode_name for field in msgspec.structs.fields(kind)], get_type_hints(kind).values()
    several = {column for column, type_ in zip(columns, types, strict=True) if get_origin(type_) is tuple}
    flags = {column for column, type_ in zip(columns, types, strict=True) if type_ is bool}
    for row, where in read_rows(file, columns, name, on_fault):
        given: dict[str, object] = {column: cell for column in columns if (cell := row[column])}
        given |= {column: row[column].split() for column in several & given.keys()}
        given |= {column: _FLAGS.get(row[column], row[column]) for column in flags & given.keys()}
        try:
            yield msgspec.convert(given, kind, strict=False)
        except msgspec.ValidationError as error:
            what, _, path = str(error).partition(" - at ")
            column = path.strip("`$.").partition("[")[0]
            what = f"{column}: {row[column]!r} is not allowed" if column else what
            on_fault(InputError(what, where=where, hint="correct the cell"))


_FLAGS = {"yes": True, "no": False}
