"""What was done on a table: the steps of a log, a journal or a pair of saves, and what each of them changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ...formats.positions import Position
from ...game.course import clock_tracks
from ...game.games import Game
from ...state.changes import BUILT_IN_TRACKS, AnyChange, Change, Enter, Gain, Leave, PlacedUnits, Raise, apply_change
from ...state.differences import changes_between, find_differences
from ...state.state import FactKey, GameState, copy_of
from ...state.tracks import Track, Value
from ..explaining.played import PlayedQuestion, PlayedRecord
from ..explaining.record import AnnotatedRecord

PLACE = "place"
"""The track of changes that bring a unit to another place."""


class Deed(NamedTuple):
    """A unit brought to another place, or a fact given another value."""

    step: int
    track: str
    subject: str
    before: Value | None
    after: Value | None

    @property
    def key(self) -> FactKey:
        """The fact, or the place of the unit, that is changed."""
        return self.track, self.subject


class TableStep(NamedTuple):
    """A step of a record that changed the table."""

    number: int
    before: Position
    after: Position
    question: PlayedQuestion | None = None
    """The question whose answer a journal's entry is, or None."""
    changes: tuple[AnyChange, ...] = ()
    """The changes that a journal's entry states as that answer."""
    is_ruled: bool = False
    """Whether the journal's own books make the step, as at the beginning of a turn."""


def list_log_steps(table: AnnotatedRecord) -> Iterator[TableStep]:
    """Yield the steps of a log that changed the table."""
    for earlier, number in pairwise(table.record.moments):
        before, after = table.at(earlier), table.at(number)
        if before.state is not after.state:
            yield TableStep(number, before, after)


def list_journal_steps(record: PlayedRecord) -> Iterator[TableStep]:
    """Yield the entries of a journal, and the turns that begin between them."""
    for passage in record:
        is_ruled = passage.kind in ("turn", "event")
        yield TableStep(
            passage.number, passage.before, passage.after, passage.question, passage.changes, is_ruled=is_ruled
        )


def list_deeds(step: TableStep) -> list[Deed]:
    """Return what a step changed: places first, then facts."""
    found = find_differences(step.before.state, step.after.state, step.before.game.tracks)
    deeds = [Deed(step.number, PLACE, move.unit, move.before, move.after) for move in found.moved]
    deeds += [Deed(step.number, PLACE, unit.unit, unit.place, None) for unit in found.gone]
    deeds += [Deed(step.number, PLACE, unit.unit, None, unit.place) for unit in found.came]
    deeds += [Deed(step.number, fact.track, fact.subject, fact.before, fact.after) for fact in found.facts]
    return deeds


def net_deeds(deeds: Iterable[Deed]) -> list[Deed]:
    """Return one change for each fact and place that was changed: from its first value to its last."""
    net = dict[FactKey, Deed]()
    for deed in deeds:
        first = net.get(deed.key, deed)
        net[deed.key] = deed._replace(before=first.before)
    return [*net.values()]


def changes_of_step(step: TableStep) -> tuple[AnyChange, ...]:
    """Return the changes that lead from the table before a step to the table after it."""
    return tuple(changes_between(step.before.state, step.after.state, step.before.game.tracks))


def list_expected(change: AnyChange) -> Iterator[tuple[FactKey, Value | None]]:
    """Yield the fact, or the place of a unit, that a change sets, with its value or the amount added."""
    match change:
        case Change(track, subject, _, after):
            yield (track, subject), after
        case Enter(unit, _, place):
            yield (PLACE, unit), place
        case Leave(unit):
            yield (PLACE, unit), None
        case Gain(track, subject, amount):
            yield (track, subject), amount
        case Raise(track, subject, to):
            yield (track, subject), to


def split_by_clock(game: Game, steps: Iterable[TableStep]) -> Iterator[list[TableStep]]:
    """Yield the steps of each phase; the step that leads to the next phase is the last one."""
    tracks = [name for name in clock_tracks(game) if name in game.tracks]

    def clock(state: GameState) -> list[object]:
        return [state.value(track) for track in tracks]

    stretch = list[TableStep]()
    for step in steps:
        stretch.append(step)
        if clock(step.before.state) != clock(step.after.state):
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def carry_out(state: GameState, changes: Iterable[AnyChange], tracks: Mapping[str, Track]) -> GameState:
    """Return a state after changes as they were made on a table, whatever was stated before.

    Changes of units that are not in play are left out.
    """
    standing = PlacedUnits(state.units, state.unread)
    facts = copy_of(state.facts)
    for change in changes:
        match change:
            case Enter(unit=unit) if unit in standing.units:
                moved = Change(PLACE, unit, standing.units[unit].place, change.place, change.rule)
                apply_change(moved, standing, facts, tracks, anyway=True)
            case Leave(unit=unit) if unit not in standing.units:
                continue
            case Change(track=track, subject=subject) if _is_of_unit(track, tracks) and subject not in standing.units:
                continue
            case _:
                apply_change(change, standing, facts, tracks, anyway=True)
    return msgspec.structs.replace(state, units=MappingProxyType(standing.units), facts=MappingProxyType(facts))


def _is_of_unit(track: str, tracks: Mapping[str, Track]) -> bool:
    return track in BUILT_IN_TRACKS or tracks[track].on == "unit"
