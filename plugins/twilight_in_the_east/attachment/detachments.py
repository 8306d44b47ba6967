"""Detachments: which units they are, who takes them back and when, and the steps that the parent has then (6.4.3)."""

from __future__ import annotations

from ..forces.units import CombatUnit

EITHER = {"det 4+16/6": ("4/6", "16/6"), "det 22+24/1": ("22/1", "24/1")}
"""The detachments that two divisions may take back (6.4.3a)."""


def is_detachment(unit: str) -> bool:
    """Whether a unit is a detachment, by its ID: det 43/2, and the three of 11th Division, 1-det 11. Rule: 6.4.3"""
    return "det" in unit.partition(" ")[0].split("-") and " " in unit


def is_parent(detachment: str, unit: str) -> bool:
    """Whether a unit may take a detachment back: the division that its ID names, or either of two. Rule: 6.4.3b"""
    own = detachment.partition(" ")[2]
    return unit in EITHER.get(detachment, (own,)) or unit.partition("/")[0] == own


def refusal(detachment: CombatUnit, parent: CombatUnit | None, turn: int, withdrawal: int, *, ends: bool) -> str:
    """Why a detachment is not reunited, "" if it is. ends: whether a friendly movement phase ends. Rule: 6.4.3a"""
    if parent is None:
        return "its parent is not on the map"
    if parent.place != detachment.place:
        return f"{parent.id} is in {parent.place}; both have to be in one hex"
    if turn >= withdrawal:
        return f"it is withdrawn on GT {withdrawal}, and its steps are lost"
    return "" if ends else "a detachment is reunited at the end of a friendly movement phase"


def turns_back(parent: CombatUnit, more: int) -> bool:
    """Whether so many more steps are too many for the reduced side that a parent shows."""
    return parent.reduced and parent.left + more > parent.steps


def rejoin(parent: CombatUnit, full: int, more: int) -> tuple[CombatUnit, int]:
    """A parent with so many more steps: losses are made good on the side it shows, and beyond that side on its full one; and the
    steps for which its counter has no room.

    full: the steps of its full side, 0 where they do not matter. Rule: 6.4.3a
    """
    left, flips = parent.left + more, turns_back(parent, more) and full > 0
    steps = full if flips else parent.steps
    joined = parent._replace(reduced=parent.reduced and not flips, steps=steps, lost=max(steps - left, 0))
    return joined, max(left - steps, 0)
