"""The question `reach`: the hexes to which a unit can move, with what they cost and a way to each (11, 18)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from assistant.field import Barred
from assistant.questions import Answers, Parameters, Part, Report, UnitName, View, declare, note, refused, step, verdict

from ..ground.zones import assume_zones
from .costs import points
from .land import Mover, unable, within_reach
from .rails import equivalent, has_railroad, over_capacity, unsupplied
from .walk import enter_by_rail, mover_of, no_march


class ReachAsked(Parameters, frozen=True):
    """A unit of which it is asked where it can move."""

    unit: Annotated[UnitName, note("its id")]
    by: Annotated[Literal["land", "rail"], note("land, or rail for a rail move alone")] = "land"
    forced: Annotated[str, note("the supply unit that is expended for a Forced March")] = ""


class Within(msgspec.Struct, frozen=True, kw_only=True):
    """A hex within reach."""

    hex: Annotated[str, note("its number")]
    cost: Annotated[int, note("what it costs to get there, in halves of a Movement Point")]
    way: Annotated[tuple[str, ...], note("a cheapest way, hex by hex")]
    minimum: Annotated[bool, note("whether only the minimum move leads there")] = False


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Where a unit can move."""

    unit: Annotated[str, note("its id")]
    at: Annotated[str, note("the hex that it leaves")]
    allowance: Annotated[int, note("what the unit has, in halves of a Movement Point")]
    hexes: Annotated[tuple[Within, ...], note("the hexes, the cheapest first")] = ()


def answer(view: View, parameters: ReachAsked, answers: Answers) -> Report[Reach]:
    """The report on where a unit can move. Raises InputError for a unit that is not on the map, MissingFacts for what is not stated."""
    title = f"Reach of {parameters.unit} by {parameters.by}"
    with view.gather() as facts:
        mover, march = mover_of(facts, parameters.unit, parameters.forced)
        reasons = [*unable(mover), *no_march(mover, march)]
        if parameters.by == "rail" and not reasons:
            reasons += unsupplied(facts, mover.around, mover.unit, mover.arm, mover.at)
            reasons += over_capacity(facts, mover.side, equivalent(view, mover.arm, mover.size))
        if reasons:
            return refused(title, "{unit} cannot move", reasons, unit=mover.unit.id)
        found = by_rail(mover) if parameters.by == "rail" else by_land(mover)
    near = {mover.at, *(one.hex for one in found)}
    assume_zones(view, [enemy.id for hex in sorted(near) for enemy in mover.around.field.reaching(mover.side, hex)])
    result = Reach(unit=mover.unit.id, at=mover.at, allowance=mover.allowance, hexes=found)
    said = verdict("figure", "{unit} can move to {hexes:#hex}", unit=mover.unit.id, hexes=len(found))
    rule = "18.1" if parameters.by == "rail" else "11.1"
    steps = [
        step("11.6" if one.minimum else rule, "{hex}: {points} by {way}", one, points=points(one.cost)) for one in found
    ]
    if not view.board.hexes:
        steps.append(step("11.1", "of the hexes whose terrain or railroad is stated"))
    return Report(title=title, verdict=said, parts=(Part("Hexes", tuple(steps)),), result=result)


def by_land(mover: Mover) -> tuple[Within, ...]:
    """The hexes that a unit can move to by land, the cheapest first."""
    found = [
        Within(hex=hex, cost=one.cost, way=one.way, minimum=one.minimum) for hex, one in within_reach(mover).items()
    ]
    return tuple(sorted(found, key=lambda one: (one.cost, one.hex)))


def by_rail(mover: Mover) -> tuple[Within, ...]:
    """The hexes that a rail move from its own hex leads to, over railroads that are known, the nearest first. Rule: 18.1, 18.4, 18.5"""
    found = dict[str, Within]()
    edge: list[tuple[str, ...]] = [()]
    for way in edge:
        here, first = way[-1] if way else mover.at, not way
        if way and found[here].way != way:
            continue
        for there in mover.view.board.neighbours(here):
            if there in found or there == mover.at or not has_railroad(mover.view, here, there):
                continue
            one = enter_by_rail(mover, here, there, first=first, begins=first)
            spent = (found[here].cost if way else 0) + (0 if isinstance(one, Barred) else one.cost)
            if not isinstance(one, Barred) and spent <= mover.allowance:
                found[there] = Within(hex=there, cost=spent, way=(*way, there))
                edge.append((*way, there))
    return tuple(found.values())


QUESTION = declare("reach", "the hexes to which a unit can move by land or rail, with what they cost", answer)
