"""A journal in words: its entries line by line, and the effects of added entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from ...game.typed_events import find_holder
from ...util.console import MAX_COLUMNS
from ...util.errors import InputError, plain
from ...util.notes import note
from ...util.typesetting import set_in_type
from ...util.work_time import WorkTime
from .differences import format_difference
from .entries import (
    Amend,
    Answer,
    Corrections,
    JournalEntry,
    OpenQuestion,
    Strike,
    TurnBegins,
    find_index,
    questions_among,
    write_what,
)
from .findings import CHECK_SECONDS, format_conflict, format_debt, list_losses
from .journal import Journal
from .journal_file import Added


class ListedEntry(msgspec.Struct, frozen=True):
    """An entry as a row of a list."""

    number: Annotated[int, note("the number of the entry")]
    turn: Annotated[str, note("the turn of the entry")]
    text: Annotated[str, note("the content, with its correction if there is one")]
    counts: Annotated[bool, note("whether it counts")]


def format_last_entries(journal: Journal, most: int) -> Iterator[str]:
    """Yield the last entries in force, with their corrections, after a line with the number of entries left out.

    `most`: the maximum number of entries.
    """
    rows = {row.number: row for row in list_entry_rows(journal)}
    effective = [entry for entry in journal.counting.entries if entry.number in rows]
    shown = [rows[entry.number].text for entry in effective[-most:]]
    earlier = len(effective) - len(shown)
    others = len(rows) - len(effective)
    left_out = [f"{earlier} earlier"] if earlier else []
    if others:
        left_out.append(f"{others} struck or corrections")
    if left_out:
        yield f"not shown: {', '.join(left_out)} (`list from=TURN`, `list WHO`)"
    yield from shown


def list_entry_rows(journal: Journal, first: str = "", last: str = "", who: str = "") -> list[ListedEntry]:
    """Return the entries in the order of their effect, then corrections and struck entries.

    Of questions, only the open one is listed.

    `first`, `last`: turns, or "" if all.
    `who`: the nation or side whose events are listed, or "" for all entries.

    Raises InputError if the nation or a turn is unknown.
    """
    calendar = journal.rules.calendar
    counting = journal.counting
    begin = calendar.number(first) if first else 0
    end = calendar.number(last) if last else calendar.last
    if end < begin:
        raise InputError(f"{last} comes before {calendar.label(begin)}", hint="exchange from and to")
    holder = find_holder(journal.game, journal.rules.events, who) if who else ""
    order = {entry.number: at for at, entry in enumerate(counting.entries)}
    by_number = sorted(journal.entries, key=lambda entry: order.get(entry.number, len(order) + entry.number))
    unlisted = questions_among(journal.entries, journal.entries) - {journal.asked_by}
    entries = [entry for entry in by_number if begin <= entry.turn <= end and entry.number not in unlisted]
    if holder:
        entries = [entry for entry in entries if getattr(entry.what, "who", "") == holder]
    return [_list_entry(journal, entry) for entry in entries]


def _list_entry(journal: Journal, entry: JournalEntry) -> ListedEntry:
    counting = journal.counting
    text = f"{entry.number:>4} {journal.label(entry.turn)} {format_entry(journal, entry)}"
    by = counting.amended_by.get(entry.number)
    if entry.number in counting.struck:
        text += "  (struck)"
    elif by:
        new = next(amended for amended in counting.entries if amended.number == entry.number)
        text += f"  (amended by {by}: {format_entry(journal, new)})"
    return ListedEntry(entry.number, journal.label(entry.turn), text, entry.number not in counting.struck)


def format_entry(journal: Journal, entry: JournalEntry) -> str:
    """Return a short form of an entry: an answer with its question and dice, a question also with the chosen values."""
    what = entry.what
    signs = ("late " if entry.late else "") + ("force " if entry.force else "")
    if isinstance(what, Answer):
        return f"{signs}answer {what.question}" + (f" | {what.dice}" if what.dice else "")
    if isinstance(what, OpenQuestion):  # an assumption without a value keeps the usual one, and is left out
        chosen = tuple(msgspec.structs.replace(known, is_numbered=False) for known in what.assumed if known.value)
        what = msgspec.structs.replace(what, assumed=chosen)
    return signs + write_what(what, journal.game, journal.rules.events)


def format_added(added: Added, width: int = MAX_COLUMNS) -> Iterator[str]:
    """Yield the added entries and their effects as lines.

    `width`: the maximum width of a report on what is due, in columns.
    """
    journal = added.journal
    for entry in added.entries:
        yield f"{entry.number} {journal.label(entry.turn)} {format_entry(journal, entry)}"
    yield from format_consequences(added, width)


def format_consequences(added: Added, width: int = MAX_COLUMNS) -> Iterator[str]:
    """Yield the effects of added entries as lines, with everything due in turns that begin with them."""
    journal = added.journal
    if added.aside:
        yield f"! an entry that was cut off is set aside as {added.aside}"
    first = added.entries[0].number if added.entries else 0
    begin = min((getattr(entry.what, "target", first) for entry in added.entries), default=0)
    before = Corrections(journal.entries[find_index(journal.entries, begin) : find_index(journal.entries, first)])
    for entry in added.entries:
        target = getattr(entry.what, "target", 0)
        if target and (by := before.last(target, Strike)):
            yield f"! entry {target} was struck already: this changes nothing unless {by.number} is struck"
        elif isinstance(entry.what, Amend) and isinstance(entry.what.what, Answer):
            from ...asking.changes import format_change  # imported late, as only answers need questions

            for when, answer in (("before", before.read_amended(target)), ("again", entry.what.what)):
                yield f"  {when}:"
                for change in getattr(answer, "changes", ()):
                    yield f"    {format_change(change, journal.game.tracks)}"
        before.add(entry)
    for report in added.reports:
        yield f"  {set_in_type(report.headline, curly=False)}"
    for line in format_difference(journal, added.difference):
        yield f"  {line}"
    for number, error in added.difference.faults:
        yield f"! entry {number} cannot take effect now: {plain(error.what)}"
    for removed in added.difference.off_map:
        way_out = f"strike {removed.entry}, or state where it stands"
        yield f"! {removed.unit} was in {removed.place} and is off the map now, as entry {removed.entry} takes it off: {way_out}"
    for short in added.difference.shortfalls:
        yield f"! {journal.in_words(short)}, entry {short.entry}"
    for debt in added.overdue:
        yield f"! {format_debt(journal, debt)}"
    if any(isinstance(entry.what, TurnBegins) for entry in added.entries):
        for line in list_losses(journal):
            yield f"! {line}"
    time = WorkTime(CHECK_SECONDS)
    for conflict in added.difference.conflicts:
        yield f"! {format_conflict(journal, conflict, time)}"
    if journal.turn > added.since:
        from .begun_turns import format_begun_turns  # imported late, as most entries begin no turn

        yield from format_begun_turns(journal, added.since, width)
