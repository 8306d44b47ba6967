"""The Effectiveness Checks of a combat: the modifier of the step losses, a roll for each stack, what failing costs (11.3)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec

from assistant.mechanics.procedure import Apart, Choice, Done, Modifier, Node, Quantity, Situation

from ..forces import sharing
from ..forces.sharing import Share
from ..forces.units import CombatUnit, Force, Role, is_marsch
from ..terms import COMBAT_ARMS, FORTRESSES
from . import effectiveness, states
from .combat import Combat
from .effectiveness import Failure, Standing
from .policies import Policy
from .tolls import Toll, after_toll

Checking = Callable[[states.Side, tuple[int, ...]], list[states.StackChecks]]
"""From a side and the steps that its units have just lost to its stacks as they check."""


def shares(
    units: tuple[CombatUnit, ...], side: states.Side, policy: Policy, marsch_first: str = "others"
) -> tuple[Share, ...]:
    """The units of a side as those who may take losses; fortress units have already lost what they absorbed of a retreat.

    marsch_first: as for `spares_marsch_units`. Rule: 11.1.1b, 23.8
    """
    gone, spared = dict(side.absorbed), spares_marsch_units(side.role, units, side.toll, marsch_first)

    def share(unit: CombatUnit) -> Share:
        left = unit.left - gone.get(unit.id, 0)
        return Share(
            unit.id,
            left,
            unit.arm in FORTRESSES,
            unit.arm == "artillery",
            policy.rank(unit.id),
            spared and is_marsch(unit),
        )

    return tuple(map(share, units))


def spares_marsch_units(role: Role, units: Sequence[CombatUnit], toll: Toll, marsch_first: str) -> bool:
    """Whether the next step loss is the first of an attack, which goes to others than Marsch units. Artillery that a retreat eliminates
    is no loss that an owner assigns.

    units: of the side, as they are now; toll: of the combat so far; marsch_first: ruling marsch-first, whether units that have a single
    step left take that loss for them. Rule: 23.8
    """
    lost = dict(toll.steps)
    begun = any(unit.id in lost for unit in units if unit.arm != "artillery")
    able = marsch_first == "others" or any(unit.left > 1 for unit in units if not is_marsch(unit))
    return role == "attacker" and not begun and able


def give_modifier(lost: states.SideLost, checking: Checking, policy: Policy) -> Choice:
    """Which Force takes the SLRT's modifier on its check: the owner's choice, in the order of his policy; usually first the one
    that can best afford it. Rule: 11.3.1b, 10.10.2
    """
    checks = [force for stack in checking(lost.side, lost.lost) for force in stack.forces] if lost.ec else []
    checks.sort(key=lambda force: policy.order(force.up_to, min(share.rank for share in force.shares)))
    names = [force.name for force in checks] or ["none"]
    options: dict[str, Situation] = {name: states.SideChecks(lost.side, lost.lost, name) for name in names}
    role = lost.side.role
    return Choice(f"modifier.{role}", "11.3.1", f"the Force of the {role} that takes +1 on its check", role, options)


def begin_checks(side: states.SideChecks, checking: Checking) -> Apart:
    """A side's checks, stack by stack, the SLRT's modifier added to those of the Force that takes it. Rule: 11.3"""
    more = (Modifier("11.3.1", "SLRT modifier", 1),)
    parts: dict[str, Situation] = {}
    for stack, forces in checking(side.side, side.lost):
        own = (
            msgspec.structs.replace(force, modifiers=force.modifiers + more * (force.name == side.bonus))
            for force in forces
        )
        parts[stack.place] = states.StackChecks(stack, tuple(own))
    return Apart(parts)


def stacks_as_they_check(combat: Combat, side: states.Side, losing: tuple[int, ...]) -> list[states.StackChecks]:
    """The stacks of a side as they check, each Force with its modifiers but the SLRT's; Forces wiped out do not check.

    losing: the steps that each unit has just lost, in order. Rule: 11.3, 11.3.1a, 11.1.1c, 12.2.1
    """
    engagement, defends = combat.engagement, side.role == "defender"
    units = after_toll(engagement.side(side.role), side.toll)
    lost = dict(zip((unit.id for unit in units), losing, strict=True))
    known = shares(units, side, combat.policies[side.role], combat.engagement.readings.marsch_first)
    left = {
        share.name: msgspec.structs.replace(
            share, left=share.left - lost[share.name], later=share.later and not any(losing)
        )
        for share in known
    }
    withheld = defends and any(unit.arm in COMBAT_ARMS for unit in engagement.withheld)
    stays = any(unit.arm in FORTRESSES and left[unit.id].left > 0 for unit in units)

    def modifiers(retreat: int) -> tuple[Modifier, ...]:
        if not defends:
            return effectiveness.attacker_modifiers(side.asterisk, combat.counted)
        return effectiveness.defender_modifiers(engagement.flanked, engagement.position, retreat, combat.counted)

    def checks(forces: tuple[Force, ...], common: tuple[Modifier, ...]) -> Iterator[states.ForceChecks]:
        for force in forces:
            alive = [unit for unit in force.units if left[unit.id].left > 0]
            if any(unit.arm != "artillery" for unit in alive):
                losses = [lost[unit.id] for unit in force.units]
                own = effectiveness.force_modifiers(force.units, losses, engagement.turn)
                led_by = next((unit for unit in alive if unit.formation), None)
                standing = Standing(led_by.levels, led_by.disorder) if led_by else Standing(lone_assets=True)
                steps = tuple(left[unit.id] for unit in alive)
                yield states.ForceChecks(force.name, effectiveness.force_cel(alive), standing, own + common, steps)

    stacks_checking = []
    for place, retreat in side.retreats:
        common = effectiveness.stack_modifiers(retreat) + modifiers(retreat)
        stack = states.Stack(place, side.role, retreat, stays=stays, withheld=withheld, unable=side.unable)
        now = (Force(force.name, after_toll(force.units, side.toll)) for force in combat.forces[side.role][place])
        stacks_checking.append(states.StackChecks(stack, tuple(checks(tuple(now), common))))
    return stacks_checking


def roll_check(checks: states.StackChecks, fails: Callable[[int, Standing], Failure]) -> Node:
    """One roll of two dice for a stack, read by each of its Forces with its own modifiers. Rule: 11.3, 7.2b"""
    stack, forces = checks
    if not forces:
        return after_check(states.StackChecked(stack, ()))
    read = [(force.name, force.up_to, force.standing, force.shares) for force in forces]

    def then(natural: int) -> Situation:
        checked = (
            states.ForceChecked(name, natural <= up_to, fails(natural - up_to, standing), steps)
            for name, up_to, standing, steps in read
        )
        return states.StackChecked(stack, tuple(checked))

    listed = {force.name: force.modifiers for force in forces}
    return effectiveness.check_roll(f"ec.{stack.place}", "11.3", f"in {stack.place}", listed, then)


def after_check(checked: states.StackChecked) -> Node:
    """What the checks of a stack leave it to do: retreats are obligations in hexes, those of the CRT not included, and
    steps are shared out in each Force; of steps a Force loses no more than it has. Defenders that are withheld leave the hex if
    all others do and some result makes these retreat, be they wiped out. Rule: 11.3.2aa
    """
    stack, forces = checked
    notes: dict[str, Quantity] = {}
    owing: dict[str, Situation] = {}
    for name, passed, suffered, steps in forces:
        notes[f"{name}.passes"] = passed
        notes |= {f"{name}.{what}": amount for what, amount in suffered._asdict().items()}
        if suffered.steps:
            owing[name] = states.ForceLoses(stack.role, name, steps, suffered.steps)
    if forces:
        notes[f"{stack.role}.steps"] = sum(min(force.suffered.steps, force.left) for force in forces)
    if stack.role == "defender":
        retreating = [(force.suffered.retreat > 0 and not stack.unable) or stack.retreat > 0 for force in forces]
        gone = [force.suffered.steps >= force.left for force in forces]
        leave = any(retreating) or stack.retreat > 0 or not stack.withheld
        notes["defender.vacates"] = leave and all(map(operator.or_, retreating, gone)) and not stack.stays
    return Apart(owing, notes) if owing else Done(notes)


def force_losses(loses: states.ForceLoses) -> Choice:
    """Who in a Force takes the steps that its failed check costs: the owner's choice. Rule: 11.3.2ac, 11.3.2b, 11.3.2c"""

    def then(losses: sharing.Losses) -> Situation:
        return states.ForceLost(loses.force, sharing.by_unit(loses.shares, losses))

    options = sharing.Ways(loses.shares, sharing.free_distributions(loses.shares, loses.steps), then)
    title = sharing.steps_title(loses.steps, f"that its check costs {loses.force}")
    why_not = partial(sharing.why_not_free, loses.shares, loses.steps)
    return Choice(f"losses.{loses.force}", "11.3.2", title, loses.role, options, why_not=why_not)
