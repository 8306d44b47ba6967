"""Reading a game's data files, TOML and CSV.

Each fault has its file, line and remedy, and all faults of a file are reported together.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_origin, get_type_hints

import msgspec

from .copies import UNFIT, Copies, Copy, mark_code, mark_content
from .errors import (
    InputError,
    KeyPath,
    MachineError,
    OnFault,
    Where,
    format_suggestion,
    is_of_the_machine,
    located,
    plain,
    stop,
    word_machine_error,
)
from .files import may_have_link, read_bytes
from .limits import Limit
from .patterns import late_pattern

if TYPE_CHECKING:
    from _csv import Reader
    from importlib.resources.abc import Traversable

    from .misfits import Misfit
    from .spreadsheets import SheetRows


T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)
_MAX_HEADING_PARTS = 20
"""The maximum number of parts of a heading."""
_LONG_HEADING = late_pattern(rf"^[ \t]*\[[^.,\n]*(?:\.[^.,\n]*){{{_MAX_HEADING_PARTS}}}", re.MULTILINE)
_KEY = r'(?:"(?:[^"\\]|\\.)*"|\'[^\']*\'|[A-Za-z0-9_-]+)'
_KEYS = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_HEADING = late_pattern(rf"\s*(\[\[?)\s*({_KEYS})\s*\]")
_ENTRY = late_pattern(rf"\s*({_KEYS})\s*=")
"""The beginning of a line with a key in TOML."""
_MAX_NUMBER = 10**15
"""The largest number that a file may hold."""
_UNPRINTABLE = late_pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
"""The characters that neither a screen nor XML can show."""
SPREADSHEET_ENDINGS = (".xlsx", ".ods")
"""The suffixes of tables that are read as spreadsheets."""
_MAX_LINE_QUOTED = 80
"""The maximum number of letters of a line that a message repeats."""
_FLAGS = {"yes": True, "no": False}
_MIN_COPIED_CHARS = 1024
"""The minimum length of a TOML file of which a parsed copy is kept; a shorter one is parsed as fast."""
_TABLES = Copies("tables", ".tables", 96)
_MAX_KEY_QUOTED = 100
"""The maximum number of letters of a key that a message quotes."""


def _fit_to_type(data: Any, kind: type[T], on_misfit: Callable[[Misfit], None]) -> T:
    """Return data as a type.

    `on_misfit`: gets each value that does not fit; if it returns, a default is used.

    Raises msgspec.ValidationError for what a type forbids beyond the shape of the data.
    """
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError:
        from .misfits import fit_data  # loaded late: most files have no fault

        return msgspec.convert(fit_data(data, kind, on_misfit), kind)


def format_path(path: KeyPath) -> str:
    """Return the path of a value in a TOML file in words: `[table.usual] terrain`, `[[roster]] 2 source`."""
    table, key = path[:-1], path[-1:]
    heading = ".".join(_shorten(part) if isinstance(part, str) else str(part + 1) for part in table)
    last = "".join(_shorten(part) if isinstance(part, str) else f"entry {part + 1}" for part in key)
    return f"[{heading}] {last}" if heading else last


def _shorten(key: str) -> str:
    return key if len(key) <= _MAX_KEY_QUOTED else f"{key[:_MAX_KEY_QUOTED]}..."


def find_toml_line(text: str, path: KeyPath) -> int:
    """Return the line of a value's key in a TOML text, from 1.

    Returns the line of the table around a value without a key of its own, or 0 if none is found.
    """
    lines = _find_lines(text)
    return next((lines[path[:length]] for length in range(len(path), 0, -1) if path[:length] in lines), 0)


@lru_cache(4)  # every misfit of a file needs the lines
def _find_lines(text: str) -> dict[KeyPath, int]:
    numbers: dict[KeyPath, int] = {}
    table: KeyPath = ()
    last_indexes: dict[KeyPath, int] = {}  # by path of a list of tables: the index of its last one so far
    list_path: KeyPath = ()  # of the list whose tables stand in lines of their own
    for number, line in enumerate(text.splitlines(), 1):
        if heading := _HEADING.match(line):
            table = ()
            keys = _split_keys(heading[2])
            for depth, key in enumerate(keys, 1):
                table = (*table, key)
                if depth == len(keys) and heading[1] == "[[":
                    last_indexes[table] = last_indexes.get(table, -1) + 1
                if table in last_indexes:
                    table = (*table, last_indexes[table])
            numbers.setdefault(table, number)
        elif entry := _ENTRY.match(line):
            path = (*table, *_split_keys(entry[1]))
            numbers.setdefault(path, number)
            list_path = path if line.rstrip().endswith("= [") else ()
        elif list_path and line.lstrip().startswith("{"):
            index = last_indexes[list_path] = last_indexes.get(list_path, -1) + 1
            numbers.setdefault((*list_path, index), number)
    return numbers


def _split_keys(written: str) -> list[str]:
    return [_unquote_key(match[0]) for match in re.finditer(_KEY, written)]


def _unquote_key(key: str) -> str:
    if key.startswith('"'):
        with suppress(ValueError):
            return msgspec.json.decode(key, type=str)
    return key.strip("\"'")


def resolve_within(folder: Traversable, path: str) -> Traversable:
    """Return a file or folder in a folder, by its path with slashes.

    Raises InputError for an empty path, for a path that leads out of the folder with `..`, from the root or by a
    symbolic link, and for a pipe or a device, which should not be treated as missing.
    """
    parts = path.split("/")
    if not all(part not in ("", ".", "..") and part.isprintable() and not set(part) & set("\\:") for part in parts):
        raise _path_error(path)
    file = folder.joinpath(*parts)
    if isinstance(folder, Path) and may_have_link(str(folder), parts) and not _is_below(file, folder):
        raise _path_error(path)
    if isinstance(file, Path) and file.exists() and not (file.is_file() or file.is_dir()):
        raise InputError("this is a pipe or a device", where=Where(str(file)), hint="put a file in its place")
    return file


def _is_below(file: Traversable, folder: Path) -> bool:
    return Path(os.path.realpath(str(file))).is_relative_to(os.path.realpath(folder))


def files_in(folder: Traversable) -> list[Traversable]:
    """Return the entries of a folder by name, without the hidden files of editors and systems."""
    return sorted((file for file in folder.iterdir() if not file.name.startswith(".")), key=lambda file: file.name)


def _path_error(path: str) -> InputError:
    return InputError(f"{path!r} leads out of the game's folder", hint="name a file in it, such as charts/crt.csv")


def read_data(file: Traversable, name: str = "") -> bytes:
    """Return the bytes of a file of a game or a pack.

    `name`: the name in messages, by default the file's own.

    Raises InputError if the file is missing, too large, a pipe or a device.
    """
    where = Where(name or file.name)
    try:
        data = read_bytes(file) if isinstance(file, Path) else file.read_bytes()
    except InputError as error:
        if isinstance(error, MachineError):
            raise error.told_as(error.what, where) from None
        raise InputError(
            error.what, where=where, hint=error.hint if file.is_file() else _format_missing_hint(file)
        ) from None
    except OSError as error:
        if is_of_the_machine(error):
            raise word_machine_error(error).told_as(error.strerror or str(error), where) from None
        raise InputError(error.strerror or str(error), where=where, hint=_format_missing_hint(file)) from None
    return data


def _format_missing_hint(file: Traversable) -> str:
    return "put a file in place of this folder" if file.is_dir() else "the game's folder needs this file"


def read_text(file: Traversable, name: str = "") -> str:
    """Return a file's text.

    `name`: the name in messages, by default the file's own.

    Raises InputError if the file is missing, too large or not UTF-8.
    """
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
    """Return a TOML file decoded as `kind`.

    `on_fault`: gets each fault; if it returns, a default is used.
    """
    try:
        data = _load_toml(file, name or file.name)
    except InputError as error:
        on_fault(error)
        return _fit_to_type({}, kind, _ignore)
    return read_table(data, kind, file, on_fault, name=name)


def _load_toml(file: Traversable, name: str) -> dict[str, Any]:
    text = read_text(file, name)
    code = mark_code((__file__,))
    if len(text) < _MIN_COPIED_CHARS or not code:
        return _parse_toml(text, name)
    copy = Copy(_TABLES, str(file), mark_content((text.encode(), code)))
    if (body := copy.read()) is not None:
        with suppress(*UNFIT):
            return msgspec.msgpack.decode(body, type=dict[str, Any])
    tables = _parse_toml(text, name)
    packed = msgspec.msgpack.encode(tables)
    if repr(msgspec.msgpack.decode(packed)) == repr(tables):  # a date does not survive msgpack
        copy.write(packed)
    return tables


def _parse_toml(text: str, name: str) -> dict[str, Any]:
    import tomli  # imported late: most files are read from a cache

    _check_headings(text, name)
    try:
        data = tomli.loads(text)
    except (ValueError, RecursionError) as error:  # a number with thousands of digits raises a plain ValueError
        what, line, column = _parse_decode_error(error)
        what, hint = _explain_decode_error(what, text, line)
        raise InputError(what, where=Where(name, line, column), hint=hint) from None
    if fault := _find_unusable(data):
        path, what, hint = fault
        raise InputError(what, where=Where(name, find_toml_line(text, path)), hint=hint)
    return data


def read_table(
    data: object,
    kind: type[T],
    file: Traversable,
    on_fault: OnFault = stop,
    path: tuple[str, ...] = (),
    *,
    name: str = "",
) -> T:
    """Return a table of a TOML file decoded as `kind`, with faults as in `read_toml`.

    `path`: the headings of the table in the file.
    """

    def report(misfit: Misfit) -> None:
        full_path = (*path, *misfit.path)
        what = f"{format_path(full_path)}: {misfit.what}" if full_path else misfit.what
        on_fault(
            InputError(
                what, where=Where(name or file.name, find_toml_line(read_text(file), full_path)), hint=misfit.hint
            )
        )

    return _fit_to_type(data, kind, report)


def read_toml_tables(folder: Traversable, name: str, kind: type[T], on_fault: OnFault = stop) -> dict[str, T]:
    """Return the tables of an optional TOML file by heading, each decoded as `kind`, with faults as in `read_toml`.

    The heading of a table becomes its field `name`.
    """
    file = resolve_within(folder, name)
    if not file.is_file():
        return {}
    tables = {}
    for title, entry in read_toml(file, dict[str, dict[str, Any]], on_fault).items():
        if "name" in entry:
            what = f"[{title}] also has a `name`: its heading is its name"
            on_fault(InputError(what, where=Where(name), hint="leave out `name`"))
        tables[title] = read_table({**entry, "name": title}, kind, file, on_fault, (title,))
    return tables


def _ignore(misfit: Misfit) -> None: ...


def find_separator(text: str) -> str:
    """Return the character between the cells of a table: a comma, or else a semicolon or tab if the first line has one."""
    head = text.partition("\n")[0]
    return "," if "," in head else next((mark for mark in ";\t" if mark in head), ",")


def read_head(cells: Sequence[str], known: Sequence[str], aliases: Mapping[str, str] = {}) -> list[str]:
    """Return the columns that the first line of a table names, without empty cells at its end.

    `known`: columns whose capitals do not matter.
    `aliases`: as for `read_rows`.
    """
    spelled = {column.casefold(): column for column in known}
    named = {spelled.get(cell.strip().casefold()) for cell in cells}
    for alias, column in aliases.items():
        if column not in named:
            spelled.setdefault(alias, column)
    columns = [
        column if column in known else spelled.get(column.casefold(), column) for column in map(str.strip, cells)
    ]
    while columns and not columns[-1]:
        columns.pop()
    return columns


def _list_extra(row: Sequence[str], columns: Sequence[str]) -> list[int]:
    return [number for number in range(len(row)) if not (number < len(columns) and columns[number])]


def _check_headings(text: str, name: str) -> None:
    """Raise InputError for a heading of too many parts: the TOML reader goes through all of them for each key below."""
    if match := _LONG_HEADING.search(text):
        line = text.count("\n", 0, match.start()) + 1
        what = f"a heading has more than {_MAX_HEADING_PARTS} parts"
        raise InputError(what, where=Where(name, line), hint="no table of a game is that deep")


def _find_unusable(data: object) -> tuple[tuple[str | int, ...], str, str] | None:
    """Return the path of the first unusable number or text in data, its fault and the remedy, or None."""
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
        elif isinstance(node, int | float) and not -_MAX_NUMBER <= node <= _MAX_NUMBER:
            return (
                path,
                "the number is too large, or not a number",
                "write a number of at most nine digits",
            )
        if unprintable := next((match for text in texts if (match := _UNPRINTABLE.search(str(text)))), None):
            return path, f"a text has a character that cannot be printed: {unprintable[0]!r}", "take it out"
    return None


def _parse_decode_error(error: ValueError | RecursionError) -> tuple[str, int, int]:
    import tomli

    message = str(error)
    if isinstance(error, RecursionError):
        message = "its lists or tables are nested too deeply, or a key has too many parts"
    elif not isinstance(error, tomli.TOMLDecodeError):
        message = "a number or date here is not valid"
    match = re.fullmatch(r"(.*) \(at line ([0-9]+), column ([0-9]+)\)", message)
    return (match[1], int(match[2]), int(match[3])) if match else (message, 0, 0)


def _explain_decode_error(message: str, text: str, line: int) -> tuple[str, str]:
    at = (text.split("\n")[line - 1] if line else "").partition("=")[0].strip()
    if message == r"Illegal character '\n'":
        return "a quotation mark is not closed in this line", "close it, or write a long text between three of them"
    if message == "Cannot overwrite a value" or message.startswith("Cannot declare "):
        return f"{plain(at[:_MAX_LINE_QUOTED])} appears here a second time", "leave one of the two out, or join them"
    return message, "check quotes, brackets and doubled names"


def read_rows(
    file: Traversable,
    required: Sequence[str],
    name: str = "",
    on_fault: OnFault = stop,
    optional: Iterable[str] = (),
    aliases: Mapping[str, str] = {},
) -> Iterator[tuple[dict[str, str], Where]]:
    """Yield each row of a CSV file or a spreadsheet, by column, with its line. Blanks around cells are dropped.

    Commas separate cells, or semicolons or tabs if the first line has no comma. In the first line, the capitals of
    known columns do not matter, and neither do empty cells.

    `aliases`: other heads of columns, in lower case, each with the column that it names if no other head does.

    `on_fault`: gets each fault; if it returns, the rest is read.
    """
    name = name or file.name
    try:
        rows = _open_table(file, name)
    except InputError as error:
        return on_fault(error)
    try:
        columns = read_head(next(rows, []), (*optional, *required), aliases)
        named_numbers = [number for number, column in enumerate(columns) if column]
        all_have_names = len(named_numbers) == len(columns)
        missing = next((column for column in required if column not in columns), None)
        if missing is not None:
            expected = "expected: " + ",".join(required)
            return on_fault(InputError(f"column {missing!r} is missing", where=Where(name, 1), hint=expected))
        if repeated := next((column for column, count in Counter(columns).items() if column and count > 1), ""):
            what = f"column {repeated!r} appears twice"
            return on_fault(InputError(what, where=Where(name, 1), hint="leave one of them out"))
        for row in filter(None, rows):
            where = Where(name, rows.line_num)
            if not any(map(str.strip, row)):
                continue  # spreadsheets still write rows that were emptied
            if all_have_names and len(row) == len(columns):
                yield dict(zip(columns, map(str.strip, row), strict=True)), where
            elif len(row) < len(columns):
                cells = "cell" if len(row) == 1 else "cells"
                what = f"the row has {len(row)} {cells}, not {len(columns)}"
                on_fault(InputError(what, where=where, hint=lambda: ",".join(columns)))
            elif extra := [number for number in _list_extra(row, columns) if row[number].strip()]:
                content = _shorten(row[extra[0]].strip())
                what = f"column {extra[0] + 1} has no name in the head row, but holds {content!r} here"
                on_fault(InputError(what, where=where, hint=lambda: ",".join(columns)))
            else:
                yield {columns[number]: row[number].strip() for number in named_numbers}, where
    except csv.Error as error:
        on_fault(InputError(str(error), where=Where(name, rows.line_num or 1), hint="check the quotation marks"))
    return None


def _open_table(file: Traversable, name: str) -> Reader | SheetRows:
    """Return the rows of a CSV file or of the first sheet of a spreadsheet.

    Raises InputError if the file is missing, damaged or too large.
    """
    if file.name.lower().endswith(SPREADSHEET_ENDINGS):
        from .spreadsheets import read_sheet

        data = read_data(file, name)
        with located(Where(name)):
            Limit.DATA.check(len(data), "it holds")
        return read_sheet(data, name)
    text = read_text(file, name)
    return csv.reader(io.StringIO(text, newline=""), delimiter=find_separator(text), strict=True)


def read_records(file: Traversable, kind: type[S], name: str = "", on_fault: OnFault = stop) -> Iterator[S]:
    """Yield the rows of a CSV file as structs with a column for each field. An empty cell means the default.

    Cells hold words, whole numbers, `yes` for a flag, or words with blanks between for a tuple.

    `on_fault`: gets a missing file, column or cell, and a cell that does not fit; if it returns, the row is left out.
    """
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    columns = [*fields]
    types = get_type_hints(kind).values()
    list_columns = {column for column, type_ in zip(columns, types, strict=True) if get_origin(type_) is tuple}
    flags = {column for column, type_ in zip(columns, types, strict=True) if type_ is bool}
    for row, where in read_rows(file, columns, name, on_fault):
        cells: dict[str, object] = {column: cell for column in columns if (cell := row[column])}
        cells |= {column: row[column].split() for column in list_columns & cells.keys()}
        cells |= {column: _FLAGS.get(row[column], row[column]) for column in flags & cells.keys()}
        try:
            yield msgspec.convert(cells, kind, strict=False)
        except msgspec.ValidationError as error:
            from .misfits import list_cell_words

            what, _, path = str(error).partition(" - at ")
            column = path.strip("`$.").partition("[")[0]
            what = f"{column}: {row[column]!r} is not allowed" if column else what
            known = list_cell_words(fields[column].type) if column else []
            hint = format_suggestion(row[column], known) if known else "correct the cell"
            on_fault(InputError(what, where=where, hint=hint))


# --- writing TOML -----------------------------------------------------------------------------------------------------


def write_toml_value(value: object) -> str:
    """Return a text, a number, a list, or a table on one line, in TOML."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return msgspec.json.encode(value).decode()
        case Mapping():
            entries = ", ".join(f"{write_toml_key(name)} = {write_toml_value(entry)}" for name, entry in value.items())
            return f"{{ {entries} }}" if entries else "{}"
        case Sequence():
            return f"[{', '.join(map(write_toml_value, value))}]"
    raise TypeError(f"{value!r} has no place in a TOML file")


def write_toml_key(name: str) -> str:
    """Return a key in TOML, in quotation marks if it needs them."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else msgspec.json.encode(name).decode()


def write_toml_lines(table: Mapping[str, object]) -> str:
    """Return the entries of a table in TOML, a line each."""
    return "".join(f"{write_toml_key(name)} = {write_toml_value(value)}\n" for name, value in table.items())
