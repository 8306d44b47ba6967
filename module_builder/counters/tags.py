"""What lies on counters in a module: tags for their status, counters face down, and markers of hexes."""

from __future__ import annotations

from assistant.drawing.lettering import FIGURE_HEIGHT as CAP
from assistant.drawing.lettering import POINT, READABLE, fit_lines, text_width
from assistant.drawing.scene import Layer, Rectangle, Scene, Text, inset
from assistant.pictures.colours import ink_on
from assistant.pictures.style import Palette

from .layout import SIDE

MARKER = 12.8
"""The side of a marker, in millimetres."""
_PIXEL = SIDE / 75
_LEAST = READABLE * POINT


def _centre(text: str, x: float, base: float, size: float, fill: str) -> Text:
    return Text(x=x, y=base, text=text, size=size, anchor="middle", bold=True, fill=fill)


def badge(text: str, colour: str) -> Scene:
    """A small tag over a counter for its status, as wide as its text: "-3", "D1", "LOW".

    colour: #rrggbb. Raises InputError for another one.
    """
    Palette({"badge": colour})
    high, size = 14 * _PIXEL, 11 * _PIXEL
    wide = max(text_width(text, size, bold=True) + 1.2, high)
    wide = round(wide / _PIXEL) * _PIXEL
    rim = 0.9 * _PIXEL
    ink = ink_on(colour)
    body = inset(0, 0, wide, high, rim / 2, radius=0.6, fill=colour, stroke=ink, stroke_width=rim)
    words = _centre(text, wide / 2, high / 2 + size * CAP / 2, size, ink)
    return Scene(width=wide, height=high, title=text, layers=(Layer("badge", (body, words)),))


def face_down(tint: str) -> Scene:
    """A counter face down: its tint and a question mark. tint: #rrggbb."""
    ink, rim = ink_on(tint), 2 * _PIXEL
    whole = Rectangle(x=0, y=0, width=SIDE, height=SIDE, radius=1.3, fill=tint)
    frame = inset(0, 0, SIDE, SIDE, rim, radius=0.9, stroke=ink, stroke_width=rim)
    sign = _centre("?", SIDE / 2, SIDE / 2 + 10.0 * CAP / 2, 10.0, ink)
    return Scene(width=SIDE, height=SIDE, title="face down", layers=(Layer("counter", (whole, frame, sign)),))


def marker(title: str, text: str, colour: str) -> Scene:
    """A marker for a hex, smaller than a counter: a few letters in a frame.

    title: what it is, in words. colour: #rrggbb. Raises InputError for another one.
    """
    Palette({"marker": colour})
    side, ink = MARKER, ink_on(colour)
    frame = 3 * _PIXEL
    outer = Rectangle(x=0, y=0, width=side, height=side, radius=2.2, fill=colour)
    inner = inset(0, 0, side, side, frame, radius=1.6, stroke=ink, stroke_width=1.2 * _PIXEL)
    room = side - 2 * frame - 1.6
    words = fit_lines(text, 19 * _PIXEL, room, room, least=_LEAST, bold=True)
    base = side / 2 + words.size * CAP / 2 - words.size * 1.05 * (len(words.lines) - 1) / 2
    lines = (
        _centre(line, side / 2, base + n * words.size * 1.05, words.size, ink) for n, line in enumerate(words.lines)
    )
    return Scene(width=side, height=side, title=title, layers=(Layer("marker", (outer, inner, *lines)),))
