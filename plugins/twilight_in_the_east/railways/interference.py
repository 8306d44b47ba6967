"""What the enemy does to units in Rail Mode: they displace, are cut off from their destination or lose it, and bear Combat
Strength 1/2 markers (8.2.3 to 8.2.5).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

import msgspec

from .routes import Legs, RailNet, Route, cheapest_route, spread

FARTHEST = 15
"""Hexes along the line that a unit in Rail Mode displaces at most (8.2.4)."""
DISPLACING_ARMS = ("infantry", "cavalry", "artillery")
"""The arms of the enemies from which a unit in Rail Mode displaces (8.2.4)."""


class Way(msgspec.Struct, frozen=True):
    """A way along the line. hexes: that it enters, the one where it ends last."""

    hexes: tuple[str, ...]

    @property
    def end(self) -> str:
        """The hex where it ends."""
        return self.hexes[-1]


def must_displace(enemies: Collection[str], *, detraining: bool) -> bool:
    """Whether a unit in Rail Mode displaces as enemies have come adjacent to it: from combat and artillery units, unless
    it has begun to detrain, when it loses its MPs Expended marker instead.

    enemies: the arms of those adjacent to it. Rule: 8.2.4b
    """
    return not detraining and any(arm in DISPLACING_ARMS for arm in enemies)


def displacements(
    route: Route | None, net: RailNet, enemies: Collection[str], threatened: Collection[str]
) -> tuple[Way, ...]:
    """Where a unit in Rail Mode may displace: up to 15 hexes along the line toward its destination, the nearest first,
    through hexes of enemies too, but into none of them and none that enemies are adjacent to.

    route: to its destination, over the lines as they were before the enemy came; net: those that are left; enemies:
    hexes of enemy units; threatened: those to which combat and artillery units are adjacent.
    Rule: 8.2.4b
    """
    hexes = _on_the_map(route, past_changes=False)[:FARTHEST] if route else ()
    bad = {*enemies, *threatened}
    return tuple(Way(hexes[: number + 1]) for number, hex in enumerate(hexes) if hex in net.links and hex not in bad)


def _on_the_map(route: Route, *, past_changes: bool = True) -> tuple[str, ...]:
    """The hexes that a route enters before it leaves the map. past_changes: also beyond where a unit trans-ships."""
    hexes = list[str]()
    for leg in route.legs:
        if leg.off_map or (leg.is_change and not past_changes):
            break
        if not leg.is_change:
            hexes.append(leg.hex)
    return tuple(hexes)


class CutOff(msgspec.Struct, frozen=True):
    """What a unit in Rail Mode may do that begins its movement phase without a way to its destination.

    displace: where it may displace, if that helps, or `stations` if not; stations: the new destinations among which it
    chooses; kind: whether these lie on the line to the old one, or are the nearest that it can reach.
    """

    displace: tuple[Way, ...] = ()
    stations: tuple[str, ...] = ()
    kind: Literal["", "on the line", "nearest"] = ""


def cut_off_options(
    net: RailNet,
    old: Route | None,
    start: str,
    destination: str,
    *,
    enemies: Collection[str],
    stations: Collection[str],
    threatened: Collection[str] = (),
) -> CutOff:
    """What a unit does that begins a friendly movement phase without a way to its destination: it displaces up to 15
    hexes toward it, or where that does not help, it goes to a station on the line between, and where there is none that
    it reaches, to the nearest one that it does.

    net: the lines that are friendly operational; old: its route before lines were lost, None if there was none;
    enemies: hexes of enemy units; stations: RR Stations of its side; threatened: as for `displacements`.
    Rule: 8.2.4c
    """
    helping = tuple(
        way
        for way in displacements(old, net, enemies, threatened)
        if way.end == destination or cheapest_route(net, way.end, destination, closed=enemies) is not None
    )
    reached = spread(net.legs(), start, enemies).cost
    between = [
        hex for hex in (_on_the_map(old) if old else ()) if hex in stations and hex in reached and hex != destination
    ]
    if between:
        return CutOff(helping, tuple(between), "on the line")
    costs = {hex: cost for hex, cost in reached.items() if hex in stations and hex != destination}
    nearest = min(costs.values(), default=0)
    return CutOff(helping, tuple(sorted(hex for hex, cost in costs.items() if cost == nearest)), "nearest")


def hexes_along(legs: Legs, start: str) -> Mapping[str, int]:
    """How many hexes along RR lines it is from one to the others, double and single track alike. Rule: 8.2.3g"""
    plain = {hex: dict.fromkeys(beyond, 1) for hex, beyond in legs.items()}
    return spread(plain, start).cost
