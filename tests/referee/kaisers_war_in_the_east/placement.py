"""Mobilization of Kaiser's War in the East from the rulebook alone: what a unit costs, when it arrives, where it may be placed (5.5, 9)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from ..hexes import Hex
from .points import OWNERS
from .supply import zones_against
from .units import Unit
from .world import World

PRICES = {
    "infantry": (4, 0, 1914),
    "cavalry": (5, 0, 1914),
    "supply": (10, 0, 1914),
    "fortress": (3, 0, 1914),
    "armoured-train": (10, 1, 1914),
    "marine": (9, 1, 1915),
    "alpine": (6, 1, 1915),
    "shock": (8, 2, 1916),
}
"""Points, delay in turns and first year; a fortress costs its points for each point of its defence factor."""
HOMES = {
    "german": "germany",
    "austro-hungarian": "austria-hungary",
    "russian": "russia",
    "romanian": "romania",
    "bulgarian": "bulgaria",
}
PRODUCTION = {"germany": 99, "austria-hungary": 2, "bulgaria": 1, "russia": 99, "romania": 1}
"""How many supply units may be placed in a country in a phase (9.8)."""


@dataclass(frozen=True)
class Places:
    """Hexes where units may come into play: cities, hexes where a railroad leads off the map, Strategic Objectives."""

    cities: frozenset[Hex]
    edges: frozenset[Hex]
    objectives: frozenset[Hex]


class Order(NamedTuple):
    """What a unit costs and when it arrives; open: the hexes where it may be placed."""

    cost: int
    arrives: int
    open: list[Hex]


def order(world: World, places: Places, unit: Unit, turn: int) -> Order:
    """The cost, the turn and the open hexes of a unit."""
    price, delay, _ = PRICES[unit.arm]
    cost = price * unit.defence if unit.arm == "fortress" else price
    return Order(
        cost,
        turn + delay,
        [at for at in sorted(places.cities | places.edges | places.objectives) if is_open(world, places, unit, at)],
    )


def may_be_bought(unit: Unit, points: int, cost: int, year: int) -> bool:
    """Whether a unit is on offer in a year, and its side keeps a point at least (5.5, 9.5)."""
    return year >= PRICES[unit.arm][2] and points - cost > 0


def is_open(world: World, places: Places, unit: Unit, at: Hex) -> bool:
    """Whether a unit may be placed in a hex (9.4, 9.6 to 9.8)."""
    if world.is_neutral(at) or world.holder(at) != unit.side or at in zones_against(world, unit.side):
        return False
    if world.ground(at) == "all-sea" or any(other.side != unit.side for other in world.stack(at)):
        return False
    new = [other for other in world.units if other.mark == "placed"]
    home, gate = world.land(at), at in places.cities | places.edges
    if unit.arm == "supply":
        captured = at in places.objectives and OWNERS[home] != unit.side
        made = Counter(world.land(other.at) for other in new if other.arm == "supply" and other.side == unit.side)
        own = gate and OWNERS[home] == unit.side and made[home] < PRODUCTION[home]
        return captured or own
    here = [other for other in new if other.at == at and other.arm != "supply"]
    if len(here) >= 3 or any(other.is_army() or other.arm == "headquarters" for other in here):
        return False
    return gate and home == HOMES[unit.nation]
