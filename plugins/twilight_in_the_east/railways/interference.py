"""What the enemy does to units in Rail Mode: they displace, or are cut off from their destination (8.2.3, 8.2.4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

import msgspec

from assistant.asking import View

from ..terms import FIELD_ARMS
from .routes import NO_LEGS, Legs, RailNet, Route, along, cheapest_routes, with_off_map

FARTHEST = 15
"""Hexes along the line that a unit in Rail Mode displaces at most (8.2.4)."""


class Way(msgspec.Struct, frozen=True):
    """A way along the line."""

    hexes: tuple[str, ...]
    """Those that it enters, the one where it ends last."""

    @property
    def end(self) -> str:
        """The hex where it ends."""
        return self.hexes[-1]


def must_displace(enemies: Collection[str], *, detraining: bool) -> bool:
    """Return whether a unit in Rail Mode displaces as enemies have come adjacent to it: from combat and artillery
    units, unless it has begun to detrain, when it loses its MPs Expended marker instead.

    enemies: the arms of those adjacent to it. Rule: 8.2.4b
    """
    return not detraining and any(arm in FIELD_ARMS for arm in enemies)


def rail_displacements(route: Route | None, net: RailNet, threatened: Collection[str]) -> tuple[Way, ...]:
    """Return where a unit in Rail Mode may displace: up to 15 hexes along the line toward its destination, the nearest
    first, passing enemies but ending neither with nor beside them, off map or beyond trans-shipment.

    route: before the enemy came; net: the lines left; threatened: beside enemy combat and artillery units.
    Rule: 8.2.4b
    """
    hexes = list[str]()
    ways = list[Way]()
    if route is None:
        return ()
    for leg in route.legs[:FARTHEST]:
        if leg.off_map or leg.is_change:
            break
        hexes.append(leg.hex)
        if leg.hex in net.links and leg.hex not in threatened:
            ways.append(Way(tuple(hexes)))
    return tuple(ways)


class StrandedTrain(msgspec.Struct, frozen=True):
    """What a unit in Rail Mode may do that begins its movement phase without a way to its destination."""

    displace: tuple[Way, ...] = ()
    """Where it may displace, if that helps, or else `stations`."""
    stations: tuple[str, ...] = ()
    """The new destinations among which it chooses."""
    kind: Literal["", "on the line", "nearest"] = ""
    """Whether these lie on the line to the old one, or are the nearest that it can reach."""


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
    """Return what a unit does that begins a friendly movement phase without a way to its destination: up to 15 hexes
    toward it if that helps, else to a station on the line between, or the nearest in reach.

    net: the friendly operational lines; old: its former route or None; stations: its side's.
    Rule: 8.2.4c
    """
    legs = with_off_map(net.legs(), off_map)
    beyond = cheapest_routes(destination, along(legs))
    helping = tuple(way for way in rail_displacements(old, net, threatened) if way.end in beyond)
    others = {*stations} - {destination}
    reached = {hex: far for hex, (far, _) in cheapest_routes(start, along(legs)).items() if hex in others}
    between = tuple(hex for hex in old.hexes if hex in reached) if old else ()
    if between:
        return StrandedTrain(helping, between, "on the line")
    least = min(reached.values(), default=0)
    nearest = sorted(hex for hex, far in reached.items() if far == least)
    return StrandedTrain(helping, tuple(nearest), "nearest")


def hexes_along(legs: Legs, start: str) -> Mapping[str, int]:
    """Return how many hexes along RR lines it is from one to the others, double and single track alike. Rule: 8.2.3g"""
    plain = {hex: dict.fromkeys(beyond, 1) for hex, beyond in legs.items()}
    return {hex: far for hex, (far, _) in cheapest_routes(start, along(plain)).items()}


# --- of a position ----------------------------------------------------------------------------------------------------


def arms_beside(view: View, place: str, side: str) -> list[str]:
    """Return the arms of the enemies of a side that are adjacent to a hex, as a unit in Rail Mode meets them: infantry,
    where it is not stated.
    """
    units = (unit.id for hex in view.board.neighbours(place) for unit in view.stack(hex))
    return [_find_arm(view, unit) for unit in units if view.side_of(unit) not in ("", side)]


def threatened_hexes(view: View, enemies: Collection[str]) -> frozenset[str]:
    """Return the hexes to which enemy combat and artillery units are adjacent. enemies: the hexes of all enemies."""
    held = (hex for hex in enemies if view.board.is_hex(hex))
    near = (hex for hex in held if any(_find_arm(view, unit.id) in FIELD_ARMS for unit in view.stack(hex)))
    return frozenset(beside for hex in near for beside in view.board.neighbours(hex))


def _find_arm(view: View, unit: str) -> str:
    return view.word("arm", unit) or "infantry"


def has_begun_detraining(view: View, unit: str) -> bool:
    """Return whether a unit in Rail Mode has spent Movement Points on detraining."""
    return view.word("task", unit) == "detraining" and view.integer("expended", unit) > 0
