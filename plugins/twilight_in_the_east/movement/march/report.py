"""What is said of a move: what each hex costs, what the units have spent then, and what follows at once (8.1, 8.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple

import msgspec

from assistant.asking import (
    Gather,
    Helpful,
    Parameters,
    Part,
    Report,
    Step,
    UnitOrDecoy,
    View,
    Way,
    holding,
    note,
    step,
    verdict,
)
from assistant.asking.report import NOT_ALLOWED, Verdict, as_sentence
from assistant.asking.view import changed
from assistant.state.vocabulary import HexNumber
from assistant.util.errors import quoted

from ...entering.arrival import March
from ...entering.consequences import find_consequences
from ...forces.armies import company_of
from ...forces.departures import depart
from ...forces.spending import BEYOND_LIMIT, chance_that_all_pass, spending_step
from ...ground.chart import ANY_ROAD
from ...ground.costs import RIVERS, ROADWAYS
from ...terms import SAY
from ..march_check import MarchAhead, march_ahead, risk_steps
from .ends import hexes_over_limit
from .enemy_reactions import (
    Reaction,
    order_of_interruptions,
    reactions_to,
    steps_of,
)
from .steps import Paid, Stepped
from .walk import BARRED, MarchOrder, Walked, Walker, changes_of_account, changes_of_causeways, marches_of

GROUND_IN_WORDS = {
    **{feature: feature.replace("-", " ") for feature in ("high-mountain", *RIVERS, *ROADWAYS, "half-hex")},
    "rail": "RR line",
}
"""The features of the chart as a report words them."""


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


class Begun(NamedTuple):
    """A move that nothing forbids before the first hex."""

    parameters: MoveParameters
    title: str
    order: MarchOrder

    def result(self, walked: Walked, **following: Any) -> MoveResult:
        """Return the move as far as the units come. following: what else there is to say of it."""
        units, way = self.parameters.units, self.parameters.way
        return MoveResult(units=units, way=way, entered=walked.entered, moves=walked.walkers, **following)


def report_refusal(begun: Begun, walked: Walked, stopped: Step) -> Report[MoveResult]:
    """Return the report on a way that is barred, with the hexes before the first that is."""
    parameters = begun.parameters
    result = begun.result(walked)
    why = str(stopped.figures["why"]) if stopped.template == BARRED else stopped.text
    end = parameters.way[-1] if parameters.way else "a place off the map"
    too_dear = stopped.template == BEYOND_LIMIT
    if too_dear:
        why = f"to enter {walked.hex}, {why}"
    elif walked.hex not in ("", end):
        why = f"{walked.hex}: {why}"
    if too_dear and walked.entered:
        text = "{units} cannot go to {end}, only as far as {last}: {why}"
        no = verdict("no", text, result, end=end, why=why, last=walked.entered[-1].hex)
    else:
        no = verdict("no", "{units} cannot go to {end}: {why}", result, end=end, why=why)
    parts = (Part(NOT_ALLOWED, (stopped,)), Part("Way", tuple(_way_steps(walked, parameters.ground))))
    short = (as_sentence(stopped.rule, no),)
    return Report(title=begun.title, verdict=no, short=short, parts=parts, result=result)


def report_move(view: View, begun: Begun, walked: Walked) -> Report[MoveResult]:
    """Return the report on a move that is made, with all that follows."""
    parameters, title, order = begun
    free = not any(walker.points for walker in walked.walkers)
    leaving = order.leaving(view, off=parameters.off)
    gone = tuple(walker.unit for walker in walked.walkers if walker.unit in leaving)
    staying = [walker for walker in walked.walkers if walker.unit not in leaving]
    moves = [changed(view, "place", walker.unit, walker.end, "8.1") for walker in staying]
    marches = marches_of(order, len(walked.entered))
    if gone:
        moves += depart(view, gone)
        on_map = marches if parameters.off else marches[:-1]
        marches = [*on_map, March(gone, departs=True)]
    following = find_consequences(view, marches)
    reactions = tuple(reactions_to(view, steps_of(view, marches)))
    with view.gather() as facts:
        accounts = [*changes_of_account(view, walked, staying)] if staying else []
        causeways = [*changes_of_causeways(facts, order, walked)]
        leaders = _find_leaders(facts, walked.walkers)
        over = tuple(hexes_over_limit(facts, {walker.unit: walker.end for walker in staying})) if staying else ()
    result = begun.result(
        walked,
        over=over,
        unsettled=following.unsettled,
        marches=_find_marches_ahead(view, staying),
        reactions=reactions,
    )
    outcome = choose_verdict(result, gone=gone, free=free, passes=_measure_chance(walked.walkers, leaders))
    return Report(
        title=title,
        verdict=outcome,
        short=tuple(_format_briefly(result, outcome, walked, parameters)),
        parts=(
            Part("Way", tuple(_way_steps(walked, parameters.ground))),
            Part("Movement Points", tuple(_point_steps(walked.walkers, leaders, result.marches))),
            *following.parts(view),
            Part("Reactions", tuple(reaction.step for reaction in reactions)),
            Part("Order", tuple(order_of_interruptions(view, order.line[1:], reactions, following.owed))),
            Part("Afterwards", tuple(_after_steps(result))),
        ),
        changes=(*moves, *accounts, *causeways, *following.changes),
        result=result,
    )


def choose_verdict(result: MoveResult, *, gone: Collection[str], free: bool, passes: Fraction | None = None) -> Verdict:
    """Return the move in a line. gone: the units that leave the map; free: whether they spend nothing; passes: the
    chance that all pass the check of a Forced March, None where none is made or it is not known.
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


def _format_briefly(result: MoveResult, outcome: Verdict, walked: Walked, parameters: MoveParameters) -> Iterator[Step]:
    """Yield a move in a few sentences: where it leads, hex by hex, who ends elsewhere, and what would be over-stacked.
    outcome: the verdict.
    """
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
    """Yield what each unit has spent then, the check of those that make a Forced March, and what it may cost.

    leaders: of `_find_leaders`.
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
    text = "{unit} checks once its move is over, and loses levels or steps if it fails ({ask})"
    yield step("8.3.2", text, walker, ask=ask)
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


def _after_steps(result: MoveResult) -> list[Step]:
    """Return what to bear in mind once the move is made. Rule: 8.1c"""
    ended = [move.unit for move in result.moves if move.ended]
    clauses = (
        (result.over, "4.2.1", "{over} over the stacking limits: the excess is eliminated at the end of the phase"),
        (ended, "8.1", "{ended} may move no further in this phase"),
    )
    return holding(clauses, result, ended=ended)
