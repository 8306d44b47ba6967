"""The review of a log, of a journal, or of two saves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...asking.question import find_viewpoint, viewpoint_title
from ...asking.view import View
from ...formats.positions import Position, Record
from ...state.trust import AS_STATED, Trust
from ...util.errors import InputError
from ..explaining.explanation import explain_log
from ..explaining.played import PlayedRecord
from ..explaining.record import AnnotatedRecord
from .agreed import Agreed
from .deeds import TableStep, list_journal_steps, list_log_steps
from .judge import Declared, judge_steps
from .marks import Review


def review_log(record: Record, file: str, trust: Trust = AS_STATED, agreed: Collection[Agreed] = ()) -> Review:
    """Return the review of a log.

    `agreed`: the actions that both players let stand.

    Raises InputError if a position of the log cannot be read.
    """
    table = AnnotatedRecord(record, trust)
    found = explain_log(table, file)
    steps = [*list_log_steps(table)]
    return _make_review(
        file,
        table.at(record.moments[0]),
        record.steps,
        steps,
        agreed,
        Declared(table, found.explained, found.unexplained),
    )


def review_journal(record: PlayedRecord, agreed: Collection[Agreed] = ()) -> Review:
    """Return the review of a journal, whose questions are asked again. `agreed`: actions that both players let stand."""
    steps = [*list_journal_steps(record)]
    last = max((step.number for step in steps), default=0)
    return _make_review(record.file, record.start, last, steps, agreed)


def review_saves(before: Position, after: Position, names: tuple[str, str], agreed: Collection[Agreed] = ()) -> Review:
    """Return the review of what happened between two positions of a game, as one step.

    `names`: the names of the two files.
    `agreed`: the actions that both players let stand.

    Raises InputError if the positions are of different games, on different boards, or seen by different sides.
    """
    if before.game.id != after.game.id:
        raise InputError(f"{names[0]} is a position of {before.game.title}, {names[1]} one of {after.game.title}")
    if before.state.board != after.state.board:
        raise InputError(f"{names[0]} and {names[1]} are on different boards", hint="name saves of the same game")
    if before.state.seen_by != after.state.seen_by:
        raise InputError(f"{names[0]} and {names[1]} are seen by different sides", hint="add --as SIDE")
    return _make_review(names[1], before, 1, [TableStep(1, before, after)], agreed)


def _make_review(
    file: str,
    start: Position,
    steps: int,
    table_steps: Sequence[TableStep],
    agreed: Collection[Agreed],
    declared: Declared | None = None,
) -> Review:
    marks = judge_steps(start.game, table_steps, declared, agreed)
    view = View(start.game, start.state)
    return Review(
        file=file,
        game=start.game.id,
        steps=steps,
        marks=tuple(marks),
        viewpoint=find_viewpoint(view),
        viewpoint_title=viewpoint_title(view),
    )
