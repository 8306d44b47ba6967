"""The outlines of areas: of hexes, of which neighbours merge, and of lakes along hexsides."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import sqrt

from ...drawing.scene import Point
from ...game.hexes import Corner
from ..layout import point_between
from ..style import HEX, RADIUS
from .curves import Line, calmed, point_at, reach, shifted, smooth
from .survey import Survey

#: How far the edge of an area strays from the hexsides' corners, and where single hexes are not to be told; how far it wanders between
#: two corners.
_STRAY, _FAR, _WANDER = HEX * 0.05, HEX * 0.2, HEX * 0.055
LAKE_WIDTH = 9.2
"""How wide a long lake along hexsides is."""
#: How wide a short one is, how many hexsides make a long one, how far its round ends reach, as a share of its width, and how much
#: each bank strays.
_SHORT_LAKE, _LONG, _ROUND, _BANK = 6.6, 4, 0.8, 0.5
#: How far apart the points of a bank are, and how long its bays.
_BIT, _BAY = 1.5, 9.0


def rings(survey: Survey, hexes: Collection[str]) -> list[list[Corner]]:
    """The closed outlines of a set of hexes, clockwise; those of holes run the other way."""
    after: dict[Corner, Corner] = {}
    for name in survey.hexes:
        for beyond, start, end in survey.around[name] if name in hexes else ():
            if beyond not in hexes:
                after[start] = end
    closed = []
    while after:
        first, corner = after.popitem()
        ring = [first]
        while corner != first:
            ring.append(corner)
            corner = after.pop(corner)
        closed.append(ring)
    return closed


def outlines(survey: Survey, hexes: Collection[str]) -> tuple[Line, ...]:
    """The smooth outlines of a set of hexes; beyond the hexes of the survey they go straight on."""
    return tuple([smooth(_strayed(survey, ring), 3, closed=True) for ring in rings(survey, hexes)])


def exact(survey: Survey, hexes: Collection[str]) -> tuple[Line, ...]:
    """The outlines of a set of hexes along their hexsides."""
    return tuple([tuple(map(survey.point, ring)) for ring in rings(survey, hexes)])


def _strayed(survey: Survey, ring: list[Corner]) -> list[Point]:
    """The corners of an outline, a little astray and its zigzag calmed, with a point between each two that wanders too."""
    edge = survey.edge
    far = _FAR if survey.scale.small else _STRAY
    points = [edge.get(corner) or _astray(survey.point(corner), (corner.x * 2, corner.y * 2), far) for corner in ring]
    points = calmed(points, [at for at, corner in enumerate(ring) if corner not in edge])
    line = []
    for at, point in enumerate(points):
        after = (at + 1) % len(ring)
        line.append(point)
        if ring[at] not in edge and ring[after] not in edge:
            between = ring[at].x + ring[after].x, ring[at].y + ring[after].y
            line.append(_astray(point_between(point, points[after], 0.5), between, _WANDER))
    return line


def _astray(point: Point, key: tuple[int, int], far: float) -> Point:
    return point[0] + stray(key, 1) * far, point[1] + stray(key, 2) * far


def lake_outline(line: Line, start: Corner, opens: tuple[bool, bool]) -> Line:
    """The outline of a lake along a line, with round ends and banks that stray.

    start: its first corner; opens: whether its first and its last end open into other water.
    """
    far = reach(line)
    many = round(far[-1] / _BIT)
    line = tuple([point_at(line, far, far[-1] * number / many)[0] for number in range(many + 1)])
    far = reach(line)
    width = _SHORT_LAKE + (LAKE_WIDTH - _SHORT_LAKE) * min((far[-1] / RADIUS - 1) / (_LONG - 1), 1.0)
    ends = [0.0 if opening else width * _ROUND for opening in opens]
    banks = [
        [_bank(at, far[-1], width, ends) * (1 + _BANK * _wave(at / _BAY, start, salt)) for at in far] for salt in (5, 6)
    ]
    right, left = shifted(line, banks[0]), shifted(line, [-off for off in banks[1]])
    return smooth((*right, *reversed(left)), 2, closed=True)


def _bank(at: float, length: float, width: float, ends: Sequence[float]) -> float:
    """How far off its line the bank of a lake is. ends: how far each end reaches, in which it grows round."""
    shares = [off / end for off, end in zip((at, length - at), ends, strict=True) if end]
    within = 1 - min([1.0, *shares])
    return width / 2 * sqrt(1 - within * within)


def _wave(at: float, start: Corner, salt: int) -> float:
    """A number from -1 to 1 that changes gently along a shore."""
    whole = int(at)
    one, other = (stray((start.x * 31 + number, start.y), salt) for number in (whole, whole + 1))
    share = at - whole
    return one + (other - one) * share * share * (3 - 2 * share)


def stray(at: Corner | tuple[int, int], salt: int) -> float:
    """A number from -1 to 1 that looks like chance and is the same for the same place."""
    value = (at[0] * 374761393 + at[1] * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 1274126177) & 0xFFFFFFFF
    return (value ^ (value >> 16)) / 0x7FFFFFFF - 1
