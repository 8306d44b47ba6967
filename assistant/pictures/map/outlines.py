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
    edge = survey.edge
    points = []
    at = [edge.get(corner) or survey.point(corner) for corner in ring]
    for number, corner in enumerate(ring):
        x, y = at[number]
        if corner in edge:
            points.append((x, y))
        else:
            (x0, y0), (x2, y2) = at[number - 1], at[(number + 1) % len(at)]
            x, y = (x0 + 2 * x + x2) / 4, (y0 + 2 * y + y2) / 4
            points.append((x + stray(corner, 1) * _STRAY, y + stray(corner, 2) * _STRAY))
    return points


def stray(at: Corner | tuple[int, int], salt: int) -> float:
    """A number from -1 to 1 that looks like chance and is the same for the same place."""
    value = (at[0] * 374761393 + at[1] * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 1274126177) & 0xFFFFFFFF
    return (value ^ (value >> 16)) / 0x7FFFFFFF - 1
