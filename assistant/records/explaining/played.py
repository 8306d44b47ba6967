"""A record of play as passages in order, from a log or a journal.

A passage is a question with its dice, the beginning of a turn, an entered event or fact, or the moves between two
questions. Each begins in the position in which the previous one ends.
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
"""The kind of a passage.

`event` and `fact` are entries of a journal, `moves` are the changes between two questions of a log.
"""


class PlayedMoment(NamedTuple):
    """The turn, phase and player turn of a position, each "" if it is not stated."""

    turn: str = ""
    """The turn in the game's own form."""
    phase: str = ""
    """The title of the phase."""
    phasing: str = ""
    """The side whose player turn it is."""

    def label(self, game: Game) -> str:
        """Return the moment in words, such as `turn 3, Attack Phase (Russian)`, or "" if nothing is stated."""
        side = game.file.title_of(self.phasing) if self.phasing else ""
        phase = f"{self.phase} ({side})" if self.phase and side else self.phase or side
        if not self.turn:
            return phase
        return f"turn {self.turn}, {phase}" if phase else f"turn {self.turn}"


def read_played_moment(game: Game, state: GameState) -> PlayedMoment:
    """Return the moment of a position. Raises InputError for a fault in the game's course of play."""
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
    """The answer of the rules to a question with its dice and choices, or the reason why it cannot be asked."""

    report: Report[Any] | None
    why_not: str = ""


class PlayedQuestion(NamedTuple):
    """A question as it was played.

    A journal contains no answers of the rules: each is computed when it is first needed.
    """

    asked: Annotated[Asked, note("the question and its parameters, as typed")]
    answers: Annotated[Mapping[str, str], note("all dice and choices by name, as typed")]
    ruled: Annotated[Callable[[], Ruled], note("the answer of the rules")]
    throws: Annotated[Mapping[str, Throw], note("the dice of a log by the name of the roll: faces, step, player")] = {}
    guessed: Annotated[frozenset[str], note("choices that only the map of a log shows")] = frozenset()
    in_order: Annotated[frozenset[str], note("rolls of a log matched to throws by their order only")] = frozenset()
    waiting: Annotated[
        tuple[Throw, ...], note("throws of a log that may answer it once what is missing is stated")
    ] = ()
    differs: Annotated[tuple[Disagreement, ...], note("the differences of a log from the rules")] = ()

    @property
    def report(self) -> Report[Any] | None:
        return self.ruled().report

    @property
    def why_not(self) -> str:
        return self.ruled().why_not


class Passage:
    """A passage of a record of play.

    `number`: the step of a log after which the passage begins, or the number of a journal's entry.
    `last`: the step of a log with which the passage ends, or the number of a journal's entry.
    `when`: the moment, if the first position does not state it.
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
        return self.question.asked.question if self.question is not None else ""

    @property
    def has_answers(self) -> bool:
        return self.question is not None and bool(self.question.answers)

    @cached_property
    def _both_ends(self) -> tuple[Position, Position]:
        return self._positions()

    @property
    def before(self) -> Position:
        return self._both_ends[0]

    @property
    def after(self) -> Position:
        return self._both_ends[1]

    @cached_property
    def when(self) -> PlayedMoment:
        if self._when is not None:
            return self._when
        at = self.after if self.kind == "turn" else self.before
        return read_played_moment(at.game, at.state)


class PlayedRecord:
    """A game as it was played. Its passages are read at their first use.

    `by_lines`: whether only throws and typed lines of a log count as steps.
    `by_turns`: whether each turn is one passage, numbered from 1.
    `unexplained`: the number of throws of a log with no known purpose.
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
        return (passage for passage in self.passages if passage.kind == "question")

    @cached_property
    def viewpoint(self) -> tuple[str, str]:
        view = View(self.game, self.start.state)
        return find_viewpoint(view), viewpoint_title(view)
