"""Whether a save that was written says what it has to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from ....game.games import Game
from ....state.hidden import INVISIBLE, MASKED
from ....state.sources import Fact
from ....state.state import FactKey, GameState
from ...positions import Position


def goes_without_saying(game: Game, key: FactKey, fact: Fact) -> bool:
    """Whether counters and markers state a fact by showing nothing."""
    track = game.tracks[key[0]]
    return track.module is not None and not fact.assumed and fact.value == track.absent


def contradicting(shown: Position, target: Position) -> Iterator[str]:
    """What the counters and markers of a save show otherwise than a position says, in words: what no note can put right."""
    yield from _elsewhere(shown, target)
    for key, fact in _facts(target.game, shown.state).items():
        wanted = target.state.facts.get(key)
        if wanted is None or wanted.value != fact.value:
            yield _otherwise(target.game, key, fact, wanted)


def revealing(known: Mapping[FactKey, Fact], target: Position) -> Iterator[str]:
    """What only the public notes could state, although not everybody may read it, in words: facts of hidden units, and of tracks that the
    game hides. known: what the counters show, and what the notes have stated before."""
    for key, fact in target.state.facts.items():
        if _is_told(target, key, fact, known):
            title = target.game.tracks[key[0]].title
            yield f"{_named(key)}, {title}: its counter does not show it, and everybody reads the notes"


def _is_told(target: Position, key: FactKey, fact: Fact, known: Mapping[FactKey, Fact]) -> bool:
    """Whether the public notes would tell a fact that not everybody may read."""
    game, track = target.game, target.game.tracks[key[0]]
    hidden = any((name, key[1]) in target.state.facts for name in (MASKED, INVISIBLE))
    secret = (track.on == "unit" and hidden) or (track.hidden and game.file.intelligence is not None)
    return secret and known.get(key) != fact and not goes_without_saying(game, key, fact)


def with_printed(target: Position, shown: Position, before: GameState) -> Position:
    """A position with what is printed on the counters of units that have come into play, as those of a published module state it."""
    tracks, new = target.game.tracks, target.state.units.keys() - before.units.keys()
    facts = shown.state.facts.items()
    printed = {key: fact for key, fact in facts if key[1] in new and tracks[key[0]].printed == "counter"}
    return target.with_state(msgspec.structs.replace(target.state, facts={**printed, **target.state.facts}))


def reconciled(target: Position, shown: Position, known: Mapping[FactKey, Fact]) -> Position:
    """A position as far as a save can state it: where its counters show something else, as they show it, and without what nobody may read
    in its notes. shown: what its counters state; known: as for `revealing`."""
    facts = {**target.state.facts, **_facts(target.game, shown.state)}
    facts = {key: fact for key, fact in facts.items() if not _is_told(target, key, fact, known)}
    state = msgspec.structs.replace(target.state, facts=facts)
    if [*_elsewhere(shown, target)]:
        state = msgspec.structs.replace(state, units=shown.state.units)
    known_units = {key: fact for key, fact in facts.items() if _is_of_known(target.game, key, state)}
    return target.with_state(msgspec.structs.replace(state, facts=known_units))


def _is_of_known(game: Game, key: FactKey, state: GameState) -> bool:
    """Whether a fact is of a unit that the state has, or of something else."""
    return game.tracks[key[0]].on != "unit" or key[1] in state.units


def lacking(found: Position, target: Position) -> Iterator[str]:
    """What a position says otherwise than another one, in words. Questions, answers and units that are nowhere count for nothing."""
    was, wanted = found.state, target.state
    yield from _elsewhere(found, target)
    facts = [_facts(target.game, state) for state in (was, wanted)]
    for key in dict.fromkeys((*facts[0], *facts[1])):
        one, other = (some.get(key) for some in facts)
        if one != other:
            yield _otherwise(target.game, key, one, other)
    for name in ("board", "cells", "rulings", "lines", "line_facts", "accepts"):
        if getattr(was, name) != getattr(wanted, name):
            yield f"what is stated of {name.replace('_', ' ')}"


def _elsewhere(found: Position, target: Position) -> Iterator[str]:
    """The places at which other units stand, or the same in another order."""
    states = found.state, target.state
    for place in dict.fromkeys(unit.place for state in states for unit in state.units.values() if unit.place):
        here, there = ([unit.id for unit in state.stack(place)] for state in states)
        if here != there:
            yield f"{place}: {_listed(there)} from the top, instead of {_listed(here)}"


def _otherwise(game: Game, key: FactKey, said: Fact | None, meant: Fact | None) -> str:
    track, facts = game.tracks[key[0]], (meant, said)
    words = ["nothing" if fact is None else track.write(fact.value) + "?" * fact.assumed for fact in facts]
    return f"{_named(key)}, {track.title}: {words[0]}, instead of {words[1]}"


def _named(key: FactKey) -> str:
    return key[1] or "the game"


def _facts(game: Game, state: GameState) -> dict[FactKey, Fact]:
    return {key: fact for key, fact in state.facts.items() if not goes_without_saying(game, key, fact)}


def _listed(units: list[str]) -> str:
    return ", ".join(units) or "nothing"
