"""The dice and choices of a combat with a known column, as a procedure (10.2.1, steps 7(1) to 7(3)).

`resolution` returns the function that follows each situation. The two sides are independent after the retreats by the
result, and the stacks of a side after the step losses. A situation therefore holds only the values for its own rolls.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache, partial
from typing import Literal

import msgspec
from msgspec.structs import replace

from assistant.mechanics.procedure import (
    Apart,
    Choice,
    Dice,
    Done,
    LookUp,
    Modifier,
    Node,
    Procedure,
    Quantity,
    Roll,
    Situation,
    Stuck,
    Unknown,
)

from ..combat.before_dice import Combat, Policy, crt_modifier, crt_retreat, fortress_steps, read_result
from ..combat.checks import (
    Failure,
    Standing,
    attacker_check_modifiers,
    check_roll,
    defender_check_modifiers,
    failure,
    force_cel,
    force_modifiers,
    stack_modifiers,
)
from ..combat.engagement import Engagement, modifiers
from ..combat.pieces import Toll, spares_marsch_units, units_after
from ..forces.falling import find_falling
from ..forces.losses import Losses, Share, Ways, by_unit, distributions, share_out, steps_title, why_not_spread
from ..forces.units import SIDES, Role, is_marsch
from ..terms import COMBAT_ARMS, FORTRESSES
from .repulses import follow_retreats
from .retreats import RetreatDuty, Retreats, UnitsInHex, is_unable_to_retreat


class Start(msgspec.Struct, frozen=True):
    """Before the roll on the Combat Results Table."""


class Decided(msgspec.Struct, frozen=True):
    """The combat's result: each side's part of the cell, as printed."""

    attacker: str
    defender: str

    @property
    def text(self) -> str:
        """The cell of the Combat Results Table."""
        return f"{self.attacker} / {self.defender}"


class Side(msgspec.Struct, frozen=True):
    """The combat's result for one side."""

    role: Role
    retreats: tuple[tuple[str, int], ...]
    """Hexes of retreat, by stack."""
    asterisk: bool = False
    absorbed: tuple[tuple[str, int], ...] = ()
    """Steps that fortress units of the side lose instead of retreating, by unit."""
    toll: Toll = Toll()
    """Costs of the side's retreats."""
    unable: bool = False
    """Whether the defender has no open hex around it."""

    @property
    def fortress(self) -> int:
        """The number of steps that fortress units of the side lose instead of retreating."""
        return sum(steps for _, steps in self.absorbed)


class SideProgress(msgspec.Struct, frozen=True):
    """A side between the combat's result and its checks.

    Stages, in order:

    - `absorbs`: its fortress units share out steps lost in place of a retreat.
    - `rolls`: it rolls for step losses.
    - `shares`: it shares out these losses.
    - `gives`: it chooses the Force that takes the modifier of the table on its check.
    - `checks`: its checks begin.
    """

    stage: Literal["absorbs", "rolls", "shares", "gives", "checks"]
    side: Side
    modifier: int = 0
    """The result's modifier of the step loss roll; after that roll, the modifier of one Force's check."""
    steps: int = 0
    """Steps to share out."""
    lost: tuple[int, ...] = ()
    """Steps that each unit of the side has lost by the roll, in order."""
    bonus: str = ""
    """The Force that takes the modifier on its check."""


class Stack(msgspec.Struct, frozen=True, cache_hash=True):
    """A stack that checks."""

    place: str
    role: Role
    retreat: int
    """Hexes that the combat's result makes it retreat."""
    stays: bool = False
    """Whether a fortress unit stays in the hex."""
    withheld: bool = False
    """Whether the hex has withheld units, which retreat only if all others do."""
    unable: bool = False
    """Whether no hex around the stack is open."""


class ForceCheck(msgspec.Struct, frozen=True):
    """A Force that checks.

    After its roll only its losses are kept, so that different rolls with equal losses lead to the same situation.
    """

    name: str
    shares: tuple[Share, ...] = ()
    """The units of the Force; after the roll, () if it loses no steps."""
    cel: int = 0
    standing: Standing = Standing()
    modifiers: tuple[Modifier, ...] = ()
    passed: bool | None = None
    """Whether the Force has passed, or None before the roll."""
    suffered: Failure = Failure()
    left: int = 0
    """Steps of the Force before the check."""

    @property
    def up_to(self) -> int:
        """The highest natural roll with which the Force passes."""
        return self.cel - sum(modifier.amount for modifier in self.modifiers)


class StackCheck(msgspec.Struct, frozen=True):
    """One stack that checks by one roll."""

    stack: Stack
    forces: tuple[ForceCheck, ...]
    rolled: bool = False


class ForceLosses(msgspec.Struct, frozen=True):
    """A Force that loses steps by a failed check."""

    role: Role
    force: str
    shares: tuple[Share, ...] = ()
    steps: int = 0
    """Steps to share out."""
    lost: tuple[tuple[str, int], ...] | None = None
    """Steps lost by unit, or None until they are shared out."""


Checking = Callable[[Side, tuple[int, ...]], list[StackCheck]]
"""The type of a function that returns a side's checks, given the side and the steps that each unit has just lost."""


def resolution(combat: Combat, look_up: LookUp) -> Procedure:
    """Return the procedure of one combat, up to the third part of its seventh step. Rule: 10.2.1b"""
    # cached, because many branches of the procedure need the same checks and failures
    again = combat.engagement.readings.disordered_again
    checking = cache(partial(stacks_as_they_check, combat))
    fails = cache(partial(failure, again=again))

    def follow(situation: Situation) -> Node:
        match situation:
            case Start():
                return crt_roll(combat, look_up)
            case Decided():
                return apply_result(combat, situation)
            case Retreats(stage="done", then=Decided() as result, toll=toll):
                return split_sides(combat, result, toll)
            case SideProgress(stage="absorbs"):
                return absorb_retreat(combat, situation)
            case SideProgress(stage="rolls"):
                return slrt_roll(combat, situation, look_up)
            case SideProgress(stage="shares"):
                return share_losses(combat, situation)
            case SideProgress(stage="gives"):
                return give_modifier(situation, checking, combat.policies[situation.side.role])
            case SideProgress():
                return begin_checks(situation, checking)
            case StackCheck(rolled=False):
                return roll_check(situation, fails)
            case StackCheck():
                return settle_checks(situation)
            case ForceLosses(lost=None):
                return share_force_losses(situation)
            case ForceLosses():
                return Done()
            case Unknown():
                return Stuck((situation.chart, situation.key))
            case _:
                return follow_retreats(combat, situation)

    return follow


# --- the result -------------------------------------------------------------------------------------------------------


def crt_roll(combat: Combat, look_up: LookUp) -> Roll:
    """Return the attacker's roll on the Combat Results Table. Rule: 10.9.1, 10.7"""
    season, column = combat.engagement.season, combat.column

    def then(natural: int) -> Situation:
        key = (season, column, natural)
        cell = look_up("crt", *key)
        return Decided(str(cell.values["attacker"]), str(cell.values["defender"])) if cell else Unknown("crt", key)

    return Roll("crt", "10.9.1", f"Combat Results Table, {season}, {column}", Dice(2, 6), {}, then, side="attacker")


def apply_result(combat: Combat, result: Decided) -> Apart:
    """Return the situation of the retreats by the result, the attackers' before the defenders'.

    Without known ground, the retreats are skipped.

    Rule: 10.9.1
    """
    retreats = retreats_by_result(combat, result)
    notes: dict[str, Quantity] = {"crt": result.text}
    duties = list[RetreatDuty]()
    for role in SIDES:
        notes[f"{role}.retreat"] = max(hexes for _, hexes in retreats[role])
        for place, hexes in retreats[role]:
            if hexes:
                hexes_of_forces = tuple((name, hexes) for name in UnitsInHex(combat, role, place).forces)
                duties.append(RetreatDuty(role, place, place, hexes_of_forces))
    toll = toll_of_immobile(combat.engagement, sum(hexes for _, hexes in retreats["defender"]))
    if combat.pieces is None or not duties:
        then = split_sides(combat, result, toll)
        return Apart(then.parts, {**notes, **then.notes})
    return Apart({"": Retreats("crt", tuple(duties), toll, result)}, notes)


def toll_of_immobile(engagement: Engagement, hexes: int) -> Toll:
    """Return the toll of units that never move, and are destroyed when the defender retreats.

    `hexes`: the length of the retreat; 0 destroys no units.

    Rule: 22.4.1, 22.4.2, 22.5.1
    """
    falling = find_falling(unit.id for unit in engagement.in_the_hex if hexes)
    lost = {unit.id: unit.left for unit in engagement.in_the_hex if unit.id in falling}
    return Toll().and_eliminated(lost)


def retreats_by_result(combat: Combat, result: Decided) -> dict[Role, tuple[tuple[str, int], ...]]:
    """Return the hexes of retreat by the result for each stack, without those that fortress units absorb.

    Rule: 10.9.1d, 10.9.1e, 13.3.1a
    """
    engagement = combat.engagement
    attacking = read_result(result.attacker)
    defending = read_result(result.defender)
    steps = fortress_steps(engagement.defenders)
    leftover = engagement.readings.fortress_steps
    hexes, _ = crt_retreat(defending, engagement.position, steps, leftover)
    places = combat.forces["attacker"]
    return {
        "attacker": tuple((place, crt_retreat(attacking, engagement.positions[place])[0]) for place in places),
        "defender": ((engagement.at, hexes),),
    }


def split_sides(combat: Combat, result: Decided, toll: Toll) -> Apart:
    """Return both sides after their retreats, independent of each other from here on.

    The steps noted include those lost to Repulses.

    Rule: 10.9.1b, 10.9.1c
    """
    engagement = combat.engagement
    retreats = retreats_by_result(combat, result)
    attacking = read_result(result.attacker)
    defending = read_result(result.defender)
    _, absorbed = crt_retreat(defending, engagement.position, fortress_steps(engagement.defenders))
    own = {role: toll.of(engagement.side(role)) for role in SIDES}
    attacker = SideProgress(
        "rolls",
        Side("attacker", retreats["attacker"], attacking.asterisk, (), own["attacker"]),
        crt_modifier(attacking, all_german=engagement.all_german("attacker")),
    )
    unable = retreats["defender"] == ((engagement.at, 0),) and is_unable_to_retreat(combat, toll)
    defended = SideProgress(
        "absorbs",
        Side("defender", retreats["defender"], toll=own["defender"], unable=unable),
        crt_modifier(defending, all_german=False),
        absorbed,
    )
    ways = list(absorb_retreat(combat, defended).options.values())
    notes = {f"{role}.way": steps_of_side(combat, role, toll) for role in SIDES}
    return Apart({"attacker": attacker, "defender": ways[0] if len(ways) == 1 else defended}, notes)


def absorb_retreat(combat: Combat, lose: SideProgress) -> Choice:
    """Return the owner's choice of fortress units that lose steps in place of hexes of retreat (12.2.1).

    Rule: 10.9.1d
    """
    taking = tuple(Share(unit.id, unit.left) for unit in combat.engagement.defenders if unit.arm in FORTRESSES)

    def then(losses: Losses) -> Situation:
        absorbed = by_unit(taking, losses)
        return SideProgress("rolls", replace(lose.side, absorbed=absorbed), lose.modifier)

    title = steps_title(lose.steps, "that fortress units lose in place of hexes of retreat")
    return share_out("losses.fortresses", "10.9.1", title, lose.side.role, taking, lose.steps, then)


def steps_of_side(combat: Combat, role: Role, toll: Toll) -> int:
    """Return the steps that a side has lost, including idle and withheld units."""
    lost = dict(toll.steps)
    withheld = combat.engagement.withheld if role == "defender" else ()
    return sum(lost.get(unit.id, 0) for unit in (*combat.engagement.present(role), *withheld))


# --- step losses ------------------------------------------------------------------------------------------------------


def slrt_roll(combat: Combat, rolls: SideProgress, look_up: LookUp) -> Roll | Apart:
    """Return a side's roll on the Step Loss Results Table, if any of its units are left. Rule: 10.10.2, 10.10.3a"""
    side = rolls.side
    units = units_after(combat.engagement.side(side.role), side.toll)
    if not any(unit.left > 0 for unit in units):
        return Apart({"": SideProgress("gives", side, lost=(0,) * len(units))})
    drm = modifiers("10.10.3", ("Combat Results Table", rolls.modifier)) + combat.modifiers[side.role]
    added = sum(modifier.amount for modifier in drm)

    def then(natural: int) -> Situation:
        key = (combat.engagement.season, combat.magnitude, natural + added)
        cell = look_up("slrt", *key)
        if not cell:
            return Unknown("slrt", key)
        return SideProgress("shares", side, int(cell.values["ec"]), int(cell.values["steps"]))

    title = f"Step Loss Results Table, {combat.magnitude}, {side.role}"
    return Roll(f"slrt.{side.role}", "10.10.2", title, Dice(1, 6), {side.role: drm}, then, side=side.role)


def share_losses(combat: Combat, loses: SideProgress) -> Choice:
    """Return the owner's choice of the units that take the step losses, within 11.1.1. Rule: 11.1.1a, 11.1.1b, 11.1b"""
    side = loses.side
    taking = list_shares(combat, side)
    may_eliminate = combat.engagement.readings.last_step == "owner"
    legal = distributions(taking, loses.steps, may_eliminate=may_eliminate)
    options = Ways[Situation](taking, legal, lambda lost: SideProgress("gives", side, loses.modifier, lost=lost))
    notes = {f"{side.role}.losses": sum(legal[0]), f"{side.role}.steps": sum(legal[0]) + side.fortress}
    if side.fortress:
        notes[f"{side.role}.absorbed"] = side.fortress
    title = f"{loses.steps} step {'loss' if loses.steps == 1 else 'losses'} of the {side.role}"
    why_not = partial(why_not_spread, taking, loses.steps, may_eliminate)
    return Choice(f"losses.{side.role}", "11.1.1", title, side.role, options, notes, why_not)


def list_shares(combat: Combat, side: Side) -> tuple[Share, ...]:
    """Return the units of a side that may take losses, as they are after the side's retreats.

    Fortress units have already lost the steps that replaced a retreat.

    Rule: 11.1.1b
    """
    units = units_after(combat.engagement.side(side.role), side.toll)
    spared = spares_marsch_units(side.role, units, side.toll, combat.engagement.readings.marsch_first)
    policy = combat.policies[side.role]
    gone = dict(side.absorbed)
    return tuple(
        Share(
            unit.id,
            unit.left - gone.get(unit.id, 0),
            optional=unit.arm in FORTRESSES,
            guns=unit.arm == "artillery",
            rank=policy.rank(unit.id),
            later=spared and is_marsch(unit),
        )
        for unit in units
    )


# --- Effectiveness Checks ---------------------------------------------------------------------------------------------


def give_modifier(gives: SideProgress, checking: Checking, policy: Policy) -> Choice:
    """Return the owner's choice of the Force that takes the SLRT's modifier on its check, in the order of his policy.

    Rule: 11.3.1b, 10.10.2
    """
    side, lost = gives.side, gives.lost
    checks = list[ForceCheck]()
    if gives.modifier:
        for stack in checking(side, lost):
            checks += stack.forces
    checks.sort(key=lambda force: policy.order(force.up_to, min(share.rank for share in force.shares)))
    names = [force.name for force in checks] or ["none"]
    options: dict[str, Situation] = {name: SideProgress("checks", side, lost=lost, bonus=name) for name in names}
    title = f"which Force of the {side.role} takes the +1 on its check"
    return Choice(f"modifier.{side.role}", "11.3.1", title, side.role, options)


def begin_checks(checks: SideProgress, checking: Checking) -> Apart:
    """Return the checks of a side, stack by stack, with the modifier of the Step Loss Results Table (SLRT).

    Rule: 11.3
    """
    more = (Modifier("11.3.1", "SLRT modifier", 1),)
    parts: dict[str, Situation] = {}
    for check in checking(checks.side, checks.lost):
        own = list[ForceCheck]()
        for force in check.forces:
            has_bonus = force.name == checks.bonus
            own.append(replace(force, modifiers=force.modifiers + more) if has_bonus else force)
        parts[check.stack.place] = StackCheck(check.stack, tuple(own))
    return Apart(parts)


def stacks_as_they_check(combat: Combat, side: Side, losing: tuple[int, ...]) -> list[StackCheck]:
    """Return the stacks of a side as they check, each Force with its modifiers except the SLRT's.

    Eliminated Forces and artillery alone do not check.

    `losing`: the steps that each unit of the side has just lost, in order.

    Rule: 11.3, 11.3.1a, 11.1.1c, 12.2.1
    """
    engagement = combat.engagement
    before = list_shares(combat, side)
    lost = {share.name: steps for share, steps in zip(before, losing, strict=True)}
    left = {
        share.name: replace(share, left=share.left - lost[share.name], later=share.later and not any(losing))
        for share in before
    }
    stays = any(share.optional and share.left > 0 for share in left.values())
    withheld = side.role == "defender" and any(unit.arm in COMBAT_ARMS for unit in engagement.withheld)
    stacks = []
    for place, retreat in side.retreats:
        if side.role == "attacker":
            common = attacker_check_modifiers(combat.counted, asterisk=side.asterisk)
        else:
            position = engagement.position
            common = defender_check_modifiers(combat.counted, position, retreat, is_flanked=engagement.flanked)
        common = stack_modifiers(retreat) + common
        checks = list[ForceCheck]()
        for force in combat.forces[side.role][place]:
            units = units_after(force.units, side.toll)
            alive = [unit for unit in units if left[unit.id].left > 0]
            if all(unit.arm == "artillery" for unit in alive):
                continue
            own = force_modifiers(units, [lost[unit.id] for unit in units], engagement.turn)
            led_by = next((unit for unit in alive if unit.formation), None)
            standing = Standing(led_by.levels, led_by.disorder) if led_by else Standing(lone_assets=True)
            shares = tuple(left[unit.id] for unit in alive)
            checks.append(ForceCheck(force.name, shares, force_cel(alive), standing, own + common))
        stack = Stack(place, side.role, retreat, stays=stays, withheld=withheld, unable=side.unable)
        stacks.append(StackCheck(stack, tuple(checks)))
    return stacks


def roll_check(check: StackCheck, fails: Callable[[int, Standing], Failure]) -> Node:
    """Return one roll of two dice for a stack, read by each of its Forces with its own modifiers. Rule: 11.3, 7.2b"""
    stack, forces = check.stack, check.forces
    if not forces:
        return settle_checks(check)
    read = [(force, force.up_to, sum(share.left for share in force.shares)) for force in forces]

    def then(natural: int) -> Situation:
        checked = []
        for force, up_to, left in read:
            suffered = fails(max(natural - up_to, 0), force.standing)
            shares = force.shares if suffered.steps else ()
            checked.append(ForceCheck(force.name, shares, passed=natural <= up_to, suffered=suffered, left=left))
        return StackCheck(stack, tuple(checked), rolled=True)

    listed = {force.name: force.modifiers for force in forces}
    return check_roll(f"ec.{stack.place}", "11.3", f"in {stack.place}", listed, then, stack.role)


def settle_checks(check: StackCheck) -> Node:
    """Return the cost of a stack's checks: hexes beyond the CRT's, and steps to share out in each Force.

    Withheld defenders leave the hex if all others leave it or are eliminated, and some result makes these retreat.

    Rule: 11.3.2aa
    """
    stack, forces = check.stack, check.forces
    notes: dict[str, Quantity] = {}
    owing: dict[str, Situation] = {}
    for force in forces:
        suffered = force.suffered
        notes[f"{force.name}.passes"] = bool(force.passed)
        notes |= {f"{force.name}.{what}": amount for what, amount in zip(Failure._fields, suffered, strict=True)}
        if suffered.steps:
            owing[force.name] = ForceLosses(stack.role, force.name, force.shares, suffered.steps)
    if forces:
        lost = sum(min(force.suffered.steps, force.left) for force in forces)
        notes |= {f"{stack.role}.steps": lost, f"{stack.role}.by-checks": lost}
    if stack.role == "defender":
        retreating = [(force.suffered.retreat > 0 and not stack.unable) or stack.retreat > 0 for force in forces]
        gone = [force.suffered.steps >= force.left for force in forces]
        leave = any(retreating) or stack.retreat > 0 or not stack.withheld
        notes["defender.vacates"] = leave and all(map(operator.or_, retreating, gone)) and not stack.stays
    return Apart(owing, notes) if owing else Done(notes)


def share_force_losses(loses: ForceLosses) -> Choice:
    """Return the owner's choice of the units that take the steps of a failed check. Rule: 11.3.2ac, 11.3.2b, 11.3.2c"""

    def then(losses: Losses) -> Situation:
        return ForceLosses(loses.role, loses.force, lost=by_unit(loses.shares, losses))

    title = steps_title(loses.steps, f"that its check costs {loses.force}")
    return share_out(f"losses.{loses.force}", "11.3.2", title, loses.role, loses.shares, loses.steps, then)
