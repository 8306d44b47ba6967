"""The pieces of a module that show an answer on its map.

They are ignored when a save is read as a position.
"""

from __future__ import annotations

from math import atan2, degrees

from ...state.overlay import Tint
from .grids import Pixel

OVERLAY = "overlay"
"""The marker of such a piece; its value names what the piece shows."""
OVERLAYS = "FieldStaffOverlay"
"""The global property of a module with such pieces."""
SUPPLY_LAYER = "Supply"
"""The layer of these pieces, below markers and counters."""


def write_tint_name(tint: Tint) -> str:
    """Return the marker text of the piece on a hex."""
    return f"{tint.side} {tint.state}"


def write_link_name(side: str, way: int, *, full: bool) -> str:
    """Return the marker text of a piece on a line.

    `way`: a result of `degrees_of`.
    """
    return f"{side} {'line' if full else 'low-line'} {way}"


def degrees_of(here: Pixel, there: Pixel) -> int:
    """Return the direction between two hexes, in either order.

    The result is in degrees from the horizontal: 0 to 150, in steps of 30.
    """
    angle = degrees(atan2(there[1] - here[1], there[0] - here[0]))
    return round(angle / 30) * 30 % 180
