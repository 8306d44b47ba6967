"""The effects of entries on a journal: differences in levels, accounts, facts and faults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from ...state.state import FactKey
from ...state.tracks import Value
from ...util.console import format_amount
from ...util.errors import InputError
from ...util.notes import note
from .entries import Amend, JournalEntry, Strike
from .fold import Conflict, FoldedJournal, Shortfall
from .journal import Journal, split_lines
from .lines import compute_check


class UnitOffMap(msgspec.Struct, frozen=True):
    """A unit left off the map by a correction."""

    unit: Annotated[str, note("the id of the unit")]
    place: Annotated[str, note("the place where it was before")]
    entry: Annotated[int, note("the number of the entry that takes it off the map")]


class JournalDifference(msgspec.Struct, frozen=True):
    """The effects of entries on a journal."""

    levels: Annotated[
        tuple[tuple[str, str, str, str], ...],
        note('nation, level, and the turns in which it was reached before and after, or "" if never'),
    ] = ()
    accounts: Annotated[tuple[tuple[str, str, int], ...], note("account, nation and the change of the amount")] = ()
    facts: Annotated[
        tuple[tuple[FactKey, Value | None, Value | None], ...],
        note("facts set by events and accounts first stated, each with its old and new value"),
    ] = ()
    conflicts: Annotated[tuple[Conflict, ...], note("answers given from facts that have changed")] = ()
    shortfalls: Annotated[tuple[Shortfall, ...], note("accounts that are now overdrawn")] = ()
    faults: Annotated[
        tuple[tuple[int, InputError], ...], note("numbers of entries that can no longer take effect, with the reasons")
    ] = ()
    off_map: Annotated[tuple[UnitOffMap, ...], note("units that a correction has left off the map")] = ()


def compare_journals(before: FoldedJournal, after: FoldedJournal) -> JournalDifference:
    """Return the differences between a journal before and after entries."""
    label = after.rules.calendar.label
    old_turns = {(r.level.who, r.level.title): label(r.turn) for r in before.reached}
    new_turns = {(r.level.who, r.level.title): label(r.turn) for r in after.reached}
    levels = [
        (who, title, old_turns.get((who, title), ""), new_turns.get((who, title), ""))
        for who, title in dict.fromkeys([*old_turns, *new_turns])
        if old_turns.get((who, title)) != new_turns.get((who, title))
    ]
    keys = dict.fromkeys((posting.account, posting.who) for posting in (*before.postings, *after.postings))
    first_stated = [key for key in keys if None in (before.value(*key), after.value(*key))]
    changes = [(*key, after.balance(*key) - before.balance(*key)) for key in keys if key not in first_stated]
    level_facts = {(r.level.since, r.level.who) for r in (*before.reached, *after.reached)}
    old_facts = before.set_by_events()
    new_facts = after.set_by_events()
    facts = [(key, old_facts.get(key), new_facts.get(key)) for key in dict.fromkeys([*old_facts, *new_facts])]
    facts += [(key, before.value(*key), after.value(*key)) for key in first_stated]
    known = {(conflict.entry, conflict.changed) for conflict in before.conflicts}
    short = {(s.entry, s.account, s.left) for s in before.shortfalls}
    faulty = {number for number, _ in before.faults}
    return JournalDifference(
        levels=tuple(levels),
        accounts=tuple(entry for entry in changes if entry[2]),
        facts=tuple((key, old, new) for key, old, new in facts if key not in level_facts and old != new),
        conflicts=tuple(c for c in after.conflicts if (c.entry, c.changed) not in known),
        shortfalls=tuple(s for s in after.shortfalls if (s.entry, s.account, s.left) not in short),
        faults=tuple(fault for fault in after.faults if fault[0] not in faulty),
        off_map=tuple(_list_units_off_map(before, after)),
    )


def _list_units_off_map(before: FoldedJournal, after: FoldedJournal) -> Iterator[UnitOffMap]:
    """Yield the units that are off the map because of a correction or an entry of an earlier turn.

    A unit that the same entry takes off again does not count, as when the line that brought it back is undone. It
    counts if only half of that line is struck.
    """
    added = after.counting.among[len(before.counting.among) :]
    corrects = any(isinstance(entry.what, Amend | Strike) for entry in added)
    if not corrects and after.counting.entries.goes_on(before.counting.entries):
        return
    units = after.last.units
    places_before = {id: unit.place for id, unit in before.last.units.items() if unit.place}
    places_before = {id: place for id, place in places_before.items() if id in units and units[id].place is None}
    if not places_before:
        return
    earlier = before.find_takers(places_before)
    changed = before.counting.struck ^ after.counting.struck
    lines = [{entry.number for entry in line} for line in split_lines(after.counting.among)]
    halves = set[int]().union(*(line for line in lines if line & changed))
    for id, entry in after.find_takers(places_before).items():
        if earlier.get(id) != entry or entry in halves:
            yield UnitOffMap(id, places_before[id], entry)


def check_books(before: FoldedJournal, after: FoldedJournal) -> str:
    """Return the check of the changes of all accounts between two states of a journal, or "" if none changes."""
    keys = {*before.balances, *after.balances}
    changes = {(*key, after.balance(*key) - before.balance(*key)) for key in keys}
    words = [f"{account} {who or '-'} {amount:+d}" for account, who, amount in sorted(changes) if amount]
    return compute_check("; ".join(words)) if words else ""


def sign_books(before: Journal, typed: Sequence[JournalEntry], after: Journal) -> list[JournalEntry]:
    """Return typed entries, each line of them with the check of what it changes in the accounts.

    `after`: the journal with the entries.
    """
    signed = list[JournalEntry]()
    lines = [*split_lines(typed)]
    for line in lines:
        step = after if len(lines) == 1 else before.with_entries(line)
        check = check_books(before.books, step.books)
        signed += [msgspec.structs.replace(entry, books="") for entry in line[:-1]]
        signed.append(msgspec.structs.replace(line[-1], books=check))
        before = step
    return signed


def format_difference(journal: Journal, difference: JournalDifference) -> Iterator[str]:
    """Yield the differences as texts, one for each holder: `Austria-Hungary: Shaken may15/3 -> apr15/0; supply points:
    15 less`.
    """
    texts: dict[str, list[str]] = {}
    game = journal.game
    for who, title, old_turn, new_text in difference.levels:
        texts.setdefault(who, []).append(f"{title} {old_turn or 'not reached'} -> {new_text or 'not reached'}")
    for account, who, amount in difference.accounts:
        if account in journal.rules.schedules.counters:
            continue
        texts.setdefault(who, []).append(f"{game.track(account).title}: {format_amount(amount)}")
    for (name, subject), old, new in difference.facts:
        track = game.track(name)
        new_text = "not stated" if new is None else track.write(new)
        change = new_text if old is None else f"{track.write(old)} -> {new_text}"
        texts.setdefault(subject, []).append(f"{track.title}: {change}")
    for who, parts in texts.items():
        title = game.file.title_of(who) if who in journal.people else who
        yield f"{title}: {'; '.join(parts)}" if who else "; ".join(parts)
