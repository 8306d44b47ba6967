"""The title at the head of a page of text, with the lines below it."""

from __future__ import annotations

from collections.abc import Sequence

from .colours import INK
from .lettering import wrap
from .scene import Text, text_lines
from .style import MARGIN, SOFT_INK

TITLE = 5.0  # size of its letters, mm
HEAD = 3.5  # size of those of the lines below it, mm


def title_lines(title: str, about: Sequence[str], y: float, width: float) -> tuple[list[Text], float]:
    """Return a title with the lines below it from a height on, and the height below them."""
    heading = wrap(title, TITLE, width, bold=True)
    lines = [part for line in about for part in wrap(line, HEAD, width)]
    below = y + len(heading) * TITLE * 1.3
    texts = text_lines(heading, y + TITLE * 0.8, TITLE, 1.3, x=MARGIN, bold=True, fill=INK)
    texts += text_lines(lines, below + HEAD, HEAD, 1.4, x=MARGIN, fill=SOFT_INK)
    return texts, below + len(lines) * HEAD * 1.4
