"""The file of a journal, and stores of its data, which are read even if damaged, and extended without loss.

An entry is added by one write, and is on the disk when the call returns. An entry that was cut off is set aside as a
remnant. A last line without a line end is complete if its check fits, or if no line has a check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from ...game.calendar import format_turn
from ...util import disk
from ...util.errors import InputError, Where, is_of_the_machine, located, word_machine_error
from ...util.grown import Grown
from ...util.limits import Limit
from ...util.patterns import late_pattern
from ...util.writing import Unsettled
from .lines import JournalLine, compute_check, has_check, read_entry, seems_checked

T = TypeVar("T")
Prepare = Callable[[bytes], tuple[Sequence[str], T]]
"""A function that takes the stored data, and returns the lines to add and a result for the caller."""
VERSION = 2
"""The newest version of the format. Version 1 lacks the line with the rules."""
_MAX_SKIPPED_NUMBER = 9_000_000
"""The highest number of an entry after which others may be missing: later numbers would be too long."""
_HEAD = late_pattern(r"journal +(\S+) +([0-9]{1,9})(?: ~[0-9a-z]{3})?")
"""The first line of a journal: the game and the version, with a check."""
_RULES = late_pattern(r"rules +(\S+) +([0-9a-f]{12})")
"""The second line from version 2 on: the version of the program, and the fingerprint of the game."""
_FIRST_ENTRY = late_pattern(r"\s*1[ \t]+(\S+)[ \t]+\S")
"""The beginning of the first entry, with its turn."""
_NUMBER = late_pattern(r"\s*([0-9]{1,7})\s")
"""The number at the beginning of an entry."""
_LINE_CHECK = late_pattern(rb" ~[0-9a-z]{3}\r?\n")
"""The check and line end of a line, as bytes."""
_AND = late_pattern(rb"\s*[0-9]{1,7}[ \t]+\S+[ \t]+and[ \t]")
"""The beginning of an entry that is followed by another one of the same typed line."""
_UNDECODED = late_pattern("[\ud800-\udfff]")
"""The characters that stand for bytes that are not UTF-8."""


class JournalText(msgspec.Struct, frozen=True):
    """The text of a journal's file."""

    game: str
    """The id of the game."""
    head: tuple[str, ...]
    """The lines of the position with which the journal starts."""
    lines: Grown[JournalLine]
    """The entries."""
    faults: tuple[InputError, ...] = ()
    """The faults of lines that are not entries."""
    remnant: bytes = b""
    """The bytes of an incomplete line at the end of the file."""
    last: int = 0
    """The number of the last entry, even if that entry cannot be read."""
    rows: int = 0
    """The number of lines before the remnant, including the head and lines without an entry."""
    rules: str = ""
    """The version and the fingerprint of the rules with which the journal began, or "" in version 1."""

    def goes_on(self, other: JournalText) -> bool:
        begins_alike = (self.game, self.rules, self.head) == (other.game, other.rules, other.head)
        return begins_alike and self.lines.goes_on(other.lines)


def parse_journal(data: bytes, name: str) -> JournalText:
    """Return the text of a journal.

    `name`: the name of the file in messages.

    Raises InputError if the data do not begin with the head of a journal.
    """
    whole, remnant = split_remnant(data)
    decoded = whole.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n")
    rows = decoded.split("\n")
    begin = next((at for at, row in enumerate(rows) if at and _is_first_row(row)), len(rows))
    for line, row in enumerate(rows[:begin] if _UNDECODED.search(decoded) else (), 1):
        if _UNDECODED.search(row):
            raise InputError("this is not UTF-8 text", where=Where(name, line), hint="save it as UTF-8")
    head = _HEAD.fullmatch(rows[0].strip())
    if head is None:
        raise InputError("this is not a journal", where=Where(name, 1), hint="its first line is: journal GAME 1")
    if not 1 <= (version := int(head[2])) <= VERSION:
        what = f"a newer version has written this journal ({version})" if version else "there is no version 0"
        raise InputError(what, where=Where(name, 1), hint=f"update Field Staff, which reads version {VERSION}")
    rules = _RULES.fullmatch(rows[1].strip()) if version > 1 and begin > 1 else None
    if version > 1 and not rules:
        hint = "its second line is: rules VERSION FINGERPRINT"
        raise InputError("the line with the rules is missing", where=Where(name, 2), hint=hint)
    lines, faults, last = _read_rows(rows[begin:], begin + 1, name)
    if remnant:
        what = f"the last line is cut off: {remnant[:30].decode('utf-8', 'replace')!r}"
        hint = "the next entry sets it aside; if it is whole, end it with a line end"
        faults.append(InputError(what, where=Where(name, len(rows)), hint=hint))
    start = tuple(filter(str.strip, rows[version:begin]))
    rules_named = f"{rules[1]} {rules[2]}" if rules else ""
    return JournalText(head[1], start, Grown(lines), tuple(faults), remnant, last, len(rows) - 1, rules_named)


def parse_more(text: JournalText, data: bytes, more: bytes, name: str) -> JournalText | None:
    """Return the text of a journal after lines were added, or None if all lines have to be read again.

    `text`, `data`: the journal before.
    `more`: the bytes added.
    """
    whole = data.endswith(b"\n") and more.endswith(b"\n") and b"\0" not in more and not split_remnant(more)[1]
    rows = more.decode("utf-8", "surrogateescape").replace("\r\n", "\n").split("\n")
    if not whole or text.faults or not (text.lines or _is_first_row(rows[0])):
        return None
    lines, faults, last = _read_rows(rows, text.rows + 1, name, text.last)
    known = text.rows + len(rows) - 1
    return None if faults else msgspec.structs.replace(text, lines=text.lines.plus(lines), last=last, rows=known)


def _is_first_row(row: str) -> bool:
    """Return whether a row is the first entry: `1 TURN ...`, or a spoilt one with a check."""
    if "~" not in row and row.lstrip()[:1] != "1":  # a fast check that excludes most rows
        return False
    first = _FIRST_ENTRY.match(row)
    if first is None:
        return seems_checked(row.rstrip())
    try:
        format_turn(first[1])
    except InputError:
        return False
    return True


def _read_rows(
    rows: Sequence[str], first: int, name: str, before: int = 0
) -> tuple[list[JournalLine], list[InputError], int]:
    """Return the entries in rows, a fault for each other row, and the last number.

    Numbers continue from the last correct one. If they continue from a higher one, entries are missing.

    `first`: the line number of the first row.
    `before`: the number of the entry before the rows.
    """
    most = Limit.RECORD.most
    parsed = [_read_row(row, line_number, name, most) for line_number, row in enumerate(rows, first) if row.strip()]
    numbers = [line.number if isinstance(line, JournalLine) else 0 for line, _ in parsed]
    lines = list[JournalLine]()
    faults = list[InputError]()
    expected = before + 1
    unnumbered_rows = 0  # number of rows since the last correct one
    for index, (line, number) in enumerate(parsed):
        if isinstance(line, InputError):
            faults.append(line)
            if number == expected:
                expected = number + 1
                unnumbered_rows = 0
            else:
                unnumbered_rows += 1
            continue
        where = Where(name, line.line_number)
        hint = "entries are numbered one by one, from 1"
        if 0 < number < expected:
            faults.append(InputError(f"entry {number} is there already", where=where, hint=hint))
            unnumbered_rows += 1
            continue
        if not expected <= number <= expected + unnumbered_rows:
            next_number = next((other for other in numbers[index + 1 : index + 3] if other), 0)
            if not number or expected <= next_number <= number or number > _MAX_SKIPPED_NUMBER:
                faults.append(InputError(f"this should be entry {expected}, not {number}", where=where, hint=hint))
                unnumbered_rows += 1
                continue
            faults.append(InputError(f"entry {expected} is missing before entry {number}", where=where, hint=hint))
        lines.append(line)
        expected = number + 1
        unnumbered_rows = 0
    return lines, faults, expected - 1


def _read_row(row: str, line_number: int, name: str, most: int) -> tuple[JournalLine | InputError, int]:
    """Return the entry of a row, or its fault, and the number at the beginning of the row, or 0.

    `most`: the maximum length of a row, in letters.
    """
    try:
        line = read_entry(row, line_number, most)
    except InputError as error:
        not_text = InputError("this is not UTF-8 text", hint="save it as UTF-8")
        fault = not_text if _UNDECODED.search(row) else error
        begins = _NUMBER.match(row)
        return fault.at(Where(name, line_number)), int(begins[1]) if begins else 0
    return line, line.number


def split_remnant(data: bytes) -> tuple[bytes, bytes]:
    """Split the data of a journal into complete lines and the remnant after them.

    The remnant is zeros, a last line without a line end (unless its check fits, or no line has a check), and entries
    that should be followed by another one of the same typed line.
    """
    whole = _without_half_line(data)
    end = len(whole)
    row_end = len(whole.rstrip(b"\n"))
    while _goes_on(whole[(begin := whole.rfind(b"\n", 0, row_end) + 1) : row_end]):
        end = begin
        row_end = max(begin - 1, 0)
    return whole[:end], data[end:]


def _goes_on(row: bytes) -> bool:
    """Return whether a line has a fitting check and is followed by another entry of the same typed line."""
    return _AND.match(row) is not None and has_check(row.decode("utf-8", "replace").rstrip(" \t\r"))


def _without_half_line(data: bytes) -> bytes:
    """Return the data of a journal without zeros and an incomplete line at the end."""
    whole = data.rstrip(b"\0")
    end = whole.rfind(b"\n") + 1
    last = whole[end:]
    if not last.strip() or not end:
        return whole
    text = last.decode("utf-8", "replace").rstrip(" \t\r")
    is_whole = has_check(text) or not (_LINE_CHECK.search(whole) or len(whole) < len(data))
    return whole if is_whole else whole[:end]


def create(file: Path, head: str, *, force: bool = False) -> None:
    """Write a journal without entries.

    Raises InputError if the head cannot be read, and as `write_whole` does.
    """
    data = with_check(head.encode())
    text = parse_journal(data, str(file))
    if text.lines or text.faults:
        raise InputError("a journal begins without entries", where=Where(str(file)))
    disk.write_whole(file, data, force=force)


def with_check(data: bytes) -> bytes:
    """Return the data of a journal, adding a check to the first line and a line end at the end if missing."""
    first, _, rest = data.partition(b"\n")
    end = b"\r\n" if first.endswith(b"\r") else b"\n"
    text = first.decode("utf-8-sig", "replace").rstrip()
    check = "" if seems_checked(text) else f" ~{compute_check(text)}"
    whole = b"%b%b%b%b" % (first.rstrip(), check.encode(), end, rest)
    return whole if whole.endswith(b"\n") else whole + end


def append_entries(file: Path, prepare: Prepare[T]) -> tuple[T, Path | None]:
    """Add entries by one write, which is on the disk at the end, while no other run adds any.

    Returns the result of `prepare`, and the file with a remnant that was set aside, or None.

    Raises InputError, adding nothing, if the journal is too large or cannot be written, and Unsettled if the entries
    may not be on the disk.
    """
    with disk.lock(file) as held:
        data = disk.read_bytes(held)
        lines, added = prepare(data)
        return added, append_held(held, data, lines) if lines else None


def append_held(file: Path, data: bytes, lines: Sequence[str], *, keeps_remnant: bool = True) -> Path | None:
    """Add lines to a journal locked by this run. Return the file with a remnant that was set aside, or None.

    `data`: the present content of the journal.
    `keeps_remnant`: whether a remnant is set aside, or else dropped.

    Raises InputError as `append_entries` does.
    """
    with located(Where(str(file))):  # a file too large to read again is refused
        Limit.FILE.check(len(data) + sum(len(line.encode()) + 2 for line in lines), "with this it would hold")
    whole, remnant = split_remnant(data)
    remnant_file = _set_aside(file, remnant) if remnant and keeps_remnant else None
    if remnant:
        disk.cut(file, len(whole))
    if not _LINE_CHECK.search(whole):
        whole = with_check(whole)
        _write_aside(file, whole, force=True)
    end = b"\r\n" if b"\r" in whole and b"\r\n" in whole else b"\n"  # the search for a single sign is much faster
    begin = b"" if whole.endswith(b"\n") else end
    disk.append(file, len(whole), begin + b"".join(line.encode() + end for line in lines))
    return remnant_file


def _set_aside(file: Path, remnant: bytes) -> Path:
    names = (file.with_name(f"{file.name}.remnant-{number}") for number in count(1))
    remnant_file = next(name for name in names if not disk.exists(name))
    _write_aside(remnant_file, remnant)
    return remnant_file


def _write_aside(file: Path, data: bytes, *, force: bool = False) -> None:
    """Write data that must be on the disk before entries are added.

    Raises InputError if they may not be on the disk.
    """
    try:
        disk.write_whole(file, data, force=force)
    except Unsettled as error:
        raise InputError(
            f"not written: {error.what}", where=error.where, hint="check that disk, and try again"
        ) from None


class JournalStore(Protocol):
    """A store for the data of a journal."""

    outlasts_process: bool
    """Whether the data last longer than the process."""

    def read(self) -> bytes: ...

    def append(self, prepare: Prepare[T]) -> tuple[T, Path | None]:
        """Add lines, and return the result of `prepare` and the file with a remnant that was set aside, or None.

        Raises InputError, adding nothing, if the lines cannot be written.
        """

    def mark(self) -> tuple[int, int]:
        """Return two numbers, at least one of which changes whenever the data do.

        Raises InputError if there are no data.
        """


class DiskStore:
    """The store of a journal in its file."""

    outlasts_process = True

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self) -> bytes:
        return disk.read_bytes(self.file)

    def append(self, prepare: Prepare[T]) -> tuple[T, Path | None]:
        return append_entries(self.file, prepare)

    def mark(self) -> tuple[int, int]:
        """Return the size of the file in bytes, and the time of its last change in nanoseconds.

        Raises InputError if the file does not exist.
        """
        try:
            status = disk.stat(self.file)
        except OSError as error:
            hint = "has it been moved or removed?"
            if is_of_the_machine(error):
                raise word_machine_error(error) from None
            raise InputError(error.strerror or str(error), where=Where(str(self.file)), hint=hint) from None
        return status.st_size, status.st_mtime_ns


class MemoryStore:
    """A store in memory, lost at the end of the process."""

    outlasts_process = False

    def __init__(self, data: bytes = b"") -> None:
        self._data = data
        self._count = 0  # number of times that the data were replaced

    def begin(self, data: bytes) -> None:
        self._data = data
        self._count += 1

    def read(self) -> bytes:
        return self._data

    def append(self, prepare: Prepare[T]) -> tuple[T, Path | None]:
        lines, added = prepare(self._data)
        self._data += b"".join(line.encode() + b"\n" for line in lines)
        return added, None

    def mark(self) -> tuple[int, int]:
        return len(self._data), self._count
