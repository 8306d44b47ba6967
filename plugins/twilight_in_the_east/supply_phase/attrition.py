"""What Forces Out of Supply suffer in their Supply Phase: surrender, levels, steps (14.4 steps 5 to 7, 14.6)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import msgspec

from assistant.mechanics.procedure import Apart, Choice, Dice, Done, Node, Procedure, Roll, Situation

from ..forces.losses import Losses, Share, Ways, by_unit, free_distributions, steps_title, why_not_free
from ..forces.units import is_demoralized

LOWEST = 4
"""Levels below which no formation sinks."""
SURRENDERS = 4
"""The least roll of a die on which a Force surrenders."""
OUT_OF_SUPPLY = 1
"""Levels that a Force loses which is Out of Supply but not Isolated."""
ISOLATED = {"german": 2}
ISOLATED_OTHERS = 3
"""Levels that an Isolated Force loses: a German one, and any other."""


class UnsuppliedForce(msgspec.Struct, frozen=True, kw_only=True):
    """A Force that is Out of Supply."""

    name: str
    """Its formation, or the first of its Asset Units."""
    nation: str
    units: tuple[str, ...]
    isolated: bool | None = False
    """None while that is open."""
    formation: bool = True
    """Whether it has one."""
    levels: int = 0
    """Combat Effectiveness Levels that this has lost."""
    disorder: int = 0
    """Its degree of Disorder."""

    @property
    def demoralized(self) -> bool:
        """Whether it counts as Demoralized, which Asset Units alone never do (7.3)."""
        return self.formation and is_demoralized(self.levels, self.disorder)

    @property
    def may_surrender(self) -> bool:
        """Whether it is checked for surrender: Demoralized and Isolated. Rule: 14.4e"""
        return bool(self.isolated) and self.demoralized


def if_isolated(force: UnsuppliedForce) -> UnsuppliedForce | None:
    """Return a Force as it is if it proves to be Isolated, None where that is settled."""
    return None if force.isolated is not None else msgspec.structs.replace(force, isolated=True)


class AttritionLoss(NamedTuple):
    """What a Force loses."""

    levels: int = 0
    steps: int = 0
    each: bool = False
    """Whether each of its units loses these steps, not the Force as a whole."""


def loss(force: UnsuppliedForce, lone_assets: str = "force") -> AttritionLoss:
    """Return what being Out of Supply costs a Force that has not surrendered: levels, and steps for what its formation
    cannot lose. One of which it is open whether it is Isolated counts as not Isolated.

    lone_assets: ruling isolated-assets, whether Isolated Asset Units without a formation lose their steps together or
    each.
    Rule: 14.4f, 14.4g
    """
    due = ISOLATED.get(force.nation, ISOLATED_OTHERS) if force.isolated else OUT_OF_SUPPLY
    if not force.formation:
        return AttritionLoss(0, due, each=not force.isolated or lone_assets == "each")
    fits = 0 if force.demoralized else min(due, LOWEST - force.levels)
    return AttritionLoss(fits, due - fits)


# --- as a procedure ---------------------------------------------------------------------------------------------------


class SurrenderSettled(msgspec.Struct, frozen=True):
    """A Force once it is known whether it surrenders."""

    force: UnsuppliedForce
    surrenders: bool = False


class Fate(msgspec.Struct, frozen=True):
    """What has become of a Force."""

    force: UnsuppliedForce
    surrendered: bool = False
    levels: int = 0
    """Those that it has lost."""
    steps: tuple[tuple[str, int], ...] = ()
    """Those that it has lost, by unit."""


class ForceSteps(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the units that may lose steps."""

    shares: Mapping[str, tuple[Share, ...]] = {}
    """Who may take them, by Force."""
    worth: Mapping[str, int] = {}
    """The Victory Points that a unit is worth."""
    lone_assets: str = "force"

    def points(self, fate: Fate) -> int:
        """Return the Victory Points that the enemy gains (27.2.5)."""
        lost = dict(fate.steps)
        shares = self.shares.get(fate.force.name, ())
        gone = [share.name for share in shares if fate.surrendered or 0 < share.left <= lost.get(share.name, 0)]
        return sum(self.worth.get(name, 0) for name in gone)


def attrition(forces: tuple[UnsuppliedForce, ...], known: ForceSteps) -> Procedure:
    """Return the procedure of the Forces that are Out of Supply, each by itself; it starts from `forces` (14.4e, 14.4f,
    14.4g, 14.6).
    """

    def node(situation: Situation) -> Node:
        match situation:
            case UnsuppliedForce() if situation.may_surrender:
                return surrender_roll(situation)
            case UnsuppliedForce():
                return _resolve_losses(SurrenderSettled(situation), known)
            case SurrenderSettled():
                return _resolve_losses(situation, known)
            case Fate():
                return Done({"points": known.points(situation), "surrenders": int(situation.surrendered)})
            case tuple():
                return Apart({force.name: force for force in forces})
            case _:
                raise TypeError(f"{situation!r} is not a situation of attrition")

    return node


def surrender_roll(force: UnsuppliedForce) -> Roll:
    """Return the die for a Demoralized and Isolated Force, which surrenders on 4 to 6. Rule: 14.6"""

    def then(natural: int) -> Situation:
        return SurrenderSettled(force, natural >= SURRENDERS)

    return Roll(f"surrender.{force.name}", "14.6", f"whether {force.name} surrenders", Dice(1, 6), {}, then)


def _resolve_losses(settled: SurrenderSettled, known: ForceSteps) -> Node:
    """Return what a Force loses that has not surrendered; who takes its steps is its owner's choice (14.4f, 14.4g)."""
    force = settled.force
    if settled.surrenders:
        return Apart({"": Fate(force, surrendered=True)})
    levels, steps, each = loss(force, known.lone_assets)
    if not steps:
        return Apart({"": Fate(force, levels=levels)})
    shares = known.shares[force.name]
    if each:
        lost = tuple((share.name, min(steps, share.left)) for share in shares)
        return Apart({"": Fate(force, steps=lost)})

    def then(losses: Losses) -> Situation:
        return Fate(force, levels=levels, steps=by_unit(shares, losses))

    options = Ways(shares, free_distributions(shares, steps), then)
    title = steps_title(steps, f"that {force.name} loses")
    why_not = partial(why_not_free, shares, steps)
    return Choice(f"losses.{force.name}", "14.4", title, "owner", options, why_not=why_not)
