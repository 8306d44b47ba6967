"""The check of a Forced March, and what it costs a unit to fail (8.3.2, 8.3.3)."""

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

LARGE = 6
"""Steps from which infantry reads the column of large units (8.3.3)."""
LOWEST = 4
"""Levels that a formation can lose (7.1)."""


class MarchCheck(msgspec.Struct, frozen=True):
    """A Forced March before its check."""

    unit: CombatUnit
    modifiers: tuple[Modifier, ...] = ()
    purpose: Purpose = "move"
    alone: bool = True

    @property
    def converts(self) -> bool:
        """Whether each level that it would lose is a step: a Demoralized unit, or an Asset Unit that moves alone.
        Rule: 8.3.3b
        """
        return self.unit.demoralized or (not self.unit.formation and self.alone)


def read_check(
    facts: Gather, unit: Unit, points: Fraction, purpose: Purpose = "move", *, alone: bool = True
) -> MarchCheck:
    """Return the Forced March of a unit before its check. points: beyond its allowance; purpose, alone: as of the
    check.
    """
    now = gather_unit(facts, unit, "attacker", guns=False)
    return MarchCheck(now, check_modifiers(facts, now.id, points, low=now.low_supply), purpose, alone)


def column(unit: CombatUnit) -> str:
    """Return the column of the Forced March Results Table: cavalry, or infantry by its steps. Rule: 8.3.3"""
    if unit.arm == "cavalry":
        return "cavalry"
    return "infantry-large" if unit.left >= LARGE else "infantry-small"


def march(of: MarchCheck, look_up: LookUp) -> Procedure:
    """Return the procedure of a Forced March: one check, and if it fails the table by how much it failed.

    Rule: 8.3.2, 8.3.3
    """

    def then(natural: int) -> Situation:
        return max(natural + sum(modifier.amount for modifier in of.modifiers) - of.unit.cel, 0)

    def node(situation: Situation) -> Node:
        if not isinstance(situation, int):
            return check_roll("ec", "8.3.2", f"of {of.unit.id}", {of.unit.id: of.modifiers}, then)
        if not situation:
            return Done({"failed_by": 0, "lost_levels": 0, "lost_steps": 0, "marker": False})
        key = (column(of.unit), situation)
        cell = look_up("forced-march", *key)
        if cell is None:
            return Stuck(("forced-march", key), {"failed_by": situation})
        levels, steps = price_of_failure(of, int(cell.values["cel"]), int(cell.values["steps"]))
        marker = bool(of.unit.prepared) and cell.values["marker"] == "yes"
        return Done({"failed_by": situation, "lost_levels": levels, "lost_steps": steps, "marker": marker})

    return node


def price_of_failure(of: MarchCheck, levels: int, steps: int) -> tuple[int, int]:
    """Return the levels and steps that a result costs: what does not fit on the track becomes steps, unless all the
    points went into an Improved Position, where steps and what does not fit are nothing. Rule: 8.3.3a, 8.3.3b
    """
    fits = 0 if of.converts else min(levels, LOWEST - of.unit.levels)
    if of.purpose == "position" and of.unit.formation:
        return fits, 0
    return fits, min(steps + levels - fits, of.unit.left)


# --- who owes a check -------------------------------------------------------------------------------------------------


def marchers_of(view: View, side: str = "") -> dict[str, Fraction]:
    """Return the units on the map that have spent Movement Points beyond their allowance and not checked for them, with
    these points; an Asset Unit whose formation checks too checks with it. side: "" for both.
    """
    units = [view.state.units[name] for name in view.stated_about.get("spent", ()) if name in view.state.units]
    there = [unit for unit in units if unit.place is not None and side in ("", view.side_of(unit.id))]
    due = {unit.id: march_due(view, unit.id) for unit in there}
    marching = [unit for unit in there if due[unit.id]]
    checking = {unit.id for unit in marching}
    with view.gather() as facts:
        return {unit.id: due[unit.id] for unit in marching if company_of(facts, unit) not in checking}


# --- what a march risks before its check ------------------------------------------------------------------------------

Lost = Annotated[tuple[Likelihood, ...] | None, note("each with its chance, null without the chart")]


class MarchAhead(msgspec.Struct, frozen=True, kw_only=True):
    """A Forced March whose check is still to come, and what it may cost."""

    unit: UnitId
    points: Annotated[Fraction, note("Movement Points beyond the allowance")]
    passes: Annotated[Fraction, note("the chance that the unit passes its check")]
    levels: Annotated[Lost, note("Combat Effectiveness Levels that the check may cost, each with its chance")] = None
    steps: Annotated[Lost, note("steps that the check may cost, each with its chance")] = None


def march_ahead(view: View, spends: MovementSpending) -> MarchAhead | None:
    """Return what a move by Forced March may cost a unit that checks for itself, None for one that does not, or whose
    effectiveness is not stated. What a failure costs is left out where the Forced March Results Table or the unit is
    not known.
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
    """Return the levels and the steps that a check may cost, each with their chances."""
    return chances.likelihoods("lost_levels"), chances.likelihoods("lost_steps")


def risk_steps(levels: Sequence[Likelihood] | None, steps: Sequence[Likelihood] | None, unit: str = "") -> list[Step]:
    """Return what a check may cost, levels and steps each with their chances, as far as they are known. unit: whose
    check it is, "" where that goes without saying.
    """
    text = "{unit}: {what} lost: {likelihoods}" if unit else "{what} lost: {likelihoods}"
    lines = list[Step]()
    if levels is not None:
        lines.append(step("8.3.3", text, unit=unit, what="levels", likelihoods=tuple(levels)))
    if steps is not None:
        lines.append(step("8.3.3", text, unit=unit, what="steps", likelihoods=tuple(steps)))
    return lines
