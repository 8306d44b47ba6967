"""The question `reach`: the hexes to which a unit can move, with what they cost and a way to each (11, 18)."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from assistant.field import Barred
from assistant.questions import Report, UnitName, View, declare, note
from assistant.readymade import reach

from ..ground.entry import has_railroad
from .land import Entered, Mover, assume_near, enter, mover_of, moves, points, unable
from .rails import enter_by_rail, equivalent, no_rail


class Reach(reach.Reach, frozen=True, kw_only=True):
    """Where a unit can move. Costs are in halves of a Movement Point."""


def answer(
    view: View,
    *,
    unit: Annotated[UnitName, note("its id")],
    by: Annotated[Literal["land", "rail"], note("land, or rail for a rail move alone")] = "land",
    forced: Annotated[UnitName | None, note("the supply unit that is expended for a Forced March")] = None,
) -> Report[Reach]:
    """The report on where a unit can move. Raises InputError for a unit that is not on the map, MissingFacts for what is not stated."""
    with view.gather() as facts:
        mover, march = mover_of(facts, unit, forced or "")
        reasons, by_rail = [*unable(mover, march)], by == "rail"
        if by_rail and not reasons:
            reasons += no_rail(mover, [mover.at], equivalent(view, mover.arm, mover.size))
        moving, rule = moves(mover, partial(enter_known, mover)), "11.1"
        if by_rail:
            moving, rule = moves(mover, partial(enter_on_rails, mover)), "18.1"
        found = reach.reach_of(Reach, mover.unit.id, by, moving, reasons, rules=(rule, "11.6"), points=points)
    assume_near(mover, [one.hex for one in found.result.hexes] if found.result else ())
    return found


def enter_known(mover: Mover, here: str, there: str, number: int) -> Entered | Barred:
    """The next hex by land where its terrain or a railroad is stated. number: of the hexes entered before."""
    if not mover.view.fact("terrain", there) and not has_railroad(mover.view, here, there):
        return Barred("11.1", "its terrain is not stated")
    return enter(mover, here, there, first=number == 0)


def enter_on_rails(mover: Mover, here: str, there: str, number: int) -> Entered | Barred:
    """A hex of a rail move that begins in the unit's own hex, over a railroad that is known. Rule: 18.1, 18.4, 18.5"""
    if not has_railroad(mover.view, here, there):
        return Barred("18.4", "no railroad is known to lead there")
    return enter_by_rail(mover, here, there, first=number == 0, begins=number == 0)


QUESTION = declare("reach", "the hexes to which a unit can move by land or rail, with what they cost", answer)
