"""The questions of a record judged: a journal's answers given again, and those that a log declares."""

from __future__ import annotations

from typing import Any

from ..explaining.explanation import ExplainedQuestion
from .deeds import TableStep, list_expected
from .marks import Mark, write_value
from .moves import stand_ins_of


def mark_answer(step: TableStep) -> Mark:
    """Return the mark of a journal's answer: it is given again, with its dice, in the position before it."""
    assert step.question is not None
    asked = step.question.asked
    what = " ".join([asked.question, *(f"{name}={write_value(value)}" for name, value in asked.parameters.items())])
    report = step.question.report
    base: dict[str, Any] = {"step": step.number, "what": what, "cause": asked.question}
    base["rests_on"] = stand_ins_of(report)
    if report is None:
        return Mark(judgement="undecided", why=step.question.why_not, **base)
    if report.asks:
        missing = report.asks[0].title or report.asks[0].name
        return Mark(judgement="undecided", why=f"{missing} is not stated", **base)
    if report.verdict.kind == "undecided":
        return Mark(judgement="undecided", why=report.verdict.text, **base)
    wrong = find_wrong(step)
    if wrong is None:
        return Mark(judgement="lawful", why=report.verdict.text, **base)
    if report.reasons:
        return Mark(judgement="against", rule=report.reasons[0].rule, why=report.reasons[0].text, **base)
    return Mark(judgement="undecided", why=f"given again, the answer differs: {wrong}", **base)


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
    what = " ".join(
        [explained.question, *(f"{name}={write_value(value)}" for name, value in explained.parameters.items())]
    )
    report = explained.report
    base: dict[str, Any] = {"step": explained.last, "what": what, "cause": explained.question}
    base["rests_on"] = stand_ins_of(report)
    if report is None:
        return Mark(judgement="undecided", why=explained.why_not, **base)
    if report.asks:
        missing = report.asks[0].title or report.asks[0].name
        return Mark(judgement="undecided", why=f"{missing} is not stated", **base)
    if explained.differs:
        first = explained.differs[0]
        why = f"{first.subject}: {first.track} is {write_value(first.log)}, by the rules {write_value(first.rules)}"
        return Mark(judgement="undecided", why=f"{why}, read as the dice fit best", **base)
    if report.verdict.kind == "undecided":
        return Mark(judgement="undecided", why=report.verdict.text, **base)
    return Mark(judgement="lawful", why=report.verdict.text, **base)
