"""Recovery from Disorder: what forbids it, and how far Movement Points bring it (7.4.2)."""

from __future__ import annotations

from assistant.questions import Step, step

COST = 7
"""Movement Points for a degree (7.4.2)."""
FAR = {"counted": 5, "between": 6}
"""How far the nearest enemy has to be at least, in hexes, by the reading of ruling recovery-distance (7.4.2)."""


def forbidden(distance: int | None, supply: str, reading: str) -> list[Step]:
    """What forbids recovery: an enemy who is too near, and being Out of Supply.

    distance: hexes to the nearest enemy, None if there is none; reading: ruling recovery-distance. Rule: 7.4.2
    """
    steps = []
    if distance is not None and distance < FAR[reading]:
        text = "an enemy is {distance:#hex} away, and {far} are needed"
        steps.append(step("7.4.2", text, distance=distance, far=FAR[reading]))
    if supply == "out":
        steps.append(step("7.4.2", "it is Out of Supply"))
    return steps


def recovered(degree: int, points: int) -> tuple[int, int]:
    """The degrees of Disorder that are left, and the Movement Points that are carried over to the next phase, where any are left.

    degree: before; points: all that were spent on it. Rule: 7.4.2
    """
    degrees = min(degree, points // COST)
    return degree - degrees, points - COST * degrees if degrees < degree else 0
