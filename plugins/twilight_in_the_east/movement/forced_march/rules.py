"""Who may make a Forced March and how far, its check, and what failing that costs (8.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.mechanics.procedure import Done, LookUp, Modifier, Node, Procedure, Situation, Stuck
from assistant.mechanics.rounding import down, half_up
from assistant.questions import Step, step

from ...forces.units import CombatUnit
from ...results.effectiveness import check_roll
from ...terms import SUPPLY_ARMS

MOST = {"infantry": 3, "cavalry": 6}
"""Movement Points that a Forced March may add (8.3)."""
EACH = {"infantry": 2, "cavalry": 1}
"""What each of them after the first adds to the check (8.3.2)."""
LARGE = 6
"""Steps from which infantry reads the column of large units (8.3.3)."""
LOWEST = 4
"""Levels that a formation can lose (7.1)."""
Purpose = Literal["move", "prepared", "position", "recovery", "disorder", "ersatz", "rail"]
NEVER = {
    "recovery": "CEL Recovery",
    "disorder": "recovery from Disorder",
    "ersatz": "incorporating Ersatz replacements",
    "rail": "entraining or detraining",
}
"""What the added points cannot be spent on (8.3)."""
WORK = {"prepared": "8.4.1", "position": "13.1"}
"""What only infantry does that is not Demoralized, with the rule."""


class Marcher(NamedTuple):
    """The unit that would march, in plain values.

    asset, alone: whether it is an Asset Unit, and whether it leaves the formation in its hex; bound: the rule and the marker that
    keep it from spending points, two empty texts if none does.
    """

    arm: str
    demoralized: bool = False
    asset: bool = False
    alone: bool = True
    bound: tuple[str, str] = ("", "")


class Checking(NamedTuple):
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


def allowance(printed: int, counter: bool) -> Fraction:
    """The Movement Points of a unit in a phase, without a Forced March; the Counter Movement Phase halves them. Rule: 8.3"""
    return Fraction(printed, 2 if counter else 1)


def beyond(spent: Fraction, allowed: Fraction) -> Fraction:
    """The Movement Points beyond the allowance, of all that are spent in a phase: only their sum is rounded. Rule: 4.5a"""
    return half_up(spent) - allowed


def forbidden(marcher: Marcher, purpose: Purpose, points: Fraction, *, counter: bool) -> Step | None:
    """The rule against a Forced March: the kind of unit, a marker, what the points are for, or too many of them. An Asset Unit
    with a formation marches and checks with it. None if none forbids it.

    points: beyond the allowance; counter: whether it is the Counter Movement Phase. Rule: 8.3, 8.3b, 8.3.1
    """
    if marcher.arm not in MOST:
        kind = "a supply unit" if marcher.arm in SUPPLY_ARMS else marcher.arm
        return step("8.3.1", "{kind} makes no Forced March", kind=kind)
    rule, why = marcher.bound
    if why and (rule, purpose) != ("8.4", "prepared"):  # that marker is what the points were for
        return step("8.3.1" if rule == "8.2.4" else rule, "{why}", why=why)
    if purpose in NEVER:
        return step("8.3", "no Forced March for {purpose}", purpose=NEVER[purpose])
    if purpose in WORK and (marcher.arm != "infantry" or marcher.demoralized):
        return step(WORK[purpose], "only infantry that is not Demoralized may do that")
    if purpose == "prepared" and counter:
        return step("8.4", "no Prepared Attack marker is placed in the Counter Movement Phase")
    if marcher.asset and not marcher.alone:
        return step("6.4.1", "it marches and checks with the formation that it is attached to: ask about that unit")
    if points > (most := MOST[marcher.arm]):
        text = "{points} points exceed the limit of {most} for {kind}"
        return step("8.3", text, points=points, most=most, kind=marcher.arm)
    return None


def after_the_first(points: Fraction, reading: str) -> Fraction:
    """How many Movement Points after the first count for the check. points: beyond the allowance; reading: ruling half-march."""
    whole = {"half-up": half_up, "down": down}.get(reading, Fraction)
    return max(Fraction(whole(points)) - 1, Fraction(0))


def modifiers(unit: CombatUnit, count: Fraction, *, heat: bool) -> tuple[Modifier, ...]:
    """What is added to the check: for each point after the first two, for cavalry one; one in summer heat and in Low Supply.

    count: of points after the first; what half a point adds is rounded with the rest; heat: whether it is summer heat.
    Rule: 8.3.2, 8.3.2a
    """
    why = f"{count} point{'s' if count > 1 else ''} after the first"
    beyond = half_up(EACH[unit.arm] * count)
    every = (bool(count), why, beyond), (heat, "summer heat", 1), (unit.low_supply, "Low Supply", 1)
    return tuple(Modifier("8.3.2", why, amount) for counts, why, amount in every if counts)


def column(unit: CombatUnit) -> str:
    """The column of the Forced March Results Table: cavalry, or infantry by its steps. Rule: 8.3.3"""
    if unit.arm == "cavalry":
        return "cavalry"
    return "infantry-large" if unit.left >= LARGE else "infantry-small"


def march(of: Checking, look_up: LookUp) -> Procedure:
    """The procedure, which starts from `of`: one check, then the table by how much it failed, 0 for a pass. Rule: 8.3.2, 8.3.3"""

    def then(natural: int) -> Situation:
        return max(natural + sum(modifier.amount for modifier in of.modifiers) - of.unit.cel, 0)

    def node(situation: Situation) -> Node:
        if not isinstance(situation, int):
            return check_roll("ec", "8.3.2", f"of {of.unit.id}", {of.unit.id: of.modifiers}, then)
        if not situation:
            return Done({"failed_by": 0, "lost_levels": 0, "lost_steps": 0, "marker": False})
        key = (column(of.unit), situation)
        if (cell := look_up("forced-march", *key)) is None:
            return Stuck(("forced-march", key))
        levels, steps = suffered(of, int(cell.values["cel"]), int(cell.values["steps"]))
        marker = cell.values["marker"] == "yes"
        return Done({"failed_by": situation, "lost_levels": levels, "lost_steps": steps, "marker": marker})

    return node


def suffered(of: Checking, levels: int, steps: int) -> tuple[int, int]:
    """The levels and steps that a result costs: what does not fit on the track becomes steps, unless all the points went into
    an Improved Position, where steps and what does not fit are nothing. Rule: 8.3.3a, 8.3.3b
    """
    fits = 0 if of.converts else min(levels, LOWEST - of.unit.levels)
    if of.purpose == "position" and of.unit.formation:
        return fits, 0
    return fits, min(steps + levels - fits, of.unit.left)
