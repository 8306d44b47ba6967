"""The question `supply-phase`: what a side does in its Supply Phase, in order, and what that changes (5.4.4, 14.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.mechanics.chances import Likelihood
from assistant.questions import (
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
from assistant.questions.play import play
from assistant.questions.report import Ask
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Name, UnitId, UnitPlace

from ..entering.following import follows_changes, net_changes
from ..forces.armies import is_asset_unit
from ..forces.losses import Share, for_divisions, step_losses
from ..forces.reading import check_bearers, gather_unit
from ..forces.units import CombatUnit
from ..ground.calendar import other_phase_steps
from ..ground.hexsides import around_side
from ..supply.ground import is_isolated, supply_ground
from ..supply.report import STATES, Totals, UnitSupply, campaign_steps, cautions, counts, rests_on_drawn, totals
from ..supply.side.offers import stated_states
from ..supply.side.states import side_supply
from ..terms import DEPOTS, FIXED, FORTRESSES, SUPPLY_ARMS
from .attrition import SURRENDERS, CutOff, Fate, Steps, SurrenderRoll, attrition, if_isolated, loss

DONE = "supply-phase-done"
"""The track of the game turn in which a side carried out its Supply Phase last."""
RELOCATES = {"relocating": "consolidating", "consolidating": None}
"""What becomes of a depot's marker at the end of its Supply Phase."""


def at_start(view: View, units: Iterable[Unit], kept: Collection[str]) -> Iterator[Change]:
    """What is reset: Extended Mode, AP Allocated markers, and the side of the PRAGA depot. kept: depots whose
    attachment was changed this turn, which stay as they are.
    Rule: 5.4.4
    """
    for unit in units:
        for track in ("extended", "ap-spent", "changed-attachment"):
            if view.state.value(track, unit.id) and (track != "changed-attachment" or unit.id not in kept):
                yield changed(view, track, unit.id, None, "5.4.4")


def at_end(view: View, units: Iterable[Unit]) -> Iterator[Change]:
    """Consolidating markers come off, Relocating ones are turned. Rule: 5.4.4c, 8.2.7b"""
    for unit in units:
        marker = str(view.state.value("relocation", unit.id))
        if marker in RELOCATES:
            yield changed(view, "relocation", unit.id, RELOCATES[marker], "5.4.4")


def remove_markers(view: View, units: Iterable[Unit]) -> Iterator[Change]:
    """The supply markers of the last Supply Phase come off before supply is traced anew. Rule: 14.0, 14.5"""
    for unit in units:
        for track in ("supply", "isolated"):
            if view.state.value(track, unit.id):
                yield changed(view, track, unit.id, None, "14.4")


def units_to_check(view: View, units: Sequence[UnitSupply]) -> list[UnitSupply]:
    """The units that are checked, in the order of the procedure: depots, Corps Trains, then combat and artillery units;
    fortress units need no supply (14.4a, 14.4b, 14.4c).
    """
    with view.gather() as facts:
        arms = {row.unit: facts.word("arm", row.unit) for row in units}
    order = {"major-depot": 0, "minor-depot": 1, "corps-train": 2}
    mobile = [row for row in units if arms[row.unit] not in FORTRESSES]
    return sorted(mobile, key=lambda row: (order.get(arms[row.unit], 3), row.place, row.through, row.unit))


def cut_off(facts: Gather, units: Sequence[UnitSupply]) -> tuple[CutOff, ...]:
    """The Forces that are Out of Supply: formations with the Asset Units that share their supply, and Asset Units that
    stand together without one (2.1e, 14.4f).
    """
    members, isolated = dict[str, list[str]](), dict[str, list[bool | None]]()
    alone = dict[tuple[str, str], str]()
    out = [row for row in units if row.could.state == "out" and facts.word("arm", row.unit) not in SUPPLY_ARMS]
    for row in sorted(out, key=lambda row: bool(row.through)):
        name, asset = row.through or row.unit, is_asset_unit(facts, row.unit)
        if asset and not row.through:
            name = alone.setdefault((row.place, facts.word("nation", row.unit)), row.unit)
        members.setdefault(name, []).append(row.unit)
        isolated.setdefault(name, []).append(row.isolated)
    return tuple(
        CutOff(
            name=name,
            nation=facts.word("nation", name),
            units=tuple(names),
            isolated=True if True in isolated[name] else None if None in isolated[name] else False,
            formation=(formation := not is_asset_unit(facts, name)),
            levels=-facts.integer("cel", name) if formation else 0,
            disorder=facts.integer("disorder", name) if formation else 0,
        )
        for name, names in members.items()
    )


def gather_losers(view: View, forces: Iterable[CutOff], lone_assets: str) -> Mapping[str, tuple[CombatUnit, ...]]:
    """The units of those Forces that lose steps, or may. Raises MissingFacts for their steps."""
    owing = {force.name: force.units for force in forces if loss(force, lone_assets).steps}
    with view.gather() as facts:
        return {of: tuple(gather_unit(facts, view.unit(name), None) for name in names) for of, names in owing.items()}


def known_steps(units: Mapping[str, tuple[CombatUnit, ...]], lone_assets: str) -> Steps:
    """What the procedure has to know of units that may lose steps."""
    shares = {
        force: tuple(Share(unit.id, unit.left, guns=unit.arm == "artillery") for unit in of)
        for force, of in units.items()
    }
    worth = {unit.id: for_divisions([unit]) for of in units.values() for unit in of}
    return Steps(shares=shares, worth=worth, lone_assets=lone_assets)


def isolated_bridgeheads(view: View, side: str, units: Collection[Unit]) -> tuple[Unit, ...]:
    """The Austro-Hungarian bridgeheads that are Isolated, which are abandoned without a die. On a paper map that is
    left to the question `bridgehead` (12.5.2).
    """
    with view.gather() as facts:
        forts = [unit for unit in units if facts.word("arm", unit.id) == "fort"]
        forts = [unit for unit in forts if facts.word("nation", unit.id) == "austro-hungarian"]
        if not forts:
            return ()
        if not view.board.hexes:
            view.presume(step("12.5.2", "no bridgehead is Isolated: {units}", units=[unit.id for unit in forts]))
            return ()
    asks, abandoned = list[Ask](), list[Unit]()
    for fort in forts:
        try:
            if is_isolated(view, fort, supply_ground(view, side)):
                abandoned.append(fort)
        except MissingFacts as missing:
            asks += missing.asks
    if asks:
        raise MissingFacts(asks)
    return tuple(abandoned)


class MarkedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is checked."""

    unit: UnitId
    place: UnitPlace
    before: Annotated[str, note("the state that the last Supply Phase gave it: in, low or out")]
    now: Annotated[str | None, note("the state that this Supply Phase finds, null where facts are missing")]
    isolated: Annotated[bool | None, note("whether it is Isolated, null while undecided")] = False
    source: Annotated[str, note("what supplies it, empty if nothing does")] = ""
    idle: Annotated[str, note("why a supply unit supplies no others, whatever its own supply; empty if it may")] = ""


class ForceFate(msgspec.Struct, frozen=True, kw_only=True):
    """What being Out of Supply does to a Force."""

    force: Annotated[str, note("its formation, or the first of its Asset Units")]
    units: Annotated[tuple[str, ...], note("its units")]
    isolated: Annotated[bool | None, note("whether it is Isolated, null while undecided")]
    demoralized: Annotated[bool, note("whether it counts as Demoralized")]
    surrenders: Annotated[Fraction, note("its chance of surrender before the roll, if it is Isolated")]
    surrendered: Annotated[bool | None, note("whether it has surrendered, null until rolled")]
    levels: Annotated[int, note("Combat Effectiveness Levels that it loses, if it does not surrender")]
    steps: Annotated[int, note("steps that it loses, if it does not surrender; per unit for lone Asset Units")]
    levels_if_isolated: Annotated[
        int | None, note("levels that it loses if it proves to be Isolated, null where settled")
    ]
    steps_if_isolated: Annotated[
        int | None, note("steps that it loses if it proves to be Isolated, null where settled")
    ]
    losses: Annotated[Mapping[str, int] | None, note("steps lost by unit, null until settled")]


class SupplyPhase(msgspec.Struct, frozen=True, kw_only=True):
    """A side's Supply Phase."""

    side: Name
    settled: Annotated[bool, note("whether nothing is left to state, to roll for or to choose")]
    totals: Annotated[Totals, note("its units by state")]
    done: Annotated[bool, note("whether the position shows that it has been carried out this turn")] = False
    extended: Annotated[tuple[str, ...], note("the supply units that are flipped to Extended Mode")] = ()
    units: Annotated[tuple[MarkedUnit, ...], note("its units in the order in which they are checked")] = ()
    forces: Annotated[tuple[ForceFate, ...], note("its Forces that are Out of Supply")] = ()
    bridgeheads: Annotated[tuple[str, ...], note("Isolated bridgeheads, which are abandoned")] = ()
    points: Annotated[int | None, note("Victory Points for the enemy, null until all is settled")] = None
    points_chances: Annotated[tuple[Likelihood, ...], note("Victory Points before the dice, with their chances")] = ()


def marked_unit(row: UnitSupply, before: str) -> MarkedUnit:
    """A unit that is checked, as the result shows it. before: the state that the position gives it."""
    state, source, isolated = row.could.state, row.could.source, row.could.state == "out" and row.isolated
    named = {"unit": row.unit, "place": row.place, "idle": row.idle}
    return MarkedUnit(**named, before=before, now=state, isolated=isolated, source=source)


def fate_of(force: CutOff, fate: Fate | None, rolled: bool | None, lone_assets: str) -> ForceFate:
    """What becomes of a Force. fate: None until it is settled; rolled: what its die has said, None if none is rolled
    yet.
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

RESET = {
    "extended": "flip to the front: {units}",
    "ap-spent": "AP Allocated markers come off: {units}",
    "changed-attachment": "flip to the front, as its army has not changed: {units}",
}
RELOCATION = {
    "relocating": "flip the Relocating marker to Consolidating: {units}",
    "consolidating": "the Consolidating marker comes off: {units}",
}


def checklist(
    phase: SupplyPhase, arms: Mapping[str, str], begin: Sequence[Change], end: Sequence[Change]
) -> Iterator[Part]:
    """The phase in its order. arms: of the units; begin, end: what is reset at its start and turned at its end.
    Rule: 5.4.4b
    """
    yield Part("At the start", tuple(together(RESET, [(change.track, change.subject) for change in begin])))
    flips = (step("14.2", "flip to Extended Mode: {units}", units=phase.extended),) if phase.extended else ()
    yield Part("Modes", flips)
    depots = [row for row in phase.units if arms[row.unit] in DEPOTS]
    trains = [row for row in phase.units if arms[row.unit] == "corps-train"]
    others = [row for row in phase.units if row not in depots and row not in trains]
    idle = (step("14.2", "{unit} serves nobody: {idle}", depot) for depot in depots if depot.idle and depot.now == "in")
    yield Part("Depots (step 1)", (*marker_steps(depots), *idle))
    yield Part("Corps Trains (step 2)", tuple(marker_steps(trains)))
    yield Part("Combat and artillery units (steps 3 and 4)", tuple(marker_steps(others)))
    yield Part("Surrender (step 5)", tuple(surrender_step(force) for force in phase.forces if force.surrenders))
    for isolated, title in ((False, "Out of Supply (step 6)"), (True, "Isolated (step 7)")):
        forces = [force for force in phase.forces if bool(force.isolated) == isolated and force.surrendered is not True]
        yield Part(title, tuple(map(loss_step, forces)))
    fallen = (step("12.5.2", "{units}: Isolated, abandoned", units=phase.bridgeheads),) if phase.bridgeheads else ()
    yield Part("Bridgeheads", fallen)
    turned = [(str(change.before), change.subject) for change in end]
    yield Part("At the end", tuple(together(RELOCATION, turned)))


def together(texts: Mapping[str, str], situations: Sequence[tuple[str, str]]) -> Iterator[Step]:
    """What is done to several units alike, a line each."""
    for kind, text in texts.items():
        if units := [unit for of, unit in situations if of == kind]:
            yield step("5.4.4", text, units=units)


def marker_steps(units: Sequence[MarkedUnit]) -> Iterator[Step]:
    """Whose marker changes, then those Low or Out of Supply whose marker stays, then those In Supply that have none."""
    for row in units:
        if row.now is None:
            yield step("14.4", "{unit} in {place}: undecided", row)
        elif row.before != row.now:
            text = "{unit} in {place}: {state}" + ISOLATED[row.isolated] + "; " + MARKERS[row.now]
            yield step("14.4", text, row, state=STATES[row.now])
    for row in units:
        if row.now not in (None, "in") and row.before == row.now:
            text = "{unit} in {place}: still {state}" + ISOLATED[row.isolated]
            yield step("14.4", text, row, state=STATES[str(row.now)])
    if sound := [row.unit for row in units if row.before == row.now == "in"]:
        yield step("14.4", "In Supply, no marker: {units}", units=sound)


ISOLATED = {True: " and Isolated", None: ", perhaps Isolated", False: ""}
MARKERS = {
    "in": "its marker comes off",
    "low": "place a Low Supply marker",
    "out": "place an Out of Supply marker",
}


def surrender_step(force: ForceFate) -> Step:
    """The check for surrender of a Force."""
    if force.isolated is None:
        text = "{force}: Demoralized; if it is Isolated, roll a die: on {least} or more it surrenders ({surrenders:%})"
        return step("14.6", text, force, least=SURRENDERS)
    if force.surrendered is None:
        text = "{force}: Demoralized and Isolated; roll a die: on {least} or more it surrenders ({surrenders:%})"
        return step("14.6", text, force, least=SURRENDERS)
    text = "{force} surrenders; take off for good: {units}" if force.surrendered else "{force} does not surrender"
    return step("14.6", text, force)


def loss_step(force: ForceFate) -> Step:
    """What a Force loses."""
    text = "{force}" if len(force.units) == 1 else "{force} (with {others})"
    text += " loses " + losses_in_words(LOSES, force.levels, force.steps)
    if force.isolated is None:
        more = losses_in_words(IF_ISOLATED, force.levels_if_isolated, force.steps_if_isolated)
        text += f", or {more} if Isolated"
    text += " (Demoralized)" if force.demoralized else ""
    text += ", if it does not surrender" if force.surrendered is None else ""
    others = [name for name in force.units if name != force.force]
    text += ": {losses}" if force.losses and others else ""
    losses = [f"{unit} {steps}" for unit, steps in (force.losses or {}).items()]
    return step("14.4", text, SimpleNamespace(others=others, losses=losses), force)


LOSES = "{levels:#level}", "{steps:#step}"
IF_ISOLATED = "{levels_if_isolated:#level}", "{steps_if_isolated:#step}"


def losses_in_words(texts: tuple[str, str], *amounts: int | None) -> str:
    """Levels and steps in words, as a template. texts: one for each."""
    return " and ".join(text for text, amount in zip(texts, amounts, strict=True) if amount)


def points_part(phase: SupplyPhase) -> Part:
    """What the enemy has gained by surrenders and losses, or may gain before the dice."""
    steps, is_rolled = [], all(force.surrendered is not None for force in phase.forces)
    if phase.points:
        steps.append(step("27.2", "{points:#Victory Point} for the enemy, for divisions eliminated", phase))
    elif not (phase.settled or is_rolled) and any(chance.value for chance in phase.points_chances):
        text = "for the enemy, before the dice, with steps shared as equally as possible: {victory_points}"
        steps.append(step("27.2", text, victory_points=phase.points_chances))
    return Part("Victory Points", tuple(steps))


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
    """The report on a Supply Phase. It has changes once nothing is left to state, to roll for or to choose.

    Raises MissingFacts for whatever has to be known first, InputError for a unit with a marker that its kind never
    bears, such as Extended Mode on a division.
    """
    side, turn = whose(view, parameters.side), view.integer("turn")
    title = f"Supply Phase of {view.game.file.the_side(side)}"
    done = bool(turn) and view.state.value(DONE, side) == turn
    if done:  # gone through again, it would cost levels and steps anew
        text = "the position records it as {record}: remove that to carry out the phase again"
        reasons = [step("5.4.4", text, record=f"side {side} {DONE}={turn}")]
        text = "the Supply Phase of GT {turn} has already been carried out: {why}"
    else:
        reasons = other_phase_steps(view, side, "5.4.4", "Supply Phase")
        text = "it is not the Supply Phase of {side}"
    if reasons:
        nothing = SupplyPhase(side=side, settled=True, done=done, totals=Totals())
        return refused(title, text, reasons, result=nothing, turn=turn, side=view.game.file.the_side(side))
    with view.gather() as facts:
        around = around_side(facts, side)
    units = [unit for unit in around.units if unit.place]
    check_bearers(view, units)
    begin = [*at_start(view, units, depots_kept(view, units, parameters.praga_changed))]
    clean = view.after([*begin, *remove_markers(view, units)])
    if parameters.extended is not None:
        clean = clean.after([*flip(clean, units, parameters.extended)])
    chosen = parameters.extended is not None
    # on a paper map the position before its markers came off is believed where what is typed leaves a state open
    traced_side = side_supply(clean, side, stated=stated_states(view), as_it_stands=chosen, causes=False)
    every = units_to_check(view, traced_side.supply.units)
    modes = traced_side.supply.extended if parameters.extended is None else parameters.extended
    fallen = isolated_bridgeheads(clean, side, units)
    with clean.gather() as facts:
        forces = cut_off(facts, every)
    alone = any(force.isolated and len(force.units) > 1 and not force.formation for force in forces)
    lone = view.ruling("isolated-assets", alone)
    sure = tuple(force for force in forces if force.isolated is not None)
    losing = gather_losers(clean, sure, lone)
    known = known_steps(losing, lone)
    played = play(view, attrition(sure, known), sure, answers)
    reached = [taken.situation for taken in played.resolution.trace]
    fates = {situation.force.name: situation for situation in reached if isinstance(situation, Fate)}
    rolled = {roll.force.name: roll.surrenders for roll in reached if isinstance(roll, SurrenderRoll)}
    asks = (*traced_side.asks, *sorted(played.asks, key=lambda ask: ask.kind != "roll"))
    chances = played.chances
    gone = {unit.id for unit in fallen}
    staying = [row for row in traced_side.supply.units if row.unit not in gone]
    every_state = totals(staying)
    settled = not asks and not every_state.doubtful
    result = SupplyPhase(
        side=side,
        settled=settled,
        totals=every_state,
        extended=modes,
        units=tuple(marked_unit(row, view.word("supply", row.unit)) for row in every),
        forces=tuple(fate_of(force, fates.get(force.name), rolled.get(force.name), lone) for force in forces),
        bridgeheads=tuple(unit.id for unit in fallen),
        points=int(played.settled.get("points", 0)) if settled else None,
        points_chances=chances.likelihoods("points") if chances and sure and sure == forces else (),
    )
    end = [*at_end(view, units)]
    for left_out in campaign_steps(clean, every):
        view.presume(left_out)
    if traced_side.states.side.believed:
        text = "the supply stated for {units} is assumed to be that of this Supply Phase"
        view.presume(step("14.0", text, units=sorted(traced_side.states.side.believed)))
    more = (*traced_side.cautions, *(traced_side.doubts_in_words() if rests_on_drawn(view) else ()))
    changes: list[AnyChange] = [*begin, *remove_markers(view, units), *flip(view, units, modes), *markers(view, every)]
    changes += [*costs(view, fates.values(), losing)]
    changes += [changed(view, "place", unit.id, None, "12.5.2") for unit in fallen] + end
    changes += [changed(view, DONE, side, turn, "5.4.4")] if turn else []
    arms = {row.unit: view.word("arm", row.unit) for row in every}
    made = net_changes(view, changes) if settled else ()
    following = follows_changes(view, made)
    return Report(
        title=title,
        verdict=verdict_on(result),
        parts=(*checklist(result, arms, begin, end), points_part(result), following.part),
        cautions=cautions(exact=chosen or traced_side.supply.exact, more=more),
        asks=asks,
        changes=(*made, *following.changes),
        result=result,
    )


def whose(view: View, side: str) -> str:
    """Whose Supply Phase it is. Raises MissingFacts if neither the question nor the position says so."""
    if named := side or view.word("phasing"):
        return named
    how = f"side={'|'.join(view.game.file.sides)}, or phasing=SIDE"
    raise MissingFacts([Ask(kind="parameter", name="side", rule="5.4.4", title="whose Supply Phase it is", how=how)])


def depots_kept(view: View, units: Sequence[Unit], changed_now: bool | None) -> tuple[str, ...]:
    """The depots whose army was changed this turn, so that they stay on that side (5.4.4, 24.5.3). changed_now:
    whether it was, as the player says. Raises MissingFacts if he does not.
    """
    turned = [unit.id for unit in units if view.flag("changed-attachment", unit.id)]
    if not turned:
        return ()
    if changed_now is None:
        title = f"whether the army of {turned[0]} was changed this turn"
        how = "praga-changed=yes|no"
        raise MissingFacts([Ask(kind="parameter", name="praga-changed", rule="24.5.3", title=title, how=how)])
    return tuple(turned) if changed_now else ()


def flip(view: View, units: Sequence[Unit], names: Iterable[str]) -> Iterator[Change]:
    """Supply units flipped to Extended Mode. Raises InputError for any other unit (14.2b)."""
    known = {unit.id for unit in units}
    for name in names:
        if name not in known or view.word("arm", name) not in SUPPLY_ARMS or name in FIXED:
            hint = "name depots and Corps Trains of the phasing side, other than PRAGA"
            raise InputError(f"extended: {name} cannot be flipped to Extended Mode", hint=hint)
        yield changed(view, "extended", name, True, "14.2")


def markers(view: View, units: Iterable[UnitSupply]) -> Iterator[Change]:
    """The supply markers that are placed, and who is Isolated. Rule: 14.4a, 14.4b, 14.4d"""
    for row in units:
        if row.could.state in ("low", "out"):
            yield changed(view, "supply", row.unit, row.could.state, "14.4")
        if row.isolated:
            yield changed(view, "isolated", row.unit, True, "14.4.1")


def costs(view: View, fates: Iterable[Fate], units: Mapping[str, Sequence[CombatUnit]]) -> Iterator[Change]:
    """What becomes of the Forces that are Out of Supply (14.4f, 14.4g, 14.6)."""
    for fate in fates:
        force = fate.force
        if fate.surrendered:
            yield from (changed(view, "place", name, None, "14.6") for name in force.units)
            continue
        if fate.levels:
            yield changed(view, "cel", force.name, -force.levels - fate.levels, "14.4")
        lost = dict(fate.steps)
        for unit in units.get(force.name, ()):
            if steps := lost.get(unit.id, 0):
                yield from step_losses(view, unit, steps)


def verdict_on(result: SupplyPhase) -> Verdict:
    """The phase in a line."""
    text = counts(result.totals)
    waiting = [force.force for force in result.forces if force.surrendered is None]
    if waiting:
        text += "; {forces} may surrender"
    gone = [force.force for force in result.forces if force.surrendered]
    if gone:
        text += "; {gone} surrenders" if len(gone) == 1 else "; {gone} surrender"
    if result.bridgeheads:
        text += "; {bridgeheads} is abandoned" if len(result.bridgeheads) == 1 else "; {bridgeheads} are abandoned"
    said = SimpleNamespace(forces=waiting, gone=gone)
    return verdict("undecided" if result.totals.doubtful else "figure", text, result.totals, said, result)


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
