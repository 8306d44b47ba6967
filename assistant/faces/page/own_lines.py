"""The lines that a side has entered at a served table, in a file beside the shared journal, and whether each counts.

Each tap adds one line, with a check at its end. The facts about others are not stored but computed from the shared
journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from ...records.journal.entries import JournalEntry, OpenQuestion, Strike
from ...records.journal.files import DiskStore, append_held, split_remnant
from ...records.journal.journal import Journal, split_lines
from ...records.journal.lines import compute_check, compute_tap_mark, has_check
from ...records.journal.open_question import Asking
from ...util import disk
from ...util.errors import InputError, MachineError
from ...util.limits import last_within
from ...util.notes import note
from ...util.writing import Unsettled

ENDING = ".own"
"""The suffix of the file."""
_MAX_BYTES = 4_000_000
_MAX_LINES = 1000
_MAX_CHARS_KEPT = 2_000_000
"""The maximum number of letters in the states of the lines that stay when the file is rewritten."""
_MAX_LINES_KEPT = 800
"""The maximum number of lines that stay when the file is rewritten."""
_MIN_LINES_KEPT = 300
"""The number of the last lines that stay in any case when the file is rewritten."""
_MISSING = (0, 0)
"""The mark of a missing file."""
_UNREAD = (-1, 0)
"""The mark of a file that must be read again."""
_CHECK_CHARS = 5
"""The length of the check at the end of a line."""
NOTHING = Asking()
"""The question of a table without one; a written line omits this very object, but no equal one."""
NO_COMBAT = OpenQuestion()


class PrivateChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change only at the side's own table, as states in JSON reduced to the changed units and facts."""

    before: str
    after: str
    saw: Annotated[str, note("the shared table there as the side saw it, empty if equal to `before`")] = ""


class OwnLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line that a tap of the side has entered or undone, or wishes to undo."""

    tap: Annotated[str, note("the mark of the tap, or empty")]
    words: Annotated[str, note("the line as `undo` names it")] = ""
    turn: Annotated[str, note("the turn at its table")] = ""
    texts: Annotated[tuple[str, ...], note("the entries in words")] = ()
    asked: Annotated[Asking, note("the open questions of its table before the line")] = NOTHING
    asks: Annotated[Asking, note("the open questions of its table after the line")] = NOTHING
    shared: Annotated[OpenQuestion, note("the combat of the shared table as the side saw it after the line")] = (
        NO_COMBAT
    )
    private: Annotated[PrivateChange | None, note("the part that is not on the shared table")] = None
    is_stated: Annotated[bool, note("whether the line counts only as entries of the shared journal")] = False
    last: Annotated[int, note("the number of the last entry of the shared journal before the line")] = 0
    undoes: Annotated[str, note("the mark of the tap that it takes back, or empty")] = ""
    taps: Annotated[tuple[str, ...], note("the marks of the taps of earlier lines that this line replaces")] = ()
    wishes: Annotated[str, note("the mark of the tap that the side wishes to take back, or empty")] = ""

    @property
    def letters(self) -> int:
        return sum(map(len, (self.private.before, self.private.after, self.private.saw))) if self.private else 0

    @property
    def changes_question(self) -> bool:
        return self.asked != self.asks

    @property
    def posed(self) -> OpenQuestion:
        """The open question after the line, without its assumptions."""
        return _without_assumed(self.asks.question)

    @property
    def posed_before(self) -> OpenQuestion:
        return _without_assumed(self.asked.question)


def _without_assumed(question: OpenQuestion) -> OpenQuestion:
    return OpenQuestion(question.question, question.dice)


def list_taps(lines: Iterable[OwnLine]) -> Iterator[str]:
    """Yield the marks of the taps of lines, and of the lines that they replace."""
    for line in lines:
        yield from line.taps
        if line.tap:
            yield line.tap


class OwnFile:
    """The file with a side's own lines.

    As in a journal, a last line that was cut off does not count. A damaged file is set aside, and the lines before the
    damage count. While the file cannot be read or set aside, no line can be added.

    `say`: gets each remark for the host.
    """

    def __init__(self, file: Path, say: Callable[[str], object]) -> None:
        self.file = file
        self.lines: Sequence[OwnLine] = ()
        self.fault: InputError | None = None
        """The reason why no line can be added now, or None."""
        self._say = say
        self._whole = b""  # the data before the damage, if the file is damaged
        self._mark = _UNREAD
        self.renew()

    def renew(self) -> None:
        if self._look() == self._mark != _UNREAD:
            return
        try:
            if not self._read():
                with disk.lock(self.file):
                    if not self._read():  # still damaged, although no other run is writing the file
                        self._set_aside()
            self.fault = None
        except InputError as error:
            self.refuse(error)
            self._mark = _UNREAD

    def refuse(self, error: InputError) -> None:
        """Refuse new lines until another program has written the file, or it can be read again."""
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
        """Read the file if another program has written it; return whether it is undamaged."""
        if (mark := self._look()) == self._mark != _UNREAD:
            return True
        data = b"" if mark == _MISSING else disk.read_bytes(self.file)
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
        """Copy the damaged file beside itself, and leave in it only the lines before the damage."""
        aside = name_damaged(self.file)
        disk.write_whole(aside, disk.read_bytes(self.file))
        try:
            disk.write_whole(self.file, self._whole, force=True)
        except Unsettled:
            raise
        except InputError:  # the next attempt makes another copy
            with suppress(OSError):
                disk.unlink(aside)
            raise
        self._mark = self._look()
        self._say(f"the file of the side was damaged; a copy is at {aside}. What it held after the damage is lost")

    @property
    def is_long(self) -> bool:
        return self._mark[0] > _MAX_BYTES or len(self.lines) > _MAX_LINES

    def add(self, line: OwnLine) -> None:
        """Add a line in one write, after those of other processes.

        Raises InputError, and adds no line, if that fails.
        """
        text = _write_line(line)
        with self._hold() as file:
            if self._mark[0] > 0:
                append_held(file, disk.read_bytes(file), (text,), keeps_remnant=False)
            else:
                disk.write_whole(file, f"{text}\n".encode(), force=True)
            self.lines = (*self.lines, line)

    def begin(self, lines: Sequence[OwnLine]) -> None:
        """Replace all lines of the file, unless another process has added some since they were read.

        Raises InputError if the file cannot be written.
        """
        known = self.lines
        with self._hold() as file:
            if self.lines is known:
                disk.write_whole(file, b"".join(f"{_write_line(line)}\n".encode() for line in lines), force=True)
                self.lines = tuple(lines)

    @contextmanager
    def _hold(self) -> Iterator[Path]:
        """Lock the file after reading all its lines, and yield it.

        Raises InputError if the file cannot be used.
        """
        disk.make_folder(self.file.parent)
        with disk.lock(self.file) as file:
            if self.fault or not self._read():
                raise InputError("the file of the side cannot be used now")
            yield file
            self._mark = self._look()


def name_damaged(file: Path) -> Path:
    """Return a free name for the copy of a damaged file."""
    names = (file.with_name(f"{file.name}.damaged-{number}") for number in count(1))
    return next(name for name in names if not disk.exists(name))


def _write_line(line: OwnLine) -> str:
    text = msgspec.json.encode(line).decode()
    return f"{text} ~{compute_check(text)}"


def _read_lines(data: bytes) -> tuple[Sequence[OwnLine], bytes]:
    """Return the lines before the first damaged line, and their data."""
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
        return msgspec.json.decode(text[:-_CHECK_CHARS], type=OwnLine) if has_check(text) else None
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return None


class SideLine(NamedTuple):
    """An entered line of a side."""

    line: OwnLine
    place: int
    """The number of the shared journal's last entry after the line was entered."""
    counts: bool
    """Whether the line has not been undone."""
    entries: tuple[JournalEntry, ...]
    """The line's entries in the shared journal that have not been struck."""


def list_side_lines(lines: Iterable[OwnLine], side: str, taps: StatedTaps) -> list[SideLine]:
    """Return the entered lines of a side, except those that only undo or wish to undo.

    Of lines with the same tap, the last one counts. A line stated for all is entered once the shared journal has
    entries of its tap, and it counts while one of these counts. Questions alone are enough only if the tap has no
    other entries. Any other line counts until a valid undo removes it.
    """
    entered = _list_entered(lines, side, taps)
    standing = {line.tap: tuple(taps.standing(side, line.tap)) for line in entered if line.is_stated}
    undone = {line.undoes for line in entered if line.undoes and (not line.is_stated or standing[line.tap])}
    found = list[SideLine]()
    for line in entered:
        if line.undoes or line.wishes:
            continue
        entries = standing.get(line.tap, ())
        place = taps.last_entry(side, line.tap) if line.is_stated else line.last
        counts = bool(entries) if line.is_stated else line.tap not in undone
        found.append(SideLine(line, place, counts, entries))
    return found


def _list_entered(lines: Iterable[OwnLine], side: str, taps: StatedTaps) -> list[OwnLine]:
    by_tap: dict[str, OwnLine] = {}
    for number, line in enumerate(lines):
        by_tap.pop(line.tap, None)  # a line entered again is listed where it was entered last
        by_tap[line.tap or f"#{number}"] = line
    return [line for line in by_tap.values() if not line.is_stated or taps.last_entry(side, line.tap)]


class StatedTaps:
    """The entries of the shared journal, by their taps."""

    def __init__(self) -> None:
        self._journal: Journal | None = None
        self._entries: Sequence[JournalEntry] = ()
        self._by_tap: dict[str, list[JournalEntry]] = {}

    def add_entries(self, journal: Journal) -> None:
        if journal is self._journal:
            return
        known = len(self._entries)
        if not journal.entries.goes_on(self._entries):
            known = 0
            self._by_tap = {}
        for line in split_lines(journal.entries[known:]):
            if tap := line[-1].tap:
                self._by_tap.setdefault(tap, []).extend(line)
        self._journal = journal
        self._entries = journal.entries

    def last_entry(self, side: str, tap: str) -> int:
        made = self._by_tap.get(mark_shared_tap(side, tap))
        return made[-1].number if made else 0

    def changes(self, side: str, tap: str) -> list[JournalEntry]:
        return [entry for entry in self._counting(side, tap) if not isinstance(entry.what, Strike)]

    def standing(self, side: str, tap: str) -> list[JournalEntry]:
        """Return the entries of a tap that have not been struck.

        Returns no entries if the tap made more than questions, and all entries except questions have been struck.
        """
        made = self._by_tap.get(mark_shared_tap(side, tap), ())
        counting = self._counting(side, tap)
        had, has = (
            [entry for entry in entries if not isinstance(entry.what, OpenQuestion)] for entries in (made, counting)
        )
        return counting if has or not had else []

    def _counting(self, side: str, tap: str) -> list[JournalEntry]:
        assert self._journal
        struck = self._journal.counting.struck
        made = self._by_tap.get(mark_shared_tap(side, tap), ())
        return [entry for entry in made if entry.number not in struck]


def name_shared_tap(side: str, tap: str) -> str:
    """Return the name of a side's tap on the shared table."""
    return f"{side} {tap}"


@lru_cache(10_000)
def mark_shared_tap(side: str, tap: str) -> str:
    """Return the mark of a side's tap in the shared journal."""
    return compute_tap_mark(name_shared_tap(side, tap))


def drop_spent_lines(lines: Sequence[OwnLine], side: str, taps: StatedTaps) -> list[OwnLine]:
    """Return the lines of a side that may still matter, whatever others undo, and always the last lines."""
    last = lines[-_MIN_LINES_KEPT:]
    entered = _list_entered(lines, side, taps)
    undone = {line.undoes for line in entered if line.undoes and not line.is_stated}
    kept_ids = {id(line) for line in entered if (line.private or line.is_stated) and line.tap not in undone}
    asking = [each.line for each in list_side_lines(lines, side, taps) if each.counts and each.line.changes_question]
    wishing = [line for line in lines if line.wishes]
    kept_ids |= {id(line) for line in (*asking[-1:], *wishing[-1:], *last)}
    return [line for line in lines if id(line) in kept_ids]


def last_lines(lines: Sequence[OwnLine]) -> Sequence[OwnLine]:
    """Return the last lines that may stay when the file is rewritten."""
    return last_within(_MAX_CHARS_KEPT, lines[-_MAX_LINES_KEPT:], lambda line: line.letters)
