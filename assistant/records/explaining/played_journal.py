"""What was played in a journal: its entries, or only its turns for a side that may not open it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

import msgspec

from ...formats.positions import Asked, Position
from ...service import ask
from ...state.state import GameState
from ...state.trust import AS_STATED, Trust
from ...util.errors import InputError, MachineError
from ..journal.entries import TURN, Answer, Fact, JournalEntry, OpenQuestion, TurnBegins, write_what
from ..journal.journal import Journal
from ..journal.open_question import posed_entry
from .played import Passage, PlayedMoment, PlayedQuestion, PlayedRecord, Ruled
from .record import reason


def play_journal(
    journal: Journal,
    trust: Trust = AS_STATED,
    sight: Callable[[GameState], GameState] = lambda state: state,
) -> PlayedRecord:
    """Return what was played in a journal: its entries that count, in the order in which they take effect. trust:
    over that of its positions; sight: with whose eyes each state is read.

    A journal shows everything: whoever reads it for a side checks first that it is the side's own.
    """
    return _JournalPassages(journal, trust, sight).make_record()


def play_turns(journal: Journal, sight: Callable[[GameState], GameState]) -> PlayedRecord:
    """Return what a journal shows of each turn to a side that may not open it: its positions at the ends of turns,
    which the side may ask about (`FILE@TURN`), and nothing of its entries, not even how many there are.

    sight: with whose eyes each state is read.
    """
    books = journal.books
    game = journal.game

    def position(state: GameState) -> Position:
        return Position(game, sight(state))

    def passages() -> Iterator[Passage]:
        first = books.rules.turn_of(journal.start.state) or books.rules.calendar.first
        for number, turn in enumerate(range(first, journal.turn + 1), 1):
            before = journal.start.state if turn == first else books.state_at(turn - 1)
            ends = position(before), position(books.state_at(turn))
            when = PlayedMoment(books.rules.calendar.label(turn))
            yield Passage("turn", number, number, partial(_as_pair, ends), when=when)

    return PlayedRecord(journal.name, position(journal.start.state), passages(), is_log=False, by_turns=True)


def _as_pair(ends: tuple[Position, Position]) -> tuple[Position, Position]:
    return ends


_MOST_STATES = 300
"""How many entries of a journal have their states kept, those asked for last."""


class _States:
    """The states before and after the entries of a journal: worked out in one go as far as they are asked for in order,
    and each by itself once it has passed out of what is kept.
    """

    def __init__(self, journal: Journal) -> None:
        self.books = journal.books
        numbers = [entry.number for entry in journal.counting.entries if not isinstance(entry.what, OpenQuestion)]
        self._left = {number: at for at, number in enumerate(numbers)}
        self._walk = self.books.walk_entries(self._left.keys())
        self._done = -1
        self._known: dict[int, tuple[GameState, GameState]] = {}

    def of(self, number: int) -> tuple[GameState, GameState]:
        """Return the states before an entry, in its turn, and after it. Raises InputError for one that cannot take
        effect.
        """
        if number not in self._known and self._left[number] > self._done:
            for passed, states in self._walk:
                self._known[passed], self._done = states, self._left[passed]
                if len(self._known) > _MOST_STATES:
                    del self._known[next(iter(self._known))]
                if passed == number:
                    break
        return self._known[number] if number in self._known else self.books.find_effect(number)[0]


class _JournalPassages:
    """A journal while its passages are gone through."""

    def __init__(self, journal: Journal, trust: Trust, sight: Callable[[GameState], GameState]) -> None:
        self.journal = journal
        self.books = journal.books
        self.trust = trust
        self.sight = sight
        self.states = _States(journal)

    def make_record(self) -> PlayedRecord:
        """Return all of it."""
        return PlayedRecord(
            self.journal.name, self.make_position(self.journal.start.state), self.list_passages(), is_log=False
        )

    def make_position(self, state: GameState) -> Position:
        """Return a position as it is read."""
        seen = self.sight(state)
        return Position(self.journal.game, msgspec.structs.replace(seen, accepts=self.trust.over(seen.accepts)))

    def list_passages(self) -> Iterator[Passage]:
        """Yield the entries that count, but for questions that are only open, and the turns that begin with them."""
        faulty = {number for number, _ in self.books.faults}
        at = 0
        turn = self.books.rules.turn_of(self.journal.start.state)
        for entry in self.journal.counting.entries:
            if entry.number in faulty or isinstance(entry.what, OpenQuestion):
                continue
            if entry.turn > turn:
                yield Passage("turn", entry.number, entry.number, self.find_turn_ends(at, entry), text=TURN)
            at = entry.number
            turn = entry.turn
            if not isinstance(entry.what, TurnBegins):
                yield self.make_passage(entry)

    def find_turn_ends(self, at: int, entry: JournalEntry) -> Callable[[], tuple[Position, Position]]:
        """Return the positions between which the turn of an entry begins. at: the number of the entry before it, 0 for
        none.
        """
        return lambda: (
            self.make_position(self.states.of(at)[1] if at else self.books.state_after(0)),
            self.make_position(self.states.of(entry.number)[0]),
        )

    def make_passage(self, entry: JournalEntry) -> Passage:
        """Return an entry that is not a turn."""

        def positions() -> tuple[Position, Position]:
            before, after = self.states.of(entry.number)
            return self.make_position(before), self.make_position(after)

        text = write_what(entry.what, self.journal.game, self.journal.rules.events)
        number = entry.number
        what = entry.what
        if isinstance(what, Answer):
            return Passage(
                "question",
                number,
                number,
                positions,
                text=text,
                changes=what.changes,
                question=_make_question(lambda: positions()[0], what),
            )
        return Passage("fact" if isinstance(what, Fact) else "event", number, number, positions, text=text)


def _make_question(before: Callable[[], Position], answer: Answer) -> PlayedQuestion:
    """Return an answer of a journal with its own dice. before: the position before it."""
    asked, answers = posed_entry(OpenQuestion(answer.question, answer.dice))

    @cache
    def ruled() -> Ruled:
        if asked is None:
            return Ruled(None, "the entry names no question")
        try:
            return Ruled(ask(before(), asked, answers))
        except MachineError:
            raise
        except InputError as error:
            error.where = None  # its line is that of the entry
            return Ruled(None, reason(error))

    return PlayedQuestion(asked or Asked("", {}), answers, ruled)
