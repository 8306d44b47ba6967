"""Francois: the die that may hold the German 1st Corps, and the Asset Units of the Eighth Army (25.6)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

TRACK = "francois"
CLOSE_RULE = "25.6.1"
"""The rule of the die that keeps his corps close to the enemy."""
KEEPS_RULE = "25.6.2"
"""The rule of the Asset Units that he keeps in the area of the Eighth Army."""


def francois_die(die: int) -> Literal["free", "held"]:
    """Return the result of the 1st Corps' die for the phase. Rule: 25.6.1a"""
    return "held" if die == 6 else "free"


def corps_ends_too_far(before: int, after: int) -> bool:
    """Return whether a unit of the held corps ends its move too far from the enemy.

    `before`, `after`: hexes to the nearest enemy at the beginning and at the end of its move in the phase.

    Rule: 25.6.1a
    """
    return after > before


def leaves_area(way: Collection[str], area: Collection[str], *, began: bool) -> bool:
    """Return whether an Asset Unit would illegally leave the area of the Eighth Army.

    `way`: the hexes that the unit enters.
    `began`: whether the unit began the game turn in the area.

    Rule: 25.6.2a
    """
    return began and any(hex not in area for hex in way)
