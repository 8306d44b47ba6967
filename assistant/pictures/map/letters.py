"""Letters along a line, and the room that each takes."""

from __future__ import annotations

from math import atan2, cos, degrees, radians, sin

from ...drawing.lettering import FIGURE_HEIGHT, text_width
from ...drawing.scene import ANCHORS, Text
from ..colours import INK
from .curves import Line, point_at, reach
from .room import Area


def letters(
    text: str,
    line: Line,
    size: float,
    *,
    spread: float = 1.0,
    start: float | None = None,
    off: float = 0.0,
    ink: str = INK,
    halo: str = "",
    bold: bool = False,
    slant: bool = False,
) -> list[Text]:
    """The letters of a text along a line. spread: the room for each, in its widths; start: how far along the first one stands,
    by default so that the text is in the middle; off: how far above the line they stand, else centred on it."""
    far = reach(line)
    widths = [text_width(letter, size, bold=bold) for letter in text]
    room = sum(widths) * spread - (widths[-1] * (spread - 1) if widths else 0.0)
    at = (far[-1] - room) / 2 if start is None else start
    down = size * 0.36 if not off else -off
    texts = []
    for letter, width in zip(text, widths, strict=True):
        (x, y), (dx, dy) = point_at(line, far, at + width / 2)
        if letter.strip():
            texts.append(
                Text(
                    x=x - dy * down,
                    y=y + dx * down,
                    text=letter,
                    size=size,
                    anchor="middle",
                    bold=bold,
                    fill=ink,
                    halo=halo,
                    turn=degrees(atan2(dy, dx)),
                    slant=slant,
                )
            )
        at += width * spread
    return texts


def letter_box(letter: Text) -> Area:
    """The box of a letter, which may be turned."""
    half = letter.size * 0.36
    up = half * 0.8
    angle = radians(letter.turn)
    x, y = letter.x + sin(angle) * up, letter.y - cos(angle) * up
    return Area(x - half, y - half, x + half, y + half)


def text_box(text: Text) -> Area:
    """The box of a level line of text."""
    width = text_width(text.text, text.size, bold=text.bold)
    left = text.x - ANCHORS[text.anchor] * width
    return Area(left, text.y - text.size * FIGURE_HEIGHT, left + width, text.y + text.size * 0.1)
