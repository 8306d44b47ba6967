"""Where a unit can move by land or rail: the question `reach`."""

from __future__ import annotations

from typing import Annotated, Literal

from assistant.asking import declare, note
from assistant.asking.question import UnitName
from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.rules.field import HexBar
from assistant.rules.field.movement import Reach as UsualReach
from assistant.rules.field.movement import judge_apart, reach_of
from assistant.rules.field.ways import NoWay
from assistant.rules.sketches import of_reach
from assistant.state.state import hexside

from ..ground import field, has_railroad
from ..passage import are_railroads_known
from . import land, rail
from .forced_march import ForcedBy


class Reach(UsualReach, frozen=True, kw_only=True):
    """Where a unit can move. Costs are in halves of a Movement Point."""


def reach(
    view: View,
    *,
    unit: UnitName,
    by: Annotated[Literal["land", "rail"], note("land, or rail for only a rail move")] = "land",
    forced: ForcedBy = None,
) -> Report[Reach]:
    """Return the report on where a unit can move. Raises InputError for a unit that is not on the map, MissingFacts for
    what is not stated.
    """
    with view.gather() as facts:
        mover, march = land.mover_of(facts, unit, forced)
        reasons = [*land.bars_to_moving(mover, march)]
        by_rail = by == "rail"
        if by_rail and not reasons:
            reasons += rail.bars_to_rail(mover, [mover.at], rail.measure_equivalent(view, mover.arm, mover.size))
        enter = judge_apart(mover, enter_by_rail_alone if by_rail else land.enter)
        report = reach_of(
            Reach,
            mover.unit.id,
            by,
            land.moves(mover, enter),
            reasons,
            rule="18.1" if by_rail else "11.1",
            minimum_rule="11.6",
            points=land.format_points,
            parts=land.POINT,
        )
    land.assume_near(mover, [place.hex for place in report.result.hexes] if report.result else ())
    return report


def enter_by_rail_alone(mover: land.Mover, here: str, there: str, number: int) -> land.Entered | HexBar:
    """Return a hex entered by a rail move that begins in the unit's own hex, or what bars it. Rule: 18.1, 18.4, 18.5"""
    over = hexside(here, there)
    if not has_railroad(mover.view, over) and (
        are_railroads_known(mover.view, mover.side) or mover.facts.word("rail", over) != "rail"
    ):
        return NoWay("18.4", "no railroad leads there")
    return rail.enter_by_rail(mover, 0, here, there, number)


QUESTIONS = (
    declare(
        "reach",
        "the hexes to which a unit can move by land or rail, with what they cost",
        reach,
        sketch=of_reach(field, land.format_points),
    ),
)
