"""Patches: the changes between two states of one game, made in a third."""

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
    """Return a state with the changes between two others.

    A unit that is not in play afterwards leaves the map; the facts about it stay.
    """
    if before == after:
        return state
    units_gone = before.units.keys() - after.units.keys()
    changed_keys, lost_keys, _ = after.compare_facts(before)
    facts = copy_of(state.facts)
    for key in lost_keys:
        if key[1] not in units_gone:
            facts.pop(key, None)
    if units_gone:  # all facts of these units are taken over
        changed_facts = {*changed_keys}
        changed_keys = [key for key in after.facts if key in changed_facts or key[1] in units_gone]
    facts.update((key, after.facts[key]) for key in changed_keys)
    units = copy_of(state.units)
    changed_units = after.compare_units(before)
    touched_places = _list_places(chain(*changed_units), before, after)
    places = (unit.place for unit in (*before.units.values(), *after.units.values()) if unit.place in touched_places)
    for place in dict.fromkeys(places if touched_places else ()):
        if place is not None and _list_ids(before, place) != _list_ids(after, place):
            _restack(units, state, before, after, place)
    for id in changed_units.since:
        if after.units[id].place is None and (id not in before.units or before.units[id].place is not None):
            units[id] = msgspec.structs.replace(after.units[id], place=None)
    for id in units_gone:
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
    """Return a state with the changes between two others undone.

    A unit that came with the change is removed with its facts. A unit that is elsewhere by now stays there.

    `moved`: units that have moved since and stay in place, even if that is their place after the change.
    """
    undone = patch_state(state, after, before)
    units = state.units
    moved_away = {id for id, unit in after.units.items() if id in units and units[id].place != unit.place}
    if staying := {id: units[id] for id in moved_away.union(moved) if id in units}:
        undone = msgspec.structs.replace(undone, units=MappingProxyType({**undone.units, **staying}))
    new_units = after.units.keys() - before.units.keys()
    units_off_map = {id for id in new_units if id in undone.units and undone.units[id].place is None}
    return without_units(undone, units_off_map | (undone.units.keys() & {*moved} - units.keys()))


def cut_to_change(before: GameState, after: GameState) -> tuple[GameState, GameState]:
    """Return two states without most of their common content.

    `patch_state` and `take_back` give the same result with them.
    """
    changed_units = after.compare_units(before)
    places = _list_places(chain(*changed_units), before, after)
    changed_places = {place for place in places if _list_ids(before, place) != _list_ids(after, place)}
    changed_keys, lost_keys, _ = after.compare_facts(before)
    facts = {*changed_keys, *lost_keys}
    units = {*changed_units.since, *changed_units.gone, *(subject for _, subject in facts)}
    for state in (before, after):
        units |= {unit.id for unit in state.units.values() if unit.place in changed_places}
    return _cut(before, after, units, facts), _cut(after, before, units, facts)


def _cut(state: GameState, other: GameState, units: Collection[str], facts: Collection[FactKey]) -> GameState:
    has_same_lines = state.lines == other.lines and state.line_facts == other.line_facts
    kept_facts = {key: fact for key, fact in state.facts.items() if key in facts or key[1] in units}
    return msgspec.structs.replace(
        state,
        units=MappingProxyType({id: unit for id, unit in state.units.items() if id in units}),
        facts=MappingProxyType(kept_facts),
        cells=MappingProxyType({} if state.cells == other.cells else state.cells),
        rulings=MappingProxyType({} if state.rulings == other.rulings else state.rulings),
        lines=MappingProxyType({} if has_same_lines else state.lines),
        line_facts=MappingProxyType({} if has_same_lines else state.line_facts),
        elsewhere=MappingProxyType({} if state.elsewhere == other.elsewhere else state.elsewhere),
        unread=(),
    )


def without_units(state: GameState, removed: Collection[str]) -> GameState:
    """Return a state without some units and their facts."""
    if not removed:
        return state
    return msgspec.structs.replace(
        state,
        units=MappingProxyType({id: unit for id, unit in state.units.items() if id not in removed}),
        facts=MappingProxyType({key: fact for key, fact in state.facts.items() if key[1] not in removed}),
    )


def _patch_mapping(current: Mapping[K, V], before: Mapping[K, V], after: Mapping[K, V]) -> dict[K, V]:
    kept = {key: value for key, value in current.items() if key in after or key not in before}
    return kept | {key: value for key, value in after.items() if key not in before or before[key] != value}


def _list_places(units: Iterable[str], *states: GameState) -> set[str]:
    units_in_states = (unit for name in units for state in states if (unit := state.units.get(name)))
    return {unit.place for unit in units_in_states if unit.place is not None}


def _list_ids(state: GameState, place: str) -> list[str]:
    return [unit.id for unit in state.stack(place)]


def _restack(units: dict[str, Unit], state: GameState, before: GameState, after: GameState, place: str) -> None:
    """Put the units of a place in their new order. Each other unit there stays below the same unit as before."""
    before_ids, after_ids = set(_list_ids(before, place)), _list_ids(after, place)
    others_below: dict[str | None, list[str]] = {}
    above: str | None = None
    for id in _list_ids(state, place):
        if id in before_ids or id in after_ids:
            above = id if id in after_ids else above
        else:
            others_below.setdefault(above, []).append(id)
    stack = [*others_below.pop(None, ())]
    for id in after_ids:
        stack += [id, *others_below.pop(id, ())]
    stack += [id for ids in others_below.values() for id in ids]
    for order, id in enumerate(stack):
        units[id] = msgspec.structs.replace(units.get(id) or after.units[id], place=place, order=order)
