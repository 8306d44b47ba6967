"""What the dice of a combat lead to: losses, checks, obligations to retreat, and the changes to make (10.9 to 11.4)."""

from __future__ import annotations

import msgspec

from assistant.changes import Change
from assistant.procedure import Done, Modifier, Resolution, Roll
from assistant.report import Part, Step

from .effectiveness import Condition, failure
from .resolution import Check, Checked, Conditions, Decided, SideChecks, SideLoses, SideLost, SideRolls, Start
from .units import CombatUnit, Role


class SideLosses(msgspec.Struct, frozen=True):
    """One side's roll on the Step Loss Results Table.

    side: attacker or defender; natural: the roll; modifiers: what is added to it; modified: the sum; steps: steps lost;
    ec: modifier of one Force's check; losses: steps by unit, null until they are shared out; modifier_to: the Force that
    takes the modifier.
    """

    side: str
    natural: int
    modifiers: tuple[Modifier, ...]
    modified: int
    steps: int
    ec: int
    losses: dict[str, int] | None = None
    modifier_to: str = ""


class CheckOutcome(msgspec.Struct, frozen=True):
    """One Force's Effectiveness Check.

    force: its first unit; side: attacker or defender; place: its hex; natural: the roll; modifiers: what is added to it;
    modified: the sum; cel: the Combat Effectiveness Level; margin: by how much it failed, 0 or less is a pass; passed:
    whether it did; cel_loss: levels lost; retreat: hexes; steps: steps lost; disorder: its degree of Disorder afterwards.
    """

    force: str
    side: str
    place: str
    natural: int
    modifiers: tuple[Modifier, ...]
    modified: int
    cel: int
    margin: int
    passed: bool
    cel_loss: int
    retreat: int
    steps: int
    disorder: int


class Obligation(msgspec.Struct, frozen=True):
    """Hexes that a Force must retreat.

    force: its first unit; place: where it stands; by_crt: by the Combat Results Table; by_check: by its check; hexes: in
    all.
    """

    force: str
    place: str
    by_crt: int
    by_check: int
    hexes: int


class BattleOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the dice led to, as far as they were given.

    crt_roll: the roll, null before it; crt: the cell, attacker / defender; losses: both sides' rolls for step losses;
    checks: the Effectiveness Checks; obligations: retreats that are due; attacker_steps, defender_steps: steps lost in
    all; vacated: whether the defender's hex is left empty, so that attackers may advance, null while it is not known.
    """

    crt_roll: int | None = None
    crt: str = ""
    losses: tuple[SideLosses, ...] = ()
    checks: tuple[CheckOutcome, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    attacker_steps: int = 0
    defender_steps: int = 0
    vacated: bool | None = None


def outcome(of: Conditions, resolved: Resolution) -> BattleOutcome:
    """The outcome that a resolution has reached.

    Rule: 10.9.1, 10.10.2, 11.3
    """
    crt_roll, crt = None, ""
    losses: dict[Role, SideLosses] = {}
    checks: list[CheckOutcome] = []
    obligations: list[Obligation] = []
    steps: dict[Role, int] = {"attacker": 0, "defender": 0}
    vacated = None
    for situation, node, taken in resolved.trace:
        if isinstance(situation, Start) and isinstance(taken, int):
            crt_roll = taken
        elif isinstance(situation, Decided):
            crt = f"{situation.attacker} / {situation.defender}"
        elif isinstance(situation, SideRolls) and isinstance(node, Roll) and isinstance(taken, int):
            role = situation.side.role
            modifiers = node.modifiers[role]
            modified = taken + sum(modifier.amount for modifier in modifiers)
            losses[role] = SideLosses(role, taken, modifiers, modified, 0, 0)
            steps[role] += situation.side.fortress
        elif isinstance(situation, SideLoses):
            role = situation.side.role
            losses[role] = msgspec.structs.replace(losses[role], steps=situation.steps, ec=situation.ec)
        elif isinstance(situation, SideLost):
            role = situation.side.role
            shared = dict(zip((unit.id for unit in of.engagement.side(role)), situation.lost, strict=True))
            losses[role] = msgspec.structs.replace(losses[role], losses={u: n for u, n in shared.items() if n})
            steps[role] += sum(situation.lost)
        elif isinstance(situation, SideChecks):
            role = situation.side.role
            losses[role] = msgspec.structs.replace(losses[role], modifier_to=situation.bonus)
        elif isinstance(situation, Check) and isinstance(taken, int):
            checks += [_checked(situation, *force[:4], taken) for force in situation.forces]
        if isinstance(situation, Checked):
            for name, _, suffered, had in situation.forces:
                steps[situation.role] += min(suffered.steps, had)
                hexes = situation.retreat + suffered.retreat
                if hexes:
                    obligations.append(Obligation(name, situation.place, situation.retreat, suffered.retreat, hexes))
        if isinstance(node, Done) and "defender.vacates" in node.notes:
            vacated = bool(node.notes["defender.vacates"])
    return BattleOutcome(
        crt_roll=crt_roll,
        crt=crt,
        losses=tuple(losses.values()),
        checks=tuple(checks),
        obligations=tuple(obligations),
        attacker_steps=steps["attacker"],
        defender_steps=steps["defender"],
        vacated=vacated,
    )


def _checked(
    stack: Check, name: str, cel: int, condition: Condition, modifiers: tuple[Modifier, ...], natural: int
) -> CheckOutcome:
    modified = natural + sum(modifier.amount for modifier in modifiers)
    suffered = failure(modified - cel, condition)
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


def changes(of: Conditions, after: BattleOutcome) -> tuple[Change, ...]:
    """What the outcome changes: steps, sides, eliminations, effectiveness and Disorder. Retreats stay obligations.

    A step that a check costs is taken from the Force's only unit; where a Force has several, its owner chooses.

    Rule: 11.1, 3.4.1b, 7.1, 7.4
    """
    found = of.engagement
    lost = {name: steps for side in after.losses for name, steps in (side.losses or {}).items()}
    forces = {force.name: force for stacks in of.forces.values() for stack in stacks.values() for force in stack}
    todo: list[Change] = []
    for check in after.checks:
        force = forces[check.force]
        if check.steps and len(force.units) == 1:
            lost[check.force] = lost.get(check.force, 0) + check.steps
    for unit in (*found.attackers, *found.defenders):
        if steps := lost.get(unit.id, 0):
            todo += step_losses(unit, steps)
    for check in after.checks:
        formation = forces[check.force].formation
        if formation is None or lost.get(formation.id, 0) >= formation.left:
            continue
        if check.cel_loss:
            now = -formation.levels
            todo.append(Change("cel", formation.id, now or None, now - check.cel_loss, "11.3.2"))
        if check.disorder > formation.disorder:
            todo.append(Change("disorder", formation.id, formation.disorder or None, check.disorder, "11.3.2"))
    return tuple(todo)


def step_losses(unit: CombatUnit, steps: int) -> list[Change]:
    """The changes that step losses make to one unit: a marker, the reduced side, or removal.

    Rule: 11.1, 3.4.1b
    """
    left = unit.left - steps
    if left <= 0:
        return [Change("place", unit.id, unit.place, None, "11.1")]
    if not unit.reduced and unit.on_reduced_side(steps):
        marked = unit.back_steps - left
        turned = [Change("reduced", unit.id, None, True, "11.1")]
        return turned + (
            [Change("lost", unit.id, unit.lost or None, marked or None, "11.1")] if marked != unit.lost else []
        )
    return [Change("lost", unit.id, unit.lost or None, unit.lost + steps, "11.1")]


def outcome_parts(of: Conditions, after: BattleOutcome) -> list[Part]:
    """The outcome in words."""
    parts = []
    steps = []
    if after.crt:
        figures = {"roll": after.crt_roll, "column": of.column, "crt": after.crt}
        steps.append(Step("10.9.1", "{roll} on {column}: {crt} (attacker / defender)", figures))
    for side in after.losses:
        steps += [_modifier_step(m, f"{side.side}'s losses") for m in side.modifiers if m.why == "Combat Results Table"]
        added = side.modified - side.natural
        text = "{side} rolls {natural} {added:+} = {modified} on {magnitude}: {steps} steps, {ec} on a check"
        figures = {
            "side": side.side,
            "natural": side.natural,
            "added": added,
            "modified": side.modified,
            "magnitude": of.magnitude,
            "steps": side.steps,
            "ec": side.ec,
        }
        steps.append(Step("10.10.2", text, figures))
        if side.losses is not None:
            listed = [f"{unit} {count}" for unit, count in side.losses.items()]
            steps.append(Step("11.1.1", "{side} loses: {losses}", {"side": side.side, "losses": listed}))
    if steps:
        parts.append(Part("Result and losses", tuple(steps)))
    checked = [step for check in after.checks for step in _check_steps(check)]
    if checked:
        parts.append(Part("Effectiveness Checks", tuple(checked)))
    left = []
    for duty in after.obligations:
        text = "{force} must retreat {hexes} from {place} ({by_crt} by the result, {by_check} by its check)"
        left.append(Step("11.2", text, {name: getattr(duty, name) for name in duty.__struct_fields__}))
    if after.vacated is not None:
        text = "attackers may advance into {at}" if after.vacated else "no advance: {at} is not vacated"
        left.append(Step("11.4", text, {"at": of.engagement.at}))
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
    text += ", loses {steps} steps" if check.steps else ""
    text += ", Disordered D{disorder}" if check.disorder else ""
    steps.append(Step("11.3.2", text, suffers))
    return steps
