"""What a Supply Phase comes to, as a result and in words: the checklist of the phase, what Forces Out of Supply suffer,
and Victory Points (5.4.4, 14.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import Part, Step, Verdict, note, step, verdict
from assistant.mechanics.chances import Likelihood
from assistant.state.changes import Change
from assistant.state.vocabulary import Name, UnitId, UnitPlace

from ..supply.report import ISOLATED, STATES, Totals, UnitSupply, write_counts
from ..supply.rules import SupplyState
from ..terms import DEPOTS
from .attrition import SURRENDERS, Fate, UnsuppliedForce, if_isolated, loss

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


class MarkedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is checked."""

    unit: UnitId
    place: UnitPlace
    before: Annotated[str, note("the state that the last Supply Phase gave the unit: in, low or out")]
    now: Annotated[SupplyState | None, note("the state that this Supply Phase finds, null where facts are missing")]
    isolated: Annotated[bool | None, note("whether it is Isolated, null while undecided")] = False
    source: Annotated[str, note("what supplies the unit, empty if nothing does")] = ""
    idle: Annotated[str, note("why a supply unit supplies no others, whatever its own supply; empty if it may")] = ""


class ForceFate(msgspec.Struct, frozen=True, kw_only=True):
    """What being Out of Supply does to a Force."""

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


def marked_unit(row: UnitSupply, before: str) -> MarkedUnit:
    """Return a unit that is checked, as the result shows it. before: the state that the position gives it."""
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


def fate_of(force: UnsuppliedForce, fate: Fate | None, rolled: bool | None, lone_assets: str) -> ForceFate:
    """Return what becomes of a Force. fate: None until it is settled; rolled: what its die has said, None if none is
    rolled yet.
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
        surrenders=Fraction(7 - SURRENDERS, 6) if may_surrender else Fraction(0),
        surrendered=rolled if may_surrender else False,
        levels=levels,
        steps=steps,
        levels_if_isolated=at_worst.levels if at_worst else None,
        steps_if_isolated=at_worst.steps if at_worst else None,
        losses=dict(fate.steps) if fate else None,
    )


# --- words ------------------------------------------------------------------------------------------------------------


def checklist(
    phase: SupplyPhase, arms: Mapping[str, str], begin: Sequence[Change], end: Sequence[Change]
) -> Iterator[Part]:
    """Yield the phase in its order. arms: of the units; begin, end: what is reset at its start and turned at its end.
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
    """Yield what is done to several units alike, a line each."""
    for kind, text in texts.items():
        units = [unit for other, unit in situations if other == kind]
        if units:
            yield step("5.4.4", text, units=units)


def _marker_steps(units: Sequence[MarkedUnit]) -> Iterator[Step]:
    """Yield whose marker changes, then those Low or Out of Supply whose marker stays, then those In Supply that have
    none.
    """
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
    """Return the check for surrender of a Force."""
    if force.isolated is None:
        text = "{force}: Demoralized; if it is Isolated, roll a die: on {least} or more it surrenders ({surrenders:%})"
        return step("14.6", text, force, least=SURRENDERS)
    if force.surrendered is None:
        text = "{force}: Demoralized and Isolated; roll a die: on {least} or more it surrenders ({surrenders:%})"
        return step("14.6", text, force, least=SURRENDERS)
    text = "{force} [surrendered:surrenders; take off for good: {units}|does not surrender]"
    return step("14.6", text, force)


def _loss_step(force: ForceFate) -> Step:
    """Return what a Force loses."""
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
    """Return levels and steps in words, as a template. texts: one for each."""
    return " and ".join(text for text, amount in zip(texts, amounts, strict=True) if amount)


def surrender_chances_part(phase: SupplyPhase) -> Part:
    """Return what the enemy may gain by surrenders and losses, before the dice; empty after them."""
    is_rolled = all(force.surrendered is not None for force in phase.forces)
    if phase.settled or is_rolled or not any(chance.value for chance in phase.points_chances):
        return Part("Victory Points", ())
    text = "for the enemy, before the dice, with steps shared as equally as possible: {victory_points}"
    return Part("Victory Points", (step("27.2.5", text, victory_points=phase.points_chances),))


def verdict_on(result: SupplyPhase) -> Verdict:
    """Return the phase in a line."""
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
