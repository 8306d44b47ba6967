"""What has happened at the table of a side, in words: its own lines, and what it has seen others do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ...records.journal.entries import JournalEntry, OpenQuestion
from ...records.journal.journal import Journal
from ...state.state import GameState
from ...util.errors import InputError
from .desk import ENTRIES
from .messages.table import EntryShown
from .side_taps import SideLine
from .undo import format_between

_CHUNK = 2 * ENTRIES
"""How many entries of a journal are gone through at once."""


class News(NamedTuple):
    """What a line of the shared journal comes to, as a side sees it."""

    number: int
    """The number of its last entry."""
    turn: int
    taps: frozenset[str]
    texts: tuple[str, ...]


class SharedNews:
    """What a side has seen happen on the shared table, worked out for the last lines alone."""

    def __init__(self, sight: Callable[[GameState], GameState]) -> None:
        self._sight = sight
        self._entries: Sequence[JournalEntry] = ()
        self._news: list[News] = []
        self._first = 0  # the index of the first entry that is gone through
        self._last: GameState | None = None  # the state after the entries

    def list_last(self, journal: Journal, is_own: Callable[[News], bool]) -> list[News]:
        """Return the last news of a journal, the oldest first: enough of them to be shown, except those of the side's
        own lines.
        """
        entries = journal.counting.entries
        known = self._count_known(entries)
        if not self._entries or known < self._first:
            known = self._first = len(entries)
            self._news = []
        numbers = {entry.number for entry in entries[self._first : known]}
        self._news = [news for news in self._news if news.number in numbers]
        self._news += self._go_through(journal, known, len(entries))
        self._entries = entries
        while self._first and sum(1 for news in self._news if news.texts and not is_own(news)) < ENTRIES:
            first = self._find_line(entries, max(self._first - _CHUNK, 0))
            self._news[:0] = self._go_through(journal, first, self._first)
            self._first = first
        return [news for news in self._news if news.texts and not is_own(news)]

    def _count_known(self, entries: Sequence[JournalEntry]) -> int:
        """Return how many of the first entries are as they were, without the last line if that has gone on."""
        known = self._entries
        count = min(len(known), len(entries))
        at = next((at for at in range(count) if known[at] is not entries[at] and known[at] != entries[at]), count)
        return self._find_line(entries, at)

    @staticmethod
    def _find_line(entries: Sequence[JournalEntry], at: int) -> int:
        """Return the index of the first entry of the line in which an entry stands."""
        while at and at < len(entries) and entries[at - 1].more:
            at -= 1
        return at

    def _go_through(self, journal: Journal, first: int, end: int) -> Iterator[News]:
        """Yield the news of the lines of some entries, by their indices."""
        if first >= end:
            return
        entries = journal.counting.entries
        states = journal.books.states_from(first - 1) if first else journal.books.states_from(0)
        before = next(states) if first else journal.start.state
        line = list[JournalEntry]()
        for entry, after in zip(entries[first:end], states, strict=False):
            line.append(entry)
            if entry.more and entry is not entries[end - 1]:
                continue
            taps = frozenset(each.tap for each in line if each.tap)
            is_question = all(isinstance(each.what, OpenQuestion) for each in line)
            yield News(entry.number, entry.turn, taps, () if is_question else self._word(journal, before, after))
            before = after
            line = []

    def _word(self, journal: Journal, before: GameState, after: GameState) -> tuple[str, ...]:
        seen_before = self._sight(before)
        seen_after = self._sight(after)
        try:
            return () if seen_before == seen_after else tuple(format_between(journal, seen_before, seen_after))
        except InputError:  # what no line states
            return ()


def list_remarks(journal: Journal, news: Iterable[News], lines: Iterable[SideLine]) -> tuple[EntryShown, ...]:
    """Return what is shown of what has happened, the newest first. news, lines: the oldest first."""
    remarks = list[tuple[int, str, str, bool]]()
    for each in news:
        remarks += [(each.number, journal.label(each.turn), text, False) for text in each.texts]
    for own in lines:
        remarks += [(own.place, own.line.turn, text, not own.counts) for text in own.line.texts]
    remarks.sort(key=lambda remark: remark[0])
    shown = remarks[-ENTRIES:]
    entries = [
        EntryShown(number=number, turn=turn, text=text, struck=is_struck)
        for number, (_, turn, text, is_struck) in enumerate(shown, 1)
    ]
    return tuple(reversed(entries))
