"""Undo of a side's lines at a shared table, and the entries of other sides that depend on them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ...formats.positions import Asked, Position
from ...game.games import Game
from ...records.journal.entries import STRIKE, JournalEntry, OpenQuestion, TurnBegins, find_index
from ...records.journal.journal import Journal, split_lines
from ...records.journal.open_question import posed_entry
from ...records.journal.typed_lines import read_typed
from ...state.patches import take_back
from ...state.state import FactKey, GameState
from ...util.errors import InputError, MachineError
from ..prompt.table import TableState, evaluate_table
from .own_lines import OwnLine
from .seen_entries import States, corrects, find_touched, see_state
from .statements import find_lines_to_state
from .table_view import format_line


def find_dependents(
    journal: Journal, tap_entries: Sequence[JournalEntry], own: Collection[str], side: str
) -> tuple[JournalEntry, ...]:
    """Return the later entries of others that, as a side sees them, depend on entries of a tap.

    An entry depends on another if both state or change the same unit, fact or place. Its whole line and the entries
    that depend on it are returned too.

    `journal`: the journal of the whole table.
    `tap_entries`: the entries of the tap that count.
    `own`: the marks of the side's taps.
    """
    if not tap_entries:
        return ()
    concerned = set[FactKey]().union(*(find_touched(journal, entry, side) for entry in tap_entries))
    turns_begun = {entry.turn for entry in tap_entries if isinstance(entry.what, TurnBegins)}
    entered = [*split_lines(journal.entries[find_index(journal.entries, tap_entries[-1].number + 1) :])]
    lines = [line for line in entered if not any(entry.tap in own for entry in line)]
    numbers = {entry.number for line in lines for entry in line if not isinstance(entry.what, OpenQuestion)}
    since = {entry.number: entry for entry in journal.counting.entries if entry.number in numbers}
    subjects = {
        number: find_touched(journal, since[number], side, states)
        for number, states in journal.books.walk_entries(since)
    }
    changing = {line[0].number for line in lines if any(subjects.get(entry.number) for entry in line)}
    unseen = {line[0].number for line in _find_unseen(journal, entered, changing, side)}
    dependents = list[JournalEntry]()
    for line in lines:
        counting = [since[entry.number] for entry in line if entry.number in subjects]
        touched = frozenset[FactKey]().union(*(subjects[entry.number] for entry in counting))
        is_of_turn = any(subjects[entry.number] and entry.turn in turns_begun for entry in counting)
        if (is_of_turn or concerned & touched) and line[0].number not in unseen:
            dependents += counting
            concerned |= touched
            turns_begun |= {entry.turn for entry in counting if isinstance(entry.what, TurnBegins)}
    return tuple(dependents)


def _find_unseen(
    journal: Journal, lines: Sequence[Sequence[JournalEntry]], among: Collection[int], side: str
) -> Iterator[Sequence[JournalEntry]]:
    """Yield the lines that the side could not see when they were entered.

    Once earlier entries are struck, such a line may change the side's view, which would reveal it.

    `among`: the first entry numbers of the lines to check.
    """
    for stretch in _split_changed(lines, among):
        then = journal.until(stretch[-1][-1].number)
        around = dict(then.books.walk_entries({entry.number for line in stretch for entry in line}))
        for line in stretch:
            if line[0].number in around and line[-1].number in around:
                before, after = around[line[0].number][0], around[line[-1].number][1]
            else:  # the line corrects something
                before, after = journal.until(line[0].number - 1).position().state, then.position().state
            if see_state(journal.game, before, side) == see_state(journal.game, after, side):
                yield line


def _split_changed(
    lines: Sequence[Sequence[JournalEntry]], among: Collection[int]
) -> Iterator[list[Sequence[JournalEntry]]]:
    """Yield, in stretches, the lines to check whose effect later corrections may have changed.

    A line that corrects another, or is late, is a stretch of its own.

    `among`: the first entry numbers of the lines to check.
    """
    first = lines[-1][-1].number + 1 if lines else 0  # the lowest number of an entry that a later line corrects
    stretch = list[Sequence[JournalEntry]]()
    for line in reversed(lines):
        corrected = [getattr(entry.what, "target", 0) for entry in line if entry.late or corrects(entry)]
        if corrected and stretch:
            yield stretch
            stretch = []
        if first < line[0].number and line[0].number in among:
            stretch.insert(0, line)
        if corrected and stretch:
            yield stretch
            stretch = []
        first = min((first, *corrected))
    if stretch:
        yield stretch


def list_dice_lost(position: Position, action: OwnLine, asking: OpenQuestion) -> Iterator[str]:
    """Yield the dice and later answers of the open combat that would be lost with an action, in words.

    `asking`: the open question.
    """
    posed, now = posed_entry(asking)
    if posed is None or not asks_combat(position.game, asking) or not asking.goes_on_with(action.posed):
        return
    before, had = posed_entry(action.posed_before)
    _, has = posed_entry(action.posed)
    known = dict(had) if before == posed else {}
    if known == has and before == posed:
        return
    for name, value in now.items():
        if name in known:
            continue
        if name not in has or _is_roll(position, posed, known, name):
            yield format_line(f"{name}={value}")
        known[name] = value


def _is_roll(position: Position, posed: Asked, known: dict[str, str], name: str) -> bool:
    with suppress(InputError):
        shown = evaluate_table(TableState(msgspec.structs.replace(position, asks=(posed,), answers=known)))
        asks = shown.report.asks if shown else ()
        return any(needed.name == name and needed.kind == "roll" for needed in asks)
    return False


def asks_combat(game: Game, asking: OpenQuestion) -> bool:
    """Return whether a question is about a combat."""
    posed, _ = posed_entry(asking)
    return posed is not None and posed.question == game.file.prompt.ask


def find_strikes(journal: Journal, entries: Sequence[JournalEntry], restored: Iterable[JournalEntry] = ()) -> list[str]:
    """Return the lines that strike entries and restore the facts that have not changed since.

    An entry that begins a turn is struck with all entries of that turn.

    `restored`: entries of later undos that restored the facts now struck; they are struck too.

    Raises InputError if that is impossible, such as when an enemy stands where a unit would come back.
    """
    if not entries:
        return []
    started = {entry.turn for entry in entries if isinstance(entry.what, TurnBegins)}
    within = {entry.number for entry in journal.counting.entries if entry.turn in started}
    struck = {entry.number for entry in (*entries, *restored)} | within
    wanted = journal.position().state
    changes = _find_changes(journal, {entry.number for entry in entries}, struck)
    for entry in reversed(entries):
        if change := changes.get(entry.number):
            before, after = change.states
            if isinstance(entry.what, TurnBegins):
                before = journal.books.state_before_turn(entry.turn)
            wanted = take_back(wanted, after, before, change.moved_since)
    strikes = [f"{STRIKE} {number}" for number in sorted(struck, reverse=True)]
    try:
        remaining = journal.with_entries(read_typed(journal, *strikes))
        wanted = _keep_placed(wanted, remaining.position().state)
        lines = find_lines_to_state(remaining, _return_lost(wanted, journal, remaining, changes))
    except MachineError:
        raise
    except InputError as error:
        what = "this cannot be taken back, as something that has happened since stands in its way"
        raise InputError(what, hint="the laptop can strike entries") from error
    return [*strikes, *lines]


class _Change(NamedTuple):
    states: States
    moved_since: set[str]
    """Ids of the units that later, remaining entries have moved to a place."""


def _find_changes(journal: Journal, numbers: Collection[int], struck: Collection[int]) -> dict[int, _Change]:
    """Return the changes of entries by their numbers.

    `struck`: the numbers of all entries to be struck.
    """
    first = min(numbers)
    since = {entry.number for entry in journal.counting.entries if entry.number >= first}
    changes = dict[int, _Change]()
    for number, states in journal.books.walk_entries(since):
        if number in numbers:
            changes[number] = _Change(states, set())
        elif number not in struck and (moved := _find_moved(*states)):
            for change in changes.values():
                change.moved_since.update(moved)
    return changes


def _find_moved(before: GameState, after: GameState) -> set[str]:
    """Return the ids of the units that an entry has moved to a place.

    Units that leave the map are left out: the entry may state only the others of their hex.
    """
    changed = ((before.units.get(id), after.units.get(id)) for id in after.compare_units(before).since)
    return {now.id for was, now in changed if now and now.place and now.place != (was.place if was else None)}


def _keep_placed(wanted: GameState, remaining: GameState) -> GameState:
    """Return a state with the units that remaining entries place on the map, even if it has taken them off."""
    on_map = {*_list_placed(wanted)}
    return _take_units(wanted, remaining, [id for id in _list_placed(remaining) if id not in on_map])


def _return_lost(wanted: GameState, journal: Journal, remaining: Journal, changes: Mapping[int, _Change]) -> GameState:
    """Return a state with units back in the places that they had when the struck entries were made.

    `wanted`: the state that the undo aims at.
    `remaining`: the journal without the struck entries.
    `changes`: the changes of the struck entries, by number.

    Such a unit would leave the map by an entry that states the other units of a hex, if it was elsewhere at that time.
    Now that its way out of that hex is struck, earlier entries place it there.
    """
    on_map = {*_list_placed(wanted)}
    lost = {id for id in _list_placed(journal.position().state) if id not in on_map}
    since = journal.entries[find_index(journal.entries, min(changes, default=0)) :]
    if not lost or not any(corrects(entry) for entry in since):
        return wanted
    lost &= remaining.books.find_takers(lost).keys()
    for number, change in sorted(changes.items()):
        if moved := lost & _find_moved(*change.states):
            stood = journal.until(number - 1).position().state
            wanted = _take_units(wanted, stood, [id for id in _list_placed(stood) if id in moved])
            lost -= moved
    return wanted


def _list_placed(state: GameState) -> list[str]:
    return [id for id, unit in state.units.items() if unit.place]


def _take_units(state: GameState, other: GameState, ids: Sequence[str]) -> GameState:
    if not ids:
        return state
    units = MappingProxyType({**state.units, **{id: other.units[id] for id in ids}})
    facts = {key: fact for key, fact in other.facts.items() if key[1] in ids}
    return msgspec.structs.replace(state, units=units, facts=MappingProxyType({**state.facts, **facts}))
