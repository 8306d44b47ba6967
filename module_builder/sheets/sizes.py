"""Papers, counter sizes and measured lengths as players and printers name them, in millimetres."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from assistant.util.errors import InputError, Where, nearest_names

INCH_MM = 25.4
PAPER_MARGIN_MM = 10.0
"""Margin of the paper without any print: a little more than home printers need."""
MAX_CUT_ERROR_MM = 1.0
"""Maximum error of a cut or a back. Inside it, faces of the standard design show only their ground."""
MIN_BLEED_MM = 1.5
MAX_BLEED_MM = 6.0
MAX_OFFSET_MM = 10.0
MIN_DIE_MM = 8.0
MAX_DIE_MM = 120.0


class Box(NamedTuple):
    """A rectangle on a page, in millimetres."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def grown(self, by: float) -> Box:
        """Return the box with a border of width `by` around it."""
        return Box(self.left - by, self.top - by, self.width + 2 * by, self.height + 2 * by)

    def moved(self, x: float, y: float) -> Box:
        return self._replace(left=self.left + x, top=self.top + y)


def bounding_box(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around all of these."""
    some = [*boxes]
    left, top = min(box.left for box in some), min(box.top for box in some)
    right, bottom = max(box.right for box in some), max(box.bottom for box in some)
    return Box(left, top, right - left, bottom - top)


class Paper(NamedTuple):
    """A paper in portrait orientation."""

    name: str
    width: float
    height: float


PAPERS = {
    "a4": Paper("A4", 210.0, 297.0),
    "a3": Paper("A3", 297.0, 420.0),
    "letter": Paper("Letter", 8.5 * INCH_MM, 11 * INCH_MM),
}
DIES = {"1/2": INCH_MM / 2, "9/16": INCH_MM * 9 / 16, "0.6": INCH_MM * 0.6, "5/8": INCH_MM * 5 / 8, "15mm": 15.0}
"""The sides of counters, by the names that players use: fractions of an inch, or millimetres."""


def parse_paper(name: str) -> Paper:
    """Return a paper by its name. Raises InputError if it is unknown."""
    paper = PAPERS.get(name.casefold())
    if paper is None:
        raise InputError(f"unknown paper {name!r}", where=Where("--paper"), hint=f"known: {', '.join(PAPERS)}")
    return paper


def parse_die(name: str) -> float:
    """Parse the side of a counter: a name such as `5/8`, or a length such as `18mm` or `0.7in`.

    Raises InputError if the text has another form, or no counter has that size.
    """
    typed = name.casefold().strip()
    word = typed.removesuffix('"').removesuffix("in").strip()
    if word in DIES:
        return DIES[word]
    if match := re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,4})?) ?mm", word):
        side = float(match[1])
    elif re.fullmatch(r"[0-9]?\.[0-9]{1,4}", word) or (word != typed and re.fullmatch("[0-9]", word)):
        side = float(word) * INCH_MM
    else:
        raise InputError(f"unknown die {name!r}", where=Where("--die"), hint=_format_known(name))
    if not MIN_DIE_MM <= side <= MAX_DIE_MM:
        what = f"a counter of {side:.1f} mm cannot be made"
        raise InputError(what, where=Where("--die"), hint=f"from {MIN_DIE_MM:g} to {MAX_DIE_MM:g} mm")
    return side


def format_die(side: float) -> str:
    """Return a counter's side in players' terms: `5/8 in (15.9 mm)`, or `15 mm`."""
    for name, length in DIES.items():
        if abs(length - side) < 1e-6 and not name.endswith("mm"):
            return f"{name} in ({side:.1f} mm)"
    return f"{side:g} mm"


def parse_offset(text: str) -> tuple[float, float]:
    """Parse two lengths from the test page: `0.5,-1`. Raises InputError for another form, or a length beyond 10 mm."""
    match = re.fullmatch(r"\s*([+-]?[0-9]{1,3}(?:\.[0-9]{1,3})?)\s*,\s*([+-]?[0-9]{1,3}(?:\.[0-9]{1,3})?)\s*", text)
    if not match:
        hint = "two lengths in mm, as read on the test page: 0.5,-1"
        raise InputError(f"{text!r} is not an offset", where=Where("--offset"), hint=hint)
    x, y = float(match[1]), float(match[2])
    if max(abs(x), abs(y)) > MAX_OFFSET_MM:
        what = f"no printer is off by {max(abs(x), abs(y)):g} mm"
        raise InputError(what, where=Where("--offset"), hint=f"at most {MAX_OFFSET_MM:g} mm")
    return x, y


def check_bleed(length: float) -> float:
    """Return the bleed. Raises InputError if it is not from 1.5 to 6 mm."""
    if not MIN_BLEED_MM <= length <= MAX_BLEED_MM:
        hint = f"from {MIN_BLEED_MM:g} to {MAX_BLEED_MM:g} mm: a back may be off by {MAX_CUT_ERROR_MM:g}"
        raise InputError(f"a bleed of {length:g} mm", where=Where("--bleed"), hint=hint)
    return length


def _format_known(name: str) -> str:
    near = nearest_names(name, DIES)
    if near:
        return f"nearest known: {', '.join(near)}"
    return f"known: {', '.join(DIES)}, or a length such as 18mm"
