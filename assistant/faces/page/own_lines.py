"""What a side has entered at a served table, in a file of its own beside the journal that all share.

Each tap adds one line, with a check at its end. What the side has heard is in no file: it is what it sees of the shared
journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Annotated

import msgspec

from ...records.journal.entries import OpenQuestion
from ...records.journal.files import append
from ...records.journal.lines import compute_check, has_check
from ...records.journal.open_question import Asking
from ...util.files import read_bytes
from ...util.limits import last_within
from ...util.notes import note
from ...util.writing import make_folder, write_whole

ENDING = ".own"
"""The ending of the file."""
_MAX_BYTES = 4_000_000
_MAX_LINES = 1000
_KEPT_LETTERS = 1_000_000
"""How many letters the states have at most that stay when the file is written anew."""
_KEPT_LINES = 300
"""How many lines stay at most when the file is written anew."""
_CHECK_LETTERS = 5
"""How many letters the check takes at the end of a line."""


NOTHING = Asking()
"""What is asked where nothing is: the very object is left out of a line."""
NO_COMBAT = OpenQuestion()


class PrivateChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a line has changed at the side's own table alone, as states in JSON that hold no more than is needed."""

    before: str
    after: str
    saw: Annotated[str, note("what the side saw of the shared table there, empty for the same as `before`")] = ""


class OwnLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a tap of the side has done."""

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
        """How many letters the states in it have."""
        return sum(map(len, (self.private.before, self.private.after, self.private.saw))) if self.private else 0

    @property
    def changes_question(self) -> bool:
        """Whether something else is asked at the side's table after the line."""
        return self.asked != self.asks

    @property
    def posed(self) -> OpenQuestion:
        """The question that is open after the line, without what it takes for granted."""
        return _without_assumed(self.asks.question)

    @property
    def posed_before(self) -> OpenQuestion:
        """The question that was open before the line, without what it takes for granted."""
        return _without_assumed(self.asked.question)


def _without_assumed(question: OpenQuestion) -> OpenQuestion:
    return OpenQuestion(question.question, question.dice)


class OwnFile:
    """The file of a side. Raises MachineError if it cannot be read now.

    A file that is damaged is set aside; the lines before the damage count. A last line that was cut off is no line.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.lines: Sequence[OwnLine] = ()
        self.damaged: Path | None = None
        """Where a damaged file was set aside, or None if none was."""
        self._mark = (-1, 0)
        self.renew()

    def renew(self) -> bool:
        """Read the file again if something else has written it. Returns whether something has."""
        if (mark := self._look()) == self._mark:
            return False
        lines, whole, is_damaged = _read_lines(read_bytes(self.file) if mark[0] else b"")
        if is_damaged:
            self._set_aside(whole)
            mark = self._look()
        self.lines = lines
        self._mark = mark
        return True

    def _look(self) -> tuple[int, int]:
        try:
            about = self.file.stat()
        except FileNotFoundError:
            return 0, 0
        except OSError:
            return 1, 0  # reading it says why it cannot be read
        return about.st_size, about.st_mtime_ns

    def _set_aside(self, whole: bytes) -> None:
        """Put a copy of the damaged file beside it, and keep the lines before the damage."""
        names = (self.file.with_name(f"{self.file.name}.damaged-{number}") for number in count(1))
        aside = next(name for name in names if not name.exists())
        write_whole(aside, read_bytes(self.file))
        write_whole(self.file, whole, force=True)
        self.damaged = aside

    @property
    def is_long(self) -> bool:
        """Whether the file is so long that it is to be written anew."""
        return self._mark[0] > _MAX_BYTES or len(self.lines) > _MAX_LINES

    def last_lines(self) -> Sequence[OwnLine]:
        """Return the lines that stay when the file is written anew."""
        return last_within(_KEPT_LETTERS, self.lines[-_KEPT_LINES:], lambda line: line.letters)

    def add(self, line: OwnLine) -> None:
        """Add a line by one write. Raises InputError if it cannot be written, and then it is not added."""
        text = _write_line(line)
        if self._look()[0]:
            append(self.file, lambda _: ((text,), None), keeps_remnant=False)
        else:
            make_folder(self.file.parent)
            write_whole(self.file, f"{text}\n".encode(), force=True)
        self.lines = (*self.lines, line)
        self._mark = self._look()

    def begin(self, lines: Sequence[OwnLine]) -> None:
        """Write the file anew with other lines. Raises InputError if it cannot be written."""
        make_folder(self.file.parent)
        write_whole(self.file, b"".join(f"{_write_line(line)}\n".encode() for line in lines), force=True)
        self.lines = tuple(lines)
        self._mark = self._look()


def _write_line(line: OwnLine) -> str:
    text = msgspec.json.encode(line).decode()
    return f"{text} ~{compute_check(text)}"


def _read_lines(data: bytes) -> tuple[list[OwnLine], bytes, bool]:
    """Return the lines before the first that is damaged, the data that they take, and whether one is damaged."""
    lines = list[OwnLine]()
    size = 0
    *rows, last = data.rstrip(b"\0").split(b"\n")
    for row in rows:
        if (line := _read_line(row)) is None:
            return lines, data[:size], True
        lines.append(line)
        size += len(row) + 1
    if line := _read_line(last):  # only its line end is missing
        lines.append(line)
    return lines, data[:size], False


def _read_line(row: bytes) -> OwnLine | None:
    """Return the line in a row, or None if it is damaged."""
    try:
        text = row.decode()
        return msgspec.json.decode(text[:-_CHECK_LETTERS], type=OwnLine) if has_check(text) else None
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return None
