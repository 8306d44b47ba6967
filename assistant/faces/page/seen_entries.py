"""The entries of the shared journal as a side sees them, and the remarks at its table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ...formats.positions import Position
from ...game.games import Game
from ...game.viewpoint import reduce_state
from ...records.journal.entries import Amend, JournalEntry, Keep, OpenQuestion, Strike, TurnBegins
from ...records.journal.journal import Journal, are_one_line, split_lines
from ...records.journal.journal_text import format_entry
from ...state.state import HIDDEN, INVISIBLE, MASKED, UNSEEN, FactKey, GameState
from ...util.errors import InputError
from .disclosure import without_silence
from .messages.table import EntryShown
from .own_lines import SideLine
from .table_view import format_line

MAX_ENTRIES_SHOWN = 40
"""The maximum number of entries shown."""
_CHANGE_WITHOUT_LINE = "a change that no line states"
"""The words for an entry whose change cannot be stated as a line of notation."""
_MAX_ENTRIES_AT_ONCE = 2 * MAX_ENTRIES_SHOWN
"""The maximum number of earlier entries that are worded at once."""
States = tuple[GameState, GameState]
"""The states before and after a change."""
Subjects = frozenset[FactKey]
"""Facts, units (each with all its stated facts), and places that units enter or leave."""


def see_state(game: Game, state: GameState, side: str) -> GameState:
    """Return a state as a side sees it."""
    return without_silence(game, reduce_state(game, state, side))


def find_touched(journal: Journal, entry: JournalEntry, side: str, states: States | None = None) -> Subjects:
    """Return the facts, units and places that an entry states or changes, as far as a side sees them.

    `states`: the states before and after the entry, or None to compute them.
    """
    with suppress(InputError):
        before, after = _states_seen(journal, entry, side, states)
        moved = {id for id in {*before.units, *after.units} if before.units.get(id) != after.units.get(id)}
        changed = {key for key in {*before.facts, *after.facts} if before.facts.get(key) != after.facts.get(key)}
        touched = {("unit", id) for id in moved}
        touched |= {("place", place) for place in _find_places(journal.game, before, after, moved)}
        for name, subject in changed:
            is_of_unit = journal.game.tracks[name].on == "unit"
            touched.add(("unit" if is_of_unit else name, subject))
            if name == UNSEEN:  # unseen units have come to this place or left it
                touched.add(("place", subject))
        return frozenset(touched)
    return frozenset()


def _find_places(game: Game, before: GameState, after: GameState, moved: Iterable[str]) -> set[str]:
    places = set[str]()
    for id in moved:
        way = {unit.place if unit else None for unit in (before.units.get(id), after.units.get(id))}
        if len(way) > 1:
            places.update(place for place in way if place)
    return places - {*game.file.boxes}


def _states_seen(journal: Journal, entry: JournalEntry, side: str, states: States | None = None) -> States:
    """Return the states before and after an entry, as a side sees them.

    Raises InputError if the entry cannot take effect.
    """
    before, after = states or _states_around(journal, getattr(entry.what, "target", entry.number))
    return see_state(journal.game, before, side), see_state(journal.game, after, side)


def _states_around(journal: Journal, number: int) -> States:
    """Return the states before and after an entry; if it begins a turn, the first state is the one before the turn.

    Raises InputError if the entry cannot take effect.
    """
    before, after = journal.books.find_effect(number)[0]
    entries = journal.counting.entries
    entry = next(entry for entry in entries if entry.number == number)
    if isinstance(entry.what, TurnBegins):
        before = journal.books.state_before_turn(entry.turn)
    return before, after


def corrects(entry: JournalEntry) -> bool:
    """Return whether an entry corrects earlier ones."""
    return isinstance(entry.what, Amend | Keep | Strike)


def format_seen(journal: Journal, entries: Iterable[JournalEntry], side: str) -> Iterator[str]:
    """Yield the changes of each entry that a side sees, in words, or none for an entry without such changes.

    `side`: the side, or "" for everything; then entries have their words as entered.
    """
    for entry in entries:
        if not side:
            yield format_line(format_entry(journal, entry))
        elif find_touched(journal, entry, side):
            lines = list[str]()
            with suppress(InputError):
                before, after = _states_seen(journal, entry, side)
                lines = format_between(journal, before, after)
            yield "; ".join(lines) or _CHANGE_WITHOUT_LINE


def format_between(journal: Journal, before: GameState, after: GameState) -> list[str]:
    """Return the changes from one state to another in words, without the signs of unseen units.

    Raises InputError if a change cannot be stated as a line of notation.
    """
    was = Position(journal.game, drop_signs(before))
    now = Position(journal.game, drop_signs(after))
    lines = [format_line(line) for line in journal.lines_between(was, now)]
    return [f"{line.rstrip()} no units" if line.rstrip().endswith(":") else line for line in lines]


def drop_signs(state: GameState, also: Collection[str] = ()) -> GameState:
    """Return a state without the signs of unseen units and facts.

    `also`: further tracks whose facts are left out.
    """
    dropped = {UNSEEN, HIDDEN, MASKED, INVISIBLE, *also}
    facts = {key: fact for key, fact in state.facts.items() if key[0] not in dropped}
    return msgspec.structs.replace(state, facts=MappingProxyType(facts))


class News(NamedTuple):
    """A line of the shared journal in words, as a side sees it."""

    number: int
    """The number of the line's last entry."""
    turn: int
    texts: tuple[str, ...]


class SharedNews:
    """The changes of the shared table that a side has seen, line by line in the order of the journal.

    A line that is struck later is included. Only the last lines are worded.

    `sight`: returns a state as the side sees it.
    """

    def __init__(self, sight: Callable[[GameState], GameState]) -> None:
        self._sight = sight
        self._own: Collection[str] = ()  # the marks of the side's taps
        self._entries: Sequence[JournalEntry] = ()
        self._news: list[News] = []
        self._first = 0  # the index of the first entry in `_news`
        self._last: GameState | None = None  # the state after the last entry in `_news`

    def list_last(self, journal: Journal, own: Collection[str]) -> list[News]:
        """Return the last news of a journal, the oldest first: at least as many as the page shows.

        `own`: the marks of the side's taps; lines of these taps are no news.
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
        while self._first and sum(len(news.texts) for news in self._news) < MAX_ENTRIES_SHOWN:
            first = self._first - 1
            while first and (
                are_one_line(*entries[first - 1 : first + 1]) or first > self._first - _MAX_ENTRIES_AT_ONCE
            ):
                first -= 1
            begin = journal.until(entries[first].number - 1).position().state
            self._news[:0], _ = self._go_through(journal, first, self._first, begin)
            self._first = first
        return self._news

    def _go_through(self, journal: Journal, first: int, end: int, before: GameState) -> tuple[list[News], GameState]:
        """Return the news of the entries from `first` to before `end`, and the state after them.

        `before`: the state before them.
        """
        news = list[News]()
        for line, state in walk_lines(journal, first, end):
            if texts := self._word(journal, line, before, state):
                news.append(News(line[-1].number, line[-1].turn, texts))
            before = state
        return news, before

    def _word(
        self, journal: Journal, line: Sequence[JournalEntry], before: GameState, after: GameState
    ) -> tuple[str, ...]:
        """Return the changes of a line in words, as the side sees them, or none if the line is its own."""
        if all(isinstance(entry.what, OpenQuestion) for entry in line) or any(entry.tap in self._own for entry in line):
            return ()
        seen_before = self._sight(before)
        seen_after = self._sight(after)
        if seen_before != seen_after:
            with suppress(InputError):  # no line of notation states the change
                return tuple(format_between(journal, seen_before, seen_after))
        return ()


def _drop_older(news: Sequence[News]) -> list[News]:
    kept = len(news)
    texts = 0
    while kept and texts < MAX_ENTRIES_SHOWN:
        kept -= 1
        texts += len(news[kept].texts)
    return [*news[kept:]]


def walk_lines(journal: Journal, first: int, end: int) -> Iterator[tuple[Sequence[JournalEntry], GameState]]:
    """Yield each line of the entries from `first` to before `end`, with the state when it had just been entered."""
    for stretch in _split(journal, first, end):
        last = stretch[-1][-1].number
        then = journal if last == journal.last else journal.until(last)
        if len(stretch) == 1:
            after = [then.position().state]
        else:  # no line of the stretch is a correction, so each line has a state after it
            count = sum(len(line) for line in stretch)
            states = [*then.books.states_from(len(then.counting.entries) - count)]
            ends = accumulate(len(line) for line in stretch)
            after = [states[at - 1] for at in ends]
        yield from zip(stretch, after, strict=True)


def _split(journal: Journal, first: int, end: int) -> Iterator[list[Sequence[JournalEntry]]]:
    """Yield the lines of the entries from `first` to before `end` in stretches.

    A line that is late or corrects another is a stretch of its own.
    """
    stretch = list[Sequence[JournalEntry]]()
    entries = journal.entries
    turn = max((entry.turn for entry in entries[:first]), default=0)
    for line in split_lines(entries[first:end]):
        if any(corrects(entry) or entry.turn < turn for entry in line):
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
    """Return the last remarks, the newest first.

    `news`: the changes by others, the oldest first.
    `lines`: the side's own lines, the oldest first.
    """
    remarks = list[tuple[int, str, str, bool]]()
    for each in news:
        remarks += [(each.number, journal.label(each.turn), text, False) for text in each.texts]
    for own in lines:
        remarks += [(own.place, own.line.turn, text, not own.counts) for text in own.line.texts]
    remarks.sort(key=lambda remark: remark[0])
    shown = remarks[-MAX_ENTRIES_SHOWN:]
    entries = [
        EntryShown(number=number, turn=turn, text=text, struck=is_struck)
        for number, (_, turn, text, is_struck) in enumerate(shown, 1)
    ]
    return tuple(reversed(entries))
