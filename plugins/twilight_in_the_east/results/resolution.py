"""How a combat is resolved once the column is known: the rolls and choices of 10.2.1, steps 7(1) to 7(3), as a procedure.

After the retreats by the result the two sides have nothing more to do with each other until all checks are made, and after the step losses neither have the
stacks of a side, so a situation holds only what its own later rolls read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import msgspec

from assistant.mechanics.procedure import (
    Apart,
    Choice,
    Dice,
    Done,
    LookUp,
    Node,
    Procedure,
    Quantity,
    Roll,
    Situation,
    Stuck,
    Unknown,
)

from ..combat.engagement import Engagement
from ..combat.strength import modifiers
from ..forces import sharing
from ..forces.units import SIDES, CombatUnit, Role
from ..terms import FORTRESSES, STAY_OR_FALL
from . import effectiveness, states
from .checks import after_check, begin_checks, force_losses, give_modifier, roll_check, shares, stacks_as_they_check
from .combat import Combat
from .crt import crt_modifier, crt_retreat, fortress_steps, read_result
from .retreating.pushing import retreat_nodes
from .retreating.situations import AfterRetreats, Retreats, StackRetreat
from .retreating.stacks import stack_of
from .retreating.walking import is_unable_to_retreat
from .tolls import Toll, after_toll


def resolution(combat: Combat, look_up: LookUp) -> Procedure:
    """The procedure of one combat, as far as steps 7(1) to 7(3) of 10.2.1. Rule: 10.2.1b"""
    # asked for the same again and again: by the choice of a Force and its checks, by rolls that fail by as much
    again = combat.engagement.readings.disordered_again
    checking, fails = cache(partial(stacks_as_they_check, combat)), cache(partial(effectiveness.failure, again=again))
    nodes: dict[type, Callable[[Any], Node]] = {
        **retreat_nodes(combat),
        states.Start: lambda _: crt_roll(combat, look_up),
        states.Decided: partial(decided, combat),
        AfterRetreats: lambda done: sides(combat, done.then, done.toll),
        states.FortressesLose: partial(absorb, combat),
        states.SideRolls: partial(slrt_roll, combat, look_up=look_up),
        states.SideLoses: partial(share_losses, combat),
        states.SideLost: lambda lost: give_modifier(lost, checking, combat.policies[lost.side.role]),
        states.SideChecks: partial(begin_checks, checking=checking),
        states.StackChecks: partial(roll_check, fails=fails),
        states.StackChecked: after_check,
        states.ForceLoses: force_losses,
        states.ForceLost: lambda _: Done(),
        Unknown: lambda unknown: Stuck((unknown.chart, unknown.key)),
    }
    return lambda situation: nodes[type(situation)](situation)


def crt_roll(combat: Combat, look_up: LookUp) -> Roll:
    """The attacker's roll on the Combat Results Table. Rule: 10.9.1, 10.7"""
    season, column = combat.engagement.season, combat.column

    def then(natural: int) -> Situation:
        key = (season, column, natural)
        cell = look_up("crt", *key)
        return (
            states.Decided(str(cell.values["attacker"]), str(cell.values["defender"])) if cell else Unknown("crt", key)
        )

    return Roll("crt", "10.9.1", f"Combat Results Table, {season}, {column}", Dice(2, 6), {}, then)


def decided(combat: Combat, result: states.Decided) -> Apart:
    """The result applied: first the retreats, the attackers' before the defenders', hex by hex where the ground is known.
    Rule: 10.9.1
    """
    retreats = retreats_by_result(combat, result)
    notes: dict[str, Quantity] = {
        "crt": result.text,
        **{f"{role}.retreat": max(hexes for _, hexes in retreats[role]) for role in SIDES},
    }
    todo = tuple(
        StackRetreat(role, place, place, tuple((force, hexes) for force in stack_of(combat, role, place)))
        for role in SIDES
        for place, hexes in retreats[role]
        if hexes
    )
    toll = standing_or_lost(combat.engagement, sum(hexes for _, hexes in retreats["defender"]))
    if combat.pieces is None or not todo:
        return Apart(sides(combat, result, toll).parts, notes)
    return Apart({"": Retreats("crt", todo, toll, result)}, notes)


def standing_or_lost(engagement: Engagement, hexes: int) -> Toll:
    """What a defender's retreat costs at once: units that never move and are destroyed instead. hexes: of the retreat.
    Rule: 22.4.1, 22.4.2, 22.5.1
    """
    lost = {unit.id: unit.left for unit in engagement.in_the_hex if hexes and unit.id in STAY_OR_FALL}
    return Toll().and_steps(lost).and_moved(dict.fromkeys(lost, ""))


def retreats_by_result(combat: Combat, result: states.Decided) -> dict[Role, tuple[tuple[str, int], ...]]:
    """The hexes that each stack has to retreat by the result, fortress units having absorbed theirs.
    Rule: 10.9.1d, 10.9.1e, 13.3.1a
    """
    engagement = combat.engagement
    attacking, defending = read_result(result.attacker), read_result(result.defender)
    steps, leftover = fortress_steps(engagement.defenders), engagement.readings.fortress_steps
    hexes, _ = crt_retreat(defending, engagement.position, steps, leftover)
    places = combat.forces["attacker"]
    return {
        "attacker": tuple((place, crt_retreat(attacking, engagement.positions[place])[0]) for place in places),
        "defender": ((engagement.at, hexes),),
    }


def sides(combat: Combat, result: states.Decided, toll: Toll) -> Apart:
    """From here on each side is for itself, as its retreat has left it. Rule: 10.9.1b, 10.9.1c"""
    engagement, retreats = combat.engagement, retreats_by_result(combat, result)
    attacking, defending = read_result(result.attacker), read_result(result.defender)
    _, absorbed = crt_retreat(defending, engagement.position, fortress_steps(engagement.defenders))
    own = {role: toll.of(engagement.side(role)) for role in SIDES}
    attacker = states.SideRolls(
        states.Side("attacker", retreats["attacker"], attacking.asterisk, (), own["attacker"]),
        crt_modifier(attacking, engagement.all_german("attacker")),
    )
    unable = is_unable_to_retreat(combat, toll) if retreats["defender"] == ((engagement.at, 0),) else False
    defended = states.FortressesLose(
        states.Side("defender", retreats["defender"], toll=own["defender"], unable=unable),
        absorbed,
        crt_modifier(defending, False),
    )
    ways = list(absorbing(engagement.defenders, defended).values())
    return Apart({"attacker": attacker, "defender": ways[0] if len(ways) == 1 else defended})


def absorbing(units: Sequence[CombatUnit], lose: states.FortressesLose) -> Mapping[str, Situation]:
    """The ways to share out the steps that fortress units lose in place of hexes of retreat, as they are typed. Rule: 10.9.1d"""
    taking = tuple(sharing.Share(unit.id, unit.left) for unit in units if unit.arm in FORTRESSES)

    def then(losses: sharing.Losses) -> Situation:
        absorbed = sharing.by_unit(taking, losses)
        return states.SideRolls(msgspec.structs.replace(lose.side, absorbed=absorbed), lose.modifier)

    return sharing.Ways(taking, sharing.free_distributions(taking, lose.steps), then)


def absorb(combat: Combat, lose: states.FortressesLose) -> Choice:
    """Which fortress units lose steps in place of hexes of retreat: the owner's choice (10.9.1, 12.2.1)."""
    title = sharing.steps_title(lose.steps, "that fortress units lose in place of hexes of retreat")
    return Choice("losses.fortresses", "10.9.1", title, lose.side.role, absorbing(combat.engagement.defenders, lose))


def slrt_roll(combat: Combat, rolls: states.SideRolls, look_up: LookUp) -> Roll | Apart:
    """A side's roll on the Step Loss Results Table, if anybody is left of it. Rule: 10.10.2, 10.10.3a"""
    side = rolls.side
    units = after_toll(combat.engagement.side(side.role), side.toll)
    if not any(unit.left > 0 for unit in units):
        return Apart({"": states.SideLost(side, (0,) * len(units), 0)})
    drm = modifiers("10.10.3", ("Combat Results Table", rolls.modifier)) + combat.modifiers[side.role]
    added = sum(modifier.amount for modifier in drm)

    def then(natural: int) -> Situation:
        key = (combat.engagement.season, combat.magnitude, natural + added)
        cell = look_up("slrt", *key)
        return (
            states.SideLoses(side, int(cell.values["steps"]), int(cell.values["ec"])) if cell else Unknown("slrt", key)
        )

    title = f"Step Loss Results Table, {combat.magnitude}, {side.role}"
    return Roll(f"slrt.{side.role}", "10.10.2", title, Dice(1, 6), {side.role: drm}, then)


def share_losses(combat: Combat, loses: states.SideLoses) -> Choice:
    """Who takes the step losses: the owner's choice within 11.1.1. Rule: 11.1.1a, 11.1.1b, 11.1b"""
    side = loses.side
    readings = combat.engagement.readings
    taking = shares(
        after_toll(combat.engagement.side(side.role), side.toll),
        side,
        combat.policies[side.role],
        readings.marsch_first,
    )
    may_eliminate = readings.last_step == "owner"
    legal = sharing.distributions(taking, loses.steps, may_eliminate)
    options = sharing.Ways[Situation](taking, legal, lambda lost: states.SideLost(side, lost, loses.ec))
    notes = {f"{side.role}.losses": sum(legal[0]), f"{side.role}.steps": sum(legal[0]) + side.fortress}
    title = f"{loses.steps} step {'loss' if loses.steps == 1 else 'losses'} of the {side.role}"
    why_not = partial(sharing.why_not_spread, taking, loses.steps, may_eliminate)
    return Choice(f"losses.{side.role}", "11.1.1", title, side.role, options, notes, why_not)
