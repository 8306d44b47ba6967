"""How the throws of a log answer a question: the course that fits best what the log shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...asking.asks import Ask
from ...asking.parameters import read_parameters
from ...asking.question import Question, decide
from ...asking.report import MissingFacts, Report
from ...asking.view import View
from ...formats.positions import Asked, Position, Throw
from ...installed.registry import question_of
from ...mechanics.procedure import AnswerError
from ...state.changes import AnyChange
from .record import LogStretch

_MOST_TRIALS = 250
"""How often one question is asked at most to find out which choices a log shows."""
_MOST_OF_ALL = 5000
"""How often questions are asked at most for a whole log."""
_MOST_OPTIONS = 40
"""How many options of a choice are tried at most."""


class TrialBudget:
    """How much may still be tried to find out what a log shows: an answer or a later position counts one."""

    def __init__(self) -> None:
        self.left = _MOST_OF_ALL

    def spend(self) -> None:
        """Count one trial."""
        self.left = max(self.left - 1, 0)


class ThrowAndTalk(NamedTuple):
    """A throw, and what was typed since the one before."""

    throw: Throw
    said: tuple[str, ...] = ()


class ThrowsMatch(NamedTuple):
    """How the throws of a log answer a question."""

    answers: Mapping[str, str]
    """By name, as typed."""
    used: tuple[tuple[str, Throw], ...] = ()
    """Each throw with the name of the roll that it answers."""
    unused: tuple[Throw, ...] = ()
    """Throws that answer none."""
    in_order: tuple[str, ...] = ()
    """Rolls of which nothing but the order of the throws tells which throw answers them."""
    chosen: tuple[str, ...] = ()
    """Choices among several, as the log shows them."""


def course(
    position: Position,
    asked: Asked,
    thrown: Sequence[ThrowAndTalk],
    given: Mapping[str, str],
    stretch: LogStretch,
    budget: TrialBudget,
) -> ThrowsMatch:
    """Return the course that fits a log best: of those that it contradicts least the first, in the order in which the
    rules ask.

    given: answers that players typed. Raises InputError for parameters and answers that are not allowed.
    """
    best: tuple[tuple[bool, int], ThrowsMatch] | None = None
    for in_turn in (True, False):
        search = _Search(position, asked, thrown, stretch, budget, in_turn=in_turn)
        for tried, changes in search.list_courses(ThrowsMatch(dict(given)), 0):
            rank = (not changes, stretch.misfit(changes))
            if best is None or rank < best[0]:
                best = rank, tried
            if rank == (False, 0):
                return tried
        if not search.forks:
            break
    return best[1] if best else ThrowsMatch(dict(given), unused=tuple(throw.throw for throw in thrown))


class _Search:
    """Courses, tried one after the other. in_turn: whether throws answer rolls only in the order in which the rules ask
    for them.
    """

    def __init__(
        self,
        position: Position,
        asked: Asked,
        thrown: Sequence[ThrowAndTalk],
        stretch: LogStretch,
        budget: TrialBudget,
        *,
        in_turn: bool,
    ) -> None:
        self.position = position
        self.asked = asked
        self.thrown = thrown
        self.stretch = stretch
        self.budget = budget
        self.in_turn = in_turn
        self.forks = False  # whether a throw might have answered another roll
        self.question: Question[Any, Any] = question_of(position.game, asked.question)
        self.trials = 0

    @property
    def spent(self) -> bool:
        """Whether only the first of further possibilities is tried."""
        return self.trials > _MOST_TRIALS or not self.budget.left

    def decide(self, answers: Mapping[str, str]) -> Report[Any] | None:
        """Return the answer without chances, and with assumed facts as they are; None where facts are missing."""
        self.trials += 1
        self.budget.spend()
        view = View(self.position.game, self.position.state, "seen")
        try:
            parameters = read_parameters(self.question, view, self.asked.parameters)
            return decide(self.question, view, parameters, answers)
        except MissingFacts:
            return None

    def list_courses(self, so_far: ThrowsMatch, at: int) -> Iterator[tuple[ThrowsMatch, tuple[AnyChange, ...]]]:
        """Yield all courses from here on, each with what it changes, as far as there is time for them."""
        report = self.decide(so_far.answers)
        asks = report.asks if report is not None else ()
        choice = next((wanted for wanted in asks if wanted.kind == "choice"), None)
        rolls = [wanted for wanted in asks if wanted.kind == "roll"]
        if choice is not None and choice.options:
            yield from self.try_options(so_far, at, choice)
        elif rolls and at < len(self.thrown):
            yield from self.try_rolls(so_far, at, rolls)
        else:
            unused = tuple(thrown.throw for thrown in self.thrown[at:])
            changes = report.changes if report is not None else ()
            yield so_far._replace(unused=(*so_far.unused, *unused)), changes

    def try_options(
        self, so_far: ThrowsMatch, at: int, choice: Ask
    ) -> Iterator[tuple[ThrowsMatch, tuple[AnyChange, ...]]]:
        """Yield the courses by each option of a choice."""
        several = (choice.name,) if len(choice.options) > 1 else ()
        chosen = so_far._replace(chosen=(*so_far.chosen, *several))
        options = sorted(choice.options, key=lambda option: -sum(map(self.stretch.likely, option.split(","))))
        for number, option in enumerate(options[:_MOST_OPTIONS]):
            if number and self.spent:
                return
            try:
                yield from self.list_courses(chosen._replace(answers={**so_far.answers, choice.name: option}), at)
            except AnswerError:  # an option may be refused once the rest is known
                continue

    def try_rolls(
        self, so_far: ThrowsMatch, at: int, rolls: Sequence[Ask]
    ) -> Iterator[tuple[ThrowsMatch, tuple[AnyChange, ...]]]:
        """Yield the courses by each roll that the throw may answer. at: the number of the throw."""
        throw, talk = self.thrown[at]
        alike = [wanted for wanted in rolls if wanted.dice == throw.dice]
        named = [wanted for wanted in alike if self.is_named(talk, wanted)]
        if not alike:
            yield from self.list_courses(so_far._replace(unused=(*so_far.unused, throw)), at + 1)
            return
        unsaid = len(alike) > 1 and len(named) != 1
        self.forks = self.forks or unsaid
        for number, roll in enumerate(named if len(named) == 1 else alike):
            if number and (self.in_turn or self.spent):
                return
            answers = {**so_far.answers, roll.name: "+".join(map(str, throw.faces))}
            used = (*so_far.used, (roll.name, throw))
            in_order = (*so_far.in_order, roll.name) if unsaid else so_far.in_order
            try:
                yield from self.list_courses(so_far._replace(answers=answers, used=used, in_order=in_order), at + 1)
            except AnswerError as error:  # the dice cannot fall so
                if error.name != roll.name:
                    raise
                yield from self.list_courses(so_far._replace(unused=(*so_far.unused, throw)), at + 1)

    def is_named(self, talk: Sequence[str], wanted: Ask) -> bool:
        """Return whether lines name a roll: by its own name, or by the unit, hex or side that it is for."""
        head, _, about = wanted.name.partition(".")
        words = [word.strip(".,:;!?") for line in talk for word in re.split(r"[\s,;:]+", line)]
        words = [word.removeprefix(f"{head}.") for word in words]
        places = [unit.place for word in words if (unit := self.position.state.units.get(word))]
        return bool(about) and about in (*words, *places)
