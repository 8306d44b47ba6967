"""What was played, in order: the passages of a record of play, from a log or from a journal alike.

A passage is a question with its dice, a turn that begins, an event or a fact that was entered, or what moved between
two of these. Each begins in the position in which the one before it ends.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property, partial
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from ...asking.question import find_viewpoint, viewpoint_title
from ...asking.report import Report
from ...asking.view import View
from ...formats.positions import Asked, Position, Record, Throw
from ...game.course import course_file, read_calendar
from ...game.games import Game
from ...service import ask
from ...state.changes import AnyChange
from ...state.state import GameState
from ...state.tracks import Value
from ...state.trust import AS_STATED, Trust
from ...util.errors import InputError, MachineError
from ...util.notes import note
from ..journal.entries import TURN, Answer, Fact, JournalEntry, OpenQuestion, TurnBegins, write_what
from ..journal.journal import Journal
from ..journal.open_question import posed_entry
from .explanation import ExplainedQuestion, explain
from .record import AnnotatedRecord, Disagreement, LogStretch, reason

Kind = Literal["question", "turn", "event", "fact", "moves"]
"""What a passage is: a question with its dice and choices, a turn that begins, an event or a fact of a journal, or what
a log shows to have changed between two questions.
"""


class PlayedMoment(NamedTuple):
    """When something was played, as the facts of the position tell it; each part is "" if they do not."""

    turn: str = ""
    """As the game writes it."""
    phase: str = ""
    """Its title."""
    phasing: str = ""
    """The side whose player turn it is."""

    def label(self, game: Game) -> str:
        """Return the moment in words, such as `turn 3, Attack Phase (Russian)`; "" if nothing is known of it."""
        side = game.file.title_of(self.phasing) if self.phasing else ""
        phase = f"{self.phase} ({side})" if self.phase and side else self.phase or side
        if not self.turn:
            return phase
        return f"turn {self.turn}, {phase}" if phase else f"turn {self.turn}"


def _read_moment(game: Game, state: GameState) -> PlayedMoment:
    """Return when it is in a position. Raises InputError for a fault in the game's course of play."""
    course = course_file(game)
    turn = _read_game_fact(state, course.turns.track)
    phase = _read_game_fact(state, "phase")
    phasing = _read_game_fact(state, "phasing")
    titles = (declared.title for declared in course.phase if phase and declared.word == phase)
    label = read_calendar(game, course).label(turn) if isinstance(turn, int) else str(turn or "")
    return PlayedMoment(label, next(titles, str(phase or "")), str(phasing or ""))


def _read_game_fact(state: GameState, track: str) -> Value | None:
    fact = state.facts.get((track, ""))
    return fact.value if fact else None


class Ruled(NamedTuple):
    """What the rules make of a question with its dice and choices: the answer, or why it cannot be asked."""

    report: Report[Any] | None
    why_not: str = ""


class PlayedQuestion(NamedTuple):
    """A question as it was played. A journal holds no answers of the rules: each is asked for when it is first
    needed.
    """

    asked: Annotated[Asked, note("the question and its parameters, as typed")]
    answers: Annotated[Mapping[str, str], note("all dice and choices by name, as typed")]
    ruled: Annotated[Callable[[], Ruled], note("what the rules make of it")]
    throws: Annotated[Mapping[str, Throw], note("the dice of a log by the name of the roll: faces, step, player")] = {}
    guessed: Annotated[frozenset[str], note("choices that only the map of a log shows")] = frozenset()
    in_order: Annotated[frozenset[str], note("rolls of a log matched to throws by their order only")] = frozenset()
    waiting: Annotated[
        tuple[Throw, ...], note("throws of a log that may answer it once what is missing is stated")
    ] = ()
    differs: Annotated[tuple[Disagreement, ...], note("where a log has it otherwise than the rules")] = ()

    @property
    def report(self) -> Report[Any] | None:
        """The answer by the rules with these dice and choices, None if it cannot be asked."""
        return self.ruled().report

    @property
    def why_not(self) -> str:
        """Why it cannot be asked, "" if it can."""
        return self.ruled().why_not


class Passage:
    """One passage of a record of play.

    number, last: the steps of a log after which it begins and with which it ends; of a journal the number of its entry.
    text: an entry of a journal in its own words; changes: what the record carries out; when: the moment, if its first
    position does not state it.
    """

    def __init__(
        self,
        kind: Kind,
        number: int,
        last: int,
        positions: Callable[[], tuple[Position, Position]],
        *,
        text: str = "",
        changes: tuple[AnyChange, ...] = (),
        question: PlayedQuestion | None = None,
        when: PlayedMoment | None = None,
    ) -> None:
        self.kind = kind
        self.number = number
        self.last = last
        self.text = text
        self.changes = changes
        self.question = question
        self._positions = positions
        self._when = when

    @property
    def asked(self) -> str:
        """The name of the question, "" for any other passage."""
        return self.question.asked.question if self.question is not None else ""

    @property
    def has_answers(self) -> bool:
        """Whether it is a question that took dice or choices."""
        return self.question is not None and bool(self.question.answers)

    @cached_property
    def _both_ends(self) -> tuple[Position, Position]:
        return self._positions()

    @property
    def before(self) -> Position:
        """The position in which it begins. Raises InputError where it cannot be read."""
        return self._both_ends[0]

    @property
    def after(self) -> Position:
        """The position in which it ends. Raises InputError where it cannot be read."""
        return self._both_ends[1]

    @cached_property
    def when(self) -> PlayedMoment:
        """When it is played, if that was not said; a turn that begins is of that turn."""
        if self._when is not None:
            return self._when
        at = self.after if self.kind == "turn" else self.before
        return _read_moment(at.game, at.state)


class PlayedRecord:
    """A game as it was played: its passages, read once and then iterated as often as wanted.

    start: the position in which it begins; by_lines: whether only throws and typed lines of a log count as steps;
    by_turns: whether each turn is one passage, numbered from 1; unexplained: throws of a log with no known purpose.
    """

    def __init__(
        self,
        file: str,
        start: Position,
        passages: Iterable[Passage],
        *,
        is_log: bool,
        by_lines: bool = False,
        by_turns: bool = False,
        unexplained: tuple[Throw, ...] = (),
    ) -> None:
        self.file = file
        self.game = start.game
        self.start = start
        self.is_log = is_log
        self.by_lines = by_lines
        self.by_turns = by_turns
        self.unexplained = unexplained
        self.passages = tuple(passages)

    def __iter__(self) -> Iterator[Passage]:
        return iter(self.passages)

    @property
    def questions(self) -> Iterator[Passage]:
        """The passages that are questions, each with its `question`."""
        return (passage for passage in self.passages if passage.kind == "question")

    @cached_property
    def viewpoint(self) -> tuple[str, str]:
        """Whose knowledge it is, as reports say it, and what that side is called."""
        view = View(self.game, self.start.state)
        return find_viewpoint(view), viewpoint_title(view)


# --- from a log -------------------------------------------------------------------------------------------------------


def play_log(record: Record, file: str, trust: Trust = AS_STATED) -> PlayedRecord:
    """Return what was played in a log. file: its name; trust: over that of its positions.

    What a side may see of a log is read of a record that was cut for it; then only its throws and lines are steps
    (`count_by_lines`). Raises InputError for a log whose positions cannot be read.
    """
    table = AnnotatedRecord(record, trust)
    explanation = explain(table, file)
    return PlayedRecord(
        file,
        table.at(record.moments[0]),
        _list_log_passages(table, explanation.explained),
        is_log=True,
        by_lines=record.by_lines,
        unexplained=explanation.unexplained,
    )


def _list_log_passages(table: AnnotatedRecord, explained: Iterable[ExplainedQuestion]) -> Iterator[Passage]:
    """Yield the questions of a log, and what moved before, between and after them."""

    def stretch(first: int, last: int) -> Callable[[], tuple[Position, Position]]:
        return lambda: (table.at(first), table.at(last))

    def moves(first: int, last: int) -> Iterator[Passage]:
        if _has_moved(table.record, first, last):
            for begins, ends in _split_by_moment(table, first, last):
                yield Passage("moves", begins, ends, stretch(begins, ends))

    at = table.record.moments[0]
    for found in explained:
        first = max(found.first, at)
        yield from moves(at, first)
        at = _find_carried_out(table, found, first)
        changes = found.report.changes if found.report is not None else ()
        yield Passage(
            "question",
            first,
            at,
            stretch(first, at),
            changes=changes,
            question=_make_log_question(found),
        )
    yield from moves(at, table.record.steps)


def _find_carried_out(table: AnnotatedRecord, found: ExplainedQuestion, first: int) -> int:
    """Return the step of a log by which it shows as much of an answer as it ever does before the next question: what
    moves after that is not of the answer. At the earliest its last throw; so too for a question that cannot be asked.
    """
    thrown = max((answering.throw.step for answering in found.throws), default=first)
    least = max(first, thrown)
    most = max(found.last, first)
    if found.report is None or not found.report.changes or most <= least:
        return least
    stretch = LogStretch(table, first, most)
    expected = {key: value for change in found.report.changes for key, value, _ in stretch.expected(change)}

    def shown(step: int) -> int:
        state = table.at(step).state
        return sum(stretch.value(key, state) == value for key, value in expected.items())

    steps = [least, *(step for step in table.record.moments if least < step <= most)]
    in_all = shown(most)
    return steps[bisect_left(steps, in_all, key=shown)] if shown(steps[-1]) >= in_all else most


def _split_by_moment(table: AnnotatedRecord, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield a stretch of a log in parts, each of one turn and phase: it ends with the step that leads to the next.

    Where a stretch ends in the moment in which it begins, nothing is looked for in between.
    """

    def moment(step: int) -> PlayedMoment:
        position = table.at(step)
        return _read_moment(position.game, position.state)

    changing = [first, *(step for step in table.record.moments if first < step < last), last]
    at = 0
    end = len(changing) - 1
    while at < end:
        began = moment(changing[at])
        low = at
        high = end
        if moment(changing[end]) != began:
            while high - low > 1:
                middle = (low + high) // 2
                if moment(changing[middle]) == began:
                    low = middle
                else:
                    high = middle
        yield changing[at], changing[high]
        at = high


def _has_moved(record: Record, first: int, last: int) -> bool:
    """Return whether another position may have been reached between two steps."""
    return any(first < moment <= last for moment in record.moments)


def _make_log_question(found: ExplainedQuestion) -> PlayedQuestion:
    names = Counter(answering.name for answering in found.throws)  # one answer may be for several rolls
    thrown = {answering.name: answering.throw for answering in found.throws if names[answering.name] == 1}
    dice = {name: "+".join(map(str, throw.faces)) for name, throw in thrown.items()}
    return PlayedQuestion(
        asked=Asked(found.question, found.parameters),
        answers={**dice, **_drop_totals(found.given, dice), **found.chosen},
        ruled=lambda: Ruled(found.report, found.why_not),
        throws=thrown,
        guessed=frozenset(found.chosen) - found.given.keys(),
        in_order=frozenset(found.in_order),
        waiting=found.waiting,
        differs=found.differs,
    )


def _drop_totals(given: Mapping[str, str], dice: Mapping[str, str]) -> Mapping[str, str]:
    """Return the answers that were typed, but for dice that the throws tell in full: a typed total tells less."""
    return {name: answer for name, answer in given.items() if name not in dice or "/" in answer}


# --- from a journal ---------------------------------------------------------------------------------------------------


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
            before = journal.start.state if turn == first else books.at(turn - 1)
            ends = position(before), position(books.at(turn))
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
        self._walk = self.books.walk(self._left.keys())
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
        return self._known[number] if number in self._known else self.books.touched(number).states


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
            self.make_position(self.states.of(at)[1] if at else self.books.after(0)),
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
