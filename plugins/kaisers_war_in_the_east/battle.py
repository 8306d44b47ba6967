"""The questions of an attack: `battle`, with its strengths, its column, its chances and what its die leads to;
`attacks`, every hex that a side can attack, ranked by column; and `need`, the cheapest attack that reaches a column
(14, 16.1, 17.10).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, InputError, Part, Step, View, changed, holding, note, step
from assistant.asking.sketch import Remark
from assistant.asking.what_if import next_column
from assistant.mechanics.effects import Fought
from assistant.rules import battle as readymade
from assistant.rules.attacks import AttackNumbers, AttackPlan, AttackRules, attack_questions
from assistant.rules.battle import Attack, BattleNumbers, BattleRules, Fight, Sensitivity, Settled, battle_question
from assistant.rules.sketches import CombatPicture, held_row, strength_by_hex
from assistant.state.changes import AnyChange
from assistant.state.state import hexside
from assistant.state.vocabulary import UnitId

from .calendar.schedule import is_agreed
from .combat.engagement import (
    COLUMNS,
    Attacker,
    BattleParameters,
    Defender,
    Engagement,
    engage,
    find_helpers,
    measure_percentage,
)
from .combat.legality import COMBATS, list_refusals, measure_help
from .combat.results import RESULTS, Fate, Forces, effects_of, find_survivors, pursues, remains_of, results_table
from .forces import (
    breaks_down,
    chart_key,
    corps_at_hand,
    corps_of,
    formation_taken,
    note_granted_factors,
    note_presumed_corps,
    place_corps,
)
from .ground import SEA
from .terms import AIRBASE, AVAILABLE, CORPS, HEADQUARTERS, OWES, SUPPLY
from .victory.points import Worth, eliminate, format_ending, judge_worth


class Lost(msgspec.Struct, frozen=True):
    """What becomes of a unit by the result."""

    unit: UnitId
    breaks: Annotated[bool, note("whether the unit breaks down into corps instead of being eliminated")] = False
    corps: Annotated[int, note("corps that take the unit's place")] = 0
    corps_lost: Annotated[int, note("corps of the unit that are eliminated at once")] = 0
    points: Annotated[int, note("Victory Points that the loss costs the unit's side")] = 0
    gained: Annotated[int, note("Victory Points that the enemy scores for the loss")] = 0
    into: Annotated[tuple[str, ...], note("the ids of the corps that take the unit's place")] = ()


class Battle(readymade.Battle, frozen=True, kw_only=True):
    """An attack: its strengths, its chances before the die, and its result after it."""

    combat: Annotated[Engagement, note("who fights at what percentage")]
    lost: Annotated[tuple[Lost, ...], note("who is eliminated or breaks down, in order")] = ()


def _read(view: View, parameters: BattleParameters) -> Attack[Engagement]:
    """Return the combat that a player describes, on the table that he chooses, and on the other one if it may be
    chosen.
    """
    combat = engage(view, parameters)
    other = "shock" if parameters.table == "standard" else "standard"
    names: list[str] = [parameters.table]
    if other == "standard" or combat.shock:
        names.append(other)
    tables = [results_table(view, combat, name) for name in names]
    parts = [_strength_part(combat), _column_part(combat)]
    return Attack(combat, tables, parts, list_refusals(view, parameters, combat))


def _weigh_changes(view: View, parameters: BattleParameters, combat: Engagement) -> Sensitivity:
    """Return what would change the column."""
    up = view.unnoticed().ruling("percent-rounding") == "up"
    near = next_column(
        lambda attack: COLUMNS.column(measure_percentage(attack, combat.defence, up=up)), max(combat.attack, 1)
    )
    units = [attacker.unit.id for attacker in combat.attackers]
    without = COMBATS.columns_without(view, parameters, units)
    named = replace(near, column=COLUMNS.names[int(near.column)] if near.column else "")
    return Sensitivity(named, without, measure_help(view, parameters, combat))


def _resolve_fight(view: View, parameters: BattleParameters, combat: Engagement, code: str) -> Fight:
    """Return what the results do to the units of the combat, and what one has led to."""
    forces = _find_forces(view, combat, code)
    expended = [name for name in (*parameters.supply, parameters.entrench) if name]
    return Fight(effects_of(forces), partial(_settle_result, view, combat, forces, expended))


def _find_forces(view: View, combat: Engagement, code: str) -> Forces:
    """Return the units that a result may concern, and the corps into which each army breaks down."""
    doubtful = ["movement"] if code == "MD" else []
    with view.gather() as facts:
        attackers = tuple(
            formation_taken(facts, view.unit(attacker.unit.id), ["attack"])
            for attacker in (*combat.attackers, *fellow_sufferers(combat))
        )
        defenders = tuple(
            formation_taken(facts, view.unit(defender.unit.id), [], doubtful) for defender in combat.defenders
        )
    forces = Forces(attackers, defenders)
    pursuing = [unit.id for unit in forces.units(RESULTS[code].pursues if code else "")]
    note_granted_factors(view, pursuing, "attack")
    note_granted_factors(view, [*pursuing, *(defender.id for defender in defenders if code == "MD")], "movement")
    armies = [unit for unit in (*attackers, *defenders) if breaks_down(unit)]
    known = {army.id: corps_of(view.unnoticed(), army) for army in armies}
    corps = {name: nations for name, nations in known.items() if nations is not None}
    wanted = [(nation, army.arm) for army in armies for nation in corps.get(army.id, ())]
    at_hand = corps_at_hand(view, wanted)
    short = any(0 < len(ids) < wanted.count(kind) for kind, ids in at_hand.items())
    charted = [army for army in armies if army.id not in corps]
    return forces._replace(
        corps=corps,
        cells={army.id: ("reorganization", chart_key(army.nation, army.arm, army.size)) for army in charted},
        at_hand=at_hand,
        all_or_none=view.ruling("short-breakdown", short) == "none",
    )


def fellow_sufferers(combat: Engagement) -> tuple[Attacker, ...]:
    """Return who suffers with the attackers of those that support them: an airbase if an enemy airbase defends the hex.
    Rule: 19.2, Opt/Air/3
    """
    contested = any(defender.unit.arm == AIRBASE for defender in combat.defenders)
    return tuple(supporter for supporter in combat.support if contested and supporter.unit.arm == AIRBASE)


def _settle_result(
    view: View, combat: Engagement, forces: Forces, expended: Iterable[str], fought: Fought[Fate]
) -> Settled:
    """Return what a result has led to: losses with their Victory Points, and who retreats."""
    fought = fought._replace(fates=(*fought.fates, *lost_at_sea(view, forces, fought)))
    with view.gather() as facts:
        losses = tuple(price_loss(facts, fate) for fate in fought.fates)
    retreating = find_survivors(forces, fought, RESULTS[fought.code].retreats)
    changes = partial(battle_changes, view, combat, fought, losses, expended)
    lines = [_loss_step(loss) for loss in losses]
    return Settled(losses, lines, retreating, pursues(forces, fought), changes, partial(format_ending, view))


# --- what becomes of it, and what changes -----------------------------------------------------------------------------


def price_loss(facts: Gather, fate: Fate) -> Lost:
    """Return a fate with its Victory Points: an army that breaks down counts only for the corps that it loses at once.
    Rule: 5.1, 14.16, VP-table/other
    """
    unit = fate.unit
    cost = Worth(0, 0)
    if fate.corps_lost or not fate.breaks:
        counted = msgspec.structs.replace(unit, size=CORPS) if fate.breaks else unit
        cost = judge_worth(facts, counted, facts.view.side_of(unit.id))
    into = tuple(corps.id for corps in fate.left)
    return Lost(unit.id, fate.breaks, len(into), fate.corps_lost, cost.loss, cost.gain, into)


def lost_at_sea(view: View, forces: Forces, fought: Fought[Fate]) -> tuple[Fate, ...]:
    """Return the attackers of an amphibious assault that a result leaves in their all-sea hex, as it does not let them
    pursue: they are eliminated. Rule: Opt/Amph/5
    """
    if pursues(forces, fought):
        return ()
    afloat = (attacker for attacker in forces.attackers if view.word("terrain", attacker.place) == SEA)
    return tuple(Fate(attacker) for attacker in afloat if attacker.id in remains_of(fought, attacker))


def battle_changes(
    view: View, combat: Engagement, fought: Fought[Fate], losses: Iterable[Lost], expended: Iterable[str]
) -> Iterator[AnyChange]:
    """Yield what the result changes in the position: places, Victory Points, who has attacked and with what result,
    supply units that are expended, and the stacks that both sides have examined. Rule: 14.15, 14.16, 17.10/1-3,
    17.10/4, Opt/Entrench/2
    """
    yield from examine_stacks(view, combat)
    gone = {fate.unit.id for fate in fought.fates}
    note_presumed_corps(view, [corps for fate in fought.fates for corps in fate.corps])
    for fate, loss in zip(fought.fates, losses, strict=True):
        cost = Worth(loss.points, loss.gained)
        rule = "14.16" if fate.breaks else "14.15"
        yield from eliminate(view, fate.unit, view.side_of(loss.unit), cost, rule)
        yield from place_corps(view, fate.left, "14.16")
    for attacker in (*combat.attackers, *combat.support):
        if attacker.unit.id not in gone:
            yield changed(view, "fought", attacker.unit.id, True, "14.4")
    yield from (changed(view, "place", name, AVAILABLE, "17.10") for name in expended if name not in gone)
    yield changed(view, "attacked", combat.at, True, "14.4")
    yield changed(view, "combat-result", combat.at, fought.code, "16.2")


def examine_stacks(view: View, combat: Engagement) -> Iterator[AnyChange]:
    """Yield the examination of the stacks of both sides, which with fog of war each has seen by the end of a battle.
    Rule: Opt/Fog/2
    """
    places = dict.fromkeys((combat.at, *(attacker.unit.place for attacker in combat.attackers)))
    if is_agreed(view, "fog-of-war"):
        for place in places:
            yield changed(view, "examined", place, tuple(view.game.file.sides), "Opt/Fog/2")


# --- words ------------------------------------------------------------------------------------------------------------


def _strength_part(combat: Engagement) -> Part:
    """Return each factor with what multiplies it."""
    forces = (*combat.attackers, *combat.support)
    text = "{id} in {place}: {attack}"
    steps = [step("14.8", text + _format_multipliers(attacker, combat), attacker.unit, attacker) for attacker in forces]
    for other in combat.defenders:
        rule, times = ("14.11", " x {multiple} = {strength}") if other.multiple > 1 else ("14.7", "")
        steps.append(step(rule, "{id} in {place}: {defence}" + times, other.unit, other))
    clauses = [
        (combat.terrain, "14.11", "{terrain} doubles the defence"),
        (combat.across_water, "14.11", "all attackers cross rivers or lakes: the defence is doubled"),
    ]
    return Part("Strengths", (*steps, *holding(clauses, combat)), brief="")


def _format_multipliers(attacker: Attacker, combat: Engagement) -> str:
    """Return what multiplies an attack factor, in words."""
    reasons = _list_multipliers(attacker, combat)
    return f" x {{multiple}} = {{strength}} ({', '.join(reasons)})" if reasons else ""


def _list_multipliers(attacker: Attacker, combat: Engagement) -> list[str]:
    """Return what multiplies an attack factor, in words, one by one."""
    reasons = [f"Maximum Attack Supply from {attacker.supplied}"] if attacker.supplied else []
    if combat.concentric:
        reasons.append("concentric attack")
    if attacker.alpine:
        reasons.append("Alpine unit against rough terrain")
    return reasons


def _column_part(combat: Engagement) -> Part:
    """Return the percentage and its column."""
    covered = step("14.8", "attackers cover {covered:#hex} of those around {at}", combat)
    text = "{attack} against {defence} is {percent} %: column {column}"
    last = step("14.13", text, combat)
    return Part("Column", (covered, last), last.text)


def _draw_assault(combat: Engagement) -> CombatPicture:
    """Return a combat as its picture shows it: what multiplies a factor stands where its cause lies."""
    forces = (*combat.attackers, *combat.support)
    places = dict.fromkeys(attacker.unit.place for attacker in combat.attackers)
    causes = []
    for attacker in forces:
        if reasons := _list_multipliers(attacker, combat):
            text = f"x{attacker.multiple} {attacker.unit.id}: {', '.join(reasons)}"
            causes.append(Remark(where=attacker.unit.place, text=text))
    if combat.terrain:
        causes.append(Remark(where=combat.at, text=f"x2 {combat.terrain}"))
    if combat.across_water:
        causes += [Remark(where=hexside(place, combat.at), text="x2 river or lake") for place in places]
    rows = [
        (f"{attacker.unit.id} in {attacker.unit.place}{_format_factor(attacker)}", f"{attacker.strength}")
        for attacker in forces
    ]
    rows.append(("attack", f"{combat.attack}"))
    rows += [
        (f"{other.unit.id} in {other.unit.place}{_format_factor(other)}", f"{other.strength}")
        for other in combat.defenders
    ]
    rows += [
        ("defence", f"{combat.defence}"),
        held_row(combat.at, combat.covered),
    ]
    return CombatPicture(
        attack=strength_by_hex(
            "attack", ((force.unit.place, force.strength) for force in forces if force.unit.place in places)
        ),
        defence=strength_by_hex("defence", ((combat.at, other.strength) for other in combat.defenders)),
        side=combat.side,
        causes=causes,
        held=[hex for hex in combat.held if hex not in places],
        sum=rows,
        totals=("attack", "defence"),
        odds=(
            ("attack", f"{combat.attack}"),
            ("defence", f"{combat.defence}"),
            ("attack in % of the defence", f"{combat.percent} %"),
        ),
    )


def _format_factor(fighter: Attacker | Defender) -> str:
    """Return what multiplies a factor, as its line in the sum of a picture has it."""
    factor = fighter.unit.attack if isinstance(fighter, Attacker) else fighter.unit.defence
    return f": {factor} x {fighter.multiple}" if fighter.multiple > 1 else ""


def _loss_step(loss: Lost) -> Step:
    """Return what becomes of a unit, and what that costs."""
    text = "{unit} is eliminated"
    if loss.breaks:
        text = "{unit} breaks down into {corps} corps" + (": {into}" if loss.into else ", as none is off the map")
        text += "; one further corps is eliminated at once" if loss.corps_lost else ""
    if loss.points:
        text += ": {points:#Victory Point} lost" + (", {gained} scored by the enemy" if loss.gained else "")
    return step("14.16" if loss.breaks else "14.15", text, loss)


# --- attacks ----------------------------------------------------------------------------------------------------------


MOST_SUPPLY = 6
"""The most supply units in reach of an attack whose sets are gone through."""
Described = readymade.DescribedCombat[BattleParameters, Engagement]


def _list_attacks(view: View, at: str) -> Iterator[Described]:
    """Yield the largest attack on a hex with each Headquarters or none and each set of supply units that the rules
    allow. Without a Headquarters each nation attacks apart.

    Raises InputError where nothing attacks and for too many supply units in reach, MissingFacts for what is not stated.
    """
    bare = BattleParameters(at=at)
    everybody = engage(view, bare)
    quiet = view.unnoticed()
    units = [attacker.unit for attacker in everybody.attackers]
    apart = [
        replace(bare, withhold=tuple(unit.id for unit in units if unit.nation != nation))
        for nation in sorted({unit.nation for unit in units})
    ]
    led = [replace(bare, hq=name) for name in find_helpers(quiet, everybody.side, HEADQUARTERS)]
    supplies = _find_useful_supply(quiet, (bare, *led), find_helpers(view, everybody.side, SUPPLY))
    for count in range(len(supplies) + 1):
        for described in (*apart, *led):
            for chosen in combinations(supplies, count):
                if attack := COMBATS.allowed(view, replace(described, supply=chosen)):
                    yield attack


def _find_useful_supply(view: View, ways: Sequence[BattleParameters], names: Iterable[str]) -> tuple[str, ...]:
    """Return the supply units that would supply somebody, if only the Headquarters that supports (19.4), in an attack
    of all.

    ways: that attack without a Headquarters and with each. Raises InputError for too many.
    """

    def supplies_somebody(name: str) -> bool:
        for way in ways:
            combat = engage(view.unnoticed(), replace(way, supply=(name,)))
            if any(fighter.supplied for fighter in (*combat.attackers, *combat.support)):
                return True
        return False

    supplying = tuple(filter(supplies_somebody, names))
    if len(supplying) > MOST_SUPPLY:
        raise InputError(f"{len(supplying)} supply units reach the attackers", hint="name those to expend: supply=UNIT")
    return supplying


def _measure_strengths(attack: Described) -> dict[str, int]:
    """Return what each unit of an attack adds to it."""
    return {attacker.unit.id: attacker.strength for attacker in attack.combat.attackers}


def _list_units(combat: Engagement) -> tuple[list[str], list[str]]:
    """Return the attackers and the defenders of a combat."""
    return [attacker.unit.id for attacker in combat.attackers], [defender.unit.id for defender in combat.defenders]


def _plan_of(attack: Described) -> AttackPlan:
    """Return an attack as plain values."""
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


QUESTIONS = (
    battle_question(
        "percentage column and chances of an attack, or what its die leads to",
        BattleParameters,
        BattleRules(
            result=Battle,
            read=_read,
            sensitivity=_weigh_changes,
            fight=_resolve_fight,
            where=lambda combat: [attacker.unit.place for attacker in combat.attackers],
            who=_list_units,
            owes=OWES,
            shown=_draw_assault,
            rules=BattleNumbers("14.3", "14.13", "14.14", "15.0", "16.1", "15.1", "14.12", "14.8"),
        ),
        {
            "die": "the die on the Combat Results Table",
            "attacker.one": "the unit that the attacker loses",
            "defender.one": "the unit that the defender loses",
            "attacker.one-shock": "the shock unit that the attacker loses",
            "attacker.break-one-army": "the attacker's army that breaks down",
            "defender.break-one-army": "the defender's army that breaks down",
            "panic.UNIT": "the die of a unit in panic",
        },
    ),
    *attack_questions(
        AttackRules(
            COLUMNS,
            _list_attacks,
            _plan_of,
            _measure_strengths,
            COMBATS.without,
            AttackNumbers("14.4", "14.13", "14.8"),
        )
    ),
)
