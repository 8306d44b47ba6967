"""Changes: the only way from one state to the next.

A `Change` sets a track from one value to another. A `Gain` adds to a number and a `Raise` brings it up to a level, even
if earlier entries of a journal change. `Enter` adds a unit to the state, and `Leave` removes one. An eliminated unit
stays in the state without a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Annotated

import msgspec

from ..util.errors import InputError, UnknownWord, format_suggestion
from ..util.notes import note
from .state import FactKey, GameState, Unit, Unread, copy_of
from .tracks import Fact, Track, Value
from .vocabulary import Name, Subject, UnitId

BUILT_IN_TRACKS = ("place", "order")
"""The built-in tracks: a unit's place, and its order in the stack."""


class Change(msgspec.Struct, frozen=True, tag="set", tag_field="how"):
    """One track set to a value. "place" and "order" of a unit are built in."""

    track: Name
    subject: Subject
    before: Annotated[Value | None, note("the value before, null if not stated or out of play")]
    after: Annotated[Value | None, note("the value afterwards, null if not stated or out of play")]
    rule: Annotated[str, note("the rule that makes the change")]


class Gain(msgspec.Struct, frozen=True, tag="gain", tag_field="how"):
    """An amount added to a number, or taken off it if negative, whatever the number was before."""

    track: Name
    subject: Subject
    amount: Annotated[int, note("the amount added")]
    rule: Annotated[str, note("the rule that adds the amount")]


class Raise(msgspec.Struct, frozen=True, tag="raise", tag_field="how"):
    """A number brought up to a level, unless the number is that high already."""

    track: Name
    subject: Subject
    to: Annotated[int, note("the level")]
    rule: Annotated[str, note("the rule that raises the value")]


class Enter(msgspec.Struct, frozen=True, tag="enter", tag_field="how"):
    """A unit that enters play. The units from its position in the stack down move down by one."""

    unit: UnitId
    type: Annotated[str, note("the entry in the roster")]
    place: Annotated[str | None, note("the place that it enters, null if it waits off the map")]
    order: Annotated[int, note("the position in the stack, 0 for the top")]
    rule: Annotated[str, note("the rule by which the unit enters")]


class Leave(msgspec.Struct, frozen=True, tag="leave", tag_field="how"):
    """A unit that leaves play, with all its facts."""

    unit: UnitId
    rule: Annotated[str, note("the rule by which the unit leaves")]


AnyChange = Change | Gain | Raise | Enter | Leave


def apply(state: GameState, changes: Iterable[AnyChange], tracks: Mapping[str, Track]) -> GameState:
    """Return the state after the changes, in order.

    `apply_changes` of `game.states` also looks places up on the board, and checks that subjects exist.

    Raises InputError if the `before` of a change differs from the state, a value or track is not allowed, or a unit is
    unknown or enters twice.
    """
    standing = PlacedUnits(state.units, state.unread)
    facts = copy_of(state.facts)
    for change in changes:
        apply_change(change, standing, facts, tracks)
    return msgspec.structs.replace(state, units=MappingProxyType(standing.units), facts=MappingProxyType(facts))


def apply_change(
    change: AnyChange,
    standing: PlacedUnits,
    facts: dict[FactKey, Fact],
    tracks: Mapping[str, Track],
    *,
    anyway: bool = False,
) -> None:
    """Carry a change out on units and facts.

    `anyway`: whether to carry the change out even if the value before differs by now.

    Raises InputError as `apply` does.
    """
    match change:
        case Enter():
            _enter_unit(change, standing)
        case Leave(unit):
            _check_known(unit, standing.units)
            standing.remove(unit)
            for key in [(name, unit) for name, track in tracks.items() if track.on == "unit"]:
                facts.pop(key, None)
        case Change() | Gain() | Raise() if change.track in BUILT_IN_TRACKS:
            _move_unit(change, standing, anyway=anyway)
        case Change() | Gain() | Raise():
            _set_fact(change, facts, tracks, anyway=anyway)


class PlacedUnits:
    """Units with their places; changes move them.

    `unread`: the items not understood, at their places.
    `log`: a list that receives the id of each unit moved and the unit before, or None if it was not in play.
    """

    def __init__(self, units: Mapping[str, Unit], unread: Iterable[Unread] = ()) -> None:
        self.units = copy_of(units)
        self.log: list[tuple[str, Unit | None]] | None = None
        self._unread: dict[str, int] = {}  # by place: the highest order of an item not understood
        self._last: dict[str, int] = {}  # by place: the highest order of a unit, once worked out
        for piece in unread:
            self._unread[piece.place] = max(piece.order, self._unread.get(piece.place, -1))

    @cached_property
    def _at(self) -> dict[str, dict[str, None]]:
        at: dict[str, dict[str, None]] = {}
        for unit in self.units.values():
            if unit.place:
                at.setdefault(unit.place, {})[unit.id] = None
        return at

    def put(self, unit: Unit) -> None:
        """Place a unit that is new or has another place or order."""
        before = self.units.get(unit.id)
        units_at = self._at
        if self.log is not None:
            self.log.append((unit.id, before))
        if before is not None and before.place:
            del units_at[before.place][before.id]
            self._last.pop(before.place, None)
        self.units[unit.id] = unit
        if unit.place:
            units_at.setdefault(unit.place, {})[unit.id] = None
            if unit.place in self._last:
                self._last[unit.place] = max(self._last[unit.place], unit.order)

    def remove(self, name: str) -> None:
        """Remove a unit from play."""
        self.put(msgspec.structs.replace(self.units[name], place=None))
        del self.units[name]

    def at(self, place: str) -> list[Unit]:
        """Return the units at a place, the top one first."""
        return sorted((self.units[name] for name in self._at.get(place, ())), key=lambda unit: unit.order)

    def last(self, place: str) -> int:
        """Return the highest order of anything at a place, or -1 if the place is empty."""
        if place not in self._last:
            self._last[place] = max((unit.order for unit in self.at(place)), default=-1)
        return max(self._last[place], self._unread.get(place, -1))


def _move_unit(change: Change | Gain | Raise, standing: PlacedUnits, *, anyway: bool) -> None:
    """Change a unit's place or its order in the stack.

    A unit that arrives goes to the bottom, so that the visible top unit stays the same. Units that arrive in turn keep that order.
    """
    name = change.track
    subject = change.subject
    _check_known(subject, standing.units)
    if not isinstance(change, Change):
        raise InputError(f"the {name} of {subject} can only be set, not added to or raised")
    unit = standing.units[subject]
    if not anyway:
        _check_before(change, getattr(unit, name))
    if not isinstance(change.after, int if name == "order" else str | None) or isinstance(change.after, bool):
        raise InputError(f"{name}: {change.after!r} is not allowed")
    moved = msgspec.structs.replace(unit, **{name: change.after})
    if name == "place" and isinstance(change.after, str) and change.after != change.before:
        moved = msgspec.structs.replace(moved, order=standing.last(change.after) + 1)
    standing.put(moved)


def _set_fact(
    change: Change | Gain | Raise, facts: dict[FactKey, Fact], tracks: Mapping[str, Track], *, anyway: bool
) -> None:
    key = name, _ = change.track, change.subject
    if name not in tracks:
        raise UnknownWord(f"unknown track {name!r}", hint=format_suggestion(name, tracks))
    before = facts.get(key)
    current = before.value if before else None
    if anyway and isinstance(change, Change):
        current = change.before
    after = _find_value_after(change, current, tracks[name])
    if after is None:
        facts.pop(key, None)
    else:
        still_assumed = before is not None and before.assumed and not isinstance(change, Change)
        facts[key] = Fact(tracks[name].check(after), assumed=still_assumed)


def _enter_unit(change: Enter, standing: PlacedUnits) -> None:
    if change.unit in standing.units:
        raise InputError(f"{change.unit} is already in play", hint="give a second unit of a type another name")
    if change.place:
        for other in standing.at(change.place):
            if other.order >= change.order:
                standing.put(msgspec.structs.replace(other, order=other.order + 1))
    standing.put(Unit(change.unit, change.type, change.place, change.order))


def _check_known(unit: str, units: Mapping[str, Unit]) -> None:
    if unit not in units:
        raise InputError(f"unknown unit {unit!r}", hint=format_suggestion(unit, units))


def _find_value_after(change: Change | Gain | Raise, current: object, track: Track) -> Value | None:
    if isinstance(change, Change):
        _check_before(change, current)
        return change.after
    number = track.absent if current is None else current
    if not isinstance(number, int | None) or isinstance(number, bool):
        raise InputError(f"{change.track} of {change.subject} is {number!r}, which is not a number")
    known_number = number or 0
    return known_number + change.amount if isinstance(change, Gain) else max(known_number, change.to)


def _check_before(change: Change, current: object) -> None:
    if current != change.before:
        raise InputError(
            f"{change.track} of {change.subject or 'the game'} is {current!r}, not {change.before!r}",
            hint="the change belongs to another state",
        )
