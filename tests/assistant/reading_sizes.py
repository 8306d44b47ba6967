"""How small the letters of pictures are where they are read: on a page of text, 190 mm wide, on which a wider picture is shown smaller."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.drawing.lettering import POINT_MM

PAGE = 190.0
"""How wide a page of text is, in millimetres."""
_LETTERS = re.compile(r'scale\(([0-9.e-]+)\)" d="[^"]*" fill="[^"]*" aria-label="([^"]*)"')
_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)mm" height="([0-9.]+)mm" viewBox="0 0 ([0-9.]+) ')


def page_of(svg: str) -> tuple[float, float]:
    """The width and the height of a picture, in millimetres."""
    head = _SIZE.search(svg)
    assert head
    return float(head[1]), float(head[2])


def sizes_on_page(svg: str, width: float = PAGE) -> Iterator[tuple[float, str]]:
    """The size of each text of a picture on a page, in points. svg: as the program writes it; width: of the page, in millimetres."""
    head = _SIZE.search(svg)
    assert head
    shown = min(float(head[1]), width) / float(head[3])
    for scale, text in _LETTERS.findall(svg):
        yield float(scale) * 1000 * shown / POINT_MM, text


def too_small(svg: str, least: float = 6.0, *, width: float = PAGE) -> list[tuple[float, str]]:
    """The texts of a picture that are smaller than this on a page, in points."""
    return sorted({(round(size, 1), text) for size, text in sizes_on_page(svg, width) if size < least - 0.05})
