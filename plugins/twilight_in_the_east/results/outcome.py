"""What the dice of a combat lead to: losses, checks, and the hexes that these cost, as it is reported (10.9 to 11.4)."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from assistant.mechanics.procedure import Apart, Choice, Done, Modifier, Resolution, Roll
from assistant.questions import note

from ..combat.engagement import added_up
from ..combat.pieces import Toll
from ..combat.reckoning import Combat
from ..combat.tables import failure
from ..displacement.rules import Displaced
from ..forces.units import SIDES, Role
from ..retreat.cost import Charge, ForceRetreat
from ..retreat.hexes import passed_over
from .resolution import (
    Decided,
    ForceChecks,
    ForceLost,
    SideChecks,
    SideLoses,
    SideLost,
    SideRolls,
    Stack,
    StackChecked,
    StackChecks,
    Start,
)
from .retreating import AfterRetreats, Retreated, Retreats, Tried, hexes_around


class SideLosses(msgspec.Struct, frozen=True):
    """One side's roll on the Step Loss Results Table."""

    side: Annotated[str, note("attacker or defender")]
    natural: Annotated[int, note("the roll")]
    by_result: Annotated[int, note("the modifier of the Combat Results Table")]
    modifiers: Annotated[tuple[Modifier, ...], note("all modifiers of the roll")]
    added: Annotated[int, note("the sum of these modifiers")]
    modified: Annotated[int, note("the roll with its modifiers")]
    steps: Annotated[int | None, note("steps lost, null where the chart's cell is not known")] = None
    ec: Annotated[int | None, note("modifier of one Force's check, null likewise")] = None
    losses: Annotated[dict[str, int] | None, note("steps by unit, null until they are shared out")] = None
    modifier_to: Annotated[str, note("the Force that takes the modifier")] = ""


class CheckOutcome(msgspec.Struct, frozen=True):
    """One Force's Effectiveness Check."""

    force: Annotated[str, note("its first unit")]
    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("its hex")]
    natural: Annotated[int, note("the roll")]
    modifiers: Annotated[tuple[Modifier, ...], note("the modifiers of the roll")]
    added: Annotated[int, note("the sum of these modifiers")]
    modified: Annotated[int, note("the roll with its modifiers")]
    cel: Annotated[int, note("the Combat Effectiveness Level")]
    margin: Annotated[int, note("by how much it failed, 0 or less is a pass")]
    passed: Annotated[bool, note("whether it passed")]
    cel_loss: Annotated[int, note("Combat Effectiveness Levels lost")]
    retreat: Annotated[int, note("hexes to retreat")]
    steps: Annotated[int, note("steps that it must lose")]
    disorder: Annotated[int, note("its degree of Disorder afterwards")]
    losses: Annotated[dict[str, int] | None, note("these steps by unit, null until they are shared out")] = None


class Obligation(msgspec.Struct, frozen=True):
    """Hexes that a Force must retreat."""

    force: Annotated[str, note("its first unit")]
    place: Annotated[str, note("where it stands")]
    by_crt: Annotated[int, note("hexes by the Combat Results Table")]
    by_check: Annotated[int, note("hexes by its check")]
    hexes: Annotated[int, note("hexes of retreat in all")]


class Withdrawal(msgspec.Struct, frozen=True):
    """A retreat as it was carried out."""

    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("the hex of the stack in the combat")]
    start: Annotated[str, note("the hex that it leaves")]
    cause: Annotated[str, note("crt, check, or repulse for a stack that a Repulse pushes away")]
    owed: Annotated[int, note("hexes that it had to retreat at least")]
    way: Annotated[tuple[str, ...], note("the hexes entered, in order")]
    charges: Annotated[tuple[Charge, ...], note("what they cost")]
    forces: Annotated[tuple[ForceRetreat, ...], note("what they cost each Force")]
    surrendered: Annotated[tuple[str, ...], note("Forces that could not leave their hex and surrendered")] = ()
    ends: Annotated[dict[str, str], note("where each Force ends, by Force")] = {}
    beyond: Annotated[tuple[str, ...], note("Forces that went on for want of room in the hex before")] = ()


class RepulseTried(msgspec.Struct, frozen=True):
    """A Repulse that a stack has tried in its retreat."""

    place: Annotated[str, note("the hex of the stack in the combat")]
    here: Annotated[str, note("the hex from which it was tried")]
    at: Annotated[str, note("the hex to be cleared")]
    force: Annotated[str, note("the Force that tried it")]
    odds: Annotated[str, note("odds after shifts")]
    crt: Annotated[str, note("the cell rolled, empty without a roll")]
    repulsed: Annotated[bool, note("whether it succeeded")]
    failed: Annotated[tuple[str, ...], note("the Forces pushed away that failed their check")] = ()


class PassedOver(msgspec.Struct, frozen=True):
    """A hex that a stack retreated to by choice, though the priorities put another open one before it."""

    hex: Annotated[str, note("the hex entered")]
    better: Annotated[str, note("the hex that comes before it")]
    why: Annotated[str, note("the first priority that puts it there")]


Earned = Annotated[int, note("Victory Points for a Prepared Attack and enemy divisions eliminated")]
PHASE = note(
    "the phase for which the points of a Prepared Attack are counted, empty if none were earned or it was stated"
)


class BattleOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the dice led to, as far as they were given."""

    crt_roll: Annotated[int | None, note("the roll, null before it")] = None
    crt: Annotated[str, note("the cell, attacker / defender")] = ""
    absorbed: Annotated[dict[str, int], note("steps that fortress units lose instead of retreating")] = {}
    losses: Annotated[tuple[SideLosses, ...], note("both sides' rolls for step losses")] = ()
    checks: Annotated[tuple[CheckOutcome, ...], note("the Effectiveness Checks")] = ()
    obligations: Annotated[
        tuple[Obligation, ...],
        note("hexes that each Force has to retreat by the result and by its check, those gone already among them"),
    ] = ()
    retreats: Annotated[tuple[Withdrawal, ...], note("retreats carried out, in order")] = ()
    repulses: Annotated[tuple[RepulseTried, ...], note("Repulses tried in these retreats, in order")] = ()
    passed_over: Annotated[tuple[PassedOver, ...], note("hexes chosen against the priorities")] = ()
    way_losses: Annotated[dict[str, int], note("steps lost to retreats, by unit")] = {}
    way_levels: Annotated[dict[str, int], note("Combat Effectiveness Levels lost to retreats, by formation")] = {}
    places: Annotated[dict[str, str], note("where units stand that have moved, empty for off the map")] = {}
    farther: Annotated[tuple[ForceRetreat, ...], note("what Forces paid for ending farther from supply")] = ()
    displaced: Annotated[tuple[Displaced, ...], note("units that had to make room for the enemy, in order")] = ()
    unsettled: Annotated[
        tuple[str, ...],
        note(
            "what another question or a fact decides: units that may have to make room or be abandoned, pontoon bridges"
        ),
    ] = ()
    advanced: Annotated[tuple[str, ...] | None, note("the units that have advanced, null before that")] = None
    attacker_steps: Annotated[int, note("steps lost in all")] = 0
    defender_steps: Annotated[int, note("steps lost in all")] = 0
    vacated: Annotated[bool | None, note("whether the defender's hex is left empty, null while not known")] = None
    advance: Annotated[
        tuple[str, ...] | None, note("units that then may, within the stacking limits, null likewise")
    ] = None
    guns_stay: Annotated[tuple[str, ...], note("artillery units that an un-bridged river stops")] = ()
    attacker_points: Earned = 0
    defender_points: Earned = 0
    supposed_phase: Annotated[str, PHASE] = ""

    def lost(self) -> Counter[str]:
        """Steps lost by unit, to the Step Loss Results Table, to checks and in place of retreats."""
        lost = Counter(self.absorbed) + Counter(self.way_losses)
        for taken in (*(side.losses for side in self.losses), *(check.losses for check in self.checks)):
            lost.update(taken or {})
        return lost


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
            case Start() if isinstance(taken, int):
                found["crt_roll"] = taken
            case Decided():
                found["crt"] = situation.text
            case SideRolls(side) if isinstance(node, Roll) and isinstance(taken, int):
                drm = node.modifiers[side.role]
                natural = (taken, situation.modifier, drm, added_up(drm), taken + added_up(drm))
                losses[side.role] = SideLosses(side.role, *natural)
                steps[side.role] += side.fortress
                found["absorbed"] = found.get("absorbed", {}) | dict(side.absorbed)
            case SideLoses(side):
                losses[side.role] = replace(losses[side.role], steps=situation.steps, ec=situation.ec)
            case SideLost(side) if side.role in losses:
                units = combat.engagement.side(side.role)
                shared = {unit.id: lost for unit, lost in zip(units, situation.lost, strict=True) if lost}
                losses[side.role] = replace(losses[side.role], losses=shared)
                steps[side.role] += sum(situation.lost)
            case SideChecks(side) if side.role in losses:
                losses[side.role] = replace(losses[side.role], modifier_to=situation.bonus)
    return found, losses, steps


def checked(combat: Combat, resolved: Resolution) -> tuple[dict[str, CheckOutcome], list[Obligation], Counter[Role]]:
    """The checks by Force, the hexes that Forces have to retreat by the result and by these, and the steps that each side has lost by them."""
    checks: dict[str, CheckOutcome] = {}
    owed, steps = list[Obligation](), Counter[Role]()
    for situation, _, taken in resolved.trace:
        match situation:
            case StackChecks(stack, forces) if isinstance(taken, int):
                checks |= {force.name: check_outcome(combat, stack, force, taken) for force in forces}
            case StackChecked(stack, forces):
                for force in forces:
                    steps[stack.role] += min(force.suffered.steps, force.left)
                    by_check = force.suffered.retreat
                    duty = Obligation(force.name, stack.place, stack.retreat, by_check, stack.retreat + by_check)
                    owed += [duty] if duty.hexes and force.suffered.steps < force.left else []
            case ForceLost(name, lost):
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


def check_outcome(combat: Combat, stack: Stack, force: ForceChecks, natural: int) -> CheckOutcome:
    """The check of one Force of a stack."""
    margin = natural - force.up_to
    suffered = failure(margin, force.standing, combat.engagement.readings.disordered_again)
    added = added_up(force.modifiers)
    rolled = (natural, force.modifiers, added, natural + added, force.cel)
    return CheckOutcome(force.name, stack.role, stack.place, *rolled, margin, margin <= 0, *suffered)
