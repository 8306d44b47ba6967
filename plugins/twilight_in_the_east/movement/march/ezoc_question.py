"""The question `ezoc`: the cost of enemy zones of control for a move, and the hexes that they close.

It can answer without the owner's Terrain Effects Chart (4.1.4, 9.3, 13.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, takewhile
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import (
    Gather,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    UnitName,
    View,
    Way,
    declare,
    note,
    step,
    verdict,
)
from assistant.asking.report import Verdict
from assistant.asking.sketch import Sketch, Spot, sketch_of, way_of
from assistant.mechanics.odds import half_up
from assistant.rules.field import HexBar
from assistant.rules.sketches import draw_enemy_zones, side_at
from assistant.state.state import Unit, hexside
from assistant.state.vocabulary import HexNumber

from ...displacement.reaction import EITHER_WAY
from ...entering.obligations import has_to_leave
from ...forces.account import read_account
from ...forces.movement_points import PREPARED_COST, PREPARING, bar_of_marker, parse_points
from ...forces.spending import MovementSpending, Purpose, measure_spending, spending_step, suppose_allowance
from ...ground.calendar import CounterPhase, is_counter_movement, why_no_movement
from ...ground.hexsides import assume_zones, field
from ...railways.network import RAIL_HEX_WEIGHTS
from ...supply.rules import ROADS
from ...terms import COMBAT_ARMS
from .landsturm import NOBODY, LandsturmJudge
from .movers import arm_on_foot, units_together
from .prices import check_ground
from .steps import Judge, MarchStep
from .walk import JudgesAlong
from .zones import note_areas_left_out


def _may_be_road(view: View, here: str, there: str) -> bool:
    """Return whether a road or RR line between two hexes is stated, or nothing is stated that excludes one."""
    stated = [view.fact(track, hexside(here, there)) for track in ("road", "rail")]
    words = {str(fact.value) for fact in stated if fact}
    return not words or not words.isdisjoint((*ROADS, *RAIL_HEX_WEIGHTS))


def _road_steps(judge: Judge, path: Sequence[str]) -> Iterator[Step]:
    """Yield reminders of Road Movement for the steps along a path on which a road is possible (8.1.4)."""
    legs = [(here, there) for here, there in pairwise(path) if _may_be_road(judge.facts.view, here, there)]
    if not judge.party.is_alone and legs:
        yield step("8.1.4", "units that move together do not use Road Movement: a road spares them no terrain costs")
        return
    for here, there in legs:
        points = sum(paid.points for paid in MarchStep(judge, here, there).crowding())
        if points:
            text = (
                "by road, {hex} costs {points:#more Movement Point} for the friendly units in it: "
                "include that in ground="
            )
            yield step("8.1.4", text, hex=there, points=points)


class EzocParameters(Parameters, frozen=True):
    """Parameters of the question `ezoc`."""

    units: Annotated[tuple[UnitName, ...], note("units that move together, from one hex")]
    way: Annotated[Way, note("the hexes that the units enter, in order")]
    ground: Annotated[
        tuple[float, ...], note("Movement Points for terrain and roads in each hex, from your chart")
    ] = ()
    spent: Annotated[
        float | None,
        note("Movement Points that each unit has already spent in this phase; from its account if left out"),
    ] = None
    prepared: Annotated[PlaceName | None, note("the hex at which the units then point Prepared Attack markers")] = None
    counter: CounterPhase = None


class EzocHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that the units enter."""

    hex: HexNumber
    extra: Annotated[int, note("Movement Points that EZOCs add")]
    rule: Annotated[str, note("the rule that closes the hex, or that sets the points")]
    why: Annotated[str, note("why EZOCs add Movement Points, empty if they add none")] = ""
    barred: Annotated[str, note("what closes the hex, empty if nothing does")] = ""
    ground: Annotated[Fraction | None, note("Movement Points for the ground, null if not given")] = None


class EzocResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a move through enemy zones."""

    at: Annotated[str, note("the hex where the units stand")]
    hexes: Annotated[tuple[EzocHex, ...], note("each hex that is entered")]
    extra: Annotated[int, note("Movement Points that EZOCs add in all")]
    points: Annotated[
        Fraction | None, note("Movement Points for EZOCs and for the ground, exactly; null if the ground is not given")
    ] = None
    rounded: Annotated[
        int | None,
        note(
            "Movement Points for EZOCs and for the ground, rounded, if nothing else is done in the phase; "
            "null if the ground is not given"
        ),
    ] = None
    spending: Annotated[
        tuple[MovementSpending, ...],
        note("what each unit then has spent in the phase, if its allowance is stated and the ground given"),
    ] = ()


def _report_way(view: View, parameters: EzocParameters) -> Report[EzocResult]:
    """Return the report on a way: the Movement Points that enemy zones add in each hex, and the bars.

    Raises MissingFacts if facts of units near the way are not stated, InputError if the way or the units are
    impossible.
    """
    moving = _gather_movers(view, parameters)
    path = (str(moving[0].place), *parameters.way)
    counter = is_counter_movement(view, parameters.counter)
    grounds: list[Fraction | None] = [parse_points(points, "ground") for points in parameters.ground]
    with view.gather() as facts:
        arms = frozenset(arm_on_foot(facts, unit) for unit in moving)
        judge_of = partial(
            JudgesAlong(facts, moving, path, counter=counter).judge_of, tuple(unit.id for unit in moving)
        )
        around = judge_of().around
        held = _find_marker_bar(facts, moving)
        judge = LandsturmJudge(view, moving, judge_of)
        hexes = _walk_along(judge, path, grounds or [None] * len(parameters.way), held)
        given = None if parameters.spent is None else parse_points(parameters.spent, "spent", by_rail=True)
        before = {unit.id: read_account(facts, unit.id).total if given is None else given for unit in moving}
    extra = sum(hex.extra for hex in hexes)
    points = Fraction(extra) + sum(filter(None, grounds)) if grounds else None
    rounded = None if points is None else half_up(points)
    rule, untimely = ("", "") if points is None else why_no_movement(view, around.side, parameters.counter)
    with view.gather() as facts:
        none_spent = points is None or untimely or any(hex.barred for hex in hexes)
        spends = () if none_spent else _measure_spending(facts, moving, before, points or Fraction(0), parameters)
    result = EzocResult(at=path[0], hexes=tuple(hexes), extra=extra, points=points, rounded=rounded, spending=spends)
    note_areas_left_out(around, moving, parameters.way)
    alone = _find_units_left_alone(view, moving, arms) if path[0] in judge_of().zones.hexes else []
    if alone:
        text = "left in {hex}, an EZOC, without a combat unit, and therefore displaced (ask displace): {units}"
        view.premises.assume(step("9.5", text, hex=path[0], units=alone))
    for step_of_road in _road_steps(judge_of(), path):
        view.premises.assume(step_of_road)
    assume_zones(around, path)
    title = f"{' and '.join(unit.id for unit in moving)} from {path[0]} to {path[-1]}"
    return Report(
        title=title,
        verdict=_choose_verdict(result, untimely),
        parts=(
            _hexes_part(result),
            Part("Not allowed", (step(rule, "{why}", why=untimely),) if untimely else ()),
            Part("Movement Points", tuple(map(spending_step, result.spending))),
        ),
        result=result,
    )


def _find_units_left_alone(view: View, moving: Sequence[Unit], arms: frozenset[str]) -> list[str]:
    """Return the artillery and Corps Trains that the moving combat units leave alone in an EZOC (9.5, 9.8).

    They must displace.

    `arms`: the arms of the moving units.
    """
    if arms.isdisjoint(COMBAT_ARMS):
        return []
    gone = {unit.id for unit in moving}
    staying = [unit for unit in view.stack(str(moving[0].place)) if unit.id not in gone]
    with view.gather() as facts:
        able = [unit for unit in staying if facts.word("arm", unit.id) in EITHER_WAY]
        return [unit.id for unit in able if has_to_leave(facts, unit, gone)]


def _find_marker_bar(facts: Gather, moving: Sequence[Unit]) -> HexBar | None:
    """Return the bar by a marker that keeps a unit from spending Movement Points, or None."""
    for unit in moving:
        rule, why = bar_of_marker(facts, unit)
        if why:
            return HexBar(rule, f"{unit.id} {why.removeprefix('it ')}")
    return None


def _walk_along(
    judge: LandsturmJudge, path: Sequence[str], grounds: Sequence[Fraction | None], held: HexBar | None
) -> list[EzocHex]:
    """Return each hex of a way with the Movement Points that zones add, and its bar.

    `path`: the hexes of the way, with the starting hex.
    `grounds`: the given Movement Points for the ground of each hex.
    `held`: the bar to any move of the units, or None.
    """
    hexes = list[EzocHex]()
    entered = False
    fled = NOBODY
    for (here, there), ground in zip(pairwise(path), grounds, strict=True):
        march = MarchStep(judge.judge_of(fled), here, there, int(entered))
        outcome = judge.enter(here, there, int(entered), fled)
        bar = held
        if isinstance(outcome, HexBar):
            bar = held or outcome
            outcome = march.enter_for(0)
        entered = entered or outcome.enters_zone
        fled = judge.fled_at(there, fled)
        rule, barred = bar or ("4.1.4", "")
        hexes.append(EzocHex(hex=there, rule=rule, barred=barred, extra=outcome.zones, why=outcome.why, ground=ground))
    return hexes


def _gather_movers(view: View, parameters: EzocParameters) -> list[Unit]:
    moving = units_together(view, parameters.units, parameters.way)
    if parameters.prepared is not None and parameters.prepared not in view.board.neighbours(parameters.way[-1]):
        raise InputError(
            f"prepared: {parameters.prepared} is not adjacent to {parameters.way[-1]}, where they end (8.4)"
        )
    if parameters.prepared is not None and is_counter_movement(view, parameters.counter):
        raise InputError("prepared: no such marker is placed in the Counter Movement Phase (8.4)")
    check_ground(parameters.ground, parameters.way)
    return moving


def _measure_spending(
    facts: Gather,
    moving: Sequence[Unit],
    before: Mapping[str, Fraction],
    points: Fraction,
    parameters: EzocParameters,
) -> tuple[MovementSpending, ...]:
    """Return the Movement Points that each unit then has spent in the phase, including its marker (8.4.1).

    Only arms that use Prepared Attack markers pay for one.

    `before`: the points that each unit spent earlier in the phase.
    `points`: the cost of the move.
    """
    together = tuple(unit.id for unit in moving)
    each = list[MovementSpending]()
    for unit in moving:
        places = parameters.prepared is not None and facts.word("arm", unit.id) in PREPARING
        purpose: Purpose = "prepared" if places else "move"
        spent = before[unit.id] + points
        whole = spent + PREPARED_COST if places else spent
        spends = measure_spending(facts, unit, whole, purpose, parameters.counter, companions=together)
        if spends:
            each.append(spends)
        else:
            suppose_allowance(facts.view, unit.id)
    return tuple(each)


def _choose_verdict(result: EzocResult, untimely: str) -> Verdict:
    """Return the verdict.

    `untimely`: why the side spends no Movement Points in this phase, or "" if it may.
    """
    closed = next((hex for hex in result.hexes if hex.barred), None)
    if closed:
        return verdict("no", "{hex} is closed: {why}", closed, why=closed.barred)
    if result.points is None:
        return verdict("figure", "EZOCs add {extra:#Movement Point}", result)
    if untimely:
        return verdict("no", "{why}", why=untimely)
    short = next((spends for spends in result.spending if spends.why), None)
    if short:
        return verdict("no", "{unit} has {allowance} Movement Points, but {spent} would be spent: {why}", short)
    text = "{points:#Movement Point}, {extra} of them for EZOCs"
    marching = [spends for spends in result.spending if spends.march]
    if marching:
        text += "; {spent} spent in this phase, "
        spent = marching[0].spent
        march = marching[0].march
        if any(spends.march != march for spends in marching):
            marches = [step("", "{unit} {march}", spends).text for spends in marching]
            return verdict("figure", text + "of them by Forced March: {marches}", result, spent=spent, marches=marches)
        text += "{march} of them by Forced March: {marching}"
        return verdict("figure", text, result, spent=spent, march=march, marching=[s.unit for s in marching])
    if result.spending:
        return verdict("figure", text + "; {left} left", result, left=min(spends.left for spends in result.spending))
    if result.points != result.rounded:
        text += "; {rounded} if no more is spent in this phase"
    return verdict("figure", text, result)


def _hexes_part(result: EzocResult) -> Part:
    steps = []
    for hex in result.hexes:
        text = "{hex}: [is_closed:closed, {why}][costs:+{extra}, {why}][is_free:no EZOC cost][is_priced: (ground {ground})]"
        said = SimpleNamespace(
            is_closed=hex.barred,
            costs=hex.extra and not hex.barred,
            is_free=not (hex.extra or hex.barred),
            is_priced=hex.ground is not None,
        )
        steps.append(step(hex.rule, text, said, hex, why=hex.barred or hex.why))
    if result.points is not None and not any(hex.barred for hex in result.hexes):
        steps.append(step("4.5", "{points} in all; only the sum of the whole phase is rounded: {rounded}", result))
    return Part("Hexes", tuple(steps))


def _draw_way(view: View, report: Report[EzocResult]) -> Sketch:
    result = report.shown
    side = side_at(view, report.shown.at)
    open_ones = list(takewhile(lambda hex: not hex.barred, result.hexes))
    closed = result.hexes[len(open_ones) : len(open_ones) + 1]
    last = open_ones[-1] if open_ones and not closed else None
    return sketch_of(
        view,
        report,
        side=side,
        spots=(
            Spot(hex=result.at, role="start"),
            *(Spot(hex=hex.hex, role="end" if hex is last else "passed", label=_format_cost(hex)) for hex in open_ones),
            *(Spot(hex=hex.hex, role="barred", why=hex.barred) for hex in closed),
        ),
        arrows=way_of((result.at, *(hex.hex for hex in open_ones)), side),
        zones=draw_enemy_zones(view, field, side),
    )


def _format_cost(hex: EzocHex) -> str:
    """Format the cost of a hex as ground+zones, such as 2+1; without the ground if it is not given."""
    return step("", "{ground}+{extra}" if hex.ground is not None else "+{extra}", hex).text


QUESTION = declare(
    "ezoc",
    "EZOCs (hexes in an enemy ZOC): what they add to a move, and which they close",
    _report_way,
    sketch=_draw_way,
)
