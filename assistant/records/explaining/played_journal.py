"""The passages of a journal: its entries, or only its turns for a side that may not open it."""

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
    """Return the entries of a journal that count as passages, in the order in which they take effect.

    They show everything, so a caller that reads for a side first checks that the journal is the side's own.

    `trust`: added to the trust of the journal's positions.
    `sight`: reduces each state to what the reader may see.
    """
    return _JournalPassages(journal, trust, sight).make_record()


def play_turns(journal: Journal, sight: Callable[[GameState], GameState]) -> PlayedRecord:
    """Return each turn of a journal as a passage, for a side that may not open the journal.

    The record contains the positions at the ends of turns, which the side may ask about (`FILE@TURN`), but no entries.

    `sight`: reduces each state to what the side may see.
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


_MAX_STATES_HELD = 300
"""The maximum number of entries whose states are kept; the oldest are dropped."""


class _States:
    """The states before and after each entry of a journal.

    Entries asked for in order are computed in one pass. A state that has been dropped is computed by itself.
    """

    def __init__(self, journal: Journal) -> None:
        self.books = journal.books
        numbers = [entry.number for entry in journal.counting.entries if not isinstance(entry.what, OpenQuestion)]
        self._left = {number: at for at, number in enumerate(numbers)}
        self._walk = self.books.walk_entries(self._left.keys())
        self._done = -1
        self._known: dict[int, tuple[GameState, GameState]] = {}

    def of(self, number: int) -> tuple[GameState, GameState]:
        if number not in self._known and self._left[number] > self._done:
            for passed, states in self._walk:
                self._known[passed], self._done = states, self._left[passed]
                if len(self._known) > _MAX_STATES_HELD:
                    del self._known[next(iter(self._known))]
                if passed == number:
                    break
        return self._known[number] if number in self._known else self.books.find_effect(number)[0]


class _JournalPassages:
    def __init__(self, journal: Journal, trust: Trust, sight: Callable[[GameState], GameState]) -> None:
        self.journal = journal
        self.books = journal.books
        self.trust = trust
        self.sight = sight
        self.states = _States(journal)

    def make_record(self) -> PlayedRecord:
        return PlayedRecord(
            self.journal.name, self.make_position(self.journal.start.state), self.list_passages(), is_log=False
        )

    def make_position(self, state: GameState) -> Position:
        seen = self.sight(state)
        return Position(self.journal.game, msgspec.structs.replace(seen, accepts=self.trust.over(seen.accepts)))

    def list_passages(self) -> Iterator[Passage]:
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
        """Return a function that returns the positions before and after the beginning of an entry's turn.

        `at`: the number of the previous entry, or 0 for the first entry.
        """
        return lambda: (
            self.make_position(self.states.of(at)[1] if at else self.books.state_after(0)),
            self.make_position(self.states.of(entry.number)[0]),
        )

    def make_passage(self, entry: JournalEntry) -> Passage:
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
            error.where = None  # the place of the error would be the line of the entry
            return Ruled(None, reason(error))

    return PlayedQuestion(asked or Asked("", {}), answers, ruled)
