"""The icon of the page, drawn as everything else is: a counter of infantry on a hex."""

from __future__ import annotations

from math import cos, pi, sin

from assistant.drawing.png import to_png
from assistant.drawing.scene import Layer, Polygon, Rectangle, Scene, Shape, Symbol
from assistant.drawing.svg import to_svg
from assistant.pictures.symbols import Symbols

SIZES = (192, 512)
_SIDE = 64.0
"""The side of the icon, in millimetres of the scene."""
_GROUND, _HEX, _EDGE, _PAPER, _INK = "#9a2c17", "#e9dfc4", "#6f1d0d", "#fffaf0", "#1d1a14"


def icons() -> dict[str, bytes]:
    """The icon by the names of its files, as SVG and in the sizes that are installed."""
    scene = _scene()
    pictures = {f"icon-{size}.png": to_png([scene], size / _SIDE)[0] for size in SIZES}
    return {"icon.svg": to_svg(scene).encode(), **pictures}


def _scene() -> Scene:
    """The icon; what matters of it lies within the circle that a system may cut out of it."""
    middle, reach = _SIDE / 2, 0.38 * _SIDE
    corners = tuple((middle + reach * cos(pi * step / 3), middle + reach * sin(pi * step / 3)) for step in range(6))
    wide, high = 26.0, 17.5
    left, top = middle - wide / 2, middle - high / 2
    shapes: list[Shape] = [
        Rectangle(x=0, y=0, width=_SIDE, height=_SIDE, fill=_GROUND),
        Polygon(points=corners, fill=_HEX, stroke=_EDGE, width=1.6),
        Rectangle(x=left, y=top, width=wide, height=high, fill=_PAPER),
    ]
    if (drawn := Symbols(style="nato").symbol("infantry")) is not None:
        x, y, width, height = drawn.view_box
        shapes.append(
            Symbol(x=left, y=top, width=wide, height=high, view_box=(x, y, width, height), paths=drawn.paths, ink=_INK)
        )
    shapes.append(Rectangle(x=left, y=top, width=wide, height=high, stroke=_INK, stroke_width=1.8))
    return Scene(width=_SIDE, height=_SIDE, title="Field Staff", layers=(Layer("icon", tuple(shapes)),))
