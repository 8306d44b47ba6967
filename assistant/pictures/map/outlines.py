"""The outlines of areas of hexes, in which neighbouring hexes merge."""

from __future__ import annotations

from collections.abc import Collection

from ...drawing.scene import Point
from ...game.hexes import Corner
from ..style import HEX
from .curves import Line, smooth
from .survey import Survey

#: How far the edge of an area strays from the hexsides' corners.
_STRAY = HEX * 0.07


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
    """The corners of an outline, a little astray and its zigzag calmed; more so where single hexes are not to be told."""
    edge, small = survey.edge, survey.scale.small
    far = _STRAY * (4 if small else 1)
    exactly = [edge.get(corner) or survey.point(corner) for corner in ring]
    after = [*range(1, len(ring)), 0]
    turns = [_turns_right(exactly[at - 1], exactly[at], exactly[after[at]]) for at in range(len(ring))]
    bulges = [turns[at - 1] == turns[at] == turns[after[at]] for at in range(len(ring))]
    points = [
        point if corner in edge else (point[0] + stray(corner, 1) * far, point[1] + stray(corner, 2) * far)
        for corner, point in zip(ring, exactly, strict=True)
    ]
    for _ in range(4 if small else 1):
        points = [
            points[at]
            if ring[at] in edge or (bulges[at] and not small)  # a zigzag calms down, a bulge keeps its size
            else _between(points[at - 1], points[at], points[after[at]])
            for at in range(len(ring))
        ]
    return points


def _between(before: Point, here: Point, after: Point) -> Point:
    return (before[0] + 2 * here[0] + after[0]) / 4, (before[1] + 2 * here[1] + after[1]) / 4


def _turns_right(before: Point, here: Point, after: Point) -> bool:
    (x0, y0), (x1, y1), (x2, y2) = before, here, after
    return (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1) > 0


def stray(at: Corner | tuple[int, int], salt: int) -> float:
    """A number from -1 to 1 that looks like chance and is the same for the same place."""
    value = (at[0] * 374761393 + at[1] * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 1274126177) & 0xFFFFFFFF
    return (value ^ (value >> 16)) / 0x7FFFFFFF - 1
