"""Answers of a journal: what a question gives at a moment of it, with its dice, and from what it was given.

What each answer was given from is kept beside the journal. If it is missing there, it is made again once it is needed:
by `journal check`, and for a correction.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...asking.report import Report
from ...asking.view import View
from ...formats.notation import read_on
from ...formats.positions import Position
from ...service import ask_in
from ...state.state import FactKey
from ...util.console import Watch, unwatched
from ...util.errors import InputError
from ...util.work_time import WorkTime
from .entries import Answer
from .fold import ALL, ELSEWHERE, STACK, Reads, compute_digest
from .journal import Journal

_MOST = 400
"""How many facts an answer is noted to be given from one by one; beyond, it is given from the whole position."""


class Given(NamedTuple):
    """An answer as it was given: the report, and from what."""

    report: Report[Any]
    reads: Reads


def give_answer(position: Position, answer: Answer, watch: Watch = unwatched) -> Given:
    """Return what the question of an answer gives in a position, with the dice of the answer. Raises InputError as
    `ask` does.
    """
    try:
        posed = read_on(f"ask {answer.question}\nanswers {answer.dice}", position)
        view = View(position.game, position.state, watch=watch, past=position.past)
        return Given(ask_in(view, position, posed.asks[0], posed.answers), collect_reads(view))
    except InputError as error:
        error.where = None  # its line is that of the entry
        raise


def settle_answer(position: Position, answer: Answer, amends: int = 0, watch: Watch = unwatched) -> Given:
    """Return an answer as it can be entered. amends: the entry that it amends, 0 for none. Raises InputError as
    `give_answer` does, for one that still asks for something, and for one that was given without dice and changes
    nothing.
    """
    given = give_answer(position, answer, watch)
    report = given.report
    if report.asks:
        owed = ", ".join(ask.name for ask in report.asks[:5])
        raise InputError(f"the answer is not final: {report.headline}", hint=f"still asked for: {owed}")
    if not (report.changes or answer.dice):
        hint = f"strike {amends}" if amends else "what is only asked needs no entry"
        raise InputError(f"the answer changes nothing: {report.headline}", hint=hint)
    return given


def can_be_given_again(journal: Journal, number: int, answer: Answer, time: WorkTime) -> bool:
    """Return whether an answer can be given in the position in which its entry takes effect now.

    `number`: the number of the entry.

    Raises OutOfTime if that takes too long.
    """
    books = journal.books
    try:
        settle_answer(Position(journal.game, books.before(number), past=books.past), answer, number, time.each)
    except InputError:
        return False
    return True


def collect_reads(view: View) -> Reads:
    """Return from what an answer was given: the stated facts that it has read, and where the units and who in the
    hexes of these stand.
    """
    state = view.state
    tracks = view.game.tracks
    reads: dict[FactKey, Any] = {}
    for (name, subject), fact in view.premises.facts.items():
        track = tracks.get(name)
        if track is None:
            continue
        stated = state.facts.get((name, subject))
        if view.is_elsewhere((name, subject), fact):
            reads[ELSEWHERE, name] = fact.value
        if stated is not None or not track.printed:
            reads[name, subject] = None if stated is None else stated.value
        if track.on == "unit" and subject in state.units:
            reads["place", subject] = state.units[subject].place
        elif track.on == "hex":
            reads[STACK, subject] = tuple(unit.id for unit in state.stack(subject))
    return reads if len(reads) <= _MOST else {(ALL, ""): compute_digest(state)}
