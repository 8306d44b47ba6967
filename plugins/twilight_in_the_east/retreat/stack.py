"""A stack that retreats: who, who is around, and what it has to look back to (11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from assistant.field.standing import Around
from assistant.questions.report import Ask, MissingFacts
from assistant.questions.view import Gather, View
from assistant.state.state import Unit
from assistant.util.errors import InputError

from ..forces.armies import area, army_of, corps_and_army, may_draw
from ..forces.bars import first_bar
from ..forces.reading import gather_unit
from ..forces.units import CombatUnit, Force, forces
from ..ground import zones
from ..terms import FORTRESSES, SUPPLY_ARMS
from .report import RetreatParameters


class Retreating(NamedTuple):
    """A stack that retreats: who, who is around, and what bars hexes to it."""

    parameters: RetreatParameters
    units: tuple[CombatUnit, ...]
    around: Around
    friends: frozenset[str]

    @property
    def forces(self) -> tuple[Force, ...]:
        """The Forces of the stack."""
        return forces(self.units)


def as_owed(view: View, parameters: RetreatParameters) -> RetreatParameters:
    """The retreat with what the position says of it where the question does not: those retreat who still owe hexes, and as many
    as the one of them who owes fewest.

    Raises MissingFacts if nobody says how many.
    """
    if parameters.hexes is not None:
        return parameters
    units = parameters.units or tuple(unit.id for unit in view.stack(parameters.at))
    owed = {unit: int(str(fact.value)) for unit in units if (fact := view.fact("owes", unit)) and fact.value}
    if not owed:
        how = "hexes=N, or UNIT owes=N"
        raise MissingFacts([Ask(kind="parameter", name="hexes", rule="11.2", title="hexes to retreat", how=how)])
    return msgspec.structs.replace(parameters, hexes=min(owed.values()), units=parameters.units or tuple(owed))


def retreating(facts: Gather, parameters: RetreatParameters) -> Retreating:
    """The stack that retreats, and who is around.

    Rule: 4.1
    """
    view = facts.view
    here = {unit.id: unit for unit in view.stack(parameters.at)}
    for name in parameters.units:
        if name not in here:
            raise InputError(f"units: {name} is not in {parameters.at}")
    chosen = [here[name] for name in parameters.units] or [
        unit for unit in here.values() if facts.word("arm", unit.id) not in (*SUPPLY_ARMS, *FORTRESSES)
    ]
    if not chosen:
        raise InputError(f"nobody in {parameters.at} can retreat", hint="place the stack that has to retreat there")
    units = tuple(gather_unit(facts, view, unit, None) for unit in chosen)
    for formation, assets in left_behind(facts, list(here.values()), {unit.id for unit in chosen}).items():
        hint = f"name {', '.join(assets)} too, or say with= which formation each is attached to"
        raise InputError(f"units: {formation} and the Asset Units attached to it retreat together (11.2.1)", hint=hint)
    for unit in units:
        rule, why = first_bar(unit, "retreat alone") if all(other.displaced for other in units) else ("", "")
        if why:
            raise InputError(f"units: {unit.id}: {why} ({rule})")
    if gone := [unit.id for unit in units if unit.arm in FORTRESSES]:
        raise InputError(f"units: {gone[0]} is a fortress unit, which never retreats (12.1)")
    around = zones.around(facts, chosen[0])
    staying = set(here) - {unit.id for unit in chosen}
    friends = around.friends if staying else around.friends - {parameters.at}
    return Retreating(parameters, units, around, friends)


def left_behind(facts: Gather, here: Sequence[Unit], chosen: set[str]) -> dict[str, tuple[str, ...]]:
    """The units that would stay of a Force of which others retreat, be it the formation or Asset Units attached to it.

    Rule: 11.2.1a
    """
    fighting = [unit for unit in here if facts.word("arm", unit.id) not in (*SUPPLY_ARMS, *FORTRESSES)]
    stack = forces([gather_unit(facts, facts.view, unit, None) for unit in fighting])
    found = {}
    for force in stack:
        left = tuple(unit.id for unit in force.units if unit.id not in chosen)
        if force.formation and left and len(left) < len(force.units):
            found[force.name] = left
    return found


def in_area(view: View, found: Retreating, hex: str) -> bool | None:
    """Whether a hex lies in the Area of Attachment of every army of a stack, None where an area is not stated."""
    formations = [unit for unit in found.units if unit.formation] or found.units  # Asset Units go with theirs
    drawn = [area(view, army_of(view, unit.id)) for unit in formations]
    known = [hexes for hexes in drawn if hexes is not None]
    return all(hex in hexes for hexes in known) if len(known) == len(drawn) else None


def supply_sources(view: View, found: Retreating, force: Force) -> list[str]:
    """The hexes of the Corps Train and the depots of a Force's command, as far as they are known."""
    corps, army = corps_and_army(view, force.name)
    return [str(unit.place) for unit in view.units() if unit.place and _supplies(view, unit, corps, army, found)]


def _supplies(view: View, unit: Unit, corps: str, army: str, found: Retreating) -> bool:
    arm, nation = word_of(view, "arm", unit), word_of(view, "nation", unit)
    if arm not in SUPPLY_ARMS or not nation or view.game.side_of(nation) != found.around.side:
        return False
    return may_draw(corps, army, arm, *corps_and_army(view, unit.id))


def word_of(view: View, track: str, unit: Unit) -> str:
    """What is stated of a unit on a track of words, "" where nothing is."""
    fact = view.fact(track, unit.id)
    return str(fact.value) if fact else ""
