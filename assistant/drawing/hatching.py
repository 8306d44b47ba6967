"""Hatching: parallel strokes in hexes, for zones of control, the reach of ways, and closed hexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import cos, radians, sin
from typing import NamedTuple

from .geometry import point_between
from .scene import Path, Point

_FIRST_SLANT_DEGREES = 32.0
"""The slant of the strokes of the first side."""
_SLANT_RANGE_DEGREES = 116.0
"""The angle between the strokes of the first and the last side."""


class Strokes(NamedTuple):
    """The look of a hatching."""

    pitch: float
    """The distance between strokes, in mm."""
    width: float
    """The width of a stroke, in mm."""
    opacity: float
    dash: tuple[float, ...] = ()
    """The lengths of dashes and gaps, in mm, or () for unbroken strokes."""

    def scaled(self, pitch: float, width: float) -> Strokes:
        dash = tuple(length * pitch for length in self.dash)
        return self._replace(pitch=self.pitch * pitch, width=self.width * width, dash=dash)


def slant_of(sides: Sequence[str], side: str) -> float:
    """Return the slant of a side's strokes in degrees, different for each side, so that sides differ in grey too."""
    return (
        _FIRST_SLANT_DEGREES + _SLANT_RANGE_DEGREES * sides.index(side) / max(len(sides) - 1, 1)
        if side in sides
        else _FIRST_SLANT_DEGREES
    )


def hatching(areas: Iterable[Sequence[Point]], colour: str, slant: float, pattern: Strokes) -> Iterator[Path]:
    """Yield the hatching of convex areas as one path, or nothing if no stroke crosses them."""
    if strokes := tuple(stroke for corners in areas for stroke in hatch_area(corners, slant, pattern.pitch)):
        width, dash, opacity = pattern.width, pattern.dash, pattern.opacity
        yield Path(lines=strokes, stroke=colour, width=width, dash=dash, opacity=opacity, butt=True)


def hatch_area(corners: Sequence[Point], slant: float, pitch: float) -> Iterator[tuple[Point, Point]]:
    """Yield the strokes in a convex area. The strokes of adjacent areas form continuous lines."""
    turn = radians(slant)
    along, across = (cos(turn), -sin(turn)), (sin(turn), cos(turn))
    heights = [x * across[0] + y * across[1] for x, y in corners]
    sides = [*pairwise([*zip(corners, heights, strict=True), (corners[0], heights[0])])]
    for number in range(int(min(heights) // pitch) + 1, int(max(heights) // pitch) + 1):
        height, crossings = number * pitch, list[float]()
        for (start, start_height), (end_point, end_height) in sides:
            if (start_height < height) != (end_height < height):
                x, y = point_between(start, end_point, (height - start_height) / (end_height - start_height))
                crossings.append(x * along[0] + y * along[1])
        if len(crossings) == 2:
            x, y = across[0] * height, across[1] * height
            first, last = crossings
            yield (along[0] * first + x, along[1] * first + y), (along[0] * last + x, along[1] * last + y)
