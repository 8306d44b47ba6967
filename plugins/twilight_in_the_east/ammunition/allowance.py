"""What a supply unit may still give of Artillery Ammunition Points (APs), and what is recorded of those it gave (3.6.2,
10.5.4).
"""

from __future__ import annotations

import msgspec

USUAL = {("minor-depot", False): 4, ("minor-depot", True): 2, ("major-depot", True): 4, ("corps-train", True): 2}
"""How many APs a supply unit may allocate from one Supply Phase to the next, by arm and Extended Mode (10.5.4)."""
LESS_WHEN_EXTENDED = 2
"""By how much the record of a Minor Depot sinks when it is extended (10.5.4)."""


class Giver(msgspec.Struct, frozen=True):
    """A supply unit that gives an AP or passes one on.

    arm: corps-train, minor-depot or major-depot; extended: whether it is on its Extended Mode side; spent: APs on its
    marker; limit, extended_limit: APs printed on its two sides, None where none is known; incomplete: APs that its
    Incomplete marker allows, None if it has none.
    """

    arm: str
    extended: bool = False
    spent: int = 0
    limit: int | None = None
    extended_limit: int | None = None
    incomplete: int | None = None


def allocation_limit(giver: Giver) -> int | None:
    """How many APs a supply unit may allocate in all on the side that it shows, None if nothing limits it.

    What is printed holds, then what is usual; fronts of Major Depots and Corps Trains have no limit, but for an
    Incomplete train's.
    Rule: 10.5.4, 24.3.1
    """
    printed = giver.extended_limit if giver.extended else giver.limit if giver.arm == "minor-depot" else None
    limits = [USUAL.get((giver.arm, giver.extended)) if printed is None else printed, giver.incomplete]
    return min((limit for limit in limits if limit is not None), default=None)


def is_recorded(giver: Giver) -> bool:
    """Whether APs that a supply unit gives are recorded: of an extended one, a Minor Depot, an Incomplete train.
    Rule: 10.5.4
    """
    return giver.extended or giver.arm == "minor-depot" or giver.incomplete is not None


def extend(giver: Giver) -> Giver:
    """A supply unit after it was turned to its Extended Mode side: a Minor Depot's record sinks by two, not below
    nothing.
    Rule: 10.5.4b
    """
    less = LESS_WHEN_EXTENDED if giver.arm == "minor-depot" and not giver.extended else 0
    return msgspec.structs.replace(giver, extended=True, spent=max(giver.spent - less, 0))


def left(giver: Giver) -> int | None:
    """How many APs a supply unit may still allocate, None if nothing limits it. Rule: 10.5.4"""
    limit = allocation_limit(giver)
    return None if limit is None else max(limit - giver.spent, 0)
