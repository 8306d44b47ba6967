"""Moves of Kaiser's War in the East from the rulebook alone: each round tries every hex until nothing gets cheaper (11, 13, 18, 22, 23)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ..hexes import Hex, around, side
from .supply import is_supplied, zones_against
from .units import Unit
from .world import AREA, World

HALF = Fraction(1, 2)


def is_closed(world: World, unit: Unit, here: Hex, there: Hex) -> bool:
    """Whether ground, borders or enemies keep a unit out of the next hex at all times; a train keeps to its own rail net (11.7, 11.8, 12.4, 21.4, 23.3)."""
    if any(other.at == there and other.side != unit.side for other in world.units):
        return True
    if world.ground(there) == "all-sea" or world.is_neutral(there):
        return True
    if world.water.get(side(here, there)) in ("all-sea", "impassable"):
        return True
    if unit.arm == "armoured-train" and (side(here, there) not in world.rails or world.holder(there) != unit.side):
        return True
    if unit.nation == "romanian":
        return world.land(there) not in ("romania", "austria-hungary", "bulgaria", "russia")
    if unit.nation == "bulgarian":
        return world.land(there) not in ("bulgaria", "romania")
    return False


def price(world: World, here: Hex, there: Hex) -> Fraction:
    """What it costs to enter a hex: half a point by road, whatever lies in the hex or on the hexside (11.4, 11.5, 22)."""
    if side(here, there) in world.rails:
        return HALF
    ground, winter = world.ground(there), world.season == "winter"
    hard = winter or (world.season == "thaw" and world.land(there) == "russia")
    cost = {"clear": 1, "forest": 2 if hard else 1}.get(ground, 0) or world.map.costs[
        "winter" if hard else "summer", ground
    ]
    water = world.water.get(side(here, there), "")
    if water in ("river", "lake") and not winter:
        cost += world.map.costs["summer", water]
    return Fraction(cost)


def reach(world: World, unit: Unit, allowance: int) -> dict[Hex, Fraction]:
    """What it costs at least to get to each hex by land."""
    zones = zones_against(world, unit.side)

    def step(here: Hex, there: Hex) -> Fraction | None:
        if is_closed(world, unit, here, there):
            return None
        if here not in zones:
            return price(world, here, there)
        if here != unit.at or there in zones:
            return None
        return price(world, here, there) + 1

    best = {unit.at: Fraction(0)}
    changed = True
    while changed:
        changed = False
        for here, spent in list(best.items()):
            for there in around(here):
                cost = step(here, there)
                if cost is not None and spent + cost <= allowance and spent + cost < best.get(there, Fraction(99)):
                    best[there], changed = spent + cost, True
    if unit.movement > 0:
        for there in around(unit.at):
            if step(unit.at, there) is not None:
                best.setdefault(there, Fraction(allowance))
    best.pop(unit.at)
    return best


def reach_by_rail(world: World, unit: Unit) -> dict[Hex, Fraction]:
    """What it costs to get to each hex by a rail move alone: a point, and another to disengage (18.1, 18.4, 13.4, 13.5)."""
    train = unit.arm == "armoured-train"
    if not (train or is_supplied(world, unit)) or world.holder(unit.at) != unit.side:
        return {}
    zones = zones_against(world, unit.side)
    start = Fraction(1)
    found: dict[Hex, Fraction] = {}
    edge = {unit.at}
    while edge:
        more: dict[Hex, Fraction] = {}
        for here in edge:
            if here in zones and here != unit.at:
                continue
            for there in around(here):
                between = side(here, there)
                if (
                    between not in world.rails
                    or there in found
                    or there == unit.at
                    or is_closed(world, unit, here, there)
                ):
                    continue
                if world.holder(there) != unit.side:
                    continue
                if (world.land(here) == "russia") != (world.land(there) == "russia") and not train:
                    continue
                if here in zones and there in zones:
                    continue
                more[there] = start + (1 if unit.at in zones else 0)
        found |= more
        edge = set(more)
    return {at: cost for at, cost in found.items() if cost <= unit.movement}


def route(world: World, unit: Unit, way: list[Hex], allowance: int) -> Fraction | None:
    """What a march along given hexes costs, None if it is not allowed: as `reach`, but for one way."""
    zones = zones_against(world, unit.side)
    spent, here = Fraction(0), unit.at
    for there in way:
        if unit.movement == 0 or is_closed(world, unit, here, there):
            return None
        if here in zones and (here != unit.at or spent or there in zones):
            return None
        cost = price(world, here, there) + (1 if here in zones else 0)
        if spent + cost > allowance:
            return Fraction(allowance) if len(way) == 1 else None
        spent, here = spent + cost, there
    return spent


def thirds(unit: Unit) -> int:
    """What a unit takes of the rail capacity, in thirds of an Army Equivalent (18.2)."""
    if unit.arm == "armoured-train":
        return 0
    return 3 if unit.is_army() or unit.arm == "headquarters" else 1


def within_capacity(world: World, unit: Unit, reached: dict[Hex, Fraction], railed: int) -> dict[Hex, Fraction]:
    """The hexes of a rail move that the capacity still allows: Germans, and supply of their side, go freely within Germany (18.2, 18.3)."""
    if railed + thirds(unit) <= 9:
        return reached
    free = unit.side == "central-powers" and (unit.nation == "german" or unit.arm == "supply")
    if not free or world.land(unit.at) != "germany":
        return {}
    inside = {at for at in AREA if world.land(at) == "germany"}
    near = reach_by_rail(replace(world, held=world.held & inside), unit)
    return {at: cost for at, cost in near.items() if at in inside}
