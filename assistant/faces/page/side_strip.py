"""What has happened at a side's table, in words: its own lines, and what it has seen others do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import NamedTuple

from ...records.journal.entries import Amend, JournalEntry, Keep, OpenQuestion, Strike
from ...records.journal.journal import Journal, are_one_line, split_lines
from ...state.state import GameState
from ...util.errors import InputError
from .desk import ENTRIES
from .messages.table import EntryShown
from .own_lines import SideLine
from .undo import format_between

_ENTRIES_AT_ONCE = 2 * ENTRIES
"""Number of earlier entries that are put into words at once."""


class News(NamedTuple):
    """A line of the shared journal in words, as a side sees it."""

    number: int
    """The number of the line's last entry."""
    turn: int
    texts: tuple[str, ...]


class SharedNews:
    """What a side has seen happen on the shared table, line by line as the journal was written.

    A line that is struck later has happened too. Only the last lines are put into words.

    `sight`: what the side sees of a state.
    """

    def __init__(self, sight: Callable[[GameState], GameState]) -> None:
        self._sight = sight
        self._own: Collection[str] = ()  # the marks of the side's taps
        self._entries: Sequence[JournalEntry] = ()
        self._news: list[News] = []
        self._first = 0  # the index of the first entry of these news
        self._last: GameState | None = None  # the state after the last entry of these news

    def list_last(self, journal: Journal, own: Collection[str]) -> list[News]:
        """Return the last news of a journal, the oldest first: as many as the page shows, if there are so many.

        `own`: the marks of the side's taps, whose lines are no news.
        """
        entries = journal.entries
        self._own = own
        if self._last is None or not entries.goes_on(self._entries):
            self._news = []
            self._first = len(entries)
            self._last = journal.position().state
        elif len(entries) > len(self._entries):
            news, self._last = self._go_through(journal, len(self._entries), len(entries), self._last)
            self._news = _drop_older(self._news + news)
        self._entries = entries
        while self._first and sum(len(news.texts) for news in self._news) < ENTRIES:
            first = self._first - 1
            while first and (are_one_line(*entries[first - 1 : first + 1]) or first > self._first - _ENTRIES_AT_ONCE):
                first -= 1
            begin = journal.until(entries[first].number - 1).position().state
            self._news[:0], _ = self._go_through(journal, first, self._first, begin)
            self._first = first
        return self._news

    def _go_through(self, journal: Journal, first: int, end: int, before: GameState) -> tuple[list[News], GameState]:
        """Return the news of some lines, and the state after these lines.

        `first`, `end`: the indices of the first entry of the lines, and of the first one after them.
        `before`: the state before the lines.
        """
        news = list[News]()
        for stretch in _split(journal, first, end):
            last = stretch[-1][-1].number
            then = journal if last == journal.last else journal.until(last)
            if len(stretch) == 1:
                after = [then.position().state]
            else:  # no line of it corrects anything, so that each has a state after it
                count = sum(len(line) for line in stretch)
                states = [*then.books.states_from(len(then.counting.entries) - count)]
                ends = accumulate(len(line) for line in stretch)
                after = [states[at - 1] for at in ends]
            for line, state in zip(stretch, after, strict=True):
                if texts := self._word(journal, line, before, state):
                    news.append(News(line[-1].number, line[-1].turn, texts))
                before = state
        return news, before

    def _word(
        self, journal: Journal, line: Sequence[JournalEntry], before: GameState, after: GameState
    ) -> tuple[str, ...]:
        """Return the changes of a line in words, as the side sees them; nothing if the line is its own."""
        if all(isinstance(entry.what, OpenQuestion) for entry in line) or any(entry.tap in self._own for entry in line):
            return ()
        seen_before = self._sight(before)
        seen_after = self._sight(after)
        if seen_before != seen_after:
            with suppress(InputError):  # no line of notation states the change
                return tuple(format_between(journal, seen_before, seen_after))
        return ()


def _drop_older(news: Sequence[News]) -> list[News]:
    """Return the last news, with as many texts as the page shows."""
    kept = len(news)
    texts = 0
    while kept and texts < ENTRIES:
        kept -= 1
        texts += len(news[kept].texts)
    return [*news[kept:]]


def _split(journal: Journal, first: int, end: int) -> Iterator[list[Sequence[JournalEntry]]]:
    """Yield the lines of some entries in stretches. A line that is late or corrects something is a stretch by itself.

    `first`, `end`: the indices of the first entry, and of the first one after them.
    """
    stretch = list[Sequence[JournalEntry]]()
    entries = journal.entries
    turn = max((entry.turn for entry in entries[:first]), default=0)
    for line in split_lines(entries[first:end]):
        if any(isinstance(entry.what, Amend | Keep | Strike) or entry.turn < turn for entry in line):
            if stretch:
                yield stretch
            yield [line]
            stretch = []
        else:
            stretch.append(line)
        turn = max(turn, *(entry.turn for entry in line))
    if stretch:
        yield stretch


def list_remarks(journal: Journal, news: Iterable[News], lines: Iterable[SideLine]) -> tuple[EntryShown, ...]:
    """Return the last remarks on what has happened, the newest first.

    `news`: what others have done, the oldest first.
    `lines`: the side's own lines, the oldest first.
    """
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
