"""The questions `move` and `reach`: marches, rail movement and saved Movement Points, with their changes.

Rules 3.3 to 3.5, 5.0 to 5.3, 7.2, 9.4, 10.2.3 to 10.4, 10.6.1 and 10.6.2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Annotated, Literal, NamedTuple

from assistant.asking import InputError, Parameters, note
from assistant.asking.permission import holding, refused
from assistant.asking.question import Helpful, Moves, PlaceName, UnitName, Way, declare
from assistant.asking.report import Report, Step, step
from assistant.asking.view import Gather, View, changed
from assistant.mechanics.procedure import Modifier
from assistant.rules import moves
from assistant.rules.arrival_places import bars_to_entering, edge_bar
from assistant.rules.field import HexBar, SideField, bar_of
from assistant.rules.field.hexsides import leads_into
from assistant.rules.field.movement import Moving, Prices, Reach, judge_apart, reach_of, unable_now
from assistant.rules.field.places import edge_hexes, hexes_with
from assistant.rules.moves import March, Marched, Order, StackMove
from assistant.rules.retreat import held
from assistant.rules.sketches import of_reach, of_way
from assistant.state.changes import AnyChange, Gain
from assistant.state.state import hexside

from . import ground, terms
from .forces import army_of, count_regained, turns_since
from .stacking import may_stack
from .supply import out_of_supply

RULES = {"march": "5.0", "rail": "5.2", "over": "3.2"}
PHASES = (terms.FIRST_MOVEMENT, terms.SECOND_MOVEMENT)
PRICES = Prices("terrain-cost", of_hex=("terrain", "town"), of_hexside=("barrier",), free=("none", "open"))
"""The additions of the Terrain Effects Chart to the Movement Point of each hex."""
LAST_REFUGEE_TURN = 4
"""The last turn with refugees on the roads (10.4)."""
CHANGE_TURN = 3
"""The turn for which 5.2 names both limits, and in which the command of the 8th Army changes."""
MAX_MARKERS = 5
"""The maximum number of German stacks that save Movement Points in a turn (5.1)."""
MAX_RESERVED = 5
"""The maximum number of Movement Points on a marker (5.1)."""


# --- units that move, and their Movement Points -----------------------------------------------------------------------


class Mover(NamedTuple):
    """A unit that moves."""

    facts: Gather
    around: SideField
    order: Order
    points: tuple[Modifier, ...]
    """The parts of the unit's Movement Allowance."""
    is_forced: bool
    rivals: frozenset[str]
    """The hexes of the other Russian army, near which the unit may not move."""


def movers_of(facts: Gather, order: Order, *, forced: bool) -> list[Mover]:
    """Return the units that begin a move together.

    Units off the map are in supply.

    Rule: 3.4/movement, 5.0/stacks
    """
    names = [*order.ends]
    around = ground.field(facts).around(facts.view.side_of(names[0]))
    unsupplied = out_of_supply(facts, around, names)
    movers = list[Mover]()
    for name in names:
        points = points_of(facts, name, forced=forced, unsupplied=name in unsupplied)
        movers.append(Mover(facts, around, order, points, forced, rivals_of(facts, around, name)))
    return movers


def points_of(facts: Gather, name: str, *, forced: bool, unsupplied: bool) -> tuple[Modifier, ...]:
    """Return the parts of a unit's Movement Points as it begins to move.

    In the Second Movement Phase these include the points saved in the First.

    Rule: 3.4/movement, 5.0/cost, 5.1/use, 10.3, 10.6.2.1/survives
    """
    view = facts.view
    printed = facts.integer("ma", name)
    doubtful = view.unit(name).type == "VI/4" and printed == 1
    saved = view.integer("reserved", moves.starting_hex(view, [name]))
    second = saved > 0 and facts.word("phase") == terms.SECOND_MOVEMENT
    barred = second and forced and view.ruling("forced-reserve") == "both"
    parts = (
        ("5.0", "as printed", printed),
        ("9.1.2", "misprinted", int(doubtful and view.ruling("fourth-division") == "inferred")),
        ("3.4", "without a line of supply", -int(unsupplied)),
        ("10.3", "forced march", int(forced)),
        ("10.6.2.1", "Samsonov survives", count_regained(facts, name)),
        ("5.1", "saved", saved if second and not barred else 0),
    )
    return tuple(Modifier(rule, why, amount) for rule, why, amount in parts if amount)


def rivals_of(facts: Gather, around: SideField, name: str) -> frozenset[str]:
    """Return the hexes of the other Russian army, near which a unit may not move.

    Returns none for German units and dummies. The rivalry ends when the rules say so, or two turns after Samsonov's
    death.

    Rule: 7.2, 10.6.2.1/dies
    """
    view = facts.view
    if view.side_of(name) != terms.RUSSIAN or view.flag("rivalry-ended") or (turns_since(facts, "dies") or 0) >= 2:
        return frozenset()
    if view.word("arm", name) == terms.DUMMY:
        return frozenset()
    real = {unit.id: unit.place for unit in around.units if view.word("arm", unit.id) != terms.DUMMY}
    armies = {unit: facts.word("army", unit) for unit in (*real, name)}
    return frozenset(str(place) for unit, place in real.items() if armies[unit] != armies[name])


def bars_to_moving(facts: Gather, name: str, *, forced: bool) -> list[Step]:
    """Return the reasons why a unit may not move at all.

    Reinforcements enter only in the First Movement Phase of their turn.

    Rule: 3.5, 5.0/mover, 5.3/entry, 9.4/41KB, 10.3, 10.6.2/effects, 10.6.2.1/dies
    """
    view = facts.view
    army = army_of(view, name)
    is_mourning = army == terms.SECOND_ARMY and turns_since(facts, "dies") == 1
    clauses = (
        (view.flag("disrupted", name), "3.5", "{unit} is disrupted"),
        (view.flag("fixed", name), "9.4", "{unit} is fixed until it is released"),
        (is_leaderless(facts, army), "10.6.2", "its army has lost its headquarters and may not move"),
        (is_mourning, "10.6.2.1", "its army does not move in the turn after Samsonov's death"),
        (forced and "forced-march" not in view.words("options"), "10.3", "the option forced-march is not in use"),
    )
    now = unable_now(view, name, view.side_of(name), PHASES, "5.0")
    return [*now, *holding(clauses, unit=name), *bars_to_entering(facts, name, terms.FIRST_MOVEMENT, "5.3")]


def is_leaderless(facts: Gather, army: str) -> bool:
    """Return whether an army may not move because it has lost its headquarters.

    It may not move in the turn of the loss, and for two more turns unless a die releases it.

    Rule: 10.6.2/effects
    """
    in_force = "russian-headquarters" in facts.view.words("options")
    if not in_force or not (turn_lost := facts.view.integer("headquarters-lost", army)):
        return False
    since = facts.integer("turn") - turn_lost
    return since == 0 or (since in (1, 2) and facts.word("released", army) != "yes")


# --- moves from hex to hex --------------------------------------------------------------------------------------------


def moving_of(mover: Mover) -> Moving[Marched]:
    """Return the movement of a unit.

    One hex is always allowed, unless the unit goes by rail or does work in the same move.

    Rule: 5.0/minimum
    """
    order = mover.order
    allowance = max(0, sum(part.amount for part in mover.points))
    marches = order.rail is None and not order.done
    return Moving(mover.facts.view, order.line[0], allowance, partial(enter_hex, mover), lambda entered: marches)


def enter_hex(mover: Mover, here: str, there: str, number: int) -> Marched | HexBar:
    """Return the next hex with its cost, or the bar to it.

    A march costs a Movement Point, the addition of the Terrain Effects Chart, and one for refugees in a town or city. A
    whole move by rail costs one Movement Point.

    `number`: the number of hexes entered before.

    Rule: 5.0/cost, 5.2/cost, 5.2/zoc, 10.3, 10.4
    """
    facts = mover.facts
    order = mover.order
    if order.rides(number):
        controller = partial(ground.controller, facts)
        barred = moves.bar_to_rail(facts, mover.around, order, here, there, controller, "5.2")
        ridden = Marched(hex=there, cost=order.spent(number) + order.sets_out(number), how="rail")
        return barred or bar_near_enemies(mover, there) or ridden
    if barred := bar_march(mover, here, there, number) or bar_near_enemies(mover, there):
        return barred
    added = PRICES.of_step(facts, here, there)
    refugees = "refugees" in facts.view.words("options") and facts.integer("turn") <= LAST_REFUGEE_TURN
    crowded = refugees and facts.word("town", there) in ("town", "city")
    if added is None:
        return HexBar("5.0", "the Terrain Effects Chart prohibits it")
    return Marched(hex=there, cost=1 + added + crowded + order.spent(number))


def bar_march(mover: Mover, here: str, there: str, number: int) -> HexBar | None:
    """Return the bar to the next hex of a march, or None.

    Reinforcements enter only at their own edge. Enemies, fortresses and rivals bar a hex. A unit stops in an enemy
    zone, and goes from one into another only if a friend holds it.

    `here`: the hex that the unit leaves, or "" off the map.
    `number`: the number of hexes entered before.

    Rule: 3.3/movement, 5.3/entry, 7.2
    """
    around = mover.around
    zones = around.enemy_zones
    if not here and (off := edge_bar(around.view, terms.HOME_EDGE[around.side], there, "5.3")):
        return off
    across = here in zones and there in zones and there not in around.friends
    clauses = (
        (number and here in zones, "3.3", f"the unit must stop in {here}, in an enemy zone of control"),
        (across, "3.3", f"it leads from {here} in an enemy zone of control into another"),
    )
    shut = held(around, "5.0")(here, there) or ground.fortress_bar(around.view, around.side, there)
    return shut or bar_of(clauses) or bar_near_rivals(mover, there)


def bar_near_rivals(mover: Mover, there: str) -> HexBar | None:
    """Return the bar to a hex with fewer than three free hexes between it and the other Russian army, or None.

    Rule: 7.2
    """
    view = mover.facts.view
    gaps = [view.board.distance(there, rival) for rival in mover.rivals]
    if any(gap < 3 for gap in gaps) or (3 in gaps and view.ruling("rivalry-distance") == "four"):
        return HexBar("7.2", "the First and the Second Army keep three hexes free between them")
    return None


def bar_near_enemies(mover: Mover, there: str) -> HexBar | None:
    """Return the bar to a forced march if enemies are near a hex, by rail too, or None. Rule: 10.3"""
    if mover.is_forced and (there in mover.around.enemy_zones or mover.around.next_to_enemy(there)):
        return HexBar("10.3", "a forced march leads neither next to an enemy nor into an enemy zone of control")
    return None


# --- railways ---------------------------------------------------------------------------------------------------------


def bars_to_rail(facts: Gather, around: SideField, order: Order) -> Iterator[Step]:
    """Yield the reasons why a whole move by rail is not allowed.

    The limit of the turn counts units that entrain and units that enter the map entrained.

    Rule: 5.2/limits, 5.2/cost, 5.2/zoc, 5.3/rail, 10.6.1/rail
    """
    if around.side != terms.GERMAN:
        yield step("5.2", "only German units move by rail")
        return
    used = facts.view.integer("entrained-units", around.side)
    most = max_entrained(facts)
    ends = order.railheads
    prittwitz = "german-headquarters" in facts.view.words("options") and facts.integer("turn") < CHANGE_TURN
    over = "{used:#unit} have entrained this turn; {entraining} more exceed the limit of {most}"
    clauses = (
        (prittwitz, "10.6.1", "no rail movement on turns 1 and 2, while Prittwitz commands"),
        (used + order.riders > most, "5.2", over),
        *((at in around.enemy_zones, "5.2", f"{at} is in an enemy zone of control: no rail movement") for at in ends),
        *((not leads_into(facts, "rail", at), "5.2", f"no railway leads into {at}") for at in ends),
    )
    yield from holding(clauses, used=used, entraining=order.riders, most=most)


def max_entrained(facts: Gather) -> int:
    """Return the maximum number of units that may entrain this turn.

    It is two before turn 3 and five after it; a ruling decides on turn 3.

    Rule: 5.2/limits
    """
    turn = facts.integer("turn")
    return 2 if turn < CHANGE_TURN or (turn == CHANGE_TURN and facts.view.ruling("rail-turn-3") == "two") else 5


def bars_to_works(facts: Gather, around: SideField, order: Order, *, forced: bool) -> Iterator[Step]:
    """Yield the reasons why a unit may not cut or repair rail lines on its way, or hold hexes as cavalry.

    Only a repair needs a line of supply, in the repaired hex. Enemy zones are no bar.

    Rule: 5.2.1/cut, 5.2.1/repair, 10.2.3, 10.3
    """
    view = facts.view
    name, *_ = order.ends
    arm = facts.word("arm", name)
    cuts = arm in terms.INFANTRY and around.side == terms.RUSSIAN
    repairs = arm in terms.INFANTRY and around.side == terms.GERMAN
    for at in order.at("cut"):
        cut_bars = (
            (not cuts, "5.2.1", "only Russian infantry cuts rail lines"),
            (forced, "10.3", "no rail line is cut in a forced march"),
            (view.flag("rail-cut", at), "5.2.1", f"the rail line in {at} is cut already"),
            (cuts and not leads_into(facts, "rail", at), "5.2.1", f"no railway leads into {at}"),
        )
        yield from holding(cut_bars)
    for at in order.at("repair"):
        with view.after([changed(view, "place", name, at, "5.2.1")]).gather() as facts_there:
            unsupplied = out_of_supply(facts_there, ground.field(facts_there).around(around.side), [name])
        repair_bars = (
            (not repairs, "5.2.1", "only German infantry repairs rail lines"),
            (not view.flag("rail-cut", at), "5.2.1", f"the rail line in {at} is not cut"),
            (unsupplied, "5.2.1", f"{name} has no line of supply in {at}"),
        )
        yield from holding(repair_bars)
    why = "only cavalry spends Movement Points for control, with the option cavalry-control in use"
    yield from holding([(order.at("hold") and ground.controls_for_good(view, [arm]), "10.2.3", why)])


# --- Movement Points saved for the Second Movement Phase --------------------------------------------------------------


def bars_to_marker(facts: Gather, side: str, at: str, units: Collection[str], marker: int) -> list[Step]:
    """Return the reasons why the units of a hex may not receive an MP Reserved marker.

    `marker`: the Movement Points on the marker.

    Rule: 5.1/marker, 5.1/limits
    """
    view = facts.view
    now = (facts.word("phase"), facts.word("phasing")) == (terms.FIRST_MOVEMENT, side)
    marked = [hex for hex in hexes_with(view, "reserved") if hex != at and ground.known_controller(view, hex) == side]
    armies = {army_of(view, name) for name in units} - {""}
    points_there = view.integer("reserved", at)
    same = [hex for hex in marked if armies & {army_of(view, unit.id) for unit in view.stack(hex)}]
    clauses = (
        (not now, "5.1", "Movement Points are saved in the First Movement Phase of a side alone"),
        (points_there and points_there != marker, "5.1", "{hex} has a marker already, for {reserved}"),
        (len(marked) >= MAX_MARKERS, "5.1", "{most} stacks save Movement Points already"),
        (same, "5.1", "a stack of the same army saves Movement Points in {places}"),
    )
    return holding(clauses, hex=at, reserved=points_there, most=MAX_MARKERS, places=same)


def points_left(facts: Gather, name: str) -> int:
    """Return the Movement Points that a unit has left in this phase. Rule: 5.0/stacks, 5.1/eligibility"""
    if facts.view.flag("moved", name):
        return facts.integer("mp-left", name)
    (mover,) = movers_of(facts, moves.order_of(facts.view, [name], (), stays=True), forced=False)
    return moving_of(mover).allowance


def bars_to_ending(mover: Mover, moved: Sequence[March], marker: int) -> Iterator[Step]:
    """Yield the reasons why units may not end their move under a marker.

    They are a forced march, and too few Movement Points left. A marker placed in the last hex counts for all units
    there. Points beyond it are lost.

    `marker`: the Movement Points on the marker, or 0 if none is placed.

    Rule: 5.1/eligibility, 10.3
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
        has = left[name] if name in left else points_left(facts, name)
        forced = mover.is_forced and name in left
        short = "{unit} has {left:#Movement Point} left, fewer than the {reserved} of the marker in {hex}"
        clauses = (
            (forced, "10.3", "{unit} saves no Movement Points in a forced march"),
            (not forced and has < shown, "5.1", short),
        )
        yield from holding(clauses, unit=name, left=has, reserved=shown, hex=at)


# --- changes by a move ------------------------------------------------------------------------------------------------


def release_fixed(view: View, side: str, way: Sequence[str]) -> Iterator[AnyChange]:
    """Yield the changes that release fixed units when Russians move next to them. Rule: 9.4/41KB"""
    near = {other for at in way for other in view.board.neighbours(at)} if side == terms.RUSSIAN else set[str]()
    for unit in view.units():
        if unit.place in near and view.flag("fixed", unit.id):
            yield changed(view, "fixed", unit.id, False, "9.4")


def move_changes(mover: Mover, found: StackMove, marker: int) -> Iterator[AnyChange]:
    """Yield the changes of a move: units, control of hexes, rail lines and markers.

    In the First Movement Phase the points that each unit has left are recorded. A marker leaves with the last unit.

    Rule: 2.0/Control, 5.0/stacks, 5.1/marker, 5.1/use, 5.1/eligibility, 5.2/limits, 5.2.1/cut, 5.2.1/repair, 5.3/rail
    """
    view = mover.facts.view
    order = mover.order
    at = order.line[0]
    side = mover.around.side
    taken = dict[str, AnyChange]()
    for one in found.units:
        if not view.flag("moved", one.unit):
            yield from moves.move_changes(view, one, order, RULES)
            if view.word("phase") == terms.FIRST_MOVEMENT:
                yield changed(view, "mp-left", one.unit, 0 if mover.is_forced else one.left, "5.1")
        control_changes = ground.control_left(view, one.way, [one.unit], side, order.at("hold"))
        taken |= {change.subject: change for change in control_changes}
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
    """Return the cost of each hex of a move, for the unit that goes farthest."""
    farthest = max(found.units, key=lambda march: len(march.way))
    return {place.hex: str(place.cost) for place in farthest.entered}


# --- the questions ----------------------------------------------------------------------------------------------------


def _propose_marches(view: View) -> Iterator[tuple[str, str]]:
    """Yield values that may make a refused move possible, each with a label.

    They are a forced march if that option is in use, and no forced march (10.3).
    """
    if "forced-march" in view.words("options"):
        yield "by forced march", "yes"
    yield "without a forced march", "no"


Forced = Annotated[bool, note("whether they make a forced march, by the optional rule"), Helpful(_propose_marches)]


class MoveParameters(Parameters, frozen=True, kw_only=True):
    """The parameters of `move`."""

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
    """Return the report on a move.

    Raises InputError if the hexes make no way, MissingFacts for facts that are not stated.
    """
    if not 0 <= asked.reserve <= MAX_RESERVED:
        raise InputError(
            f"reserve: there is no marker for {asked.reserve}", hint=f"markers show 1 to {MAX_RESERVED} Movement Points"
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
            return refused(f"Move of {', '.join(asked.units)}", moves.REFUSED_MOVE, reasons)
        movers = movers_of(facts, order, forced=asked.forced)
        mover = movers[0]
        around = mover.around
        bars = [*bars_to_works(facts, around, order, forced=asked.forced)]
        if order.rail is not None:
            bars += bars_to_rail(facts, around, order)
        moved, stopped = moves.walk(order, map(moving_of, movers), RULES["march"])
        if not bars:
            bars += stopped or bars_to_ending(mover, moved, asked.reserve)
        found = moves.stack_move(view, moved, partial(may_stack, facts))
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
    """Return the report on the hexes that a unit can reach.

    Raises InputError if the unit is not on the map, MissingFacts for facts that are not stated.
    """
    order = moves.order_to_reach(view, unit, by_rail=by == "rail")
    with view.gather() as facts:
        reasons = bars_to_moving(facts, unit, forced=forced)
        (mover,) = movers_of(facts, order, forced=forced)
        if order.rail and not reasons:
            reasons += bars_to_rail(facts, mover.around, order)
        begins = () if order.line[0] else edge_hexes(view, terms.HOME_EDGE[mover.around.side])
        moving = moving_of(mover)._replace(begins=begins, enter=judge_apart(mover, enter_hex))
        report = reach_of(Reach, unit, by, moving, reasons, rule=RULES[by], minimum_rule="5.0", parts=1)
    ground.assume_zones(mover.around, [place.hex for place in report.result.hexes] if report.result else ())
    return report


def cannot_ride(view: View, unit: str, before: str, after: str) -> bool:
    """Return whether a unit cannot have gone by rail in a phase, whatever else it did.

    It entrains and rides for a Movement Point each, so that few hexes are left for its march to and from a railway.
    """
    if view.side_of(unit) != terms.GERMAN:
        return True
    if not before:
        return False
    spare = view.integer("ma", unit) + view.integer("reserved", before) - 2
    return spare < 0 or not (is_near_railway(view, before, spare) and is_near_railway(view, after, spare))


def is_near_railway(view: View, at: str, distance: int) -> bool:
    """Return whether a railway may lie within a distance of a hex."""
    board = view.board
    near = {at}
    for _ in range(distance):
        near |= {hex for known in near for hex in board.neighbours(known)}
    rails = (view.fact("rail", hexside(hex, other)) for hex in near for other in board.neighbours(hex))
    return any(rail is None or rail.value == "rail" for rail in rails)


MOVES = (
    Moves(by="on foot", to="way", reach="reach"),
    Moves(
        by="by forced march", to="way", reach="reach", reach_parameters={"forced": "yes"}, parameters={"forced": "yes"}
    ),
    Moves(
        by="by rail",
        to="way",
        reach="reach",
        reach_parameters={"by": "rail"},
        parameters={"entrain": "{before}", "detrain": "{after}"},
        is_excluded=cannot_ride,
    ),
)
MOVE = "whether units may move along a route, what it costs, what they save, and what it changes"
REACH = "the hexes that a unit can reach by marching or by rail, with what they cost"
QUESTIONS = (
    declare("move", MOVE, move, sketch=of_way(lambda move: move.way, ground.field, _format_costs), shows=MOVES),
    declare("reach", REACH, reach, sketch=of_reach(ground.field)),
)
