"""What enemy zones of control add to each hex of a move, and which hexes they close (4.1.4, 9.3, 13.2)."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from assistant.field import Barred

from ...terms import COMBAT_ARMS

CHANGE, BETWEEN, TO_FRIENDS, TO_POSITION = 1, 6, 3, 2
"""Movement Points for entering or leaving zones, from one to another, there into a friend's hex, and into his position (4.1.4)."""
STRONG = 3
"""From which level on Improved Positions close the way from zone to zone (4.1.4a)."""


class Zones(NamedTuple):
    """Enemy zones around a move: all of them, those of strong positions, those of infantry formations; enemies: their hexes."""

    every: frozenset[str]
    strong: frozenset[str]
    formations: frozenset[str]
    enemies: frozenset[str]


class Friends(NamedTuple):
    """Who of the own side stands in the hex that is entered. position: whether in an Improved Position that counts."""

    anybody: bool = False
    combat: bool = False
    position: bool = False


def surcharge(
    here: str, there: str, every: Collection[str], friends: Friends, *, paid: bool = False
) -> tuple[int, str]:
    """The Movement Points that zones add to a step, and why; however many zones there are, one of these holds.

    paid: whether leaving a zone was paid for when one was entered. Rule: 4.1.4b, 4.1.4c, 4.1.4d, 4.1.4e
    """
    if here in every and there in every:
        if friends.position:
            return TO_POSITION, "from EZOC to EZOC, to a friend in an Improved Position"
        if friends.combat:
            return TO_FRIENDS, "from EZOC to EZOC, to a friendly combat unit"
        return BETWEEN, "from EZOC to EZOC"
    if (here in every and not paid) or there in every:
        return CHANGE, "out of an EZOC" if here in every else "into an EZOC"
    return 0, ""


def bar(here: str, there: str, zones: Zones, friends: Friends, arms: frozenset[str], *, counter: bool) -> Barred | None:
    """What closes a hex to units that move, None if nothing of these rules does.

    arms: of the units; counter: whether it is the Counter Movement Phase. Rule: 4.1.4a, 9.3, 9.5, 9.8, 13.2
    """
    if there in zones.enemies:
        return Barred("4.2", "enemies stand there")
    if {here, there} <= zones.strong and not friends.anybody:
        why = f"from EZOC to EZOC of Improved Positions at Level {STRONG} or more, into an empty hex"
        return Barred("4.1.4a", why)
    if there not in zones.every or friends.combat:
        return None
    if arms.isdisjoint(COMBAT_ARMS):
        rule, kind = ("9.5", "an artillery unit") if "artillery" in arms else ("9.8", "a Corps Train")
        return Barred(rule, f"{kind} enters an EZOC only together with a friendly combat unit, or where one stands")
    if counter and "cavalry" in arms and there in zones.formations and here not in zones.every:
        why = "cavalry keeps out of the zone of an enemy infantry formation in the Counter Movement Phase"
        return Barred("9.3", why)
    return None
