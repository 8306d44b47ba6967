"""Counters that lie face down or out of sight on a table, and how a game reads them.

To the game, a unit face down may lie back side up, and a stack out of sight may lie under a cap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from ..state.state import INVISIBLE, MASKED, FactKey, GameState, Unit
from ..state.tracks import Fact
from .gamefile import Intelligence
from .games import Game


def cover_counters(game: Game, state: GameState) -> GameState:
    """Return the state with its hidden counters as on a table, each hidden by its own side.

    A unit that lies back side up is face down; a stack under a cap is out of sight.
    """
    covers = dict(_find_covers(game, state.units.values(), state.facts))
    return _replace_facts(state, {**covers, **state.facts}) if covers else state


def uncover_counters(game: Game, state: GameState, stated: Mapping[FactKey, Fact] | None = None) -> GameState:
    """Return the state with hidden counters as the game reads them: the reverse of `cover_counters`.

    Units of a stack under a cap are no longer stated as out of sight, and a unit face down lies back side up.

    `stated`: the facts on optional rules and caps, by default those of the state.
    """
    limits = game.file.intelligence
    facts = {**state.facts}
    in_use = state.facts if stated is None else stated
    conceals = game.hiding.conceals(in_use)
    if limits and (conceals or limits.caps):
        for key, fact in state.facts.items():
            unit = state.units.get(key[1])
            if unit is None or key[0] not in (MASKED, INVISIBLE) or game.side_of_unit(unit, state.facts) != fact.value:
                continue
            if key[0] == INVISIBLE and is_capped(limits, unit.place, in_use):
                del facts[key]
            elif key[0] == MASKED and conceals:
                del facts[key]
                facts[conceals, unit.id] = Fact(True)
    return state if facts == dict(state.facts) else _replace_facts(state, facts)


def hidden_units(game: Game, state: GameState) -> frozenset[str]:
    """Return the units that their owner hides: face down, out of sight or under a cap."""
    covers = (key for key, _ in _find_covers(game, state.units.values(), state.facts))
    return frozenset(
        unit for track, unit in (*state.facts, *covers) if track in (MASKED, INVISIBLE) and unit in state.units
    )


def _find_covers(game: Game, units: Iterable[Unit], facts: Mapping[FactKey, Fact]) -> Iterator[tuple[FactKey, Fact]]:
    """Yield the facts that hide the counters of units that lie back side up or under a cap."""
    conceals = game.hiding.conceals(facts)
    limits = game.file.intelligence
    if not limits:
        return
    for unit in units:
        is_back_up = facts.get((conceals, unit.id)) if conceals else None
        side = game.side_of_unit(unit, facts)
        if side and is_back_up is not None and is_back_up.value:
            yield (MASKED, unit.id), Fact(side)
        if side and is_capped(limits, unit.place, facts):
            yield (INVISIBLE, unit.id), Fact(side)


def is_capped(limits: Intelligence | None, place: str | None, facts: Mapping[FactKey, Fact]) -> bool:
    """Return whether a cap lies on the stack in a place."""
    fact = facts.get((limits.caps, place or "")) if limits and limits.caps else None
    return fact is not None and bool(fact.value)


def _replace_facts(state: GameState, facts: Mapping[FactKey, Fact]) -> GameState:
    return msgspec.structs.replace(state, facts=MappingProxyType(dict(facts)))
