"""The lines of a side that count: those in the shared journal, and those that concern the side alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...records.journal.entries import JournalEntry, OpenQuestion, Strike
from ...records.journal.journal import Journal, split_lines
from ...records.journal.lines import compute_tap_mark
from .own_lines import OwnLine


def tap_of_all(side: str, tap: str) -> str:
    """Return the name that a tap of a side has on the shared table."""
    return f"{side} {tap}"


@lru_cache(10_000)
def mark_of_all(side: str, tap: str) -> str:
    """Return the mark that a tap of a side has in the shared journal."""
    return compute_tap_mark(tap_of_all(side, tap))


class StatedTaps:
    """The entries of the shared journal, by the tap that has made them."""

    def __init__(self) -> None:
        self._journal: Journal | None = None
        self._entries: Sequence[JournalEntry] = ()
        self._by_tap: dict[str, list[JournalEntry]] = {}

    def take(self, journal: Journal) -> None:
        """Add the entries of a journal that are not known yet."""
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

    def last(self, side: str, tap: str) -> int:
        """Return the number of the last entry that a tap of a side has made, or 0 if there is none."""
        made = self._by_tap.get(mark_of_all(side, tap))
        return made[-1].number if made else 0

    def changes(self, side: str, tap: str) -> list[JournalEntry]:
        """Return the entries that a tap of a side has made and that count, except strikes."""
        return [entry for entry in self._counting(side, tap) if not isinstance(entry.what, Strike)]

    def standing(self, side: str, tap: str) -> list[JournalEntry]:
        """Return the entries that a tap of a side has made and that are not struck.

        If the tap has made more than questions, and only questions are not struck, there are none.
        """
        made = self._by_tap.get(mark_of_all(side, tap), ())
        left = self._counting(side, tap)
        had, has = ([entry for entry in some if not isinstance(entry.what, OpenQuestion)] for some in (made, left))
        return left if has or not had else []

    def _counting(self, side: str, tap: str) -> list[JournalEntry]:
        assert self._journal
        struck = self._journal.counting.struck
        made = self._by_tap.get(mark_of_all(side, tap), ())
        return [entry for entry in made if entry.number not in struck]


class SideLine(NamedTuple):
    """An entered line of a side."""

    line: OwnLine
    place: int
    """The number of the shared journal's last entry when the line was entered, its own entries included."""
    counts: bool
    """Whether it is not undone."""
    entries: tuple[JournalEntry, ...]
    """Its entries in the shared journal that are not struck."""


def _list_entered(lines: Iterable[OwnLine], side: str, taps: StatedTaps) -> list[OwnLine]:
    """Return the entered lines of a side. Of lines with the same tap only the last one counts."""
    by_tap: dict[str, OwnLine] = {}
    for number, line in enumerate(lines):
        by_tap.pop(line.tap, None)  # a line stands where it was entered last
        by_tap[line.tap or f"#{number}"] = line
    return [line for line in by_tap.values() if not line.is_stated or taps.last(side, line.tap)]


def list_side_lines(lines: Iterable[OwnLine], side: str, taps: StatedTaps) -> list[SideLine]:
    """Return the lines of a side that are entered, except those that only undo or wish to.

    Of lines with the same tap the last one counts. A line that is for all is entered once the shared journal has
    entries of its tap, and counts as long as one of these does that is no question, if it has any. Any other line
    counts until an undo that counts takes it back.
    """
    entered = _list_entered(lines, side, taps)
    standing = {line.tap: tuple(taps.standing(side, line.tap)) for line in entered if line.is_stated}
    undone = {line.undoes for line in entered if line.undoes and (not line.is_stated or standing[line.tap])}
    found = list[SideLine]()
    for line in entered:
        if line.undoes or line.wishes:
            continue
        entries = standing.get(line.tap, ())
        place = taps.last(side, line.tap) if line.is_stated else line.last
        counts = bool(entries) if line.is_stated else line.tap not in undone
        found.append(SideLine(line, place, counts, entries))
    return found


def drop_spent_lines(lines: Sequence[OwnLine], recent: int, side: str, taps: StatedTaps) -> list[OwnLine]:
    """Return lines of a side without those that no longer matter, whatever others undo.

    `recent`: the number of the last lines, which stay in any case.
    """
    last = lines[-recent:]
    entered = _list_entered(lines, side, taps)
    gone = {line.undoes for line in entered if line.undoes and not line.is_stated}
    kept = {id(line) for line in entered if (line.private or line.is_stated) and line.tap not in gone}
    asking = [each.line for each in list_side_lines(lines, side, taps) if each.counts and each.line.changes_question]
    wishing = [line for line in lines if line.wishes]
    kept |= {id(line) for line in (*asking[-1:], *wishing[-1:], *last)}
    return [line for line in lines if id(line) in kept]
