"""Zones of control and lines of supply of East Prussia 1914 from the rulebook alone: hexes are added until no more are reached (3.3, 3.4)."""

from __future__ import annotations

from ..hexes import Hex, around, side
from .world import FORTRESSES, KONIGSBERG, LAST, Unit, World

LONGEST = {"german": 40, "russian": 10_000}


def zone_of(world: World, unit: Unit) -> set[Hex]:
    """The hexes in the zone of a unit: none across a river, none with a fortress of the enemy (3.3)."""
    hexes = {at for at in world.near(unit.at) if side(unit.at, at) not in world.map.rivers}
    return {at for at in hexes if not (unit.side == "russian" and world.fortress(at))}


def zones_against(world: World, owner: str) -> set[Hex]:
    """The hexes in the zones of the enemies of a side: of units, and of German fortresses, which reach across rivers (3.3)."""
    reached: set[Hex] = set()
    for unit in world.units:
        if unit.side != owner:
            reached |= zone_of(world, unit)
    if owner == "russian":
        for at in FORTRESSES:
            if world.fortress(at):
                reached.update(world.near(at))
    return reached


def is_closed_to_supply(world: World, owner: str, at: Hex, zones: set[Hex]) -> bool:
    """Whether no line of a side enters a hex: enemies, their fortresses, their zones and their control, unless a friend is there (3.4)."""
    stack = world.stack(at)
    if stack:
        return stack[0].side != owner
    if owner == "russian" and world.fortress(at):
        return True
    return at in zones or world.holder(at) not in (owner, "")


def supplied(world: World, owner: str) -> dict[Hex, int]:
    """The hexes to which a line of a side leads, with the hexes of the shortest one after its first."""
    zones = zones_against(world, owner)
    if owner == "german":
        sources = {at for at in world.map.terrain if at[0] == 1} | {KONIGSBERG}
    else:
        sources = {at for at in world.map.terrain if at[0] == LAST[0]}
    reached = {at: 0 for at in sources if not is_closed_to_supply(world, owner, at, zones)}
    edge = [*reached]
    for number in range(1, LONGEST[owner] + 1):
        more = []
        for here in edge:
            if owner == "russian" and world.ground(here) in ("forest", "swamp"):
                continue
            for there in around(here):
                if world.ground(there) and there not in reached and not is_closed_to_supply(world, owner, there, zones):
                    reached[there] = number
                    more.append(there)
        edge = more
        if not edge:
            break
    return reached
