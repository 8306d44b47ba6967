"""Judgements: facts that players set on counters in a log, and what the rules find for the same counters at that
moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from ..formats.positions import Asked
from ..plugins.registry import questions_of
from ..questions.question import Judgement, Question
from ..questions.report import Report
from ..service import ask
from ..state.differences import FactChanged, differences
from ..state.sources import Value
from ..util.errors import InputError
from ..util.notes import note
from .course import reason
from .table import Table


class Judged(msgspec.Struct, frozen=True):
    """A fact that a player set, and what the rules find."""

    step: Annotated[int, note("the step of the log that set it")]
    unit: Annotated[str, note("the unit")]
    track: Annotated[str, note("the track")]
    log: Annotated[Value | None, note("what the player set")]
    rules: Annotated[Value | None, note("what the rules find, null where they find nothing")]
    report: Annotated[Report[Any] | None, note("the whole answer, null where the question cannot be asked")]
    why_not: Annotated[str, note("why it cannot be asked, else ''")] = ""


def judgements(table: Table) -> Iterator[Judged]:
    """The facts that were set in a log and that a question of the game judges, in the order of their steps."""
    record = table.record
    judging = {question.judges.track: question for question in _with_judgement(table)}
    if not judging:
        return
    changed = differences(record.at(0).state, record.at(record.steps).state, record.game.tracks).facts
    dated = [(_set_at(table, change), change) for change in changed if change.track in judging]
    for step, fact in sorted(dated, key=lambda pair: (pair[0], pair[1].subject)):
        yield _judge(table, judging[fact.track], step, fact)


def _with_judgement(table: Table) -> Iterator[Any]:
    known = questions_of(table.record.game)
    yield from (question for name in known if (question := known[name]).judges is not None)


def _set_at(table: Table, change: FactChanged) -> int:
    """The step that gave a fact its last value."""
    record = table.record
    absent = record.game.tracks[change.track].absent

    def has(step: int) -> bool:
        fact = record.at(step).state.facts.get((change.track, change.subject))
        return (absent if fact is None else fact.value) == change.after

    least, most = 0, len(record.moments) - 1
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if has(record.moments[middle]) else (middle, most)
    return record.moments[most]


def _judge(table: Table, question: Question[Any, Any], step: int, change: FactChanged) -> Judged:
    judges = question.judges
    assert judges is not None
    asked = Asked(question.name, {judges.parameter: [change.subject]})
    try:
        report = ask(table.at(step - 1), asked)
        return Judged(step, change.subject, change.track, change.after, _find(judges, report), report)
    except InputError as error:
        return Judged(step, change.subject, change.track, change.after, None, None, reason(error))


def _find(judges: Judgement, report: Report[Any]) -> Value | None:
    return None if report.result is None else judges.value(report)
