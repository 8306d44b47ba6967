"""What of a table may be told at another: a side's changes, and the question that is open."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from types import MappingProxyType

import msgspec

from ...formats.notation import ended_tracks
from ...formats.positions import Asked
from ...game.games import Game
from ...state.state import HIDDEN, INVISIBLE, MASKED, UNSEEN, FactKey, GameState, Unit
from ...state.tracks import Fact
from ..prompt.combats import list_named
from ..prompt.table import TableState


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
        facts: dict[FactKey, Fact] = {}
        for key, fact in after.facts.items():
            if before.facts.get(key) == fact or self.states(key, fact):
                facts[key] = fact
        for key, fact in before.facts.items():
            if key not in facts and not self.states(key, after.facts.get(key)):
                facts[key] = fact
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
    facts = {key: fact for key, fact in after.facts.items() if key[0] not in ended or key in stated.facts}
    return msgspec.structs.replace(after, facts=MappingProxyType(facts))


def without_unseen_facts(before: GameState, after: GameState, sight: GameState, next_sight: GameState) -> GameState:
    """Return the state after a change of a side's table, without the facts that the side does not see on the whole
    table. sight, next_sight: what it sees there before the change and after it.
    """
    facts = {}
    for key in dict.fromkeys([*before.facts, *after.facts]):
        was = before.facts.get(key)
        now = after.facts.get(key)
        is_seen = key in sight.facts if now is None else next_sight.facts.get(key) == now
        if fact := now if was == now or is_seen else was:
            facts[key] = fact
    return msgspec.structs.replace(after, facts=MappingProxyType(facts))


def without_silence(game: Game, state: GameState) -> GameState:
    """Return a state without the facts that state what silence means: whether they do may come from what was entered of
    hidden units with them.
    """
    absent = {name: track.absent for name, track in game.tracks.items() if track.absent is not None}
    facts = {key: fact for key, fact in state.facts.items() if key[0] not in absent or fact.value != absent[key[0]]}
    return msgspec.structs.replace(state, facts=MappingProxyType(facts))


# --- the open question ------------------------------------------------------------------------------------------------


Questions = tuple[tuple[tuple[str, Mapping[str, object]], ...], Mapping[str, str]]
"""Questions, each with its parameters, and the dice and choices that are given."""
NO_QUESTIONS: Questions = ((), {})
_ABOUT = ("unit", "units")
"""The parameters that say about which units a question is."""


def combat_at(table: TableState | None) -> TableState | None:
    """Return a table with the combat that is open, be it set aside by another question, which is nobody else's; None
    for none.
    """
    if table is None:
        return None
    combat = table.combat
    if combat is None:
        return None
    if table.asked == combat.asked:
        return table
    position = msgspec.structs.replace(table.position, asks=(combat.asked,), answers=combat.answers)
    return TableState(position, chosen={**table.chosen, **combat.chosen}, numbered=combat.numbered)


def beside_own(own: TableState | None, combat: TableState | None) -> TableState | None:
    """Return the table of somebody with a question of his own, beside which the combat is set; the combat alone where
    he has none.
    """
    if own is None or own.asked is None or own.asked.question == own.position.game.file.prompt.ask:
        return combat
    return msgspec.structs.replace(own, aside=combat.combat if combat else None)


def combat_asked(table: TableState | None) -> Questions:
    """Return the combat that is asked at a table."""
    if (combat := combat_at(table)) is None:
        return NO_QUESTIONS
    asks = tuple((asked.question, dict(asked.parameters)) for asked in combat.position.asks)
    return asks, dict(combat.position.answers)


def combat_target(table: TableState, questions: Questions) -> object:
    """Return the hex that a combat is about, None for none. table: of its game."""
    return next((asked.get(table.position.game.file.prompt.target) for _, asked in questions[0]), None)


def has_fewer_dice(asked: Questions, before: Questions | None) -> bool:
    """Return whether the same is asked as before, with fewer dice and choices."""
    return before is not None and asked[0] == before[0] and asked[1].items() < before[1].items()


def without_unseen_units(table: TableState, unseen: Set[str], seen: Set[str] | None = None) -> TableState | None:
    """Return a table with its question, without the units that another table does not show; None for a question about
    none but such units, as its hexes would reveal them.

    unseen: units of this table that the other does not show; seen: the only ones that a question there may be about,
    None for all but those.
    """
    position = table.position
    for asked in position.asks:
        about = [unit for name in _ABOUT for unit in list_named(asked, name)]
        if about and all(unit in unseen or (seen is not None and unit not in seen) for unit in about):
            return None
    asks = tuple(_drop_units(asked, unseen, seen) for asked in position.asks)
    answers = {}
    for name, value in position.answers.items():
        if unseen.isdisjoint(_words(f"{name.partition('.')[2]},{value}")):
            answers[name] = value
    return TableState(msgspec.structs.replace(position, asks=asks, answers=answers))


def _drop_units(asked: Asked, unseen: Set[str], seen: Set[str] | None) -> Asked:
    """Return a question without some units; parameters of which nothing is left are gone."""
    parameters = {}
    for name, value in asked.parameters.items():
        parts = [part for part in str(value).split(",") if unseen.isdisjoint(_words(part))]
        if name in _ABOUT and seen is not None:
            parts = [part for part in parts if part in seen]
        if left := ",".join(parts):
            parameters[name] = left
    return Asked(asked.question, parameters)


def _words(value: str) -> Iterator[str]:
    """Yield the names in a value: two in `25/3,27/3`; in `X:corps`, `X@41.19` and `X.way` also that of the unit,
    `X`.
    """
    for part in value.split(","):
        yield part
        for sign in ":@.":
            yield part.rpartition(sign)[0]
