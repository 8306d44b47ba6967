"""The check of a Forced March, and the cost of a failure (8.3.2, 8.3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import Gather, MissingFacts, Step, View, note, step
from assistant.asking.play import play_procedure
from assistant.mechanics.chances import Chances, Likelihood
from assistant.mechanics.procedure import Done, LookUp, Modifier, Node, Procedure, Situation, Stuck
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitId

from ..combat.checks import check_roll
from ..forces.armies import company_of
from ..forces.movement_points import march_due
from ..forces.spending import MovementSpending, Purpose, check_modifiers
from ..forces.unit import gather_unit
from ..forces.units import CombatUnit

MIN_LARGE_STEPS = 6
"""Minimum steps of infantry in the table's column for large units (8.3.3)."""
MAX_LEVELS_LOST = 4
"""Maximum number of levels that a formation can lose (7.1)."""


class MarchCheck(msgspec.Struct, frozen=True):
    """A Forced March to be checked."""

    unit: CombatUnit
    modifiers: tuple[Modifier, ...] = ()
    purpose: Purpose = "move"
    moves_alone: bool = True
    """Whether the unit moves without a formation."""

    @property
    def converts(self) -> bool:
        """Whether the unit loses a step for each level: it is Demoralized, or an Asset Unit that moves alone.

        Rule: 8.3.3b
        """
        return self.unit.demoralized or (not self.unit.formation and self.moves_alone)


def read_check(
    facts: Gather, unit: Unit, points: Fraction, purpose: Purpose = "move", *, moves_alone: bool = True
) -> MarchCheck:
    """Return the Forced March of a unit before its check.

    `points`: the Movement Points beyond the allowance.
    `purpose`, `moves_alone`: as in `MarchCheck`.
    """
    combat_unit = gather_unit(facts, unit, "attacker", guns=False)
    modifiers = check_modifiers(facts, combat_unit.id, points, in_low_supply=combat_unit.low_supply)
    return MarchCheck(combat_unit, modifiers, purpose, moves_alone)


def column(unit: CombatUnit) -> str:
    """Return the column of the Forced March Results Table: cavalry, or infantry by its steps. Rule: 8.3.3"""
    if unit.arm == "cavalry":
        return "cavalry"
    return "infantry-large" if unit.left >= MIN_LARGE_STEPS else "infantry-small"


def march(check: MarchCheck, look_up: LookUp) -> Procedure:
    """Return the procedure of a Forced March: a check, and after a failure the table.

    A situation is the margin by which the check failed, 0 if it passed.

    Rule: 8.3.2, 8.3.3
    """
    unit = check.unit

    def failed_by(natural: int) -> Situation:
        return max(natural + sum(modifier.amount for modifier in check.modifiers) - unit.cel, 0)

    def node(situation: Situation) -> Node:
        if not isinstance(situation, int):
            return check_roll("ec", "8.3.2", f"of {unit.id}", {unit.id: check.modifiers}, failed_by)
        if not situation:
            return Done({"failed_by": 0, "lost_levels": 0, "lost_steps": 0, "marker": False})
        key = (column(unit), situation)
        cell = look_up("forced-march", *key)
        if cell is None:
            return Stuck(("forced-march", key), {"failed_by": situation})
        levels, steps = price_of_failure(check, int(cell.values["cel"]), int(cell.values["steps"]))
        marker = bool(unit.prepared) and cell.values["marker"] == "yes"
        return Done({"failed_by": situation, "lost_levels": levels, "lost_steps": steps, "marker": marker})

    return node


def price_of_failure(check: MarchCheck, levels: int, steps: int) -> tuple[int, int]:
    """Return the levels and steps that a unit loses by a result of the table.

    Levels beyond the end of the track become steps. A formation that spends all the points on an Improved Position
    loses no steps.

    `levels`, `steps`: the losses in the table.

    Rule: 8.3.3a, 8.3.3b
    """
    levels_lost = 0 if check.converts else min(levels, MAX_LEVELS_LOST - check.unit.levels)
    if check.purpose == "position" and check.unit.formation:
        return levels_lost, 0
    return levels_lost, min(steps + levels - levels_lost, check.unit.left)


# --- units that owe a check -------------------------------------------------------------------------------------------


def marchers_of(view: View, side: str = "") -> dict[str, Fraction]:
    """Return the Movement Points beyond the allowance for which units on the map owe a check, by unit.

    An Asset Unit is left out if it checks with its formation.

    `side`: the side of the units, or "" for both.
    """
    units = [view.state.units[name] for name in view.stated_about.get("spent", ()) if name in view.state.units]
    there = [unit for unit in units if unit.place is not None and side in ("", view.side_of(unit.id))]
    points = {unit.id: march_due(view, unit.id) for unit in there}
    marching = [unit for unit in there if points[unit.id]]
    checking = {unit.id for unit in marching}
    with view.gather() as facts:
        return {unit.id: points[unit.id] for unit in marching if company_of(facts, unit) not in checking}


# --- risks of a march before its check --------------------------------------------------------------------------------

Lost = Annotated[tuple[Likelihood, ...] | None, note("each with its chance, null without the chart")]


class MarchAhead(msgspec.Struct, frozen=True, kw_only=True):
    """A Forced March still to be checked, with its possible costs."""

    unit: UnitId
    points: Annotated[Fraction, note("Movement Points beyond the allowance")]
    passes: Annotated[Fraction, note("the chance that the unit passes its check")]
    levels: Annotated[Lost, note("Combat Effectiveness Levels that the check may cost, each with its chance")] = None
    steps: Annotated[Lost, note("steps that the check may cost, each with its chance")] = None


def march_ahead(view: View, spends: MovementSpending) -> MarchAhead | None:
    """Return the possible costs of a unit's Forced March.

    Returns None if the unit has no check of its own or its chance is unknown. Losses are left out if the Forced March
    Results Table or facts of the unit are not known.
    """
    if not spends.march or spends.passes is None:
        return None
    ahead = MarchAhead(unit=spends.unit, points=spends.march, passes=spends.passes)
    try:
        with view.gather() as facts:
            checking = read_check(facts, view.unit(spends.unit), spends.march)
    except MissingFacts:
        return ahead
    chances = play_procedure(view, march(checking, view.cell), checking, {}).chances
    if chances is None:
        return ahead
    levels, steps = likely_losses(chances)
    return msgspec.structs.replace(ahead, levels=levels, steps=steps)


def likely_losses(chances: Chances) -> tuple[tuple[Likelihood, ...], tuple[Likelihood, ...]]:
    """Return the chances of each number of levels, and of each number of steps, that a check may cost."""
    return chances.likelihoods("lost_levels"), chances.likelihoods("lost_steps")


def risk_steps(levels: Sequence[Likelihood] | None, steps: Sequence[Likelihood] | None, unit: str = "") -> list[Step]:
    """Return steps on the levels and the strength steps that a check may cost, with their chances.

    `levels`, `steps`: None if they are not known.
    `unit`: the unit to name, or "" to name none.
    """
    text = "{unit}: {what} lost: {likelihoods}" if unit else "{what} lost: {likelihoods}"
    lines = list[Step]()
    if levels is not None:
        lines.append(step("8.3.3", text, unit=unit, what="levels", likelihoods=tuple(levels)))
    if steps is not None:
        lines.append(step("8.3.3", text, unit=unit, what="steps", likelihoods=tuple(steps)))
    return lines
