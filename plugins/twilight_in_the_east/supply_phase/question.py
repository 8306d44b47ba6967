"""The question `supply-phase`: what a side does in its Supply Phase, in order, and what that changes (5.4.4, 14.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated

import msgspec

from assistant.questions import (
    Answers,
    InputError,
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
from assistant.questions.report import Ask, MissingFacts
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Change
from assistant.state.state import Unit

from ..entering.following import follows_changes, net
from ..forces.bearers import check_bearers
from ..forces.losses import step_losses
from ..forces.units import CombatUnit
from ..ground.calendar import not_among_others, weather_left_out
from ..ground.zones import around_side
from ..supply.report import Totals, cautions, counts, rests_on_drawn, totals
from ..supply.sources import campaign_left_out
from ..terms import FIXED, SUPPLY_ARMS
from .attrition import Fate, SurrenderRoll, attrition
from .markers import DONE, at_end, at_start, done, is_done, remove_markers
from .reading import CheckedUnit, check_units, cut_off, gather_losers, isolated_bridgeheads, known_steps, trace_side
from .report import SupplyPhase, chances_part, checklist, fate_of, marked_unit, points_part


class SupplyPhaseParameters(Parameters, frozen=True):
    """Whose Supply Phase it is, and what its owner decides in it."""

    side: Annotated[SideName, note("whose Supply Phase; that of the side whose player turn it is if left out")] = ""
    extended: Annotated[
        tuple[UnitName, ...] | None,
        note("the supply units flipped to Extended Mode; if left out, those that supply most units"),
    ] = None
    praga_changed: Annotated[
        bool | None, note("whether the army of the PRAGA depot was changed in this turn, if it lies on that side")
    ] = msgspec.field(name="praga-changed", default=None)


def answer(view: View, parameters: SupplyPhaseParameters, answers: Answers) -> Report[SupplyPhase]:
    """The report on a Supply Phase. It has changes once nothing is left to state, to roll for or to choose.

    Raises MissingFacts for whatever has to be known first, InputError for a unit with a marker that its kind never
    bears, such as Extended Mode on a division.
    """
    side = whose(view, parameters.side)
    if is_done(view, side):
        return carried_out_report(view, side)
    if reasons := not_among_others(view, side, "5.4.4", "Supply Phase"):
        return out_of_phase_report(view, side, reasons)
    with view.gather() as facts:
        around = around_side(facts, side)
    units = [unit for unit in around.units if unit.place]
    check_bearers(view, units)
    begin = [*at_start(view, units, depots_kept(view, units, parameters.praga_changed))]
    clean = view.after([*begin, *remove_markers(view, units)])
    if parameters.extended is not None:
        clean = clean.after([*flip(clean, units, parameters.extended)])
    chosen = parameters.extended is not None
    traced_side = trace_side(clean, side, view, chosen=chosen)
    every = check_units(view, traced_side.supply.units, chosen=chosen)
    modes = traced_side.supply.extended if parameters.extended is None else parameters.extended
    fallen = isolated_bridgeheads(clean, side, units)
    with clean.gather() as facts:
        forces = cut_off(facts, every)
    lone = view.ruling(
        "isolated-assets", any(force.isolated and len(force.units) > 1 and not force.formation for force in forces)
    )
    sure = tuple(force for force in forces if force.isolated is not None)
    losing = gather_losers(clean, sure, lone)
    known = known_steps(losing, lone)
    played = play(view, attrition(sure, known), sure, answers)
    reached = [taken.situation for taken in played.resolution.trace]
    fates = {situation.force.name: situation for situation in reached if isinstance(situation, Fate)}
    rolled = {
        situation.force.name: situation.surrenders for situation in reached if isinstance(situation, SurrenderRoll)
    }
    asks = (*traced_side.asks, *sorted(played.asks, key=lambda ask: ask.kind != "roll"))
    chances = played.chances
    gone = {unit.id for unit in fallen}
    staying = [row for row in traced_side.supply.units if row.unit not in gone]
    every_state = totals(staying, stands=chosen, standing=chosen)
    settled = not asks and not every_state.doubtful
    result = SupplyPhase(
        side=side,
        settled=settled,
        totals=every_state,
        extended=modes,
        units=tuple(marked_unit(unit, view.word("supply", unit.unit.unit)) for unit in every),
        forces=tuple(fate_of(force, fates.get(force.name), rolled.get(force.name), lone) for force in forces),
        bridgeheads=tuple(unit.id for unit in fallen),
        points=int(played.settled.get("points", 0)) if settled else None,
        points_chances=chances.likelihoods("points") if chances and sure and sure == forces else (),
    )
    end = [*at_end(view, units)]
    serving = {unit.unit.unit: unit.now.source for unit in every}
    for left_out in (*weather_left_out(view), *campaign_left_out(clean, serving)):
        view.presume(left_out)
    if traced_side.states.side.believed:
        text = "the supply that the position states of {units} is that of this Supply Phase"
        view.presume(step("14.0", text, units=sorted(traced_side.states.side.believed)))
    more = (*traced_side.cautions, *(traced_side.drawn_in_words() if rests_on_drawn(view) else ()))
    changes: list[AnyChange] = [*begin, *remove_markers(view, units), *flip(view, units, modes), *markers(view, every)]
    changes += [*costs(view, fates.values(), losing)]
    changes += [changed(view, "place", unit.id, None, "12.5.2") for unit in fallen] + [*end, *done(view, side)]
    arms = {unit.unit.unit: unit.arm for unit in every}
    made = net(view, changes) if settled else ()
    following = follows_changes(view, made)
    return Report(
        title=f"Supply Phase of {view.game.file.the_side(side)}",
        verdict=in_a_line(result),
        parts=(
            *checklist(result, arms, begin, end),
            points_part(result) if settled else chances_part(result),
            following.part,
        ),
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


def carried_out_report(view: View, side: str) -> Report[SupplyPhase]:
    """The report where the position shows that the phase of this turn is over: gone through again, it would cost levels
    and steps anew.
    """
    result = SupplyPhase(side=side, settled=True, done=True, totals=Totals())
    turn = view.integer("turn")
    text = "the position records it as {record}: take that out to work the phase out anew"
    return Report(
        title=f"Supply Phase of {view.game.file.the_side(side)}",
        verdict=verdict("no", "the Supply Phase of GT {turn} has been carried out", turn=turn),
        parts=(Part("Carried out", (step("5.4.4", text, record=f"side {side} {DONE}={turn}"),)),),
        result=result,
    )


def out_of_phase_report(view: View, side: str, reasons: Sequence[Step]) -> Report[SupplyPhase]:
    """The report in another phase than that, in which nothing is changed."""
    of = view.game.file.the_side(side)
    nothing = SupplyPhase(side=side, settled=True, totals=Totals())
    text = "it is not the Supply Phase of {side}"
    return refused(f"Supply Phase of {of}", text, reasons, result=nothing, side=of)


def depots_kept(view: View, units: Sequence[Unit], changed_now: bool | None) -> tuple[str, ...]:
    """The depots whose army was changed in this turn, so that they stay on that side (5.4.4, 24.5.3). changed_now:
    whether it was, as the player says. Raises MissingFacts if he does not.
    """
    turned = [unit.id for unit in units if view.flag("changed-attachment", unit.id)]
    if not turned:
        return ()
    if changed_now is None:
        title = f"whether the army of {turned[0]} was changed in this turn"
        how = "praga-changed=yes|no"
        raise MissingFacts([Ask(kind="parameter", name="praga-changed", rule="24.5.3", title=title, how=how)])
    return tuple(turned) if changed_now else ()


def flip(view: View, units: Sequence[Unit], names: Iterable[str]) -> Iterator[Change]:
    """Supply units flipped to Extended Mode. Raises InputError for any other unit (14.2b)."""
    known = {unit.id for unit in units}
    for name in names:
        if name not in known or view.word("arm", name) not in SUPPLY_ARMS or name in FIXED:
            hint = "name depots and Corps Trains of the side whose phase it is, but not PRAGA"
            raise InputError(f"extended: {name} cannot be flipped to Extended Mode", hint=hint)
        yield changed(view, "extended", name, True, "14.2")


def markers(view: View, units: Iterable[CheckedUnit]) -> Iterator[Change]:
    """The supply markers that are placed, and who is Isolated. Rule: 14.4a, 14.4b, 14.4d"""
    for row in units:
        if row.now.state in ("low", "out"):
            yield changed(view, "supply", row.unit.unit, row.now.state, "14.4")
        if row.unit.isolated:
            yield changed(view, "isolated", row.unit.unit, True, "14.4.1")


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


def in_a_line(result: SupplyPhase) -> Verdict:
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
    lists = {"forces": waiting, "gone": gone, "bridgeheads": list(result.bridgeheads)}
    named = {name: listed for name, listed in lists.items() if listed}
    return verdict("undecided" if result.totals.doubtful else "figure", text, result.totals, **named)


QUESTION = declare(
    "supply-phase",
    "what a side does in its Supply Phase, in order, and what that changes",
    answer,
    {
        "surrender.FORCE": "the die of a Demoralized and Isolated Force",
        "losses.FORCE": "the units of a Force that take the steps which it loses, one name a step, joined by commas",
    },
    decision=None,
)
