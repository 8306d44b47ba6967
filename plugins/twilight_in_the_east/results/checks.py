"""The Effectiveness Checks of a combat: the modifier of the step losses, a roll for each stack, what failing costs (11.3)."""

from __future__ import annotations

import operator
from collections.abc import Callable

from assistant.mechanics.procedure import Apart, Choice, Done, Modifier, Node, Quantity, Situation

from ..forces.units import CombatUnit
from ..terms import FORTRESSES
from . import effectiveness, step_losses
from .combat import USUAL, Combat
from .effectiveness import Failure, Standing
from .policies import Policy
from .states import ForceLoses, ForceLost, Side, SideChecks, SideLost, StackChecked, StackChecks

Checking = Callable[[Side, tuple[int, ...]], list[StackChecks]]
"""From a side and the steps that its units have just lost to its stacks as they check."""


def shares(units: tuple[CombatUnit, ...], side: Side, policy: Policy = USUAL) -> tuple[step_losses.Share, ...]:
    """The units of a side as those who may take losses; fortress units have already lost what they absorbed of a retreat.

    Rule: 11.1.1b
    """
    gone = dict(side.absorbed)
    return tuple(
        step_losses.Share(
            unit.id,
            unit.left - gone.get(unit.id, 0),
            unit.arm in FORTRESSES,
            unit.arm == "artillery",
            policy.rank(unit.id),
        )
        for unit in units
    )


def give_modifier(lost: SideLost, checking: Checking, policy: Policy = USUAL) -> Choice:
    """Which Force takes the SLRT's modifier on its check: the owner's choice, in the order of his policy; usually first the one
    that can best afford it. Rule: 11.3.1b, 10.10.2
    """
    able = []
    for stack in checking(lost.side, lost.lost) if lost.ec else ():
        for name, cel, _, modifiers, steps in stack.forces:
            margin = cel - sum(modifier.amount for modifier in modifiers)
            able.append((policy.order(margin, min(share.rank for share in steps)), name))
    able.sort(key=lambda force: force[0])
    names = [name for _, name in able] or ["none"]
    options: dict[str, Situation] = {name: SideChecks(lost.side, lost.lost, name) for name in names}
    role = lost.side.role
    title = f"the Force of the {role} that takes +1 on its check"
    return Choice(f"modifier.{role}", "11.3.1", title, role, options)


def begin_checks(side: SideChecks, checking: Checking) -> Apart:
    """A side's checks, stack by stack, the SLRT's modifier added to those of the Force that takes it. Rule: 11.3"""
    more = (Modifier("11.3.1", "SLRT modifier", 1),)
    parts: dict[str, Situation] = {}
    for check in checking(side.side, side.lost):
        if any(name == side.bonus for name, *_ in check.forces):
            forces_here = [
                (name, cel, condition, modifiers + more if name == side.bonus else modifiers, steps)
                for name, cel, condition, modifiers, steps in check.forces
            ]
            check = check._replace(forces=tuple(forces_here))
        parts[check.place] = check
    return Apart(parts)


def stacks_as_they_check(combat: Combat, side: Side, losing: tuple[int, ...]) -> list[StackChecks]:
    """The stacks of a side as they check, each Force with its modifiers but the SLRT's; Forces wiped out do not check.

    losing: the steps that each unit has just lost, in order. Rule: 11.3, 11.3.1a, 11.1.1c, 12.2.1
    """
    engagement = combat.engagement
    units = engagement.side(side.role)
    lost = dict(zip((unit.id for unit in units), losing, strict=True))
    left = {share.name: share.left - lost[share.name] for share in shares(units, side)}
    stacks_checking = []
    policy = combat.policy(side.role)
    attacking = effectiveness.attacker_modifiers(side.asterisk, combat.counted) if side.role == "attacker" else ()
    for place, retreat in side.retreats:
        common = effectiveness.stack_modifiers(retreat)
        if side.role == "attacker":
            common += attacking
        else:
            common += effectiveness.defender_modifiers(engagement.flanked, engagement.position, retreat, combat.counted)
        forces_here = []
        for force in combat.forces[side.role][place]:
            alive = [unit for unit in force.units if left[unit.id] > 0]
            if all(unit.arm == "artillery" for unit in alive):
                continue
            own = effectiveness.force_modifiers(force.units, [lost[unit.id] for unit in force.units], engagement.turn)
            formation = next((unit for unit in alive if unit.formation), None)
            condition = Standing(formation.levels, formation.disorder) if formation else Standing(lone_assets=True)
            steps = tuple(
                step_losses.Share(unit.id, left[unit.id], guns=unit.arm == "artillery", rank=policy.rank(unit.id))
                for unit in alive
            )
            forces_here.append((force.name, effectiveness.force_cel(alive), condition, own + common, steps))
        withheld = side.role == "defender" and bool(engagement.withheld)
        stays = any(unit.arm in FORTRESSES and left[unit.id] > 0 for unit in units)
        stacks_checking.append(StackChecks(place, side.role, retreat, tuple(forces_here), stays, withheld))
    return stacks_checking


def roll_check(stack: StackChecks, fails: Callable[[int, Standing], Failure]) -> Node:
    """One roll of two dice for a stack, read by each of its Forces with its own modifiers. Rule: 11.3, 7.2b"""
    if not stack.forces:
        return after_check(StackChecked(stack.place, stack.role, stack.retreat, (), stack.stays, stack.withheld))
    read = [
        (name, cel - sum(modifier.amount for modifier in modifiers), condition, steps)
        for name, cel, condition, modifiers, steps in stack.forces
    ]

    def then(natural: int) -> Situation:
        results = [
            (name, natural <= up_to, fails(natural - up_to, condition), steps) for name, up_to, condition, steps in read
        ]
        return StackChecked(stack.place, stack.role, stack.retreat, tuple(results), stack.stays, stack.withheld)

    listed = {name: modifiers for name, _, _, modifiers, _ in stack.forces}
    return effectiveness.check_roll(f"ec.{stack.place}", "11.3", f"in {stack.place}", listed, then)


def after_check(stack: StackChecked) -> Node:
    """What the checks of a stack leave it to do: retreats are obligations in hexes, those of the CRT not included, and
    steps are shared out in each Force; of steps a Force loses no more than it has. Defenders that are withheld leave the hex if
    all others do and some result makes these retreat, be they wiped out. Rule: 11.3.2aa
    """
    notes: dict[str, Quantity] = {}
    owing: dict[str, Situation] = {}
    for name, passed, suffered, shares_left in stack.forces:
        notes |= {
            f"{name}.passes": passed,
            f"{name}.cel": suffered.cel,
            f"{name}.retreat": suffered.retreat,
            f"{name}.steps": suffered.steps,
            f"{name}.disorder": suffered.disorder,
        }
        if suffered.steps:
            owing[name] = ForceLoses(stack.role, name, shares_left, suffered.steps)
    if stack.forces:
        steps = sum(min(suffered.steps, _steps(shares_left)) for _, _, suffered, shares_left in stack.forces)
        notes[f"{stack.role}.steps"] = steps
    if stack.role == "defender":
        retreating = [suffered.retreat > 0 or stack.retreat > 0 for _, _, suffered, _ in stack.forces]
        gone = [suffered.steps >= _steps(shares_left) for _, _, suffered, shares_left in stack.forces]
        leave = all(map(operator.or_, retreating, gone)) and (
            any(retreating) or stack.retreat > 0 or not stack.withheld
        )
        notes["defender.vacates"] = leave and not stack.stays
    return Apart(owing, notes) if owing else Done(notes)


def _steps(shares: tuple[step_losses.Share, ...]) -> int:
    return sum(share.left for share in shares)


def force_losses(loses: ForceLoses) -> Choice:
    """Who in a Force takes the steps that its failed check costs: the owner's choice.
    Rule: 11.3.2ac, 11.3.2b, 11.3.2c
    """
    options: dict[str, Situation] = {}
    for lost in step_losses.free_distributions(loses.shares, loses.steps):
        by_unit = [(share.name, steps) for share, steps in zip(loses.shares, lost, strict=True) if steps]
        label = ",".join(name for name, steps in by_unit for _ in range(steps))
        options[label] = ForceLost(loses.force, tuple(by_unit))
    title = f"{loses.steps} {'step' if loses.steps == 1 else 'steps'} that its check costs {loses.force}"
    return Choice(f"losses.{loses.force}", "11.3.2", title, loses.role, options)
