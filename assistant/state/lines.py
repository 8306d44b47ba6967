"""What the lines of a state state, put together with its own facts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .sources import Fact
from .state import FactKey, GameState
from .tracks import Track


def all_stated(state: GameState, tracks: Mapping[str, Track]) -> Mapping[FactKey, Fact]:
    """All facts that a state states, with those of its lines. tracks: of its game, by name.

    Words of several lines add up. Otherwise what the state or a line is sure of comes first, and a line that names
    nothing on a hexside last.
    """
    if not state.line_facts:
        return state.facts
    facts = dict(state.facts)
    for key, fact in (item for of in state.line_facts.values() for item in of.items()):
        known, nothing = facts.get(key), tracks[key[0]].nothing
        if known is None or (known.value == nothing and key not in state.facts):
            facts[key] = fact
        elif isinstance(known.value, tuple) and isinstance(fact.value, tuple):
            words = tracks[key[0]].check((*known.value, *fact.value))
            facts[key] = Fact(words, assumed=known.assumed or fact.assumed)
        elif known.assumed and not fact.assumed and fact.value != nothing:
            facts[key] = fact
    return MappingProxyType(facts)
