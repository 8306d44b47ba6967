"""The outlines of areas of hexes, in which neighbouring hexes merge."""

from __future__ import annotations

from collections.abc import Collection

from ...drawing.scene import Point
from ...game.hexes import Corner
from ..layout import point_between
from ..style import HEX
from .curves import Line, calmed, smooth
from .survey import Survey

#: How far the edge of an area strays from the hexsides' corners, and where single hexes are not to be told; how far it wanders between
#: two corners.
_STRAY, _FAR, _WANDER = HEX * 0.05, HEX * 0.2, HEX * 0.055


def rings(survey: Survey, hexes: Collection[str]) -> list[list[Corner]]:
    """The closed outlines of a set of hexes, clockwise; those of holes run the other way."""
    after: dict[Corner, Corner] = {}
    for name in survey.hexes:
        for beyond, start, end in survey.around[name] if name in hexes else ():
            if beyond not in hexes:
                after[start] = end
    found = []
    while after:
        first, corner = after.popitem()
        ring = [first]
        while corner != first:
            ring.append(corner)
            corner = after.pop(corner)
        found.append(ring)
    return found


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
    found = []
    for at, point in enumerate(points):
        after = (at + 1) % len(ring)
        found.append(point)
        if ring[at] not in edge and ring[after] not in edge:
            between = ring[at].x + ring[after].x, ring[at].y + ring[after].y
            found.append(_astray(point_between(point, points[after], 0.5), between, _WANDER))
    return found


def _astray(point: Point, key: tuple[int, int], far: float) -> Point:
    return point[0] + stray(key, 1) * far, point[1] + stray(key, 2) * far


def stray(at: Corner | tuple[int, int], salt: int) -> float:
    """A number from -1 to 1 that looks like chance and is the same for the same place."""
    value = (at[0] * 374761393 + at[1] * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 1274126177) & 0xFFFFFFFF
    return (value ^ (value >> 16)) / 0x7FFFFFFF - 1
