"""The course of a battle or check: which throw of the log answers which roll, and which choices the log shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ..formats.positions import Asked, Position, Throw
from ..mechanics.procedure import AnswerError
from ..plugins.registry import question_of
from ..questions.parameters import read_parameters
from ..questions.question import Question
from ..questions.report import Ask, MissingFacts, Report
from ..questions.view import View
from ..state.changes import AnyChange
from ..util.errors import InputError

_MOST_TRIALS, _MOST_OF_ALL = 250, 5000
"""How often a question is asked to find out which choices a log shows, and how often for a whole log."""
_MOST_OPTIONS = 40


class Budget:
    """How much may still be tried to find out what a log shows: an answer or a later position counts one."""

    def __init__(self) -> None:
        self.left = _MOST_OF_ALL


class Shown(Protocol):
    """What a stretch of a log shows."""

    def misfit(self, changes: Sequence[AnyChange], /) -> int:
        """How many of these changes the log contradicts."""
        ...

    def likely(self, word: str, /) -> int:
        """How much happened to the unit, or at the place, that a word names."""
        ...


class Thrown(NamedTuple):
    """A throw, and what was typed since the one before."""

    throw: Throw
    said: tuple[str, ...] = ()


class Course(NamedTuple):
    """How the throws of a log answer a question.

    answers: by name, as typed; used: each throw with the name of the roll that it answers; unused: throws that answer
    none; in_order: rolls of which nothing but the order of the throws tells which throw answers them; chosen: choices
    among several, as the log shows them.
    """

    answers: Mapping[str, str]
    used: tuple[tuple[str, Throw], ...] = ()
    unused: tuple[Throw, ...] = ()
    in_order: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()


def course(
    position: Position,
    asked: Asked,
    thrown: Sequence[Thrown],
    given: Mapping[str, str],
    shown: Shown,
    budget: Budget,
) -> Course:
    """The course that fits a log best: of those that it contradicts least the first, in the order in which the rules
    ask.

    given: answers that players typed. Raises InputError for parameters and answers that are not allowed.
    """
    best: tuple[tuple[bool, int], Course] | None = None
    for in_turn in (True, False):
        search = _Search(position, asked, thrown, shown, budget, in_turn=in_turn)
        for tried, changes in search.courses(Course(dict(given)), 0):
            rank = (not changes, shown.misfit(changes))
            if best is None or rank < best[0]:
                best = rank, tried
            if rank == (False, 0):
                return tried
        if not search.forks:
            break
    return best[1] if best else Course(dict(given), unused=tuple(throw.throw for throw in thrown))


class _Search:
    """Courses, tried one after the other. in_turn: whether throws answer rolls only in the order in which the rules ask
    for them.

    forks: whether a throw might have answered another roll.
    """

    def __init__(
        self,
        position: Position,
        asked: Asked,
        thrown: Sequence[Thrown],
        shown: Shown,
        budget: Budget,
        *,
        in_turn: bool,
    ) -> None:
        self.position, self.asked, self.thrown = position, asked, thrown
        self.shown, self.budget, self.in_turn, self.forks = shown, budget, in_turn, False
        self.question: Question[Any, Any] = question_of(position.game, asked.question)
        self.trials = 0

    @property
    def spent(self) -> bool:
        """Whether only the first of further possibilities is tried."""
        return self.trials > _MOST_TRIALS or not self.budget.left

    def quick(self, answers: Mapping[str, str]) -> Report[Any] | None:
        """The answer without chances and doubts; None where facts are missing."""
        self.trials += 1
        self.budget.left = max(self.budget.left - 1, 0)
        view = View(self.position.game, self.position.state, "seen")
        try:
            parameters = read_parameters(self.question, view, self.asked.parameters)
            return (self.question.decide or self.question.answer)(view, parameters, answers)
        except MissingFacts:
            return None

    def courses(self, so_far: Course, next: int) -> Iterator[tuple[Course, tuple[AnyChange, ...]]]:
        """All courses from here on, each with what it changes, as far as there is time for them."""
        report = self.quick(so_far.answers)
        asks = report.asks if report is not None else ()
        choice = next_of("choice", asks)
        rolls = [ask for ask in asks if ask.kind == "roll"]
        if choice is not None and choice.options:
            yield from self.chosen(so_far, next, choice)
        elif rolls and next < len(self.thrown):
            yield from self.rolled(so_far, next, rolls)
        else:
            unused = tuple(thrown.throw for thrown in self.thrown[next:])
            changes = report.changes if report is not None else ()
            yield so_far._replace(unused=(*so_far.unused, *unused)), changes

    def chosen(self, so_far: Course, next: int, choice: Ask) -> Iterator[tuple[Course, tuple[AnyChange, ...]]]:
        """The courses by each option of a choice."""
        several = (choice.name,) if len(choice.options) > 1 else ()
        chosen = so_far._replace(chosen=(*so_far.chosen, *several))
        options = sorted(choice.options, key=lambda option: -sum(map(self.shown.likely, option.split(","))))
        for number, option in enumerate(options[:_MOST_OPTIONS]):
            if number and self.spent:
                return
            try:
                yield from self.courses(chosen._replace(answers={**so_far.answers, choice.name: option}), next)
            except AnswerError:  # an option may be refused once the rest is known
                continue

    def rolled(self, so_far: Course, next: int, rolls: Sequence[Ask]) -> Iterator[tuple[Course, tuple[AnyChange, ...]]]:
        """The courses by each roll that the next throw may answer."""
        throw, said = self.thrown[next]
        alike = [ask for ask in rolls if ask.dice == throw.dice]
        named = [ask for ask in alike if self.names(said, ask)]
        if not alike:
            yield from self.courses(so_far._replace(unused=(*so_far.unused, throw)), next + 1)
            return
        unsaid = len(alike) > 1 and len(named) != 1
        self.forks = self.forks or unsaid
        for number, ask in enumerate(named if len(named) == 1 else alike):
            if number and (self.in_turn or self.spent):
                return
            answers = {**so_far.answers, ask.name: "+".join(map(str, throw.faces))}
            used = (*so_far.used, (ask.name, throw))
            in_order = (*so_far.in_order, ask.name) if unsaid else so_far.in_order
            try:
                yield from self.courses(so_far._replace(answers=answers, used=used, in_order=in_order), next + 1)
            except AnswerError as error:  # the dice cannot fall so
                if error.name != ask.name:
                    raise
                yield from self.courses(so_far._replace(unused=(*so_far.unused, throw)), next + 1)

    def names(self, said: Sequence[str], ask: Ask) -> bool:
        """Whether lines name a roll: by its own name, or by the unit, hex or side that it is for."""
        head, _, about = ask.name.partition(".")
        words = [word.strip(".,:;!?") for line in said for word in re.split(r"[\s,;:]+", line)]
        words = [word.removeprefix(f"{head}.") for word in words]
        places = [unit.place for word in words if (unit := self.position.state.units.get(word))]
        return bool(about) and about in (*words, *places)


def next_of(kind: str, asks: Sequence[Ask]) -> Ask | None:
    """The first of some asks that is of a kind."""
    return next((ask for ask in asks if ask.kind == kind), None)


def fits(position: Position, asked: Asked) -> str:
    """Why a question cannot be asked so; "" if it can."""
    try:
        question = question_of(position.game, asked.question)
        read_parameters(question, View(position.game, position.state), asked.parameters)
    except MissingFacts:
        return ""
    except InputError as error:
        return reason(error)
    return ""


def reason(error: InputError) -> str:
    """Why a question cannot be asked, with the remedy. Raises the error itself if it reveals what a side may not know."""
    if error.private:
        raise error
    return f"{error.what}; {error.hint}" if error.hint and not error.names_units else error.what
