"""The frames of the panels of a map whose parts lie far apart, and the room that they leave for what is written."""

from __future__ import annotations

from collections.abc import Mapping

from ...asking.sketch import Sketch
from ..colours import INK
from ..geometry import PageBox
from ..layout import Layout
from ..lettering import base_line, text_width
from ..scene import Layer, Shape, Text, inset
from ..style import SOFT_INK

FRAME = 6.0  # mm that the frame of a panel lies round it
FRAME_ABOVE = 14.0  # mm that it lies above it, where its title stands
_BEFORE_TITLE = 3.0  # mm at each end of the title
_TITLE = 4.6  # size of the title, mm
_LARGEST_TITLE = 2.0  # times it is enlarged at most, as far as the title fits into the frame
_CLEAR = 4.0
"""How far what is written in a hole lies from the frames above and below it, in millimetres."""


def panel_layer(layout: Layout, sketch: Sketch, names: Mapping[str, str], large: float) -> Layer:
    """Return the frames of panels with their titles. names: of hexes; large: by how much what is written is enlarged."""
    shapes = list[Shape]()
    for hexes, box in layout.panels:
        first = next((spot.hex for spot in sketch.spots if spot.hex in hexes), hexes[0])
        left, top = box.left - FRAME, box.top - FRAME_ABOVE
        size = box.right + FRAME - left, box.bottom + FRAME - top
        shapes.append(inset((left, top, *size), 0, radius=2.0, stroke=SOFT_INK, stroke_width=0.6))
        text = f"hexes round {first} {names.get(first, '')}".strip()
        letters = _TITLE * min(large, _LARGEST_TITLE)
        letters *= min(1.0, (size[0] - 2 * _BEFORE_TITLE) / text_width(text, letters, bold=True))
        base = base_line(top + 1.5 + letters / 2, letters)
        shapes.append(Text(x=left + _BEFORE_TITLE, y=base, text=text, size=letters, bold=True, fill=INK))
    return Layer("panels", tuple(shapes))


def hole_in(layout: Layout) -> PageBox:
    """Return the largest room between or beside the frames of panels, clear of them."""
    hole = layout.hole
    top = min(box.top for _, box in layout.panels)
    bottom = max(box.bottom for _, box in layout.panels)
    upper = hole.top - FRAME_ABOVE if hole.top == top else hole.top + FRAME + _CLEAR
    lower = hole.bottom + FRAME if hole.bottom == bottom else hole.bottom - FRAME_ABOVE - _CLEAR
    return PageBox(hole.left - FRAME, upper, hole.right + FRAME, lower)
