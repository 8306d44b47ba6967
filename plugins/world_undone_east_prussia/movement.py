"""The questions `move` and `reach`: how far units move, what that costs, which Movement Points they save, and what it
changes (3.3, 3.4, 5.0 to 5.3, 7.2, 9.4, 10.2.3 to 10.4, 10.6.2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Literal

from assistant.asking import InputError, Parameters, note
from assistant.asking.permission import holding, refused
from assistant.asking.question import Helpful, PlaceName, UnitName, Way, declare
from assistant.asking.report import Report, Step
from assistant.asking.view import Gather, View, changed
from assistant.rules import moves
from assistant.rules.field.movement import Reach, judge_apart, reach_of
from assistant.rules.field.places import edge_hexes, hexes_with
from assistant.rules.moves import March, StackMove
from assistant.rules.sketches import of_reach, of_way
from assistant.rules.stacks import count_unit
from assistant.state.changes import AnyChange, Gain

from . import ground, rail, terms
from .forces import army_of
from .march import Mover, bars_to_moving, enter, movers_of, moving_of
from .stacking import fits

RULES = {"march": "5.0", "rail": "5.2", "over": "3.2"}
STACKS = 5
"""How many German stacks save Movement Points in a turn (5.1)."""
MOST = 5
"""How many Movement Points a marker shows at most (5.1)."""


# --- what is saved for the Second Movement Phase ----------------------------------------------------------------------


def bars_to_marker(facts: Gather, side: str, at: str, units: Collection[str], marker: int) -> list[Step]:
    """Return what keeps the stack of a hex from an MP Reserved marker: the phase, another one there, the limits of a
    turn. Rule: 5.1/marker, 5.1/limits
    """
    view = facts.view
    now = (facts.word("phase"), facts.word("phasing")) == (terms.FIRST_MOVEMENT, side)
    marked = [hex for hex in hexes_with(view, "reserved") if hex != at and ground.known_controller(view, hex) == side]
    armies = {army_of(view, name) for name in units} - {""}
    there = view.integer("reserved", at)
    same = [hex for hex in marked if armies & {army_of(view, unit.id) for unit in view.stack(hex)}]
    clauses = (
        (not now, "5.1", "Movement Points are saved in the First Movement Phase of a side alone"),
        (there and there != marker, "5.1", "{hex} has a marker already, for {reserved}"),
        (len(marked) >= STACKS, "5.1", "{most} stacks save Movement Points already"),
        (same, "5.1", "a stack of the same army saves Movement Points in {places}"),
    )
    return holding(clauses, hex=at, reserved=there, most=STACKS, places=same)


def left_of(facts: Gather, name: str) -> int:
    """Return the Movement Points that a unit of the position has left in this phase.
    Rule: 5.0/stacks, 5.1/eligibility
    """
    if facts.view.flag("moved", name):
        return facts.integer("mp-left", name)
    (mover,) = movers_of(facts, moves.order_of(facts.view, [name], (), stays=True), forced=False)
    return moving_of(mover).allowance


def bars_to_ending(mover: Mover, moved: Sequence[March], marker: int) -> Iterator[Step]:
    """Yield what keeps units from ending under a marker: a forced march, or fewer Movement Points left than it shows.
    The one that the last hex receives counts for all that stand there; what a unit has beyond it is lost. marker: 0 for
    none. Rule: 5.1/eligibility, 10.3
    """
    facts = mover.facts
    last = mover.order.line[-1]
    ends = {unit.id: last for unit in facts.view.stack(last) if marker} | {one.unit: one.end for one in moved}
    left = {one.unit: one.left for one in moved if not mover.order.stays}
    if marker:
        yield from bars_to_marker(facts, mover.around.side, last, [name for name in ends if ends[name] == last], marker)
    for name, at in ends.items():
        shown = marker if marker and at == last else facts.view.integer("reserved", at)
        if not shown or facts.word("phase") != terms.FIRST_MOVEMENT:
            continue
        has = left[name] if name in left else left_of(facts, name)
        forced = mover.forced and name in left
        short = "{unit} has {left:#Movement Point} left, fewer than the {reserved} of the marker in {hex}"
        barred = (forced, "10.3", "{unit} saves no Movement Points in a forced march")
        clauses = (barred, (not forced and has < shown, "5.1", short))
        yield from holding(clauses, unit=name, left=has, reserved=shown, hex=at)


# --- what a move changes ----------------------------------------------------------------------------------------------


def release_fixed(view: View, side: str, way: Sequence[str]) -> Iterator[AnyChange]:
    """Yield the fixed units that Russians release as they move next to them. Rule: 9.4/41KB"""
    near = {other for at in way for other in view.board.neighbours(at)} if side == terms.RUSSIAN else set[str]()
    fixed = (unit.id for unit in view.units() if unit.place in near and view.flag("fixed", unit.id))
    for unit in fixed:
        yield changed(view, "fixed", unit, False, "9.4")


def move_changes(mover: Mover, found: StackMove, marker: int) -> Iterator[AnyChange]:
    """Yield what a move changes: its units, with what they have left in the First Movement Phase; control; how many
    entrained; rail lines; markers, of which one goes that the last unit leaves. Rule: 2.0/Control, 5.0/stacks,
    5.1/marker, 5.1/use, 5.1/eligibility, 5.2/limits, 5.2.1/cut, 5.2.1/repair, 5.3/rail
    """
    view = mover.facts.view
    order = mover.order
    at = mover.order.line[0]
    side = mover.around.side
    taken = dict[str, AnyChange]()
    for one in found.units:
        if not view.flag("moved", one.unit):
            yield from moves.move_changes(view, one, order, RULES)
            if view.word("phase") == terms.FIRST_MOVEMENT:
                yield changed(view, "mp-left", one.unit, 0 if mover.forced else one.left, "5.1")
        left = ground.control_left(view, one.way, [one.unit], side, order.at("hold"))
        taken |= {change.subject: change for change in left}
    yield from taken.values()
    if order.riders:
        yield Gain("entrained-units", side, order.riders, "5.2")
    for work, cut in (("cut", True), ("repair", False)):
        for hex in order.at(work):
            yield changed(view, "rail-cut", hex, cut, "5.2.1")
    yield from release_fixed(view, side, found.way)
    if marker:
        yield changed(view, "reserved", order.line[-1], marker, "5.1")
    elif view.integer("reserved", at) and {unit.id for unit in view.stack(at)} <= {*order.ends}:
        yield changed(view, "reserved", at, None, "5.1")


def _format_costs(found: StackMove) -> dict[str, str]:
    """Return what the hexes of a move cost, by the unit that goes farthest."""
    farthest = max(found.units, key=lambda march: len(march.way))
    return {place.hex: str(place.cost) for place in farthest.entered}


# --- the questions ----------------------------------------------------------------------------------------------------


def _propose_marches(view: View) -> Iterator[tuple[str, str]]:
    """Yield what may make possible a move that is not allowed: a forced march, where that option is in use, or none
    (10.3).
    """
    if "forced-march" in view.words("options"):
        yield "by forced march", "yes"
    yield "without a forced march", "no"


Forced = Annotated[bool, note("whether they make a forced march, by the optional rule"), Helpful(_propose_marches)]


class MoveParameters(Parameters, frozen=True, kw_only=True):
    """What `move` is asked about."""

    units: tuple[UnitName, ...]
    way: Annotated[Way, note("the hexes that the units enter, in order; none for units that stay")] = ()
    drop: Annotated[tuple[str, ...], note("units left on the way, each with the hex: I/1@5320")] = ()
    forced: Forced = False
    entrain: Annotated[PlaceName | None, note("the hex where they entrain; of reinforcements the first one")] = None
    detrain: Annotated[PlaceName | None, note("the hex where they detrain; without it they stay entrained")] = None
    cut: Annotated[tuple[PlaceName, ...], note("hexes where the unit cuts the rail line")] = ()
    repair: Annotated[tuple[PlaceName, ...], note("hexes where the unit repairs the rail line")] = ()
    hold: Annotated[tuple[PlaceName, ...], note("hexes that cavalry controls for a Movement Point")] = ()
    reserve: Annotated[int, note("Movement Points saved under a marker in the last hex")] = 0


def move(view: View, asked: MoveParameters) -> Report[StackMove]:
    """Return the report on a move. Raises InputError for hexes that make no way, MissingFacts for what is not
    stated.
    """
    if not 0 <= asked.reserve <= MOST:
        raise InputError(
            f"reserve: there is no marker for {asked.reserve}", hint=f"markers show 1 to {MOST} Movement Points"
        )
    works = {"cut": asked.cut, "repair": asked.repair, "hold": asked.hold}
    order = moves.order_of(
        view,
        asked.units,
        asked.way,
        asked.drop,
        entrain=asked.entrain,
        detrain=asked.detrain,
        works=works,
        stays=asked.reserve > 0,
    )
    with view.gather() as facts:
        reasons = [
            why for name in asked.units if not order.stays for why in bars_to_moving(facts, name, forced=asked.forced)
        ]
        if reasons:
            return refused(f"Move of {', '.join(asked.units)}", moves.REFUSED, reasons)
        movers = movers_of(facts, order, forced=asked.forced)
        mover = movers[0]
        around = movers[0].around
        bars = [*rail.bars_to_works(facts, around, order, forced=asked.forced)]
        if order.rail is not None:
            bars += rail.bars_to_rail(facts, around, order)
        moved, stopped = moves.walk(order, map(moving_of, movers), RULES["march"])
        if not bars:
            bars += stopped or bars_to_ending(mover, moved, asked.reserve)
        found = moves.stack_move(
            view, moved, lambda names: fits([count_unit(facts, view.unit(name)) for name in names])
        )
        ground.assume_zones(around, found.way)
        saved = "{hex} receives a marker: {reserved:#Movement Point} more in the Second Movement Phase"
        after = holding([(asked.reserve, "5.1", saved)], reserved=asked.reserve, hex=order.line[-1])
        changes = [] if bars else [*move_changes(mover, found, asked.reserve)]
        return moves.move_report(order, found, bars, RULES, [mover.points for mover in movers], after, changes)


def reach(
    view: View,
    *,
    unit: UnitName,
    by: Annotated[Literal["march", "rail"], note("march, or rail for only a move by rail")] = "march",
    forced: Forced = False,
) -> Report[Reach]:
    """Return the report on where a unit can move. Raises InputError for a unit that is not on the map, MissingFacts for
    what is not stated.
    """
    order = moves.order_to_reach(view, unit, by_rail=by == "rail")
    with view.gather() as facts:
        reasons = bars_to_moving(facts, unit, forced=forced)
        (mover,) = movers_of(facts, order, forced=forced)
        if order.rail and not reasons:
            reasons += rail.bars_to_rail(facts, mover.around, order)
        begins = () if order.line[0] else edge_hexes(view, terms.HOME_EDGE[mover.around.side])
        moving = moving_of(mover)._replace(begins=begins, enter=judge_apart(mover, enter))
        report = reach_of(Reach, unit, by, moving, reasons, rule=RULES[by], minimum_rule="5.0", parts=1)
    ground.assume_zones(mover.around, [place.hex for place in report.result.hexes] if report.result else ())
    return report


MOVE = "whether units may move along a route, what it costs, what they save, and what it changes"
REACH = "the hexes that a unit can reach by marching or by rail, with what they cost"
QUESTIONS = (
    declare("move", MOVE, move, sketch=of_way(lambda move: move.way, ground.field, _format_costs)),
    declare("reach", REACH, reach, sketch=of_reach(ground.field)),
)
