"""The question `repulse`: whether one Force pushes a stack away while it moves or retreats (8.5)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from assistant.mechanics.chances import UnknownCells, chances
from assistant.mechanics.procedure import AnswerError, Dice, Procedure, Resolution, first_option, resolve
from assistant.questions.question import Answers, Question
from assistant.questions.report import Ask, Part, Report, Step, Verdict
from assistant.questions.view import View, asks_of, changed
from assistant.state.changes import Change
from assistant.util.errors import InputError, nearest, quoted

from ...battle.reckoning import weigh
from ...battle.report import odds_part, strength_part
from ...battle.result import BattleResult
from ...combat.engagement import BattleParameters, Engagement
from ...combat.legality import refusals
from ...combat.setup import engage
from ...forces.reading import fighting
from ...forces.step_changes import step_losses
from ...forces.units import SIDES, CombatUnit, forces
from ...ground.improved_positions import after_moves
from ...ground.phases import MOVEMENT_PHASES, AttackPhase
from ...results.combat import Combat
from ...retreat.cost import ForceLoss, shared
from ...terms import COMBAT_ARMS, FORTRESSES, GREAT_RIVERS
from .dice import Attempt, attempt, cel, failing
from .report import (
    CERTAIN,
    COST,
    LEAST,
    RepulseCheck,
    RepulseParameters,
    RepulseResult,
    needs_part,
    outcome_part,
    verdict_of,
)


def answer(view: View, parameters: RepulseParameters, answers: Answers) -> Report[RepulseResult]:
    """The report on a Repulse: whether it may be tried, its odds, its chances, and what these dice make of it.

    Raises MissingFacts for whatever the rules need and nobody stated, InputError for a Repulse that cannot be named.

    Rule: 8.5.2, 8.5.5
    """
    found = engaged(view, parameters)
    refused = [*untimely(found.attack_phase, parameters), *unaffordable(parameters)]
    refused += not_allowed(found, parameters.during)
    if refused := [*refused, *refusals(found, view.board.neighbours(found.at))]:
        verdict = Verdict("no", "this Repulse is not allowed, for {reasons:#reason}", {"reasons": len(refused)})
        return _report(view, found, verdict, parts=(Part("Not allowed", tuple(refused)),))
    battle, of = weigh(found)
    procedure = attempt(of, view.cell)
    result = paid(before(of, battle, procedure), parameters)
    parts = [strength_part(found, unserved(battle)), odds_part(battle), needs_part(result, parameters.during)]
    if not answers and result.needs != "hopeless":
        resolved = resolve(procedure, Attempt(), {})
        return _report(view, found, verdict_of(result, resolved), tuple(parts), result, resolved)
    resolved = resolve(procedure, Attempt(), named(found, answers))
    result, choices = after(view, of, result, resolved, answers)
    parts.append(outcome_part(result, parameters.during))
    if resolved.pending:
        return _report(view, found, verdict_of(result, resolved), tuple(parts), result, resolved)
    changes, asks = todo(view, of, result, answers)
    if choices:
        changes, asks = (), (*choices, *asks)
    return _report(view, found, verdict_of(result, resolved), tuple(parts), result, resolved, changes, asks)


def engaged(view: View, parameters: RepulseParameters) -> Engagement:
    """The Repulse as a combat without Artillery Ammunition Points, of one Force against the stack.

    Raises InputError if several Forces stand in the hex and none is named.

    Rule: 8.5.1, 8.5.5
    """
    with view.gather() as facts:
        there = [unit.id for unit in fighting(facts, view, parameters.from_)]
        arms = {name: facts.word("arm", name) for name in there}
        defending = [facts.word("arm", unit.id) for unit in fighting(facts, view, parameters.at)]
    wanted = parameters.units or tuple(there)
    if not any(arms.get(name) in COMBAT_ARMS for name in wanted):
        raise InputError(
            f"from: no combat unit in {parameters.from_} attempts it", hint="artillery alone makes no Repulse (8.5.1)"
        )
    if defending and all(arm == "artillery" for arm in defending):
        hint = "it displaces when an enemy comes next to it (9.5.1): ask displace"
        raise InputError(f"at: artillery alone in {parameters.at} is not repulsed", hint=hint)
    for name in wanted:
        if name not in there:
            raise InputError(f"units: {name} is not in {parameters.from_}", hint=nearest(name, there))
    found = engage(
        view,
        BattleParameters(
            at=parameters.at,
            from_=(parameters.from_,),
            withhold=(*parameters.withhold, *(unit for unit in there if unit not in wanted)),
            attacker_ap=("none",),
            defender_ap=("none",),
            flanked=parameters.flanked,
            shift=parameters.shift,
        ),
        barred=GREAT_RIVERS,
    )
    found = without_batteries(found)
    attempting = forces(taking_part(found))
    if len(attempting) > 1:
        listed = " or ".join(quoted(force.name) for force in attempting)
        raise InputError(f"units: one Force attempts a Repulse: {listed}", hint="name its units: units=UNIT,UNIT")
    # on either side somebody may have retreated in this phase: that bars attacks only
    attackers, defenders = (
        tuple(unit._replace(retreated=False) for unit in units) for units in (found.attackers, found.defenders)
    )
    return found._replace(left_out=(), attackers=attackers, defenders=defenders)


def taking_part(found: Engagement) -> tuple[CombatUnit, ...]:
    """The units of the Force that attempts it, its artillery among them."""
    return (*found.attackers, *(unit for unit in found.idle if unit.place != found.at))


def without_batteries(found: Engagement) -> Engagement:
    """The Repulse without the batteries that need no AP in a combat: no artillery value counts here (8.5.1)."""
    batteries = tuple(unit for unit in (*found.attackers, *found.defenders) if unit.emplaced)
    return found._replace(
        attackers=tuple(unit for unit in found.attackers if not unit.emplaced),
        defenders=tuple(unit for unit in found.defenders if not unit.emplaced),
        idle=(*found.idle, *batteries),
    )


def not_allowed(found: Engagement, during: str) -> list[Step]:
    """What 8.5.1 forbids: more than two combat units, a fortress unit in the hex, a Major or Grand River; and in movement whoever
    bears a Prepared Attack marker.

    Rule: 8.5.1, 12.1.1
    """
    steps = []
    if during == "movement":
        for unit in found.attackers:
            if unit.prepared:
                steps.append(
                    Step("8.4", "{unit} bears a Prepared Attack marker and spends no more points", {"unit": unit.id})
                )
    fighting = [unit.id for unit in found.attackers if unit.arm in COMBAT_ARMS]
    if len(fighting) > 2:
        steps.append(Step("8.5.1", "two combat units at most: {units}", {"units": fighting}))
    for unit in found.defenders:
        if unit.arm in FORTRESSES:
            steps.append(Step("8.5.1", "{unit} is a fortress unit, whose hex cannot be cleared", {"unit": unit.id}))
    for place, over in found.crossed.items():
        if GREAT_RIVERS & over:
            figures = {"place": place, "at": found.at}
            steps.append(Step("8.5.1", "no Repulse over the Major or Grand River {place}|{at}", figures))
    return steps


def untimely(now: AttackPhase, parameters: RepulseParameters) -> list[Step]:
    """What forbids a Repulse now: in movement it takes the Movement Phase or the Counter Movement Phase and the active side, in a
    retreat that the stack has not tried one before and does not retreat from one itself.

    now: the phase, of which `during` alone counts if nobody says.

    Rule: 8.5, 8.5.1c
    """
    steps = []
    if parameters.during == "movement" and now.phase and now.phase not in MOVEMENT_PHASES:
        text = "a Repulse is attempted in movement phases or in a retreat: phase={phase}"
        steps.append(Step("8.5", text, {"phase": now.phase}))
    elif parameters.during == "movement" and now.active not in ("", now.attacking):
        steps.append(Step("5.4", "the {active} side is active, and moves in this phase", {"active": now.active}))
    if parameters.during == "retreat" and parameters.cause == "repulse":
        steps.append(Step("8.5.1", "a stack that retreats from a Repulse attempts none"))
    if parameters.during == "retreat" and parameters.tried:
        steps.append(Step("8.5.1", "a stack attempts one Repulse in a retreat, and this one has"))
    return steps


def unaffordable(parameters: RepulseParameters) -> list[Step]:
    """Whether the Force lacks the Movement Point that an attempt costs."""
    if parameters.during == "retreat" or parameters.points is None or parameters.points >= COST:
        return []
    figures = {"cost": COST, "points": parameters.points}
    return [Step("8.5.1", "an attempt costs {cost:#Movement Point}, and {points} are left", figures)]


def paid(result: RepulseResult, parameters: RepulseParameters) -> RepulseResult:
    """The result with what the attempt costs the Force: a Movement Point in movement, nothing in a retreat.

    Rule: 8.5.1b
    """
    cost = COST if parameters.during == "movement" else 0
    points = None if parameters.points is None else Fraction(parameters.points).limit_denominator(12) - cost
    return msgspec.structs.replace(result, cost=cost, points=points)


def unserved(battle: BattleResult) -> BattleResult:
    """The strengths without a word on whom Artillery Ammunition Points would serve: a Repulse takes none (8.5.1)."""
    sides = (msgspec.structs.replace(side, without=()) for side in (battle.attacker, battle.defender))
    return msgspec.structs.replace(battle, **dict(zip(SIDES, sides, strict=True)))


# --- dice -------------------------------------------------------------------------------------------------------------


def named(found: Engagement, answers: Answers) -> dict[str, str]:
    """Answers under the procedure's names; the check may be named after the hex or any unit there, or bare.

    Raises InputError for an answer to nothing.
    """
    names = {"crt": "crt", "ec": f"ec.{found.at}", f"ec.{found.at}": f"ec.{found.at}"}
    names |= {f"ec.{unit.id}": f"ec.{found.at}" for unit in found.defenders}
    names |= {f"losses.{unit.id}": f"losses.{unit.id}" for unit in (*found.attackers, *found.defenders)}
    for name in answers:
        if name not in names:
            raise AnswerError(name, InputError("nothing of that name is asked", hint=nearest(name, names)))
    return {names[name]: value for name, value in answers.items()}


def before(of: Combat, battle: BattleResult, procedure: Procedure) -> RepulseResult:
    """What is certain before the dice, and the chances where the chart is known."""
    found = of.engagement
    checking = of.forces["defender"].get(found.at, ())
    fails = {
        force.name: Fraction(sum(ways for total, ways in Dice(2, 6).totals if total > cel(force)), 36)
        for force in checking
    }
    try:
        chance = chances(procedure, Attempt(), first_option).probability(lambda won: won is True, "repulsed")
    except UnknownCells:
        chance = None
    return RepulseResult(
        at=found.at,
        force=tuple(unit.id for unit in taking_part(found)),
        attack=battle.attacker.total,
        defence=battle.defender.total,
        initial=battle.initial,
        final=battle.final,
        shifts=battle.shifts,
        needs="hopeless" if of.odds < LEAST else "automatic" if of.odds >= CERTAIN else "roll",
        chance=chance,
        checks=tuple(RepulseCheck(force=force.name, cel=cel(force), fails=fails[force.name]) for force in checking),
    )


def after(
    view: View, of: Combat, result: RepulseResult, resolved: Resolution, answers: Answers
) -> tuple[RepulseResult, tuple[Ask, ...]]:
    """The result with what the dice made of it, and what the owner of the Force has to choose first.

    Rule: 8.5.3, 8.5.4, 8.5.4b
    """
    notes = dict(resolved.notes)
    repulsed = notes.get("repulsed")
    if repulsed is None:
        return result, ()
    by_name = {force.name: force for force in of.forces["defender"].get(of.engagement.at, ())}
    checks = []
    for check in result.checks:
        passed = notes.get(f"{check.force}.passes")
        levels, steps = 0, 0
        if passed is False:
            force = by_name[check.force]
            spent = force.formation is not None and force.formation.demoralized
            levels, steps = failing(force, view.ruling("repulse-demoralized") if spent else "step")
        checks.append(
            msgspec.structs.replace(check, passed=None if passed is None else bool(passed), levels=levels, steps=steps)
        )
    lost, ask = ({}, None) if repulsed else repelled(view, taking_part(of.engagement), answers)
    result = msgspec.structs.replace(
        result, crt=str(notes["crt"]), repulsed=bool(repulsed), checks=tuple(checks), losses=lost
    )
    return result, (ask,) if ask else ()


def repelled(view: View, units: Sequence[CombatUnit], answers: Answers) -> tuple[dict[str, int], Ask | None]:
    """Who loses the step that a failed Repulse costs, or what the owner has to choose from.

    units: those that took part.

    Rule: 8.5.4
    """
    who = view.ruling("repulse-step") if len(units) > 1 else "combat"
    if who == "force":
        (force,) = forces(units)
        return shared(force, ForceLoss(force.name, steps=1), answers, "8.5.4", "the failed Repulse")
    return {unit.id: 1 for unit in units if who == "every" or unit.arm in COMBAT_ARMS}, None


def todo(view: View, of: Combat, result: RepulseResult, answers: Answers) -> tuple[tuple[Change, ...], tuple[Ask, ...]]:
    """What changes on the map, and which owner has to say first who takes a step; the retreat of two hexes stays an obligation.

    Rule: 8.5.3, 8.5.4
    """
    found = of.engagement
    units = {unit.id: unit for unit in (*taking_part(found), *found.defenders)}
    by_name = {force.name: force for force in of.forces["defender"].get(found.at, ())}
    changes: list[Change] = []
    asks: list[Ask] = []
    for name, steps in result.losses.items():
        changes += step_losses(view, units[name], steps)
    for check in result.checks:
        force, unit = by_name[check.force], units[check.force]
        if check.levels:
            changes.append(changed(view, "cel", unit.id, -unit.levels - check.levels, "8.5.3"))
        taken, ask = shared(force, ForceLoss(force.name, steps=check.steps), answers, "8.5.3", "its check")
        asks += [ask] if ask else []
        for name, steps in taken.items():
            changes += step_losses(view, units[name], steps)
    changes += after_moves(view, changes)
    return () if asks else tuple(changes), tuple(asks)


def _report(
    view: View,
    found: Engagement,
    verdict: Verdict,
    parts: tuple[Part, ...] = (),
    result: RepulseResult | None = None,
    resolved: Resolution | None = None,
    changes: tuple[Change, ...] = (),
    asks: tuple[Ask, ...] = (),
) -> Report[RepulseResult]:
    places = ", ".join(dict.fromkeys(unit.place for unit in found.attackers))
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Repulse of {found.at} from {places}",
        verdict=verdict,
        parts=tuple(part for part in parts if part.steps),
        asks=(*asks, *(asks_of(view.game, resolved.pending) if resolved else ())),
        changes=changes,
        result=result,
    )


QUESTION = Question(
    name="repulse",
    title="whether one Force pushes a stack away while it moves or retreats",
    parameters=RepulseParameters,
    result=RepulseResult,
    answer=answer,
    answers={
        "crt": "the roll for the Repulse",
        "ec": "the check of the stack that is pushed away",
        "ec.HEX": "the same, by its hex or a unit of it",
        "losses.FORCE": "the units that take the steps of its check or of the failed attempt, one name a step, joined by commas",
    },
)
