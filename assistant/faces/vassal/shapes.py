"""What an answer lays on VASSAL's map: shaded hexes with a few characters, and lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from ...asking.line_sketch import LineSketch, Marked, Status, find_worst_status
from ...asking.sketch import Drawable, Role, Sketch

_COLOURS: Mapping[Role, str] = MappingProxyType(
    {
        "start": "501f77b4",
        "target": "60d62728",
        "passed": "301f77b4",
        "end": "602ca02c",
        "open": "502ca02c",
        "reached": "502ca02c",
        "beyond": "40e0a000",
        "barred": "50505050",
        "unknown": "40a0a0a0",
        "shaded": "40ff7f0e",
        "weakest": "70d62728",
        "cut": "70d62728",
    }
)
"""The colours of hexes by their role in the answer: opacity, red, green and blue in hexadecimal digits."""
_STATUS_COLOURS: Mapping[Status, str] = MappingProxyType(
    {"full": "501f77b4", "low": "60e0a000", "none": "70d62728", "cut-off": "90d62728", "unknown": "40a0a0a0"}
)
"""The colours of the hexes of units by their supply."""
_LINE_COLOUR = "c0d02040"
_LOW_LINE_COLOUR = "c0e0a000"
_BROKEN_LINE_COLOUR = "c0505050"
_ARROW_COLOUR = "c01f77b4"


class Shape(NamedTuple):
    """A shape on the map."""

    kind: Literal["hex", "line"]
    colour: str
    """Opacity, red, green and blue, two hexadecimal digits each."""
    hexes: tuple[str, ...]
    """The hex that is shaded, or the hexes that the line joins."""
    label: str = ""
    """A few characters in the hex, such as its cost."""


def list_shapes(drawn: Drawable) -> Iterator[Shape]:
    """Yield the shapes of the drawing of an answer; those of a chart are none."""
    if isinstance(drawn, Sketch):
        for spot in drawn.spots:
            yield Shape("hex", _COLOURS[spot.role], (spot.hex,), spot.label)
        for arrow in drawn.arrows:
            yield Shape("line", _ARROW_COLOUR, arrow.hexes)
    if isinstance(drawn, LineSketch):
        for place, units in _group_by_place(drawn).items():
            colour = _STATUS_COLOURS[find_worst_status([unit.status for unit in units])]
            yield Shape("hex", colour, (place,), units[0].more if len(drawn.units) == 1 else "")
        for strand in drawn.strands:
            yield Shape("line", _LINE_COLOUR if strand.full else _LOW_LINE_COLOUR, strand.hexes)
        for failing in drawn.failing:
            yield Shape("line", _BROKEN_LINE_COLOUR, failing.hexes_to_break)


def _group_by_place(drawn: LineSketch) -> dict[str, list[Marked]]:
    places: dict[str, list[Marked]] = {}
    for unit in drawn.units:
        places.setdefault(unit.place, []).append(unit)
    return places
