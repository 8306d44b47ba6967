"""A slow and plain reckoning of moves by rail in "1914, Twilight in the East": every order of departure is tried,
phase by phase.

Written from the rulebook alone; the numbers in docstrings and comments are its. A world is a plain dictionary:

nation; phases: of its side, in order, each "movement" or "counter-movement"; rates: the Railroad Movement Rate in each
of them; links: by pair of hexes a dictionary with tracks (1 or 2), narrow, gauge (standard, broad or both); stations;
closed: hexes that are not friendly operational; units: by name a dictionary with place, rail-cost, movement,
destination, the gauge of its train where it has one and both are there, and what it has done already (stage, credit);
enemies: by name a dictionary with place and arm; points: Rail Points left, by pool.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from typing import Any, NamedTuple

from ...making.hexes import distance, neighbours
from ..movement.naive_march import has_zone

World = dict[str, Any]
Unit = dict[str, Any]
Points = Mapping[str, Fraction]

CAPACITY = {"movement": 8, "counter-movement": 4}
"""8.2.6."""
POOLS = {"broad": ("rail-points",), "standard": ("euro-gauge-points", "warsaw-points")}
"""17.2: what pays where a Russian unit boards a train of a gauge."""
WARSAW = "58.52"


class Halt(NamedTuple):
    """A hex of a route with the gauge of the train there, and the weighted hexes that lead to it: none where the
    unit is trans-shipped.
    """

    hex: str
    gauge: str
    weight: int


class Ride(NamedTuple):
    """Where a unit is on its journey.

    stage: waiting, entraining, riding, detraining or there; route: all of it; at: the number of its halt; credit:
    points counted for the task that it is at; spent: in each phase so far.
    """

    stage: str
    route: tuple[Halt, ...]
    at: int = 0
    credit: Fraction = Fraction(0)
    spent: tuple[Fraction, ...] = ()


class Plan(NamedTuple):
    """A timetable. rides: of each unit; points: Rail Points left, by pool; arrivals: by unit the number of the
    phase in which it has detrained.
    """

    rides: Mapping[str, Ride]
    points: Points
    arrivals: Mapping[str, int]


# --- the network ------------------------------------------------------------------------------------------------------


def lines_at(world: World, hex: str) -> list[tuple[str, dict[str, Any]]]:
    """The hexes to which an operational RR line leads from one, each with the line. 8.2.3: no move over narrow
    track.
    """
    lines = []
    for sides, link in world["links"].items():
        held = {unit["place"] for unit in world["enemies"].values()}
        if hex in sides and not link["narrow"] and not {*sides} & (world["closed"] | held):
            lines.append((sides[0] if sides[1] == hex else sides[1], link))
    return lines


def gauges_of(world: World, link: dict[str, Any]) -> tuple[str, ...]:
    """17.2: the gauges of a line as its trains see it; to those of the Central Powers all lines are alike."""
    if world["nation"] != "russian":
        return ("any",)
    return ("standard", "broad") if link["gauge"] == "both" else (link["gauge"],)


def gauges_at(world: World, hex: str) -> set[str]:
    """The gauges that serve a hex."""
    return {gauge for _, link in lines_at(world, hex) for gauge in gauges_of(world, link)}


def routes(world: World, unit: Unit) -> Iterator[tuple[Halt, ...]]:
    """Every route that comes to no hex twice with the same gauge; it changes gauge only in a station with both
    (17.2.2).
    """
    start, end = unit["place"], unit["destination"]
    gauges = [unit["gauge"]] if unit.get("gauge") else sorted(gauges_at(world, start))
    todo = [(Halt(start, gauge, 0),) for gauge in gauges]
    while todo:
        route = todo.pop()
        here = route[-1]
        if here.hex == end:
            yield route
            continue
        onward = [
            Halt(there, here.gauge, 3 - link["tracks"])
            for there, link in lines_at(world, here.hex)
            if here.gauge in gauges_of(world, link)
        ]
        came = here.weight or (
            len(route) == 1 and unit.get("stage") == "riding"
        )  # who boards here takes the train that he wants
        if here.hex in world["stations"] and came:
            onward += [Halt(here.hex, gauge, 0) for gauge in gauges_at(world, here.hex) - {here.gauge}]
        passed = {(halt.hex, halt.gauge) for halt in route}
        todo += [(*route, halt) for halt in onward if (halt.hex, halt.gauge) not in passed]


def changes(route: tuple[Halt, ...]) -> int:
    """How often a route changes gauge."""
    return sum(before.hex == after.hex for before, after in pairwise(route))


def cost(route: tuple[Halt, ...], rate: int, rail_cost: Fraction) -> Fraction:
    """8.2.2, 17.2.2: Movement Points of a route: weighted hexes by the rate, and as many as the unit's RCPs for
    each change of gauge.
    """
    return Fraction(sum(halt.weight for halt in route), rate) + changes(route) * rail_cost


def best_routes(world: World, name: str) -> list[tuple[Halt, ...]]:
    """8.2.3: the routes that consume the fewest points."""
    unit, rate = world["units"][name], world["rates"][0]
    every = list(routes(world, unit))
    least = min((cost(route, rate, unit["rail-cost"]) for route in every), default=None)
    return [route for route in every if cost(route, rate, unit["rail-cost"]) == least]


# --- Rail Points ------------------------------------------------------------------------------------------------------


def to_warsaw(world: World, hex: str) -> bool:
    """17.2.1: whether RR lines lead from a hex to Warsaw; the European track there is what the unit boards a train
    of.
    """
    reached, before = {hex}, set[str]()
    while reached != before:
        before = reached
        reached = before | {there for here in before for there, _ in lines_at(world, here)}
    return WARSAW in reached


def pay(world: World, points: Points, hex: str, gauge: str, cost: Fraction) -> list[Points]:
    """8.2.1, 17.2: what may be left of the pools when a unit boards a train: one result for each pool that can pay.
    Two pools of European gauge may pay together.
    """
    if gauge == "any":
        pools: tuple[str, ...] = ("rail-points",)
    else:
        pools = tuple(pool for pool in POOLS[gauge] if pool != "warsaw-points" or to_warsaw(world, hex))
    left: list[Points] = []
    for first in pools:
        rest, after = cost, dict(points)
        for pool in (first, *(pool for pool in pools if pool != first)):
            paid = min(rest, after[pool])
            after[pool] -= paid
            rest -= paid
        if not rest and after not in left:
            left.append(after)
    return left


# --- a phase ----------------------------------------------------------------------------------------------------------


def worked(needed: Fraction, points: Fraction, room: Fraction) -> Fraction:
    """What counts towards entraining, detraining or trans-shipping of the points at hand: only whole ones, unless
    they finish it (4.5).
    """
    if needed <= min(points, room):
        return needed
    return Fraction(math.floor(min(points, room)))


def spend_phase(
    world: World, name: str, ride: Ride, number: int, room: dict[str, Fraction], points: Points
) -> Iterator[tuple[Ride, dict[str, Fraction], Points]]:
    """What a unit does in a phase that it does not wait through: each possible outcome, with the room left in the
    stations and the pools. None if there are too few Rail Points.
    """
    unit, kind = world["units"][name], world["phases"][number]
    allowance = Fraction(unit["movement"], 2 if kind == "counter-movement" else 1)
    todo = [(ride, allowance, room, points)]
    while todo:
        ride, left, room, points = todo.pop()
        halt = ride.route[ride.at]
        ahead = ride.route[ride.at + 1] if ride.at + 1 < len(ride.route) else None
        needed = unit["rail-cost"] - ride.credit
        if ride.stage in ("waiting", "entraining"):
            done = worked(needed, left, room[halt.hex])
            after = room | {halt.hex: room[halt.hex] - done}
            if done < needed:
                yield (
                    ended(ride._replace(stage="entraining", credit=ride.credit + done), allowance, left - done),
                    after,
                    points,
                )
                continue
            aboard = ride._replace(stage="riding", credit=Fraction(0))
            paid = pay(world, points, halt.hex, halt.gauge, unit["rail-cost"])
            todo += [(aboard, left - done, after, rest) for rest in paid]
        elif ride.stage == "riding" and ahead is None:
            todo.append((ride._replace(stage="detraining"), left, room, points))
        elif ride.stage == "detraining":
            done = worked(needed, left, room[halt.hex])
            after = room | {halt.hex: room[halt.hex] - done}
            stage = "there" if done == needed else "detraining"
            yield ended(ride._replace(stage=stage, credit=ride.credit + done), allowance, left - done), after, points
        elif ahead is not None and ahead.hex == halt.hex:  # 17.2.2
            done = worked(needed, left, unit["rail-cost"])
            if done < needed:
                yield ended(ride._replace(credit=ride.credit + done), allowance, left - done), room, points
                continue
            changed = ride._replace(at=ride.at + 1, credit=Fraction(0))
            todo += [
                (changed, left - done, room, rest)
                for rest in pay(world, points, halt.hex, ahead.gauge, unit["rail-cost"])
            ]
        elif ahead is not None:
            takes = Fraction(ahead.weight, world["rates"][number])
            if takes > left:
                yield ended(ride, allowance, left), room, points
            else:
                todo.append((ride._replace(at=ride.at + 1), left - takes, room, points))


def ended(ride: Ride, allowance: Fraction, left: Fraction) -> Ride:
    """The journey at the end of a phase, with what was spent in it."""
    return ride._replace(spent=(*ride.spent, allowance - left))


# --- all timetables ---------------------------------------------------------------------------------------------------


def may_go(world: World, unit: Unit) -> bool:
    """8.2.3: no unit entrains in an EZOC, nor goes to a station fewer than three hexes from an enemy."""
    if unit.get("stage", "waiting") != "waiting":
        return True
    zones = {hex for enemy in world["enemies"].values() if has_zone(enemy) for hex in neighbours(enemy["place"])}
    near = any(distance(unit["destination"], enemy["place"]) < 3 for enemy in world["enemies"].values())
    return unit["place"] not in zones and not near


def begin(unit: dict[str, Any], route: tuple[Halt, ...]) -> Ride:
    """A journey as it stands before the first phase."""
    return Ride(unit.get("stage", "waiting"), route, credit=unit.get("credit", Fraction(0)))


def starts(world: World) -> list[Plan]:
    """The timetables before the first phase: one for each choice of routes; none if a unit cannot entrain or has no
    such destination.
    """
    if not all(may_go(world, unit) for unit in world["units"].values()):
        return []
    chosen: list[dict[str, Ride]] = [{}]
    for name, unit in world["units"].items():
        chosen = [{**rides, name: begin(unit, route)} for rides in chosen for route in best_routes(world, name)]
    return [Plan(rides, world["points"], {}) for rides in chosen]


def plans(world: World) -> Iterator[Plan]:
    """Every timetable in which each unit arrives in the phases at hand, by every order in every phase, and every
    departure.
    """
    todo = [(0, plan) for plan in starts(world)]
    seen = set()
    while todo:
        number, plan = todo.pop()
        if len(plan.arrivals) == len(world["units"]):
            yield plan
        elif number < len(world["phases"]):
            for after in phase_plans(world, plan, number):
                key = (number, repr(after))
                if key not in seen:
                    seen.add(key)
                    todo.append((number + 1, after))


def phase_plans(world: World, plan: Plan, number: int) -> Iterator[Plan]:
    """What a phase may make of a timetable. Who has begun to entrain goes on with it (8.9.2), and who is in Rail
    Mode rides (8.2.3).
    """
    under_way = [name for name, ride in plan.rides.items() if ride.stage not in ("waiting", "there")]
    waiting = [name for name, ride in plan.rides.items() if ride.stage == "waiting"]
    for many in range(len(waiting) + 1):
        for leaving in combinations(waiting, many):
            for order in permutations([*under_way, *leaving]):
                yield from carried_out(world, plan, number, order)


def carried_out(world: World, plan: Plan, number: int, order: Collection[str]) -> Iterator[Plan]:
    """What a phase makes of a timetable in which units move in an order, and the others wait."""
    capacity = {hex: Fraction(CAPACITY[world["phases"][number]]) for hex in world["stations"]}
    outcomes = [(dict(plan.rides), capacity, plan.points)]
    for name in order:
        outcomes = [
            ({**rides, name: ride}, left, rest)
            for rides, room, points in outcomes
            for ride, left, rest in spend_phase(world, name, rides[name], number, room, points)
        ]
    for rides, _, points in outcomes:
        idle = {
            name: ride._replace(spent=(*ride.spent, Fraction(0))) for name, ride in rides.items() if name not in order
        }
        there = {name: number for name, ride in rides.items() if ride.stage == "there" and name not in plan.arrivals}
        yield Plan(rides | idle, points, {**plan.arrivals, **there})


def in_order(world: World) -> list[Plan]:
    """The timetables of all phases by which every unit leaves at once, and comes before those named after it. Empty
    where Rail Points do not suffice or no line leads there.
    """
    timetables = starts(world)
    for number in range(len(world["phases"])):
        timetables = [
            after
            for plan in timetables
            for after in carried_out(world, plan, number, [name for name in plan.rides if name not in plan.arrivals])
        ]
    return timetables


def last_arrival(plan: Plan) -> int:
    """The number of the phase in which the last unit has detrained."""
    return max(plan.arrivals.values())


def best(world: World) -> list[Plan]:
    """The timetables by which the last unit arrives earliest, and then all of them as early as may be in sum."""
    every = list(plans(world))
    least = min(((last_arrival(plan), sum(plan.arrivals.values())) for plan in every), default=None)
    return [plan for plan in every if (last_arrival(plan), sum(plan.arrivals.values())) == least]
