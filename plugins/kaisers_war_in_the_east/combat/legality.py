"""What forbids an attack (14.1 to 14.12, 19, 21.4)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.questions import Gather, Step, View, step

from ..ground.zones import between, field, side_of
from ..supply.reach import in_reach
from ..terms import AIRBASE, HEADQUARTERS, SUPPLY, TRAIN
from .engagement import BattleParameters, Engagement
from .ground import is_out_of_bounds
from .supplied import entrenching

COMBAT_PHASES = ("first-combat", "second-combat")


def refusals(view: View, parameters: BattleParameters, combat: Engagement) -> list[Step]:
    """Every reason why the attack is not allowed; none if it is."""
    with view.gather() as facts:
        return [
            *out_of_turn(facts, combat),
            *unable(facts, combat),
            *nations(combat),
            *headquarters(facts, parameters, combat),
            *offensive_supply(facts, parameters, combat),
            *airbase(facts, parameters, combat),
            *entrenchments(facts, parameters, combat),
            *table(parameters, combat),
        ]


def out_of_turn(facts: Gather, combat: Engagement) -> Iterator[Step]:
    """An attack in another's player turn or outside a Combat Phase, where these are stated; a hex attacked before; a neutral country.
    Rule: 14.1, 14.4, 14.17, 23.0/1
    """
    view = facts.view
    phase, phasing = view.word("phase"), view.word("phasing")
    if phase and phase not in COMBAT_PHASES:
        yield step("14.1", "attacks are made in the Combat Phases, and it is {phase}", phase=phase)
    if phasing and phasing != combat.side:
        yield step("14.1", "the {side} side does not attack in the enemy's player turn", side=combat.side)
    if facts.flag("attacked", combat.at):
        yield step("14.4", "{at} has been attacked in this phase", combat)
    if is_out_of_bounds(facts, combat.at):
        yield step("23.0", "{at} lies in a neutral country", combat)


def unable(facts: Gather, combat: Engagement) -> Iterator[Step]:
    """Attackers that have attacked in this phase, or are not next to the hex; trains that no railroad connects.
    Rule: 14.2, 14.4, 14.17, 21.4
    """
    view = facts.view
    for one in combat.attackers:
        unit = one.unit
        if facts.flag("fought", unit.id):
            yield step("14.4", "{unit} has attacked in this phase", unit=unit.id)
        if unit.arm == TRAIN and view.word("rail", between(facts, unit.place, combat.at).name) != "rail":
            text = "{unit} attacks along railroads alone, and none is stated from {here} to {at}"
            yield step("21.4", text, unit=unit.id, here=unit.place, at=combat.at)
        if unit.place not in view.board.neighbours(combat.at):
            yield step("14.2", "{unit} in {here} is not next to {at}", unit=unit.id, here=unit.place, at=combat.at)


def nations(combat: Engagement) -> Iterator[Step]:
    """Units of several nations without a Headquarters; the Sud Army counts as German. Rule: 14.10, 19.3"""
    found = sorted({one.unit.nation for one in combat.attackers})
    if len(found) > 1 and not any(one.unit.arm == HEADQUARTERS for one in combat.support):
        yield step(
            "14.10", "units of several nations attack together only with a Headquarters: {nations}", nations=found
        )


def headquarters(facts: Gather, parameters: BattleParameters, combat: Engagement) -> Iterator[Step]:
    """A Headquarters that supports no attack of this kind: of another nation, out of radius, or used in this phase.
    Rule: 14.8/1, 19.0, 19.1, 19.2
    """
    if not (name := parameters.hq):
        return
    view = facts.view
    unit = view.unit(name)
    if facts.word("arm", name) != HEADQUARTERS:
        yield step("19.1", "{unit} is not a Headquarters", unit=name)
        return
    if side_of(facts, unit) != combat.side:
        yield step("19.1", "{unit} is not of the side that attacks", unit=name)
        return
    if facts.word("nation", name) not in {one.unit.nation for one in combat.attackers}:
        yield step("19.2", "no attacker is of the nation of {unit}", unit=name)
    if facts.flag("fought", name):
        yield step("19.1", "{unit} has supported an attack in this phase", unit=name)
    if not view.board.is_hex(str(unit.place)):
        yield step("19.1", "{unit} is not on the map", unit=name)
        return
    radius = facts.integer(view.side_up("radius", name), name)
    reached = in_reach(facts, field(facts).around(combat.side), str(unit.place), radius).cost
    if not any(one.unit.place in reached for one in combat.attackers):
        text = "{unit} reaches no attacker within {radius:#hex} of {here}"
        yield step("19.1", text, unit=name, radius=radius, here=unit.place)


def offensive_supply(facts: Gather, parameters: BattleParameters, combat: Engagement) -> Iterator[Step]:
    """Supply units that give no Maximum Attack Supply: moved in this player turn, not declared in this phase, of no use.
    Rule: 17.10/1-3, 17.11
    """
    view = facts.view
    for name in parameters.supply:
        if facts.word("arm", name) != SUPPLY:
            yield step("17.9", "{unit} is not a supply unit", unit=name)
            continue
        if side_of(facts, view.unit(name)) != combat.side:
            yield step("17.9", "{unit} is not of the side that attacks", unit=name)
        if facts.flag("entrenched", name):
            yield step("Opt/Entrench/1", "{unit} is turned over to entrench others", unit=name)
        if facts.flag("moved", name):
            yield step("17.10", "{unit} has moved in this player turn", unit=name)
        late = view.word("phase") in COMBAT_PHASES and not facts.flag("declared", name)
        if late and view.ruling("declared-supply") == "phase":
            yield step("17.11", "{unit} was not named at the start of the phase (state declared)", unit=name)
        if not any(one.supplied == name for one in (*combat.attackers, *combat.support)):
            yield step("17.10", "{unit} reaches nobody in this attack whom no other supplies", unit=name)


def airbase(facts: Gather, parameters: BattleParameters, combat: Engagement) -> Iterator[Step]:
    """An airbase that supports no attack of this kind: without the optional rule, out of range, used in this phase.
    Rule: 21.7, Opt/Air/1, Opt/Air/3
    """
    if not (name := parameters.airbase):
        return
    view = facts.view
    unit = view.unit(name)
    if "air-units" not in view.words("options"):
        yield step("Opt/Air/1", "airbases are an optional rule (options=air-units)")
    if facts.word("arm", name) != AIRBASE:
        yield step("Opt/Air/1", "{unit} is not an airbase", unit=name)
        return
    if side_of(facts, unit) != combat.side:
        yield step("Opt/Air/1", "{unit} is not of the side that attacks", unit=name)
    if facts.flag("fought", name):
        yield step("Opt/Air/3", "{unit} has supported an attack in this phase", unit=name)
    reach = facts.integer("radius", name)
    if not view.board.is_hex(str(unit.place)) or view.board.distance(str(unit.place), parameters.at) > reach:
        yield step("Opt/Air/1", "{at} is not within the range of {unit}", at=parameters.at, unit=name)


def entrenchments(facts: Gather, parameters: BattleParameters, combat: Engagement) -> Iterator[Step]:
    """A supply unit that does not entrench the defenders. Rule: 21.7, Opt/Entrench/1"""
    if not (name := parameters.entrench):
        return
    view = facts.view
    if "entrenching" not in view.words("options"):
        yield step("Opt/Entrench/1", "entrenching is an optional rule (options=entrenching)")
    if not facts.flag("entrenched", name):
        yield step("Opt/Entrench/1", "{unit} is not turned over to entrench others (state entrenched)", unit=name)
    if side_of(facts, view.unit(name)) == combat.side:
        yield step("Opt/Entrench/2", "{unit} is not of the side that defends", unit=name)
    elif not entrenching(facts, field(facts).around(combat.side), name, combat.at):
        yield step("Opt/Entrench/2", "{unit} does not reach {at}", unit=name, at=combat.at)


def table(parameters: BattleParameters, combat: Engagement) -> Iterator[Step]:
    """The Shock table without a shock unit. Rule: 14.12, 21.2"""
    if parameters.table == "shock" and not combat.shock:
        yield step("14.12", "the Shock table takes a shock or tank unit among the attackers")
