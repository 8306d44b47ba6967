"""The answers of a journal, computed again with their dice, and the facts from which each was given.

These facts are kept beside the journal, and computed again for `journal check` and for corrections.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import msgspec

from ...asking.report import Report
from ...asking.view import View
from ...formats.notation import read_on
from ...formats.positions import Position
from ...service import answer_in_view
from ...state.state import FactKey
from ...util.console import Watch, unwatched
from ...util.errors import InputError
from ...util.files import read_bytes
from ...util.work_time import OutOfTime, WorkTime
from ...util.writing import write_whole
from .entries import Answer, JournalEntry, write_what
from .fold import ALL, ELSEWHERE, STACK, Reads, compute_digest
from .journal import Journal

_MAX_READS = 400
"""The maximum number of facts listed for an answer; one that has read more counts as reading the whole position."""


class Given(NamedTuple):
    """The report of an answer, and the facts read for it."""

    report: Report[Any]
    reads: Reads


def give_answer(position: Position, answer: Answer, watch: Watch = unwatched) -> Given:
    """Ask the question of an answer in a position, with the answer's dice.

    Raises InputError as `ask` does.
    """
    try:
        posed = read_on(f"ask {answer.question}\nanswers {answer.dice}", position)
        view = View(position.game, position.state, watch=watch, past=position.past)
        return Given(answer_in_view(view, position, posed.asks[0], posed.answers), collect_reads(view))
    except InputError as error:
        error.where = None  # the line of the entry is reported instead
        raise


def settle_answer(position: Position, answer: Answer, amends: int = 0, watch: Watch = unwatched) -> Given:
    """Return an answer that can be entered.

    `amends`: the number of the entry that it amends, or 0.

    Raises InputError if the question cannot be answered, still asks for something, or has no dice and changes nothing.
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

    Raises OutOfTime if that takes too long.
    """
    books = journal.books
    try:
        settle_answer(Position(journal.game, books.state_before(number), past=books.past), answer, number, time.each)
    except InputError:
        return False
    return True


def collect_reads(view: View) -> Reads:
    """Return the stated facts read for an answer, with the places of units and the units of hexes."""
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
    return reads if len(reads) <= _MAX_READS else {(ALL, ""): compute_digest(state)}


class _KeptReads(msgspec.Struct, frozen=True):
    """The facts from which one answer was given, as stored."""

    line: int
    """The check of the answer's entry."""
    reads: tuple[tuple[str, str, str | int | bool | tuple[str, ...] | None], ...]


def _find_reads_file(journal: Path) -> Path:
    return journal.with_name(f".{journal.name}.reads")


def load_reads(file: Path, journal: Journal) -> dict[int, Reads]:
    """Return the reads stored beside a journal by entry, or none if the file is missing or damaged."""
    try:
        stored = msgspec.json.decode(read_bytes(_find_reads_file(file)), type=dict[int, _KeptReads])
    except (InputError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    tracks = {*journal.game.tracks, ALL, ELSEWHERE, STACK, "place"}
    lines = {entry.number: _compute_check(journal, entry) for entry in journal.entries if entry.number in stored}
    reads: dict[int, Reads] = {}
    for number, known in stored.items():
        is_of_entry = lines.get(number) == known.line
        if is_of_entry and all(_may_be_read(track, value, tracks) for track, _, value in known.reads):
            reads[number] = {(track, subject): value for track, subject, value in known.reads}
    return reads


def keep_reads(file: Path, journal: Journal, reads: Mapping[int, Reads]) -> None:
    """Store reads beside a journal. If the file is damaged, it can be made again."""
    by_number = {entry.number: entry for entry in journal.entries}
    stored = {}
    for number, own in reads.items():
        if number in by_number:
            facts = tuple((track, subject, value) for (track, subject), value in own.items())
            stored[number] = _KeptReads(_compute_check(journal, by_number[number]), facts)
    write_whole(_find_reads_file(file), msgspec.json.encode(stored), force=True)


def make_reads(journal: Journal, known: Mapping[int, Reads], time: WorkTime) -> dict[int, Reads]:
    """Return the reads of all answers. Missing ones are computed from the journal as it was when their entry was made.

    `time`: the time limit; answers not reached by then are left out.
    """
    reads = dict(known)
    latest: dict[Answer, tuple[Position, Reads]] = {}  # answer without its changes -> its position and reads
    for number in [entry.number for entry in journal.counting.entries if isinstance(entry.what, Answer)]:
        giving_entry = journal.counting.given_by(number)
        if giving_entry in reads:
            continue
        if time.is_over:
            break
        earlier = journal.until(giving_entry)
        entry = next((entry for entry in earlier.counting.entries if entry.number == number), None)
        if entry is None or not isinstance(entry.what, Answer):
            continue
        before = Position(journal.game, earlier.books.state_before(number), past=earlier.books.past)
        bare_answer = msgspec.structs.replace(entry.what, changes=())
        if bare_answer not in latest or latest[bare_answer][0] != before:  # a repeated question is answered once
            try:
                latest[bare_answer] = before, _try_reads(before, bare_answer, time)
            except OutOfTime:
                break
        reads[giving_entry] = latest[bare_answer][1]
    return reads


def _try_reads(position: Position, answer: Answer, time: WorkTime) -> Reads:
    try:
        return give_answer(position, answer, time.each).reads
    except InputError:
        return {}


def _compute_check(journal: Journal, entry: JournalEntry) -> int:
    return crc32(write_what(entry.what, journal.game, journal.rules.events).encode())


def _may_be_read(track: str, value: object, tracks: Container[str]) -> bool:
    """Return whether a stored value can be a read: for the units of a hex a tuple, for the whole map a number."""
    kind = {STACK: tuple, ALL: int}.get(track, object)
    return track in tracks and isinstance(value, kind)
