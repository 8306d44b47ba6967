"""Moves of East Prussia 1914 from the rulebook alone: each round tries every hex until nothing gets cheaper (3.3, 5, 7.2, 10.3, 10.4)."""

from __future__ import annotations

from ..hexes import Hex, rings, side
from .supply import supplied, zones_against
from .world import COSTS, Unit, World


def allowance(world: World, unit: Unit) -> int:
    """The Movement Points of a unit: one less without a line of supply, those saved in its hex more, one more by forced march."""
    points = unit.ma - (unit.at not in supplied(world, unit.side))
    if world.phase == "second-movement":
        points += world.reserved.get(unit.at, 0)
    return points


def step(
    world: World, unit: Unit, here: Hex, there: Hex, zones: set[Hex], rivals: set[Hex], forced: bool
) -> int | None:
    """What it costs to enter a hex, None if it is barred."""
    stack = world.stack(there)
    if (
        (stack and stack[0].side != unit.side)
        or world.ground(there) in ("", "sea")
        or side(here, there) in world.map.lakes
    ):
        return None
    if unit.side == "russian" and world.fortress(there):
        return None
    if here in zones and (here != unit.at or (there in zones and not stack)):
        return None
    if there in rivals:
        return None
    if forced and (
        there in zones or any(other.side != unit.side for at in world.near(there) for other in world.stack(at))
    ):
        return None
    town = world.map.towns.get(there, "")
    cost = 1 + COSTS[world.ground(there)] + COSTS.get(town, 0)
    if town and "refugees" in world.options and world.turn <= 4:
        cost += 1
    return cost + COSTS["river"] * (side(here, there) in world.map.rivers)


def reach(world: World, unit: Unit, *, forced: bool = False) -> tuple[int, dict[Hex, int]]:
    """The allowance of a unit, and what it costs at least to get to each hex by marching."""
    zones = zones_against(world, unit.side)
    rivals: set[Hex] = set()
    if unit.side == "russian" and not world.friends:
        for other in world.units:
            if other.side == "russian" and other.army != unit.army:
                rivals.update(rings(other.at, 3))
    points = allowance(world, unit) + forced
    best, changed = {unit.at: 0}, True
    while changed:
        changed = False
        for here, spent in list(best.items()):
            for there in world.near(here):
                cost = step(world, unit, here, there, zones, rivals, forced)
                if cost is not None and spent + cost <= points and spent + cost < best.get(there, 99):
                    best[there], changed = spent + cost, True
    for there in world.near(unit.at):
        if step(world, unit, unit.at, there, zones, rivals, forced) is not None:
            best.setdefault(there, points)
    best.pop(unit.at)
    return points, best


def reach_by_rail(world: World, unit: Unit) -> set[Hex]:
    """The hexes to which a German unit can go by rail, before it detrains (5.2)."""
    zones = zones_against(world, unit.side)

    def is_open(at: Hex) -> bool:
        stack = world.stack(at)
        return (
            at not in zones
            and at not in world.cut
            and world.holder(at) == "german"
            and not (stack and stack[0].side != "german")
        )

    if unit.side != "german" or not is_open(unit.at):
        return set()
    reached, edge = {unit.at}, [unit.at]
    while edge:
        here = edge.pop()
        for there in world.near(here):
            if side(here, there) in world.map.rails and there not in reached and is_open(there):
                reached.add(there)
                edge.append(there)
    return reached - {unit.at}


def most_entrained(turn: int) -> int:
    """How many units may entrain in a turn: two before turn 3, five from it on (5.2, by the ruling rail-turn-3)."""
    return 2 if turn < 3 else 5
