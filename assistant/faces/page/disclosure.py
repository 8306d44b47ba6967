"""What a side may tell at another table of the changes that it makes at its own."""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType

import msgspec

from ...formats.notation import ended_tracks
from ...game.games import Game
from ...state.state import HIDDEN, INVISIBLE, MASKED, UNSEEN, FactKey, GameState, Unit, copy_of
from ...state.tracks import Fact


class Disclosure:
    """What a side may state to others of what has changed at its table, from `before` to `after`.

    It moves its own units, and an enemy unit that surely is alone, and states what it sees of enemy units, unless that
    reveals something to it. sight: what it sees of the whole table; stated: all units there.
    """

    def __init__(
        self, game: Game, side: str, before: GameState, after: GameState, sight: GameState, stated: Collection[str]
    ) -> None:
        self.game = game
        self.side = side
        self.before = before
        self.after = after
        self.stated = stated
        self.sight = sight
        limits = game.file.intelligence
        self.covers = {limits.covers, limits.caps} if limits else set()
        self.options = {*limits.when, *limits.decoys_with, *limits.conceals_with} if limits else set()
        self.unseen = {place for name, place in sight.facts if name == UNSEEN}
        self.identity = {*game.file.notation.identity, game.file.picture.nation}

    def disclose(self) -> GameState:
        """Return the state after the change, without what is not stated to others."""
        before = self.before
        after = self.after
        units = {id: unit for id, unit in after.units.items() if before.units.get(id) == unit or self.moves(unit)}
        units |= {id: unit for id, unit in before.units.items() if id not in units and not self.moves(unit)}
        since, gone, _ = after.compare_facts(before)
        unstated = {key for key in (*since, *gone) if not self.states(key, after.facts.get(key))}
        facts = copy_of(after.facts)
        for key in unstated:
            facts.pop(key, None)
        if unstated:
            facts |= {key: fact for key, fact in before.facts.items() if key in unstated}
        return msgspec.structs.replace(after, units=MappingProxyType(units), facts=MappingProxyType(facts))

    def is_own(self, unit: Unit) -> bool:
        """Return whether a unit is of the side where it sees it on the whole table, whatever it calls it itself; of one
        that does not stand there, whether it is by its counter and by what the side calls it.
        """
        if unit.id in self.sight.units:
            return self.game.side_of_unit(unit, self.sight.facts) == self.side
        stated = self.after if unit.id in self.after.units else self.before
        printed = self.game.side_of_unit(unit, {}) if unit.type in self.game.roster else self.side
        return printed == self.game.side_of_unit(unit, stated.facts) == self.side

    def is_out_of_sight(self, unit: str) -> bool:
        """Return whether a unit is stated on the whole table and the side does not see it there, whatever it calls so
        itself.
        """
        return unit in self.stated and unit not in self.sight.units

    def moves(self, unit: Unit) -> bool:
        """Return whether the side may say where a unit stands."""
        if self.is_out_of_sight(unit.id) or (unit.id not in self.before.units and unit.id in self.stated):
            return False
        there = self.sight.units.get(unit.id)  # where it stands, not where the side believes it to be
        place = there.place if there else None
        stands_alone = place is not None and place not in self.unseen and len(self.sight.stack(place)) == 1
        return self.is_own(unit) or stands_alone

    def states(self, key: FactKey, fact: Fact | None) -> bool:
        """Return whether the side may state a fact, None for taking it back. It turns counters face down, or takes them
        out of sight, only in its own side's name.
        """
        name, subject = key
        if fact is not None and name in (MASKED, INVISIBLE) and fact.value != self.side:
            return False
        match self.game.tracks[name].on:
            case "unit":
                unit = self.before.units.get(subject) or self.after.units.get(subject)
                if name == HIDDEN or unit is None:
                    return False
                if self.is_out_of_sight(subject) or (subject not in self.before.units and subject in self.stated):
                    return False
                if subject not in self.stated:
                    return self.is_own(unit)
                return self.is_own(unit) or name not in (*self.identity, MASKED, INVISIBLE)
            case "hex":
                return name != UNSEEN and not (name in self.covers and subject in self.unseen)
            case "game":
                return name not in self.options
        return True


def without_ended_facts(game: Game, before: GameState, after: GameState, stated: GameState) -> GameState:
    """Return the state after a change, without the facts that end with it, even those hidden from the side that made
    it. stated: the table at which it was made: what is stated there again stays.
    """
    ended = ended_tracks(game, before, after)
    if not ended:
        return after
    facts = {key: fact for key, fact in after.facts.items() if key[0] not in ended or key in stated.facts}
    return msgspec.structs.replace(after, facts=MappingProxyType(facts))


def without_unseen_facts(before: GameState, after: GameState, sight: GameState, next_sight: GameState) -> GameState:
    """Return the state after a change of a side's table, without the facts that the side does not see on the whole
    table. sight, next_sight: what it sees there before the change and after it.
    """
    since, gone, _ = after.compare_facts(before)
    facts = copy_of(before.facts)
    for key in since:
        if next_sight.facts.get(key) == after.facts[key]:
            facts[key] = after.facts[key]
    for key in gone:
        if key in sight.facts:
            del facts[key]
    return msgspec.structs.replace(after, facts=MappingProxyType(facts))


def without_silence(game: Game, state: GameState, known: GameState | None = None) -> GameState:
    """Return a state without the facts that state what silence means: whether they do may come from what was entered of
    hidden units with them. known: another state of the game, without them, if there is any.
    """
    absent = {name: track.absent for name, track in game.tracks.items() if track.absent is not None}
    stated = state.facts if known is None else state.compare_facts(known).since
    silent = {key for key in stated if key[0] in absent and state.facts[key].value == absent[key[0]]}
    if not silent:
        return state
    facts = {key: fact for key, fact in state.facts.items() if key not in silent}
    return msgspec.structs.replace(state, facts=MappingProxyType(facts))
