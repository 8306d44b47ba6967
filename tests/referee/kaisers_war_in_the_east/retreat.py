"""Retreat and pursuit of Kaiser's War in the East from the rulebook alone: every way is walked (15, 16)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..hexes import Hex, around
from .march import is_closed
from .supply import distance, zones_against
from .units import Unit
from .world import World, fits


class Retreat(NamedTuple):
    """The first hexes of the ways that are open, and after each of them the second ones; ways: how many there are; length: of each."""

    first: dict[Hex, list[Hex]]
    ways: int
    length: int


def walks(world: World, units: list[Unit], hexes: int) -> Iterator[list[Hex]]:
    """All ways of so many hexes that enter no enemies, no zone of theirs, nothing closed, and no hex twice (15.2)."""
    zones = zones_against(world, units[0].side)
    ways = [[units[0].at]]
    while ways:
        way = ways.pop()
        if len(way) == hexes + 1:
            yield way
            continue
        ways += [
            [*way, there]
            for there in around(way[-1])
            if there not in way
            and there not in zones
            and not any(is_closed(world, unit, way[-1], there) for unit in units)
        ]


def retreat(world: World, units: list[Unit], owed: int, more: int = 3) -> Retreat:
    """The ways of units that retreat together: so many hexes away, farther only from a hex in which they do not fit."""
    if any(other.movement == 0 for other in units):
        return Retreat({}, 0, 0)
    for hexes in range(owed, owed + more + 1):
        ways = []
        for way in walks(world, units, hexes):
            ends = way[owed:-1]
            if (
                distance(way[0], way[-1]) >= owed
                and fits(world, units, way[-1])
                and not any(fits(world, units, at) for at in ends)
            ):
                ways.append(way)
        if ways:
            onward: dict[Hex, set[Hex]] = {}
            for way in ways:
                onward.setdefault(way[1], set()).update(way[2:3])
            return Retreat({at: sorted(onward[at]) for at in sorted(onward)}, len(ways), hexes)
    return Retreat({}, 0, 0)


def pursue(world: World, unit: Unit, cleared: Hex, hexes: int) -> tuple[bool, list[Hex]]:
    """Whether a unit may pursue into a hex that is clear of enemies, and the hexes into which it may go beyond it (16.1 to 16.4)."""
    if unit.movement == 0 or unit.attack == 0 or unit.arm in ("headquarters", "supply", "fortress") or hexes == 0:
        return False, []
    if is_closed(world, unit, unit.at, cleared):
        return False, []
    beyond = [there for there in around(cleared) if not is_closed(world, unit, cleared, there)] if hexes > 1 else []
    return True, beyond
