"""What a line does to a combat whose dice lie on the table, and is asked about first: its player may mean something
else.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from ..formats.positions import Position
from ..state.sources import Value
from ..state.state import GameState
from .combats import Combat, hexes_of, stacks_of


def goes_on(before: Position, now: Position) -> bool:
    """Whether another moment of the game is stated: what ends facts of a phase or a turn."""
    ends = {name for track in now.game.tracks.values() for name in track.ends_with}
    return any(before.state.value(name) != now.state.value(name) for name in ends)


class Fought(NamedTuple):
    """A position with the combat that is open."""

    position: Position
    combat: Combat | None


def doubts(before: Fought, after: Fought, *, owed: bool) -> Iterator[str]:
    """What a line would do to a combat whose dice lie on the table, as questions: its dice are dropped, what it has
    cost may be stated a second time, or a unit is withheld from it. Another combat takes its place, which its answer
    says. owed: whether its dice ask for more or change something, so that they are not dropped unasked."""
    if not goes_on_with_dice(before, after):
        return
    combat = before.combat
    if combat and owed and loses_dice(before, after):
        yield f"not carried out: {combat.words}; `done` carries it out first; drop its dice"
    if combat and (stated := stated_again(before.position, after.position, combat)):
        yield f"what the battle itself costs is entered by `done`; is this from before it: {stated}"
    if withheld := ", ".join(unit for unit in _withheld(after) if unit not in _withheld(before)):
        yield f"the dice lie already, and losses are typed as what the unit lost; withhold {withheld}"


def goes_on_with_dice(before: Fought, after: Fought) -> bool:
    """Whether the same combat is open after a line as before it, and its dice lay on the table."""
    combat, now = before.combat, after.combat
    return bool(combat and combat.answers and now and now.number == combat.number)


def aimed_wrong(before: Position, after: Position) -> Iterator[str]:
    """The units that a line lets attack a hex in which friends stand, or that defend against that hex now, as
    questions.
    """
    game, state, usual = after.game, after.state, after.game.file.table
    target, attackers = hexes_of(after, after.asks[0] if after.asks else None)
    for unit in state.units.values() if usual else ():
        for name, fact in state.facts_of.get(unit.id, {}).items():
            if not usual or name not in usual.aims or before.state.facts.get((name, unit.id)) == fact:
                continue
            side = game.side_of_unit(unit, state.facts)
            friends = [
                one.id for one in state.stack(str(fact.value)) if side and game.side_of_unit(one, state.facts) == side
            ]
            what = game.tracks[name].word(fact.value)
            if friends:
                yield f"friends of {unit.id} stand in {fact.value} ({', '.join(friends)}); {unit.id} {what}"
            elif unit.place == target and fact.value in attackers:
                yield f"{unit.id} is attacked from {fact.value} now; does it attack that hex itself, {what}"


def loses_dice(before: Fought, after: Fought) -> bool:
    """Whether a line makes the dice of the open combat worthless: other units stand in its hexes, other hexes attack,
    or another moment of the game has come."""
    if not (goes_on_with_dice(before, after) and before.combat and after.combat):
        return False
    stacks = stacks_of(after.position, after.combat.asked)
    return goes_on(before.position, after.position) or stacks != before.combat.stacks


def stated_again(before: Position, after: Position, combat: Combat) -> str:
    """What a line changes of units that fight in a combat, in words: losses, levels, status, or ratings that were
    known; "" for nothing.
    """
    changed = [
        f"{unit} {name} {before.game.tracks[name].write(value)}"
        for unit in dict.fromkeys(chain.from_iterable(combat.stacks.values()))
        for name, value in _changed(unit, before, after.state)
    ]
    return ", ".join(changed)


def _changed(unit: str, before: Position, after: GameState) -> Iterator[tuple[str, Value]]:
    """The facts of a unit that are not as they were or, where nothing was stated, as they are by themselves."""
    old, identity = before.state.facts_of.get(unit, {}), before.game.file.notation.identity
    for name, fact in after.facts_of.get(unit, {}).items():
        track = before.game.tracks[name]
        if name in identity or (track.printed and name not in old):
            continue
        silent = track.nothing if track.absent is None else track.absent
        if fact.value != (old[name].value if name in old else silent):
            yield name, fact.value


def _withheld(fought: Fought) -> list[str]:
    """The units that a combat withholds."""
    usual, combat = fought.position.game.file.table, fought.combat
    named = str(combat.asked.parameters.get(usual.without, "")) if usual and combat else ""
    return [name for name in named.split(",") if name]
