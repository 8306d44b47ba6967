"""Where a Prepared Attack marker may lie, what it obliges its unit to, and whom it pins (8.4, 10.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from ...forces.bars import PREPARED
from ...forces.markers import FREE

COST = 3
"""Movement Points for a marker (8.4)."""


class Bearer(NamedTuple):
    """A unit with a marker.

    army: "" if it is not stated; target: the hex at which the marker points; demoralized: also if Disordered; idle: why it cannot
    attack that hex, "" if it can.
    """

    unit: str
    place: str
    side: str
    arm: str
    army: str
    target: str
    demoralized: bool
    idle: str = ""


def forbidden(bearer: Bearer, every: Iterable[Bearer], neighbours: Collection[str]) -> tuple[str, str]:
    """Which rule forbids placing a marker and why; two empty texts if none does.

    every: all units with markers, this one among them; neighbours: the hexes next to the unit. Rule: 8.4.1
    """
    if bearer.target not in neighbours:
        return "8.4", f"{bearer.target} is not next to {bearer.place}"
    if bearer.arm not in ("infantry", "artillery"):
        return "8.4.1", "only infantry and artillery place such markers"
    if bearer.demoralized:
        return "8.4.1", "it is Demoralized"
    if not any(one.arm == "infantry" for one in alike(bearer, every)):
        return "8.4.1", f"no friendly infantry has a marker on {bearer.target}"
    return "", ""


def unpaid(phase: str, points: float, before: str) -> str:
    """Why a unit cannot place a marker now, "" if it can: it is not the Movement Phase, it has fewer than three Movement Points left,
    or it has placed one, after which it spends none in the phase.

    points: that it has left; before: the hex at which its marker points already, "" if it has none. Rule: 8.4
    """
    if phase != "movement":
        return f"markers are placed in the Movement Phase only: phase={phase}"
    if before:
        return f"it has a marker on {before} already and {PREPARED.doings['spend']}"
    return f"it takes {COST} Movement Points, and {points:g} are left" if points < COST else ""


def must_attack(bearer: Bearer, enemies: Collection[str]) -> bool:
    """Whether a unit has to attack the hex at which its marker points: enemies stand there, and it can. Nothing else obliges a unit to
    attack. Rule: 8.4b, 10.1.2a, 10.3b
    """
    return bool(enemies) and not bearer.idle


def armies(bearer: Bearer, every: Iterable[Bearer]) -> tuple[str, ...]:
    """The armies of the units whose markers point at one hex if there are several, of which one attacks and the others are withheld.
    Rule: 10.3
    """
    found = sorted({one.army for one in alike(bearer, every)} - {""})
    return tuple(found) if len(found) > 1 else ()


def pinned(enemies: Iterable[str]) -> tuple[str, ...]:
    """The units in the hex at which a marker points that may not leave it in the Counter Movement Phase.
    Rule: 8.4.2, 6.4.4
    """
    return tuple(name for name in enemies if name not in FREE)


def alike(bearer: Bearer, every: Iterable[Bearer]) -> list[Bearer]:
    """The units of a side whose markers point at the same hex."""
    return [one for one in every if (one.target, one.side) == (bearer.target, bearer.side)]
