"""Facts set on a table, judged by the questions that set such facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from ...asking.asks import Ask
from ...asking.parameters import takes_list
from ...asking.question import Question, SetAs, Sets
from ...asking.report import Report
from ...asking.view import View
from ...formats.positions import Asked, Position, Throw
from ...game.course import Phase, course_file
from ...game.games import Game
from ...installed.registry import questions_of
from ...service import answer_in_view
from ...state.tracks import Value
from ...util.errors import InputError, MachineError
from ..explaining.record import reason
from .deeds import Deed, list_expected
from .marks import write_value
from .moves import Verdict, find_doubt, format_missing, read_reason, stand_ins_of

MAX_ROLLS = 2
"""The maximum number of rolls of which all results are tried."""
MAX_DICE = 3
"""The maximum number of dice in a roll of which all results are tried."""


class Table(NamedTuple):
    """A position in which a fact may have been set."""

    position: Position
    is_bare: bool = False
    """Whether facts are left out that only the rules know, such as the points that a unit has spent."""


class Setter(NamedTuple):
    """A question that sets a fact, and how it does."""

    question: Question[Any, Any]
    sets: Sets


class _Trial(NamedTuple):
    """A question asked in a position, with its parameters, to see whether it sets a fact."""

    question: Question[Any, Any]
    deed: Deed
    position: Position
    parameters: Mapping[str, Any]


def list_asked(phase: Phase | None) -> frozenset[str]:
    """Return the questions that a phase asks by `course.toml`."""
    return frozenset() if phase is None else frozenset(_list_names([phase]))


def _list_names(phases: Iterable[Phase]) -> Iterator[str]:
    for phase in phases:
        yield from (ask.partition(" ")[0] for ask in (phase.ask, *(step.ask for step in phase.steps)) if ask)


class SettingJudge:
    """Judges the facts that were set in a phase.

    `throws`: the throws of the phase that belong to no other question.
    """

    def __init__(self, game: Game, phase: Phase | None, throws: Sequence[Throw] = ()) -> None:
        self.game = game
        self.throws = throws
        self.asked = list_asked(phase)
        self.asked_anywhere = frozenset(_list_names(course_file(game).phase))

    def list_setters(self, deed: Deed) -> list[Setter]:
        """Return the questions that set such a fact in this direction.

        Questions that work out the value at any time, such as `supply`, are left out.
        """
        direction = self.find_direction(deed)
        return [
            Setter(question, sets)
            for question in questions_of(self.game).values()
            for sets in question.shows
            if isinstance(sets, Sets) and sets.value is None
            if sets.track == deed.track and sets.change in ("any", *direction)
        ]

    def find_direction(self, deed: Deed) -> tuple[SetAs, ...]:
        before, after = self.normalize(deed, deed.before), self.normalize(deed, deed.after)
        absent = self.game.tracks[deed.track].absent
        directions: list[SetAs] = []
        if before == absent:
            directions.append("on")
        if after == absent:
            directions.append("off")
        if isinstance(before, int) and isinstance(after, int):
            directions.append("up" if after > before else "down")
        return tuple(directions)

    def normalize(self, deed: Deed, value: Value | None) -> Value | None:
        """Return a value of a change's fact, or the value that the fact has unless it is stated."""
        return self.game.tracks[deed.track].absent if value is None else value

    def judge(self, deed: Deed, tables: Sequence[Table]) -> Verdict | None:
        """Return whether a question sets a fact so, or None if none is known to set such facts.

        `tables`: the positions in which it may have been set.
        """
        refused: Verdict | None = None
        doubtful: Verdict | None = None
        for question, sets in self.list_setters(deed):
            verdict = self.try_tables(question, sets, deed, tables)
            is_correction = sets.change in ("up", "down") and verdict.kind == "against"
            if (verdict.kind == "lawful" or is_correction) and self.asked and not self.is_asked_in_phase(question):
                verdict = Verdict("undecided", f"in which phase `{question.name}` was played")
            if verdict.kind == "lawful":
                return verdict
            if verdict.kind == "undecided":
                doubtful = doubtful or verdict
            elif refused is None or not refused.rule:
                refused = verdict
        return doubtful or refused

    def is_asked_in_phase(self, question: Question[Any, Any]) -> bool:
        """Return whether the phase asks a question, or no phase does."""
        return question.name in self.asked or question.name not in self.asked_anywhere

    def try_tables(self, question: Question[Any, Any], sets: Sets, deed: Deed, tables: Sequence[Table]) -> Verdict:
        """Return the verdict of a question about a fact: lawful if any of the positions allows it."""
        refused: Verdict | None = None
        doubtful: Verdict | None = None
        has_whole_tables = any(not table.is_bare for table in tables)
        for table in sorted(tables, key=lambda table: table.is_bare):
            for parameters in self.list_parameters(question, sets, deed):
                verdict = self.try_question(_Trial(question, deed, table.position, parameters), {})
                if verdict.kind == "lawful":
                    if not table.is_bare or not has_whole_tables:
                        return verdict
                    why = refused.why if refused is not None else doubtful.why if doubtful is not None else ""
                    return Verdict("undecided", f"what was done first: {why}")
                if verdict.kind == "undecided":
                    doubtful = doubtful or verdict
                elif refused is None or (verdict.rule and not refused.rule):
                    refused = verdict
        return doubtful or refused or Verdict("undecided", f"how to ask `{question.name}`")

    def list_parameters(self, question: Question[Any, Any], sets: Sets, deed: Deed) -> Iterator[dict[str, Any]]:
        """Yield the parameters with which a question may have set a fact."""
        fixed = dict[str, Any]()
        if sets.subject:
            fixed[sets.subject] = [deed.subject] if takes_list(question, sets.subject) else deed.subject
        words = _words_of(deed)
        choices = {
            name: [text.format_map(words) for text in ((values,) if isinstance(values, str) else values)]
            for name, values in sets.parameters.items()
        }
        for values in product(*choices.values()):
            yield {**fixed, **dict(zip(choices, values, strict=True))}

    def try_question(self, trial: _Trial, dice: Mapping[str, str]) -> Verdict:
        """Return the verdict of a question in one position.

        `dice`: the results taken for its rolls, by their names.
        """
        view = View(trial.position.game, trial.position.state)
        try:
            report = answer_in_view(view, trial.position, Asked(trial.question.name, trial.parameters), dice)
        except MachineError:
            raise
        except InputError as error:
            return Verdict("against", reason(error))
        if (roll := next((ask for ask in report.asks if ask.kind == "roll"), None)) is not None:
            return self.try_rolls(trial, dice, roll)
        if report.asks:
            return Verdict("undecided", format_missing(report))
        if report.verdict.kind == "undecided":
            return Verdict("undecided", report.verdict.text)
        return self.compare(report, trial.deed, view)

    def compare(self, report: Report[Any], deed: Deed, view: View) -> Verdict:
        """Return whether a decided answer gives the fact its value."""
        rests_on = stand_ins_of(report)
        values = {key: value for change in report.changes for key, value in list_expected(change)}
        value = self.normalize(deed, values.get(deed.key))
        if deed.key in values and value == self.normalize(deed, deed.after):
            return Verdict("lawful", changes=report.changes, rests_on=rests_on)
        if doubt := find_doubt(view):
            return Verdict("undecided", doubt)
        if report.verdict.kind == "no":
            rule, why = read_reason(report)
            return Verdict("against", why or report.verdict.text, rule, rests_on=rests_on)
        rule = self.game.tracks[deed.track].rule
        return Verdict("against", f"by the rules: {report.verdict.text}", rule, rests_on=rests_on)

    def try_rolls(self, trial: _Trial, dice: Mapping[str, str], roll: Ask) -> Verdict:
        """Return the verdict if a question rolls: lawful if a throw of the phase gives the fact its value.

        Without such a throw, it is undecided if any result would give the value, as dice may be rolled by hand.
        """
        unknown = Verdict("undecided", f"the throw of `{roll.name}`")
        results = _list_results(roll.dice)
        if len(dice) >= MAX_ROLLS or roll.name in dice or not results:
            return unknown
        thrown = {throw.total for throw in self.throws if throw.dice == roll.dice}
        verdicts = dict[int, Verdict]()
        for result in results:
            verdicts[result] = self.try_question(trial, {**dice, roll.name: str(result)})
        fitting = [result for result, verdict in verdicts.items() if verdict.kind == "lawful"]
        if any(result in thrown for result in fitting):
            result = next(result for result in fitting if result in thrown)
            return verdicts[result]._replace(why=f"with a throw of {result}")
        if fitting or any(verdict.kind == "undecided" for verdict in verdicts.values()):
            return unknown
        first = next(iter(verdicts.values()))
        value = write_value(self.normalize(trial.deed, trial.deed.after))
        return Verdict("against", f"no throw of `{roll.name}` leads to {value}", roll.rule or first.rule)


def _words_of(deed: Deed) -> dict[str, str]:
    return {"subject": deed.subject, "before": write_value(deed.before), "after": write_value(deed.after)}


def _list_results(dice: str) -> range:
    """Return the totals of dice such as `2d6`, or none for too many dice."""
    number, _, faces = dice.partition("d")
    if not (number.isdecimal() and faces.isdecimal()) or int(number) > MAX_DICE:
        return range(0)
    return range(int(number), int(number) * int(faces) + 1)
