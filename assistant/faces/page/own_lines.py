"""The lines that a side has entered at a served table, in a file of its own beside the shared journal.

Each tap adds one line, with a check at its end. What the side has heard of others is in no file: it is worked out from
the shared journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Annotated

import msgspec

from ...records.journal.entries import OpenQuestion
from ...records.journal.files import DiskStore, append_held, hold_journal, split_remnant
from ...records.journal.lines import compute_check, has_check
from ...records.journal.open_question import Asking
from ...util.errors import InputError, MachineError
from ...util.files import read_bytes
from ...util.limits import last_within
from ...util.notes import note
from ...util.writing import Unsettled, make_folder, write_whole

ENDING = ".own"
"""The ending of the file."""
_MAX_BYTES = 4_000_000
_MAX_LINES = 1000
_KEPT_LETTERS = 2_000_000
"""Maximum number of letters in the states of the lines that stay when the file is written anew."""
_KEPT_LINES = 800
"""Maximum number of lines that stay when the file is written anew."""
RECENT_LINES = 300
"""Number of the last lines that stay in any case when the file is written anew."""
_MISSING = (0, 0)
"""The mark of a file that is not there."""
_UNREAD = (-1, 0)
"""The mark of a file that must be read again."""
_CHECK_LETTERS = 5
"""Number of letters of the check at the end of a line."""


NOTHING = Asking()
"""The question of a table that asks nothing. A written line leaves out this very object, but no equal one."""
NO_COMBAT = OpenQuestion()


class PrivateChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change at the side's own table alone, as states in JSON that hold no more than it is about."""

    before: str
    after: str
    saw: Annotated[str, note("what the side saw of the shared table there, empty for the same as `before`")] = ""


class OwnLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line that a tap of the side has entered, undone, or wishes to undo."""

    tap: Annotated[str, note("the mark of the tap, empty for none")]
    words: Annotated[str, note("what `undo` takes back, in few words")] = ""
    turn: Annotated[str, note("the turn in which its table stood")] = ""
    texts: Annotated[tuple[str, ...], note("what was entered, in words")] = ()
    asked: Annotated[Asking, note("what was asked at its table before it")] = NOTHING
    asks: Annotated[Asking, note("what is asked there after it")] = NOTHING
    shared: Annotated[OpenQuestion, note("the combat of the shared table as the side saw it after the line")] = (
        NO_COMBAT
    )
    private: Annotated[PrivateChange | None, note("what is not on the shared table")] = None
    is_stated: Annotated[bool, note("whether it counts only as entries of the shared journal")] = False
    last: Annotated[int, note("the number of the last entry of the shared journal before it")] = 0
    undoes: Annotated[str, note("the mark of the tap that it takes back, empty for none")] = ""
    taps: Annotated[tuple[str, ...], note("the marks of the taps of earlier lines, for which this one stands")] = ()
    wishes: Annotated[str, note("the mark of the tap that the side would like to take back, empty for none")] = ""

    @property
    def letters(self) -> int:
        """The number of letters in the states of the line."""
        return sum(map(len, (self.private.before, self.private.after, self.private.saw))) if self.private else 0

    @property
    def changes_question(self) -> bool:
        """Whether the line has changed the open question of the side's table."""
        return self.asked != self.asks

    @property
    def posed(self) -> OpenQuestion:
        """The question that is open after the line, without what it takes for granted."""
        return _without_assumed(self.asks.question)

    @property
    def posed_before(self) -> OpenQuestion:
        """The question that was open before the line, without what it takes for granted."""
        return _without_assumed(self.asked.question)


def list_taps(lines: Iterable[OwnLine]) -> Iterator[str]:
    """Yield the marks of the taps of lines, and of those for which they stand."""
    for line in lines:
        yield from line.taps
        if line.tap:
            yield line.tap


def _without_assumed(question: OpenQuestion) -> OpenQuestion:
    return OpenQuestion(question.question, question.dice)


class OwnFile:
    """The file with a side's own lines. As in a journal, a last line that was cut off does not count.

    A damaged file is set aside, and the lines before the damage count. While the file cannot be read or set aside, the
    known lines count and none can be added.

    `say`: gets each remark for the host.
    """

    def __init__(self, file: Path, say: Callable[[str], object]) -> None:
        self.file = file
        self.lines: Sequence[OwnLine] = ()
        self.fault: InputError | None = None
        """Why no line can be added now, or None if one can."""
        self._say = say
        self._whole = b""  # what stands before the damage in a damaged file, else nothing
        self._mark = _UNREAD
        self.renew()

    def renew(self) -> None:
        """Read the file again if another program has written it."""
        if self._look() == self._mark != _UNREAD:
            return
        try:
            if not self._read():
                with hold_journal(self.file):
                    if not self._read():  # damaged still, although no other run is writing it
                        self._set_aside()
            self.fault = None
        except InputError as error:
            self.refuse(error)
            self._mark = _UNREAD

    def refuse(self, error: InputError) -> None:
        """Let no line be added until the file has been written by another program, or can be read again."""
        if self.fault is None or self.fault.what != error.what:
            self._say(f"the file of the side cannot be used, so that what it enters is refused: {error}")
        self.fault = error

    def _look(self) -> tuple[int, int]:
        try:
            return DiskStore(self.file).mark()
        except MachineError:
            return _UNREAD
        except InputError:
            return _MISSING

    def _read(self) -> bool:
        """Read the file if another program has written it. Returns whether it is undamaged.

        Raises InputError if it cannot be read.
        """
        if (mark := self._look()) == self._mark != _UNREAD:
            return True
        data = b"" if mark == _MISSING else read_bytes(self.file)
        lines, whole = _read_lines(data)
        is_damaged = len(whole) < len(split_remnant(data)[0]) or bool(data and not whole)
        is_less = not {*list_taps(self.lines)} <= {*list_taps(lines)} or (self.lines and not lines)
        if is_less and not is_damaged:
            self._say(f"{self.file} was removed or changed; what the side had entered for itself there is lost")
        self.lines = lines
        self._whole = whole if is_damaged else b""
        self._mark = _UNREAD if is_damaged else mark
        return not is_damaged

    def _set_aside(self) -> None:
        """Copy the damaged file beside itself, and keep only the lines before the damage in it."""
        aside = name_damaged(self.file)
        write_whole(aside, read_bytes(self.file))
        try:
            write_whole(self.file, self._whole, force=True)
        except Unsettled:
            raise
        except InputError:  # the next attempt makes another copy
            with suppress(OSError):
                aside.unlink()
            raise
        self._mark = self._look()
        self._say(f"the file of the side was damaged; a copy is at {aside}. What it held after the damage is lost")

    @property
    def is_long(self) -> bool:
        """Whether the file is so long that it must be written anew."""
        return self._mark[0] > _MAX_BYTES or len(self.lines) > _MAX_LINES

    def add(self, line: OwnLine) -> None:
        """Add a line in one write, after the lines that other runs have added.

        Raises InputError, adding nothing, if the line cannot be written.
        """
        text = _write_line(line)
        with self._hold() as file:
            if self._mark[0] > 0:
                append_held(file, read_bytes(file), (text,), keeps_remnant=False)
            else:
                write_whole(file, f"{text}\n".encode(), force=True)
            self.lines = (*self.lines, line)

    def begin(self, lines: Sequence[OwnLine]) -> None:
        """Write the file anew with other lines, unless another run has added lines since it was read.

        Raises InputError if it cannot be written.
        """
        known = self.lines
        with self._hold() as file:
            if self.lines is known:
                write_whole(file, b"".join(f"{_write_line(line)}\n".encode() for line in lines), force=True)
                self.lines = tuple(lines)

    @contextmanager
    def _hold(self) -> Iterator[Path]:
        """Lock the file, with all of its lines read. Raises InputError if it cannot be written."""
        make_folder(self.file.parent)
        with hold_journal(self.file) as file:
            if self.fault or not self._read():
                raise InputError("the file of the side cannot be used now")
            yield file
            self._mark = self._look()


def last_lines(lines: Sequence[OwnLine]) -> Sequence[OwnLine]:
    """Return the last lines, as many as may stay when the file is written anew."""
    return last_within(_KEPT_LETTERS, lines[-_KEPT_LINES:], lambda line: line.letters)


def name_damaged(file: Path) -> Path:
    """Return a free name beside a damaged file, for its copy."""
    names = (file.with_name(f"{file.name}.damaged-{number}") for number in count(1))
    return next(name for name in names if not name.exists())


def _write_line(line: OwnLine) -> str:
    text = msgspec.json.encode(line).decode()
    return f"{text} ~{compute_check(text)}"


def _read_lines(data: bytes) -> tuple[Sequence[OwnLine], bytes]:
    """Return the lines before the first damaged one, and the data of these lines."""
    whole, _ = split_remnant(data)
    lines = list[OwnLine]()
    size = 0
    for row in whole.splitlines(keepends=True):
        if (line := _read_line(row.rstrip(b"\r\n"))) is None:
            break
        lines.append(line)
        size += len(row)
    return lines, whole[:size]


def _read_line(row: bytes) -> OwnLine | None:
    try:
        text = row.decode()
        return msgspec.json.decode(text[:-_CHECK_LETTERS], type=OwnLine) if has_check(text) else None
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return None
