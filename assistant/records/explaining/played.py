"""What was played, in order: the passages of a record of play, from a log or from a journal alike.

A passage is a question with its dice, a turn that begins, an event or a fact that was entered, or what moved between
two of these. Each begins in the position in which the one before it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from ...asking.question import find_viewpoint, viewpoint_title
from ...asking.report import Report
from ...asking.view import View
from ...formats.positions import Asked, Position, Throw
from ...game.course import course_file
from ...game.games import Game
from ...game.turn_record import read_calendar
from ...state.changes import AnyChange
from ...state.state import GameState
from ...state.tracks import Value
from ...util.notes import note
from .record import Disagreement

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


def read_played_moment(game: Game, state: GameState) -> PlayedMoment:
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
        return read_played_moment(at.game, at.state)


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
