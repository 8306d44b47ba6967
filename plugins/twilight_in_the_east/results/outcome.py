"""The outcome of a combat's dice as reported: losses, checks, retreats and Repulses (10.9 to 11.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import note
from assistant.mechanics.procedure import Choice, Modifier, Resolution, Roll

from ..combat.before_dice import Combat
from ..combat.checks import failure
from ..combat.engagement import total_of
from ..combat.pieces import Toll
from ..displacement.in_combat import Displaced
from ..forces.units import SIDES, Role
from ..retreat.ways import Charge, ForceRetreat, hex_passed_over
from .repulses import RetreatRepulse
from .resolution import Decided, ForceCheck, ForceLosses, SideProgress, Stack, StackCheck, Start, steps_of_side
from .retreats import Retreats, StackPrice, hexes_around


class SideLosses(msgspec.Struct, frozen=True):
    """One side's roll on the Step Loss Results Table."""

    side: Annotated[str, note("attacker or defender")]
    natural: Annotated[int, note("the roll")]
    by_result: Annotated[int, note("the modifier of the Combat Results Table")]
    modifiers: Annotated[tuple[Modifier, ...], note("all modifiers of the roll")]
    added: Annotated[int, note("sum of the roll's modifiers")]
    modified: Annotated[int, note("the roll with its modifiers")]
    steps: Annotated[int | None, note("steps lost, null where the chart's cell is not known")] = None
    ec: Annotated[int | None, note("modifier of one Force's check, null where the chart's cell is not known")] = None
    losses: Annotated[dict[str, int] | None, note("steps by unit, null until they are shared out")] = None
    modifier_to: Annotated[str, note("the Force that takes the modifier")] = ""


class CheckOutcome(msgspec.Struct, frozen=True):
    """One Force's Effectiveness Check."""

    force: Annotated[str, note("the first unit")]
    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("the hex")]
    natural: Annotated[int, note("the roll")]
    modifiers: Annotated[tuple[Modifier, ...], note("the modifiers of the roll")]
    added: Annotated[int, note("sum of the roll's modifiers")]
    modified: Annotated[int, note("the roll with its modifiers")]
    cel: Annotated[int, note("the Combat Effectiveness Level")]
    margin: Annotated[int, note("by how much the check failed, 0 or less for a pass")]
    passed: Annotated[bool, note("whether the Force passed its check")]
    cel_loss: Annotated[int, note("Combat Effectiveness Levels lost")]
    retreat: Annotated[int, note("hexes to retreat")]
    steps: Annotated[int, note("steps that it must lose")]
    disorder: Annotated[int, note("the degree of Disorder afterwards")]
    losses: Annotated[
        dict[str, int] | None, note("the steps that it must lose, by unit, null until they are shared out")
    ] = None


class Obligation(msgspec.Struct, frozen=True):
    """Hexes that a Force must retreat."""

    force: Annotated[str, note("the first unit")]
    place: Annotated[str, note("where it stands")]
    by_crt: Annotated[int, note("hexes of retreat by the Combat Results Table")]
    by_check: Annotated[int, note("hexes of retreat by its check")]
    hexes: Annotated[int, note("hexes of retreat in all")]


class Withdrawal(msgspec.Struct, frozen=True):
    """A retreat as it was carried out."""

    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("the hex of the stack in the combat")]
    start: Annotated[str, note("the hex that the stack leaves")]
    cause: Annotated[str, note("crt, check, or repulse for a stack that a Repulse pushes away")]
    owed: Annotated[int, note("the fewest hexes that it had to retreat")]
    way: Annotated[tuple[str, ...], note("the hexes entered, in order")]
    charges: Annotated[tuple[Charge, ...], note("what the hexes entered cost")]
    forces: Annotated[tuple[ForceRetreat, ...], note("what the hexes entered cost each Force")]
    surrendered: Annotated[tuple[str, ...], note("Forces that could not leave their hex and surrendered")] = ()
    ends: Annotated[dict[str, str], note("where each Force ends, by Force")] = {}
    departed: Annotated[tuple[str, ...], note("Forces that have left the map for good and are not eliminated")] = ()
    trains: Annotated[
        tuple[str, ...], note("Corps Trains that went along, with those who retreat the fewest hexes")
    ] = ()
    beyond: Annotated[
        tuple[str, ...], note("Forces that retreated farther because the hex where they should have stopped was full")
    ] = ()


class RepulseTried(msgspec.Struct, frozen=True):
    """A Repulse that a stack has tried in its retreat."""

    place: Annotated[str, note("the hex of the stack in the combat")]
    here: Annotated[str, note("the hex from which the Repulse was attempted")]
    at: Annotated[str, note("the hex to be cleared")]
    force: Annotated[str, note("the Force that attempted the Repulse")]
    odds: Annotated[str, note("odds after shifts")]
    crt: Annotated[str, note("the cell rolled, empty without a roll")]
    repulsed: Annotated[bool, note("whether the Repulse succeeded")]
    failed: Annotated[tuple[str, ...], note("the Forces pushed away that failed their check")] = ()
    leaders: Annotated[tuple[str, ...], note("leaders who applied in it")] = ()


class PassedOver(msgspec.Struct, frozen=True):
    """A hex that a stack chose to retreat to although the priorities prefer another open hex."""

    hex: Annotated[str, note("the hex entered")]
    better: Annotated[str, note("the hex that the priorities put before the hex entered")]
    why: Annotated[str, note("the first priority that prefers that hex")]


Earned = Annotated[int, note("Victory Points for a Prepared Attack and enemy divisions eliminated")]
PHASE = note("the phase assumed in scoring a Prepared Attack, empty if it was stated or nothing was scored")


class BattleOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The results of the dice given so far."""

    crt_roll: Annotated[int | None, note("the roll, null until rolled")] = None
    crt: Annotated[str, note("the cell, attacker / defender")] = ""
    absorbed: Annotated[dict[str, int], note("steps that fortress units lose instead of retreating")] = {}
    losses: Annotated[tuple[SideLosses, ...], note("both sides' rolls for step losses")] = ()
    checks: Annotated[tuple[CheckOutcome, ...], note("the Effectiveness Checks")] = ()
    obligations: Annotated[
        tuple[Obligation, ...],
        note("hexes that each Force must retreat by the result and by its check, those already retreated included"),
    ] = ()
    retreats: Annotated[tuple[Withdrawal, ...], note("retreats carried out, in order")] = ()
    repulses: Annotated[tuple[RepulseTried, ...], note("Repulses attempted during the retreats, in order")] = ()
    passed_over: Annotated[tuple[PassedOver, ...], note("hexes chosen against the priorities")] = ()
    way_losses: Annotated[dict[str, int], note("steps lost to retreats, by unit")] = {}
    way_levels: Annotated[dict[str, int], note("Combat Effectiveness Levels lost to retreats, by formation")] = {}
    places: Annotated[dict[str, str], note("where units that have moved now are, empty if off the map")] = {}
    farther: Annotated[tuple[ForceRetreat, ...], note("what Forces paid for ending farther from supply")] = ()
    displaced: Annotated[tuple[Displaced, ...], note("units that had to leave their hex for the enemy, in order")] = ()
    unsettled: Annotated[
        tuple[str, ...],
        note(
            "what another question or a fact decides: units that may have to leave their hex or be abandoned, "
            "pontoon bridges"
        ),
    ] = ()
    advanced: Annotated[tuple[str, ...] | None, note("the units that have advanced, null before the advance")] = None
    attacker_steps: Annotated[int, note("steps that the attacker loses in all")] = 0
    defender_steps: Annotated[int, note("steps that the defender loses in all")] = 0
    attacker_due: Annotated[int, note("steps that the attacker has yet to share out")] = 0
    defender_due: Annotated[int, note("steps that the defender has yet to share out")] = 0
    vacated: Annotated[bool | None, note("whether the defender's hex is left empty, null while not known")] = None
    advance: Annotated[
        tuple[str, ...] | None,
        note("units that may advance after the combat, within the stacking limits, null while not known"),
    ] = None
    guns_stay: Annotated[tuple[str, ...], note("artillery units that an un-bridged river stops")] = ()
    attacker_points: Earned = 0
    defender_points: Earned = 0
    supposed_phase: Annotated[str, PHASE] = ""

    def lost(self) -> Counter[str]:
        """Return the steps lost, by unit, to the Step Loss Results Table, to checks and in retreats."""
        lost = Counter(self.absorbed) + Counter(self.way_losses)
        for taken in (*(side.losses for side in self.losses), *(check.losses for check in self.checks)):
            lost.update(taken or {})
        return lost


class PlayedCombat(msgspec.Struct, frozen=True):
    """A combat with the dice and choices given so far."""

    combat: Combat
    resolved: Resolution

    def read_outcome(self) -> BattleOutcome:
        """Return the outcome of the dice and choices so far."""
        roll, crt = self._read_result()
        losses, absorbed = self._read_losses()
        due = self.count_steps_due()
        toll = Toll()
        for situation, _, _ in self.resolved.trace:
            if isinstance(situation, Retreats):
                toll = situation.toll
        steps = Counter({role: steps_of_side(self.combat, role, toll) for role in SIDES})
        steps["defender"] += sum(absorbed.values())
        for role, side in losses.items():
            steps[role] += sum((side.losses or {}).values())
        for name, amount in self.resolved.notes:
            for role in SIDES:
                if name == f"{role}.by-checks":
                    steps[role] += int(amount)
        return BattleOutcome(
            crt_roll=roll,
            crt=crt,
            absorbed=absorbed,
            losses=tuple(losses.values()),
            checks=tuple(self._read_checks()),
            obligations=tuple(self._list_obligations()),
            retreats=self.list_withdrawals(),
            repulses=self.list_repulses(),
            passed_over=self.against_priorities(),
            way_losses=dict(toll.steps),
            way_levels=dict(toll.levels),
            places=dict(toll.moved),
            vacated=self._is_hex_left(),
            attacker_steps=steps["attacker"],
            defender_steps=steps["defender"],
            attacker_due=due["attacker"],
            defender_due=due["defender"],
        )

    def count_steps_due(self) -> Counter[Role]:
        """Return the steps that each side has yet to share out."""
        due = Counter[Role]()
        for situation, node, taken in self.resolved.trace:
            if taken is not None or not isinstance(node, Choice):
                continue
            match situation:
                case SideProgress(stage="shares", side=side):
                    due[side.role] += int(node.notes[f"{side.role}.losses"])
                case SideProgress(stage="absorbs", side=side, steps=steps):
                    due[side.role] += steps
                case ForceLosses(role, steps=steps):
                    due[role] += steps
                case Retreats(steps_to_share=shares):
                    for force in shares:
                        due[force.role] += force.steps
        return due

    def _read_result(self) -> tuple[int | None, str]:
        """Return the roll on the Combat Results Table and its cell, or None and "" until the roll is made."""
        roll, crt = None, ""
        for situation, _, taken in self.resolved.trace:
            if isinstance(situation, Start) and isinstance(taken, int):
                roll = taken
            elif isinstance(situation, Decided):
                crt = situation.text
        return roll, crt

    def _read_losses(self) -> tuple[dict[Role, SideLosses], dict[str, int]]:
        """Return the step loss rolls by side, and the steps that fortress units lost in place of retreats, by unit."""
        losses = dict[Role, SideLosses]()
        absorbed = dict[str, int]()
        for situation, node, taken in self.resolved.trace:
            if not isinstance(situation, SideProgress):
                continue
            role = situation.side.role
            if isinstance(node, Roll) and isinstance(taken, int):
                losses[role] = _describe_roll(role, node, taken, situation.modifier)
                absorbed |= dict(situation.side.absorbed)
            elif role in losses and situation.stage == "shares":
                losses[role] = replace(losses[role], steps=situation.steps, ec=situation.modifier)
            elif role in losses and situation.stage == "gives":
                units = self.combat.engagement.side(role)
                shared = {unit.id: lost for unit, lost in zip(units, situation.lost, strict=True) if lost}
                losses[role] = replace(losses[role], losses=shared)
            elif role in losses and situation.stage == "checks":
                losses[role] = replace(losses[role], modifier_to=situation.bonus)
        return losses, absorbed

    def _read_checks(self) -> Iterable[CheckOutcome]:
        checks = dict[str, CheckOutcome]()
        for situation, _, taken in self.resolved.trace:
            match situation:
                case StackCheck(stack, forces) if isinstance(taken, int):
                    for force in forces:
                        checks[force.name] = self._describe_check(stack, force, taken)
                case ForceLosses(force=name, lost=lost) if lost is not None:
                    checks[name] = replace(checks[name], losses=dict(lost))
        return checks.values()

    def _list_obligations(self) -> Iterator[Obligation]:
        """Yield the hexes that Forces must retreat by the result and by their checks."""
        for situation, _, _ in self.resolved.trace:
            if isinstance(situation, StackCheck) and situation.rolled:
                stack = situation.stack
                for force in situation.forces:
                    by_check = force.suffered.retreat
                    if stack.retreat + by_check and force.suffered.steps < force.left:
                        hexes = stack.retreat + by_check
                        yield Obligation(force.name, stack.place, stack.retreat, by_check, hexes)

    def _is_hex_left(self) -> bool | None:
        """Return whether the defender's hex is left empty after the checks, or None while that is unknown."""
        vacates = None
        for name, value in self.resolved.notes:
            if name == "defender.vacates":
                vacates = bool(value)
        return vacates

    def list_withdrawals(self) -> tuple[Withdrawal, ...]:
        """Return the retreats that were carried out, in order."""
        every = (situation for situation, _, _ in self.resolved.trace if isinstance(situation, Retreats))
        return tuple(_describe_withdrawal(retreats, retreats.price) for retreats in every if retreats.price)

    def list_repulses(self) -> tuple[RepulseTried, ...]:
        """Return the Repulses that were tried, in order."""
        every = (situation for situation, _, _ in self.resolved.trace if isinstance(situation, RetreatRepulse))
        return tuple(_describe_repulse(tried) for tried in every if tried.repulsed is not None)

    def against_priorities(self) -> tuple[PassedOver, ...]:
        """Return the hexes of retreats chosen although the priorities prefer another one offered. Rule: 11.2.2a"""
        better_hexes = []
        for situation, node, taken in self.resolved.trace:
            if (
                not (isinstance(situation, Retreats) and isinstance(node, Choice))
                or node.rule != "11.2.2"
                or taken is None
            ):
                continue
            offered = hexes_around(self.combat, situation)
            entered = next(hex for hex in offered if hex.hex == taken)
            better = hex_passed_over(entered, offered)
            if better:
                better_hexes.append(PassedOver(entered.hex, *better))
        return tuple(better_hexes)

    def _describe_check(self, stack: Stack, force: ForceCheck, natural: int) -> CheckOutcome:
        margin = natural - force.up_to
        suffered = failure(margin, force.standing, self.combat.engagement.readings.disordered_again)
        added = total_of(force.modifiers)
        return CheckOutcome(
            force=force.name,
            side=stack.role,
            place=stack.place,
            natural=natural,
            modifiers=force.modifiers,
            added=added,
            modified=natural + added,
            cel=force.cel,
            margin=margin,
            passed=margin <= 0,
            cel_loss=suffered.cel,
            retreat=suffered.retreat,
            steps=suffered.steps,
            disorder=suffered.disorder,
        )


def _describe_roll(role: Role, roll: Roll, natural: int, by_result: int) -> SideLosses:
    """Return a side's step loss roll.

    `by_result`: the modifier of the combat's result.
    """
    modifiers = roll.modifiers[role]
    added = total_of(modifiers)
    return SideLosses(
        side=role,
        natural=natural,
        by_result=by_result,
        modifiers=modifiers,
        added=added,
        modified=natural + added,
    )


def _describe_withdrawal(retreats: Retreats, price: StackPrice) -> Withdrawal:
    """Return the finished retreat of the first stack as the outcome reports it."""
    duty, way = retreats.duties[0], retreats.way
    hexes_of = dict(duty.hexes)
    places = (duty.start, *way)
    ends = {force.force: places[min(hexes_of[force.force], len(way))] for force in price.forces}
    return Withdrawal(
        side=duty.role,
        place=duty.place,
        start=duty.start,
        cause=retreats.cause,
        owed=min((hexes for name, hexes in duty.hexes if name not in dict(duty.extra_hexes)), default=len(way)),
        way=way,
        charges=price.charges,
        forces=price.forces,
        surrendered=price.surrendered,
        ends=ends,
        departed=price.departed,
        trains=price.trains,
        beyond=tuple(name for name, _ in duty.extra_hexes if name in ends),
    )


def _describe_repulse(tried: RetreatRepulse) -> RepulseTried:
    """Return a finished Repulse as the outcome reports it."""
    return RepulseTried(
        place=tried.retreats.duties[0].place,
        here=tried.retreats.here,
        at=tried.at,
        force=tried.force,
        odds=tried.odds,
        crt=tried.crt,
        repulsed=bool(tried.repulsed),
        failed=tried.failed,
        leaders=tried.leaders,
    )
