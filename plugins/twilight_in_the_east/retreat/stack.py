"""A stack that retreats: who goes, who stays, and what it has to look back to (11.2.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from assistant.field import Around
from assistant.questions import Gather, InputError, View
from assistant.questions.report import Ask, MissingFacts, Step, step
from assistant.state.state import Unit

from ..forces.armies import area, army_of, corps_and_army, may_draw
from ..forces.bars import first_bar
from ..forces.reading import gather_unit
from ..forces.units import CombatUnit, Force, forces, over_stacked
from ..ground import zones
from ..terms import FORTRESSES, SUPPLY_ARMS
from .report import RetreatParameters

NEVER = (*SUPPLY_ARMS, *FORTRESSES)
"""Units that never retreat with others."""


class Retreat(NamedTuple):
    """A stack that retreats: who, who is around, and the hexes where friends are."""

    parameters: RetreatParameters
    units: tuple[CombatUnit, ...]
    around: Around
    friends: frozenset[str]

    @property
    def forces(self) -> tuple[Force, ...]:
        """The Forces of the stack."""
        return forces(self.units)

    @property
    def names(self) -> tuple[str, ...]:
        """The units by their ids."""
        return tuple(unit.id for unit in self.units)


# --- who goes ---------------------------------------------------------------------------------------------------------


def as_owed(view: View, parameters: RetreatParameters) -> RetreatParameters:
    """The retreat with what the position says of it where the question does not: those retreat who still owe hexes, and as many
    as the one of them who owes fewest.

    Raises MissingFacts if it is not stated how many.
    """
    if parameters.hexes is not None:
        return parameters
    units = parameters.units or tuple(unit.id for unit in view.stack(parameters.at))
    owed = {unit: number for unit in units if (number := view.number("owes", unit))}
    if not owed:
        how = "hexes=N, or UNIT owes=N"
        raise MissingFacts([Ask(kind="parameter", name="hexes", rule="11.2", title="hexes to retreat", how=how)])
    return msgspec.structs.replace(parameters, hexes=min(owed.values()), units=parameters.units or tuple(owed))


def read_retreat(facts: Gather, parameters: RetreatParameters) -> Retreat:
    """The stack that retreats, and who is around.

    Raises InputError for units that are not there, that retreat without the rest of their Force, or that cannot retreat.
    """
    view = facts.view
    here = {unit.id: unit for unit in view.stack(parameters.at)}
    for name in parameters.units:
        if name not in here:
            raise InputError(f"units: {name} is not in {parameters.at}")
    able = [unit for unit in here.values() if facts.word("arm", unit.id) not in NEVER]
    chosen = [here[name] for name in parameters.units] or able
    if not chosen:
        raise InputError(f"nobody in {parameters.at} can retreat", hint="place the stack that has to retreat there")
    units = tuple(gather_unit(facts, view, unit, None) for unit in chosen)
    stack = [gather_unit(facts, view, unit, None) for unit in able]
    if parted := left_behind(stack, {unit.id for unit in chosen}):
        formation, assets = parted
        hint = f"name {', '.join(assets)} too, or say with= which formation each is attached to"
        raise InputError(f"units: {formation} and the Asset Units attached to it retreat together (11.2.1)", hint=hint)
    for unit in units:
        rule, why = first_bar(unit, "retreat alone") if all(other.displaced for other in units) else ("", "")
        if why:
            raise InputError(f"units: {unit.id}: {why} ({rule})")
        if unit.arm in FORTRESSES:
            raise InputError(f"units: {unit.id} is a fortress unit, which never retreats (12.1)")
    around = zones.around(facts, chosen[0])
    staying = set(here) - {unit.id for unit in chosen}
    return Retreat(parameters, units, around, around.friends if staying else around.friends - {parameters.at})


def left_behind(stack: Sequence[CombatUnit], chosen: Collection[str]) -> tuple[str, tuple[str, ...]] | None:
    """The first formation of a stack that would part from Asset Units attached to it, and the units of its Force that would stay;
    None if none would. Rule: 11.2.1a
    """
    for force in forces(stack):
        left = tuple(unit.id for unit in force.units if unit.id not in chosen)
        if force.formation and left and len(left) < len(force.units):
            return force.name, left
    return None


def stayers(view: View, retreat: Retreat) -> list[str]:
    """The units that stay where others of their stack retreat; supply and fortress units never go along."""
    staying = (unit.id for unit in view.stack(retreat.parameters.at) if unit.id not in retreat.names)
    return [unit for unit in staying if view.word("arm", unit) not in NEVER]


def parting(view: View, retreat: Retreat) -> list[Step]:
    """What is wrong with who retreats and who stays, as far as it is known what they owe: a stack parts only where its units owe
    different numbers of hexes. A unit that still owes hexes goes along, and none goes farther than it owes.
    Rule: 11.2.1
    """
    owing = {unit: view.number("owes", unit) for unit in stayers(view, retreat)}
    text = "{unit} still owes {owed:#hex} and retreats with the others"
    steps = [step("11.2.1", text, unit=unit, owed=owed) for unit, owed in owing.items() if owed]
    for unit in retreat.names:
        owes = view.fact("owes", unit)
        if owes and int(str(owes.value)) < retreat.parameters.owed:
            steps.append(step("11.2.1", "{unit} owes {owed:#hex} only", unit=unit, owed=owes.value))
    return steps


# --- where it ends ----------------------------------------------------------------------------------------------------


def standing(view: View, retreat: Retreat, hex: str) -> list[CombatUnit]:
    """The units in a hex that do not retreat with the stack, supply units apart."""
    there = [unit for unit in view.stack(hex) if unit.id not in retreat.names]
    with view.gather() as facts:
        return [gather_unit(facts, view, unit, None) for unit in there if view.word("arm", unit.id) not in SUPPLY_ARMS]


def excess(view: View, retreat: Retreat, hex: str, coming: Iterable[CombatUnit]) -> tuple[Fraction, int]:
    """By how many divisions and artillery units a hex holds too much once some units of the stack stand there too.
    Rule: 4.2.3b
    """
    there = (unit.id for unit in view.stack(hex))
    supply = sum(view.word("arm", unit) in SUPPLY_ARMS and not view.flag("entrained", unit) for unit in there)
    return over_stacked([*standing(view, retreat, hex), *coming], supply)


def check_end(view: View, retreat: Retreat) -> None:
    """Raise InputError if a way goes on beyond the hexes that are owed without need: it does only from a hex that holds too much,
    and only for those that are too many there. Rule: 11.2.1
    """
    parameters, owed = retreat.parameters, retreat.parameters.owed
    for hex in parameters.way[owed - 1 : -1] if owed else parameters.way:
        if not any(excess(view, retreat, hex, retreat.units)):
            hint = f"{owed} hexes are owed, and only an over-stack in the last of them leads farther (4.2.3)"
            raise InputError(f"way: it goes on from {hex}", hint=hint)
        for force in retreat.forces:
            if not any(excess(view, retreat, hex, force.units)):
                hint = "only those go on that are too many: ask for the others first, with units="
                raise InputError(f"way: {force.name} may stay in {hex} (11.2.1)", hint=hint)


def in_area(view: View, retreat: Retreat, hex: str) -> bool | None:
    """Whether a hex lies in the Area of Attachment of every army of a stack, None where an area is not stated."""
    formations = [unit for unit in retreat.units if unit.formation] or retreat.units  # Asset Units go with theirs
    drawn = [area(view, army_of(view, unit.id)) for unit in formations]
    known = [hexes for hexes in drawn if hexes is not None]
    return all(hex in hexes for hexes in known) if len(known) == len(drawn) else None


def supply_sources(view: View, retreat: Retreat, force: Force) -> list[str]:
    """The hexes of the Corps Train and the depots of a Force's command, as far as they are known."""
    command = corps_and_army(view, force.name)

    def serves(unit: Unit) -> bool:
        arm, nation = view.word("arm", unit.id), view.word("nation", unit.id)
        ours = arm in SUPPLY_ARMS and nation and view.game.side_of(nation) == retreat.around.side
        return bool(ours) and may_draw(*command, arm, *corps_and_army(view, unit.id))

    return [unit.place for unit in view.units() if unit.place and serves(unit)]
