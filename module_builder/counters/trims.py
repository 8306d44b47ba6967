"""The shapes and sizes of counters once they are cut."""

from __future__ import annotations

import re
from math import sqrt
from typing import Literal, NamedTuple, get_args

from assistant.util.errors import InputError

CutShape = Literal["square", "rectangle", "hexagon", "circle"]
MIN_TRIM_MM, MAX_TRIM_MM = 8.0, 120.0
_INCH_MM = 25.4
_FREE_EDGE_MM = 0.8
"""The excess of a design's square over the largest square in a circle or hexagon; its corners have no text."""
_NUMBER = r"[0-9]{1,3}(?:\.[0-9]{1,4})?"
_SIZE = rf"{_NUMBER}|[0-9]{{1,2}}/[0-9]{{1,2}}"
_CUT_PATTERN = re.compile(rf"(?P<shape>[a-z]+) (?P<one>{_SIZE})(?: ?x ?(?P<two>{_SIZE}))? ?(?P<unit>mm|in)")


class Trim(NamedTuple):
    """A counter once it is cut, in millimetres. A hexagon has two upright sides."""

    shape: CutShape
    width: float
    height: float

    @property
    def is_round(self) -> bool:
        """Whether cuts along straight lines through the sheet do not make the shape."""
        return self.shape in ("hexagon", "circle")

    @property
    def design_side(self) -> float:
        """The side of the square in which the design of a counter stands."""
        match self.shape:
            case "circle":
                return self.width / sqrt(2) + _FREE_EDGE_MM
            case "hexagon":
                return self.width * (sqrt(3) - 1) + _FREE_EDGE_MM
            case _:
                return min(self.width, self.height)

    def corners(self, left: float, top: float) -> tuple[tuple[float, float], ...]:
        """Return the corners of a hexagon whose box begins at `left` and `top`."""
        right, middle, quarter = left + self.width, left + self.width / 2, self.height / 4
        upper, lower, bottom = top + quarter, top + 3 * quarter, top + self.height
        return (middle, top), (right, upper), (right, lower), (middle, bottom), (left, lower), (left, upper)

    def in_words(self) -> str:
        size = f"{self.width:.4g} mm"
        if self.shape == "rectangle":
            size = f"{self.width:.4g} x {self.height:.4g} mm"
        return f"{self.shape} {size}"


def parse_cut(text: str) -> Trim:
    """Parse `circle 19mm`, `square 1/2in`, `hexagon 25mm` or `rectangle 25.4x15.9mm`.

    A hexagon is as wide as stated; its points are at the top and foot.

    Raises InputError if the text has another form, or no counter has that size.
    """
    match = _CUT_PATTERN.fullmatch(" ".join(text.casefold().split()))
    shapes = get_args(CutShape)
    if not match or match["shape"] not in shapes or (match["two"] is not None) != (match["shape"] == "rectangle"):
        hint = f"{', '.join(shapes)} and a size: circle 19mm, square 1/2in, rectangle 25.4x15.9mm"
        raise InputError(f"{text!r} is not the cut of a counter", hint=hint)
    unit = _INCH_MM if match["unit"] == "in" else 1.0
    width = _read_size(match["one"]) * unit
    height = _read_size(match["two"]) * unit if match["two"] else width
    if match["shape"] == "hexagon":
        height = width * 2 / sqrt(3)
    if not all(MIN_TRIM_MM <= length <= MAX_TRIM_MM for length in (width, height)):
        what = f"a counter of {width:.1f} by {height:.1f} mm cannot be made"
        raise InputError(what, hint=f"from {MIN_TRIM_MM:g} to {MAX_TRIM_MM:g} mm")
    shape: CutShape = next(shape for shape in shapes if shape == match["shape"])
    return Trim(shape, width, height)


def _read_size(text: str) -> float:
    whole, _, part = text.partition("/")
    return float(whole) / (float(part) or 1e-9) if part else float(whole)
