"""The question `move`: units go from hex to hex; what each hex costs, what bars the first that they cannot enter, what
they have spent then, and what follows at once, hex by hex (8.1, 8.3, and 4.3, 8.9.3, 13.4, 13.5.1, 17.1.4, 18.1).
"""

from __future__ import annotations

from assistant.asking import (
    Answers,
    InputError,
    Part,
    Report,
    View,
    declare,
    read_unless,
    refused,
    step,
    verdict,
)
from assistant.asking.report import as_sentence
from assistant.rules.sketches import of_way
from assistant.state.state import Unit

from ...ground.calendar import is_counter_movement
from ...ground.chart import Chart
from ...ground.costs import Price
from ...ground.hexsides import assume_zones, field
from .dice import Thrown, chance_to_move, dice_steps, format_dice, throw_for_leaders, with_dice
from .ends import steps_against_ends
from .movers import reasons_to_stay, steps_of_rail_mode, units_together, verdict_of_standing, why_no_points_now
from .prices import check_ground, prices_given, prices_of_way
from .report import Begun, MoveParameters, MoveResult, choose_verdict, report_move, report_refusal
from .steps import CROSSING, MarchStep, steps_against_edge
from .walk import JudgesAlong, MarchOrder, Walked, order_of, steps_against_picks, steps_of_spent, walk
from .zones import note_areas_left_out

RULES_OF_ZONES = ("4.1.4a", "6.3.1", "9.3", "9.5", "9.8")
"""The rules by which enemies near a hex close it."""


def answer(view: View, parameters: MoveParameters, answers: Answers) -> Report[MoveResult]:
    """Return the report on a move: what bars the units, or what it costs and what follows from it, hex by hex; or the
    dice that leaders require first.

    Raises MissingFacts for the mover's nation, for the chart and the ground of the cost, and for what else the rules
    read; InputError for an impossible way or units.
    """
    begun = _begin_move(view, parameters)
    if isinstance(begun, Report):
        return begun
    thrown = throw_for_leaders(view, map(view.unit, begun.order.everybody), answers)
    if thrown.asks:
        free = _judge_walk(view, begun)
        return free if isinstance(free, Report) else _report_dice(view, begun, thrown)
    now = thrown.after(view)
    judged = _judge_walk(now, begun)
    return with_dice(judged if isinstance(judged, Report) else report_move(now, begun, judged), thrown)


def _report_whether_allowed(view: View, parameters: MoveParameters, answers: Answers) -> Report[MoveResult]:
    """Return the report on a move as far as it says whether it is allowed."""
    begun = _begin_move(view, parameters)
    if isinstance(begun, Report):
        return begun
    thrown = throw_for_leaders(view, map(view.unit, begun.order.everybody), answers)
    judged = _judge_walk(thrown.after(view), begun)
    if isinstance(judged, Report):
        return judged
    result = begun.result(judged)
    return Report(
        title=begun.title,
        verdict=choose_verdict(result, gone=begun.order.leaving(view, off=parameters.off), free=False),
        result=result,
    )


def _begin_move(view: View, parameters: MoveParameters) -> Report[MoveResult] | Begun:
    """Return a move before its first hex: the report that refuses it if its units may not move at all. Raises as
    `answer`.
    """
    try:
        moving = _check_units(view, parameters)
    except InputError:
        aboard = steps_of_rail_mode(view, parameters.units)
        if aboard:
            return refused(f"Move of {' and '.join(parameters.units)}", "{why}", aboard, parameters)
        raise
    start = str(moving[0].place)
    order = order_of(view, parameters.units, (start, *parameters.way), parameters.drop, parameters.pick)
    begun = Begun(parameters, _format_title(order, off=parameters.off), order)
    return _refuse_standing(view, begun) or begun


def _format_title(order: MarchOrder, *, off: bool) -> str:
    """Return what a move is called: who goes from where to where, those apart that are left or picked up on the way.
    off: whether the others then leave the map.
    """
    ends = {unit: order.line[number] for number, units in order.dropped.items() for unit in units}
    starts = {unit: order.line[number] for number, units in order.picked.items() for unit in units}
    last = "off the map" if off else order.line[-1]
    parties: dict[tuple[str, str], list[str]] = {}
    for unit in order.everybody:
        parties.setdefault((starts.get(unit, order.line[0]), ends.get(unit, last)), []).append(unit)
    return "; ".join(f"{' and '.join(units)} from {start} to {end}" for (start, end), units in parties.items())


def _refuse_standing(view: View, begun: Begun) -> Report[MoveResult] | None:
    """Return the report that refuses a move whose units may not move at all, None for any other."""
    everybody = [view.unit(unit) for unit in begun.order.everybody]
    with view.gather() as facts:
        standing = (
            reasons_to_stay(facts, everybody)
            or why_no_points_now(facts, everybody)
            or steps_against_picks(view, begun.order)
            or steps_of_spent(facts, begun.order, begun.parameters.forced)
        )
    if not standing:
        return None
    text = verdict_of_standing(begun.order.everybody, standing)
    return refused(begun.title, text, standing, begun.parameters, who=" and ".join(begun.order.everybody))


def _judge_walk(view: View, begun: Begun) -> Report[MoveResult] | Walked:
    """Return a move as the rules judge it once the dice of leaders are known: the report that refuses it, or the walk.
    What something bars whatever its ground costs is told without the costs, where these are not known; enemies who
    leave a hex once a crossing begins bar it only to who can pay for that.
    """
    standing = _refuse_standing(view, begun)
    if standing:
        return standing
    off = begun.parameters.off
    bare = _walk_in(view, begun, priced=False)
    against = [bare.stopped] if bare.stopped and bare.stopped.rule != CROSSING else []
    walked = read_unless(against, lambda: _walk_in(view, begun, priced=True)) or bare
    edge = steps_against_edge(view, begun.order.line[-1]) if off and not walked.stopped else []
    if walked.stopped or edge:
        return report_refusal(begun, walked, walked.stopped or edge[0])
    if begun.parameters.goes_on:
        return walked
    gone = begun.order.leaving(view, off=off)
    moved = [walker for walker in walked.walkers if walker.way or off]
    against = steps_against_ends(view, {walker.unit: None if walker.unit in gone else walker.end for walker in moved})
    return refused(begun.title, "{why}", against, result=begun.result(walked)) if against else walked


def _report_dice(view: View, begun: Begun, thrown: Thrown) -> Report[MoveResult]:
    """Return the report on a move for which leaders roll first, with the chance that the move can then be made."""
    chance = chance_to_move(view, thrown, lambda now: not isinstance(_judge_walk(now, begun), Report))
    text = "{dice} first: {chance:%} chance that the move can be made" if thrown.khans or chance < 1 else "{dice} first"
    waiting = verdict("figure", text, dice=format_dice(thrown), chance=chance)
    return Report(
        title=begun.title,
        verdict=waiting,
        short=(as_sentence("8.1", waiting),),
        parts=(Part("Leaders", tuple(dice_steps(thrown))),),
        asks=thrown.asks,
        result=MoveResult(units=begun.parameters.units, way=begun.parameters.way),
    )


def _check_units(view: View, parameters: MoveParameters) -> list[Unit]:
    """Return the units that start. Raises InputError for units and ways that cannot be, and for figures that fit no
    way.
    """
    way = parameters.way
    if way or not parameters.off:
        moving = units_together(view, parameters.units, way)
    else:
        moving = [view.unit(unit) for unit in parameters.units]
        if any(unit.place is None or unit.place != moving[0].place for unit in moving):
            raise InputError("units: they are not all in one hex", hint="name units that start together, on the map")
    check_ground(parameters.ground, way)
    return moving


def _walk_in(view: View, begun: Begun, *, priced: bool) -> Walked:
    """Return the walk of units in a position. priced: whether hexes cost what their ground does."""
    parameters, _, order = begun
    starting = [view.unit(unit) for unit in order.everybody]
    with view.gather() as facts:
        chart = Chart(facts)
        ground = parameters.ground
        prices = prices_given(order.line, ground) if ground else prices_of_way(facts, chart)
        judges = JudgesAlong(
            facts,
            starting,
            order.line,
            prices if priced else lambda *_: Price(0),
            counter=is_counter_movement(view, None),
        )
        around = judges.of(order.units).around
        walked = walk(order, judges, forced=parameters.forced, free=not priced)
        if priced and not parameters.ground:
            steps = map(MarchStep, map(judges.of, order.parties()), order.line, order.line[1:])
            made_of = (march.with_ground(entered, chart) for march, entered in zip(steps, walked.entered, strict=False))
            walked = walked._replace(entered=tuple(made_of))
    reached = [stepped.hex for stepped in walked.entered]
    if walked.stopped and walked.stopped.rule in RULES_OF_ZONES:
        reached.append(walked.hex)
    note_areas_left_out(around, starting, reached)
    assume_zones(around, [order.line[0], *reached] if reached else [])
    return walked


def _trim_line(result: MoveResult) -> tuple[str, ...]:
    """Return the hexes of a move as its picture shows it: as far as it leads."""
    start = result.moves[0].at if result.moves else ""
    return (start, *(stepped.hex for stepped in result.entered))


def _label_hexes(result: MoveResult) -> dict[str, str]:
    """Return what the hexes cost, in a few characters."""
    return {stepped.hex: step("", "{points}", stepped, points=stepped.points).text for stepped in result.entered}


QUESTION = declare(
    "move",
    "whether units may move along a route, what each hex costs, what they have left, and what follows at once",
    answer,
    {
        "khan.UNIT": "the die of a unit of the Russian 1st Cavalry Corps as it begins to move",
        "francois": "the die of the German 1st Corps as its first unit begins to move",
    },
    sketch=of_way(_trim_line, field, _label_hexes),
    decision=lambda report: report.verdict.kind,
    decide=_report_whether_allowed,
)
