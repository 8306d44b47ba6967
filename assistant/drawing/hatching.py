"""Hatching: parallel strokes that fill hexes, for zones of control, the reach of ways and what is closed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import cos, radians, sin
from typing import NamedTuple

from .geometry import point_between
from .scene import Path, Point

_FIRST = 32.0  # degrees that the strokes of the first side lean
_TURN = 116.0  # degrees from them to those of the last side


class Strokes(NamedTuple):
    """How a hatching looks."""

    pitch: float
    """From one stroke to the next, in millimetres."""
    width: float
    """Of a stroke."""
    opacity: float

    def scaled(self, pitch: float, width: float) -> Strokes:
        """Return the same with strokes that many times as far apart and as wide."""
        return self._replace(pitch=self.pitch * pitch, width=self.width * width)


def slant_of(sides: Sequence[str], side: str) -> float:
    """Return how the strokes of a side lean, in degrees: each side's otherwise, so that they are told apart in grey."""
    return _FIRST + _TURN * sides.index(side) / max(len(sides) - 1, 1) if side in sides else _FIRST


def hatching(areas: Iterable[Sequence[Point]], colour: str, slant: float, pattern: Strokes) -> Iterator[Path]:
    """Yield the hatching of convex areas as one path, or nothing where no stroke crosses them. slant: in degrees."""
    if strokes := tuple(stroke for corners in areas for stroke in hatch_area(corners, slant, pattern.pitch)):
        yield Path(lines=strokes, stroke=colour, width=pattern.width, opacity=pattern.opacity, butt=True)


def hatch_area(corners: Sequence[Point], slant: float, pitch: float) -> Iterator[tuple[Point, Point]]:
    """Yield the strokes in a convex area; those of areas side by side run on. slant: in degrees; pitch: in millimetres."""
    turn = radians(slant)
    along, across = (cos(turn), -sin(turn)), (sin(turn), cos(turn))
    heights = [x * across[0] + y * across[1] for x, y in corners]
    sides = [*pairwise([*zip(corners, heights, strict=True), (corners[0], heights[0])])]
    for number in range(int(min(heights) // pitch) + 1, int(max(heights) // pitch) + 1):
        height, met = number * pitch, list[float]()
        for (one, at), (other, end) in sides:
            if (at < height) != (end < height):
                x, y = point_between(one, other, (height - at) / (end - at))
                met.append(x * along[0] + y * along[1])
        if len(met) == 2:
            x, y = across[0] * height, across[1] * height
            first, last = met
            yield (along[0] * first + x, along[1] * first + y), (along[0] * last + x, along[1] * last + y)
