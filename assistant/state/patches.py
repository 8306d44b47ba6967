"""What has changed between two states of one game, made in a third."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import TypeVar

import msgspec

from .state import FactKey, GameState, Unit, copy_of

K = TypeVar("K")
V = TypeVar("V")


def patch_state(state: GameState, before: GameState, after: GameState) -> GameState:
    """Return a state with what has changed between two others. A unit that is gone from them leaves the map, and keeps
    what is known of it.
    """
    if before == after:
        return state
    away = before.units.keys() - after.units.keys()
    since, gone, _ = after.compare_facts(before)
    facts = copy_of(state.facts)
    for key in gone:
        if key[1] not in away:
            facts.pop(key, None)
    if away:  # of these all is taken over
        changed_facts = {*since}
        since = [key for key in after.facts if key in changed_facts or key[1] in away]
    facts.update((key, after.facts[key]) for key in since)
    units = copy_of(state.units)
    changed = after.compare_units(before)
    touched = _list_places(chain(*changed), before, after)
    places = (unit.place for unit in (*before.units.values(), *after.units.values()) if unit.place in touched)
    for place in dict.fromkeys(places if touched else ()):
        if place is not None and _list_ids(before, place) != _list_ids(after, place):
            _restack(units, state, before, after, place)
    for id in changed.since:
        if after.units[id].place is None and (id not in before.units or before.units[id].place is not None):
            units[id] = msgspec.structs.replace(after.units[id], place=None)
    for id in away:
        if id in units and units[id].place == before.units[id].place:
            units[id] = msgspec.structs.replace(units[id], place=None)
    return msgspec.structs.replace(
        state,
        board=after.board if after.board != before.board else state.board,
        units=MappingProxyType(units),
        facts=MappingProxyType(facts),
        cells=MappingProxyType(_patch_mapping(state.cells, before.cells, after.cells)),
        rulings=MappingProxyType(_patch_mapping(state.rulings, before.rulings, after.rulings)),
        lines=MappingProxyType(_patch_mapping(state.lines, before.lines, after.lines)),
        line_facts=MappingProxyType(_patch_mapping(state.line_facts, before.line_facts, after.line_facts)),
        elsewhere=MappingProxyType(_patch_mapping(state.elsewhere, before.elsewhere, after.elsewhere)),
        accepts=(state.accepts - (before.accepts - after.accepts)) | (after.accepts - before.accepts),
    )


def take_back(state: GameState, after: GameState, before: GameState, moved: Collection[str] = frozenset()) -> GameState:
    """Return a state with what has changed between two others as it was before.

    A unit that has come with the change is gone, with what is known of it. One that stands elsewhere by now stays there.

    `moved`: units that have moved since, and stay where they are although they may have stood there after the change.
    """
    back = patch_state(state, after, before)
    units = state.units
    elsewhere = {id for id, unit in after.units.items() if id in units and units[id].place != unit.place}
    if stay := {id: units[id] for id in elsewhere.union(moved) if id in units}:
        back = msgspec.structs.replace(back, units=MappingProxyType({**back.units, **stay}))
    gone = after.units.keys() - before.units.keys()
    away = {id for id in gone if id in back.units and back.units[id].place is None}
    return without_units(back, away | (back.units.keys() & {*moved} - units.keys()))


def cut_to_change(before: GameState, after: GameState) -> tuple[GameState, GameState]:
    """Return two states without most of what is the same in both: patching with them, or taking back, comes to the same
    as with the whole ones.
    """
    others = after.compare_units(before)
    places = _list_places(chain(*others), before, after)
    changed = {place for place in places if _list_ids(before, place) != _list_ids(after, place)}
    since, gone, _ = after.compare_facts(before)
    facts = {*since, *gone}
    units = {*others.since, *others.gone, *(subject for _, subject in facts)}
    for state in (before, after):
        units |= {unit.id for unit in state.units.values() if unit.place in changed}
    return _cut(before, after, units, facts), _cut(after, before, units, facts)


def _cut(state: GameState, other: GameState, units: Collection[str], facts: Collection[FactKey]) -> GameState:
    """Return a state with some of its units and facts, and of the rest with what is not so in another one."""
    has_same_lines = state.lines == other.lines and state.line_facts == other.line_facts
    kept = {key: fact for key, fact in state.facts.items() if key in facts or key[1] in units}
    return msgspec.structs.replace(
        state,
        units=MappingProxyType({id: unit for id, unit in state.units.items() if id in units}),
        facts=MappingProxyType(kept),
        cells=MappingProxyType({} if state.cells == other.cells else state.cells),
        rulings=MappingProxyType({} if state.rulings == other.rulings else state.rulings),
        lines=MappingProxyType({} if has_same_lines else state.lines),
        line_facts=MappingProxyType({} if has_same_lines else state.line_facts),
        elsewhere=MappingProxyType({} if state.elsewhere == other.elsewhere else state.elsewhere),
        unread=(),
    )


def without_units(state: GameState, gone: Collection[str]) -> GameState:
    """Return a state without units, and without what is known of them."""
    if not gone:
        return state
    return msgspec.structs.replace(
        state,
        units=MappingProxyType({id: unit for id, unit in state.units.items() if id not in gone}),
        facts=MappingProxyType({key: fact for key, fact in state.facts.items() if key[1] not in gone}),
    )


def _patch_mapping(now: Mapping[K, V], before: Mapping[K, V], after: Mapping[K, V]) -> dict[K, V]:
    """Return what is stated, with what has changed between two others."""
    made = {key: value for key, value in now.items() if key in after or key not in before}
    return made | {key: value for key, value in after.items() if key not in before or before[key] != value}


def _list_places(units: Iterable[str], *states: GameState) -> set[str]:
    """Return the places of some units in some states."""
    stood = (unit for name in units for state in states if (unit := state.units.get(name)))
    return {unit.place for unit in stood if unit.place is not None}


def _list_ids(state: GameState, place: str) -> list[str]:
    return [unit.id for unit in state.stack(place)]


def _restack(units: dict[str, Unit], state: GameState, before: GameState, after: GameState, place: str) -> None:
    """Put the units of a place in the order that they have now; others that stand there stay below the one on which
    they followed.
    """
    was, now = set(_list_ids(before, place)), _list_ids(after, place)
    others: dict[str | None, list[str]] = {}
    above: str | None = None
    for id in _list_ids(state, place):
        if id in was or id in now:
            above = id if id in now else above
        else:
            others.setdefault(above, []).append(id)
    stack = [*others.pop(None, ())]
    for id in now:
        stack += [id, *others.pop(id, ())]
    stack += [id for left in others.values() for id in left]
    for order, id in enumerate(stack):
        units[id] = msgspec.structs.replace(units.get(id) or after.units[id], place=place, order=order)
