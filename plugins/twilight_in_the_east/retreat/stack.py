"""A stack that retreats: who goes, who stays, the hexes that it enters, and what it has to look back to (11.2.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from assistant.field import Around
from assistant.questions import Gather, InputError, MissingFacts, Step, View, step
from assistant.questions.report import Ask

from ..combat.pieces import Ground, Supply, Terrain, areas_of, known_inside, sources_of, supply_of, through_mountains
from ..forces.reading import first_bar, gather_unit
from ..forces.units import CombatUnit, Force, forces, over_stacked
from ..ground import zones
from ..ground.hexsides import back, between, cell_of_high_mountain, leads_to_box, needs_chart
from ..terms import BUKOWINA_BOX, FORTRESSES, GREAT_RIVERS, NEVER_RETREAT, RETREAT_CAUSE, SUPPLY_ARMS
from .report import RetreatParameters
from .ways import (
    RetreatHex,
    look_around,
)


class Retreat(msgspec.Struct, frozen=True):
    """A stack that retreats: who, as units and as Forces, who is around, the supply units of its side, and the ground
    as it finds that.
    """

    parameters: RetreatParameters
    units: tuple[CombatUnit, ...]
    forces: tuple[Force, ...]
    around: Around
    supply: Supply
    ground: Ground

    @property
    def view(self) -> View:
        """What is known."""
        return self.around.view

    @property
    def names(self) -> tuple[str, ...]:
        """The units by their ids."""
        return tuple(unit.id for unit in self.units)


def way_back_matters(view: View, parameters: RetreatParameters) -> bool:
    """Whether a way turns straight back, or the players have agreed on what is open then."""
    places = (parameters.at, *parameters.way)
    return "way-back" in view.state.rulings or any(
        earlier == other for earlier, other in zip(places, places[2:], strict=False)
    )


def as_owed(view: View, parameters: RetreatParameters) -> RetreatParameters:
    """The retreat with what the position says of it where the question does not: those retreat who still owe hexes, and
    as many as the one of them who owes fewest, for the cause that is stated of them.

    Raises MissingFacts if it is not stated how many.
    """
    units = parameters.units or tuple(unit.id for unit in view.stack(parameters.at))
    if parameters.cause is None and (causes := {word for unit in units if (word := view.word(RETREAT_CAUSE, unit))}):
        cause: Any = min(causes)  # of several, that of a combat
        parameters = msgspec.structs.replace(parameters, cause=cause)
    if parameters.hexes is not None:
        return parameters
    if not (owed := {unit: number for unit in units if (number := view.integer("owes", unit))}):
        how = "hexes=N, or UNIT owes=N"
        raise MissingFacts([Ask(kind="parameter", name="hexes", rule="11.2", title="hexes to retreat", how=how)])
    return msgspec.structs.replace(parameters, hexes=min(owed.values()), units=parameters.units or tuple(owed))


def read_retreat(facts: Gather, parameters: RetreatParameters, named: Collection[str]) -> Retreat:
    """The stack that retreats, and who is around. named: the units that the player has named; where he names none,
    Asset Units go with their formations.

    Raises InputError for units that are not there, that retreat without the rest of their Force, or that cannot
    retreat.
    """
    view, at = facts.view, parameters.at
    here = {unit.id: unit for unit in view.stack(at)}
    if absent := [name for name in parameters.units if name not in here]:
        raise InputError(f"units: {absent[0]} is not in {at}")
    able = [name for name in here if facts.word("arm", name) not in NEVER_RETREAT]
    chosen = parameters.units or tuple(able)
    if not chosen:
        raise InputError(f"no unit in {at} can retreat", hint="place the stack that has to retreat there")
    every = [gather_unit(facts, here[name], None) for name in able]
    while (parted := left_behind(every, chosen)) and not named:
        chosen = (*chosen, *parted[1])
    units = tuple(gather_unit(facts, here[name], None) for name in chosen)
    if parted:
        formation, assets = parted
        hint = f"name {', '.join(assets)} too, or say with= which formation each is attached to"
        raise InputError(f"units: {formation} and the Asset Units attached to it retreat together (11.2.1)", hint=hint)
    alone = all(unit.displaced for unit in units)
    for unit in units:
        rule, why = first_bar(unit, "retreat alone") if alone else ("", "")
        if why:
            raise InputError(f"units: {unit.id}: {why} ({rule})")
        if unit.arm in FORTRESSES:
            raise InputError(f"units: {unit.id} is a fortress unit, which never retreats (12.1)")
    around = zones.around(facts, here[chosen[0]])
    own, supply = forces(units), supply_of(view, around.units)
    ground = Ground(
        Terrain(view),
        around.side,
        at,
        around.enemies,
        around.enemy_zones,
        around.friends - ({at} if here.keys() <= set(chosen) else set()),
        sources_of(view, supply, own),
        areas_of(view, units),
        any(unit.garrison for unit in units),
        frozenset(parameters.abandoned),
        view.ruling("way-back", way_back_matters(view, parameters)) == "yes",
        frozenset(unit.nation for unit in units),
    )
    return Retreat(parameters, units, own, around, supply, ground)


def left_behind(stack: Sequence[CombatUnit], chosen: Collection[str]) -> tuple[str, tuple[str, ...]] | None:
    """The first formation that would part from Asset Units attached to it, with those units that stay. Rule: 11.2.1a"""
    for force in forces(stack):
        left = tuple(unit.id for unit in force.units if unit.id not in chosen)
        if force.formation and left and len(left) < len(force.units):
            return force.name, left
    return None


def stayers(retreat: Retreat) -> list[str]:
    """The units that stay where others of their stack retreat; supply and fortress units never go along."""
    staying = (unit.id for unit in retreat.view.stack(retreat.parameters.at) if unit.id not in retreat.names)
    return [unit for unit in staying if retreat.view.word("arm", unit) not in NEVER_RETREAT]


def parting(retreat: Retreat) -> list[Step]:
    """What is wrong with who retreats and who stays, as far as it is known what they owe: a stack parts only where its
    units owe different numbers of hexes. A unit that still owes hexes goes along, and none goes farther than it owes.
    Rule: 11.2.1
    """
    staying = {unit: retreat.view.integer("owes", unit) for unit in stayers(retreat)}
    going = {unit: fact.value for unit in retreat.names if (fact := retreat.view.fact("owes", unit))}
    text = "{unit} still owes {owed:#hex} and retreats with the others"
    steps = [step("11.2.1", text, unit=unit, owed=owed) for unit, owed in staying.items() if owed]
    less = {unit: owed for unit, owed in going.items() if int(str(owed)) < retreat.parameters.owed}
    return steps + [step("11.2.1", "{unit} owes {owed:#hex} only", unit=unit, owed=owed) for unit, owed in less.items()]


def standing(retreat: Retreat, hex: str) -> list[CombatUnit]:
    """The units in a hex that do not retreat with the stack and count for what it holds, supply units apart."""
    view = retreat.view
    there = [unit for unit in view.stack(hex) if unit.id not in retreat.names]
    with view.gather() as facts:
        return [gather_unit(facts, unit, None) for unit in there if view.word("arm", unit.id) not in NEVER_RETREAT]


def excess(retreat: Retreat, hex: str, coming: Iterable[CombatUnit]) -> tuple[Fraction, int]:
    """By how many divisions and artillery units a hex holds too much once some units of the stack stand there too; a
    place off the map holds all who come.
    Rule: 4.2.3b
    """
    if not retreat.view.board.is_hex(hex):
        return Fraction(0), 0
    view, there = retreat.view, [unit.id for unit in retreat.view.stack(hex)]
    supply = sum(view.word("arm", unit) in SUPPLY_ARMS and not view.flag("entrained", unit) for unit in there)
    return over_stacked([*standing(retreat, hex), *coming], supply)


def check_end(retreat: Retreat) -> None:
    """Raise InputError if a way goes on beyond the hexes that are owed without need: it does only from a hex that holds
    too much, and only for those that are too many there.
    Rule: 11.2.1
    """
    way, owed = retreat.parameters.way, retreat.parameters.owed
    for hex in way[owed - 1 : -1] if owed else way:
        if not any(excess(retreat, hex, retreat.units)):
            hint = f"only {owed} hexes are owed; units go farther only if the last hex is over-stacked (4.2.3)"
            raise InputError(f"way: the path continues beyond {hex}", hint=hint)
        if idle := [force.name for force in retreat.forces if not any(excess(retreat, hex, force.units))]:
            hint = "only the excess units go on: ask for the others first, with units="
            raise InputError(f"way: {idle[0]} may stay in {hex} (11.2.1)", hint=hint)


def enter_hex(facts: Gather, retreat: Retreat, leg: tuple[str, str, str]) -> tuple[RetreatHex, tuple[RetreatHex, ...]]:
    """A hex of the way, every fact that it needs being asked for, and all hexes around the one before.

    leg: the hex before the one that is left, "" at the start, that one, and the one that is entered. Raises InputError
    for one that is not next to the hex before.
    """
    before, here, there = leg
    around_here = retreat.ground.terrain.neighbours(here)
    if there == BUKOWINA_BOX and leads_to_box(here, retreat.ground.nations):
        options = look_around(retreat.ground, here, before)
        return next(hex for hex in options if hex.hex == there), options
    if there not in around_here:
        raise InputError(f"way: {there} is not next to {here}", hint="name every hex that is entered, in order")
    for place in around_here if retreat.ground.garrisoned else ():
        known_inside(facts, here, place)
        known_inside(facts, retreat.parameters.at, place)
    over = between(facts, here, there)
    if through_mountains(over) and any(unit.arm == "artillery" for unit in retreat.units):
        for track in ("road", "rail"):
            over.word(track)
    if GREAT_RIVERS & over.lies and not over.linked:
        over.word("crossing")
    if needs_chart(over) or needs_chart(back(over)):
        facts.cell(*cell_of_high_mountain(facts.integer("turn")))
    options = look_around(retreat.ground, here, before)
    return next(hex for hex in options if hex.hex == there), options
