"""Words on a page: paragraphs broken into lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from assistant.drawing.colours import INK
from assistant.drawing.lettering import POINT, fit_line, wrap
from assistant.drawing.scene import Shape, Text

Anchor = Literal["start", "middle", "end"]
_LEAST_LINE = 6 * POINT
"""The smallest size of what must stand on one line."""
PITCH = 1.24
"""From one base line to the next, as a share of the size."""


class Words(NamedTuple):
    """A paragraph broken into lines."""

    lines: Sequence[str]
    size: float
    bold: bool = False
    typed: bool = False
    """Whether it has the hyphens and quotes of a keyboard."""
    pitch: float = PITCH
    """From one base line to the next, as a share of the size."""

    @property
    def height(self) -> float:
        """From the top of its first line to the bottom of its last."""
        return len(self.lines) * self.size * self.pitch

    def at(self, x: float, y: float, *, fill: str = INK, anchor: Anchor = "start") -> list[Shape]:
        """Return the lines with their top at y."""
        first = y + self.size * (self.pitch - 0.24)
        size, bold, typed = self.size, self.bold, self.typed
        shapes: list[Shape] = []
        for number, line in enumerate(self.lines):
            y = first + number * size * self.pitch
            shapes.append(Text(x=x, y=y, text=line, size=size, bold=bold, fill=fill, anchor=anchor, typed=typed))
        return shapes


def set_words(text: str, size: float, width: float, *, bold: bool = False, pitch: float = PITCH) -> Words:
    """Return a text in lines that fit a width. A word that is wider than that is hyphenated."""
    lines = wrap(text, size, width, bold=bold, broken=True) if text.strip() else []
    return Words(tuple(lines), size, bold, pitch=pitch)


def set_line(
    x: float,
    y: float,
    text: str,
    size: float,
    room: float,
    *,
    bold: bool = False,
    fill: str = INK,
    anchor: Anchor = "start",
) -> Text:
    """Return a line on a base line, smaller if it is too long, but never smaller than can be read: smaller than other
    words only where it would be cut off.
    """
    fitted = fit_line(text, size, room, least=min(size, _LEAST_LINE), bold=bold)
    return Text(x=x, y=y, text=fitted.lines[0], size=fitted.size, bold=bold, fill=fill, anchor=anchor)
