"""The question `move`: units go from hex to hex; what each hex costs, what bars the first that they cannot enter, what
they have spent then, and what follows at once, hex by hex (8.1, 8.3, and 4.3, 8.9.3, 13.4, 13.5.1, 17.1.4, 18.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
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
    note,
    read_unless,
    refused,
    step,
    verdict,
)
from assistant.asking.report import NOT_ALLOWED, Verdict, as_sentence
from assistant.asking.view import changed
from assistant.rules.sketches import of_way
from assistant.state.state import Unit
from assistant.state.vocabulary import HexNumber
from assistant.util.errors import quoted

from ...entering.arrival import March
from ...entering.consequences import find_consequences
from ...forces.armies import company_of
from ...forces.departures import depart
from ...forces.spending import BEYOND_LIMIT, chance_that_all_pass, spending_step
from ...ground.calendar import is_counter_movement
from ...ground.chart import ANY_ROAD, STEP, Chart
from ...ground.costs import RIVERS, ROADWAYS, Price
from ...ground.edges import lies_off_map
from ...ground.hexsides import assume_zones, field
from ...terms import SAY
from ..march_check import MarchAhead, march_ahead, risk_steps
from .dice import Thrown, chance_to_move, dice_steps, format_dice, throw_for_leaders, with_dice
from .ends import steps_against_ends
from .enemy_reactions import (
    Reaction,
    arrivals_of,
    displacing_units,
    order_of_interruptions,
    reactions_to,
    units_to_displace,
)
from .landsturm import NOBODY
from .movers import reasons_to_stay, steps_of_rail_mode, units_together, verdict_of_standing, why_no_points_now
from .overstacking import hexes_over_limit
from .prices import Prices, check_ground, parts_of_step, prices_given, prices_of_way
from .steps import CROSSING, Judge, Paid, Stepped, bar_of_edge, read_party
from .walk import (
    BARRED,
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
from .zones import note_areas_left_out, zones_along

GROUND_IN_WORDS = {
    **{feature: feature.replace("-", " ") for feature in ("high-mountain", *RIVERS, *ROADWAYS, "half-hex")},
    "rail": "RR line",
}
"""The features of the chart as a report words them."""
RULES_OF_ZONES = ("4.1.4a", "6.3.1", "9.3", "9.5", "9.8")
"""The rules by which enemies near a hex close it."""


class MoveParameters(Parameters, frozen=True):
    """Units that move."""

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


class MoveResult(msgspec.Struct, frozen=True, kw_only=True):
    """A move, as far as it is allowed."""

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
        free = _judge_walk(view, begun, parameters)
        return free if isinstance(free, Report) else _report_dice(view, begun, parameters, thrown)
    now = view.after(thrown.changes) if thrown.changes else view
    judged = _judge_walk(now, begun, parameters)
    report = judged if isinstance(judged, Report) else _report_move(now, begun, parameters, judged)
    return with_dice(report, thrown)


def _report_whether_allowed(view: View, parameters: MoveParameters, answers: Answers) -> Report[MoveResult]:
    """Return the report on a move as far as it says whether it is allowed."""
    begun = _begin_move(view, parameters)
    if isinstance(begun, Report):
        return begun
    thrown = throw_for_leaders(view, map(view.unit, begun.order.everybody), answers)
    now = view.after(thrown.changes) if thrown.changes else view
    judged = _judge_walk(now, begun, parameters)
    if isinstance(judged, Report):
        return judged
    result = MoveResult(units=parameters.units, way=parameters.way, entered=judged.entered, moves=judged.walkers)
    return Report(title=begun.title, verdict=_choose_verdict(result, gone=parameters.off, free=False), result=result)


class Begun(NamedTuple):
    """A move that nothing forbids before the first hex."""

    title: str
    order: MarchOrder


def _begin_move(view: View, parameters: MoveParameters) -> Report[MoveResult] | Begun:
    """Return a move before its first hex: the report that refuses it if its units may not move at all. Raises as
    `answer`.
    """
    try:
        moving = _check_units(view, parameters)
    except InputError:
        if aboard := steps_of_rail_mode(view, parameters.units):
            return refused(f"Move of {' and '.join(parameters.units)}", "{why}", aboard, parameters)
        raise
    start = str(moving[0].place)
    order = order_of(view, parameters.units, (start, *parameters.way), parameters.drop, parameters.pick)
    begun = Begun(_format_title(order, off=parameters.off), order)
    return _refuse_standing(view, begun, parameters) or begun


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


def _refuse_standing(view: View, begun: Begun, parameters: MoveParameters) -> Report[MoveResult] | None:
    """Return the report that refuses a move whose units may not move at all, None for any other."""
    everybody = [view.unit(unit) for unit in begun.order.everybody]
    with view.gather() as facts:
        standing = reasons_to_stay(facts, everybody) or why_no_points_now(facts, everybody)
        standing = standing or steps_against_picks(view, begun.order)
        standing = standing or steps_of_spent(facts, begun.order, parameters.forced)
    if not standing:
        return None
    text = verdict_of_standing(begun.order.everybody, standing)
    return refused(begun.title, text, standing, parameters, who=" and ".join(begun.order.everybody))


def _judge_walk(view: View, begun: Begun, parameters: MoveParameters) -> Report[MoveResult] | Walked:
    """Return a move as the rules judge it once the dice of leaders are known: the report that refuses it, or the walk."""
    if standing := _refuse_standing(view, begun, parameters):
        return standing
    walked = _walk_what_is_known(view, begun.order, parameters)
    edge = bar_of_edge(view, walked.walkers[0].end) if parameters.off else None
    if stopped := walked.stopped or edge:
        return _report_refusal(begun.title, parameters, walked, stopped)
    if parameters.goes_on:
        return walked
    if against := steps_against_ends(view, _find_ends(view, walked, off=parameters.off)):
        result = MoveResult(units=parameters.units, way=parameters.way, entered=walked.entered, moves=walked.walkers)
        return refused(begun.title, "{why}", against, result=result)
    return walked


def _report_dice(view: View, begun: Begun, parameters: MoveParameters, thrown: Thrown) -> Report[MoveResult]:
    """Return the report on a move for which leaders roll first, with the chance that the move can then be made."""
    chance = chance_to_move(view, thrown, lambda now: not isinstance(_judge_walk(now, begun, parameters), Report))
    result = MoveResult(units=parameters.units, way=parameters.way)
    text = "{dice} first: {chance:%} chance that the move can be made" if thrown.khans or chance < 1 else "{dice} first"
    waiting = verdict("figure", text, dice=format_dice(thrown), chance=chance)
    return Report(
        title=begun.title,
        verdict=waiting,
        short=(as_sentence("8.1", waiting),),
        parts=(Part("Leaders", tuple(dice_steps(thrown))),),
        asks=thrown.asks,
        result=result,
    )


def _find_ends(view: View, walked: Walked, *, off: bool) -> dict[str, str | None]:
    """Return where the units that leave their hexes then stand, None off the map. off: whether they leave it."""
    gone = off or lies_off_map(view, walked.walkers[0].end)
    return {walker.unit: None if gone else walker.end for walker in walked.walkers if walker.way or off}


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


def _walk_what_is_known(view: View, order: MarchOrder, parameters: MoveParameters) -> Walked:
    """Return the walk of units in a position. What something bars whatever its ground costs is told without the costs,
    where these are not known; enemies who leave a hex once a crossing begins bar it only to who can pay for that.
    """
    bare = _walk_in(view, order, parameters, priced=False)
    against = [bare.stopped] if bare.stopped and bare.stopped.rule != CROSSING else []
    return read_unless(against, lambda: _walk_in(view, order, parameters, priced=True)) or bare


def _walk_in(view: View, order: MarchOrder, parameters: MoveParameters, *, priced: bool) -> Walked:
    """Return the walk of units in a position. priced: whether hexes cost what their ground does."""
    counter = is_counter_movement(view, None)
    starting = [view.unit(unit) for unit in order.everybody]
    with view.gather() as facts:
        around, zones = zones_along(facts, starting, order.line)
        chart = Chart(facts)
        prices = _prices_for(facts, chart, order, parameters.ground) if priced else _price_nothing

        @cache
        def judge_of(party: tuple[str, ...], fled: frozenset[str], shroud: frozenset[str] = NOBODY) -> Judge:
            units = [view.unit(unit) for unit in party]
            apart = fled or shroud
            there = zones_along(facts, starting, order.line, fled, shroud) if apart else (around, zones)
            return Judge(facts, *there, read_party(facts, units, counter=counter), prices)

        walked = walk(facts, order, judge_of, forced=parameters.forced, free=not priced)
        if priced and not parameters.ground:
            parties = (judge_of(party, frozenset()) for party in order.parties())
            walked = walked._replace(entered=tuple(_add_ground(chart, order.line, walked.entered, parties)))
    reached = [stepped.hex for stepped in walked.entered]
    reached += [walked.hex] if walked.stopped and walked.stopped.rule in RULES_OF_ZONES else []
    note_areas_left_out(around, starting, reached)
    assume_zones(around, [order.line[0], *reached] if reached else [])
    return walked


def _add_ground(
    chart: Chart, line: Sequence[str], entered: Sequence[Stepped], judges: Iterable[Judge]
) -> Iterator[Stepped]:
    """Yield the hexes that are entered, each with what the Movement Points for its ground are made of. judges: of each
    step.
    """
    for (here, there), stepped, judge in zip(pairwise(line), entered, judges, strict=False):
        parts = parts_of_step(judge.facts, chart, here, there, stepped.by)
        made_of = [Paid(feature, Fraction(halves, STEP)) for feature, halves in parts]
        if sum(paid.points for paid in made_of) < stepped.ground:
            made_of += judge.crowding(there)
        yield replace(stepped, made_of=tuple(made_of))


def _prices_for(facts: Gather, chart: Chart, order: MarchOrder, ground: Sequence[float]) -> Prices:
    """Return what the ground of a way costs: as a player reads it off his chart, or as the position and the chart of
    the pack say.
    """
    if not ground:
        return prices_of_way(facts, chart)
    return prices_given(order.line, ground)


def _price_nothing(*_: str) -> Price:
    """Return the price of a step whose cost does not matter: nothing."""
    return Price(0)


# --- the report -------------------------------------------------------------------------------------------------------


def _report_refusal(title: str, parameters: MoveParameters, walked: Walked, stopped: Step) -> Report[MoveResult]:
    """Return the report on a way that is barred, with the hexes before the first that is."""
    result = MoveResult(units=parameters.units, way=parameters.way, entered=walked.entered, moves=walked.walkers)
    why = str(stopped.figures["why"]) if stopped.template == BARRED else stopped.text
    end = parameters.way[-1] if parameters.way else "a place off the map"
    too_dear = stopped.template == BEYOND_LIMIT
    if too_dear:
        why = f"to enter {walked.hex}, {why}"
    elif walked.hex not in ("", end):
        why = f"{walked.hex}: {why}"
    last = walked.entered[-1].hex if too_dear and walked.entered else ""
    text = "{units} cannot go to {end}, only as far as {last}: {why}" if last else "{units} cannot go to {end}: {why}"
    no = verdict("no", text, result, end=end, why=why, **({"last": last} if last else {}))
    parts = (Part(NOT_ALLOWED, (stopped,)), Part("Way", tuple(_way_steps(walked, parameters.ground))))
    short = (as_sentence(stopped.rule, no),)
    return Report(title=title, verdict=no, short=short, parts=parts, result=result)


def _report_move(view: View, begun: Begun, parameters: MoveParameters, walked: Walked) -> Report[MoveResult]:
    """Return the report on a move that is made, with all that follows."""
    title, order = begun
    free = not any(walker.points for walker in walked.walkers)
    moves = [changed(view, "place", walker.unit, walker.end, "8.1") for walker in walked.walkers]
    marches = marches_of(order, len(walked.entered))
    gone = lies_off_map(view, walked.walkers[0].end) or parameters.off
    if gone:
        moves = depart(view, [walker.unit for walker in walked.walkers])
        on_map = marches if parameters.off else marches[:-1]
        marches = [*on_map, March(tuple(walker.unit for walker in walked.walkers), departs=True)]
    following = find_consequences(view, marches)
    arrivals = tuple(arrivals_of(view, marches))
    displacing = tuple(displacing_units(arrivals))
    to_displace = units_to_displace(view, arrivals, displacing)
    following = replace(following, unsettled=(*following.unsettled, *to_displace))
    reactions = tuple(reactions_to(view, arrivals))
    with view.gather() as facts:
        accounts = [] if gone else [*changes_of_account(view, walked)]
        causeways = [*changes_of_causeways(facts, order, walked)]
        leaders = _find_leaders(facts, walked.walkers)
        ends = {walker.unit: walker.end for walker in walked.walkers}
        over = () if gone else tuple(hexes_over_limit(facts, ends))
    result = MoveResult(
        units=parameters.units,
        way=parameters.way,
        entered=walked.entered,
        moves=walked.walkers,
        over=over,
        unsettled=tuple(matter.subject for matter in following.unsettled),
        marches=() if gone else _find_marches_ahead(view, walked.walkers),
        reactions=reactions,
    )
    outcome = _choose_verdict(result, gone=gone, free=free, passes=_measure_chance(walked.walkers, leaders))
    return Report(
        title=title,
        verdict=outcome,
        short=tuple(_format_briefly(result, outcome, walked, parameters)),
        parts=(
            Part("Way", tuple(_way_steps(walked, parameters.ground))),
            Part("Movement Points", tuple(_point_steps(walked.walkers, leaders, result.marches))),
            *following.parts(view),
            Part("Reactions", tuple(reaction.step for reaction in reactions)),
            Part("Order", tuple(order_of_interruptions(view, order.line[1:], reactions, displacing))),
            Part("Afterwards", tuple(_after_steps(result))),
        ),
        changes=(*moves, *accounts, *causeways, *following.changes),
        result=result,
    )


def _choose_verdict(result: MoveResult, *, gone: bool, free: bool, passes: Fraction | None = None) -> Verdict:
    """Return the move in a line. gone: whether the units leave the map; free: whether they spend nothing; passes: the
    chance that all pass the check of a Forced March, None where none is made or it is not known.
    """
    last = max(result.moves, key=lambda move: (len(move.way), move.points))
    ends = {move.unit: move.end for move in result.moves}
    arriving = [unit for unit in result.units if ends.get(unit, last.end) == last.end]
    text = "{units} goes to {end}" if len(arriving) == 1 else "{units} go to {end}"
    end = "off the map for good" if gone else last.end
    if gone:
        text = text.replace("to {end}", "{end}")
    if not free:
        text += ": {points:#Movement Point}"
    reacting = [reaction.unit for reaction in result.reactions if reaction.is_possible]
    react = "; {reacting} may react" if reacting else ""
    figures: dict[str, Any] = {"units": arriving, "end": end, "points": last.points}
    figures |= {"reacting": [*dict.fromkeys(reacting)]} if reacting else {}
    marching = [move.spending for move in result.moves if move.spending and move.spending.march]
    if marching:
        dearest = max(marching, key=lambda spends: spends.march)
        text += ", {march} beyond the allowance by Forced March"
        figures |= {} if passes is None else {"passes": passes}
        text += " ({passes:%} chance to pass)" if passes is not None else ""
        return verdict("figure", text + react, result, dearest, **figures)
    lefts = [move.spending.left for move in result.moves if move.spending]
    if lefts and not free:
        return verdict("figure", text + "; {left} left" + react, result, **figures, left=min(lefts))
    return verdict("figure", text + react, result, **figures)


def _format_briefly(result: MoveResult, outcome: Verdict, walked: Walked, parameters: MoveParameters) -> Iterator[Step]:
    """Yield a move in a few sentences: where it leads, hex by hex, who ends elsewhere, and what would be over-stacked.
    outcome: the verdict.
    """
    yield as_sentence("8.1", outcome)
    if way := [_format_hex(stepped, given=bool(parameters.ground)) for stepped in _paid_hexes(walked)]:
        yield SAY("8.1", "move.way", way=way)
    end = outcome.figures["end"]
    if ends := [
        SAY("", "move.end", move).text for move in result.moves if move.end != end and move.unit in result.units
    ]:
        yield SAY("8.1", "move.ends", ends=ends)
    if result.over:
        yield SAY("4.2.1", "move.over", result)


def _format_hex(stepped: Stepped, *, given: bool) -> str:
    """Return what a hex costs in a few words."""
    what = next((GROUND_IN_WORDS.get(part.what, part.what) for part in stepped.made_of), "")
    name = _choose_hex_message(stepped, given=given) if what else "move.given"
    text = SAY.brief(name, stepped, what=what)
    return SAY("", "move.zones", stepped, said=text).text if stepped.zones else text


def _choose_hex_message(stepped: Stepped, *, given: bool) -> str:
    """Return the message that says what the ground of a hex costs. given: whether a player gave that."""
    if given:
        return "move.given"
    return "move.road" if stepped.by == "road" else "move.hex"


def _paid_hexes(walked: Walked) -> Sequence[Stepped]:
    """Return the hexes of a way, none where no Movement Points are spent."""
    return walked.entered if any(walker.points for walker in walked.walkers) else ()


def _way_steps(walked: Walked, given: Sequence[float]) -> Iterator[Step]:
    """Yield what each hex costs, the ground and the zones apart; nothing where no Movement Points are spent."""
    for stepped in _paid_hexes(walked):
        rule = "8.1.4" if stepped.by == "road" else "8.1.1"
        text = SAY.templates[_choose_hex_message(stepped, given=bool(given))]
        made_of = [*_format_ground(stepped.made_of)]
        made_of = made_of if made_of != [ANY_ROAD] else []
        text += " ({made_of})" if made_of else ""
        figures: dict[str, Any] = {"made_of": made_of} if made_of else {}
        if stepped.spared:
            spent = {unit: stepped.zones - points for unit, points in stepped.spared.items()}
            alike = stepped.points < stepped.ground + stepped.zones and len({*spent.values()}) == 1
            each = [step("", "{unit} spends {points}", unit=unit, points=points).text for unit, points in spent.items()]
            figures["zones_spent"] = next(iter(spent.values())) if alike else each
            text += ", +{zones_spent} of {zones} {why}" if alike else ", +{zones} {why}, of which {zones_spent}"
            rule = "26.2.5"
        elif stepped.zones:
            rule = "4.1.4"
            text = text + ", +{zones} {why}"
        yield step(rule, text, stepped, **figures)


def _format_ground(parts: Sequence[Paid]) -> Iterator[str]:
    """Yield what the ground of a hex is made of, a few words each; the points only where there are several parts."""
    for part in parts:
        name = GROUND_IN_WORDS.get(part.what, part.what)
        yield name if len(parts) == 1 else step("", "{name} {points}", name=name, points=part.points).text


def _find_marches_ahead(view: View, walkers: Sequence[Walker]) -> tuple[MarchAhead, ...]:
    """Return the Forced Marches of units that check for themselves once their move is over, with what that may cost."""
    spendings = (walker.spending for walker in walkers)
    marches = (march_ahead(view, spends) for spends in spendings if spends)
    return tuple(ahead for ahead in marches if ahead)


def _point_steps(
    walkers: Sequence[Walker], leaders: Mapping[str, str], marches: Sequence[MarchAhead]
) -> Iterator[Step]:
    """Yield what each unit has spent then, the check of those that make a Forced March, and what it may cost. leaders: of
    `_find_leaders`.
    """
    ahead = {march.unit: march for march in marches}
    for walker in walkers:
        if walker.spending is None:
            continue
        yield spending_step(walker.spending)
        if walker.beyond:
            text = "{unit}: {beyond} beyond that without a Forced March, for the EZOC of a concealed enemy"
            yield step("26.2.5", text, walker)
        if walker.spending.march and walker.unit in leaders:
            text = "{unit} marches and checks with {formation}, the formation to which it is attached"
            yield step("6.4.1", text, walker, formation=leaders[walker.unit])
        elif walker.spending.march:
            yield from _check_steps(walker, ahead.get(walker.unit))


def _measure_chance(walkers: Sequence[Walker], leaders: Mapping[str, str]) -> Fraction | None:
    """Return the chance that all units pass that check for a Forced March. leaders: of `_find_leaders`."""
    checking = (walker.spending for walker in walkers if walker.unit not in leaders)
    return chance_that_all_pass(spends.passes for spends in checking if spends and spends.march)


def _check_steps(walker: Walker, ahead: MarchAhead | None) -> Iterator[Step]:
    """Yield what says that a unit checks for its Forced March, and what that may cost. ahead: its check, None where its
    chance is not known.
    """
    ask = f"ask forced-march unit={quoted(walker.unit)}"
    yield step(
        "8.3.2", "{unit} checks once its move is over, and loses levels or steps if it fails ({ask})", walker, ask=ask
    )
    if ahead and ahead.levels is None:
        text = "what a failed check costs {unit} is not known: it stands in the Forced March Results Table"
        yield step("8.3.3", text, walker)
    elif ahead:
        yield from risk_steps(ahead.levels, ahead.steps, walker.unit)


def _find_leaders(facts: Gather, walkers: Sequence[Walker]) -> dict[str, str]:
    """Return the formations with which Asset Units go the whole way, by Asset Unit."""
    ways = {walker.unit: walker.way for walker in walkers}
    leaders = dict[str, str]()
    for unit in map(facts.view.unit, ways):
        leader = company_of(facts, unit)
        if leader in ways and ways[leader] == ways[unit.id]:
            leaders[unit.id] = leader
    return leaders


def _after_steps(result: MoveResult) -> Iterator[Step]:
    """Yield what to bear in mind once the move is made."""
    if result.over:
        text = "{over} over the stacking limits: the excess is eliminated at the end of the phase"
        yield step("4.2.1", text, result)
    if ended := [move.unit for move in result.moves if move.ended]:
        yield step("8.1", "{ended} may move no further in this phase", ended=ended)


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
