"""What the dice of a combat lead to: losses, checks, and the hexes that these cost (10.9 to 11.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from assistant.mechanics.procedure import Apart, Choice, Done, Modifier, Resolution, Roll

from ..forces.units import SIDES, Role
from ..retreat.hexes import passed_over
from . import states
from .combat import Combat
from .effectiveness import failure
from .outcome_report import BattleOutcome, CheckOutcome, Obligation, PassedOver, RepulseTried, SideLosses, Withdrawal
from .retreating.pushing import Tried
from .retreating.situations import AfterRetreats, Retreated, Retreats
from .retreating.walking import hexes_around
from .tolls import Toll


def outcome(combat: Combat, resolved: Resolution) -> BattleOutcome:
    """The outcome that a resolution has reached."""
    found, losses, lost = rolled(combat, resolved)
    checks, owed, more = checked(combat, resolved)
    tolls = [one.toll for one, _, _ in resolved.trace if isinstance(one, Retreats | AfterRetreats)]
    notes = [node.notes for _, node, _ in resolved.trace if isinstance(node, Done | Apart)]
    vacates = [note["defender.vacates"] for note in notes if "defender.vacates" in note]
    toll = tolls[-1] if tolls else Toll()
    steps = lost + more + Counter({role: of_side(combat, role, toll) for role in SIDES})
    return BattleOutcome(
        **found,
        **gone_through(resolved),
        losses=tuple(losses.values()),
        checks=tuple(checks.values()),
        obligations=tuple(owed),
        passed_over=against_priorities(combat, resolved),
        way_losses=dict(toll.steps),
        way_levels=dict(toll.levels),
        places=dict(toll.moved),
        vacated=bool(vacates[-1]) if vacates else None,
        attacker_steps=steps["attacker"],
        defender_steps=steps["defender"],
    )


def rolled(combat: Combat, resolved: Resolution) -> tuple[dict[str, Any], dict[Role, SideLosses], Counter[Role]]:
    """The result of the combat, both rolls for step losses, and the steps that each side has lost by them."""
    found: dict[str, Any] = {}
    losses: dict[Role, SideLosses] = {}
    steps = Counter[Role]()
    for situation, node, taken in resolved.trace:
        match situation:
            case states.Start() if isinstance(taken, int):
                found["crt_roll"] = taken
            case states.Decided():
                found["crt"] = situation.text
            case states.SideRolls(side) if isinstance(node, Roll) and isinstance(taken, int):
                drm = node.modifiers[side.role]
                natural = (taken, situation.modifier, drm, summed(drm), taken + summed(drm))
                losses[side.role] = SideLosses(side.role, *natural)
                steps[side.role] += side.fortress
                found["absorbed"] = found.get("absorbed", {}) | dict(side.absorbed)
            case states.SideLoses(side):
                losses[side.role] = replace(losses[side.role], steps=situation.steps, ec=situation.ec)
            case states.SideLost(side) if side.role in losses:
                units = combat.engagement.side(side.role)
                shared = {unit.id: lost for unit, lost in zip(units, situation.lost, strict=True) if lost}
                losses[side.role] = replace(losses[side.role], losses=shared)
                steps[side.role] += sum(situation.lost)
            case states.SideChecks(side) if side.role in losses:
                losses[side.role] = replace(losses[side.role], modifier_to=situation.bonus)
    return found, losses, steps


def checked(combat: Combat, resolved: Resolution) -> tuple[dict[str, CheckOutcome], list[Obligation], Counter[Role]]:
    """The checks by Force, the hexes that Forces have to retreat by the result and by these, and the steps that each side has lost by them."""
    checks: dict[str, CheckOutcome] = {}
    owed, steps = list[Obligation](), Counter[Role]()
    for situation, _, taken in resolved.trace:
        match situation:
            case states.StackChecks(stack, forces) if isinstance(taken, int):
                checks |= {force.name: check_outcome(combat, stack, force, taken) for force in forces}
            case states.StackChecked(stack, forces):
                for force in forces:
                    steps[stack.role] += min(force.suffered.steps, force.left)
                    by_check = force.suffered.retreat
                    duty = Obligation(force.name, stack.place, stack.retreat, by_check, stack.retreat + by_check)
                    owed += [duty] if duty.hexes and force.suffered.steps < force.left else []
            case states.ForceLost(name, lost):
                checks[name] = replace(checks[name], losses=dict(lost))
    return checks, owed, steps


def gone_through(resolved: Resolution) -> dict[str, Any]:
    """The retreats and the Repulses of a resolution, in order."""
    situations = [situation for situation, _, _ in resolved.trace]
    return {
        "retreats": tuple(withdrawal(one) for one in situations if isinstance(one, Retreated)),
        "repulses": tuple(repulse_tried(one) for one in situations if isinstance(one, Tried)),
    }


def of_side(combat: Combat, role: Role, toll: Toll) -> int:
    """The steps that units of a side have lost, whether they fight, stand idle or are withheld."""
    lost, withheld = dict(toll.steps), combat.engagement.withheld if role == "defender" else ()
    return sum(lost.get(unit.id, 0) for unit in (*combat.engagement.present(role), *withheld))


def against_priorities(combat: Combat, resolved: Resolution) -> tuple[PassedOver, ...]:
    """The hexes of retreats that were chosen though the priorities put another one that was offered before them. Rule: 11.2.2a"""
    found = []
    for situation, node, taken in resolved.trace:
        if not (isinstance(situation, Retreats) and isinstance(node, Choice)) or node.rule != "11.2.2" or taken is None:
            continue
        offered = hexes_around(combat, situation)
        entered = next(hex for hex in offered if hex.hex == taken)
        if better := passed_over(entered, offered):
            found.append(PassedOver(entered.hex, *better))
    return tuple(found)


def withdrawal(retreated: Retreated) -> Withdrawal:
    """A retreat as it is told."""
    moving = retreated.moving
    least = min((owed for name, owed in moving.owed if name not in dict(moving.extra)), default=len(retreated.way))
    owed, places = dict(moving.owed), (moving.start, *retreated.way)
    ends = {one.force: places[min(owed[one.force], len(retreated.way))] for one in retreated.forces}
    beyond = tuple(name for name, _ in moving.extra if name in ends)
    told = retreated.way, retreated.charges, retreated.forces, retreated.surrendered, ends, beyond
    return Withdrawal(moving.role, moving.place, moving.start, retreated.cause, least, *told)


def repulse_tried(tried: Tried) -> RepulseTried:
    """A Repulse as it is told."""
    trying = tried.trying
    place, here = trying.retreats.todo[0].place, trying.retreats.here
    return RepulseTried(place, here, trying.at, trying.force, tried.odds, trying.crt, tried.repulsed, tried.failed)


def summed(modifiers: Iterable[Modifier]) -> int:
    """What modifiers add together."""
    return sum(modifier.amount for modifier in modifiers)


def check_outcome(combat: Combat, stack: states.Stack, force: states.ForceChecks, natural: int) -> CheckOutcome:
    """The check of one Force of a stack."""
    margin = natural - force.up_to
    suffered = failure(margin, force.standing, combat.engagement.readings.disordered_again)
    added = summed(force.modifiers)
    rolled = (natural, force.modifiers, added, natural + added, force.cel)
    return CheckOutcome(force.name, stack.role, stack.place, *rolled, margin, margin <= 0, *suffered)
