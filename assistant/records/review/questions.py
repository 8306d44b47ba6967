"""The questions of a record judged: a journal's answers given again, and those that a log declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ...asking.report import Report
from ..explaining.explanation import ExplainedQuestion
from .deeds import TableStep, list_expected
from .marks import Mark, write_value
from .moves import stand_ins_of


def mark_answer(step: TableStep) -> Mark:
    """Return the mark of a journal's answer: it is given again, with its dice, in the position before it."""
    assert step.question is not None
    asked, report = step.question.asked, step.question.report
    mark = _mark_report(step.number, asked.question, asked.parameters, report, step.question.why_not)
    wrong = find_wrong(step) if mark.judgement == "lawful" else None
    if report is None or wrong is None:
        return mark
    if report.reasons:
        return replace(mark, judgement="against", rule=report.reasons[0].rule, why=report.reasons[0].text)
    return replace(mark, judgement="undecided", why=f"given again, the answer differs: {wrong}")


def _mark_report(
    step: int, question: str, parameters: Mapping[str, object], report: Report[Any] | None, why_not: str
) -> Mark:
    """Return the mark of a question by its answer alone: lawful if the answer is decided.

    `why_not`: the reason why the question cannot be asked, if there is no report.
    """
    what = _describe(question, parameters)
    mark = Mark(step=step, judgement="undecided", what=what, cause=question, rests_on=stand_ins_of(report))
    if report is None:
        return replace(mark, why=why_not)
    if report.asks:
        return replace(mark, why=f"{report.asks[0].title or report.asks[0].name} is not stated")
    if report.verdict.kind == "undecided":
        return replace(mark, why=report.verdict.text)
    return replace(mark, judgement="lawful", why=report.verdict.text)


def _describe(question: str, parameters: Mapping[str, object]) -> str:
    return " ".join([question, *(f"{name}={write_value(value)}" for name, value in parameters.items())])


def describe_question(explained: ExplainedQuestion) -> str:
    """Return a question with its parameters, as a mark words it."""
    return _describe(explained.question, explained.parameters)


def find_wrong(step: TableStep) -> str | None:
    """Return the first difference between an answer as it is entered and as the rules give it, or None.

    The order in stacks does not count, nor what a later version of the rules marks besides until the phase ends.
    """
    assert step.question is not None
    assert step.question.report is not None
    tracks = step.before.game.tracks
    entered = dict(pair for change in step.changes for pair in list_expected(change))
    ruled = dict(pair for change in step.question.report.changes for pair in list_expected(change))
    for key in {**entered, **ruled}:
        track, subject = key
        is_marked_besides = key not in entered and track in tracks and (tracks[track].is_passing or tracks[track].owed)
        if (
            track != "order"
            and not is_marked_besides
            and (key in entered, entered.get(key)) != (key in ruled, ruled.get(key))
        ):
            return f"{track} {subject}: {write_value(entered.get(key))}, by the rules {write_value(ruled.get(key))}"
    return None


def mark_explained(explained: ExplainedQuestion) -> Mark:
    """Return the mark of a question that a log declares."""
    report = explained.report
    mark = _mark_report(explained.last, explained.question, explained.parameters, report, explained.why_not)
    if report is None or report.asks or not explained.differs:
        return mark
    first = explained.differs[0]
    why = f"{first.subject}: {first.track} is {write_value(first.log)}, by the rules {write_value(first.rules)}"
    return replace(mark, judgement="undecided", why=f"{why}, read as the dice fit best")
