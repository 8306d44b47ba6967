"""Francois: the die of the German 1st Corps, after which its units may have to keep close to the enemy, and the Asset
Units that the Eighth Army keeps once he commands it (25.6).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

TRACK = "francois"
CLOSE = "25.6.1"
"""The rule of the die that keeps his corps close to the enemy."""
KEEPS = "25.6.2"
"""The rule of the Asset Units that he keeps in the area of the Eighth Army."""


def francois_die(die: int) -> Literal["free", "held"]:
    """Return what the die of the 1st Corps means for the phase. Rule: 25.6.1a"""
    return "held" if die == 6 else "free"


def corps_ends_too_far(before: int, after: int) -> bool:
    """Return whether a unit of the corps that is held ends its move too far from the enemy.

    before, after: hexes to the nearest enemy where it began to move in the phase and where it ends. Rule: 25.6.1a
    """
    return after > before


def leaves_area(way: Collection[str], area: Collection[str], *, began: bool) -> bool:
    """Return whether an Asset Unit leaves the area of the Eighth Army, which it may not if it began the game turn in
    it.

    way: the hexes that it enters; began: whether it did. Rule: 25.6.2a
    """
    return began and any(hex not in area for hex in way)
