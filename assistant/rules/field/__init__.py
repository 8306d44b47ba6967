"""The field: units, zones of control, hexsides, open hexes, and lines from sources."""

from __future__ import annotations

from ...state.state import hexside
from .hexsides import Hexside, HexsideTracks, Network, NetworkTracks
from .lines import Cost, LineMap, LineSource, LineStep, Range, TracedLine, measure_line
from .units import Field, PlaceZone, SideField, closed_hexes, side_of
from .ways import Bar, HexBar, HexOption, Walk, bar_of, check_way, first_bar, open_hexes, option

__all__ = [
    "Bar",
    "Cost",
    "Field",
    "HexBar",
    "HexOption",
    "Hexside",
    "HexsideTracks",
    "LineMap",
    "LineSource",
    "LineStep",
    "Network",
    "NetworkTracks",
    "PlaceZone",
    "Range",
    "SideField",
    "TracedLine",
    "Walk",
    "bar_of",
    "check_way",
    "closed_hexes",
    "first_bar",
    "hexside",
    "measure_line",
    "open_hexes",
    "option",
    "side_of",
]
