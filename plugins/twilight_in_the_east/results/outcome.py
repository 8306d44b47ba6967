"""What the dice of a combat lead to: losses, checks, obligations to retreat, and the changes to make (10.9 to 11.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import msgspec

from assistant.mechanics.procedure import Apart, Done, Modifier, Resolution, Roll
from assistant.questions.report import Part, Step
from assistant.questions.view import View, changed
from assistant.state.changes import Change
from assistant.util.notes import note

from ..forces.step_changes import step_losses
from ..forces.units import CombatUnit, Role, forces, over_stacked
from .effectiveness import Condition, failure
from .resolution import Combat
from .states import Check, Checked, Decided, ForceLost, SideChecks, SideLoses, SideLost, SideRolls, Start


class SideLosses(msgspec.Struct, frozen=True):
    """One side's roll on the Step Loss Results Table."""

    side: Annotated[str, note("attacker or defender")]
    natural: Annotated[int, note("the roll")]
    by_result: Annotated[int, note("the modifier of the Combat Results Table")]
    modifiers: Annotated[tuple[Modifier, ...], note("all that is added")]
    modified: Annotated[int, note("the sum")]
    steps: Annotated[int | None, note("steps lost")] = None
    ec: Annotated[int | None, note("modifier of one Force's check, both null where the chart's cell is not known")] = (
        None
    )
    losses: Annotated[dict[str, int] | None, note("steps by unit, null until they are shared out")] = None
    modifier_to: Annotated[str, note("the Force that takes the modifier")] = ""


class CheckOutcome(msgspec.Struct, frozen=True):
    """One Force's Effectiveness Check."""

    force: Annotated[str, note("its first unit")]
    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("its hex")]
    natural: Annotated[int, note("the roll")]
    modifiers: Annotated[tuple[Modifier, ...], note("what is added to it")]
    modified: Annotated[int, note("the sum")]
    cel: Annotated[int, note("the Combat Effectiveness Level")]
    margin: Annotated[int, note("by how much it failed, 0 or less is a pass")]
    passed: Annotated[bool, note("whether it did")]
    cel_loss: Annotated[int, note("levels lost")]
    retreat: Annotated[int, note("hexes")]
    steps: Annotated[int, note("steps owed")]
    disorder: Annotated[int, note("its degree of Disorder afterwards")]
    losses: Annotated[dict[str, int] | None, note("these steps by unit, null until they are shared out")] = None


class Obligation(msgspec.Struct, frozen=True):
    """Hexes that a Force must retreat."""

    force: Annotated[str, note("its first unit")]
    place: Annotated[str, note("where it stands")]
    by_crt: Annotated[int, note("by the Combat Results Table")]
    by_check: Annotated[int, note("by its check")]
    hexes: Annotated[int, note("in all")]


class BattleOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the dice led to, as far as they were given."""

    crt_roll: Annotated[int | None, note("the roll, null before it")] = None
    crt: Annotated[str, note("the cell, attacker / defender")] = ""
    absorbed: Annotated[dict[str, int], note("steps that fortress units lose in place of hexes of retreat")] = {}
    losses: Annotated[tuple[SideLosses, ...], note("both sides' rolls for step losses")] = ()
    checks: Annotated[tuple[CheckOutcome, ...], note("the Effectiveness Checks")] = ()
    obligations: Annotated[tuple[Obligation, ...], note("retreats that are due")] = ()
    attacker_steps: Annotated[int, note("steps lost in all")] = 0
    defender_steps: Annotated[int, note("steps lost in all")] = 0
    vacated: Annotated[
        bool | None,
        note("whether the defender's hex is left empty, so that attackers may advance, null while it is not known"),
    ] = None
    advance: Annotated[
        tuple[str, ...] | None,
        note("the units that then may, within the stacking limits, null while that is not known"),
    ] = None
    guns_stay: Annotated[
        tuple[str, ...], note("those among the other artillery units that an un-bridged river stops")
    ] = ()
    attacker_points: Annotated[
        int,
        note(
            "Victory Points that each side earns at once, for a Prepared Attack and for enemy divisions "
            "eliminated before any retreat"
        ),
    ] = 0
    defender_points: Annotated[
        int,
        note(
            "Victory Points that each side earns at once, for a Prepared Attack and for enemy divisions "
            "eliminated before any retreat"
        ),
    ] = 0

    def lost(self) -> Counter[str]:
        """Steps lost by unit, to the Step Loss Results Table, to checks and in place of retreats."""
        lost = Counter(self.absorbed)
        for taken in (*(side.losses for side in self.losses), *(check.losses for check in self.checks)):
            lost.update(taken or {})
        return lost


def advancing(combat: Combat, after: BattleOutcome) -> BattleOutcome:
    """The outcome once all dice are rolled, with who may advance: not who retreats, nor who attacked from a Prepared Attack that
    pointed elsewhere, nor a Fortress Garrison, nor artillery over an un-bridged Major or Grand River; a bridge of which nobody says stops it too.

    Rule: 10.3b, 11.4, 11.4.2
    """
    engagement = combat.engagement
    checked = {check.force for check in after.checks if check.side == "attacker"}
    staying = checked - {duty.force for duty in after.obligations} if after.vacated else set[str]()
    lost = after.lost()
    may: list[CombatUnit] = []
    stay: list[CombatUnit] = []
    for place, stack in combat.forces["attacker"].items():
        for force in stack:
            here = [unit for unit in force.units if force.name in staying and lost[unit.id] < unit.left]
            for unit in here:
                if unit.prepared in ("", engagement.at) and not unit.garrison:
                    dry = unit.arm != "artillery" or engagement.bridged.get(place, True)
                    (may if dry else stay).append(unit)
    return msgspec.structs.replace(
        after, advance=tuple(unit.id for unit in may), guns_stay=tuple(unit.id for unit in stay)
    )


def advance_steps(combat: Combat, after: BattleOutcome) -> list[Step]:
    """Who may advance, in words.

    Rule: 11.4.1, 11.4.2
    """
    figures = {"at": combat.engagement.at, "units": list(after.advance or ()), "guns": list(after.guns_stay)}
    if not after.advance:
        return [Step("11.4", "nobody may advance into {at}", figures)]
    steps = [Step("11.4", "may advance into {at}: {units}", figures)]
    going = [unit for unit in combat.engagement.attackers if unit.id in after.advance]
    if any(over_stacked(going)):
        text = "no more than three divisions and two artillery units of these"
        steps.append(Step("11.4.1", text))
    if after.guns_stay:
        bridges = {place: known for place, known in combat.engagement.bridged.items() if not known}
        text = "artillery does not advance over an un-bridged Major or Grand River: {guns}"
        text += "; whether there is a bridge was not stated" if None in bridges.values() else ""
        steps.append(Step("11.4.2", text, figures))
    return steps


def outcome(combat: Combat, resolved: Resolution) -> BattleOutcome:
    """The outcome that a resolution has reached.

    Rule: 10.9.1, 10.10.2, 11.3
    """
    crt_roll, crt = None, ""
    losses: dict[Role, SideLosses] = {}
    checks: list[CheckOutcome] = []
    obligations: list[Obligation] = []
    steps: dict[Role, int] = {"attacker": 0, "defender": 0}
    vacated = None
    absorbed: dict[str, int] = {}
    for situation, node, taken in resolved.trace:
        if isinstance(situation, Start) and isinstance(taken, int):
            crt_roll = taken
        elif isinstance(situation, Decided):
            crt = f"{situation.attacker} / {situation.defender}"
        elif isinstance(situation, SideRolls) and isinstance(node, Roll) and isinstance(taken, int):
            role = situation.side.role
            modifiers = node.modifiers[role]
            modified = taken + sum(modifier.amount for modifier in modifiers)
            losses[role] = SideLosses(role, taken, situation.modifier, modifiers, modified)
            steps[role] += situation.side.fortress
            absorbed |= dict(situation.side.absorbed)
        elif isinstance(situation, SideLoses):
            role = situation.side.role
            losses[role] = msgspec.structs.replace(losses[role], steps=situation.steps, ec=situation.ec)
        elif isinstance(situation, SideLost):
            role = situation.side.role
            shared = dict(zip((unit.id for unit in combat.engagement.side(role)), situation.lost, strict=True))
            losses[role] = msgspec.structs.replace(losses[role], losses={u: n for u, n in shared.items() if n})
            steps[role] += sum(situation.lost)
        elif isinstance(situation, SideChecks):
            role = situation.side.role
            losses[role] = msgspec.structs.replace(losses[role], modifier_to=situation.bonus)
        elif isinstance(situation, Check) and isinstance(taken, int):
            checks += [_checked(combat, situation, *force[:4], taken) for force in situation.forces]
        elif isinstance(situation, ForceLost):
            shared = dict(situation.lost)
            checks = [
                msgspec.structs.replace(check, losses=shared) if check.force == situation.force else check
                for check in checks
            ]
        if isinstance(situation, Checked):
            for name, _, suffered, shares_left in situation.forces:
                steps[situation.role] += min(suffered.steps, sum(share.left for share in shares_left))
                hexes = situation.retreat + suffered.retreat
                if hexes and suffered.steps < sum(share.left for share in shares_left):
                    obligations.append(Obligation(name, situation.place, situation.retreat, suffered.retreat, hexes))
        if isinstance(node, Done | Apart) and "defender.vacates" in node.notes:
            vacated = bool(node.notes["defender.vacates"])
    if vacated:
        obligations += drawn_along(combat, obligations)
    return BattleOutcome(
        crt_roll=crt_roll,
        crt=crt,
        absorbed=absorbed,
        losses=tuple(losses.values()),
        checks=tuple(checks),
        obligations=tuple(obligations),
        attacker_steps=steps["attacker"],
        defender_steps=steps["defender"],
        vacated=vacated,
    )


def drawn_along(combat: Combat, obligations: Sequence[Obligation]) -> list[Obligation]:
    """What withheld defenders owe once all others leave their hex: the smallest retreat of these; they make no check.

    Rule: 10.1.5f
    """
    engagement = combat.engagement
    others = [duty for duty in obligations if duty.place == engagement.at]
    if not others:
        return []
    least = min(others, key=lambda duty: duty.hexes)
    return [
        Obligation(force.name, engagement.at, least.by_crt, least.by_check, least.hexes)
        for force in forces(engagement.withheld)
    ]


def _checked(
    combat: Combat,
    stack: Check,
    name: str,
    cel: int,
    condition: Condition,
    modifiers: tuple[Modifier, ...],
    natural: int,
) -> CheckOutcome:
    modified = natural + sum(modifier.amount for modifier in modifiers)
    suffered = failure(modified - cel, condition, combat.engagement.readings.disordered_again)
    return CheckOutcome(
        force=name,
        side=stack.role,
        place=stack.place,
        natural=natural,
        modifiers=modifiers,
        modified=modified,
        cel=cel,
        margin=modified - cel,
        passed=modified <= cel,
        cel_loss=suffered.cel,
        retreat=suffered.retreat,
        steps=suffered.steps,
        disorder=suffered.disorder,
    )


def changes(view: View, combat: Combat, after: BattleOutcome) -> tuple[Change, ...]:
    """What the outcome changes: steps, sides, eliminations, effectiveness and Disorder. Retreats stay obligations.

    Rule: 11.1, 3.4.1b, 7.1, 7.4
    """
    lost = after.lost()
    todo: list[Change] = []
    units = {unit.id: unit for unit in (*combat.engagement.attackers, *combat.engagement.defenders)}
    for unit in units.values():
        if steps := lost[unit.id]:
            todo += step_losses(view, unit, steps)
    for check in after.checks:
        formation = units[check.force]
        if formation.formation and lost[formation.id] < formation.left:
            if check.cel_loss:
                todo.append(changed(view, "cel", formation.id, -formation.levels - check.cel_loss, "11.3.2"))
            if check.disorder > formation.disorder:
                todo.append(changed(view, "disorder", formation.id, check.disorder, "11.3.2"))
    return tuple(todo)


def outcome_parts(combat: Combat, after: BattleOutcome) -> list[Part]:
    """The outcome in words."""
    parts = []
    steps = []
    if after.crt:
        figures = {"roll": after.crt_roll, "column": combat.column, "crt": after.crt}
        steps.append(Step("10.9.1", "{roll} on {column}: {crt} (attacker / defender)", figures))
    for side in after.losses:
        if side.by_result:
            figures = {"what": f"{side.side}'s losses", "amount": side.by_result}
            steps.append(Step("10.10.3", "{what}: {amount:+} Combat Results Table", figures))
        added = side.modified - side.natural
        text = "{side} rolls {natural} {added:+} = {modified} on {magnitude}: "
        text += "{steps:#step}, {ec} on a check" if side.steps is not None else "a cell that is not known"
        figures = {
            "side": side.side,
            "natural": side.natural,
            "added": added,
            "modified": side.modified,
            "magnitude": combat.magnitude,
            "steps": side.steps,
            "ec": side.ec,
        }
        steps.append(Step("10.10.2", text, figures))
        if side.losses is not None:
            listed = [f"{unit} {count}" for unit, count in side.losses.items()]
            steps.append(Step("11.1.1", "{side} loses: {losses}", {"side": side.side, "losses": listed}))
    for unit, count in after.absorbed.items():
        text = "{unit} loses {steps:#step} in place of hexes of retreat"
        steps.append(Step("10.9.1", text, {"unit": unit, "steps": count}))
    if steps:
        parts.append(Part("Result and losses", tuple(steps)))
    checked = [step for check in after.checks for step in _check_steps(check)]
    if checked:
        parts.append(Part("Effectiveness Checks", tuple(checked)))
    left = []
    for duty in after.obligations:
        text = "{force} must retreat {hexes} from {place} ({by_crt} by the result, {by_check} by its check)"
        left.append(Step("11.2", text, {name: getattr(duty, name) for name in duty.__struct_fields__}))
    if after.advance is not None:
        left += advance_steps(combat, after)
    for role, points in (("attacker", after.attacker_points), ("defender", after.defender_points)):
        if points:
            left.append(
                Step("27.2", "{role}: {victory_points:#Victory Point}", {"role": role, "victory_points": points})
            )
    if left:
        parts.append(Part("Afterwards", tuple(left)))
    return parts


def _modifier_step(modifier: Modifier, what: str) -> Step:
    return Step(
        modifier.rule, "{what}: {amount:+} {why}", {"what": what, "amount": modifier.amount, "why": modifier.why}
    )


def _check_steps(check: CheckOutcome) -> list[Step]:
    steps = [_modifier_step(modifier, f"{check.force}'s check") for modifier in check.modifiers]
    figures = {name: getattr(check, name) for name in ("force", "natural", "modified", "cel", "margin")}
    figures["added"] = check.modified - check.natural
    if check.passed:
        return [*steps, Step("7.2", "{force} rolls {natural} {added:+} = {modified} against {cel}: passes", figures)]
    text = "{force} rolls {natural} {added:+} = {modified} against {cel}: fails by {margin}"
    steps.append(Step("7.2.1", text, figures))
    suffers = {name: getattr(check, name) for name in ("force", "cel_loss", "retreat", "steps", "disorder")}
    text = "{force}: CEL -{cel_loss}"
    text += ", retreats {retreat}" if check.retreat else ""
    text += ", loses {steps:#step}" if check.steps else ""
    text += ", Disordered D{disorder}" if check.disorder else ""
    steps.append(Step("11.3.2", text, suffers))
    if check.losses:
        listed = [f"{unit} {count}" for unit, count in check.losses.items()]
        steps.append(Step("11.3.2", "{side} loses: {losses}", {"side": check.force, "losses": listed}))
    return steps
