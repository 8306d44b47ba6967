"""How a combat is resolved once the column is known: the rolls and choices of 10.2.1, steps 7(1) to 7(3), as a procedure.

After the CRT roll the two sides have nothing more to do with each other, and after the step losses neither have the
stacks of a side, so a situation holds only what its own later rolls read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

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

from ..forces.units import CombatUnit
from ..terms import FORTRESSES
from . import effectiveness, step_losses
from .checks import after_check, begin_checks, force_losses, give_modifier, roll_check, shares, stacks_as_they_check
from .combat import Combat
from .crt import crt_modifier, crt_retreat, fortress_steps, read_result
from .states import (
    Decided,
    ForceLoses,
    ForceLost,
    FortressesLose,
    Side,
    SideChecks,
    SideLoses,
    SideLost,
    SideRolls,
    StackChecked,
    StackChecks,
    Start,
)


def resolution(combat: Combat, look_up: LookUp) -> Procedure:
    """The procedure of one combat, as far as steps 7(1) to 7(3) of 10.2.1. Rule: 10.2.1b"""
    # asked for the same again and again: by the choice of a Force and its checks, by rolls that fail by as much
    again = combat.engagement.readings.disordered_again
    checking, fails = cache(partial(stacks_as_they_check, combat)), cache(partial(effectiveness.failure, again=again))

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
                return begin_checks(situation, checking)
            case StackChecks():
                return roll_check(situation, fails)
            case StackChecked():
                return after_check(situation)
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
    """The attacker's roll on the Combat Results Table. Rule: 10.9.1, 10.7"""

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
    """A side's roll on the Step Loss Results Table. Rule: 10.10.2, 10.10.3a"""
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


def share_losses(combat: Combat, loses: SideLoses) -> Choice:
    """Who takes the step losses: the owner's choice within 11.1.1. Rule: 11.1.1a, 11.1.1b, 11.1b"""
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
