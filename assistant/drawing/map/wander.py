"""How what lies along hexsides wanders as rivers do: from corner to corner, each cut or rounded in its own way, with
bends between them that chance draws, the same for the same hexside whatever else is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from ...game.hexes import Corner
from ..scene import Point
from ..style import HEX
from .courses import Line, calm_line
from .land import stray_at
from .survey import Survey

STEPS = 9
"""Points of a line for each of its hexsides: three for each of its bends."""
STEPS_AFAR = 4
"""The same on a map too small for hexes, where it has no bends of its own."""
_CUT = 0.12  # share of the way to the middle of its neighbours by which a corner is cut, on the average
_MORE = 0.06  # how much more or less of it
_STRAY = 0.02 * HEX  # mm that it is astray along the line
_AT_FORKS = 0.4  # share of that which is left at forks
_MEANDER = 0.09 * HEX  # mm that it strays where single hexes are not to be told
_BENDS = (0.34, 0.66)  # where the bends of a hexside lie along it, as shares
_ASIDE = 0.06  # share by which they are astray


def settle_corners(
    survey: Survey, corners: Sequence[Corner], settled: Mapping[Corner, Point], forks: Collection[Corner] = ()
) -> list[Point]:
    """Return the points on which a course turns, one for each of its corners: where it is settled, else a little inside
    the bend, less so at forks, from which others come another way; its ends at their corners.
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
                x, y = x + stray_at(corner, 3) * _MEANDER, y + stray_at(corner, 4) * _MEANDER
        elif 0 < number < len(corners) - 1:
            (x0, y0), (x1, y1) = points[number - 1], points[number + 1]
            cut, along = _CUT + stray_at(corner, 3) * _MORE, stray_at(corner, 4) * _STRAY / HEX
            if corner in forks:
                cut, along = cut * _AT_FORKS, along * _AT_FORKS
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
    """Return the line through the points on which a course turns, which is at these points after so many steps each
    (`points_each`). bends: how far it bends off each of its hexsides at most, in the units of pictures; bridged: which
    of them a way crosses, so that it runs along the middle of the hexside without a bend.
    """
    if survey.scale.small:
        return _curve_through(turning, STEPS_AFAR)
    points = [turning[0]]
    for number, bend in enumerate(bends):
        (x0, y0), (x1, y1) = turning[number], turning[number + 1]
        one, other = corners[number], corners[number + 1]
        if bridged and bridged[number]:
            middle, (across, down) = ((x0 + x1) / 2, (y0 + y1) / 2), _vector_between(survey, one, other)
            reach = _BENDS[1] - 0.5
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
    return _curve_through(points, STEPS // (len(_BENDS) + 1))


def _vector_between(survey: Survey, one: Corner, other: Corner) -> Point:
    """Return the way from one corner to another."""
    (x0, y0), (x1, y1) = survey.point(one), survey.point(other)
    return x1 - x0, y1 - y0


def points_each(survey: Survey) -> int:
    """Return how many points of a line that wanders belong to each of its hexsides."""
    return STEPS_AFAR if survey.scale.small else STEPS


def _draw_bends(key: tuple[int, int]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return where the bends of a hexside lie along it, and how far off it, from -1 to 1, seen from its first corner."""
    shares = tuple([share + stray_at(key, 20 + number) * _ASIDE for number, share in enumerate(_BENDS)])
    return shares, tuple([stray_at(key, 30 + number) for number in range(len(_BENDS))])


def _curve_through(points: Sequence[Point], steps: int) -> Line:
    """Return a curve through points (a Catmull-Rom spline), with so many points for each way from one to the next."""
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
