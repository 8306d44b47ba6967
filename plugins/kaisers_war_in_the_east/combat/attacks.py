"""The rules that bar an attack, units that would strengthen it, and a side's attacks on a hex.

Rules 14.1 to 14.12, 17.10, 19 and 21.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from assistant.asking import Gather, InputError, Step, View, holding, step
from assistant.asking.permission import bars_by_option
from assistant.rules.attacks import AttackNumbers, AttackPlan, AttackRules
from assistant.rules.battle import Combats, DescribedCombat, Help
from assistant.rules.field import attacks, side_of
from assistant.rules.owed_retreats import units_owing
from assistant.state.state import hexside

from ..ground import SEA, field, is_neutral
from ..supply.reach import offensive_reach, out_of_reach
from ..terms import AIRBASE, COMBAT_PHASES, HEADQUARTERS, OWES, SUPPLY
from .engagement import COLUMNS, BattleParameters, Engagement, find_helpers, is_off_the_rails, read_combat

NOT_OURS = "{unit} does not belong to the attacking side"
ALREADY_USED = "{unit} has already supported an attack this phase"
MAX_SUPPLY_UNITS = 6
"""The maximum number of supply units in reach with which all sets of them are tried."""


# --- reasons against an attack ----------------------------------------------------------------------------------------


def list_refusals(view: View, parameters: BattleParameters, combat: Engagement) -> list[Step]:
    """Return the reasons why an attack is not allowed."""
    with view.gather() as facts:
        reasons = [
            *bars_by_options(view, combat),
            *bars_by_retreats(view),
            *bars_by_turn(facts, combat),
            *bars_to_attackers(facts, combat),
            *bars_afloat(view, combat),
            *bars_by_nation(combat),
        ]
        if parameters.hq:
            reasons += bars_to_headquarters(facts, parameters.hq, combat)
        for name in parameters.supply:
            reasons += bars_to_supply(facts, name, combat)
        if parameters.airbase:
            reasons += bars_to_airbase(facts, parameters.airbase, combat)
        if parameters.entrench:
            reasons += bars_to_entrenching(facts, parameters.entrench, combat)
        return [*reasons, *bars_by_table(parameters, combat)]


def bars_by_options(view: View, combat: Engagement) -> Iterator[Step]:
    """Yield a line for each unit whose optional rule is not in force. Rule: 2.6/optional"""
    units = [fighter.unit for fighter in (*combat.attackers, *combat.support)]
    units += [fighter.unit for fighter in combat.defenders]
    return bars_by_option(view, {unit.id: {} for unit in units})


def bars_by_retreats(view: View) -> list[Step]:
    """Return the bar by units of an earlier battle, which must retreat first. Rule: 14.3/7, 15.0"""
    units = [unit.id for unit in units_owing(view, OWES)]
    return holding([(units, "15.0", "the retreats of the battle before come first: {units}")], units=units)


def bars_by_turn(facts: Gather, combat: Engagement) -> list[Step]:
    """Return the reasons why a hex may not be attacked now: the phase, an earlier attack or its neutral country.

    Rule: 14.1, 14.4, 14.17, 23.0/1
    """
    view = facts.view
    clauses = (
        (facts.flag("attacked", combat.at), "14.4", "{at} has already been attacked this phase"),
        (is_neutral(facts, view.word("country", combat.at)), "23.0", "{at} lies in a neutral country"),
    )
    return [*attacks.bars_by_turn(view, combat.side, COMBAT_PHASES, "14.1"), *holding(clauses, combat)]


def bars_to_attackers(facts: Gather, combat: Engagement) -> Iterator[Step]:
    """Yield the reasons why attackers may not attack: an earlier attack, their hex, or trains without a railroad.

    Rule: 14.2, 14.4, 14.17, 21.4
    """
    at = combat.at
    adjacent = facts.view.board.neighbours(combat.at)
    for attacker in combat.attackers:
        unit = attacker.unit
        off = is_off_the_rails(facts, unit.arm, hexside(unit.place, at))
        clauses = [
            (facts.flag("fought", unit.id), "14.4", "{id} has already attacked this phase"),
            (off, "21.4", "{id} attacks only along railroads, but none is stated from {place} to {at}"),
            (unit.place not in adjacent, "14.2", "{id} in {place} is not adjacent to {at}"),
        ]
        yield from holding(clauses, unit, at=at)


def bars_afloat(view: View, combat: Engagement) -> Iterator[Step]:
    """Yield the attackers at sea in the Second Combat Phase, too late for an assault. Rule: Opt/Amph/5"""
    late = view.word("phase") == "second-combat"
    for attacker in combat.attackers:
        unit = attacker.unit
        afloat = late and view.word("terrain", unit.place) == SEA
        yield from holding(
            [(afloat, "Opt/Amph/5", "{id} in {place} may make its assault only in the First Combat Phase")], unit
        )


def bars_by_nation(combat: Engagement) -> list[Step]:
    """Return the bar to units of several nations that attack without a Headquarters. Rule: 14.10, 19.3"""
    several = sorted({attacker.unit.nation for attacker in combat.attackers})
    led = any(supporter.unit.arm == HEADQUARTERS for supporter in combat.support)
    text = "units of several nations may attack together only with a Headquarters: {nations:title}"
    return holding([(len(several) > 1 and not led, "14.10", text)], nations=several)


def bars_by_table(parameters: BattleParameters, combat: Engagement) -> list[Step]:
    """Return the bar to the Shock table without a shock unit. Rule: 14.12, 21.2"""
    text = "the Shock table requires a shock or tank unit among the attackers"
    return holding([(parameters.table == "shock" and not combat.shock, "14.12", text)])


def is_ours(facts: Gather, name: str, combat: Engagement) -> bool:
    """Return whether a unit belongs to the attacking side, of whatever nation. Rule: 2.2"""
    return side_of(facts, facts.view.unit(name)) == combat.side


def bars_to_headquarters(facts: Gather, name: str, combat: Engagement) -> list[Step]:
    """Return the reasons why a Headquarters cannot support the attack: its nation, radius or earlier attack.

    Rule: 14.8/1, 19.0, 19.1, 19.2
    """
    view = facts.view
    here = facts.view.unit(name).place or ""
    clauses = [
        (facts.word("arm", name) != HEADQUARTERS, "19.1", "{unit} is not a Headquarters"),
        (not is_ours(facts, name, combat), "19.1", NOT_OURS),
        (not view.board.is_hex(here), "19.1", "{unit} is not on the map"),
    ]
    if barred := holding(clauses, unit=name):
        return barred[:1]
    radius = facts.integer("radius", name)
    around = field(facts).around(combat.side)
    places = {attacker.unit.place for attacker in combat.attackers}
    why = out_of_reach(facts, around, view.unit(name), radius, places)
    foreign = facts.word("nation", name) not in {attacker.unit.nation for attacker in combat.attackers}
    clauses = [
        (foreign, "19.2", "no attacker is of the same nation as {unit}"),
        (facts.flag("fought", name), "19.1", ALREADY_USED),
        (bool(why), "19.1", "{unit} reaches no attacker within {radius:#hex} of {here}: {why}"),
    ]
    return holding(clauses, unit=name, radius=radius, here=here, why=why)


def bars_to_supply(facts: Gather, name: str, combat: Engagement) -> list[Step]:
    """Return the reasons why a supply unit gives no Maximum Attack Supply. Rule: 17.10/1-3, 17.11, SUP-summary/6"""
    view = facts.view
    if facts.word("arm", name) != SUPPLY:
        return [step("17.9", "{unit} is not a supply unit", unit=name)]
    source = view.unit(name)
    if source.place is None or not view.board.is_hex(source.place):
        return [step("17.10", "{unit} is not on the map", unit=name)]
    late = view.word("phase") in COMBAT_PHASES and not facts.flag("declared", name)
    late = late and view.ruling("declared-supply") == "phase"
    forces = (*combat.attackers, *combat.support)
    used = any(attacker.supplied == name for attacker in forces)
    around = field(facts).around(combat.side)
    radius = offensive_reach(facts, name, source.place)
    why = out_of_reach(facts, around, source, radius, {attacker.unit.place for attacker in forces})
    clauses = [
        (not is_ours(facts, name, combat), "17.9", NOT_OURS),
        (facts.flag("entrenched", name), "Opt/Entrench/1", "{unit} is turned over to entrench others"),
        (facts.flag("moved", name), "17.10", "{unit} has already moved this player turn"),
        (late, "17.11", "{unit} was not named at the start of the phase (if it was, state declared)"),
        (not used, "17.10", "{unit} reaches no attacker that is not already supplied" + (": {why}" if why else "")),
    ]
    return holding(clauses, unit=name, why=why)


def bars_to_airbase(facts: Gather, name: str, combat: Engagement) -> list[Step]:
    """Return the reasons why an airbase cannot support the attack: its side, range or earlier attack.

    Rule: 21.7, Opt/Air/1, Opt/Air/3
    """
    view = facts.view
    here = facts.view.unit(name).place or ""
    if facts.word("arm", name) != AIRBASE:
        return [step("Opt/Air/1", "{unit} is not an airbase", unit=name)]
    reach = facts.integer("radius", name)
    far = not view.board.is_hex(here) or view.board.distance(here, combat.at) > reach
    clauses = [
        (not is_ours(facts, name, combat), "Opt/Air/1", NOT_OURS),
        (facts.flag("fought", name), "Opt/Air/3", ALREADY_USED),
        (far, "Opt/Air/1", "{at} is not within the range of {unit}"),
    ]
    return holding(clauses, combat, unit=name)


def bars_to_entrenching(facts: Gather, name: str, combat: Engagement) -> list[Step]:
    """Return the reasons why a supply unit does not entrench the defenders.

    Rule: 21.7, Opt/Entrench/1, Opt/Entrench/2
    """
    rule = "Opt/Entrench/1"
    off = "entrenching" not in facts.view.words("options")
    barred = holding([(off, rule, "entrenching is an optional rule (options=entrenching)")])
    if facts.word("arm", name) != SUPPLY:
        return [*barred, step(rule, "{unit} is not a supply unit", unit=name)]
    enemy = is_ours(facts, name, combat)
    flipped = facts.flag("entrenched", name)
    source = facts.view.unit(name)
    radius = facts.integer("radius", name)
    around = field(facts).around(side_of(facts, source))
    why = "" if enemy else out_of_reach(facts, around, source, radius, [combat.at])
    clauses = [
        (not flipped, rule, "{unit} is not turned over to entrench others (if it is, state entrenched)"),
        (enemy, "Opt/Entrench/2", "{unit} does not belong to the defending side"),
        (bool(why), "Opt/Entrench/2", "{unit} does not reach {at}: {why}"),
    ]
    return [*barred, *holding(clauses, combat, unit=name, why=why)]


# --- the attack with further Headquarters and supply units ------------------------------------------------------------


def measure_help(view: View, parameters: BattleParameters, combat: Engagement) -> tuple[Help, ...]:
    """Return the strength of the attack with each additional Headquarters or supply unit, the strongest first.

    Only one Headquarters supports an attack.
    """
    leaders = () if parameters.hq else find_helpers(view, combat.side, HEADQUARTERS)
    others = {name: replace(parameters, hq=name) for name in leaders}
    for name in find_helpers(view, combat.side, SUPPLY):
        if name not in parameters.supply:
            others[name] = replace(parameters, supply=(*parameters.supply, name))
    tried = {name: COMBATS.allowed(view, other) for name, other in others.items()}
    better = {name: there.combat for name, there in tried.items() if there and there.combat.attack > combat.attack}
    helps = [Help(name, there.attack, there.column) for name, there in better.items()]
    return tuple(sorted(helps, key=lambda unit: (-unit.attack, unit.unit)))


COMBATS = Combats(read_combat, list_refusals)
"""The combats of the game."""


# --- the attacks that a side can make on a hex ------------------------------------------------------------------------


Described = DescribedCombat[BattleParameters, Engagement]


def _list_attacks(view: View, at: str) -> Iterator[Described]:
    """Yield the largest allowed attack on a hex with each Headquarters or none, and each set of supply units.

    Without a Headquarters each nation attacks separately.
    """
    bare = BattleParameters(at=at)
    everybody = read_combat(view, bare)
    quiet = view.quiet_view()
    units = [attacker.unit for attacker in everybody.attackers]
    apart = []
    for nation in sorted({unit.nation for unit in units}):
        others = tuple(unit.id for unit in units if unit.nation != nation)
        apart.append(replace(bare, withhold=others))
    led = [replace(bare, hq=name) for name in find_helpers(quiet, everybody.side, HEADQUARTERS)]
    supplies = _find_useful_supply(quiet, (bare, *led), find_helpers(view, everybody.side, SUPPLY))
    for count in range(len(supplies) + 1):
        for described in (*apart, *led):
            for chosen in combinations(supplies, count):
                if attack := COMBATS.allowed(view, replace(described, supply=chosen)):
                    yield attack


def _find_useful_supply(view: View, ways: Sequence[BattleParameters], names: Iterable[str]) -> tuple[str, ...]:
    """Return the supply units that would supply an attacker, or a Headquarters that supports the attack (19.4)."""

    def supplies_somebody(name: str) -> bool:
        for way in ways:
            combat = read_combat(view.quiet_view(), replace(way, supply=(name,)))
            if any(fighter.supplied for fighter in (*combat.attackers, *combat.support)):
                return True
        return False

    supplying = tuple(filter(supplies_somebody, names))
    if len(supplying) > MAX_SUPPLY_UNITS:
        raise InputError(f"{len(supplying)} supply units reach the attackers", hint="name those to expend: supply=UNIT")
    return supplying


def _measure_strengths(attack: Described) -> dict[str, int]:
    return {attacker.unit.id: attacker.strength for attacker in attack.combat.attackers}


def _plan_of(attack: Described) -> AttackPlan:
    parameters, combat = attack
    remarks = {"concentric": combat.concentric, "Shock table possible": combat.shock}
    return AttackPlan(
        attackers=tuple(attacker.unit.id for attacker in combat.attackers),
        support=(parameters.hq,) if parameters.hq else (),
        expended=parameters.supply,
        attack=combat.attack,
        defence=combat.defence,
        column=combat.column,
        remarks=tuple(remark for remark, holds in remarks.items() if holds),
    )


ATTACKS = AttackRules(
    COLUMNS, _list_attacks, _plan_of, _measure_strengths, COMBATS.without, AttackNumbers("14.4", "14.13", "14.8")
)
"""The attacks that a side can make."""
