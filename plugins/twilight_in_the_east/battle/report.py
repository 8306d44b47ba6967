"""A combat in words: strengths, column, magnitude, chances, and what the dice led to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from assistant.mechanics.chances import Likelihood
from assistant.mechanics.procedure import Modifier
from assistant.questions import Part, Step, step

from ..combat.allocation import MOST_POINTS
from ..combat.engagement import Engagement
from ..forces.units import over_stacked
from ..results.combat import Combat
from ..results.crt import fortress_steps, read_result
from ..results.outcome_report import BattleOutcome, CheckOutcome
from .result import BattleChances, BattleResult, UnitStrength


def strength_part(engagement: Engagement, battle: BattleResult) -> Part:
    """Strengths, unit by unit."""
    steps = []
    for role, side in (("attacker", battle.attacker), ("defender", battle.defender)):
        steps.append(step("10.5.1", "{role}: AP allocated to {points}", side, role=role))
        if side.without:
            text = "{role}: {points_needed:#AP} would serve all"
            text += ", but at most two may be allocated" if side.points_needed > MOST_POINTS else ""
            steps.append(step("10.5.1", text + "; without an AP: {without}", side, role=role))
        for unit in side.units:
            rule = "10.6" if unit.halved else "3.4.1" if role == "attacker" else "3.4.2"
            steps.append(unit_step(rule, unit))
        steps.append(step("4.5", "{role}: {total} in all", side, role=role))
    if idle := [unit.id for unit in engagement.idle]:
        steps.append(step("10.1.4", "{units} take no part: no AP, Displaced, or no combat unit with them", units=idle))
    return Part("Strengths", tuple(steps), brief=brief_strengths(battle))


def brief_strengths(battle: BattleResult) -> str:
    """The units that fight without an AP as two are the most that a side may allocate. Rule: 10.5b"""
    sides = {"attacker": battle.attacker, "defender": battle.defender}
    short = {role: side for role, side in sides.items() if side.points and side.points_needed > MOST_POINTS}
    text = "; ".join(f"{role}'s {', '.join(side.without)} without an AP" for role, side in short.items())
    return f"{text}, as a side has {MOST_POINTS} at most" if text else ""


def unit_step(rule: str, unit: UnitStrength) -> Step:
    """The strength of one unit."""
    text = "{unit} in {place}: "
    if unit.halved or unit.lost:
        text += "{printed}" + (" less {lost} lost" if unit.lost else "") + (", halved" if unit.halved else "") + " is "
    text += "{base}"
    if unit.artillery:
        text += ("," if unit.lost else "") + " + {artillery} artillery = {strength}"
    return step(rule, text, unit)


def odds_part(battle: BattleResult) -> Part:
    """The ratio, each shift, and the column."""
    totals = {"attack": battle.attacker.total, "defence": battle.defender.total}
    rule, text = "4.4.1", "{attack}:{defence} rounds to {initial}"
    if not all(totals.values()):
        rule, text = "10.7", "{attack}:{defence} has no ratio: the last column, {initial}, is taken unshifted"
    steps = [step(rule, text, battle, **totals)]
    steps += flank_steps(battle)
    steps += [step(shift.rule, "{why}: {amount:+}", shift) for shift in battle.shifts]
    if not battle.shifts:
        steps.append(step("10.8", "no shifts ({terrain} terrain)", battle))
    rule = "10.7" if battle.final != battle.column else "10.8"
    text = "shifted by {net_shift:+} to {final}: column {column}" if battle.net_shift else "column {column}"
    shifts = ", ".join(f"{shift.amount:+} {shift.why}" for shift in battle.shifts)
    beyond = f"{battle.final}, beyond the last " if battle.final != battle.column else ""
    brief = f"{totals['attack']} against {totals['defence']} is {battle.initial}"
    brief += f"; {shifts}: {beyond}column {battle.column}" if shifts else f", unshifted: column {battle.column}"
    return Part("Odds and column", (*steps, step(rule, text, battle)), brief)


def flank_steps(battle: BattleResult) -> Iterator[Step]:
    """Who holds the hexes around the defender, and whether it is flanked: typed, by the rule of Asset Units, or as usual."""
    text = "{held_around} of the six hexes around {at} are held by the attacker or in its ZOC"
    so = "flanked" if battle.flanked else "not flanked"
    if battle.flanked_as_typed:
        yield step(
            "10.4.1", f"{so}, as typed with flanked={'yes' if battle.flanked else 'no'}; {text}, as stated", battle
        )
    elif battle.flank_rule == "10.4.5":
        yield step("10.4.5", "a hex with a fortress unit cannot be flank attacked; " + text + ", as stated", battle)
    elif battle.flank_rule == "10.4.2":
        text = "{held_by_formations} of the six hexes around {at} are held by attacking formations or in their ZOC, as stated: "
        yield step("10.4.2", text + f"Asset Units without a formation are {so}, which takes three", battle)
    elif battle.held_around:
        yield step("10.4.1", f"{text}, as stated: {so}", battle)


def size_part(battle: BattleResult) -> Part:
    """Magnitude, and what is known of both rolls for losses."""
    text = "{attacking:#division} against {defending}, {divisions} in all: {magnitude}"
    sides = {"attacking": battle.attacker.divisions, "defending": battle.defender.divisions}
    attacking = modifier_steps("attacker's losses", battle.attacker_modifiers)
    defending = modifier_steps("defender's losses", battle.defender_modifiers)
    brief = f"{battle.magnitude}; loss rolls: " + ", ".join(
        f"{role} {sum(modifier.amount for modifier in modifiers):+}"
        for role, modifiers in (("attacker", battle.attacker_modifiers), ("defender", battle.defender_modifiers))
    )
    return Part("Magnitude and losses", (step("10.10.1", text, battle, **sides), *attacking, *defending), brief)


def modifier_steps(what: str, modifiers: Iterable[Modifier]) -> list[Step]:
    """The modifiers of a roll, a line each."""
    return [step(modifier.rule, "{what}: {amount:+} {why}", modifier, what=what) for modifier in modifiers]


def policy_steps(chances: BattleChances) -> Iterator[Step]:
    """How the sides settle their choices, in one line where they do it alike."""
    policies = {"attacker": chances.attacker_policy, "defender": chances.defender_policy}
    if chances.attacker_policy == chances.defender_policy:
        return iter([step("10.2.1", "choices ({name}): {meaning}", chances.attacker_policy)])
    text = "choices of the {role} ({name}): {meaning}"
    return (step("10.2.1", text, policy, role=role) for role, policy in policies.items())


def ways_step(chances: BattleChances) -> Step:
    """On what the chances rest that concern retreats: a policy, or no ground at all."""
    if not chances.ways:
        text = "the ground around is not stated: what ways back cost is left out, and that a stack may be unable to retreat"
        return step("11.2", text)
    meanings = {
        "straight": "the legal way that costs least, and of several the one that the priorities put first; no Repulse",
        "priorities": "at each hex the one that the priorities put first; no Repulse",
    }
    text = "retreats by the result ({ways}): {meaning}; what retreats by checks and away from supply cost is left out"
    return step("11.2.2", text, chances, meaning=meanings[chances.ways])


def chances_part(chances: BattleChances) -> Part:
    """The chances in words."""
    steps = [*policy_steps(chances), ways_step(chances)]
    for role, retreat in (("attacker", chances.attacker_retreat), ("defender", chances.defender_retreat)):
        if any(one.value for one in retreat):
            text = "hexes the {role} retreats by the CRT result: {likelihoods}"
            steps.append(step("10.9.1", text, role=role, likelihoods=retreat))
    for role, lost, mean in (
        ("attacker", chances.attacker_steps, chances.attacker_mean),
        ("defender", chances.defender_steps, chances.defender_mean),
    ):
        text = "steps the {role} loses, {mean:f} on average: {likelihoods}"
        steps.append(step("11.1", text, role=role, mean=mean, likelihoods=lost))
    for force in chances.forces:
        events = {"passed": force.passes, "retreat": force.retreats, "Disordered": force.disordered}
        likelihoods = tuple(Likelihood(event, chance) for event, chance in events.items())
        steps.append(step("11.3", "{force}'s check: {likelihoods}", force, likelihoods=likelihoods))
    for force in chances.forces:
        if force.surrenders:
            alone = (Likelihood(f"{force.force} surrenders", force.surrenders),)
            steps.append(step("11.2.6", "{likelihoods}", likelihoods=alone))
    leaves = (Likelihood("defender leaves the hex" + ", at least" * bool(chances.may_open), chances.vacates),)
    steps.append(step("11.4", "{likelihoods}", likelihoods=leaves))
    means = f"attacker loses {float(chances.attacker_mean):.1f} steps on average, defender {float(chances.defender_mean):.1f}"
    brief = f"{means}; {steps[-1].text}"
    return Part("Chances", (*steps, *may_open_steps(chances)), brief)


def may_open_steps(chances: BattleChances) -> Iterator[Step]:
    """Why the chance that the defender leaves is only the least that it may be."""
    if chances.may_open:
        text = "attackers whose check throws them back first may open {hexes} to the defender: that is left out"
        yield step("11.3", text, hexes=list(chances.may_open))


def outcome_parts(combat: Combat, after: BattleOutcome) -> list[Part]:
    """What the dice led to."""
    owed = "{force} must retreat {hexes} from {place} ({by_crt} by the result, {by_check} by its check)"
    earned = "{role}: {victory_points:#Victory Point}"
    points = {"attacker": after.attacker_points, "defender": after.defender_points}
    afterwards = [
        *(step("11.2", owed, duty) for duty in after.obligations),
        *advance_steps(combat, after),
        *(step("27.2", earned, role=role, victory_points=number) for role, number in points.items() if number),
    ]
    return [
        Part("Result and losses", tuple(loss_steps(combat, after))),
        Part("Effectiveness Checks", tuple(line for check in after.checks for line in check_steps(check))),
        Part("Afterwards", tuple(afterwards)),
    ]


def loss_steps(combat: Combat, after: BattleOutcome) -> Iterator[Step]:
    """The result, and both rolls for step losses."""
    if after.crt:
        yield step("10.9.1", "{crt_roll} on {column}: {crt} (attacker / defender)", after, combat)
        yield from ignored_steps(combat.engagement, after.crt)
    for side in after.losses:
        if side.by_result:
            yield step(
                "10.10.3", "DRM on the {side}'s step loss roll: {by_result:+} from the Combat Results Table", side
            )
        known = "{steps:#step}, {ec} on a check" if side.steps is not None else "a cell that is not known"
        text = "{side} rolls {natural} {added:+} = {modified} on {magnitude}: " + known
        yield step("10.10.2", text, side, combat)
        if side.losses is not None:
            yield step("11.1.1", "{side} loses: {losses}", side, losses=by_unit(side.losses))
    for unit, count in after.absorbed.items():
        yield step("10.9.1", "{unit} loses {steps:#step} in place of hexes of retreat", unit=unit, steps=count)


def ignored_steps(engagement: Engagement, crt: str) -> Iterator[Step]:
    """The black retreats that an Improved Position or a fortress unit spares a stack (10.9.1, 13.3.1). crt: both sides' results."""
    attacking, defending = (read_result(part) for part in crt.split(" / "))
    spared = [place for place, level in engagement.positions.items() if attacking.black and level]
    spared += [engagement.at] if defending.black and engagement.position else []
    for place in spared:
        yield step("13.3.1", "black retreat of {place} ignored in its Improved Position", place=place)
    if defending.black and not engagement.position and fortress_steps(engagement.defenders):
        yield step("10.9.1", "black retreat of {at} ignored beside its fortress unit", engagement)


def by_unit(losses: Mapping[str, int]) -> list[str]:
    """Step losses as they are listed."""
    return [f"{unit} {count}" for unit, count in losses.items()]


def check_steps(check: CheckOutcome) -> Iterator[Step]:
    """One Force's check, and what failing costs it."""
    yield from modifier_steps(f"{check.force}'s check", check.modifiers)
    rule, result = ("7.2", "passes") if check.passed else ("7.2.1", "fails by {margin}")
    rolls = "{force} rolls {natural} {added:+} = {modified} against {cel}: " + result
    yield step(rule, rolls, check)
    if not check.passed:
        clauses = {
            "CEL -{cel_loss}": check.cel_loss,
            "retreats {retreat}": check.retreat,
            "loses {steps:#step}": check.steps,
            "Disordered D{disorder}": check.disorder,
        }
        yield step("11.3.2", "{force}: " + ", ".join(text for text, amount in clauses.items() if amount), check)
    if check.losses:
        yield step("11.3.2", "{force} loses: {losses}", check, losses=by_unit(check.losses))


def advance_steps(combat: Combat, after: BattleOutcome) -> Iterator[Step]:
    """Who may advance. Rule: 11.4.1, 11.4.2"""
    engagement = combat.engagement
    if after.advance is None:
        return
    if not after.advance:
        yield step("11.4", "no unit may advance into {at}", engagement)
        return
    yield step("11.4", "may advance into {at}: {units}", engagement, units=list(after.advance))
    if any(over_stacked(unit for unit in engagement.attackers if unit.id in after.advance)):
        yield step("11.4.1", "no more than three divisions and two artillery units of these")
    if after.guns_stay:
        text = "artillery does not advance over an un-bridged Major or Grand River: {guns}"
        text += "; whether there is a bridge was not stated" if None in engagement.bridged.values() else ""
        yield step("11.4.2", text, guns=list(after.guns_stay))
