"""The page's icon in the sizes in which it is installed, drawn from its SVG."""

from __future__ import annotations

import msgspec

from assistant.drawing.png import to_png
from assistant.drawing.scene import Layer, Rectangle, Scene
from assistant.drawing.svg_reader import read_drawing

SIZES = (192, 512)
_SIDE, _REACH = 64.0, 48.0
"""The sides of the icon and of the drawing within it, in millimetres of the scene: a system may cut a circle out of it."""
_GROUND = "#9a2c17"


def icons(drawing: bytes) -> dict[str, bytes]:
    """The icon as PNG by the names of its files. drawing: its SVG."""
    symbol = read_drawing(drawing, "the icon", coloured=True)
    edge = (_SIDE - _REACH) / 2
    placed = msgspec.structs.replace(symbol, x=edge, y=edge, width=_REACH, height=_REACH)
    ground = Rectangle(x=0, y=0, width=_SIDE, height=_SIDE, fill=_GROUND)
    scene = Scene(width=_SIDE, height=_SIDE, title="Field Staff", layers=(Layer("icon", (ground, placed)),))
    return {f"icon-{size}.png": to_png([scene], size / _SIDE)[0] for size in SIZES}
