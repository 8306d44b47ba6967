"""The differences between two states of one game.

`Differences` tells players which units moved, left or came and which facts changed. `Divergence` tells a view which of
its results from one state no longer hold in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated

import msgspec

from ..util.mappings import compare_mappings, list_mapping
from ..util.notes import note
from .changes import BUILT_IN_TRACKS, AnyChange, Change, Enter, Leave
from .state import HIDDEN, UNSEEN, FactKey, GameState, stand_in
from .tracks import Fact, Track, Value
from .vocabulary import UnitId


class Move(msgspec.Struct, frozen=True):
    """A unit that is at another place."""

    unit: UnitId
    before: Annotated[str, note("the last place")]
    after: Annotated[str, note("the new place")]


class Arrival(msgspec.Struct, frozen=True):
    """A unit that was not in play, or not seen, before."""

    unit: UnitId
    place: Annotated[str, note("the new place")]
    facts: Annotated[dict[str, Value], note("the stated facts, by track")]


class Departure(msgspec.Struct, frozen=True):
    """A unit that is no longer in play, or no longer seen."""

    unit: UnitId
    place: Annotated[str, note("the last place")]


class StackChange(msgspec.Struct, frozen=True):
    """A stack in which units that stayed lie in another order."""

    place: Annotated[str, note("the place")]
    before: Annotated[tuple[str, ...], note("the units that stayed, from the top, in the old order")]
    after: Annotated[tuple[str, ...], note("the same units in the new order")]


class FactChange(msgspec.Struct, frozen=True):
    """A fact with another value."""

    track: Annotated[str, note("the track")]
    subject: Annotated[str, note("the subject: a unit, a place, a hexside, '' for the game itself")]
    before: Annotated[Value | None, note("the value before, null if it was not stated")]
    after: Annotated[Value | None, note("the value now, null if it is not stated")]


class Differences(msgspec.Struct, frozen=True, kw_only=True):
    """The differences between two states, for players."""

    moved: Annotated[tuple[Move, ...], note("units in another place")] = ()
    gone: Annotated[tuple[Departure, ...], note("units no longer in play, or no longer seen")] = ()
    came: Annotated[tuple[Arrival, ...], note("units that were not in play, or not seen, before")] = ()
    restacked: Annotated[tuple[StackChange, ...], note("stacks in another order")] = ()
    facts: Annotated[tuple[FactChange, ...], note("facts with another value")] = ()


def find_differences(before: GameState, after: GameState, tracks: Mapping[str, Track]) -> Differences:
    """Return the differences between two states of one game, both as the same viewpoint sees them.

    An unstated fact has its track's default. Facts of a unit are compared only if both states have the unit and the
    viewpoint may know them in both.
    """
    moves = list[Move]()
    departures = list[Departure]()
    arrivals = list[Arrival]()
    units_in_both = before.units.keys() & after.units.keys()
    for unit in sorted({**before.units, **after.units}):
        old_place = before.units[unit].place if unit in before.units else None
        new_place = after.units[unit].place if unit in after.units else None
        if old_place == new_place:
            continue
        if old_place is not None and new_place is not None:
            moves.append(Move(unit, old_place, new_place))
            continue
        units_in_both.discard(unit)  # a unit may be in a state without a place: it is not in play
        if old_place is not None:
            departures.append(Departure(unit, old_place))
        elif new_place is not None:
            arrivals.append(Arrival(unit, new_place, dict(_list_facts(unit, after, tracks))))
    return Differences(
        moved=tuple(moves),
        gone=tuple(departures),
        came=tuple(arrivals),
        restacked=tuple(_find_restacked(before, after)),
        facts=tuple(_find_fact_changes(before, after, tracks, units_in_both)),
    )


def changes_between(before: GameState, after: GameState, tracks: Mapping[str, Track]) -> Iterator[AnyChange]:
    """Yield the changes that lead from one state to another, both as the same viewpoint sees them.

    The changes name no rule and leave out the order in stacks.
    """
    differences = find_differences(before, after, tracks)
    for departure in differences.gone:
        yield Leave(departure.unit, "")
    for move in differences.moved:
        yield Change("place", move.unit, move.before, move.after, "")
    for arrival in differences.came:
        yield Enter(arrival.unit, after.units[arrival.unit].type, arrival.place, 0, "")
        yield from (Change(track, arrival.unit, None, value, "") for track, value in arrival.facts.items())
    for fact in differences.facts:
        yield Change(fact.track, fact.subject, fact.before, fact.after, "")


def _list_facts(unit: str, state: GameState, tracks: Mapping[str, Track]) -> Iterator[tuple[str, Value]]:
    for name, fact in state.facts_of.get(unit, {}).items():
        if name != HIDDEN and tracks[name].on == "unit" and fact.value != tracks[name].absent:
            yield name, fact.value


def _find_restacked(before: GameState, after: GameState) -> Iterator[StackChange]:
    for place in sorted({unit.place for unit in before.units.values() if unit.place}):
        old_stack = [unit.id for unit in before.stack(place)]
        new_stack = [unit.id for unit in after.stack(place)]
        old_order = tuple(unit for unit in old_stack if unit in new_stack)
        new_order = tuple(unit for unit in new_stack if unit in old_stack)
        if old_order != new_order:
            yield StackChange(place, old_order, new_order)


def _find_fact_changes(
    before: GameState, after: GameState, tracks: Mapping[str, Track], units: Collection[str]
) -> Iterator[FactChange]:
    """Yield the facts that changed; of units, only those in `units`.

    Facts of units come last. Facts of one subject follow each other, in the order of the game's tracks.
    """
    track_numbers = {name: number for number, name in enumerate(tracks)}
    keys = {**before.facts, **after.facts}
    for key in sorted(keys, key=lambda key: (tracks[key[0]].on == "unit", key[1], track_numbers[key[0]])):
        name, subject = key
        of_unit = tracks[name].on == "unit"
        if name == HIDDEN or (
            of_unit and (subject not in units or _is_unknown(key, before) or _is_unknown(key, after))
        ):
            continue
        old_value = _read_value(key, before, tracks)
        new_value = _read_value(key, after, tracks)
        if old_value != new_value:
            yield FactChange(name, subject, old_value, new_value)


def _read_value(key: FactKey, state: GameState, tracks: Mapping[str, Track]) -> Value | None:
    fact = state.facts.get(key)
    return fact.value if fact is not None else tracks[key[0]].absent


def _is_unknown(key: FactKey, state: GameState) -> bool:
    hidden = state.facts.get((HIDDEN, key[1]))
    return key not in state.facts and hidden is not None and isinstance(hidden.value, tuple) and key[0] in hidden.value


# --- divergence: results of one state that no longer hold in another ---


_COMPARED_FIELDS = ("units", "facts", "line_facts")
"""The fields of a state that a divergence describes; all others must be equal."""


class Divergence(msgspec.Struct, frozen=True):
    """The hexes, units and facts in which two states differ."""

    hexes: Annotated[frozenset[str], note("hexes where a fact, also one about a hexside, or a unit differs")] = (
        frozenset()
    )
    units: Annotated[frozenset[str], note("units that stand elsewhere, differ, or stand for unseen units")] = (
        frozenset()
    )
    facts: Annotated[frozenset[FactKey], note("facts that differ, or are stated in another order")] = frozenset()

    @property
    def hexsides(self) -> frozenset[str]:
        """The hexsides about which a fact differs."""
        return frozenset(subject for _, subject in self.facts if "|" in subject)

    @property
    def units_only_moved(self) -> bool:
        """Whether the units that differ are all seen and differ only in their place, not in a fact."""
        return not any(track == UNSEEN or subject in self.units for track, subject in self.facts)


NOTHING = Divergence()
"""The divergence of two equal states."""
StatedFacts = Mapping[FactKey, Fact]


def find_divergence(
    before: GameState,
    after: GameState,
    stated: tuple[StatedFacts, StatedFacts],
    tracks: Mapping[str, Track],
    is_hex: Callable[[str], bool],
    changes: Sequence[AnyChange] | None = None,
) -> Divergence | None:
    """Return the divergence of two states, or None if they differ in more than units, hexes and hexsides.

    `stated`: all facts of each state, with the facts of its lines.
    `is_hex`: returns whether a place of the board is a hex, not a box.
    `changes`: the changes from `before` to `after`, or None to compare everything. With changes, only the units and
    facts that they name are compared, and the order of facts is not compared.
    """
    fields = (name for name in before.__struct_fields__ if name not in _COMPARED_FIELDS)
    if any(getattr(before, name) != getattr(after, name) for name in fields):
        return None
    named_keys = _find_named(changes) if changes is not None else None
    if named_keys is not None:
        units_named, facts_named = named_keys
        units = {unit for unit in units_named if before.units.get(unit) != after.units.get(unit)}
        facts = {key for key in facts_named if stated[0].get(key) != stated[1].get(key)}
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
    old_and_new_units = (
        units_of[name] for units_of in (before.units, after.units) for name in units if name in units_of
    )
    hexes.update(unit.place for unit in old_and_new_units if unit.place)
    return Divergence(frozenset(filter(is_hex, hexes)), frozenset(units), frozenset(facts))


def _find_named(changes: Sequence[AnyChange]) -> tuple[set[str], set[FactKey]] | None:
    """Return the units that the changes place and the facts that they set, or None if a unit enters or leaves.

    Such a unit alters further units and facts.
    """
    units = set[str]()
    facts = set[FactKey]()
    for change in changes:
        if isinstance(change, Enter | Leave):
            return None
        if change.track in BUILT_IN_TRACKS:
            units.add(change.subject)
        else:
            facts.add((change.track, change.subject))
    return units, facts
