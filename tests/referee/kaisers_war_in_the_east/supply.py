"""Zones of control and supply of Kaiser's War in the East from the rulebook alone: rounds of hexes until no more are reached (13, 17, 22)."""

from __future__ import annotations

from ..hexes import Hex, around, rings, side
from .units import Unit
from .world import World


def has_zone(world: World, unit: Unit) -> bool:
    """Whether a unit has a zone of control: any with movement, and fortresses; no supply unit, no neutral (13.0, 20.1, 23.0)."""
    if unit.arm == "supply" or not world.belligerent.get(unit.nation, True):
        return False
    return unit.movement > 0 or unit.arm == "fortress"


def zone_of(world: World, unit: Unit) -> set[Hex]:
    """The hexes in the zone of one unit: none across all-sea, none with a fortress of the enemy (13.1, 13.2)."""
    if not has_zone(world, unit):
        return set()
    closed = {other.at for other in world.units if other.side != unit.side and other.arm == "fortress"}
    return {at for at in around(unit.at) if at not in closed and world.water.get(side(unit.at, at)) != "all-sea"}


def zones_against(world: World, owner: str) -> set[Hex]:
    """The hexes in the zones of the enemies of a side."""
    reached: set[Hex] = set()
    for unit in world.units:
        if unit.side != owner:
            reached |= zone_of(world, unit)
    return reached


def may_pass(world: World, owner: str, here: Hex, there: Hex) -> bool:
    """Whether supply of a side leads from a hex to the next, zones left aside (17.3)."""
    if any(unit.at == there and unit.side != owner for unit in world.units):
        return False
    if "marsh" in (world.ground(here), world.ground(there)) or world.ground(there) == "all-sea":
        return False
    return not world.is_neutral(there) and world.water.get(side(here, there)) != "all-sea"


def by_radius(world: World, owner: str, source: Hex, radius: int) -> set[Hex]:
    """The hexes to which a radius leads: it ends in the first hex in an enemy zone (17.2 to 17.4)."""
    zones = zones_against(world, owner)
    reached, edge = {source}, {source}
    for _ in range(radius):
        edge = {
            there
            for here in edge
            if here not in zones
            for there in around(here)
            if there not in reached and may_pass(world, owner, here, there)
        }
        reached |= edge
    return reached


def by_rail(world: World, owner: str, source: Hex) -> set[Hex]:
    """The railroad hexes joined to a supply unit by railroad, none of them with enemies or in their zones (17.5)."""
    zones = zones_against(world, owner)
    if source in zones or not any(source in rail for rail in world.rails):
        return set()
    joined = {source}
    while True:
        more = {
            there
            for here in joined
            for there in around(here)
            if side(here, there) in world.rails and there not in zones and may_pass(world, owner, here, there)
        } - joined
        if not more:
            return joined
        joined |= more


def is_supplied(world: World, unit: Unit) -> bool:
    """Whether a unit is in General Supply (17.4, 17.5, 17.7)."""
    own = [other for other in world.units if other.side == unit.side]
    if any(other.at == unit.at and other.arm in ("supply", "fortress") for other in own):
        return True
    for source in own:
        if source.arm != "supply":
            continue
        if unit.at in by_radius(world, unit.side, source.at, source.radius):
            return True
        joined = by_rail(world, unit.side, source.at)
        if unit.at in joined:
            return True
        if any(at in joined and may_pass(world, unit.side, at, unit.at) for at in around(unit.at)):
            return True
    return False


def offensive_radius(world: World, unit: Unit) -> int:
    """The radius of a supply unit for Offensive Supply: its own hex and the six around it in winter, and in a thaw in Russia (22.1, 22.2)."""
    hard = world.season == "winter" or (world.season == "thaw" and world.land(unit.at) == "russia")
    return min(unit.radius, 1) if hard else unit.radius


def offensive(world: World, source: Unit) -> list[Unit]:
    """The units that a supply unit reaches for attacks, marches and reorganization, never itself (17.10, 17.12)."""
    hexes = by_radius(world, source.side, source.at, offensive_radius(world, source))
    return [unit for unit in world.units if unit.side == source.side and unit.id != source.id and unit.at in hexes]


def checks_attrition(world: World, unit: Unit) -> bool:
    """Whether a unit checks for supply attrition at the end of the turn (17.8)."""
    return not is_supplied(world, unit) and (world.season, world.ground(unit.at)) in world.map.checks


def distance(here: Hex, there: Hex, most: int = 12) -> int:
    """How many hexes lie between two hexes, the last one counted."""
    return rings(here, most)[there]
