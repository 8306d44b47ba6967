"""What was played in a log: its questions, and what moved between them."""

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
    """Return what was played in a log. file: its name; trust: over that of its positions.

    What a side may see of a log is read of a record that was cut for it; then only its throws and lines are steps
    (`count_by_lines`). Raises InputError for a log whose positions cannot be read.
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
