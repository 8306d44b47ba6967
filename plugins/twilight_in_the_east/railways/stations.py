"""RR Stations: entraining, destinations, capacity and queues (8.2.3, 8.2.6)."""

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
"""The Rail Cost Points that a station can serve in a Movement Phase (8.2.6)."""
COUNTER_CAPACITY = 4
"""The Rail Cost Points that a station can serve in a Counter Movement Phase (8.2.6)."""
MIN_HEXES_TO_ENEMY = 3
"""The minimum distance of a destination from every enemy (8.2.3)."""
MAX_HEXES_FROM_OLD = 10
"""The maximum distance of a new destination from the old one along the line (8.2.3)."""


class Platform(msgspec.Struct, frozen=True, kw_only=True):
    """A hex where units would entrain or detrain, as a side sees it."""

    hex: str
    station: Annotated[bool, note("whether it has an RR Station")]
    operational: Annotated[bool, note("whether the RR line there is friendly operational")]
    friendly: Annotated[bool, note("whether the hex is in friendly controlled territory")] = True
    zone: Annotated[bool, note("whether it is in an EZOC")] = False
    enemy: Annotated[int | None, note("hexes to the nearest enemy, or None if there is none on the map")] = None
    near: Annotated[tuple[str, ...], note("the nearest stations that would do instead of a hex that has none")] = ()
    least: ClassVar[int] = MIN_HEXES_TO_ENEMY
    most: ClassVar[int] = MAX_HEXES_FROM_OLD


def why_no_entraining(platform: Platform) -> Iterator[Clause]:
    """Yield why no unit may enter Rail Mode in a hex, which must be a friendly RR Station outside EZOCs.

    Rule: 8.2.3b
    """
    yield not platform.station, "8.2.3", "{hex} has no RR Station[near:; the nearest that will do: {near}]"
    yield not platform.operational, "8.2.3", "the RR line in {hex} is not friendly operational"
    yield platform.zone, "8.2.3", "{hex} is in an EZOC"


def why_no_destination(platform: Platform) -> Iterator[Clause]:
    """Yield why a hex is no destination.

    It must be an RR Station in friendly controlled territory, at least three hexes from every enemy unit.

    Rule: 8.2.3f
    """
    yield not platform.station, "8.2.3", "{hex} has no RR Station[near:; the nearest that will do: {near}]"
    yield not platform.friendly, "8.2.3", "{hex} is not in friendly controlled territory"
    yield (
        not is_clear_of_enemies(platform.enemy),
        "8.2.3",
        "an enemy is {enemy:#hex} from {hex}, nearer than {least}",
    )


def is_clear_of_enemies(hexes: int | None) -> bool:
    """Return whether a hex is far enough from enemies for a destination.

    `hexes`: the distance to the nearest enemy, or None if there is none on the map.

    Rule: 8.2.3f
    """
    return hexes is None or hexes >= MIN_HEXES_TO_ENEMY


def is_destination_lost(platform: Platform) -> bool:
    """Return whether a unit in Rail Mode must name a new destination.

    The old one is the enemy's or in an EZOC.

    Rule: 8.2.3g
    """
    return not platform.friendly or platform.zone


def why_not_instead(platform: Platform, distance: int | None) -> Iterator[Clause]:
    """Yield why a hex may not replace a lost destination.

    `distance`: hexes from the old destination along friendly operational RR lines, or None if no such line leads there.

    Rule: 8.2.3g
    """
    yield from why_no_destination(platform)
    yield (
        distance is None,
        "8.2.3",
        "no friendly operational RR line leads from the old destination to {hex}",
    )
    yield (
        distance is not None and distance > MAX_HEXES_FROM_OLD,
        "8.2.3",
        "{hex} is {distance} hexes along the line from the old destination, more than {most}",
    )


def station_capacity(*, counter: bool) -> Fraction:
    """Return the Rail Cost Points that can entrain and detrain at a station in a phase.

    Rule: 8.2.6
    """
    return Fraction(COUNTER_CAPACITY if counter else CAPACITY)


class Yards(msgspec.Struct, frozen=True):
    """The work of stations in a phase."""

    capacity: Fraction
    """The capacity of each station, in Rail Cost Points."""
    used: Mapping[str, Fraction] = MappingProxyType({})
    """The Rail Cost Points served, by hex."""
    busy: Mapping[str, Fraction] = MappingProxyType({})
    """The time at which the last unit in a hex finishes, by hex, in Movement Points from the start of the phase."""
    queuing: bool = False
    """Whether units at a station wait for each other."""

    def room(self, hex: str) -> Fraction:
        """Return the Rail Cost Points that a station can still serve.

        Rule: 8.2.6
        """
        return max(self.capacity - self.used.get(hex, Fraction(0)), Fraction(0))

    def start(self, hex: str, arrival: Fraction) -> Fraction:
        """Return the Movement Point of the phase at which a unit begins to entrain or detrain.

        The unit begins on arrival or, if units queue, when the unit ahead has finished.

        `arrival`: the points that the unit has spent before.

        Rule: 8.2.6a
        """
        return max(arrival, self.busy.get(hex, arrival)) if self.queuing else arrival

    def after(self, hex: str, points: Fraction, until: Fraction) -> Yards:
        """Return the stations after a unit has entrained or detrained at one.

        `points`: the Rail Cost Points served.
        `until`: when the unit finishes, in Movement Points since the phase began.
        """
        used = {**self.used, hex: self.used.get(hex, Fraction(0)) + points}
        return Yards(self.capacity, used, {**self.busy, hex: until} if self.queuing else self.busy, self.queuing)


class Work(msgspec.Struct, frozen=True):
    """Entraining, detraining or trans-shipping in a phase."""

    points: Fraction
    """The Movement Points spent in this phase."""
    done: Fraction
    """The points done so far, in earlier phases too."""
    complete: bool
    """Whether the work is finished."""


def work_on(cost: Fraction, spent_before: Fraction, left: Fraction, room: Fraction | None = None) -> Work:
    """Return a unit's entraining, detraining or trans-shipping in a phase.

    It costs a Movement Point for each Rail Cost Point, never by Forced March. Unfinished work counts in whole points.

    `cost`: the unit's Rail Cost Points.
    `spent_before`: the points spent in earlier phases.
    `left`: the unit's remaining Movement Points.
    `room`: the Rail Cost Points that the station can still serve, or None for no limit.

    Rule: 8.2.3c, 8.2.3k, 8.2.6
    """
    needed = max(cost - spent_before, Fraction(0))
    available = left if room is None else min(left, room)
    if available >= needed:
        return Work(needed, cost, True)
    points = Fraction(max(floor(available), 0))
    return Work(points, spent_before + points, False)
