"""The entries of a journal computed again: which of them come out differently by the rules and data of today.

An answer is asked again with its dice, in the position in which it was given. The accounts are computed whenever a
journal is read; the sign `books=` of a line checks what it changed in them when it was entered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec

from ...asking.changes import format_change
from ...formats.positions import Position
from ...installed.fingerprints import name_rules
from ...util.console import format_count
from ...util.errors import InputError, plain
from ...util.work_time import OutOfTime, WorkTime
from .answers import give_answer
from .differences import check_books, compare_journals, format_difference
from .entries import Answer, JournalEntry
from .journal import Journal, split_lines

_MAX_CHANGES_NAMED = 3
"""The maximum number of changes of an answer that a message names."""


class Recomputed(NamedTuple):
    """An entry that comes out differently now."""

    number: int
    text: str
    """The changes at that time and those of today, in words."""
    is_answer: bool
    may_be_again: bool
    """Whether the answer can be given again with its dice."""


class Comparison(NamedTuple):
    """The entries that come out differently now."""

    differences: tuple[Recomputed, ...] = ()
    compared: int = 0
    """The number of entries and lines compared."""
    is_complete: bool = True
    """Whether there was time for all of them."""


def compare_with_today(journal: Journal, time: WorkTime, *, asks: bool = True) -> Comparison:
    """Compare what the entries of a journal changed when they were entered with what they change now.

    Lines without a check of the accounts, and answers that a `keep` lets stand, are not compared.

    `time`: the time limit; what is not reached by then is not compared.
    `asks`: whether answers are asked again too.
    """
    differences = list[Recomputed]()
    compared = 0
    try:
        for found in chain(_compare_books(journal, time), _compare_answers(journal, time) if asks else ()):
            compared += 1
            differences += [found] if found else []
    except OutOfTime:
        return Comparison(tuple(differences), compared, is_complete=False)
    return Comparison(tuple(differences), compared)


def _compare_books(journal: Journal, time: WorkTime) -> Iterator[Recomputed | None]:
    if not any(entry.books for entry in journal.entries):
        return
    before = journal.until(0)
    for line in split_lines(journal.entries):
        after = before.with_entries(line)
        if line[-1].books:
            _check_time(time)
            yield _compare_line(before, after, line)
        before = after


def _compare_line(before: Journal, after: Journal, line: Sequence[JournalEntry]) -> Recomputed | None:
    if check_books(before.books, after.books) == line[-1].books:
        return None
    now = "; ".join(format_difference(after, compare_journals(before.books, after.books))) or "no account changes"
    text = f"entry {line[-1].number} changed the accounts otherwise when it was entered. Now: {now}"
    return Recomputed(line[-1].number, text, is_answer=False, may_be_again=False)


def _compare_answers(journal: Journal, time: WorkTime) -> Iterator[Recomputed | None]:
    for number in [entry.number for entry in journal.counting.entries if isinstance(entry.what, Answer)]:
        if number in journal.counting.kept:
            continue
        _check_time(time)
        earlier = journal.until(journal.counting.given_by(number))
        entry = next((entry for entry in earlier.counting.entries if entry.number == number), None)
        if entry is not None and isinstance(entry.what, Answer):
            before = Position(journal.game, earlier.books.state_before(number), past=earlier.books.past)
            yield _compare_answer(before, number, entry.what, time)


def _compare_answer(before: Position, number: int, answer: Answer, time: WorkTime) -> Recomputed | None:
    named = f"entry {number} ({answer.question})"
    try:
        report = give_answer(before, msgspec.structs.replace(answer, changes=()), time.each).report
    except InputError as error:
        return Recomputed(number, f"{named} cannot be answered now: {plain(error.what)}", True, False)
    if report.asks:
        text = f"{named} would ask for more now: {', '.join(ask.name for ask in report.asks[:_MAX_CHANGES_NAMED])}"
        return Recomputed(number, text, True, False)
    now = tuple(report.changes)
    if now == answer.changes:
        return None
    tracks = before.game.tracks
    then_only, now_only = (
        [format_change(change, tracks) for change in changes if change not in others]
        for changes, others in ((answer.changes, now), (now, answer.changes))
    )
    text = f"{named} was answered otherwise. Then: {_list_some(then_only)}. Now: {_list_some(now_only)}"
    return Recomputed(number, text, is_answer=True, may_be_again=True)


def _list_some(changes: Sequence[str]) -> str:
    more = f" and {len(changes) - _MAX_CHANGES_NAMED} more" if len(changes) > _MAX_CHANGES_NAMED else ""
    return ("; ".join(changes[:_MAX_CHANGES_NAMED]) or "nothing else") + more


def _check_time(time: WorkTime) -> None:
    if time.is_over:
        raise OutOfTime


def format_comparison(journal: Journal, comparison: Comparison) -> Iterator[str]:
    """Yield the entries that come out differently now as texts, after a text on what has changed."""
    if not comparison.differences and comparison.is_complete:
        return
    began, now = journal.text.rules, name_rules(journal.game)
    changed = f"the rules or data have changed since this journal began ({began}, now {now}): " if began != now else ""
    count = format_count(len(comparison.differences), "entry comes", "entries come")
    left = "" if comparison.is_complete else "; there was no time for the others"
    yield f"{changed}of {comparison.compared} compared {count} out differently{left}"
    yield from (difference.text for difference in comparison.differences)


def write_choice(differences: Iterable[Recomputed], *, recorded: bool) -> list[str]:
    """Return the lines by which answers that come out differently stand as they were entered, or are given again.

    `recorded`: whether they stand as they were entered.
    """
    numbers = [found.number for found in differences if found.is_answer and (recorded or found.may_be_again)]
    return [f"keep {number}" if recorded else f"amend {number} again" for number in numbers]
