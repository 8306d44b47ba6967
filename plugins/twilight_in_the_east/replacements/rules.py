"""Replacements: when they are allocated, to which units, and how many each takes (15)."""

from __future__ import annotations

from typing import Literal

import msgspec

from assistant.asking import Step, holding

from ..railways.rail_points import EVERY

Points = Literal["repl", "cav-repl"]
POINTS: dict[str, Points] = {"infantry": "repl", "cavalry": "cav-repl"}
"""The track of the replacements that units of an arm take."""
NAMES: dict[Points, str] = {"repl": "REPL", "cav-repl": "CAV REPL"}
SEGMENT = "replacements"
"""The word of the segment in which they are allocated."""


class Reduced(msgspec.Struct, frozen=True):
    """A unit that may take replacements."""

    id: str
    nation: str
    arm: str
    size: str
    room: int = 0
    """The steps that it lacks of its full strength."""
    taken: int = 0
    """Replacements that it has had in this segment."""
    isolated: bool = False
    in_play: bool = True
    """Whether it stands on the map or in a box of it."""


def replacements_for(arm: str) -> Points | None:
    """Return which replacements restore a step to units of an arm: REPLs to infantry, CAV REPLs to cavalry, none to
    others. Rule: 15.0
    """
    return POINTS.get(arm)


def bars_of_points(unit: Reduced, nation: str) -> list[Step]:
    """Return why a unit takes none of a nation's replacements: its arm, or its nation, for each has points of its own.
    Rule: 15.0
    """
    reasons = (
        (
            replacements_for(unit.arm) is None,
            "15.0",
            "{unit} is neither infantry nor cavalry, and takes no replacements",
        ),
        (unit.nation != nation, "15.0", "the replacements of a nation are for its own units, and {unit} is of another"),
    )
    return holding(reasons, unit=unit.id)


def is_time(phase: str, turn: int) -> bool:
    """Return whether replacements may be allocated: in the Replacement Allocation Segment alone, after every third game
    turn.

    phase: its word, "" if it is not stated; turn: the game turn, 0 if it is not stated. Rule: 15.1
    """
    return phase in ("", "other", SEGMENT) and turn % EVERY == 0


def bars_of_state(unit: Reduced) -> list[Step]:
    """Return why a unit is not eligible: it is Isolated, or not in play. Rule: 15.1.1"""
    reasons = (
        (unit.isolated, "15.1.1", "{unit} is Isolated"),
        (not unit.in_play, "15.1.1", "{unit} is not on the map"),
    )
    return holding(reasons, unit=unit.id)


def limit_of(arm: str, size: str) -> int:
    """Return how many replacements a unit takes in a segment: an infantry division two, any other unit one. Rule:
    15.1.2
    """
    return 2 if (arm, size) == ("infantry", "XX") else 1


def most_steps(unit: Reduced, left: int | None) -> int:
    """Return how many replacements a unit may still take in this segment, never to more than its full strength. left:
    points of its nation, None if they are not stated. Rule: 15.1.2
    """
    most = min(unit.room, limit_of(unit.arm, unit.size) - unit.taken)
    return max(most if left is None else min(most, left), 0)


def why_no_replacements(unit: Reduced, steps: int, left: int) -> list[Step]:
    """Return why a unit does not take so many replacements: it lacks fewer steps, its limit in a segment, or too few
    points are left. Rule: 15.1.2
    """
    limit = limit_of(unit.arm, unit.size)
    reasons = (
        (not unit.room, "15.1.2", "{unit} is at its full strength"),
        (0 < unit.room < steps, "15.1.2", "{unit} lacks only {room:#step} of its full strength"),
        (
            unit.taken + steps > limit,
            "15.1.2",
            "{unit} takes at most {limit:#replacement} in a segment, {taken} so far",
        ),
        (steps > left, "15.1", "the nation has {left:#such replacement} left"),
    )
    return holding(reasons, unit, limit=limit, left=left, unit=unit.id)
