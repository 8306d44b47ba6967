"""RR Stations: where units entrain and where they go, how many Rail Cost Points a station serves in a phase, and the
queue at it (8.2.3, 8.2.6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import floor
from types import MappingProxyType
from typing import Annotated, ClassVar

import msgspec

from assistant.asking import note
from assistant.asking.permission import Clause

CAPACITY = 8
"""Rail Cost Points that a station serves in a Movement Phase (8.2.6)."""
COUNTER_CAPACITY = 4
"""Rail Cost Points that it serves in a Counter Movement Phase (8.2.6)."""
CLEAR_OF_ENEMIES = 3
"""How many hexes a destination is away from every enemy, at least (8.2.3)."""
NEAR_THE_OLD = 10
"""How many hexes along the line a new destination is from the old one, at most (8.2.3)."""


class Platform(msgspec.Struct, frozen=True, kw_only=True):
    """A hex where units would entrain or detrain, as a side sees it."""

    hex: str
    station: Annotated[bool, note("whether it has an RR Station")]
    operational: Annotated[bool, note("whether the RR line there is friendly operational")]
    friendly: Annotated[bool, note("whether the hex is in friendly controlled territory")] = True
    zone: Annotated[bool, note("whether it is in an EZOC")] = False
    enemy: Annotated[int | None, note("hexes to the nearest enemy, None without any on the map")] = None
    near: Annotated[tuple[str, ...], note("the nearest stations that would do instead of a hex that has none")] = ()
    least: ClassVar[int] = CLEAR_OF_ENEMIES
    most: ClassVar[int] = NEAR_THE_OLD


def why_no_entraining(platform: Platform) -> Iterator[Clause]:
    """Yield why no unit enters Rail Mode in a hex: it does so only in a friendly RR Station that is not in an EZOC.
    Rule: 8.2.3b
    """
    yield not platform.station, "8.2.3", "{hex} has no RR Station[near:; the nearest that will do: {near}]"
    yield not platform.operational, "8.2.3", "the RR line in {hex} is not friendly operational"
    yield platform.zone, "8.2.3", "{hex} is in an EZOC"


def why_no_destination(platform: Platform) -> Iterator[Clause]:
    """Yield why a hex is not a destination: it is an RR Station in friendly controlled territory, at least three hexes
    from every enemy unit. Rule: 8.2.3f
    """
    yield not platform.station, "8.2.3", "{hex} has no RR Station[near:; the nearest that will do: {near}]"
    yield not platform.friendly, "8.2.3", "{hex} is not in friendly controlled territory"
    yield (
        not is_clear_of_enemies(platform.enemy),
        "8.2.3",
        "an enemy is {enemy:#hex} from {hex}, nearer than {least}",
    )


def is_clear_of_enemies(hexes: int | None) -> bool:
    """Return whether a hex is far enough from enemies for a destination. hexes: to the nearest of them, None without
    any on the map. Rule: 8.2.3f
    """
    return hexes is None or hexes >= CLEAR_OF_ENEMIES


def is_destination_lost(platform: Platform) -> bool:
    """Return whether a unit in Rail Mode must name a new destination at once: the old one has become the enemy's, or
    lies in an EZOC. Rule: 8.2.3g
    """
    return not platform.friendly or platform.zone


def why_not_instead(platform: Platform, distance: int | None) -> Iterator[Clause]:
    """Yield why a hex does not take the place of a lost destination.

    distance: hexes from the old one along friendly operational RR lines, None where none leads there.
    Rule: 8.2.3g
    """
    yield from why_no_destination(platform)
    yield (
        distance is None,
        "8.2.3",
        "no friendly operational RR line leads from the old destination to {hex}",
    )
    yield (
        distance is not None and distance > NEAR_THE_OLD,
        "8.2.3",
        "{hex} is {distance} hexes along the line from the old destination, more than {most}",
    )


def station_capacity(*, counter: bool) -> Fraction:
    """Return the Rail Cost Points that can entrain and detrain at a station in a phase. Rule: 8.2.6"""
    return Fraction(COUNTER_CAPACITY if counter else CAPACITY)


class Yards(msgspec.Struct, frozen=True):
    """What the stations have done in a phase."""

    capacity: Fraction
    """Of each, in Rail Cost Points."""
    used: Mapping[str, Fraction] = MappingProxyType({})
    """Rail Cost Points, by hex."""
    busy: Mapping[str, Fraction] = MappingProxyType({})
    """By hex, until which Movement Point of the phase a unit entrains or detrains there."""
    queuing: bool = False
    """Whether units wait for each other."""

    def room(self, hex: str) -> Fraction:
        """Return the Rail Cost Points that a station still serves, never fewer than none. Rule: 8.2.6"""
        return max(self.capacity - self.used.get(hex, Fraction(0)), Fraction(0))

    def start(self, hex: str, arrival: Fraction) -> Fraction:
        """Return at which Movement Point of its phase a unit begins to entrain or detrain: as it arrives, or where
        units queue, once the one ahead has finished, if that is later.

        arrival: the points that it has spent until then. Rule: 8.2.6a
        """
        return max(arrival, self.busy.get(hex, arrival)) if self.queuing else arrival

    def after(self, hex: str, points: Fraction, until: Fraction) -> Yards:
        """Return the stations once a unit has worked at one. points: Rail Cost Points served; until: when it stops."""
        used = {**self.used, hex: self.used.get(hex, Fraction(0)) + points}
        return Yards(self.capacity, used, {**self.busy, hex: until} if self.queuing else self.busy, self.queuing)


class Work(msgspec.Struct, frozen=True):
    """Entraining, detraining or trans-shipping in a phase."""

    points: Fraction
    """Movement Points spent on it."""
    done: Fraction
    """All that count so far."""
    complete: bool
    """Whether that is all of it."""


def work_on(cost: Fraction, done: Fraction, left: Fraction, room: Fraction | None = None) -> Work:
    """Return what a unit does of its entraining, detraining or trans-shipping: a Movement Point for each Rail Cost
    Point, never by Forced March; the rest is marked in whole points.

    cost: its Rail Cost Points; done: points of earlier phases; left: its Movement Points; room: Rail Cost Points of the
    station, None for any.
    Rule: 8.2.3c, 8.2.3k, 8.2.6
    """
    needed = max(cost - done, Fraction(0))
    most = left if room is None else min(left, room)
    if most >= needed:
        return Work(needed, cost, True)
    points = Fraction(max(floor(most), 0))
    return Work(points, done + points, False)
