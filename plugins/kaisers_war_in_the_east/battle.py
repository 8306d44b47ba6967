"""The questions of an attack (5.1, 14, 16.1, 17.10).

- `battle`: its chances, its result, and the changes that follow
- `attacks`: the hexes that a side can attack
- `need`: the cheapest attack that reaches a column
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, Part, Step, View, changed, holding, note, step
from assistant.asking.sketch import Remark
from assistant.asking.what_if import next_column
from assistant.mechanics.effects import Fought
from assistant.rules import battle as readymade
from assistant.rules.attacks import attack_questions
from assistant.rules.battle import Attack, BattleNumbers, BattleRules, Fight, Sensitivity, Settled, battle_question
from assistant.rules.following import let_follow, list_following
from assistant.rules.sketches import CombatPicture, held_row, strength_by_hex
from assistant.state.changes import AnyChange, Change
from assistant.state.state import hexside
from assistant.state.vocabulary import UnitId

from .calendar.schedule import is_agreed
from .combat.attacks import ATTACKS, COMBATS, list_refusals, measure_help
from .combat.engagement import (
    COLUMNS,
    Attacker,
    BattleParameters,
    Defender,
    Engagement,
    measure_percentage,
    read_combat,
)
from .combat.results import RESULTS, Fate, Forces, effects_of, find_pursuers, find_survivors, remains_of, results_table
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
from .terms import AIRBASE, AVAILABLE, CORPS, OWES
from .victory.points import Worth, eliminate_unit, judge_worth


class Lost(msgspec.Struct, frozen=True):
    """The fate of a unit after a result."""

    unit: UnitId
    breaks: Annotated[bool, note("whether the unit breaks down into corps instead of being eliminated")] = False
    corps: Annotated[int, note("corps that take the unit's place")] = 0
    corps_lost: Annotated[int, note("corps of the unit that are eliminated at once")] = 0
    points: Annotated[int, note("Victory Points that the loss costs the unit's side")] = 0
    gained: Annotated[int, note("Victory Points that the enemy scores for the loss")] = 0
    into: Annotated[tuple[str, ...], note("the ids of the corps that take the unit's place")] = ()


class Battle(readymade.Battle, frozen=True, kw_only=True):
    """An attack: its strengths, its chances before the die, and its result."""

    combat: Annotated[Engagement, note("who fights at what percentage")]
    lost: Annotated[tuple[Lost, ...], note("who is eliminated or breaks down, in order")] = ()


def _read_attack(view: View, parameters: BattleParameters) -> Attack[Engagement]:
    combat = read_combat(view, parameters)
    other = "shock" if parameters.table == "standard" else "standard"
    names: list[str] = [parameters.table]
    if other == "standard" or combat.shock:
        names.append(other)
    tables = [results_table(view, combat, name) for name in names]
    parts = [strength_part(combat), column_part(combat)]
    return Attack(combat, tables, parts, list_refusals(view, parameters, combat))


def _weigh_changes(view: View, parameters: BattleParameters, combat: Engagement) -> Sensitivity:
    up = view.quiet_view().ruling("percent-rounding") == "up"
    near = next_column(
        lambda attack: COLUMNS.column(measure_percentage(attack, combat.defence, up=up)), max(combat.attack, 1)
    )
    units = [attacker.unit.id for attacker in combat.attackers]
    without = COMBATS.columns_without(view, parameters, units)
    named = replace(near, column=COLUMNS.names[int(near.column)] if near.column else "")
    return Sensitivity(named, without, measure_help(view, parameters, combat))


def _resolve_fight(view: View, parameters: BattleParameters, combat: Engagement, code: str) -> Fight:
    """Return the effects of results on the units of a combat, and a function for the consequences of one."""
    forces = _find_forces(view, combat, code)
    expended = [name for name in (*parameters.supply, parameters.entrench) if name]
    return Fight(effects_of(forces), partial(_settle_result, view, combat, forces, expended))


def _find_forces(view: View, combat: Engagement, code: str) -> Forces:
    """Return the units that a result may affect, and the corps into which each army breaks down."""
    doubtful = ["movement"] if code == "MD" else []
    with view.gather() as facts:
        suffering = (*combat.attackers, *fellow_sufferers(combat))
        attackers = tuple(formation_taken(facts, view.unit(one.unit.id), ["attack"]) for one in suffering)
        defenders = tuple(
            formation_taken(facts, view.unit(defender.unit.id), [], doubtful) for defender in combat.defenders
        )
    forces = Forces(attackers, defenders)
    pursuing = [unit.id for unit in forces.units(RESULTS[code].pursues if code else "")]
    note_granted_factors(view, pursuing, "attack")
    note_granted_factors(view, [*pursuing, *(defender.id for defender in defenders if code == "MD")], "movement")
    armies = [unit for unit in (*attackers, *defenders) if breaks_down(unit)]
    known = {army.id: corps_of(view.quiet_view(), army) for army in armies}
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
    """Return the supporters that share the attackers' losses.

    They are airbases, if an enemy airbase defends the hex.

    Rule: 19.2, Opt/Air/3
    """
    contested = any(defender.unit.arm == AIRBASE for defender in combat.defenders)
    return tuple(supporter for supporter in combat.support if contested and supporter.unit.arm == AIRBASE)


def _settle_result(
    view: View, combat: Engagement, forces: Forces, expended: Iterable[str], fought: Fought[Fate]
) -> Settled:
    """Return the consequences of a result: losses with their Victory Points, and the units that retreat."""
    fought = fought._replace(fates=(*fought.fates, *lost_at_sea(view, forces, fought)))
    with view.gather() as facts:
        losses = tuple(price_loss(facts, fate) for fate in fought.fates)
    retreating = find_survivors(forces, fought, RESULTS[fought.code].retreats)
    changes = partial(battle_changes, view, combat, forces, fought, losses, expended)
    lines = [loss_step(loss) for loss in losses]
    pursues = bool(find_pursuers(forces, fought))
    return Settled(losses, lines, retreating, pursues, changes)


def _list_units(combat: Engagement) -> tuple[list[str], list[str]]:
    return [attacker.unit.id for attacker in combat.attackers], [defender.unit.id for defender in combat.defenders]


# --- losses and changes by a result -----------------------------------------------------------------------------------


def price_loss(facts: Gather, fate: Fate) -> Lost:
    """Return the loss of a unit with its Victory Points.

    An army that breaks down costs the corps lost at once.

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
    """Return the attackers eliminated because they cannot leave the sea after an amphibious assault.

    Rule: Opt/Amph/5
    """
    if find_pursuers(forces, fought):
        return ()
    afloat = (attacker for attacker in forces.attackers if view.word("terrain", attacker.place) == SEA)
    return tuple(Fate(attacker) for attacker in afloat if attacker.id in remains_of(fought, attacker))


def battle_changes(
    view: View,
    combat: Engagement,
    forces: Forces,
    fought: Fought[Fate],
    losses: Iterable[Lost],
    expended: Iterable[str],
) -> Iterator[AnyChange]:
    """Yield the changes made by a result."""
    yield from examine_stacks(view, combat)
    yield from eliminate_units(view, fought, losses)
    yield from mark_attackers(view, combat, fought)
    yield from expend_supply(view, fought, expended)
    yield changed(view, "attacked", combat.at, True, "14.4")
    yield changed(view, "combat-result", combat.at, fought.code, "16.2")
    yield from let_pursue(view, combat, forces, fought)


def eliminate_units(view: View, fought: Fought[Fate], losses: Iterable[Lost]) -> Iterator[AnyChange]:
    """Yield the changes by which units are eliminated or break down. Rule: 14.15, 14.16"""
    note_presumed_corps(view, [corps for fate in fought.fates for corps in fate.corps])
    for fate, loss in zip(fought.fates, losses, strict=True):
        cost = Worth(loss.points, loss.gained)
        rule = "14.16" if fate.breaks else "14.15"
        yield from eliminate_unit(view, fate.unit, view.side_of(loss.unit), cost, rule)
        yield from place_corps(view, fate.left, "14.16")


def mark_attackers(view: View, combat: Engagement, fought: Fought[Fate]) -> Iterator[Change]:
    """Yield the changes that mark surviving attackers and their supporters. Rule: 14.4"""
    gone = _list_eliminated(fought)
    support = [supporter.unit.id for supporter in combat.support if supporter.unit.id not in gone]
    for name in (*_list_attackers(combat, fought), *support):
        yield changed(view, "fought", name, True, "14.4")


def expend_supply(view: View, fought: Fought[Fate], expended: Iterable[str]) -> Iterator[Change]:
    """Yield the changes that make expended supply units available again. Rule: 17.10/1-3, 17.10/4, Opt/Entrench/2"""
    gone = _list_eliminated(fought)
    for name in expended:
        if name not in gone:
            yield changed(view, "place", name, AVAILABLE, "17.10")


def let_pursue(view: View, combat: Engagement, forces: Forces, fought: Fought[Fate]) -> Iterator[AnyChange]:
    """Yield the changes by which units may pursue into hexes. Rule: 16.0"""
    left = [combat.at]
    if RESULTS[fought.code].pursues == "defender":
        left = sorted({attacker.unit.place for attacker in combat.attackers})
    pursuers = dict.fromkeys(find_pursuers(forces, fought), left)
    others = (*_list_attackers(combat, fought), *list_following(view))
    yield from let_follow(view, pursuers, others, "16.0")


def _list_attackers(combat: Engagement, fought: Fought[Fate]) -> list[str]:
    return [name for attacker in combat.attackers for name in remains_of(fought, attacker.unit)]


def _list_eliminated(fought: Fought[Fate]) -> set[str]:
    return {fate.unit.id for fate in fought.fates}


def examine_stacks(view: View, combat: Engagement) -> Iterator[AnyChange]:
    """Yield the changes that mark the stacks of a battle as examined, with fog of war. Rule: Opt/Fog/2"""
    places = dict.fromkeys((combat.at, *(attacker.unit.place for attacker in combat.attackers)))
    if is_agreed(view, "fog-of-war"):
        for place in places:
            yield changed(view, "examined", place, tuple(view.game.file.sides), "Opt/Fog/2")


def loss_step(loss: Lost) -> Step:
    """Return the fate of a unit with its cost."""
    text = "{unit} is eliminated"
    if loss.breaks:
        text = "{unit} breaks down into {corps} corps" + (": {into}" if loss.into else ", as none is off the map")
        if loss.corps_lost:
            text += "; one further corps is eliminated at once"
    if loss.points:
        text += ": {points:#Victory Point} lost" + (", {gained} scored by the enemy" if loss.gained else "")
    return step("14.16" if loss.breaks else "14.15", text, loss)


# --- an attack in words, and its picture ------------------------------------------------------------------------------


def strength_part(combat: Engagement) -> Part:
    """Return the part with each factor and its multiples."""
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
    reasons = _list_multipliers(attacker, combat)
    return f" x {{multiple}} = {{strength}} ({', '.join(reasons)})" if reasons else ""


def _list_multipliers(attacker: Attacker, combat: Engagement) -> list[str]:
    reasons = [f"Maximum Attack Supply from {attacker.supplied}"] if attacker.supplied else []
    if combat.concentric:
        reasons.append("concentric attack")
    if attacker.alpine:
        reasons.append("Alpine unit against rough terrain")
    return reasons


def column_part(combat: Engagement) -> Part:
    """Return the part with the percentage and its column."""
    covered = step("14.8", "attackers cover {covered:#hex} of those around {at}", combat)
    text = "{attack} against {defence} is {percent} %: column {column}"
    last = step("14.13", text, combat)
    return Part("Column", (covered, last), last.text)


def draw_assault(combat: Engagement) -> CombatPicture:
    """Return the picture of a combat, with the causes of multiples at their places."""
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
    rows = [_row_of(attacker) for attacker in forces]
    rows.append(("attack", f"{combat.attack}"))
    rows += [_row_of(defender) for defender in combat.defenders]
    rows += [("defence", f"{combat.defence}"), held_row(combat.at, combat.covered)]
    strengths = [(force.unit.place, force.strength) for force in forces]
    return CombatPicture(
        attack=strength_by_hex("attack", ((place, points) for place, points in strengths if place in places)),
        support=strength_by_hex("support", ((place, points) for place, points in strengths if place not in places)),
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


def _row_of(fighter: Attacker | Defender) -> tuple[str, str]:
    return f"{fighter.unit.id} in {fighter.unit.place}{_format_factor(fighter)}", f"{fighter.strength}"


def _format_factor(fighter: Attacker | Defender) -> str:
    factor = fighter.unit.attack if isinstance(fighter, Attacker) else fighter.unit.defence
    return f": {factor} x {fighter.multiple}" if fighter.multiple > 1 else ""


QUESTIONS = (
    battle_question(
        "percentage column and chances of an attack, or what its die leads to",
        BattleParameters,
        BattleRules(
            result=Battle,
            read=_read_attack,
            sensitivity=_weigh_changes,
            fight=_resolve_fight,
            where=lambda combat: [attacker.unit.place for attacker in combat.attackers],
            who=_list_units,
            owes=OWES,
            shown=draw_assault,
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
    *attack_questions(ATTACKS),
)
