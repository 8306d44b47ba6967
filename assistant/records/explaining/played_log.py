"""The passages of a log: its questions, and the moves between them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from ...formats.positions import Asked, Position, Record
from ...state.trust import AS_STATED, Trust
from .explanation import ExplainedQuestion, explain_log
from .played import Passage, PlayedMoment, PlayedQuestion, PlayedRecord, Ruled, read_played_moment
from .record import AnnotatedRecord, LogStretch


def play_log(record: Record, file: str, trust: Trust = AS_STATED) -> PlayedRecord:
    """Return the passages of a log.

    A side's view of a log is a record reduced for the side, in which only throws and lines are steps (`by_lines`).

    Raises InputError if a position of the log cannot be read.
    """
    table = AnnotatedRecord(record, trust)
    explanation = explain_log(table, file)
    return PlayedRecord(
        file,
        table.at(record.moments[0]),
        _list_log_passages(table, explanation.explained),
        is_log=True,
        by_lines=record.by_lines,
        unexplained=explanation.unexplained,
    )


def _list_log_passages(table: AnnotatedRecord, explained: Iterable[ExplainedQuestion]) -> Iterator[Passage]:
    def stretch(first: int, last: int) -> Callable[[], tuple[Position, Position]]:
        return lambda: (table.at(first), table.at(last))

    def moves(first: int, last: int) -> Iterator[Passage]:
        if _has_moved(table.record, first, last):
            for begins, ends in _split_by_moment(table, first, last):
                yield Passage("moves", begins, ends, stretch(begins, ends))

    at = table.record.moments[0]
    for explained_question in explained:
        first = max(explained_question.first, at)
        yield from moves(at, first)
        at = _find_carried_out(table, explained_question, first)
        changes = explained_question.report.changes if explained_question.report is not None else ()
        yield Passage(
            "question",
            first,
            at,
            stretch(first, at),
            changes=changes,
            question=_make_log_question(explained_question),
        )
    yield from moves(at, table.record.steps)


def _find_carried_out(table: AnnotatedRecord, found: ExplainedQuestion, first: int) -> int:
    """Return the first step at which a log shows as many changes of an answer as just before the next question.

    Moves after that step do not belong to the answer. The step is at least that of the question's last throw.
    """
    thrown = max((answering.throw.step for answering in found.throws), default=first)
    earliest = max(first, thrown)
    latest = max(found.last, first)
    if found.report is None or not found.report.changes or latest <= earliest:
        return earliest
    stretch = LogStretch(table, first, latest)
    expected = {key: value for change in found.report.changes for key, value, _ in stretch.expected(change)}

    def shown(step: int) -> int:
        state = table.at(step).state
        return sum(stretch.value(key, state) == value for key, value in expected.items())

    steps = [earliest, *(step for step in table.record.moments if earliest < step <= latest)]
    in_all = shown(latest)
    return steps[bisect_left(steps, in_all, key=shown)] if shown(steps[-1]) >= in_all else latest


def _split_by_moment(table: AnnotatedRecord, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last step of each part of a stretch within one turn and phase.

    A part ends with the step that leads to the next phase. If the stretch begins and ends in the same phase, it is
    taken as one part.
    """

    def moment(step: int) -> PlayedMoment:
        position = table.at(step)
        return read_played_moment(position.game, position.state)

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
    return {name: answer for name, answer in given.items() if name not in dice or "/" in answer}
