"""How a combat is resolved once the column is known: the rolls and choices of 10.2.1, steps 7(1) to 7(3), as a procedure.

After the CRT roll the two sides have nothing more to do with each other, and after the step losses neither have the
stacks of a side, so a situation holds only what its own later rolls read.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from types import MappingProxyType
from typing import NamedTuple

from assistant.mechanics.odds import Odds
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

from ..combat.engagement import Engagement
from ..combat.strength import HIGHEST, LOWEST, odds_of_modifiers
from ..forces.units import SIDES, CombatUnit, Force, Role, forces, stacks
from ..terms import FORTRESSES
from . import effectiveness, step_losses
from .crt import crt_modifier, crt_retreat, fortress_steps, read_result
from .effectiveness import Condition, Failure
from .policies import Policy
from .states import (
    Check,
    Checked,
    Decided,
    ForceLoses,
    ForceLost,
    FortressesLose,
    Side,
    SideChecks,
    SideLoses,
    SideLost,
    SideRolls,
    Start,
)

USUAL = Policy()


Checking = Callable[[Side, tuple[int, ...]], list[Check]]
"""From a side and the steps that its units have just lost to its stacks as they check."""


class Combat(NamedTuple):
    """What stays the same throughout a combat: who fights, the final odds, the magnitude, what is known before it, the odds before
    shifts, and in which order its sides put what they may choose."""

    engagement: Engagement
    odds: Odds
    magnitude: str
    modifiers: Mapping[Role, tuple[Modifier, ...]]
    forces: Mapping[Role, Mapping[str, tuple[Force, ...]]]
    initial: Odds
    policies: Mapping[Role, Policy] = MappingProxyType({})

    def policy(self, role: Role) -> Policy:
        """How a side settles its choices before the dice."""
        return self.policies.get(role, USUAL)

    @property
    def counted(self) -> Odds:
        """The odds that the modifiers for odds past the ends of the chart go by."""
        return odds_of_modifiers(self.initial, self.odds, self.engagement.readings.beyond_chart)

    @property
    def column(self) -> str:
        """The chart's column: the final odds, or the last one on their side.

        Rule: 10.7
        """
        return str(self.odds.within(LOWEST, HIGHEST))


def combat_of(engagement: Engagement, odds: Odds, magnitude: str, initial: Odds | None = None) -> Combat:
    """The conditions of a combat: all modifiers of both SLRT rolls but the CRT's own.

    odds, initial: after and before shifts, of which None says that there are none.

    Rule: 10.10.2
    """
    initial = odds if initial is None else initial
    counted = odds_of_modifiers(initial, odds, engagement.readings.beyond_chart)
    german = step_losses.german_modifier
    hardship = engagement.campaign or engagement.readings.level_4_hardship == "always"
    attacking = step_losses.artillery_modifiers(engagement.present("defender"), engagement.artillery("defender"))
    defending = step_losses.artillery_modifiers(engagement.present("attacker"), engagement.artillery("attacker"))
    said = {
        role: (Modifier("", "as the players say", engagement.drm[role]),) if engagement.drm.get(role) else ()
        for role in SIDES
    }
    return Combat(
        engagement,
        odds,
        magnitude,
        {
            "attacker": attacking
            + german(engagement.attackers)
            + step_losses.attacker_modifiers(engagement.defenders, engagement.position, counted, hardship)
            + said["attacker"],
            "defender": defending
            + german(engagement.defenders)
            + step_losses.defender_modifiers(engagement.flanked, counted)
            + said["defender"],
        },
        {role: {place: forces(stack) for place, stack in stacks(engagement.side(role)).items()} for role in SIDES},
        initial,
    )


def resolution(combat: Combat, look_up: LookUp) -> Procedure:
    """The procedure of one combat, as far as steps 7(1) to 7(3) of 10.2.1."""
    # asked for the same again and again: by the choice of a Force and its checks, by rolls that fail by as much
    again = combat.engagement.readings.disordered_again
    checking, fails = cache(partial(checks_of, combat)), cache(partial(effectiveness.failure, again=again))

    def node(situation: Situation) -> Node:
        match situation:
            case Start():
                return crt_roll(combat, look_up)
            case Decided():
                return decided(combat, situation)
            case FortressesLose():
                return absorb(combat, situation)
            case SideRolls():
                return slrt_roll(combat, situation, look_up)
            case SideLoses():
                return share_losses(combat, situation)
            case SideLost():
                return give_modifier(situation, checking, combat.policy(situation.side.role))
            case SideChecks():
                return checks(situation, checking)
            case Check():
                return check_roll(situation, fails)
            case Checked():
                return checked(situation)
            case ForceLoses():
                return force_losses(situation)
            case ForceLost():
                return Done()
            case Unknown(chart, key):
                return Stuck((chart, key))
            case _:
                raise TypeError(f"{situation!r} is no situation of a combat")

    return node


def crt_roll(combat: Combat, look_up: LookUp) -> Roll:
    """The attacker's roll on the Combat Results Table.

    Rule: 10.9.1, 10.7
    """

    def then(natural: int) -> Situation:
        key = (combat.engagement.season, combat.column, natural)
        cell = look_up("crt", *key)
        return Decided(str(cell.values["attacker"]), str(cell.values["defender"])) if cell else Unknown("crt", key)

    return Roll(
        "crt", "10.9.1", f"Combat Results Table, {combat.engagement.season}, {combat.column}", Dice(2, 6), {}, then
    )


def decided(combat: Combat, result: Decided) -> Apart:
    """The result applied: each side's retreats, and from here on each side for itself.

    Rule: 10.9.1, 10.9.1b, 10.9.1c, 10.9.1d, 10.9.1e, 13.3.1a
    """
    engagement = combat.engagement
    attacking, defending = read_result(result.attacker), read_result(result.defender)
    german = all(unit.nation == "german" for unit in engagement.attackers)
    retreats = tuple(
        (place, crt_retreat(attacking, engagement.positions[place])[0]) for place in combat.forces["attacker"]
    )
    hexes, absorbed = crt_retreat(
        defending, engagement.position, fortress_steps(engagement.defenders), engagement.readings.fortress_steps
    )
    attacker = SideRolls(Side("attacker", retreats, attacking.asterisk), crt_modifier(attacking, german))
    defended = FortressesLose(Side("defender", ((engagement.at, hexes),)), absorbed, crt_modifier(defending, False))
    farthest = max(hexes for _, hexes in retreats)
    notes: dict[str, Quantity] = {
        "crt": f"{result.attacker} / {result.defender}",
        "attacker.retreat": farthest,
        "defender.retreat": hexes,
    }
    ways = list(absorbing(engagement.defenders, defended).values())
    return Apart({"attacker": attacker, "defender": ways[0] if len(ways) == 1 else defended}, notes)


def absorbing(units: Sequence[CombatUnit], lose: FortressesLose) -> dict[str, Situation]:
    """The ways to share out the steps that fortress units lose in place of hexes of retreat, as they are typed.

    Rule: 10.9.1d
    """
    taking = tuple(step_losses.Share(unit.id, unit.left) for unit in units if unit.arm in FORTRESSES)
    options: dict[str, Situation] = {}
    for lost in step_losses.free_distributions(taking, lose.steps):
        by_unit = tuple((share.name, steps) for share, steps in zip(taking, lost, strict=True) if steps)
        label = ",".join(name for name, steps in by_unit for _ in range(steps)) or "none"
        options[label] = SideRolls(lose.side._replace(absorbed=by_unit), lose.modifier)
    return options


def absorb(combat: Combat, lose: FortressesLose) -> Choice:
    """Which fortress units lose steps in place of hexes of retreat: the owner's choice (10.9.1, 12.2.1)."""
    title = (
        f"{lose.steps} {'step' if lose.steps == 1 else 'steps'} that fortress units lose in place of hexes of retreat"
    )
    return Choice("losses.fortresses", "10.9.1", title, lose.side.role, absorbing(combat.engagement.defenders, lose))


def slrt_roll(combat: Combat, rolls: SideRolls, look_up: LookUp) -> Roll:
    """A side's roll on the Step Loss Results Table.

    Rule: 10.10.2, 10.10.3a
    """
    known = (Modifier("10.10.3", "Combat Results Table", rolls.modifier),) if rolls.modifier else ()
    side = rolls.side
    modifiers = known + combat.modifiers[side.role]
    added = sum(modifier.amount for modifier in modifiers)

    def then(natural: int) -> Situation:
        key = (combat.engagement.season, combat.magnitude, natural + added)
        cell = look_up("slrt", *key)
        return SideLoses(side, int(cell.values["steps"]), int(cell.values["ec"])) if cell else Unknown("slrt", key)

    title = f"Step Loss Results Table, {combat.magnitude}, {side.role}"
    return Roll(f"slrt.{side.role}", "10.10.2", title, Dice(1, 6), {side.role: modifiers}, then)


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


def share_losses(combat: Combat, loses: SideLoses) -> Choice:
    """Who takes the step losses: the owner's choice within 11.1.1.

    Rule: 11.1.1a, 11.1.1b, 11.1b
    """
    side = loses.side
    units = combat.engagement.side(side.role)
    taking = shares(units, side, combat.policy(side.role))
    legal = step_losses.distributions(taking, loses.steps, combat.engagement.readings.last_step == "owner")
    options: dict[str, Situation] = {losses_label(units, lost): SideLost(side, lost, loses.ec) for lost in legal}
    notes = {f"{side.role}.losses": sum(legal[0]), f"{side.role}.steps": sum(legal[0]) + side.fortress}
    title = f"{loses.steps} step {'loss' if loses.steps == 1 else 'losses'} of the {side.role}"
    return Choice(f"losses.{side.role}", "11.1.1", title, side.role, options, notes)


def losses_label(units: tuple[CombatUnit, ...], lost: tuple[int, ...]) -> str:
    """Losses as they are typed: the units parted by commas, each as often as it loses a step; `none` for none."""
    return ",".join(unit.id for unit, steps in zip(units, lost, strict=True) for _ in range(steps)) or "none"


def give_modifier(lost: SideLost, checking: Checking, policy: Policy = USUAL) -> Choice:
    """Which Force takes the SLRT's modifier on its check: the owner's choice, in the order of his policy; usually first the one
    that can best afford it.

    Rule: 11.3.1b, 10.10.2
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


def checks(side: SideChecks, checking: Checking) -> Apart:
    """A side's checks, stack by stack, the SLRT's modifier added to those of the Force that takes it.

    Rule: 11.3
    """
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


def checks_of(combat: Combat, side: Side, losing: tuple[int, ...]) -> list[Check]:
    """The stacks of a side as they check, each Force with its modifiers but the SLRT's; Forces wiped out do not check.

    losing: the steps that each unit has just lost, in order.

    Rule: 11.3, 11.3.1a, 11.1.1c, 12.2.1
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
            condition = Condition(formation.levels, formation.disorder) if formation else Condition(lone_assets=True)
            steps = tuple(
                step_losses.Share(unit.id, left[unit.id], guns=unit.arm == "artillery", rank=policy.rank(unit.id))
                for unit in alive
            )
            forces_here.append((force.name, effectiveness.force_cel(alive), condition, own + common, steps))
        withheld = side.role == "defender" and bool(engagement.withheld)
        stays = any(unit.arm in FORTRESSES and left[unit.id] > 0 for unit in units)
        stacks_checking.append(Check(place, side.role, retreat, tuple(forces_here), stays, withheld))
    return stacks_checking


def check_roll(stack: Check, fails: Callable[[int, Condition], Failure]) -> Node:
    """One roll of two dice for a stack, read by each of its Forces with its own modifiers.

    Rule: 11.3, 7.2b
    """
    if not stack.forces:
        return checked(Checked(stack.place, stack.role, stack.retreat, (), stack.stays, stack.withheld))
    read = [
        (name, cel - sum(modifier.amount for modifier in modifiers), condition, steps)
        for name, cel, condition, modifiers, steps in stack.forces
    ]

    def then(natural: int) -> Situation:
        results = [
            (name, natural <= up_to, fails(natural - up_to, condition), steps) for name, up_to, condition, steps in read
        ]
        return Checked(stack.place, stack.role, stack.retreat, tuple(results), stack.stays, stack.withheld)

    listed = {name: modifiers for name, _, _, modifiers, _ in stack.forces}
    return effectiveness.check(f"ec.{stack.place}", "11.3", f"in {stack.place}", listed, then)


def checked(stack: Checked) -> Node:
    """What the checks of a stack leave it to do: retreats are obligations in hexes, those of the CRT not included, and
    steps are shared out in each Force; of steps a Force loses no more than it has.

    Rule: 11.3.2aa
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
        leave = all(map(operator.or_, retreating, gone)) and (any(retreating) or not stack.withheld)
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
