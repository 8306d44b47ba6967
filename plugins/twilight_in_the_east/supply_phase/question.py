"""The question `supply-phase`: a side's actions in its Supply Phase in order, and their changes (5.4.4, 14.4).

Forces Out of Supply suffer attrition: they surrender or lose steps (14.6).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Annotated, NamedTuple

import msgspec

from assistant.asking import (
    Answers,
    Gather,
    InputError,
    MissingFacts,
    Parameters,
    Part,
    Report,
    SideName,
    Step,
    UnitName,
    Verdict,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.asks import Ask
from assistant.asking.play import play_procedure
from assistant.asking.view import changed
from assistant.mechanics.chances import Likelihood
from assistant.mechanics.procedure import Apart, Choice, Dice, Done, Node, Procedure, Roll, Situation
from assistant.state.changes import AnyChange, Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Name, UnitId, UnitPlace

from ..entering.consequences import follows_changes, net_changes
from ..forces.armies import is_asset_unit
from ..forces.losses import Losses, Share, Ways, by_unit, free_distributions, step_losses, steps_title, why_not_free
from ..forces.markers import check_bearers
from ..forces.unit import gather_unit
from ..forces.units import CombatUnit, is_demoralized
from ..ground.calendar import other_phase_steps
from ..ground.hexsides import around_side
from ..scoring.points import score_divisions
from ..supply.isolation import known_isolation
from ..supply.report import (
    ISOLATED,
    STATES,
    Totals,
    UnitSupply,
    campaign_steps,
    count_units,
    list_cautions,
    write_counts,
)
from ..supply.rules import SupplyState
from ..supply.side.certainty import stated_states
from ..supply.side.states import SideAnswer, side_states
from ..supply.sources import may_extend
from ..terms import DEPOTS, FORTRESSES, SUPPLY_ARMS

_MAX_LEVELS_LOST = 4
"""The maximum number of Combat Effectiveness Levels that a formation can have lost."""
_MIN_SURRENDER_ROLL = 4
"""The minimum roll of a die on which a Force surrenders."""
_LEVELS_OUT_OF_SUPPLY = 1
"""Levels lost by a Force that is Out of Supply but not Isolated."""
_GERMAN_LEVELS_ISOLATED = 2
"""Levels lost by an Isolated German Force."""
_LEVELS_ISOLATED = 3
"""Levels lost by any other Isolated Force."""


class ForceFate(msgspec.Struct, frozen=True, kw_only=True):
    """The attrition of a Force."""

    force: Annotated[str, note("the formation, or the first of its Asset Units")]
    units: Annotated[tuple[str, ...], note("the units")]
    isolated: Annotated[bool | None, note("whether it is Isolated, null while undecided")]
    demoralized: Annotated[bool, note("whether it counts as Demoralized")]
    surrenders: Annotated[Fraction, note("the chance of surrender before the roll, if it is Isolated")]
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


def _play_attrition(
    view: View, unmarked: View, units: Sequence[UnitSupply], answers: Answers
) -> tuple[tuple[ForceFate, ...], list[Change], list[Ask], tuple[Likelihood, ...]]:
    """Return the fates of a side's Forces by these answers, their changes and asks, and the chances of the points.

    The points are the enemy's Victory Points before the dice.

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
    rolled = {known.force.name: known.surrenders for known in reached if isinstance(known, _SurrenderSettled)}
    chances = played.chances
    return (
        tuple(_fate_of(force, fates.get(force.name), rolled.get(force.name), lone) for force in forces),
        [*_list_changes(view, fates.values(), losing)],
        sorted(played.asks, key=lambda ask: ask.kind != "roll"),
        chances.likelihoods("points") if chances and sure and sure == forces else (),
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


def _if_isolated(force: UnsuppliedForce) -> UnsuppliedForce | None:
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
    due = _LEVELS_OUT_OF_SUPPLY
    if force.isolated:
        due = _GERMAN_LEVELS_ISOLATED if force.nation == "german" else _LEVELS_ISOLATED
    if not force.formation:
        return AttritionLoss(0, due, each=not force.isolated or lone_assets == "each")
    fits = 0 if force.demoralized else min(due, _MAX_LEVELS_LOST - force.levels)
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


class _SurrenderSettled(msgspec.Struct, frozen=True):
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
                return _surrender_roll(situation)
            case UnsuppliedForce():
                return _resolve_losses(_SurrenderSettled(situation), known)
            case _SurrenderSettled():
                return _resolve_losses(situation, known)
            case Fate():
                return Done({"points": known.points(situation), "surrenders": int(situation.surrendered)})
            case tuple():
                return Apart({force.name: force for force in forces})
            case _:
                raise TypeError(f"{situation!r} is not a situation of attrition")

    return node


def _surrender_roll(force: UnsuppliedForce) -> Roll:
    """Return the die for a Demoralized and Isolated Force, which surrenders on 4 to 6. Rule: 14.6"""

    def then(natural: int) -> Situation:
        return _SurrenderSettled(force, natural >= _MIN_SURRENDER_ROLL)

    return Roll(f"surrender.{force.name}", "14.6", f"whether {force.name} surrenders", Dice(1, 6), {}, then)


def _resolve_losses(settled: _SurrenderSettled, known: ForceSteps) -> Node:
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
    worse = _if_isolated(force)
    at_worst = loss(worse, lone_assets) if worse else None
    may_surrender = (worse or force).may_surrender
    return ForceFate(
        force=force.name,
        units=force.units,
        isolated=force.isolated,
        demoralized=force.demoralized,
        surrenders=Fraction(7 - _MIN_SURRENDER_ROLL, 6) if may_surrender else Fraction(0),
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


DONE = "supply-phase-done"
"""Track: the game turn of a side's last Supply Phase."""
RELOCATES = {"relocating": "consolidating", "consolidating": None}
"""A depot's marker at the end of its Supply Phase, by its marker before."""
RESET = {
    "extended": "flip to the front: {units}",
    "ap-spent": "AP Allocated markers come off: {units}",
    "changed-attachment": "flip to the front, as its army has not changed: {units}",
}
RELOCATION = {
    "relocating": "flip the Relocating marker to Consolidating: {units}",
    "consolidating": "the Consolidating marker comes off: {units}",
}
MARKERS: Mapping[SupplyState, str] = {
    "in": "its marker comes off",
    "low": "place a Low Supply marker",
    "out": "place an Out of Supply marker",
}
LOSES = "{levels:#level}", "{steps:#step}"
IF_ISOLATED = "{levels_if_isolated:#level}", "{steps_if_isolated:#step}"

# --- parameters and result --------------------------------------------------------------------------------------------


class SupplyPhaseParameters(Parameters, frozen=True):
    """Parameters of the question `supply-phase`."""

    side: Annotated[SideName, note("whose Supply Phase; the phasing side's if left out")] = ""
    extended: Annotated[
        tuple[UnitName, ...] | None, note("supply units in Extended Mode; if left out, those that supply the most")
    ] = None
    praga_changed: Annotated[bool | None, note("whether the PRAGA depot changed army this turn")] = msgspec.field(
        name="praga-changed", default=None
    )


class MarkedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is checked."""

    unit: UnitId
    place: UnitPlace
    before: Annotated[str, note("the state that the last Supply Phase gave the unit: in, low or out")]
    now: Annotated[SupplyState | None, note("the state that this Supply Phase finds, null where facts are missing")]
    isolated: Annotated[bool | None, note("whether it is Isolated, null while undecided")] = False
    source: Annotated[str, note("what supplies the unit, empty if nothing does")] = ""
    idle: Annotated[str, note("why a supply unit supplies no others, whatever its own supply; empty if it may")] = ""


class SupplyPhase(msgspec.Struct, frozen=True, kw_only=True):
    """A side's Supply Phase."""

    side: Name
    settled: Annotated[bool, note("whether nothing is left to state, to roll for or to choose")]
    totals: Annotated[Totals, note("the side's units by state")]
    done: Annotated[bool, note("whether the position shows that the phase has been carried out this turn")] = False
    extended: Annotated[tuple[str, ...], note("the supply units that are flipped to Extended Mode")] = ()
    units: Annotated[tuple[MarkedUnit, ...], note("the side's units in the order in which they are checked")] = ()
    forces: Annotated[tuple[ForceFate, ...], note("the side's Forces that are Out of Supply")] = ()
    bridgeheads: Annotated[tuple[str, ...], note("Isolated bridgeheads, which are abandoned")] = ()
    points: Annotated[int | None, note("Victory Points for the enemy, null until all is known")] = None
    points_chances: Annotated[tuple[Likelihood, ...], note("Victory Points before the dice, with their chances")] = ()


# --- the phase --------------------------------------------------------------------------------------------------------


def answer(view: View, parameters: SupplyPhaseParameters, answers: Answers) -> Report[SupplyPhase]:
    """Return the report on a Supply Phase, with changes once no facts, rolls or choices are open.

    Raises MissingFacts if a fact must be known first.

    Raises InputError if a unit has a marker that its kind never has, and AnswerError if an answer is not due.
    """
    side = _require_side(view, parameters.side)
    turn = view.integer("turn")
    title = f"Supply Phase of {view.game.file.the_side(side)}"
    refusal = _refuse_phase(view, side, turn, title)
    if refusal:
        return refusal
    with view.gather() as facts:
        around = around_side(facts, side)
    units = [unit for unit in around.units if unit.place]
    check_bearers(view, units)
    begin = [
        *reset_supply_units(view, units, _find_depots_kept(view, units, parameters.praga_changed)),
        *remove_markers(view, units),
    ]
    unmarked, traced = _trace_phase(view, side, units, begin, parameters.extended)
    supply = traced.supply
    checked = _list_units_to_check(view, supply.units)
    extended = supply.extended if parameters.extended is None else parameters.extended
    fallen = _isolated_bridgeheads(unmarked, side, units)
    fates, losses, asked, points_chances = _play_attrition(view, unmarked, checked, answers)
    asks = (*traced.asks, *asked)
    gone = {unit.id for unit in fallen}
    counted = count_units([row for row in supply.units if row.unit not in gone])
    settled = not asks and not counted.doubtful
    end = [*turn_relocation_markers(view, units)]
    changes: list[AnyChange] = [*begin, *_flip(view, units, extended), *place_markers(view, checked)]
    changes += losses
    changes += [changed(view, "place", unit.id, None, "12.5.2") for unit in fallen]
    changes += end
    if turn:
        changes.append(changed(view, DONE, side, turn, "5.4.4"))
    made = net_changes(view, changes) if settled else ()
    following = follows_changes(view, made)
    result = SupplyPhase(
        side=side,
        settled=settled,
        totals=counted,
        extended=extended,
        units=tuple(_marked_unit(row, view.word("supply", row.unit)) for row in checked),
        forces=fates,
        bridgeheads=tuple(unit.id for unit in fallen),
        points=sum(award.points for award in following.awards) if settled else None,
        points_chances=points_chances,
    )
    for left_out in campaign_steps(unmarked, checked):
        view.premises.assume(left_out)
    if believed := traced.states.side.believed:
        text = "the supply stated for {units} is assumed to be that of this Supply Phase"
        view.premises.assume(step("14.0", text, units=sorted(believed)))
    arms = {row.unit: view.word("arm", row.unit) for row in checked}
    return Report(
        title=title,
        verdict=_verdict_on(result),
        parts=(*checklist_parts(result, arms, begin, end), _surrender_chances_part(result), *following.parts(view)),
        cautions=list_cautions(exact=supply.exact, more=traced.cautions),
        asks=asks,
        changes=(*made, *following.changes),
        result=result,
    )


def _require_side(view: View, side: str) -> str:
    """Return the side.

    Raises MissingFacts if neither the question nor the position states it.
    """
    named = side or view.word("phasing")
    if named:
        return named
    how = f"side={'|'.join(view.game.file.sides)}, or phasing=SIDE"
    raise MissingFacts([Ask(kind="parameter", name="side", rule="5.4.4", title="whose Supply Phase it is", how=how)])


def _refuse_phase(view: View, side: str, turn: int, title: str) -> Report[SupplyPhase] | None:
    """Return the report that the phase is not carried out now, or None if it may be."""
    done = bool(turn) and view.state.value(DONE, side) == turn
    if done:  # a second time the phase would cost levels and steps again
        text = "the position records it as {record}: remove that to carry out the phase again"
        reasons = [step("5.4.4", text, record=f"side {side} {DONE}={turn}")]
        text = "the Supply Phase of GT {turn} has already been carried out: {why}"
    else:
        reasons = other_phase_steps(view, side, "5.4.4", "supply")
        text = "it is not the Supply Phase of {side}"
    if not reasons:
        return None
    nothing = SupplyPhase(side=side, settled=True, done=done, totals=Totals())
    return refused(title, text, reasons, result=nothing, turn=turn, side=view.game.file.the_side(side))


def _find_depots_kept(view: View, units: Sequence[Unit], changed_now: bool | None) -> tuple[str, ...]:
    """Return the depots whose army was changed this turn, so that they are not turned back (5.4.4, 24.5.3).

    `changed_now`: the player's statement whether their army was changed.

    Raises MissingFacts without that statement, and InputError if no depot shows the change.
    """
    turned = tuple(unit.id for unit in units if view.flag("changed-attachment", unit.id))
    if not turned and changed_now:
        what = "praga-changed: no depot of the phasing side shows that its army was changed"
        raise InputError(what, hint="leave it out, or state PRAGA with changed-attachment")
    if turned and changed_now is None:
        title = f"whether the army of {turned[0]} was changed this turn"
        how = "praga-changed=yes|no"
        raise MissingFacts([Ask(kind="parameter", name="praga-changed", rule="24.5.3", title=title, how=how)])
    return turned if changed_now else ()


def _trace_phase(
    view: View, side: str, units: Sequence[Unit], begin: Iterable[Change], extended: tuple[str, ...] | None
) -> tuple[View, SideAnswer]:
    """Return the position without the markers of the last Supply Phase, and the supply of the side in it.

    `begin`: the changes at the beginning of the phase.
    `extended`: the supply units that their owner flips, or None for the choice that supplies the most.
    """
    unmarked = view.after([*begin])
    if extended is not None:
        unmarked = unmarked.after([*_flip(unmarked, units, extended)])
    # On a paper map, supply states stated before the markers were removed count wherever the typed facts leave a
    # state undecided.
    stated = stated_states(view)
    states = side_states(unmarked, side, stated=stated, as_it_stands=extended is not None, causes=False)
    return unmarked, states.answer()


def _list_units_to_check(view: View, units: Sequence[UnitSupply]) -> list[UnitSupply]:
    """Return the units that are checked, in the order of the procedure; fortress units need no supply (14.4a to c)."""
    with view.gather() as facts:
        arms = {row.unit: facts.word("arm", row.unit) for row in units}
    order = {"major-depot": 0, "minor-depot": 1, "corps-train": 2}
    mobile = [row for row in units if arms[row.unit] not in FORTRESSES]
    return sorted(mobile, key=lambda row: (order.get(arms[row.unit], 3), row.place, row.through, row.unit))


def _isolated_bridgeheads(view: View, side: str, units: Collection[Unit]) -> tuple[Unit, ...]:
    """Return the Austro-Hungarian bridgeheads that are Isolated, which are abandoned without a die (12.5.2).

    If a paper map is typed only in part, the question `bridgehead` decides that.
    """
    with view.gather() as facts:
        forts = [
            unit
            for unit in units
            if facts.word("arm", unit.id) == "fort" and facts.word("nation", unit.id) == "austro-hungarian"
        ]
    asks = list[Ask]()
    fallen = list[Unit]()
    untraced = list[str]()
    for fort in forts:
        try:
            isolated = known_isolation(view, fort, side)
        except MissingFacts as missing:
            asks += missing.asks
            continue
        if isolated:
            fallen.append(fort)
        elif isolated is None:
            untraced.append(fort.id)
    if asks:
        raise MissingFacts(asks)
    if untraced:
        view.premises.assume(step("12.5.2", "no bridgehead is Isolated: {units}", units=untraced))
    return tuple(fallen)


def _marked_unit(row: UnitSupply, before: str) -> MarkedUnit:
    """Return a checked unit for the result.

    `before`: the supply state stated in the position.
    """
    state = row.could.state
    isolated = row.isolated if state == "out" else False
    return MarkedUnit(
        unit=row.unit,
        place=row.place,
        before=before,
        now=state,
        isolated=None if state is None else isolated,
        source=row.could.source,
        idle=row.idle,
    )


# --- changes by the phase ---------------------------------------------------------------------------------------------


def reset_supply_units(view: View, units: Iterable[Unit], kept: Collection[str]) -> Iterator[Change]:
    """Yield the changes that reset Extended Mode, AP Allocated markers, and the side of the PRAGA depot.

    `kept`: depots whose attachment was changed this turn, whose side is not reset.

    Rule: 5.4.4
    """
    for unit in units:
        for track in ("extended", "ap-spent", "changed-attachment"):
            if view.state.value(track, unit.id) and (track != "changed-attachment" or unit.id not in kept):
                yield changed(view, track, unit.id, None, "5.4.4")


def remove_markers(view: View, units: Iterable[Unit]) -> Iterator[Change]:
    """Yield the changes by which the supply markers of the last Supply Phase come off.

    Rule: 14.0, 14.5
    """
    for unit in units:
        for track in ("supply", "isolated"):
            if view.state.value(track, unit.id):
                yield changed(view, track, unit.id, None, "14.4")


def _flip(view: View, units: Sequence[Unit], names: Iterable[str]) -> Iterator[Change]:
    """Yield the changes that flip supply units to Extended Mode.

    Raises InputError if another unit is named (14.2b).
    """
    known = {unit.id for unit in units}
    for name in names:
        if name not in known or view.word("arm", name) not in SUPPLY_ARMS or not may_extend(name):
            hint = "name depots and Corps Trains of the phasing side, other than PRAGA and the Train of Königsberg"
            raise InputError(f"extended: {name} cannot be flipped to Extended Mode", hint=hint)
        yield changed(view, "extended", name, True, "14.2")


def place_markers(view: View, units: Iterable[UnitSupply]) -> Iterator[Change]:
    """Yield the changes that place supply markers and record Isolation.

    Rule: 14.4a, 14.4b, 14.4d
    """
    for row in units:
        if row.could.state in ("low", "out"):
            yield changed(view, "supply", row.unit, row.could.state, "14.4")
        if row.isolated:
            yield changed(view, "isolated", row.unit, True, "14.4.1")


def turn_relocation_markers(view: View, units: Iterable[Unit]) -> Iterator[Change]:
    """Yield the changes by which Consolidating markers come off and Relocating ones are turned. Rule: 5.4.4c, 8.2.7b"""
    for unit in units:
        marker = str(view.state.value("relocation", unit.id))
        if marker in RELOCATES:
            yield changed(view, "relocation", unit.id, RELOCATES[marker], "5.4.4")


# --- the result in words ----------------------------------------------------------------------------------------------


def checklist_parts(
    phase: SupplyPhase, arms: Mapping[str, str], begin: Sequence[Change], end: Sequence[Change]
) -> Iterator[Part]:
    """Yield the parts of the phase in order.

    `arms`: the arm of each unit.
    `begin`, `end`: the changes of tracks at its start, and of counters at its end.

    Rule: 5.4.4b
    """
    yield Part("At the start", tuple(_list_steps_by_kind(RESET, [(change.track, change.subject) for change in begin])))
    flips = (step("14.2", "flip to Extended Mode: {units}", units=phase.extended),) if phase.extended else ()
    yield Part("Modes", flips)
    depots = [row for row in phase.units if arms[row.unit] in DEPOTS]
    trains = [row for row in phase.units if arms[row.unit] == "corps-train"]
    others = [row for row in phase.units if row not in depots and row not in trains]
    fed = [depot for depot in depots if depot.now == "in"]
    idle = [step("14.2", "{unit} supplies no units: {idle}", depot) for depot in fed if depot.idle]
    yield Part("Depots (step 1)", (*_marker_steps(depots), *idle))
    yield Part("Corps Trains (step 2)", tuple(_marker_steps(trains)))
    yield Part("Combat and artillery units (steps 3 and 4)", tuple(_marker_steps(others)))
    yield Part("Surrender (step 5)", tuple(_surrender_step(force) for force in phase.forces if force.surrenders))
    left = [force for force in phase.forces if not force.surrendered]
    yield Part("Out of Supply (step 6)", tuple(_loss_step(force) for force in left if not force.isolated))
    yield Part("Isolated (step 7)", tuple(_loss_step(force) for force in left if force.isolated))
    fallen = (step("12.5.2", "{units}: Isolated, abandoned", units=phase.bridgeheads),) if phase.bridgeheads else ()
    yield Part("Bridgeheads", fallen)
    turned = [(str(change.before), change.subject) for change in end]
    yield Part("At the end", tuple(_list_steps_by_kind(RELOCATION, turned)))


def _list_steps_by_kind(texts: Mapping[str, str], situations: Sequence[tuple[str, str]]) -> Iterator[Step]:
    for kind, text in texts.items():
        units = [unit for other, unit in situations if other == kind]
        if units:
            yield step("5.4.4", text, units=units)


def _marker_steps(units: Sequence[MarkedUnit]) -> Iterator[Step]:
    """Yield the units with a changed marker, then those with an unchanged one, then those without a marker."""
    for row in units:
        if row.now is None:
            yield step("14.4", "{unit} in {place}: undecided", row)
        elif row.before != row.now:
            text = "{unit} in {place}: {state}" + ISOLATED[row.isolated] + "; " + MARKERS[row.now]
            yield step("14.4", text, row, state=STATES[row.now])
    for row in units:
        if row.now not in (None, "in") and row.before == row.now:
            text = "{unit} in {place}: still {state}" + ISOLATED[row.isolated]
            yield step("14.4", text, row, state=STATES[row.now])
    sound = [row.unit for row in units if row.before == row.now == "in"]
    if sound:
        yield step("14.4", "In Supply, no marker: {units}", units=sound)


def _surrender_step(force: ForceFate) -> Step:
    if force.isolated is None:
        text = "{force}: Demoralized; if it is Isolated, roll a die: on {least} or more it surrenders ({surrenders:%})"
        return step("14.6", text, force, least=_MIN_SURRENDER_ROLL)
    if force.surrendered is None:
        text = "{force}: Demoralized and Isolated; roll a die: on {least} or more it surrenders ({surrenders:%})"
        return step("14.6", text, force, least=_MIN_SURRENDER_ROLL)
    text = "{force} [surrendered:surrenders; take off for good: {units}|does not surrender]"
    return step("14.6", text, force)


def _loss_step(force: ForceFate) -> Step:
    more = _format_losses(IF_ISOLATED, force.levels_if_isolated, force.steps_if_isolated)
    text = (
        f"{{force}}[others: (with {{others}})] loses {_format_losses(LOSES, force.levels, force.steps)}"
        f"[is_doubtful:, or {more} if Isolated][demoralized: (Demoralized)][may_surrender:, if it does not surrender]"
        "[is_shared:: {losses}]"
    )
    others = [name for name in force.units if name != force.force]
    losses = [f"{unit} {steps}" for unit, steps in (force.losses or {}).items()]
    words = SimpleNamespace(
        others=others,
        losses=losses,
        is_doubtful=force.isolated is None,
        may_surrender=force.surrendered is None,
        is_shared=losses and others,
    )
    return step("14.4", text, words, force)


def _format_losses(texts: tuple[str, str], *amounts: int | None) -> str:
    """Return the template of levels and steps lost.

    `texts`: the template of each amount.
    """
    return " and ".join(text for text, amount in zip(texts, amounts, strict=True) if amount)


def _surrender_chances_part(phase: SupplyPhase) -> Part:
    """Return what the enemy may gain by surrenders and losses; empty after the dice."""
    is_rolled = all(force.surrendered is not None for force in phase.forces)
    if phase.settled or is_rolled or not any(chance.value for chance in phase.points_chances):
        return Part("Victory Points", ())
    text = "for the enemy, before the dice, with steps shared as equally as possible: {victory_points}"
    return Part("Victory Points", (step("27.2.5", text, victory_points=phase.points_chances),))


def _verdict_on(result: SupplyPhase) -> Verdict:
    text = (
        f"{write_counts(result.totals)}[forces:; {{forces}} may surrender]"
        "[gone:; {gone} surrender][goes_alone:s][bridgeheads:; {bridgeheads} ][falls_alone:is abandoned]"
        "[fall_together:are abandoned]"
    )
    gone = [force.force for force in result.forces if force.surrendered]
    figures = SimpleNamespace(
        forces=[force.force for force in result.forces if force.surrendered is None],
        gone=gone,
        goes_alone=len(gone) == 1,
        falls_alone=len(result.bridgeheads) == 1,
        fall_together=len(result.bridgeheads) > 1,
    )
    return verdict("undecided" if result.totals.doubtful else "figure", text, result.totals, figures, result)


QUESTION = declare(
    "supply-phase",
    "what a side does in its Supply Phase, in order, and what that changes",
    answer,
    {
        "surrender.FORCE": "the die roll of a Demoralized and Isolated Force",
        "losses.FORCE": "the units of a Force that take its step losses, one name per step, separated by commas",
    },
    decision=None,
)
