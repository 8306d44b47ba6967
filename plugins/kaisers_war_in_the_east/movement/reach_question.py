"""The question `reach`: the hexes to which a unit can move, with what they cost and a way to each (11, 18)."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import msgspec

from assistant.field import Barred
from assistant.field.moving import Reached
from assistant.questions import Parameters, Report, UnitName, View, declare, note, permission, step

from ..ground.entry import has_railroad
from ..ground.zones import assume_zones
from .land import Entered, Mover, enter_known, mover_of, moves, points, unable
from .rails import enter_by_rail, equivalent, no_rail


class ReachAsked(Parameters, frozen=True):
    """A unit of which it is asked where it can move."""

    unit: Annotated[UnitName, note("its id")]
    by: Annotated[Literal["land", "rail"], note("land, or rail for a rail move alone")] = "land"
    forced: Annotated[UnitName | None, note("the supply unit that is expended for a Forced March")] = None


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Where a unit can move. Costs are in halves of a Movement Point."""

    unit: Annotated[str, note("its id")]
    at: Annotated[str, note("the hex that it leaves")]
    allowance: Annotated[int, note("what the unit has, in halves of a Movement Point")]
    hexes: Annotated[tuple[Reached, ...], note("the hexes, the cheapest first")] = ()


def answer(view: View, parameters: ReachAsked) -> Report[Reach]:
    """The report on where a unit can move. Raises InputError for a unit that is not on the map, MissingFacts for what is not stated."""
    with view.gather() as facts:
        mover, march = mover_of(facts, parameters.unit, parameters.forced or "")
        reasons, by_rail = [*unable(mover, march)], parameters.by == "rail"
        if by_rail and not reasons:
            reasons += no_rail(mover, [mover.at], equivalent(view, mover.arm, mover.size))
        found = (
            () if reasons else moves(mover, partial(enter_on_rails if by_rail else enter_known, mover)).within_reach()
        )
    near = {mover.at, *(one.hex for one in found)}
    assume_zones(view, [enemy.id for hex in sorted(near) for enemy in mover.around.field.reaching(mover.side, hex)])
    rule = "18.1" if by_rail else "11.1"
    steps = [
        step("11.6" if one.minimum else rule, "{hex}: {points} by {way}", one, points=points(one.cost)) for one in found
    ]
    if not view.board.hexes:
        steps.append(step("11.1", "of the hexes whose terrain or railroad is stated"))
    return permission(
        f"Reach of {parameters.unit} by {parameters.by}",
        ("{unit} can move to {hexes:#hex}", "{unit} cannot move"),
        reasons,
        Reach(unit=mover.unit.id, at=mover.at, allowance=mover.allowance, hexes=found),
        working={"Hexes": steps},
        kind="figure",
        hexes=len(found),
    )


def enter_on_rails(mover: Mover, here: str, there: str, number: int) -> Entered | Barred:
    """A hex of a rail move that begins in the unit's own hex, over a railroad that is known. Rule: 18.1, 18.4, 18.5"""
    if not has_railroad(mover.view, here, there):
        return Barred("18.4", "no railroad is known to lead there")
    return enter_by_rail(mover, here, there, first=number == 0, begins=number == 0)


QUESTION = declare("reach", "the hexes to which a unit can move by land or rail, with what they cost", answer)
