"""The pieces of a module that show on its map what an answer found. They mean nothing where a save is read as a
position.
"""

from __future__ import annotations

from math import atan2, degrees

from ...state.overlay import Tint
from .grids import Pixel

OVERLAY = "overlay"
"""The marker of such a piece, which says what it shows."""
OVERLAYS = "FieldStaffOverlay"
"""The global property of a module that has such pieces."""
SUPPLY_LAYER = "Supply"
"""The layer on which they lie: below markers and counters."""


def write_tint_name(tint: Tint) -> str:
    """Return what the marker of the piece of a hex says."""
    return f"{tint.side} {tint.state}"


def write_link_name(side: str, way: int, *, full: bool) -> str:
    """Return what the marker of a piece of a line says. way: as `degrees_of` gives it."""
    return f"{side} {'line' if full else 'low-line'} {way}"


def degrees_of(here: Pixel, there: Pixel) -> int:
    """Return the way from one hex to the next, whichever of both comes first: degrees from the horizontal, 0 to 150 in
    steps of 30.
    """
    angle = degrees(atan2(there[1] - here[1], there[0] - here[0]))
    return round(angle / 30) * 30 % 180
