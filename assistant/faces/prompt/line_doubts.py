"""What is asked about before a line does it: dice that it drops, losses stated again, names that nothing else has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from ...formats.positions import Position
from ...state.state import FactKey, GameState, Unit, is_limited
from ...state.tracks import Fact, Track, Value
from ...util.errors import quoted
from .combats import OpenCombat, combat_hexes, leaves_moment, list_named, stacks_of
from .table import TableState, is_owed


def find_dice_doubts(before: TableState, after: TableState) -> Iterator[str]:
    """Yield what a line would do to a combat whose dice lie on the table, as questions: its dice, which ask for more or
    change something, are dropped; what it has cost may be stated a second time; or a unit is withheld from it. Another
    combat takes its place, which its answer says.
    """
    combat = before.combat
    if combat is None or not _has_dice_still(before, after):
        return
    if loses_dice(before, after) and is_owed(before):
        yield f"not carried out: {combat.words}; `done` carries it out first; drop its dice"
    if stated := format_stated_again(before.position, after.position, combat):
        yield f"`done` enters what the battle itself costs; was this so before it: {stated}"
    withheld = [unit for unit in _list_withheld(after) if unit not in _list_withheld(before)]
    if withheld:
        units = ", ".join(withheld)
        yield f"the dice have been rolled, and losses are typed as what the unit lost; withhold {units}"


def _has_dice_still(before: TableState, after: TableState) -> bool:
    """Return whether the same combat is open after a line as before it, and its dice lay on the table."""
    combat = before.combat
    now = after.combat
    return bool(combat and combat.answers and now and now.number == combat.number)


def find_aim_doubts(after: Position, since: Mapping[FactKey, Fact]) -> Iterator[str]:
    """Yield the units that a line lets attack a hex in which friends stand, or that defend against that hex now, as
    questions. since: what the line states.
    """
    game = after.game
    state = after.state
    targets, attackers = combat_hexes(after, after.asks[0] if after.asks else None)
    for (name, subject), fact in since.items():
        unit = state.units.get(subject)
        if name not in game.file.prompt.aims or unit is None:
            continue
        side = game.side_of_unit(unit, state.facts)
        there = state.stack(str(fact.value)) if side else ()
        friends = [other.id for other in there if game.side_of_unit(other, state.facts) == side]
        what = game.tracks[name].word(fact.value)
        if friends:
            yield f"units friendly to {unit.id} stand in {fact.value} ({', '.join(friends)}); {unit.id} {what}"
        elif unit.place in targets and fact.value in attackers:
            yield f"{unit.id} is attacked from {fact.value} now; does it attack that hex itself, {what}"


def find_text_doubts(before: Position, since: Mapping[FactKey, Fact]) -> Iterator[str]:
    """Yield the texts that a line or an answer states of units, such as their army, and that neither the roster nor
    another unit has, where any has one, as questions. since: what the line or the answer states.
    """
    for (name, unit), fact in since.items():
        known = list_known_texts(before, before.game.tracks[name], unit)
        if known and str(fact.value) not in ("", *known):
            what = f"no other unit has {name}={quoted(str(fact.value))}"
            yield f"{what}; known: {', '.join(known)}; accept it anyway"


def list_known_texts(position: Position, track: Track, about: str) -> list[str]:
    """Return what the roster and, where nothing is hidden, other units on a unit's side have for a text such as its
    army; nothing for any other fact.
    """
    game = position.game
    state = position.state
    if track.on != "unit" or track.kind != "text" or track.names:
        return []

    def side_of(unit: str) -> str:
        return game.side_of_unit(state.units.get(unit) or Unit(unit, game.type_of(unit), None), state.facts)

    values = {unit: facts.get(track.name, ()) for unit, facts in game.roster.items()}
    if not is_limited(state.seen_by):
        values |= {unit: [fact] for (name, unit), fact in state.facts.items() if name == track.name}
    sides = (side_of(about), "")
    texts = set[str]()
    for unit, facts in values.items():
        if unit != about and side_of(unit) in sides:
            texts |= {str(fact.value) for fact in facts}
    return sorted(texts - {""})


def loses_dice(before: TableState, after: TableState) -> bool:
    """Return whether a line makes the dice of the open combat worthless: other units stand in its hexes, other hexes
    attack, or another moment of the game has come.
    """
    if not (_has_dice_still(before, after) and before.combat and after.combat):
        return False
    stacks = stacks_of(after.position, after.combat.asked)
    return leaves_moment(before.position, after.position, stated=False) or stacks != before.combat.stacks


def format_stated_again(before: Position, after: Position, combat: OpenCombat) -> str:
    """Return what a line changes of units that fight in a combat, in words: losses, levels, status, or ratings that
    were known; "" for nothing.
    """
    changed = []
    for unit in dict.fromkeys(chain.from_iterable(combat.stacks.values())):
        for name, value in _find_changed_facts(unit, before, after.state):
            changed.append(f"{unit} {name} {before.game.tracks[name].write(value)}")
    return ", ".join(changed)


def _find_changed_facts(unit: str, before: Position, after: GameState) -> Iterator[tuple[str, Value]]:
    """Yield the facts of a unit that are not as they were or, where nothing was stated, as they are by themselves."""
    old = before.state.facts_of.get(unit, {})
    identity = before.game.file.notation.identity
    for name, fact in after.facts_of.get(unit, {}).items():
        track = before.game.tracks[name]
        if name in identity or (track.printed and name not in old):
            continue
        silent = track.nothing if track.absent is None else track.absent
        if fact.value != (old[name].value if name in old else silent):
            yield name, fact.value


def _list_withheld(table: TableState) -> list[str]:
    """Return the units that the open combat withholds."""
    return list_named(table.combat.asked, table.position.game.file.prompt.without) if table.combat else []
