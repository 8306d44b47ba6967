"""The part of a side's table that others may know: the changes by its lines, and the open combat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Set
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from ...asking.parameters import list_form_fields
from ...formats.notation import ended_tracks
from ...formats.positions import Asked
from ...game.games import Game
from ...installed.registry import questions_of
from ...records.journal.entries import OpenQuestion
from ...records.journal.open_question import posed_entry
from ...state.state import HIDDEN, INVISIBLE, MASKED, UNSEEN, FactKey, GameState, Unit, copy_of
from ...state.tracks import Fact
from ...util.notes import fields_of, hints_of, kinds_named
from ..prompt.table import TableState

Questions = tuple[tuple[tuple[str, Mapping[str, object]], ...], Mapping[str, str]]
"""Questions, each with its parameters, and the dice and choices that have been given."""
NO_QUESTIONS: Questions = ((), {})
_TYPES_WITHOUT_UNITS = ("flag", "number", "word", "hex", "side", "nation")
"""The types of parameters whose values name no unit."""


class Disclosure:
    """The changes at a side's table, from `before` to `after`, that others may know.

    The side moves its own units, and an enemy unit that surely stands alone. It states its view of enemy units, unless
    that would reveal hidden facts to it.

    `sight`: the whole table as the side sees it.
    `stated`: the ids of all units of the whole table.
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
        """Return the state after the changes that others may know."""
        before = self.before
        after = self.after
        units = {id: unit for id, unit in after.units.items() if before.units.get(id) == unit or self.moves(unit)}
        units |= {id: unit for id, unit in before.units.items() if id not in units and not self.moves(unit)}
        since, dropped, _ = after.compare_facts(before)
        unstated = {key for key in (*since, *dropped) if not self.states(key, after.facts.get(key))}
        facts = copy_of(after.facts)
        for key in unstated:
            facts.pop(key, None)
        if unstated:
            facts |= {key: fact for key, fact in before.facts.items() if key in unstated}
        return msgspec.structs.replace(after, units=MappingProxyType(units), facts=MappingProxyType(facts))

    def is_own(self, unit: Unit) -> bool:
        """Return whether a unit belongs to the side, for a visible unit as the side sees it.

        The owner of an unseen unit is decided by its counter and the stated facts.
        """
        if unit.id in self.sight.units:
            return self.game.side_of_unit(unit, self.sight.facts) == self.side
        stated = self.after if unit.id in self.after.units else self.before
        printed = self.game.side_of_unit(unit, {}) if unit.type in self.game.roster else self.side
        return printed == self.game.side_of_unit(unit, stated.facts) == self.side

    def is_out_of_sight(self, unit: str) -> bool:
        """Return whether the whole table has an unseen unit with this id, even if the side has another with it."""
        return unit in self.stated and unit not in self.sight.units

    def moves(self, unit: Unit) -> bool:
        if self.is_out_of_sight(unit.id) or (unit.id not in self.before.units and unit.id in self.stated):
            return False
        seen_unit = self.sight.units.get(unit.id)  # where the unit stands, not where the side believes it to be
        place = seen_unit.place if seen_unit else None
        stands_alone = place is not None and place not in self.unseen and len(self.sight.stack(place)) == 1
        return self.is_own(unit) or stands_alone

    def states(self, key: FactKey, fact: Fact | None) -> bool:
        """Return whether the side may state a fact, or withdraw it if `fact` is None.

        It may turn counters face down, or take them out of sight, only in the name of its own side.
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
    """Return the state after a change, without the facts that end with the change, even those hidden from the side.

    `stated`: the table of the side, whose facts stay if they were stated there again.
    """
    ended = ended_tracks(game, before, after)
    if not ended:
        return after
    facts = {key: fact for key, fact in after.facts.items() if key[0] not in ended or key in stated.facts}
    return msgspec.structs.replace(after, facts=MappingProxyType(facts))


def without_unseen_facts(before: GameState, after: GameState, sight: GameState, next_sight: GameState) -> GameState:
    """Return a side's table after a change, without new facts that the side cannot see on the whole table.

    `before`, `after`: the side's table before and after the change.
    `sight`, `next_sight`: the whole table as the side sees it before and after the change.
    """
    since, dropped, _ = after.compare_facts(before)
    facts = copy_of(before.facts)
    for key in since:
        if next_sight.facts.get(key) == after.facts[key]:
            facts[key] = after.facts[key]
    for key in dropped:
        if key in sight.facts:
            del facts[key]
    return msgspec.structs.replace(after, facts=MappingProxyType(facts))


def without_silence(game: Game, state: GameState, known: GameState | None = None) -> GameState:
    """Return a state without stated facts that would also apply unstated; stating them may depend on hidden units.

    `known`: another state of the game without such facts, or None.
    """
    absent = {name: track.absent for name, track in game.tracks.items() if track.absent is not None}
    stated = state.facts if known is None else state.compare_facts(known).since
    silent = {key for key in stated if key[0] in absent and state.facts[key].value == absent[key[0]]}
    if not silent:
        return state
    facts = {key: fact for key, fact in state.facts.items() if key not in silent}
    return msgspec.structs.replace(state, facts=MappingProxyType(facts))


def combat_at(table: TableState | None) -> TableState | None:
    """Return a table with only its open combat, or None if it has none.

    Another question, for which the combat has been set aside, is private and left out.
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


def see_combat(table: TableState, unseen: Set[str], seen: Set[str] | None = None) -> tuple[bool, TableState | None]:
    """Return whether the combat of a table is hidden from a side, and the combat as the side sees it, or None.

    The parameters are those of `without_unseen_units`.
    """
    if (combat := combat_at(table)) is None:
        return False, None
    known = without_unseen_units(combat, unseen, seen)
    return known is None, known


def set_beside_own(own: TableState | None, combat: TableState | None) -> TableState | None:
    """Return a table with its own question, which sets the combat aside, or else with only the combat.

    `own`: the table with the side's own question, or None.
    `combat`: the table with only the shared combat, or None.
    """
    if own is None or own.asked is None or own.asked.question == own.position.game.file.prompt.ask:
        return combat
    return msgspec.structs.replace(own, aside=combat.combat if combat else None)


def combat_asked(table: TableState | None) -> Questions:
    """Return the questions of the open combat of a table, or `NO_QUESTIONS`."""
    if (combat := combat_at(table)) is None:
        return NO_QUESTIONS
    asks = tuple((asked.question, dict(asked.parameters)) for asked in combat.position.asks)
    return asks, dict(combat.position.answers)


def read_questions(combat: OpenQuestion) -> Questions:
    """Return the questions of a combat in an entry, as `combat_asked` does."""
    asked, answers = posed_entry(combat)
    return (((asked.question, dict(asked.parameters)),), answers) if asked else NO_QUESTIONS


def combat_target(table: TableState, questions: Questions) -> object:
    """Return the target hex of a combat, or None if there is no combat.

    `table`: any table of the game.
    """
    return next((asked.get(table.position.game.file.prompt.target) for _, asked in questions[0]), None)


def has_fewer_dice(asked: Questions, before: Questions) -> bool:
    """Return whether the questions are the same as before, with fewer dice and choices."""
    return asked[0] == before[0] and asked[1].items() < before[1].items()


class Following(NamedTuple):
    """The open question of a side's table, which follows the shared combat."""

    table: TableState | None
    """The side's table with its open question, or None if the side has no open question."""
    shared: Questions = NO_QUESTIONS
    """The last shared combat that the table has followed."""
    earlier: tuple[tuple[TableState | None, Questions], ...] = ()
    """The table and the shared combat at each earlier combat, the oldest first."""

    def follow(self, combat: TableState | None, is_unseen: Callable[[], bool], *, is_undone: bool = False) -> Following:
        """Return the open question after a change of the shared combat.

        A combat at another hex replaces the question; one at the same hex is set beside it. Dice that no longer count
        for an unseen reason stay until others are thrown.

        `combat`: the table with the combat as the side sees it, or None.
        `is_unseen`: returns whether the side sees no part of the change.
        `is_undone`: whether the side has undone a line of its own. The table is then restored from the same earlier
        combat, so that it does not reveal whether the line was stated on the shared table.
        """
        asked = combat_asked(combat)
        if asked == self.shared or (has_fewer_dice(asked, self.shared) and is_unseen()):
            return self
        earlier = (*self.earlier, (self.table, self.shared))
        same = (table for table, shared in reversed(earlier) if is_undone and shared == asked)
        is_new = combat is not None and combat_target(combat, asked) != combat_target(combat, self.shared)
        return Following(next(same, combat if is_new else set_beside_own(self.table, combat)), asked, earlier)


def without_unseen_units(table: TableState, unseen: Set[str], seen: Set[str] | None = None) -> TableState | None:
    """Return a table with its question, without the units that another table does not show.

    Returns None if the question is only about such units, as its hexes would reveal them.

    `unseen`: units of this table that the other one does not show.
    `seen`: the only units that a question at the other one may be about, or None for all except `unseen`.
    """
    position = table.position
    asks = list[Asked]()
    for asked in position.asks:
        if (shown := _drop_units(position.game, asked, unseen, seen)) is None:
            return None
        asks.append(shown)
    answers = {}
    for name, value in position.answers.items():
        if unseen.isdisjoint(_list_names(f"{name.partition('.')[2]},{value}")):
            answers[name] = value
    return TableState(msgspec.structs.replace(position, asks=tuple(asks), answers=answers))


def _drop_units(game: Game, asked: Asked, unseen: Set[str], seen: Set[str] | None) -> Asked | None:
    """Return a question without some units, or None if it is only about them.

    The type of a parameter decides which of its parts stay. No part of an unknown type stays, because it may reveal
    anything. A question with a hex is about that hex, any other about its named units.
    """
    question = questions_of(game).get(asked.question)
    if question is None:
        return None
    hints = hints_of(question.parameters)
    marks = [kinds_named(hints[field.name]) for field in fields_of(question.parameters)]
    fields = {field.name: (field, each) for field, each in zip(list_form_fields(question, game), marks, strict=True)}
    is_about_units = not any(field.needed and field.takes == "hex" for field, _ in fields.values())
    parameters = {}
    for name, value in asked.parameters.items():
        field, named = fields.get(name.replace("_", "-"), (None, frozenset[str]()))
        parts = [part for part in str(value).split(",") if part]
        if field is None:
            shown_parts = []
        elif field.takes in _TYPES_WITHOUT_UNITS:
            shown_parts = parts
        elif field.takes == "unit":
            shown_parts = [part for part in parts if part not in unseen]
            if is_about_units and seen is not None:
                shown_parts = [part for part in shown_parts if part in seen]
            if is_about_units and parts and not shown_parts:
                return None
        else:
            shown_parts = [part for part in parts if "name" in named and unseen.isdisjoint(_list_names(part))]
        if shown_parts:
            parameters[name] = ",".join(shown_parts)
    return Asked(asked.question, parameters)


def _list_names(value: str) -> Iterator[str]:
    """Yield the names in a value: two in `25/3,27/3`; in `X:corps`, `X@41.19` and `X.way` also the unit `X`."""
    for part in value.split(","):
        yield part
        for sign in ":@.":
            yield part.rpartition(sign)[0]
