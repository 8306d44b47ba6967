"""The question `move`: the cost of each hex of a way, what bars it, and the consequences (8.1, 8.3).

The consequences follow 4.3, 8.9.3, 13.4, 13.5.1, 17.1.4 and 18.1. Enemy cavalry may react in each hex (9.1.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import (
    Answers,
    Gather,
    Helpful,
    InputError,
    Parameters,
    Part,
    Report,
    Step,
    UnitOrDecoy,
    View,
    Way,
    declare,
    holding,
    note,
    read_unless,
    refused,
    step,
    verdict,
)
from assistant.asking.question import Moves
from assistant.asking.report import NOT_ALLOWED, Verdict, as_sentence
from assistant.asking.view import changed
from assistant.rules.sketches import of_way
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import HexNumber, UnitId
from assistant.util.errors import quoted

from ...displacement.reaction import TRIGGERS, find_trigger, judge_as_known, order_steps, why_not_yet
from ...entering.arrival import Arrival, March, arrive
from ...entering.consequences import change_cover, find_consequences, fleeing_units
from ...entering.obligations import MUST_LEAVE
from ...forces.armies import company_of
from ...forces.departures import depart
from ...forces.spending import LIMIT_EXCEEDED, chance_that_all_pass, spending_step
from ...ground.calendar import is_counter_movement
from ...ground.chart import ANY_ROAD, Chart
from ...ground.costs import RIVERS, ROADWAYS, Price
from ...ground.hexsides import assume_zones, field
from ...terms import SAY
from ..march_check import MarchAhead, march_ahead, risk_steps
from .dice import LeaderDice, chance_to_move, dice_steps, format_dice, throw_for_leaders, with_dice
from .ends import hexes_over_limit, steps_against_ends
from .movers import reasons_to_stay, steps_of_rail_mode, units_together, verdict_of_standing, why_no_points_now
from .prices import check_ground, prices_given, prices_of_way
from .steps import CROSSING_RULE, MarchStep, Paid, Stepped, steps_against_edge
from .walk import (
    BARRED_HEX,
    JudgesAlong,
    MarchOrder,
    Walked,
    Walker,
    changes_of_account,
    changes_of_causeways,
    marches_of,
    order_of,
    steps_against_picks,
    steps_of_spent,
    walk,
)
from .zones import note_areas_left_out

RULES_OF_ZONES = ("4.1.4a", "6.3.1", "9.3", "9.5", "9.8")
"""The rules by which nearby enemies close a hex."""
GROUND_IN_WORDS = {
    **{feature: feature.replace("-", " ") for feature in ("high-mountain", *RIVERS, *ROADWAYS, "half-hex")},
    "rail": "RR line",
}
"""The words of reports for features of the chart."""

# --- parameters and result --------------------------------------------------------------------------------------------


class MoveParameters(Parameters, frozen=True):
    """Parameters of the question `move`."""

    units: Annotated[tuple[UnitOrDecoy, ...], note("units that move together, from one hex")]
    way: Annotated[Way, note("the hexes that the units enter, in order")] = ()
    drop: Annotated[tuple[str, ...], note("units left on the way, each with the hex: 25/3@41.19")] = ()
    pick: Annotated[tuple[str, ...], note("units picked up on the way, each with the hex: 25/3@41.19")] = ()
    forced: Annotated[
        bool | None,
        note("whether they may make a Forced March; if left out, they may"),
        Helpful(lambda view: [("by Forced March", "yes")]),
    ] = None
    ground: Annotated[
        tuple[float, ...],
        note("Movement Points for terrain and roads in each hex, from your chart; from the position if left out"),
    ] = ()
    off: Annotated[bool, note("whether the units then leave the map")] = False
    goes_on: Annotated[
        bool,
        note(
            "whether they go on later in this phase, so that neither a Strategic Plan nor a die binds where they stop"
        ),
    ] = msgspec.field(name="goes-on", default=False)


class Reaction(msgspec.Struct, frozen=True, kw_only=True):
    """Enemy cavalry that a move triggers to react."""

    unit: UnitId
    at: Annotated[str, note("the hex where the cavalry stands")]
    hex: HexNumber
    trigger: Annotated[int, note("number of the reaction trigger, 1 or 2")]
    open: Annotated[
        tuple[str, ...] | None,
        note("the hexes that are open to the cavalry then, null if they are not known or not asked"),
    ] = None
    barred: Annotated[str, note("why the cavalry may not react, empty if it may, as far as is known")] = ""
    rule: Annotated[str, note("the rule that lets the cavalry react, or bars it")] = "9.1.1"

    @property
    def is_possible(self) -> bool:
        """Whether the cavalry may react; a missing fact bars nothing."""
        return not self.barred

    @property
    def step(self) -> Step:
        """The step that reports the reaction."""
        text = (
            "as {hex} is entered, {unit} in {at} [is_possible:may react: {why}|does not react: {barred}] (ask cavalry)"
        )
        return step(self.rule, text, self, why=TRIGGERS[self.trigger])


class MoveResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a move, up to the first hex that is barred."""

    units: Annotated[tuple[str, ...], note("the units that move")]
    way: Annotated[tuple[str, ...], note("the hexes that the units enter, in order")]
    entered: Annotated[tuple[Stepped, ...], note("the hexes that are entered, with what each costs")] = ()
    moves: Annotated[tuple[Walker, ...], note("what each unit spends, and where it ends")] = ()
    over: Annotated[tuple[HexNumber, ...], note("hexes that then hold more than may stay")] = ()
    unsettled: Annotated[
        tuple[str, ...],
        note("what another question or a fact decides: units that may be abandoned or displace, pontoon bridges"),
    ] = ()
    marches: Annotated[
        tuple[MarchAhead, ...], note("the Forced Marches whose checks follow, each with what its check may cost")
    ] = ()
    reactions: Annotated[
        tuple[Reaction, ...], note("enemy cavalry for which the move is a trigger to react, each where it is")
    ] = ()


class Move(NamedTuple):
    """A move as the question describes it."""

    parameters: MoveParameters
    title: str
    order: MarchOrder

    def result(self, walked: Walked, **following: Any) -> MoveResult:
        """Return the result of a walk.

        `following`: the fields of the result that describe the consequences.
        """
        units, way = self.parameters.units, self.parameters.way
        return MoveResult(units=units, way=way, entered=walked.entered, moves=walked.walkers, **following)


# --- the question -----------------------------------------------------------------------------------------------------


def answer(view: View, parameters: MoveParameters, answers: Answers) -> Report[MoveResult]:
    """Return the report on a move: bars, cost and consequences, or the dice that leaders roll first.

    Raises MissingFacts if a deciding fact is not stated, such as the ground of a hex, InputError if the way or the
    units are impossible.
    """
    return _ask_move(view, parameters, answers)


def _ask_move(view: View, parameters: MoveParameters, answers: Answers, *, briefly: bool = False) -> Report[MoveResult]:
    """Return the report on a move.

    `briefly`: whether to leave out the consequences, and to ignore dice that are not answered.
    """
    try:
        moving = _check_units(view, parameters)
    except InputError:
        aboard = steps_of_rail_mode(view, parameters.units)
        if aboard:
            return refused(f"Move of {' and '.join(parameters.units)}", "{why}", aboard, parameters)
        raise
    line = (str(moving[0].place), *parameters.way)
    order = order_of(view, parameters.units, line, parameters.drop, parameters.pick)
    move = Move(parameters, _format_title(order, off=parameters.off), order)
    if standing := _refuse_standing(view, move):
        return standing
    dice = throw_for_leaders(view, map(view.unit, move.order.everybody), answers)
    if briefly:
        return _judge_move(dice.after(view), move, briefly=True)
    if dice.asks:
        free = _judge_move(view, move, briefly=True)
        return free if free.verdict.kind == "no" else _report_dice(view, move, dice)
    return with_dice(_judge_move(dice.after(view), move), dice)


def _check_units(view: View, parameters: MoveParameters) -> list[Unit]:
    """Return the units that start.

    Raises InputError if the units or the way are impossible, or the number of costs differs from that of hexes.
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


def _format_title(order: MarchOrder, *, off: bool) -> str:
    """Return a title with the units, grouped by start and end.

    `off`: whether units that are not dropped leave the map.
    """
    ends = {unit: order.line[number] for number, units in order.dropped.items() for unit in units}
    starts = {unit: order.line[number] for number, units in order.picked.items() for unit in units}
    last = "off the map" if off else order.line[-1]
    parties: dict[tuple[str, str], list[str]] = {}
    for unit in order.everybody:
        parties.setdefault((starts.get(unit, order.line[0]), ends.get(unit, last)), []).append(unit)
    return "; ".join(f"{' and '.join(units)} from {start} to {end}" for (start, end), units in parties.items())


def _refuse_standing(view: View, move: Move) -> Report[MoveResult] | None:
    everybody = [view.unit(unit) for unit in move.order.everybody]
    with view.gather() as facts:
        standing = (
            reasons_to_stay(facts, everybody)
            or why_no_points_now(facts, everybody)
            or steps_against_picks(view, move.order)
            or steps_of_spent(facts, move.order, move.parameters.forced)
        )
    if not standing:
        return None
    text = verdict_of_standing(move.order.everybody, standing)
    return refused(move.title, text, standing, move.parameters, who=" and ".join(move.order.everybody))


def _report_dice(view: View, move: Move, dice: LeaderDice) -> Report[MoveResult]:
    """Return the report on a move before the leaders' dice, with the chance that the dice allow it."""
    chance = chance_to_move(view, dice, lambda now: _judge_move(now, move, briefly=True).verdict.kind != "no")
    text = (
        "{dice} first: {chance:%} chance that the move can be made" if dice.khan_units or chance < 1 else "{dice} first"
    )
    waiting = verdict("figure", text, dice=format_dice(dice), chance=chance)
    return Report(
        title=move.title,
        verdict=waiting,
        short=(as_sentence("8.1", waiting),),
        parts=(Part("Leaders", tuple(dice_steps(dice))),),
        asks=dice.asks,
        result=MoveResult(units=move.parameters.units, way=move.parameters.way),
    )


# --- the walk, and what its end means ---------------------------------------------------------------------------------


def _judge_move(view: View, move: Move, *, briefly: bool = False) -> Report[MoveResult]:
    """Return the report on a move after the dice of leaders: refused, stopped or made.

    `briefly`: whether to leave out the consequences.
    """
    if standing := _refuse_standing(view, move):
        return standing
    parameters, order = move.parameters, move.order
    walked = _walk_way(view, move)
    edge = steps_against_edge(view, order.line[-1]) if parameters.off and not walked.stopped else []
    if walked.stopped or edge:
        return _report_stop(move, walked, walked.stopped or edge[0])
    leaving = order.find_leaving(view, off=parameters.off)
    if not parameters.goes_on:
        moved = [walker for walker in walked.walkers if walker.way or parameters.off]
        ends = {walker.unit: None if walker.unit in leaving else walker.end for walker in moved}
        if against := steps_against_ends(view, ends):
            return refused(move.title, "{why}", against, result=move.result(walked))
    if not briefly:
        return _report_made(view, move, walked)
    result = move.result(walked)
    return Report(title=move.title, verdict=_make_verdict(result, gone=leaving, free=False), result=result)


def _walk_way(view: View, move: Move) -> Walked:
    """Return the walk of the units along their way.

    They walk without costs first. A bar found then holds on any ground, so it is reported even if the ground is not
    stated. The exception is an enemy that leaves once a crossing begins (4.1.1a): it bars only units that cannot pay
    for the crossing, so costs decide.
    """
    bare = _walk_in(view, move, priced=False)
    against = [bare.stopped] if bare.stopped and bare.stopped.rule != CROSSING_RULE else []
    return read_unless(against, lambda: _walk_in(view, move, priced=True)) or bare


def _walk_in(view: View, move: Move, *, priced: bool) -> Walked:
    """Return the walk of the units in a position.

    `priced`: whether the ground of hexes costs Movement Points.
    """
    parameters, _, order = move
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
        around = judges.judge_of(order.units).around
        walked = walk(order, judges, forced=parameters.forced, free=not priced)
        if priced and not parameters.ground:
            steps = map(MarchStep, map(judges.judge_of, order.list_parties()), order.line, order.line[1:])
            made_of = (march.with_ground(entered, chart) for march, entered in zip(steps, walked.entered, strict=False))
            walked = walked._replace(entered=tuple(made_of))
    reached = [stepped.hex for stepped in walked.entered]
    if walked.stopped and walked.stopped.rule in RULES_OF_ZONES:
        reached.append(walked.hex)
    note_areas_left_out(around, starting, reached)
    assume_zones(around, [order.line[0], *reached] if reached else [])
    return walked


def _report_stop(move: Move, walked: Walked, stopped: Step) -> Report[MoveResult]:
    """Return the report on a barred way, up to the first barred hex."""
    parameters = move.parameters
    result = move.result(walked)
    why = str(stopped.figures["why"]) if stopped.template == BARRED_HEX else stopped.text
    end = parameters.way[-1] if parameters.way else "a place off the map"
    too_dear = stopped.template == LIMIT_EXCEEDED
    if too_dear:
        why = f"to enter {walked.hex}, {why}"
    elif walked.hex not in ("", end):
        why = f"{walked.hex}: {why}"
    if too_dear and walked.entered:
        text = "{units} cannot go to {end}, only as far as {last}: {why}"
        no = verdict("no", text, result, end=end, why=why, last=walked.entered[-1].hex)
    else:
        no = verdict("no", "{units} cannot go to {end}: {why}", result, end=end, why=why)
    parts = (Part(NOT_ALLOWED, (stopped,)), Part("Way", tuple(_describe_way(walked, parameters.ground))))
    short = (as_sentence(stopped.rule, no),)
    return Report(title=move.title, verdict=no, short=short, parts=parts, result=result)


def _report_made(view: View, move: Move, walked: Walked) -> Report[MoveResult]:
    parameters, title, order = move
    free = not any(walker.points for walker in walked.walkers)
    leaving = order.find_leaving(view, off=parameters.off)
    gone = tuple(walker.unit for walker in walked.walkers if walker.unit in leaving)
    staying = [walker for walker in walked.walkers if walker.unit not in leaving]
    moves = [changed(view, "place", walker.unit, walker.end, "8.1") for walker in staying]
    marches = marches_of(order, len(walked.entered))
    if gone:
        moves += depart(view, gone)
        on_map = marches if parameters.off else marches[:-1]
        marches = [*on_map, March(gone, departs=True)]
    following = find_consequences(view, marches)
    reactions = tuple(_find_reactions(view, marches))
    with view.gather() as facts:
        accounts = [*changes_of_account(view, walked, staying)] if staying else []
        causeways = [*changes_of_causeways(facts, order, walked)]
        formations = _match_formations(facts, walked.walkers)
        over = tuple(hexes_over_limit(facts, {walker.unit: walker.end for walker in staying})) if staying else ()
    result = move.result(
        walked,
        over=over,
        unsettled=following.unsettled,
        marches=_list_forced_marches(view, staying),
        reactions=reactions,
    )
    outcome = _make_verdict(result, gone=gone, free=free, passes=_measure_chance(walked.walkers, formations))
    return Report(
        title=title,
        verdict=outcome,
        short=tuple(_summarize(result, outcome, walked, parameters)),
        parts=(
            Part("Way", tuple(_describe_way(walked, parameters.ground))),
            Part("Movement Points", tuple(_describe_points(walked.walkers, formations, result.marches))),
            *following.parts(view),
            Part("Reactions", tuple(reaction.step for reaction in reactions)),
            Part("Order", tuple(order_of_interruptions(view, order.line[1:], reactions, following.owed))),
            Part("Afterwards", tuple(_list_reminders(result))),
        ),
        changes=(*moves, *accounts, *causeways, *following.changes),
        result=result,
    )


# --- enemy cavalry that may react -------------------------------------------------------------------------------------


def _find_reactions(view: View, marches: Iterable[March]) -> Iterator[Reaction]:
    for arrival, now in _list_arrivals(view, marches):
        left = arrival.left[0] if arrival.left else None
        for hex in arrival.entered:
            near = arrival.beside((hex, *arrival.left))
            others = [unit for place in near for unit in now.stack(place) if arrival.is_enemy(unit.id)]
            for unit in others:
                if view.word("arm", unit.id) != "cavalry":
                    continue
                number = find_trigger(now, unit, arrival.march.units, hex, left)
                if number:
                    not_yet = why_not_yet(view, arrival.before, unit.id)  # `view`, so that the report names the ruling
                    judged = judge_as_known(now, unit, arrival.march.units, number, left, not_yet)
                    known = Reaction(unit=unit.id, at=str(unit.place), hex=hex, trigger=number, open=judged.open)
                    against = judged.against
                    yield replace(known, barred=against.text, rule=against.rule) if against else known


def _list_arrivals(view: View, marches: Iterable[March]) -> Iterator[tuple[Arrival, View]]:
    """Yield each step with the position after it, without units that have fled and with revealed units turned over."""
    now = view
    for march in marches:
        for leg in march.legs:
            arrival = arrive(now, leg)
            fled = (changed(arrival.after, "place", unit.id, None, "22.4.1") for unit in fleeing_units(arrival))
            now = arrival.after.after([*fled, *change_cover(arrival)])
            yield arrival, now


def order_of_interruptions(
    view: View, hexes: Sequence[str], reactions: Iterable[Reaction], owed: Iterable[Change]
) -> Iterator[Step]:
    """Yield the order of events in each hex where enemy cavalry may react or units must leave.

    `hexes`: the hexes that the units enter.
    `owed`: the changes that are due after the move.

    Rule: 9.1.2, 9.5.1b, 9.8.1c
    """
    cavalry = dict[str, list[str]]()
    leaving = dict[str, dict[str, str]]()
    for reaction in reactions:
        if reaction.is_possible:
            cavalry.setdefault(reaction.hex, []).append(reaction.unit)
    for change in owed:
        if change.track == MUST_LEAVE and not view.flag("entrained", change.subject):
            # empty for an own unit, which is left alone as the others enter the first hex
            reached = str(change.after).split()[1:]
            hex = next(iter((*reached, *hexes)), "")
            leaving.setdefault(hex, {})[change.subject] = view.word("arm", change.subject)
    for hex in dict.fromkeys(hexes):
        yield from order_steps(hex, cavalry.get(hex, ()), leaving.get(hex, {}))


# --- Forced Marches whose checks follow -------------------------------------------------------------------------------


def _list_forced_marches(view: View, walkers: Sequence[Walker]) -> tuple[MarchAhead, ...]:
    """Return the Forced Marches still to be checked, with their possible costs."""
    spendings = (walker.spending for walker in walkers)
    marches = (march_ahead(view, spends) for spends in spendings if spends)
    return tuple(ahead for ahead in marches if ahead)


def _match_formations(facts: Gather, walkers: Sequence[Walker]) -> dict[str, str]:
    """Return the formation with which each Asset Unit goes the whole way, by the id of the Asset Unit."""
    ways = {walker.unit: walker.way for walker in walkers}
    formations = dict[str, str]()
    for unit in map(facts.view.unit, ways):
        formation = company_of(facts, unit)
        if formation in ways and ways[formation] == ways[unit.id]:
            formations[unit.id] = formation
    return formations


def _measure_chance(walkers: Sequence[Walker], formations: Mapping[str, str]) -> Fraction | None:
    """Return the chance that all units pass their Forced March checks, or None if it is unknown or no unit checks.

    An Asset Unit checks with its formation.
    """
    checking = (walker.spending for walker in walkers if walker.unit not in formations)
    return chance_that_all_pass(spends.passes for spends in checking if spends and spends.march)


# --- the result in words: verdict, short answer, and each part --------------------------------------------------------


def _make_verdict(result: MoveResult, *, gone: Collection[str], free: bool, passes: Fraction | None = None) -> Verdict:
    """Return the verdict on a move that is made.

    `gone`: ids of the units that leave the map.
    `free`: whether the units spend no Movement Points.
    `passes`: the chance that all units pass their Forced March checks, or None if it is unknown or no unit checks.
    """
    last = max(result.moves, key=lambda move: (len(move.way), move.points))
    ends = {move.unit: move.end for move in result.moves}
    arriving = [unit for unit in result.units if (unit in gone if gone else ends.get(unit, last.end) == last.end)]
    reacting = [*dict.fromkeys(reaction.unit for reaction in result.reactions if reaction.is_possible)]
    figures: dict[str, Any] = {
        "units": arriving,
        "end": "off the map for good" if gone else last.end,
        "points": last.points,
        "goes_alone": len(arriving) == 1,
        "gone": bool(gone),
        "pays": not free,
    }
    if reacting:
        figures["reacting"] = reacting
    marching = [move.spending for move in result.moves if move.spending and move.spending.march]
    lefts = [move.spending.left for move in result.moves if move.spending]
    dearest = max(marching, key=lambda spends: spends.march, default=None)
    if dearest and passes is not None:
        figures["passes"] = passes
    if lefts and not (free or marching):
        figures["left"] = min(lefts)
    text = (
        "{units} [goes_alone:goes|go] [gone:|to ]{end}[pays:: {points:#Movement Point}]"
        "[is_forced:, {march} beyond the allowance by Forced March][knows_chance: ({passes:%} chance to pass)]"
        "[keeps_some:; {left} left][reacts:; {reacting} may react]"
    )
    chosen = SimpleNamespace(
        is_forced=dearest, knows_chance="passes" in figures, keeps_some="left" in figures, reacts=reacting
    )
    return verdict("figure", text, chosen, result, dearest, **figures)


def _summarize(result: MoveResult, outcome: Verdict, walked: Walked, parameters: MoveParameters) -> Iterator[Step]:
    """Yield the short answer: verdict, way, units that end elsewhere, over-stacked hexes."""
    yield as_sentence("8.1", outcome)
    way = [_format_hex(stepped, given=bool(parameters.ground)) for stepped in _paid_hexes(walked)]
    if way:
        yield SAY("8.1", "move.way", way=way)
    elsewhere = [move for move in result.moves if move.end != outcome.figures["end"] and move.unit in result.units]
    if elsewhere:
        yield SAY("8.1", "move.ends", ends=[SAY("", "move.end", move).text for move in elsewhere])
    if result.over:
        yield SAY("4.2.1", "move.over", result)


def _format_hex(stepped: Stepped, *, given: bool) -> str:
    what = next((GROUND_IN_WORDS.get(part.what, part.what) for part in stepped.made_of), "")
    name = _choose_hex_message(stepped, given=given) if what else "move.given"
    text = SAY.brief(name, stepped, what=what)
    return SAY("", "move.zones", stepped, said=text).text if stepped.zones else text


def _choose_hex_message(stepped: Stepped, *, given: bool) -> str:
    """Return the name of the message on a hex.

    `given`: whether the player gave the cost of the hex.
    """
    if given:
        return "move.given"
    return "move.road" if stepped.by == "road" else "move.hex"


def _paid_hexes(walked: Walked) -> Sequence[Stepped]:
    """Return the hexes of a walk, or () if the walk costs nothing."""
    return walked.entered if any(walker.points for walker in walked.walkers) else ()


def _describe_way(walked: Walked, given: Sequence[float]) -> Iterator[Step]:
    for stepped in _paid_hexes(walked):
        rule = "8.1.4" if stepped.by == "road" else "8.1.1"
        message = SAY.templates[_choose_hex_message(stepped, given=bool(given))]
        made_of = [*_format_ground(stepped.made_of)]
        figures: dict[str, Any] = {}
        if made_of not in ([], [ANY_ROAD]):
            figures["made_of"] = made_of
        spent = {unit: stepped.zones - points for unit, points in stepped.spared.items()}
        alike = bool(spent) and stepped.points < stepped.ground + stepped.zones and len({*spent.values()}) == 1
        if alike:
            figures["zones_spent"] = next(iter(spent.values()))
        elif spent:
            each = [step("", "{unit} spends {points}", unit=unit, points=spent[unit]) for unit in spent]
            figures["zones_spent"] = [line.text for line in each]
        if spent:
            rule = "26.2.5"
        elif stepped.zones:
            rule = "4.1.4"
        text = (
            f"{message}[is_mixed: ({{made_of}})][is_spared:, +{{zones_spent}} of {{zones}} {{why}}]"
            "[is_paid:, +{zones} {why}][is_divided:, of which {zones_spent}]"
        )
        chosen = SimpleNamespace(
            is_mixed="made_of" in figures,
            is_spared=alike,
            is_paid=not alike and (spent or stepped.zones),
            is_divided=spent and not alike,
        )
        yield step(rule, text, chosen, stepped, **figures)


def _format_ground(parts: Sequence[Paid]) -> Iterator[str]:
    """Yield the parts of the cost of a hex's ground, with their points if there are several."""
    for part in parts:
        name = GROUND_IN_WORDS.get(part.what, part.what)
        yield name if len(parts) == 1 else step("", "{name} {points}", name=name, points=part.points).text


def _describe_points(
    walkers: Sequence[Walker], formations: Mapping[str, str], marches: Sequence[MarchAhead]
) -> Iterator[Step]:
    """Yield the points that each unit has spent, and the check of its Forced March.

    `formations`: the formations with which Asset Units check, by the id of the Asset Unit.
    """
    ahead = {march.unit: march for march in marches}
    for walker in walkers:
        if walker.spending is None:
            continue
        yield spending_step(walker.spending)
        if walker.beyond:
            text = "{unit}: {beyond} beyond that without a Forced March, for the EZOC of a concealed enemy"
            yield step("26.2.5", text, walker)
        if walker.spending.march and walker.unit in formations:
            text = "{unit} marches and checks with {formation}, the formation to which it is attached"
            yield step("6.4.1", text, walker, formation=formations[walker.unit])
        elif walker.spending.march:
            yield from _describe_check(walker, ahead.get(walker.unit))


def _describe_check(walker: Walker, ahead: MarchAhead | None) -> Iterator[Step]:
    """Yield the check of a unit's Forced March, and its possible costs.

    `ahead`: the check, or None if its chance is unknown.
    """
    ask = f"ask forced-march unit={quoted(walker.unit)}"
    text = "{unit} checks once its move is over, and loses levels or steps if it fails ({ask})"
    yield step("8.3.2", text, walker, ask=ask)
    if ahead and ahead.levels is None:
        text = "what a failed check costs {unit} is not known: it stands in the Forced March Results Table"
        yield step("8.3.3", text, walker)
    elif ahead:
        yield from risk_steps(ahead.levels, ahead.steps, walker.unit)


def _list_reminders(result: MoveResult) -> list[Step]:
    """Return reminders for after the move. Rule: 8.1c"""
    ended = [move.unit for move in result.moves if move.ended]
    clauses = (
        (result.over, "4.2.1", "{over} over the stacking limits: the excess is eliminated at the end of the phase"),
        (ended, "8.1", "{ended} may move no further in this phase"),
    )
    return holding(clauses, result, ended=ended)


# --- the picture ------------------------------------------------------------------------------------------------------


def _trim_line(result: MoveResult) -> tuple[str, ...]:
    start = result.moves[0].at if result.moves else ""
    return (start, *(stepped.hex for stepped in result.entered))


def _label_hexes(result: MoveResult) -> dict[str, str]:
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
    decide=partial(_ask_move, briefly=True),
    shows=(Moves(by="on foot", to="way", reach="reach", is_together=True),),
)
