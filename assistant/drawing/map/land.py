"""The outlines of areas: rounded off corner by corner, a little astray as land is, and the banks of lakes along
hexsides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from math import sqrt

from ...game.hexes import Corner
from ..scene import Point
from ..style import HEX, RADIUS
from .courses import Line, calm_line, lengths_along, point_at, shift_line, smooth
from .survey import Survey

_STRAY = HEX * 0.05  # mm that the edge of an area strays from the hexsides' corners
_FAR = HEX * 0.2  # mm, the same where single hexes are not to be told
_WANDER = HEX * 0.05
"""Mm that it wanders between two corners: within a tenth of a hex, so that nobody doubts which terrain a hex has."""
SMOOTH = 3
"""Points on the outline of an area for each one given."""
LAKE_WIDTH = 9.2  # mm, of a long lake along hexsides
_SHORT_LAKE = 6.6  # mm, the width of a short one
_LONG = 4  # hexsides that make a long lake
_ROUND = 0.8  # how far its round ends reach, as a share of its width
_BANK = 0.32  # how much each bank strays in its small bays, as a share of its distance
_REACH = 0.42  # the same in its large bays
_BIT = 1.5  # mm between the points of a bank
_BAY = 6.5  # mm, the length of a small bay
_LONG_BAY = 21.0  # mm, that of a large one


def find_rings(survey: Survey, hexes: Collection[str]) -> list[list[Corner]]:
    """Return the closed outlines of a set of hexes, clockwise; those of holes run the other way."""
    after: dict[Corner, Corner] = {}
    for name in survey.hexes:
        if name not in hexes:
            continue
        for beyond, start, end in survey.around[name]:
            if beyond not in hexes:
                after[start] = end
    return list(walk_rings(after))


def walk_rings(after: dict[Corner, Corner]) -> Iterator[list[Corner]]:
    """Yield the closed lines that hexsides make. after: by the corner where a hexside begins, the one where it ends; it
    is used up.
    """
    while after:
        first, corner = after.popitem()
        ring = [first]
        while corner != first:
            ring.append(corner)
            corner = after.pop(corner)
        yield ring


def smooth_outlines(survey: Survey, hexes: Collection[str]) -> tuple[Line, ...]:
    """Return the smooth outlines of a set of hexes; beyond the hexes of the survey they go straight on."""
    return tuple([ring_line(survey, ring) for ring in find_rings(survey, hexes)])


def ring_line(survey: Survey, ring: list[Corner]) -> Line:
    """Return a smooth outline through the corners of a closed one: twice `SMOOTH` points for each of its hexsides."""
    return smooth(_stray_ring(survey, ring), SMOOTH, closed=True)


def land_outlines(survey: Survey, hexes: Collection[str]) -> tuple[Line, ...]:
    """Return the outlines of a set of hexes along their hexsides."""
    return tuple([tuple(map(survey.point, ring)) for ring in find_rings(survey, hexes)])


def _stray_ring(survey: Survey, ring: list[Corner]) -> list[Point]:
    """Return the corners of an outline, a little astray, each with a point on the way to the next that wanders; where
    single hexes are not to be told its zigzag is calmed.
    """
    edge, place, small = survey.edge, survey.point, survey.scale.small
    far = _FAR if small else _STRAY
    inner = [corner not in edge for corner in ring]
    points = [
        _move_astray(place(corner), (corner[0] * 2, corner[1] * 2), far) if within else edge[corner]
        for corner, within in zip(ring, inner, strict=True)
    ]
    if small:
        points = calm_line(points, [at for at, within in enumerate(inner) if within])
    line = list[Point]()
    follows = [*range(1, len(ring)), 0]
    for point, corner, within, after in zip(points, ring, inner, follows, strict=True):
        (x, y), other, (x1, y1) = point, ring[after], points[after]
        between = corner[0] + other[0], corner[1] + other[1]
        line += point, _move_astray(((x + x1) / 2, (y + y1) / 2), between, _WANDER if within and inner[after] else 0.0)
    return line


def _move_astray(point: Point, key: tuple[int, int], far: float) -> Point:
    across, down = _find_straying(key)
    return point[0] + across * far, point[1] + down * far


@lru_cache(1 << 16)
def _find_straying(key: tuple[int, int]) -> Point:
    """Return how far a corner of an area is astray, which the areas on both its sides ask for."""
    return stray_at(key, 1), stray_at(key, 2)


def lake_outline(line: Line, start: Corner, opens: tuple[bool, bool], *, width: float = 0.0) -> Line:
    """Return the outline of a lake along a line, with round ends and banks that stray.

    start: its first corner; opens: whether its first and its last end open into other water; width: by default that of
    a lake of its length.
    """
    far = lengths_along(line)
    many = round(far[-1] / _BIT)
    line = tuple([point_at(line, far, far[-1] * number / many)[0] for number in range(many + 1)])
    far = lengths_along(line)
    width = width or _SHORT_LAKE + (LAKE_WIDTH - _SHORT_LAKE) * min((far[-1] / RADIUS - 1) / (_LONG - 1), 1.0)
    ends = [0.0 if opening else width * _ROUND for opening in opens]

    def bank(at: float, salt: int) -> float:
        wave = _BANK * _wave_at(at / _BAY, start, salt) + _REACH * _wave_at(at / _LONG_BAY, start, salt + 2)
        return _offset_of_bank(at, far[-1], width, ends) * (1 + wave)

    right, left = shift_line(line, [bank(at, 5) for at in far]), shift_line(line, [-bank(at, 6) for at in far])
    return smooth((*right, *reversed(left)), 2, closed=True)


def _offset_of_bank(at: float, length: float, width: float, ends: Sequence[float]) -> float:
    """Return how far off its line the bank of a lake is. ends: how far each end reaches, in which it grows round."""
    shares = [off / end for off, end in zip((at, length - at), ends, strict=True) if end]
    within = 1 - min([1.0, *shares])
    return width / 2 * sqrt(1 - within * within)


def _wave_at(at: float, start: Corner, salt: int) -> float:
    """Return a number from -1 to 1 that changes gently along a shore."""
    whole = int(at)
    one = stray_at((start.x * 31 + whole, start.y), salt)
    other = stray_at((start.x * 31 + whole + 1, start.y), salt)
    share = at - whole
    return one + (other - one) * share * share * (3 - 2 * share)


def stray_at(at: Corner | tuple[int, int], salt: int) -> float:
    """Return a number from -1 to 1 that looks like chance and is the same for the same place."""
    value = (at[0] * 374761393 + at[1] * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 1274126177) & 0xFFFFFFFF
    return (value ^ (value >> 16)) / 0x7FFFFFFF - 1
