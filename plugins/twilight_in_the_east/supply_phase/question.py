"""The question `supply-phase`: what a side does in its Supply Phase, in order, and what that changes (5.4.4, 14.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

import msgspec

from assistant.asking import (
    Answers,
    Gather,
    InputError,
    MissingFacts,
    Parameters,
    Report,
    SideName,
    UnitName,
    View,
    declare,
    note,
    refused,
    step,
)
from assistant.asking.asks import Ask
from assistant.asking.play import play_procedure
from assistant.asking.view import changed
from assistant.mechanics.chances import Likelihood
from assistant.state.changes import AnyChange, Change
from assistant.state.state import Unit

from ..entering.consequences import follows_changes, net_changes
from ..forces.armies import is_asset_unit
from ..forces.losses import Share, step_losses
from ..forces.markers import check_bearers
from ..forces.unit import gather_unit
from ..forces.units import CombatUnit
from ..ground.calendar import other_phase_steps
from ..ground.hexsides import around_side
from ..scoring.points import score_divisions
from ..supply.isolation import known_isolation
from ..supply.report import Totals, UnitSupply, campaign_steps, cautions, totals
from ..supply.side.certainty import stated_states
from ..supply.side.states import SideAnswer, side_states
from ..supply.sources import may_extend
from ..terms import FORTRESSES, SUPPLY_ARMS
from .attrition import Fate, ForceSteps, SurrenderSettled, UnsuppliedForce, attrition, loss
from .report import ForceFate, SupplyPhase, checklist, fate_of, marked_unit, surrender_chances_part, verdict_on

DONE = "supply-phase-done"
"""The track of the game turn in which a side carried out its Supply Phase last."""
RELOCATES = {"relocating": "consolidating", "consolidating": None}
"""What becomes of a depot's marker at the end of its Supply Phase."""


def reset_supply_units(view: View, units: Iterable[Unit], kept: Collection[str]) -> Iterator[Change]:
    """Yield what is reset: Extended Mode, AP Allocated markers, and the side of the PRAGA depot. kept: depots whose
    attachment was changed this turn, which stay as they are.
    Rule: 5.4.4
    """
    for unit in units:
        for track in ("extended", "ap-spent", "changed-attachment"):
            if view.state.value(track, unit.id) and (track != "changed-attachment" or unit.id not in kept):
                yield changed(view, track, unit.id, None, "5.4.4")


def turn_relocation_markers(view: View, units: Iterable[Unit]) -> Iterator[Change]:
    """Yield the changes by which Consolidating markers come off and Relocating ones are turned. Rule: 5.4.4c, 8.2.7b"""
    for unit in units:
        marker = str(view.state.value("relocation", unit.id))
        if marker in RELOCATES:
            yield changed(view, "relocation", unit.id, RELOCATES[marker], "5.4.4")


def remove_markers(view: View, units: Iterable[Unit]) -> Iterator[Change]:
    """Yield the changes by which the supply markers of the last Supply Phase come off before supply is traced anew.
    Rule: 14.0, 14.5
    """
    for unit in units:
        for track in ("supply", "isolated"):
            if view.state.value(track, unit.id):
                yield changed(view, track, unit.id, None, "14.4")


def _list_units_to_check(view: View, units: Sequence[UnitSupply]) -> list[UnitSupply]:
    """Return the units that are checked, in the order of the procedure: depots, Corps Trains, then combat and artillery
    units; fortress units need no supply (14.4a, 14.4b, 14.4c).
    """
    with view.gather() as facts:
        arms = {row.unit: facts.word("arm", row.unit) for row in units}
    order = {"major-depot": 0, "minor-depot": 1, "corps-train": 2}
    mobile = [row for row in units if arms[row.unit] not in FORTRESSES]
    return sorted(mobile, key=lambda row: (order.get(arms[row.unit], 3), row.place, row.through, row.unit))


def _find_cut_off(facts: Gather, units: Sequence[UnitSupply]) -> tuple[UnsuppliedForce, ...]:
    """Return the Forces that are Out of Supply: formations with the Asset Units that share their supply, and Asset
    Units that stand together without one (2.1e, 14.4f).
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
    """Return a Force that is Out of Supply. rows: its units."""
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


def _gather_losers(
    view: View, forces: Iterable[UnsuppliedForce], lone_assets: str
) -> Mapping[str, tuple[CombatUnit, ...]]:
    """Return the units of those Forces that lose steps, or may. Raises MissingFacts for their steps."""
    owing = {force.name: force.units for force in forces if loss(force, lone_assets).steps}
    with view.gather() as facts:
        return {
            force: tuple(gather_unit(facts, view.unit(name), None) for name in names) for force, names in owing.items()
        }


def _known_steps(units: Mapping[str, tuple[CombatUnit, ...]], lone_assets: str) -> ForceSteps:
    """Return what the procedure must know of units that may lose steps."""
    shares = dict[str, tuple[Share, ...]]()
    worth = dict[str, int]()
    for force, losing in units.items():
        shares[force] = tuple(Share(unit.id, unit.left, guns=unit.arm == "artillery") for unit in losing)
        worth |= {unit.id: score_divisions([unit]) for unit in losing}
    return ForceSteps(shares=shares, worth=worth, lone_assets=lone_assets)


def _isolated_bridgeheads(view: View, side: str, units: Collection[Unit]) -> tuple[Unit, ...]:
    """Return the Austro-Hungarian bridgeheads that are Isolated, which are abandoned without a die. On a paper map of
    which only a part is typed that is left to the question `bridgehead` (12.5.2).
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


class SupplyPhaseParameters(Parameters, frozen=True):
    """Whose Supply Phase it is, and what its owner decides in it."""

    side: Annotated[SideName, note("whose Supply Phase; the phasing side's if left out")] = ""
    extended: Annotated[
        tuple[UnitName, ...] | None, note("supply units in Extended Mode; if left out, those that supply the most")
    ] = None
    praga_changed: Annotated[bool | None, note("whether the PRAGA depot changed army this turn")] = msgspec.field(
        name="praga-changed", default=None
    )


def answer(view: View, parameters: SupplyPhaseParameters, answers: Answers) -> Report[SupplyPhase]:
    """Return the report on a Supply Phase. It has changes once nothing is left to state, to roll for or to choose.

    Raises MissingFacts for whatever must be known first, InputError for a unit with a marker that its kind never
    bears, such as Extended Mode on a division, and AnswerError for an answer that is not due.
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
    supply = _trace_phase(view, side, units, begin, parameters.extended)
    fallen = _isolated_bridgeheads(supply.view, side, units)
    costs = _play_attrition(view, supply, answers)
    asks = (*supply.traced.asks, *costs.asks)
    gone = {unit.id for unit in fallen}
    counted = totals([row for row in supply.traced.supply.units if row.unit not in gone])
    settled = not asks and not counted.doubtful
    end = [*turn_relocation_markers(view, units)]
    changes: list[AnyChange] = [*begin, *_flip(view, units, supply.extended), *place_markers(view, supply.checked)]
    changes += _attrition_changes(view, costs.fates.values(), costs.losing)
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
        extended=supply.extended,
        units=tuple(marked_unit(row, view.word("supply", row.unit)) for row in supply.checked),
        forces=costs.listed,
        bridgeheads=tuple(unit.id for unit in fallen),
        points=sum(award.points for award in following.awards) if settled else None,
        points_chances=costs.points_chances,
    )
    _note_assumed(view, supply)
    arms = {row.unit: view.word("arm", row.unit) for row in supply.checked}
    return Report(
        title=title,
        verdict=verdict_on(result),
        parts=(*checklist(result, arms, begin, end), surrender_chances_part(result), *following.parts(view)),
        cautions=cautions(exact=supply.traced.supply.exact, more=supply.traced.cautions),
        asks=asks,
        changes=(*made, *following.changes),
        result=result,
    )


def _refuse_phase(view: View, side: str, turn: int, title: str) -> Report[SupplyPhase] | None:
    """Return the report on a phase that is not carried out now, None if it may be: it was carried out this turn, or it
    is another phase.
    """
    done = bool(turn) and view.state.value(DONE, side) == turn
    if done:  # gone through again, it would cost levels and steps anew
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


class PhaseSupply(NamedTuple):
    """The supply of a side as its Supply Phase traces it anew."""

    view: View
    """The position once its markers have come off."""
    traced: SideAnswer
    checked: list[UnitSupply]
    """The units that are checked, in order."""
    extended: tuple[str, ...]
    """The supply units in Extended Mode."""


def _trace_phase(
    view: View, side: str, units: Sequence[Unit], begin: Iterable[Change], extended: tuple[str, ...] | None
) -> PhaseSupply:
    """Return the supply of a side after what its phase begins with. extended: the supply units that its owner flips,
    None for those that supply the most.
    """
    clean = view.after([*begin])
    if extended is not None:
        clean = clean.after([*_flip(clean, units, extended)])
    # on a paper map the position before its markers came off is believed where what is typed leaves a state open
    stated = stated_states(view)
    traced = side_states(clean, side, stated=stated, as_it_stands=extended is not None, causes=False).answer()
    modes = traced.supply.extended if extended is None else extended
    return PhaseSupply(clean, traced, _list_units_to_check(view, traced.supply.units), modes)


class PhaseCosts(NamedTuple):
    """What being Out of Supply costs the Forces of a side, as far as dice and choices are given."""

    listed: tuple[ForceFate, ...]
    """Each Force as the result shows it."""
    fates: Mapping[str, Fate]
    """By Force what has become of it."""
    losing: Mapping[str, tuple[CombatUnit, ...]]
    """By Force the units that may lose steps."""
    asks: tuple[Ask, ...]
    points_chances: tuple[Likelihood, ...]
    """For the enemy."""


def _play_attrition(view: View, supply: PhaseSupply, answers: Answers) -> PhaseCosts:
    """Return what being Out of Supply costs, by these answers. Raises MissingFacts for the steps of units that may lose
    some, AnswerError for an answer that is not due.
    """
    with supply.view.gather() as facts:
        forces = _find_cut_off(facts, supply.checked)
    alone = any(force.isolated and len(force.units) > 1 and not force.formation for force in forces)
    lone = view.ruling("isolated-assets", alone)
    sure = tuple(force for force in forces if force.isolated is not None)
    losing = _gather_losers(supply.view, sure, lone)
    played = play_procedure(view, attrition(sure, _known_steps(losing, lone)), sure, answers)
    played.refuse_unreached()
    reached = [taken.situation for taken in played.resolution.trace]
    fates = {situation.force.name: situation for situation in reached if isinstance(situation, Fate)}
    rolled = {known.force.name: known.surrenders for known in reached if isinstance(known, SurrenderSettled)}
    chances = played.chances
    return PhaseCosts(
        listed=tuple(fate_of(force, fates.get(force.name), rolled.get(force.name), lone) for force in forces),
        fates=fates,
        losing=losing,
        asks=tuple(sorted(played.asks, key=lambda ask: ask.kind != "roll")),
        points_chances=chances.likelihoods("points") if chances and sure and sure == forces else (),
    )


def _note_assumed(view: View, supply: PhaseSupply) -> None:
    """Say what the report takes for granted: rules of the campaign that are left out, supply that is only stated."""
    for left_out in campaign_steps(supply.view, supply.checked):
        view.premises.assume(left_out)
    believed = supply.traced.states.side.believed
    if believed:
        text = "the supply stated for {units} is assumed to be that of this Supply Phase"
        view.premises.assume(step("14.0", text, units=sorted(believed)))


def _require_side(view: View, side: str) -> str:
    """Return whose Supply Phase it is. Raises MissingFacts if neither the question nor the position says so."""
    named = side or view.word("phasing")
    if named:
        return named
    how = f"side={'|'.join(view.game.file.sides)}, or phasing=SIDE"
    raise MissingFacts([Ask(kind="parameter", name="side", rule="5.4.4", title="whose Supply Phase it is", how=how)])


def _find_depots_kept(view: View, units: Sequence[Unit], changed_now: bool | None) -> tuple[str, ...]:
    """Return the depots whose army was changed this turn, so that they stay on that side (5.4.4, 24.5.3). changed_now:
    whether it was, as the player says. Raises MissingFacts if he does not, InputError if it was and no depot shows it.
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


def _flip(view: View, units: Sequence[Unit], names: Iterable[str]) -> Iterator[Change]:
    """Yield the supply units flipped to Extended Mode. Raises InputError for any other unit (14.2b)."""
    known = {unit.id for unit in units}
    for name in names:
        if name not in known or view.word("arm", name) not in SUPPLY_ARMS or not may_extend(name):
            hint = "name depots and Corps Trains of the phasing side, other than PRAGA and the Train of Königsberg"
            raise InputError(f"extended: {name} cannot be flipped to Extended Mode", hint=hint)
        yield changed(view, "extended", name, True, "14.2")


def place_markers(view: View, units: Iterable[UnitSupply]) -> Iterator[Change]:
    """Yield the supply markers that are placed, and who is Isolated. Rule: 14.4a, 14.4b, 14.4d"""
    for row in units:
        if row.could.state in ("low", "out"):
            yield changed(view, "supply", row.unit, row.could.state, "14.4")
        if row.isolated:
            yield changed(view, "isolated", row.unit, True, "14.4.1")


def _attrition_changes(
    view: View, fates: Iterable[Fate], units: Mapping[str, Sequence[CombatUnit]]
) -> Iterator[Change]:
    """Yield what becomes of the Forces that are Out of Supply (14.4f, 14.4g, 14.6)."""
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
