"""The field: who stands where, whose zones of control reach where, what lies on a hexside, and which hexes are open."""

from __future__ import annotations

from .hexsides import Hexside, HexsideTracks
from .standing import Around, Field, closed_hexes, side_of
from .ways import Bar, Barred, HexOption, first_bar, open_hexes, option

__all__ = [
    "Around",
    "Bar",
    "Barred",
    "Field",
    "HexOption",
    "Hexside",
    "HexsideTracks",
    "closed_hexes",
    "first_bar",
    "open_hexes",
    "option",
    "side_of",
]
