"""The questions `reach` and `move`: Movement Points, what bars a step, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, NamedTuple

from ...asking.permission import holding
from ...asking.question import Moves, Question, UnitName, Way, declare
from ...asking.report import Report, Step, step
from ...asking.view import Gather, View
from ...game.games import Game
from ...mechanics.odds import down, up
from ...mechanics.procedure import Modifier
from ...state.state import hexside
from ...state.tracks import Reader
from ...util.notes import note
from .. import moves
from ..arrival_places import edge_bar
from ..field import HexBar, SideField, side_of
from ..field.movement import Moving, Reach, judge_apart, reach_of, unable_now
from ..field.places import edge_hexes
from ..moves import Marched, StackMove
from ..sketches import of_reach, of_way
from .compiled import Rules, facts_of, is_something, rules_of
from .ground import assume_zones, field, unit_case
from .overrides import StepCase
from .stacking import may_stack
from .supply import is_supplied

ARRIVES = "arrives"
"""The track of units with the turn in which they enter the map; a game may lack it."""


class Mover(NamedTuple):
    """A unit that moves."""

    facts: Gather
    around: SideField
    rules: Rules
    unit: str


def mover_of(facts: Gather, unit: str) -> Mover:
    """Return a unit as it moves among the others."""
    around = field(facts).around(side_of(facts, facts.view.unit(unit)))
    return Mover(facts, around, rules_of(facts.view.game), unit)


def points_of(mover: Mover) -> tuple[Modifier, ...]:
    """Return the parts of a unit's Movement Points, the printed ones first. Units off the map are in supply."""
    facts, around, rules, unit = mover
    movement = rules.movement
    is_placed = facts.view.board.is_hex(facts.view.unit(unit).place)
    supplied = is_supplied(facts, around, unit) if is_placed else lambda: True
    printed = facts.integer(movement.allowance, unit)
    parts = [Modifier(movement.rule, "as printed", printed)]
    total = printed
    for each in rules.points:
        if each.holds_for(facts, unit, supplied):
            after = halve(total, each.clause.halved) + each.clause.add
            parts.append(Modifier(each.rule, each.clause.says, after - total))
            total = after
    settled = rules.overrides.settle("movement.points", total, partial(unit_case, facts, unit))
    parts.append(Modifier(rules.overrides.rule_at("movement.points") or movement.rule, "by override", settled - total))
    return (parts[0], *(part for part in parts[1:] if part.amount))


def halve(number: int, rounding: str | None) -> int:
    """Return half a number, rounded up or down, or the number itself for None."""
    if rounding is None:
        return number
    return (up if rounding == "up" else down)(Fraction(number, 2))


def list_reasons(mover: Mover) -> list[Step]:
    """Return the reasons why a unit may not move at all: the phase, its state, or that it is off the map."""
    facts, around, rules, unit = mover
    view = facts.view
    movement = rules.movement
    reasons = unable_now(view, unit, around.side, movement.phases, movement.rule) if movement.phases else []
    reasons += [step(each.rule, each.clause.says, unit=unit) for each in rules.unable if each.holds_for(facts, unit)]
    if not view.board.is_hex(view.unit(unit).place):
        arrives = view.integer(ARRIVES, unit) if ARRIVES in view.game.tracks else 0
        turn = facts.integer("turn") if arrives else 0
        clauses = (
            (not movement.enter, movement.rule, "{unit} is not on the map"),
            (turn < arrives, movement.enter, "{unit} enters in turn {arrives}, and this is turn {turn}"),
        )
        reasons += holding(clauses, unit=unit, arrives=arrives, turn=turn)
    return reasons


# --- steps ------------------------------------------------------------------------------------------------------------


def bar_step(mover: Mover, here: str, there: str, number: int) -> HexBar | None:
    """Return what bars a step whatever it costs, or None.

    `number`: the number of hexes entered before.
    """
    facts, around, rules, unit = mover
    movement = rules.movement
    edge = rules.file.edges.get(around.side, "")
    if not here and edge and (barred := edge_bar(facts.view, edge, there, movement.enter)):
        return barred
    if movement.enemies and there in around.enemies:
        return HexBar(movement.enemies, "enemies stand there")
    for each in rules.step_bars:
        if each.holds_for_step(facts, unit, here, there):
            return each.bar(unit=unit, hex=there)
    if movement.stop and number and here in around.enemy_zones:
        return HexBar(movement.stop, f"the unit must stop in {here}, in an enemy zone of control")
    leads_on = here in around.enemy_zones and there in around.enemy_zones and there not in around.friends
    if movement.across and leads_on:
        return HexBar(movement.across, f"it leads from {here} in an enemy zone of control into another")
    return None


def price_step(mover: Mover, here: str, there: str) -> int | HexBar:
    """Return what a step costs, or what prohibits it."""
    facts, around, rules, unit = mover
    zones = {"enters": there in around.enemy_zones, "leaves": here in around.enemy_zones}
    extra = sum(
        each.clause.cost
        for each in rules.extras
        if (each.clause.zone is None or zones[each.clause.zone]) and each.holds_for_step(facts, unit, here, there)
    )
    if not rules.file.terrain:
        return 1 + extra
    movement = rules.movement
    kind = facts.word(movement.column, unit) if movement.column else ""
    total = extra
    for name in list_features(rules, facts, here, there):
        row = rules.file.terrain.get(name)
        cost = row.by.get(kind, row.all) if row else None
        if row is None or cost is None:
            to = f" to {kind}" if row and row.by else ""
            return HexBar((row and row.rule) or movement.rule, f"{name} is prohibited{to}")
        rules.met.add(f"terrain.{name}")
        total += cost
    return total


def list_features(rules: Rules, facts: Gather, here: str, there: str) -> list[str]:
    """Return the rows of terrain that price a step: a road alone, or the ground of the hex and what lies between.

    A fact that is not stated is asked for, and then gives no row.
    """
    ground = rules.file.ground
    between = hexside(here, there) if here else ""
    tracks = facts.view.game.tracks
    for road in ground.roads if between else ():
        if road in rules.file.terrain and is_something(facts, tracks[road], between):
            return [road]
    word = facts.word(ground.hex, there)
    return [*([word] if word else []), *(list_hexside_words(rules, facts, between) if between else ())]


def list_hexside_words(rules: Rules, facts: Reader, between: str) -> Iterator[str]:
    """Yield the features of a hexside, as rows of terrain name them: the word, or the track of a flag."""
    name = rules.file.ground.hexside
    if not name:
        return
    track = rules.game.track(name)
    if is_something(facts, track, between):
        if track.kind == "choices":
            yield from sorted(facts.words(name, between))
        else:
            yield name if track.kind == "flag" else facts.word(name, between)


def enter_hex(mover: Mover, here: str, there: str, number: int) -> Marched | HexBar:
    """Return the hex that a unit enters with its cost, or what bars it."""
    usual = bar_step(mover, here, there, number) or price_step(mover, here, there)
    found = settle_step(mover, usual, here, there)
    return found if isinstance(found, HexBar) else Marched(hex=there, cost=found)


def settle_step(mover: Mover, usual: int | HexBar, here: str, there: str) -> int | HexBar:
    """Return the cost of a step or its bar as the game's override decides."""
    overrides = mover.rules.overrides
    said: int | str = usual.why if isinstance(usual, HexBar) else usual
    answer = overrides.settle("movement.step", said, partial(step_case, mover, here, there))
    if answer == said:
        return usual
    rule = overrides.rule_at("movement.step") or mover.rules.movement.rule
    return answer if isinstance(answer, int) else HexBar(rule, answer)


def step_case(mover: Mover, here: str, there: str) -> StepCase:
    """Return a step as an override sees it."""
    facts, around, _, unit = mover
    zones = around.enemy_zones
    between = hexside(here, there) if here else ""
    return StepCase(
        unit=unit,
        side=around.side,
        here=here,
        there=there,
        leaves_zone=here in zones,
        enters_zone=there in zones,
        facts=facts_of(facts, unit, "unit"),
        ground=facts_of(facts, there, "hex"),
        hexside=facts_of(facts, between, "hexside") if between else {},
    )


# --- the questions ----------------------------------------------------------------------------------------------------


def moving_of(mover: Mover, at: str, points: tuple[Modifier, ...]) -> Moving[Marched]:
    """Return the move of a unit from its hex, or from "" if it enters the map."""
    movement = mover.rules.movement
    edge = mover.rules.file.edges.get(mover.around.side, "")
    has_minimum = bool(movement.minimum) and points[0].amount > 0
    return Moving(
        mover.facts.view,
        at,
        max(0, sum(part.amount for part in points)),
        partial(enter_hex, mover),
        lambda entered: has_minimum,
        begins=() if at or not edge else edge_hexes(mover.facts.view, edge),
    )


def answer_reach(view: View, *, unit: UnitName) -> Report[Reach]:
    """Return the report on the hexes that a unit can reach."""
    order = moves.order_to_reach(view, unit, by_rail=False)
    with view.gather() as facts:
        mover = mover_of(facts, unit)
        reasons = list_reasons(mover)
        moving = moving_of(mover, order.line[0], points_of(mover))._replace(enter=judge_apart(mover, enter_hex))
        movement = mover.rules.movement
        report = reach_of(
            Reach, unit, "land", moving, reasons, rule=movement.rule, minimum_rule=movement.minimum or movement.rule
        )
    assume_zones(mover.around, [place.hex for place in report.result.hexes] if report.result else ())
    return report


def answer_move(
    view: View,
    *,
    units: Annotated[tuple[UnitName, ...], note("the units that move together")],
    way: Annotated[Way, note("the hexes entered, in order")],
    drop: Annotated[tuple[str, ...], note("units left on the way, each with its hex: UNIT@0404")] = (),
) -> Report[StackMove]:
    """Return the report on a move."""
    order = moves.order_of(view, units, way, drop)
    rules = rules_of(view.game)
    numbers = {"march": rules.movement.rule, "over": rules.stacking.rule}
    with view.gather() as facts:
        movers = [mover_of(facts, unit) for unit in units]
        reasons = [reason for mover in movers for reason in list_reasons(mover)]
        points = [points_of(mover) for mover in movers]
        movings = [moving_of(mover, order.line[0], parts) for mover, parts in zip(movers, points, strict=True)]
        moved, bars = moves.walk(order, movings, rules.movement.rule)
        found = moves.stack_move(view, moved, partial(may_stack, facts))
    assume_zones(movers[0].around, way)
    changes = [change for march in moved for change in moves.move_changes(view, march, order, numbers)]
    allowed = not (bars or reasons)
    return moves.move_report(order, found, [*reasons, *bars], numbers, points, changes=changes if allowed else ())


def _format_costs(found: StackMove) -> dict[str, str]:
    farthest = max(found.units, key=lambda march: len(march.way))
    return {place.hex: str(place.cost) for place in farthest.entered}


MOVE = "whether units may move along a route, what it costs, and what it changes"
REACH = "the hexes that a unit can reach, with what they cost"
SHOWS = (Moves(by="on foot", to="way", reach="reach"),)


def make_questions(game: Game) -> tuple[Question[Any, Any], ...]:
    """Return the questions `reach` and `move` of a game."""
    rules_of(game)  # a fault in `rules.toml` is reported before the first answer
    return (
        declare("reach", REACH, answer_reach, sketch=of_reach(field)),
        declare("move", MOVE, answer_move, sketch=of_way(lambda move: move.way, field, _format_costs), shows=SHOWS),
    )
