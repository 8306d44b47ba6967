"""The file of a journal: read even where it is damaged, and added to so that nothing is lost.

An entry is added by one write, which is on the disk when it is acknowledged, by one writer at a time. What was cut off by
a crash or a full disk loses that entry alone: its remnant is set aside when the next one is added.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

import msgspec

from ..util.errors import InputError, Where
from ..util.files import read_bytes, unwritable
from ..util.saving import Unsettled, write_whole
from .lines import Line, check_of, has_check, read_entry

VERSION = 1
_HEAD = re.compile(r"journal (\S+) (\d+)(?: ~[0-9a-z]{3})?")
_FIRST = re.compile(r"1 (\S+) \S")
_TURN = re.compile(r"\d{1,4}|[a-z]{3}\d\d/\d")


class JournalText(msgspec.Struct, frozen=True):
    """A journal's file. game: whose it is; head: the lines of the position from which it starts; lines: its entries;
    faults: lines that are not entries; remnant: what was cut off at its end.
    """

    game: str
    head: tuple[str, ...]
    lines: tuple[Line, ...]
    faults: tuple[InputError, ...] = ()
    remnant: bytes = b""


def read_journal(file: Path) -> JournalText:
    """The text of a journal's file. Raises InputError for one that cannot be read, or has no head."""
    return parse_journal(read_bytes(file), str(file))


def parse_journal(data: bytes, name: str) -> JournalText:
    """The text of a journal. name: of its file. Raises InputError for a text without the head of a journal."""
    whole, remnant = part_remnant(data)
    try:
        text = whole.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = whole[: error.start].count(b"\n") + 1
        raise InputError("this is not UTF-8 text", where=Where(name, line), hint="save it as UTF-8") from None
    rows = text.replace("\r\n", "\n").split("\n")
    head = _HEAD.fullmatch(rows[0].strip())
    if head is None:
        raise InputError("this is not a journal", where=Where(name, 1), hint="its first line is: journal GAME 1")
    if int(head[2][:9]) > VERSION:
        what = f"a newer version has written this journal ({head[2][:9]})"
        raise InputError(what, where=Where(name, 1), hint="update Field Staff")
    begin = next((at for at, row in enumerate(rows) if at and _begins(row)), len(rows))
    lines, faults = _entries(rows[begin:], begin + 1, name)
    if remnant:
        what = f"the last line is cut off: {remnant[:30].decode('utf-8', 'replace')!r}"
        hint = "the next entry sets it aside; if it is whole, end it with a line end"
        faults.append(InputError(what, where=Where(name, len(rows)), hint=hint))
    return JournalText(
        head[1], tuple(row for row in rows[1:begin] if row.strip()), tuple(lines), tuple(faults), remnant
    )


def _begins(row: str) -> bool:
    first = _FIRST.match(row)
    return first is not None and _TURN.fullmatch(first[1]) is not None


def _entries(rows: Sequence[str], first: int, name: str) -> tuple[list[Line], list[InputError]]:
    """The entries of rows, and a fault for each row that is not one. first: the line of the first row."""
    lines, faults = list[Line](), list[InputError]()
    for place, row in enumerate(rows, first):
        if not row.strip():
            continue
        expected = lines[-1].number + 1 if lines else 1
        try:
            line = read_entry(row, place)
            if line.number < expected:
                raise InputError(f"entry {line.number} is there already", hint=f"the next number is {expected}")
            if line.number > expected + sum(1 for fault in faults if fault.where):
                missing = InputError(
                    f"entry {expected} is missing before entry {line.number}", where=Where(name, place)
                )
                missing.hint = "entries are numbered one by one"
                faults.append(missing)
            lines.append(line)
        except InputError as error:
            faults.append(error.at(Where(name, place)))
    return lines, faults


def part_remnant(data: bytes) -> tuple[bytes, bytes]:
    """The data of a journal up to its last whole line, and what was cut off behind it: zeros, and a last line without its
    line end, unless its check fits or no other line has one.
    """
    kept = data.rstrip(b"\0")
    end = kept.rfind(b"\n") + 1
    last = kept[end:]
    if not last.strip() or not end:
        return kept, data[len(kept) :]
    text = last.decode("utf-8", "replace").rstrip("\r")
    checked = re.search(rb" ~[0-9a-z]{3}\r?\n", kept) is not None
    if has_check(text) or not (checked or len(kept) < len(data)):
        return kept, data[len(kept) :]
    return kept[:end], data[end:]


def create(file: Path, head: str, *, force: bool = False) -> None:
    """Write a journal without entries; the check of its first line says that all lines have one. head: its text. Raises
    InputError as `write_whole` does.
    """
    first, end, rest = head.partition("\n")
    write_whole(file, f"{first} ~{check_of(first)}{end}{rest}".encode(), force=force)


def append(file: Path, entries: Callable[[JournalText], Sequence[str]]) -> Path | None:
    """Add entries, by one write and a sync, while no other run does. Returns the file to which a remnant was set aside.

    entries: gives the lines for the journal as it stands then. Raises InputError if they cannot be written, and then
    nothing is added; Unsettled if they are in place, but perhaps not on the disk.
    """
    from filelock import FileLock, Timeout  # only here: most runs add nothing

    lock = FileLock(file.with_name(f".{file.name}.lock"), timeout=30, poll_interval=0.01)
    try:
        lock.acquire()
    except Timeout:
        raise InputError("another run is adding to it", where=Where(str(file)), hint="try again") from None
    except OSError as error:
        raise unwritable(error, file) from None
    try:
        data = read_bytes(file)
        lines = entries(parse_journal(data, str(file)))
        whole, remnant = part_remnant(data)
        aside = _set_aside(file, whole, remnant) if remnant else None
        begin = b"" if whole.endswith(b"\n") else b"\r\n" if b"\r\n" in whole else b"\n"
        _write(file, len(whole), begin + "".join(f"{line}\n" for line in lines).encode())
        return aside
    finally:
        lock.release()


def _set_aside(file: Path, whole: bytes, remnant: bytes) -> Path:
    """Put a remnant into a file of its own, and cut the journal back to its last whole line."""
    names = (file.with_name(f"{file.name}.remnant-{number}") for number in count(1))
    aside = next(name for name in names if not name.exists())
    write_whole(aside, remnant)
    try:
        with open(file, "r+b") as opened:
            opened.truncate(len(whole))
            os.fsync(opened.fileno())
    except OSError as error:
        raise unwritable(error, file) from None
    return aside


def _write(file: Path, size: int, data: bytes) -> None:
    """Write data at the end of a file, all of it or nothing. size: of the file so far."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise unwritable(error, file) from None
    written = 0
    try:
        written = os.write(handle, data)
        if written < len(data):
            raise OSError(28, "No space left on device")
        try:
            os.fsync(handle)
        except OSError as error:
            raise Unsettled(error, file) from None
    except OSError as error:
        if isinstance(error, InputError):
            raise
        with suppress(OSError):
            os.ftruncate(handle, size)
            os.fsync(handle)
        raise unwritable(error, file) from None
    finally:
        os.close(handle)
