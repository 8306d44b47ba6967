"""What a combat changes: losses, what the rest of its attack phase has to know, and Victory Points (10.1, 10.2.1, 11.1, 27.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from assistant.mechanics.procedure import Modifier
from assistant.questions.view import View, changed
from assistant.state.changes import Change

from ..combat.strength import PREPARED
from ..forces.step_changes import step_losses
from ..forces.tasks import removed_by_attack
from ..forces.units import SIDES, CombatUnit, forces
from ..results.combat import Combat
from ..results.outcome import BattleOutcome

DIVISIONS = {"infantry": 4, "cavalry": 2}
"""For each enemy division that is eliminated (27.2)."""


def for_prepared_attack(shift: int, magnitude: str, phase: str) -> int:
    """What a Prepared Attack earns its attacker, unless the scenario has put an end to that: a point if it was given the
    column for it, is not Small and was fought in the Attack Phase.

    shift: columns that it was given for it; phase: the phase, "" if not stated: markers come off after the Attack Phase (27.2).
    """
    return int(shift > 0 and magnitude != "Small" and phase != "counter-attack")


def for_divisions(eliminated: Iterable[CombatUnit]) -> int:
    """What eliminated enemies earn: formations of the size of a division, brigades nothing (27.2)."""
    return sum(DIVISIONS.get(unit.arm, 0) for unit in eliminated if unit.formation and unit.size == "XX")


def with_points(combat: Combat, after: BattleOutcome, shifts: Sequence[Modifier]) -> BattleOutcome:
    """The outcome once all dice are rolled, with the Victory Points that it earns. shifts: the combat's column shifts."""
    engagement, lost = combat.engagement, after.lost()
    won, given = (
        for_divisions(unit for unit in units if lost[unit.id] >= unit.left)
        for units in (engagement.defenders, engagement.attackers)
    )
    prepared = sum(shift.amount for shift in shifts if shift.rule == PREPARED)
    phase = engagement.attack_phase.phase
    earned = for_prepared_attack(prepared, combat.magnitude, phase)
    supposed = "attack" if earned and not phase else ""
    return msgspec.structs.replace(after, attacker_points=earned + won, defender_points=given, supposed_phase=supposed)


def remembered(view: View, combat: Combat, after: BattleOutcome) -> tuple[Change, ...]:
    """What the rest of the attack phase has to know: that the hex has been attacked, who has fought, who owes how many hexes of
    retreat; a Prepared Attack marker that pointed at an empty hex comes off. Rule: 10.1b, 10.3b
    """
    engagement, lost = combat.engagement, after.lost()
    todo = [changed(view, "attacked", engagement.at, True, "10.1")]
    fighting = [unit for unit in engagement.units if lost[unit.id] < unit.left]
    todo += [changed(view, "fought", unit.id, True, "10.1") for unit in fighting]
    idle_markers = [
        unit for unit in engagement.attackers if unit in fighting and unit.prepared not in ("", engagement.at)
    ]
    todo += [changed(view, "prepared", unit.id, None, "10.3") for unit in idle_markers]
    todo += removed_by_attack(view, [unit.id for unit in fighting if unit in engagement.defenders])
    every = [force for role in SIDES for stack in combat.forces[role].values() for force in stack]
    due = {duty.force: duty.hexes for duty in after.obligations}
    for force in (*every, *forces(engagement.withheld)):
        alive = [unit for unit in force.units if force.name in due and lost[unit.id] < unit.left]
        todo += [changed(view, "owes", unit.id, due[force.name], "11.2.1") for unit in alive]
    return tuple(todo)


def losses_and_levels(view: View, combat: Combat, after: BattleOutcome) -> tuple[Change, ...]:
    """What the outcome changes: steps, sides, eliminations, effectiveness and Disorder. Retreats stay obligations.
    Rule: 11.1, 3.4.1b, 7.1, 7.4
    """
    lost, units = after.lost(), {unit.id: unit for unit in combat.engagement.units}
    todo: list[Change] = []
    for unit in units.values():
        todo += step_losses(view, unit, lost[unit.id]) if lost[unit.id] else ()
    for check in after.checks:
        formation = units[check.force]
        if formation.formation and lost[formation.id] < formation.left:
            if check.cel_loss:
                todo.append(changed(view, "cel", formation.id, -formation.levels - check.cel_loss, "11.3.2"))
            if check.disorder > formation.disorder:
                todo.append(changed(view, "disorder", formation.id, check.disorder, "11.3.2"))
    return tuple(todo)
