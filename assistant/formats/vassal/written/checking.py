"""Whether a save that was written says what it has to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    game, facts = target.game, target.state.facts
    hidden = {unit for track, unit in facts if track in (MASKED, INVISIBLE)}
    for key, fact in facts.items():
        track = game.tracks[key[0]]
        secret = (track.on == "unit" and key[1] in hidden) or (track.hidden and game.file.intelligence is not None)
        if secret and known.get(key) != fact and not goes_without_saying(game, key, fact):
            yield f"{_named(key)}, {track.title}: its counter does not show it, and everybody reads the notes"


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
