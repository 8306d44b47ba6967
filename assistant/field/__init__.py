"""The field: who stands where, whose zones of control reach where, what lies on a hexside, which hexes are open, and
lines from sources.
"""

from __future__ import annotations

from ..state.state import hexside
from .hexsides import Hexside, HexsideTracks, Network, NetworkTracks
from .lines import Cost, Line, LineMap, LineStep, Range, Source, measure
from .moving import Bar, Barred, HexOption, Walk, bar_of, check_way, first_bar, open_hexes, option
from .standing import Around, Field, PlaceZone, closed_hexes, side_of

__all__ = [
    "Around",
    "Bar",
    "Barred",
    "Cost",
    "Field",
    "HexOption",
    "Hexside",
    "HexsideTracks",
    "Line",
    "LineMap",
    "LineStep",
    "Network",
    "NetworkTracks",
    "PlaceZone",
    "Range",
    "Source",
    "Walk",
    "bar_of",
    "check_way",
    "closed_hexes",
    "first_bar",
    "hexside",
    "measure",
    "open_hexes",
    "option",
    "side_of",
]
