"""Attrition of Forces Out of Supply in their Supply Phase: surrender and losses (14.4 steps 5 to 7, 14.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Annotated, NamedTuple

import msgspec

from assistant.asking import (
    Answers,
    Gather,
    View,
    note,
)
from assistant.asking.asks import Ask
from assistant.asking.play import play_procedure
from assistant.asking.view import changed
from assistant.mechanics.chances import Likelihood
from assistant.mechanics.procedure import Apart, Choice, Dice, Done, Node, Procedure, Roll, Situation
from assistant.state.changes import Change

from ..forces.armies import is_asset_unit
from ..forces.losses import Losses, Share, Ways, by_unit, free_distributions, step_losses, steps_title, why_not_free
from ..forces.unit import gather_unit
from ..forces.units import CombatUnit, is_demoralized
from ..scoring.points import score_divisions
from ..supply.report import UnitSupply
from ..terms import SUPPLY_ARMS

MAX_LEVELS_LOST = 4
"""The maximum number of Combat Effectiveness Levels that a formation can have lost."""
MIN_SURRENDER_ROLL = 4
"""The minimum roll of a die on which a Force surrenders."""
LEVELS_OUT_OF_SUPPLY = 1
"""Levels lost by a Force that is Out of Supply but not Isolated."""
GERMAN_LEVELS_ISOLATED = 2
"""Levels lost by an Isolated German Force."""
LEVELS_ISOLATED = 3
"""Levels lost by any other Isolated Force."""


class ForceFate(msgspec.Struct, frozen=True, kw_only=True):
    """The attrition of a Force."""

    force: Annotated[str, note("its formation, or the first of its Asset Units")]
    units: Annotated[tuple[str, ...], note("its units")]
    isolated: Annotated[bool | None, note("whether it is Isolated, null while undecided")]
    demoralized: Annotated[bool, note("whether it counts as Demoralized")]
    surrenders: Annotated[Fraction, note("its chance of surrender before the roll, if it is Isolated")]
    surrendered: Annotated[bool | None, note("whether it has surrendered, null until rolled")]
    levels: Annotated[int, note("Combat Effectiveness Levels that the Force loses, if it does not surrender")]
    steps: Annotated[
        int,
        note(
            "steps that the Force loses, if it does not surrender; "
            "where lone Asset Units each lose steps, those of each unit"
        ),
    ]
    levels_if_isolated: Annotated[
        int | None,
        note("Combat Effectiveness Levels that the Force loses if it proves to be Isolated, null where that is known"),
    ]
    steps_if_isolated: Annotated[
        int | None, note("steps that the Force loses if it proves to be Isolated, null where that is known")
    ]
    losses: Annotated[Mapping[str, int] | None, note("steps lost by unit, null until known")]


class PlayedAttrition(NamedTuple):
    """The attrition of a side by the dice and choices given so far."""

    forces: tuple[ForceFate, ...]
    changes: tuple[Change, ...]
    asks: tuple[Ask, ...]
    points_chances: tuple[Likelihood, ...]
    """Victory Points of the enemy before the dice, with their chances."""


def play_attrition(view: View, unmarked: View, units: Sequence[UnitSupply], answers: Answers) -> PlayedAttrition:
    """Return the attrition of a side's Forces by these answers.

    `unmarked`: the position without the markers of the last Supply Phase.
    `units`: the supply found in this Supply Phase.

    Raises MissingFacts if the steps of a unit that may lose some are not known, and AnswerError if an answer is not
    due.
    """
    with unmarked.gather() as facts:
        forces = _find_forces(facts, units)
    alone = any(force.isolated and len(force.units) > 1 and not force.formation for force in forces)
    lone = view.ruling("isolated-assets", alone)
    sure = tuple(force for force in forces if force.isolated is not None)
    losing = _gather_losers(unmarked, sure, lone)
    played = play_procedure(view, attrition(sure, _known_steps(losing, lone)), sure, answers)
    played.refuse_unreached()
    reached = [taken.situation for taken in played.resolution.trace]
    fates = {situation.force.name: situation for situation in reached if isinstance(situation, Fate)}
    rolled = {known.force.name: known.surrenders for known in reached if isinstance(known, SurrenderSettled)}
    chances = played.chances
    return PlayedAttrition(
        forces=tuple(_fate_of(force, fates.get(force.name), rolled.get(force.name), lone) for force in forces),
        changes=tuple(_list_changes(view, fates.values(), losing)),
        asks=tuple(sorted(played.asks, key=lambda ask: ask.kind != "roll")),
        points_chances=chances.likelihoods("points") if chances and sure and sure == forces else (),
    )


# --- the Forces -------------------------------------------------------------------------------------------------------


class UnsuppliedForce(msgspec.Struct, frozen=True, kw_only=True):
    """A Force that is Out of Supply."""

    name: str
    """The id of the Force's formation, or of the first of its Asset Units."""
    nation: str
    units: tuple[str, ...]
    isolated: bool | None = False
    """Whether the Force is Isolated, or None if that is not known."""
    formation: bool = True
    """Whether the Force has a formation."""
    levels: int = 0
    """The Combat Effectiveness Levels that the formation has lost."""
    disorder: int = 0
    """The degree of Disorder."""

    @property
    def demoralized(self) -> bool:
        """Whether the Force counts as Demoralized; Asset Units alone never do (7.3)."""
        return self.formation and is_demoralized(self.levels, self.disorder)

    @property
    def may_surrender(self) -> bool:
        """Whether the Force is checked for surrender, as Demoralized and Isolated. Rule: 14.4e"""
        return bool(self.isolated) and self.demoralized


def _find_forces(facts: Gather, units: Sequence[UnitSupply]) -> tuple[UnsuppliedForce, ...]:
    """Return the Forces that are Out of Supply (2.1e, 14.4f).

    A Force is a formation with the Asset Units that share its supply, or Asset Units that stand together without one.
    """
    forces = dict[str, list[UnitSupply]]()
    alone = dict[tuple[str, str], str]()
    out = [row for row in units if row.could.state == "out" and facts.word("arm", row.unit) not in SUPPLY_ARMS]
    for row in sorted(out, key=lambda row: bool(row.through)):
        name = row.through or row.unit
        if not row.through and is_asset_unit(facts, row.unit):
            name = alone.setdefault((row.place, facts.word("nation", row.unit)), row.unit)
        forces.setdefault(name, []).append(row)
    return tuple(_read_force(facts, name, rows) for name, rows in forces.items())


def _read_force(facts: Gather, name: str, rows: Sequence[UnitSupply]) -> UnsuppliedForce:
    isolated = {row.isolated for row in rows}
    formation = not is_asset_unit(facts, name)
    return UnsuppliedForce(
        name=name,
        nation=facts.word("nation", name),
        units=tuple(row.unit for row in rows),
        isolated=None if True not in isolated and None in isolated else True in isolated,
        formation=formation,
        levels=-facts.integer("cel", name) if formation else 0,
        disorder=facts.integer("disorder", name) if formation else 0,
    )


def if_isolated(force: UnsuppliedForce) -> UnsuppliedForce | None:
    """Return a Force of unknown isolation as Isolated, or None if its isolation is known."""
    return None if force.isolated is not None else msgspec.structs.replace(force, isolated=True)


class AttritionLoss(NamedTuple):
    """The loss of a Force."""

    levels: int = 0
    steps: int = 0
    each: bool = False
    """Whether each unit of the Force loses these steps, rather than the Force as a whole."""


def loss(force: UnsuppliedForce, lone_assets: str = "force") -> AttritionLoss:
    """Return the loss of a Force that has not surrendered: levels, and steps for levels that it cannot lose.

    A Force whose isolation is not known counts as not Isolated.

    `lone_assets`: the reading of ruling isolated-assets: whether Isolated Asset Units without a formation lose steps as
    a Force or each.

    Rule: 14.4f, 14.4g
    """
    due = LEVELS_OUT_OF_SUPPLY
    if force.isolated:
        due = GERMAN_LEVELS_ISOLATED if force.nation == "german" else LEVELS_ISOLATED
    if not force.formation:
        return AttritionLoss(0, due, each=not force.isolated or lone_assets == "each")
    fits = 0 if force.demoralized else min(due, MAX_LEVELS_LOST - force.levels)
    return AttritionLoss(fits, due - fits)


def _gather_losers(
    view: View, forces: Iterable[UnsuppliedForce], lone_assets: str
) -> Mapping[str, tuple[CombatUnit, ...]]:
    """Return the units of the Forces that may lose steps.

    Raises MissingFacts if their steps are not known.
    """
    owing = {force.name: force.units for force in forces if loss(force, lone_assets).steps}
    with view.gather() as facts:
        return {
            force: tuple(gather_unit(facts, view.unit(name), None) for name in names) for force, names in owing.items()
        }


def _known_steps(units: Mapping[str, tuple[CombatUnit, ...]], lone_assets: str) -> ForceSteps:
    shares = dict[str, tuple[Share, ...]]()
    worth = dict[str, int]()
    for force, losing in units.items():
        shares[force] = tuple(Share(unit.id, unit.left, guns=unit.arm == "artillery") for unit in losing)
        worth |= {unit.id: score_divisions([unit]) for unit in losing}
    return ForceSteps(shares=shares, worth=worth, lone_assets=lone_assets)


# --- the procedure ----------------------------------------------------------------------------------------------------


class ForceSteps(msgspec.Struct, frozen=True, kw_only=True):
    """The known facts of the units that may lose steps."""

    shares: Mapping[str, tuple[Share, ...]] = {}
    """The units that may take the steps, by Force."""
    worth: Mapping[str, int] = {}
    """The Victory Points that a unit is worth."""
    lone_assets: str = "force"

    def points(self, fate: Fate) -> int:
        """Return the Victory Points of the enemy (27.2.5)."""
        lost = dict(fate.steps)
        shares = self.shares.get(fate.force.name, ())
        gone = [share.name for share in shares if fate.surrendered or 0 < share.left <= lost.get(share.name, 0)]
        return sum(self.worth.get(name, 0) for name in gone)


class SurrenderSettled(msgspec.Struct, frozen=True):
    """A Force after its surrender is decided."""

    force: UnsuppliedForce
    surrenders: bool = False


class Fate(msgspec.Struct, frozen=True):
    """The final state of a Force."""

    force: UnsuppliedForce
    surrendered: bool = False
    levels: int = 0
    """The levels that the Force has lost."""
    steps: tuple[tuple[str, int], ...] = ()
    """The steps that the Force has lost, by unit."""


def attrition(forces: tuple[UnsuppliedForce, ...], known: ForceSteps) -> Procedure:
    """Return the procedure of the Forces that are Out of Supply, each by itself (14.4e, 14.4f, 14.4g, 14.6).

    It starts from `forces`.
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
        return SurrenderSettled(force, natural >= MIN_SURRENDER_ROLL)

    return Roll(f"surrender.{force.name}", "14.6", f"whether {force.name} surrenders", Dice(1, 6), {}, then)


def _resolve_losses(settled: SurrenderSettled, known: ForceSteps) -> Node:
    """Return the loss of a Force that has not surrendered; its owner chooses the units that lose steps (14.4f, 14.4g)."""
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


# --- fates and changes of the Forces ----------------------------------------------------------------------------------


def _fate_of(force: UnsuppliedForce, fate: Fate | None, rolled: bool | None, lone_assets: str) -> ForceFate:
    """Return the attrition of a Force, as the result reports it.

    `fate`: the final state of the Force, or None until it is decided.
    `rolled`: whether the Force surrenders by its die, or None before the roll.
    `lone_assets`: the reading of ruling isolated-assets.
    """
    levels, steps, _ = loss(force, lone_assets)
    worse = if_isolated(force)
    at_worst = loss(worse, lone_assets) if worse else None
    may_surrender = (worse or force).may_surrender
    return ForceFate(
        force=force.name,
        units=force.units,
        isolated=force.isolated,
        demoralized=force.demoralized,
        surrenders=Fraction(7 - MIN_SURRENDER_ROLL, 6) if may_surrender else Fraction(0),
        surrendered=rolled if may_surrender else False,
        levels=levels,
        steps=steps,
        levels_if_isolated=at_worst.levels if at_worst else None,
        steps_if_isolated=at_worst.steps if at_worst else None,
        losses=dict(fate.steps) if fate else None,
    )


def _list_changes(view: View, fates: Iterable[Fate], units: Mapping[str, Sequence[CombatUnit]]) -> Iterator[Change]:
    """Yield the changes of the Forces that are Out of Supply (14.4f, 14.4g, 14.6)."""
    for fate in fates:
        force = fate.force
        if fate.surrendered:
            for name in force.units:
                yield changed(view, "place", name, None, "14.6")
            continue
        if fate.levels:
            yield changed(view, "cel", force.name, -force.levels - fate.levels, "14.4")
        lost = dict(fate.steps)
        for unit in units.get(force.name, ()):
            if lost.get(unit.id):
                yield from step_losses(view, unit, lost[unit.id])
