"""The page to measure a printer by: how far its back is off its front."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.drawing.colours import INK
from assistant.drawing.pdf import to_pdf
from assistant.drawing.scene import Circle, Layer, Point, Scene, Shape, Text

from .layout import SheetSetting
from .marks import caption, hairline, margin_layer, registration_layer
from .sizes import MARGIN

_REACH = 8
"""How far the scale on the back goes, in millimetres."""
_HEAVY = 0.25  # mm
_FINE = 0.06  # mm


def measuring_page(setting: SheetSetting, offset: tuple[float, float] = (0.0, 0.0)) -> bytes:
    """Return the PDF of its front and its back. The fold says how the paper is turned over.

    offset: how far the scale on the back is moved, as backs are, to see whether it is right.
    """
    return to_pdf([_draw_front(setting), _draw_back(setting, offset)], title="Test page for printing on both sides")


def _draw_front(setting: SheetSetting) -> Scene:
    paper = setting.paper
    x, y = paper.width / 2, paper.height / 2
    turn = setting.fold.replace("-", " ")
    lines = (
        f"Print at 100 % on both sides, turned over the {turn}. The ruler at the foot is 50 mm long.",
        "Hold the page to the light with the other side towards you, and read there where the cross shines through.",
    )
    shapes = [*_draw_lines(lines, x, y - 45), *_draw_cross(x, y, 12.0)]
    return _make_page(setting, "front", shapes)


def _draw_back(setting: SheetSetting, offset: tuple[float, float]) -> Scene:
    paper = setting.paper
    x, y = paper.width / 2, paper.height / 2
    lines = (
        (
            "X: how many mm to the right of 0 the cross shines through (negative if to the left). Y: how many mm "
            "below 0 (negative if above)."
        ),
        f"Then print with --fold {setting.fold} --offset X,Y. This page with the same offset must show the cross at 0.",
    )
    shapes = [*_draw_lines(lines, x, y - 45), *_draw_scale(x + offset[0], y + offset[1])]
    return _make_page(setting, "back", shapes, offset)


def _draw_lines(lines: tuple[str, ...], x: float, y: float) -> Iterator[Text]:
    for number, text in enumerate(lines):
        yield caption(x, y + 5 * number, text, 3.2, room=2 * (x - MARGIN - 3), anchor="middle")


def _draw_cross(x: float, y: float, reach: float) -> list[Shape]:
    return [
        Circle(x=x, y=y, radius=1.5, stroke=INK, width=0.1),
        hairline(x - reach, y, x + reach, y, width=_HEAVY),
        hairline(x, y - reach, x, y + reach, width=_HEAVY),
    ]


def _draw_scale(x: float, y: float) -> list[Shape]:
    """Return a net of millimetres around the middle, halves marked on its axes, with its lengths at the edges."""
    shapes: list[Shape] = []
    for half in range(-2 * _REACH, 2 * _REACH + 1):
        at = half / 2
        if half % 2:
            shapes += [hairline(x + at, y - 0.35, x + at, y + 0.35), hairline(x - 0.35, y + at, x + 0.35, y + at)]
            continue
        width = _FINE if half else _HEAVY
        shapes += [
            hairline(x + at, y - _REACH, x + at, y + _REACH, width=width),
            hairline(x - _REACH, y + at, x + _REACH, y + at, width=width),
        ]
        number = f"{at:g}"
        if half % 8 == 0:
            shapes.append(Text(x=x + at, y=y - _REACH - 1.0, text=number, size=2.0, anchor="middle", fill=INK))
        if half % 4 == 0:
            shapes.append(Text(x=x - _REACH - 1.0, y=y + at + 0.7, text=number, size=2.0, anchor="end", fill=INK))
    shapes.append(Text(x=x + _REACH + 3, y=y - _REACH - 1.0, text="X", size=2.6, bold=True, fill=INK))
    shapes.append(Text(x=x - _REACH - 1.0, y=y + _REACH + 4, text="Y", size=2.6, anchor="end", bold=True, fill=INK))
    return shapes


def _make_page(setting: SheetSetting, side: str, shapes: list[Shape], offset: Point = (0.0, 0.0)) -> Scene:
    paper = setting.paper
    named = f"Test page: {side}"
    around = registration_layer(paper, offset), margin_layer(paper, named, paper.name, named, offset)
    layers = (Layer("test", tuple(shapes)), *around)
    return Scene(width=paper.width, height=paper.height, title=named, layers=layers)
