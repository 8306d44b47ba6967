"""What the dice of a combat lead to: losses, checks and obligations to retreat (10.9 to 11.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import msgspec

from assistant.mechanics.procedure import Apart, Done, Modifier, Resolution, Roll
from assistant.questions import note

from ..combat.engagement import Engagement
from ..forces.units import Role, forces
from .combat import Combat
from .effectiveness import Standing, failure
from .states import Decided, ForceLost, SideChecks, SideLoses, SideLost, SideRolls, StackChecked, StackChecks, Start


class SideLosses(msgspec.Struct, frozen=True):
    """One side's roll on the Step Loss Results Table."""

    side: Annotated[str, note("attacker or defender")]
    natural: Annotated[int, note("the roll")]
    by_result: Annotated[int, note("the modifier of the Combat Results Table")]
    modifiers: Annotated[tuple[Modifier, ...], note("all modifiers of the roll")]
    modified: Annotated[int, note("the roll with its modifiers")]
    steps: Annotated[int | None, note("steps lost")] = None
    ec: Annotated[int | None, note("modifier of one Force's check, both null where the chart's cell is not known")] = (
        None
    )
    losses: Annotated[dict[str, int] | None, note("steps by unit, null until they are shared out")] = None
    modifier_to: Annotated[str, note("the Force that takes the modifier")] = ""


class CheckOutcome(msgspec.Struct, frozen=True):
    """One Force's Effectiveness Check."""

    force: Annotated[str, note("its first unit")]
    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("its hex")]
    natural: Annotated[int, note("the roll")]
    modifiers: Annotated[tuple[Modifier, ...], note("the modifiers of the roll")]
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


Earned = Annotated[
    int,
    note(
        "Victory Points that a side earns at once, for a Prepared Attack and for enemy divisions eliminated before any retreat"
    ),
]


class BattleOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the dice led to, as far as they were given."""

    crt_roll: Annotated[int | None, note("the roll, null before it")] = None
    crt: Annotated[str, note("the cell, attacker / defender")] = ""
    absorbed: Annotated[dict[str, int], note("steps that fortress units lose instead of retreating")] = {}
    losses: Annotated[tuple[SideLosses, ...], note("both sides' rolls for step losses")] = ()
    checks: Annotated[tuple[CheckOutcome, ...], note("the Effectiveness Checks")] = ()
    obligations: Annotated[tuple[Obligation, ...], note("retreats that are due")] = ()
    attacker_steps: Annotated[int, note("steps lost in all")] = 0
    defender_steps: Annotated[int, note("steps lost in all")] = 0
    vacated: Annotated[
        bool | None,
        note("whether the defender's hex is left empty, so that attackers may advance, null while it is not known"),
    ] = None
    advance: Annotated[
        tuple[str, ...] | None,
        note("the units that then may, within the stacking limits, null while that is not known"),
    ] = None
    guns_stay: Annotated[
        tuple[str, ...], note("those among the other artillery units that an un-bridged river stops")
    ] = ()
    attacker_points: Earned = 0
    defender_points: Earned = 0

    def lost(self) -> Counter[str]:
        """Steps lost by unit, to the Step Loss Results Table, to checks and in place of retreats."""
        lost = Counter(self.absorbed)
        for taken in (*(side.losses for side in self.losses), *(check.losses for check in self.checks)):
            lost.update(taken or {})
        return lost


def outcome(combat: Combat, resolved: Resolution) -> BattleOutcome:
    """The outcome that a resolution has reached."""
    crt_roll, crt = None, ""
    losses: dict[Role, SideLosses] = {}
    checks: list[CheckOutcome] = []
    obligations: list[Obligation] = []
    wiped_out: list[Obligation] = []
    steps: dict[Role, int] = {"attacker": 0, "defender": 0}
    vacated = None
    absorbed: dict[str, int] = {}
    for situation, node, taken in resolved.trace:
        if isinstance(situation, Start) and isinstance(taken, int):
            crt_roll = taken
        elif isinstance(situation, Decided):
            crt = f"{situation.attacker} / {situation.defender}"
        elif isinstance(situation, SideRolls) and isinstance(node, Roll) and isinstance(taken, int):
            role = situation.side.role
            modifiers = node.modifiers[role]
            modified = taken + sum(modifier.amount for modifier in modifiers)
            losses[role] = SideLosses(role, taken, situation.modifier, modifiers, modified)
            steps[role] += situation.side.fortress
            absorbed |= dict(situation.side.absorbed)
        elif isinstance(situation, SideLoses):
            role = situation.side.role
            losses[role] = msgspec.structs.replace(losses[role], steps=situation.steps, ec=situation.ec)
        elif isinstance(situation, SideLost):
            role = situation.side.role
            shared = dict(zip((unit.id for unit in combat.engagement.side(role)), situation.lost, strict=True))
            losses[role] = msgspec.structs.replace(losses[role], losses={u: n for u, n in shared.items() if n})
            steps[role] += sum(situation.lost)
        elif isinstance(situation, SideChecks):
            role = situation.side.role
            losses[role] = msgspec.structs.replace(losses[role], modifier_to=situation.bonus)
        elif isinstance(situation, StackChecks) and not situation.forces:
            wiped_out.append(Obligation("", situation.place, situation.retreat, 0, situation.retreat))
        elif isinstance(situation, StackChecks) and isinstance(taken, int):
            checks += [check_outcome(combat, situation, *force[:4], taken) for force in situation.forces]
        elif isinstance(situation, ForceLost):
            shared = dict(situation.lost)
            checks = [
                msgspec.structs.replace(check, losses=shared) if check.force == situation.force else check
                for check in checks
            ]
        if isinstance(situation, StackChecked):
            for name, _, suffered, shares_left in situation.forces:
                left = sum(share.left for share in shares_left)
                steps[situation.role] += min(suffered.steps, left)
                hexes = situation.retreat + suffered.retreat
                duty = Obligation(name, situation.place, situation.retreat, suffered.retreat, hexes)
                (obligations if suffered.steps < left else wiped_out).append(duty)
        if isinstance(node, Done | Apart) and "defender.vacates" in node.notes:
            vacated = bool(node.notes["defender.vacates"])
    obligations = [duty for duty in obligations if duty.hexes]
    if vacated:
        obligations += drawn_along(combat.engagement, obligations, wiped_out)
    return BattleOutcome(
        crt_roll=crt_roll,
        crt=crt,
        absorbed=absorbed,
        losses=tuple(losses.values()),
        checks=tuple(checks),
        obligations=tuple(obligations),
        attacker_steps=steps["attacker"],
        defender_steps=steps["defender"],
        vacated=vacated,
    )


def drawn_along(
    engagement: Engagement, obligations: Sequence[Obligation], wiped_out: Sequence[Obligation]
) -> list[Obligation]:
    """What withheld defenders owe once all others have left their hex: the smallest retreat of these, of those that are wiped out
    only where nobody else is left; they make no check.

    wiped_out: what the Forces that are wiped out would owe. Rule: 10.1.5f
    """
    owed = [
        [duty for duty in duties if duty.hexes and duty.place == engagement.at] for duties in (obligations, wiped_out)
    ]
    least = min(owed[0] or owed[1], key=lambda duty: duty.hexes, default=None)
    if least is None:
        return []
    return [msgspec.structs.replace(least, force=force.name) for force in forces(engagement.withheld)]


def check_outcome(
    combat: Combat,
    stack: StackChecks,
    name: str,
    cel: int,
    condition: Standing,
    modifiers: tuple[Modifier, ...],
    natural: int,
) -> CheckOutcome:
    """The check of one Force of a stack."""
    modified = natural + sum(modifier.amount for modifier in modifiers)
    suffered = failure(modified - cel, condition, combat.engagement.readings.disordered_again)
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
