"""Outlines of areas and lines along hexsides, rounded and irregular like real land and rivers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import sqrt

from ...game.hexes import Corner
from ..geometry import middle_of, move_towards
from ..scene import Point
from ..style import HEX_MM, RADIUS
from .courses import Line, calm_line, lengths_along, point_at, shift_line, smooth
from .survey import Survey

_STRAY_MM = HEX_MM * 0.05
"""The maximum distance of an outline from the corners of hexsides."""
_STRAY_AFAR_MM = HEX_MM * 0.2
"""The maximum distance on a small map, where hexes need not be distinguished."""
_WANDER_MM = HEX_MM * 0.05
"""The maximum shift of an outline between two corners, so small that the terrain of each hex stays clear."""
POINTS_PER_CORNER = 3
"""The number of points on the outline of an area for each given point."""
LONG_LAKE_WIDTH_MM = 9.2
"""The width of a long lake along hexsides, in mm."""
_SHORT_LAKE_WIDTH_MM = 6.6
_MIN_LONG_LAKE_HEXSIDES = 4
_ROUND_END_SHARE = 0.8
"""The reach of the round ends of a lake, as a share of its width."""
_SMALL_BAY_SHARE = 0.32
"""The depth of small bays, as a share of the distance of the bank."""
_LARGE_BAY_SHARE = 0.42
_BANK_STEP_MM = 1.5
_SMALL_BAY_LENGTH_MM = 6.5
_LARGE_BAY_LENGTH_MM = 21.0


def find_rings(survey: Survey, hexes: Collection[str]) -> list[list[Corner]]:
    """Return the closed outlines of a set of hexes: clockwise, but counter-clockwise round holes."""
    after: dict[Corner, Corner] = {}
    for name in survey.hexes:
        if name not in hexes:
            continue
        for beyond, start, end in survey.around[name]:
            if beyond not in hexes:
                after[start] = end
    return list(walk_rings(after))


def walk_rings(after: dict[Corner, Corner]) -> Iterator[list[Corner]]:
    """Yield the closed lines formed by hexsides.

    `after`: the end of each hexside by its start, both corners; this dictionary is emptied.
    """
    while after:
        first, corner = after.popitem()
        ring = [first]
        while corner != first:
            ring.append(corner)
            corner = after.pop(corner)
        yield ring


def smooth_outlines(survey: Survey, hexes: Collection[str]) -> tuple[Line, ...]:
    """Return the smooth outlines of a set of hexes, with straight ends beyond the survey's hexes."""
    return tuple([ring_line(survey, ring) for ring in find_rings(survey, hexes)])


def ring_line(survey: Survey, ring: list[Corner]) -> Line:
    """Return a smooth outline through a closed ring of corners.

    It has 2 * `POINTS_PER_CORNER` points for each hexside.
    """
    return smooth(_stray_ring(survey, ring), POINTS_PER_CORNER, closed=True)


def land_outlines(survey: Survey, hexes: Collection[str]) -> tuple[Line, ...]:
    """Return the outlines of a set of hexes along their hexsides."""
    return tuple([tuple(map(survey.point, ring)) for ring in find_rings(survey, hexes)])


def inner_outlines(survey: Survey, hexes: Collection[str], inset: float) -> tuple[Line, ...]:
    """Return the outlines of a set of hexes inside their hexsides, so that rivers and borders there stay visible.

    `inset`: the distance from the corners, in mm.
    """
    inside: dict[Corner, list[Point]] = {}
    for name in survey.hexes:
        if name in hexes:
            for beyond, start, end in survey.around[name]:
                if beyond not in hexes:
                    for corner in (start, end):
                        inside.setdefault(corner, []).append(survey.layout.centre(name))
    return tuple(
        tuple(move_towards(survey.point(corner), middle_of(inside[corner]), inset) for corner in ring)
        for ring in find_rings(survey, hexes)
    )


def _stray_ring(survey: Survey, ring: list[Corner]) -> list[Point]:
    """Return the corners of an outline, each moved a little and followed by a moved point half-way to the next corner.

    On a small map, where hexes need not be distinguished, the zigzag is calmed.
    """
    edge, place, small = survey.edge, survey.point, survey.scale.small
    max_shift = _STRAY_AFAR_MM if small else _STRAY_MM
    is_inside = [corner not in edge for corner in ring]
    points = [
        _move_astray(place(corner), (corner[0] * 2, corner[1] * 2), max_shift) if within else edge[corner]
        for corner, within in zip(ring, is_inside, strict=True)
    ]
    if small:
        points = calm_line(points, [at for at, within in enumerate(is_inside) if within])
    line = list[Point]()
    next_numbers = [*range(1, len(ring)), 0]
    for point, corner, within, after in zip(points, ring, is_inside, next_numbers, strict=True):
        (x, y), other, (x1, y1) = point, ring[after], points[after]
        between = corner[0] + other[0], corner[1] + other[1]
        line += (
            point,
            _move_astray(((x + x1) / 2, (y + y1) / 2), between, _WANDER_MM if within and is_inside[after] else 0.0),
        )
    return line


def _move_astray(point: Point, key: tuple[int, int], max_shift: float) -> Point:
    across, down = _find_straying(key)
    return point[0] + across * max_shift, point[1] + down * max_shift


@lru_cache(1 << 16)
def _find_straying(key: tuple[int, int]) -> Point:
    """Return the shift of a point, equal for the areas on both sides of it."""
    return stray_at(key, 1), stray_at(key, 2)


def lake_outline(line: Line, start: Corner, opens: tuple[bool, bool], *, width: float = 0.0) -> Line:
    """Return the outline of a lake along a line, with round ends and irregular banks.

    `start`: the first corner.
    `opens`: whether the first and the last end open into other water.
    `width`: the lake's width, or 0 for the usual width of a lake of its length.
    """
    reaches = lengths_along(line)
    count = round(reaches[-1] / _BANK_STEP_MM)
    line = tuple([point_at(line, reaches, reaches[-1] * number / count)[0] for number in range(count + 1)])
    reaches = lengths_along(line)
    width = width or _SHORT_LAKE_WIDTH_MM + (LONG_LAKE_WIDTH_MM - _SHORT_LAKE_WIDTH_MM) * min(
        (reaches[-1] / RADIUS - 1) / (_MIN_LONG_LAKE_HEXSIDES - 1), 1.0
    )
    ends = [0.0 if opening else width * _ROUND_END_SHARE for opening in opens]

    def bank(at: float, salt: int) -> float:
        wave = _SMALL_BAY_SHARE * _wave_at(at / _SMALL_BAY_LENGTH_MM, start, salt) + _LARGE_BAY_SHARE * _wave_at(
            at / _LARGE_BAY_LENGTH_MM, start, salt + 2
        )
        return _offset_of_bank(at, reaches[-1], width, ends) * (1 + wave)

    right, left = shift_line(line, [bank(at, 5) for at in reaches]), shift_line(line, [-bank(at, 6) for at in reaches])
    return smooth((*right, *reversed(left)), 2, closed=True)


def _offset_of_bank(at: float, length: float, width: float, ends: Sequence[float]) -> float:
    """Return the distance of a lake's bank from its line at a distance along it.

    `at`: the distance along the line, whose whole length is `length`.
    `ends`: the length over which each end is rounded, or 0 for an open end.
    """
    shares = [off / end for off, end in zip((at, length - at), ends, strict=True) if end]
    within = 1 - min([1.0, *shares])
    return width / 2 * sqrt(1 - within * within)


def _wave_at(at: float, start: Corner, salt: int) -> float:
    """Return a number from -1 to 1 that changes smoothly along a shore.

    `at`: the distance along the shore, in steps.
    `salt`: as in `stray_at`.
    """
    whole = int(at)
    one = stray_at((start.x * 31 + whole, start.y), salt)
    other = stray_at((start.x * 31 + whole + 1, start.y), salt)
    share = at - whole
    return one + (other - one) * share * share * (3 - 2 * share)


def stray_at(at: Corner | tuple[int, int], salt: int) -> float:
    """Return a number from -1 to 1 that looks random and is always the same for a place and a `salt`."""
    value = (at[0] * 374761393 + at[1] * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 1274126177) & 0xFFFFFFFF
    return (value ^ (value >> 16)) / 0x7FFFFFFF - 1


# --- lines along hexsides ---------------------------------------------------------------------------------------------

POINTS_PER_HEXSIDE = 9
"""The number of points of a line for each hexside: three for each bend and for the end."""
POINTS_PER_HEXSIDE_AFAR = 4
"""The number of points for each hexside on a map too small for hexes, where lines have no bends of their own."""
_CORNER_CUT_SHARE = 0.12
"""The average cut of a corner, as a share of the way to the middle of its neighbours."""
_MAX_CORNER_CUT_DEVIATION = 0.06
"""The greatest difference of a corner's cut from `_CORNER_CUT_SHARE`."""
_STRAY_ALONG_MM = 0.02 * HEX_MM
"""The maximum shift of a corner along the line."""
_SHARE_AT_FORKS = 0.4
"""The share of cut and shift that applies at forks."""
_MEANDER_MM = 0.09 * HEX_MM
"""The greatest shift of a corner on a map too small for hexes."""
_BEND_SHARES = (0.34, 0.66)
"""The places of bends along a hexside."""
_MAX_BEND_SHIFT_SHARE = 0.06
"""The greatest shift of a bend along its hexside, as a share of the hexside's length."""


def settle_corners(
    survey: Survey, corners: Sequence[Corner], settled: Mapping[Corner, Point], forks: Collection[Corner] = ()
) -> list[Point]:
    """Return the points where a course turns, one for each of its corners.

    A turn is at the point given by `settled`, or a little inside the bend, less so at forks. The ends stay on their
    corners.
    """
    points, small = [survey.point(corner) for corner in corners], survey.scale.small
    if small:
        points = calm_line(points, range(1, len(points) - 1))
    turning = []
    for number, corner in enumerate(corners):
        x, y = points[number]
        if corner in settled:
            x, y = settled[corner]
        elif small:
            if 0 < number < len(corners) - 1:
                x, y = x + stray_at(corner, 3) * _MEANDER_MM, y + stray_at(corner, 4) * _MEANDER_MM
        elif 0 < number < len(corners) - 1:
            (x0, y0), (x1, y1) = points[number - 1], points[number + 1]
            cut, along = (
                _CORNER_CUT_SHARE + stray_at(corner, 3) * _MAX_CORNER_CUT_DEVIATION,
                stray_at(corner, 4) * _STRAY_ALONG_MM / HEX_MM,
            )
            if corner in forks:
                cut, along = cut * _SHARE_AT_FORKS, along * _SHARE_AT_FORKS
            x += ((x0 + x1) / 2 - x) * cut + (x1 - x0) * along
            y += ((y0 + y1) / 2 - y) * cut + (y1 - y0) * along
        turning.append((x, y))
    return turning


def wander(
    survey: Survey,
    corners: Sequence[Corner],
    turning: Sequence[Point],
    bends: Sequence[float],
    bridged: Sequence[bool] = (),
) -> Line:
    """Return an irregular line through the points where a course turns, with `points_each` points for each hexside.

    `bends`: the maximum bend off each hexside.
    `bridged`: whether a way crosses each hexside, so that the line is straight in its middle.
    """
    if survey.scale.small:
        return _curve_through(turning, POINTS_PER_HEXSIDE_AFAR)
    points = [turning[0]]
    for number, bend in enumerate(bends):
        (x0, y0), (x1, y1) = turning[number], turning[number + 1]
        one, other = corners[number], corners[number + 1]
        if bridged and bridged[number]:
            middle, (across, down) = ((x0 + x1) / 2, (y0 + y1) / 2), _vector_between(survey, one, other)
            reach = _BEND_SHARES[1] - 0.5
            points += [(middle[0] + across * by, middle[1] + down * by) for by in (-reach, reach)]
            points.append((x1, y1))
            continue
        key, forth = (one.x + other.x, one.y + other.y), 1 if one < other else -1
        shares, offs = _draw_bends(key) if forth > 0 else tuple(part[::-1] for part in _draw_bends(key))
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
        across, down = (y0 - y1) / length * bend * forth, (x1 - x0) / length * bend * forth
        for share, off in zip(shares, offs, strict=True):
            share = share if forth > 0 else 1 - share
            points.append((x0 + (x1 - x0) * share + across * off, y0 + (y1 - y0) * share + down * off))
        points.append((x1, y1))
    return _curve_through(points, POINTS_PER_HEXSIDE // (len(_BEND_SHARES) + 1))


def _vector_between(survey: Survey, one: Corner, other: Corner) -> Point:
    (x0, y0), (x1, y1) = survey.point(one), survey.point(other)
    return x1 - x0, y1 - y0


def points_each(survey: Survey) -> int:
    """Return the number of points for each hexside of a line that wanders."""
    return POINTS_PER_HEXSIDE_AFAR if survey.scale.small else POINTS_PER_HEXSIDE


def _draw_bends(key: tuple[int, int]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the places of a hexside's bends along it, and their offsets from -1 to 1, seen from its first corner.

    `key`: a number that identifies the hexside.
    """
    shares = tuple(
        [share + stray_at(key, 20 + number) * _MAX_BEND_SHIFT_SHARE for number, share in enumerate(_BEND_SHARES)]
    )
    return shares, tuple([stray_at(key, 30 + number) for number in range(len(_BEND_SHARES))])


def _curve_through(points: Sequence[Point], steps: int) -> Line:
    """Return a Catmull-Rom spline through points.

    `steps`: the number of points from each given point to the next.
    """
    line = [points[0]]
    weights = _curve_weights(steps)
    (x0, y0), (x1, y1) = points[0], points[0]
    for number in range(1, len(points)):
        x2, y2 = points[number]
        x3, y3 = points[min(number + 1, len(points) - 1)]
        line += [(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3) for a, b, c, d in weights]
        x0, y0, x1, y1 = x1, y1, x2, y2
    return tuple(line)


@cache
def _curve_weights(steps: int) -> list[tuple[float, float, float, float]]:
    weights: list[tuple[float, float, float, float]] = []
    for number in range(1, steps + 1):
        t = number / steps
        before, first = (-t + 2 * t * t - t**3) / 2, (2 - 5 * t * t + 3 * t**3) / 2
        second, after = (t + 4 * t * t - 3 * t**3) / 2, (t**3 - t * t) / 2
        weights.append((before, first, second, after))
    return weights
