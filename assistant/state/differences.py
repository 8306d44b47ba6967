"""What differs between two states of one game: for players, who moved, is gone or came and which facts changed; and for
answers worked out of one state, how far they hold of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated

import msgspec

from ..util.mappings import compare_mappings, list_mapping
from ..util.notes import note
from .changes import PLACED, AnyChange, Change, Enter, Leave
from .state import HIDDEN, UNSEEN, FactKey, GameState, stand_in
from .tracks import Fact, Track, Value
from .vocabulary import UnitId


class Move(msgspec.Struct, frozen=True):
    """A unit that is at another place."""

    unit: UnitId
    before: Annotated[str, note("where it was")]
    after: Annotated[str, note("where it is now")]


class Arrival(msgspec.Struct, frozen=True):
    """A unit that was not in play, or not seen, before."""

    unit: UnitId
    place: Annotated[str, note("where it is now")]
    facts: Annotated[dict[str, Value], note("what the position now states about the unit, by track")]


class Departure(msgspec.Struct, frozen=True):
    """A unit that is no longer in play, or no longer seen."""

    unit: UnitId
    place: Annotated[str, note("where it was")]


class StackChange(msgspec.Struct, frozen=True):
    """A stack in which units that stayed lie in another order."""

    place: Annotated[str, note("where it lies")]
    before: Annotated[tuple[str, ...], note("the units that stayed, from the top, as they lay")]
    after: Annotated[tuple[str, ...], note("the same units as they lie now")]


class FactChange(msgspec.Struct, frozen=True):
    """A fact with another value."""

    track: Annotated[str, note("its track")]
    subject: Annotated[str, note("what it is about: a unit, a place, a hexside, '' for the game itself")]
    before: Annotated[Value | None, note("its value before, null if it was not stated")]
    after: Annotated[Value | None, note("its value now, null if it is not stated")]


class Differences(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between two states."""

    moved: Annotated[tuple[Move, ...], note("units in another place")] = ()
    gone: Annotated[tuple[Departure, ...], note("units no longer in play, or no longer seen")] = ()
    came: Annotated[tuple[Arrival, ...], note("units that were not in play, or not seen, before")] = ()
    restacked: Annotated[tuple[StackChange, ...], note("stacks in another order")] = ()
    facts: Annotated[tuple[FactChange, ...], note("facts with another value")] = ()


def find_differences(before: GameState, after: GameState, tracks: Mapping[str, Track]) -> Differences:
    """Return what differs between two states of one game, as one viewpoint sees both.

    A fact that is not stated has the value that silence means. What a viewpoint may not know of a unit in either state
    counts as unchanged, and so do the facts of units that are in one of the states alone.
    """
    moved = list[Move]()
    gone = list[Departure]()
    came = list[Arrival]()
    stayed = before.units.keys() & after.units.keys()
    for unit in sorted({**before.units, **after.units}):
        was = before.units[unit].place if unit in before.units else None
        now = after.units[unit].place if unit in after.units else None
        if was == now:
            continue
        if was is not None and now is not None:
            moved.append(Move(unit, was, now))
            continue
        stayed.discard(unit)
        if was is not None:
            gone.append(Departure(unit, was))
        elif now is not None:
            came.append(Arrival(unit, now, dict(_list_facts(unit, after, tracks))))
    return Differences(
        moved=tuple(moved),
        gone=tuple(gone),
        came=tuple(came),
        restacked=tuple(_find_restacked(before, after)),
        facts=tuple(_find_fact_changes(before, after, tracks, stayed)),
    )


def changes_between(before: GameState, after: GameState, tracks: Mapping[str, Track]) -> Iterator[AnyChange]:
    """Yield the changes that lead from one state to another, as one viewpoint sees both; of no rule, and without the
    order in stacks.
    """
    differ = find_differences(before, after, tracks)
    for gone in differ.gone:
        yield Leave(gone.unit, "")
    for move in differ.moved:
        yield Change("place", move.unit, move.before, move.after, "")
    for came in differ.came:
        yield Enter(came.unit, after.units[came.unit].type, came.place, 0, "")
        yield from (Change(track, came.unit, None, value, "") for track, value in came.facts.items())
    for fact in differ.facts:
        yield Change(fact.track, fact.subject, fact.before, fact.after, "")


def _list_facts(unit: str, state: GameState, tracks: Mapping[str, Track]) -> Iterator[tuple[str, Value]]:
    for name, fact in state.facts_of.get(unit, {}).items():
        if name != HIDDEN and tracks[name].on == "unit" and fact.value != tracks[name].absent:
            yield name, fact.value


def _find_restacked(before: GameState, after: GameState) -> Iterator[StackChange]:
    for place in sorted({unit.place for unit in before.units.values() if unit.place}):
        was = [unit.id for unit in before.stack(place)]
        now = [unit.id for unit in after.stack(place)]
        old = tuple(unit for unit in was if unit in now)
        new = tuple(unit for unit in now if unit in was)
        if old != new:
            yield StackChange(place, old, new)


def _find_fact_changes(
    before: GameState, after: GameState, tracks: Mapping[str, Track], units: Collection[str]
) -> Iterator[FactChange]:
    order = {name: number for number, name in enumerate(tracks)}
    keys = {**before.facts, **after.facts}
    for key in sorted(keys, key=lambda key: (tracks[key[0]].on == "unit", key[1], order[key[0]])):
        name, subject = key
        of_unit = tracks[name].on == "unit"
        if name == HIDDEN or (
            of_unit and (subject not in units or _is_unknown(key, before) or _is_unknown(key, after))
        ):
            continue
        was = _read_value(key, before, tracks)
        now = _read_value(key, after, tracks)
        if was != now:
            yield FactChange(name, subject, was, now)


def _read_value(key: FactKey, state: GameState, tracks: Mapping[str, Track]) -> Value | None:
    fact = state.facts.get(key)
    return fact.value if fact is not None else tracks[key[0]].absent


def _is_unknown(key: FactKey, state: GameState) -> bool:
    """Return whether a viewpoint may not know a fact of a unit."""
    hidden = state.facts.get((HIDDEN, key[1]))
    return key not in state.facts and hidden is not None and isinstance(hidden.value, tuple) and key[0] in hidden.value


# --- how far what was worked out of one state holds of another ---


_COMPARED = ("units", "facts", "line_facts")
"""The fields of a state in which two may differ."""


class Divergence(msgspec.Struct, frozen=True):
    """Where two states differ."""

    hexes: Annotated[frozenset[str], note("hexes where a fact, also one about a hexside, or a unit differs")] = (
        frozenset()
    )
    units: Annotated[frozenset[str], note("units that stand elsewhere, differ, or stand for unseen units")] = (
        frozenset()
    )
    facts: Annotated[frozenset[FactKey], note("facts that differ, or are stated in another order")] = frozenset()

    @property
    def hexsides(self) -> frozenset[str]:
        """The names of the hexsides of which a fact differs."""
        return frozenset(subject for _, subject in self.facts if "|" in subject)

    @property
    def units_only_moved(self) -> bool:
        """Whether its units are all seen and differ in nothing but where they stand."""
        return not any(track == UNSEEN or subject in self.units for track, subject in self.facts)


NOTHING = Divergence()
"""Where two equal states differ."""
Stated = Mapping[FactKey, Fact]


def find_divergence(
    before: GameState,
    after: GameState,
    stated: tuple[Stated, Stated],
    tracks: Mapping[str, Track],
    is_hex: Callable[[str], bool],
    changes: Sequence[AnyChange] | None = None,
) -> Divergence | None:
    """Return where two states differ; None if they differ in more than units, hexes and hexsides.

    stated: all that each of them states; is_hex: tells the hexes of their board from boxes; changes: those that lie
    between them, None if they are not known: then everything is compared.
    """
    fields = (name for name in before.__struct_fields__ if name not in _COMPARED)
    if any(getattr(before, name) != getattr(after, name) for name in fields):
        return None
    touched = _find_touched(changes) if changes is not None else None
    if touched:
        units, facts = (
            {key for key in touched[0] if before.units.get(key) != after.units.get(key)},
            {key for key in touched[1] if stated[0].get(key) != stated[1].get(key)},
        )
    else:
        units, facts = {*chain(*after.compare_units(before))}, {*chain(*after.compare_facts(before))}
        if before.line_facts or after.line_facts:
            facts.update(*compare_mappings(list_mapping(stated[0]), list_mapping(stated[1])))
    hexes = set[str]()
    for track, subject in facts:
        match tracks[track].on:
            case "unit":
                units.add(subject)
            case "hex" | "hexside":
                hexes.update(subject.split("|"))
                if track == UNSEEN:
                    units.add(stand_in(subject))
            case _:
                return None
    moved = (side[name] for side in (before.units, after.units) for name in units if name in side)
    hexes.update(unit.place for unit in moved if unit.place)
    return Divergence(frozenset(filter(is_hex, hexes)), frozenset(units), frozenset(facts))


def _find_touched(changes: Sequence[AnyChange]) -> tuple[set[str], set[FactKey]] | None:
    """Return the units that changes place and the facts that they set; None if units enter or leave, which tells on
    others.
    """
    units = set[str]()
    facts = set[FactKey]()
    for change in changes:
        if isinstance(change, Enter | Leave):
            return None
        if change.track in PLACED:
            units.add(change.subject)
        else:
            facts.add((change.track, change.subject))
    return units, facts
