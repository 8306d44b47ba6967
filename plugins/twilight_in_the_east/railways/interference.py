"""The effects of enemies on units in Rail Mode: they displace, or are cut off from their destination (8.2.3, 8.2.4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

import msgspec

from assistant.asking import View

from ..terms import FIELD_ARMS
from .routes import NO_LEGS, Legs, RailNet, Route, along, cheapest_routes, with_off_map

MAX_DISPLACEMENT_HEXES = 15
"""The maximum distance along the line that a unit in Rail Mode displaces (8.2.4)."""


class Way(msgspec.Struct, frozen=True):
    """A way along an RR line."""

    hexes: tuple[str, ...]
    """The hexes that the way enters, in order."""

    @property
    def end(self) -> str:
        """The hex where the way ends."""
        return self.hexes[-1]


def must_displace(enemies: Collection[str], *, detraining: bool) -> bool:
    """Return whether a unit in Rail Mode displaces because enemy units have come adjacent to it.

    Only combat and artillery units count. A unit that has begun to detrain loses its MPs Expended marker instead.

    `enemies`: the arms of the adjacent enemies.

    Rule: 8.2.4b
    """
    return not detraining and any(arm in FIELD_ARMS for arm in enemies)


def rail_displacements(route: Route | None, net: RailNet, threatened: Collection[str]) -> tuple[Way, ...]:
    """Return the ways by which a unit in Rail Mode may displace toward its destination, the shortest first.

    They are up to 15 hexes long. They may pass enemies, but end neither with nor beside them, nor off the map or beyond
    a trans-shipment.

    `route`: the unit's route before the enemy came.
    `net`: the RR lines that remain.
    `threatened`: hexes adjacent to enemy combat and artillery units.

    Rule: 8.2.4b
    """
    hexes = list[str]()
    ways = list[Way]()
    if route is None:
        return ()
    for leg in route.legs[:MAX_DISPLACEMENT_HEXES]:
        if leg.off_map or leg.is_change:
            break
        hexes.append(leg.hex)
        if leg.hex in net.links and leg.hex not in threatened:
            ways.append(Way(tuple(hexes)))
    return tuple(ways)


class StrandedTrain(msgspec.Struct, frozen=True):
    """The options of a unit in Rail Mode that is cut off from its destination as its movement phase begins."""

    displace: tuple[Way, ...] = ()
    """The ways to hexes from which the destination can be reached."""
    stations: tuple[str, ...] = ()
    """The new destinations to choose from if no displacement helps."""
    kind: Literal["", "on the line", "nearest"] = ""
    """The kind of `stations`: on the line to the old destination, or nearest within reach."""


def cut_off_options(
    net: RailNet,
    old: Route | None,
    start: str,
    destination: str,
    *,
    stations: Collection[str],
    threatened: Collection[str] = (),
    off_map: Legs = NO_LEGS,
) -> StrandedTrain:
    """Return the options of a unit that begins a friendly movement phase without a way to its destination.

    It displaces up to 15 hexes toward the destination if that helps. Otherwise it goes to a station on the line
    between, or to the nearest station in reach.

    `net`: the friendly operational lines.
    `old`: the unit's former route, or None.
    `stations`: the RR Stations of its side.

    Rule: 8.2.4c
    """
    legs = with_off_map(net.legs(), off_map)
    beyond = cheapest_routes(destination, along(legs))
    helping = tuple(way for way in rail_displacements(old, net, threatened) if way.end in beyond)
    others = {*stations} - {destination}
    reached = {hex: distance for hex, (distance, _) in cheapest_routes(start, along(legs)).items() if hex in others}
    between = tuple(hex for hex in old.hexes if hex in reached) if old else ()
    if between:
        return StrandedTrain(helping, between, "on the line")
    shortest = min(reached.values(), default=0)
    nearest = sorted(hex for hex, distance in reached.items() if distance == shortest)
    return StrandedTrain(helping, tuple(nearest), "nearest")


def hexes_along(legs: Legs, start: str) -> Mapping[str, int]:
    """Return the distances of hexes from `start` along RR lines, with double and single track alike. Rule: 8.2.3g"""
    plain = {hex: dict.fromkeys(beyond, 1) for hex, beyond in legs.items()}
    return {hex: distance for hex, (distance, _) in cheapest_routes(start, along(plain)).items()}


# --- enemies and trains in a position ---------------------------------------------------------------------------------


def arms_beside(view: View, place: str, side: str) -> list[str]:
    """Return the arms of the enemies adjacent to a hex; a unit of unstated arm counts as infantry."""
    units = (unit.id for hex in view.board.neighbours(place) for unit in view.stack(hex))
    return [_find_arm(view, unit) for unit in units if view.side_of(unit) not in ("", side)]


def threatened_hexes(view: View, enemies: Collection[str]) -> frozenset[str]:
    """Return the hexes adjacent to enemy combat and artillery units.

    `enemies`: the hexes of all enemies.
    """
    held = (hex for hex in enemies if view.board.is_hex(hex))
    near = (hex for hex in held if any(_find_arm(view, unit.id) in FIELD_ARMS for unit in view.stack(hex)))
    return frozenset(beside for hex in near for beside in view.board.neighbours(hex))


def _find_arm(view: View, unit: str) -> str:
    return view.word("arm", unit) or "infantry"


def has_begun_detraining(view: View, unit: str) -> bool:
    """Return whether a unit in Rail Mode has spent Movement Points on detraining."""
    return view.word("task", unit) == "detraining" and view.integer("expended", unit) > 0
