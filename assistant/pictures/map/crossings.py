"""Where one crosses water: bridges of roads and railways, at which a river is broken off, and pontoons, ferries and
causeways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import hypot

from ...drawing.scene import Layer, Path, Point, Polyline, Shape
from ..colours import INK, mixed
from ..layout import aside, point_between
from ..style import PLAIN
from .curves import Line
from .survey import Survey
from .waters import Waters

#: Half the width of a bridge by what crosses it, how far it reaches beyond the water on both sides, and the width of
#: its walls.
_RAIL, _ROAD, _ALONE = 2.0, 1.3, 1.0
_BEYOND, _WALL = 1.6, 0.45
_FERRY, _DAM = (1.3, 0.9), "#8a6a3e"


def crossing_layer(survey: Survey, waters: Waters) -> Layer:
    """All crossings; none on a small map."""
    if survey.scale.small:
        return Layer("bridges", ())
    gaps: dict[tuple[str, float], list[Line]] = defaultdict(list)
    walls: list[Line] = []
    shapes: list[Shape] = []
    for name in {**survey.roads, **survey.rails}:
        if width := waters.width_at(name):
            half = _RAIL if name in survey.rails else _ROAD
            ends = _ends(survey, name, width)
            gaps[_ground(survey, name), half * 2].append(ends)
            walls += _walls(ends, half)
    for name, word in survey.crossings.items():
        if name not in survey.roads and name not in survey.rails:
            ends = _ends(survey, name, waters.width_at(name) or waters.lake_at(name) or _BEYOND)
            shapes += crossing_shapes(word, ends, _ground(survey, name))
    below = [Path(lines=tuple(lines), stroke=colour, width=width, butt=True) for (colour, width), lines in gaps.items()]
    above = [Path(lines=tuple(walls), stroke=INK, width=_WALL)] if walls else []
    return Layer("bridges", (*below, *above, *shapes))


def crossing_shapes(word: str, ends: tuple[Point, Point], ground: str) -> list[Shape]:
    """A crossing that carries no road, from one bank to the other: a ferry is a dashed line, a causeway a dam, anything
    else a bridge.
    """
    parts = set(word.casefold().split("-"))
    if "ferry" in parts:
        return [
            Polyline(points=ends, stroke=PLAIN, width=1.3),
            Polyline(points=ends, stroke=INK, width=0.6, dash=_FERRY, butt=True),
        ]
    if parts & {"causeway", "dam", "ford"}:
        return [Polyline(points=ends, stroke=_DAM, width=1.6, butt=True)]
    gap = Polyline(points=ends, stroke=ground, width=2 * _ALONE, butt=True)
    dash = (0.9, 0.5) if "pontoon" in parts else ()
    return [gap, Path(lines=tuple(_walls(ends, _ALONE)), stroke=INK, width=_WALL, dash=dash)]


def _ends(survey: Survey, name: str, width: float) -> tuple[Point, Point]:
    """Where a crossing of a hexside begins and ends."""
    side = survey.sides[name]
    here, there = survey.layout.centre(side.one), survey.layout.centre(side.other)
    middle = point_between(here, there, 0.5)
    far = hypot(there[0] - here[0], there[1] - here[1]) or 1.0
    reach = (width * 1.2 + _BEYOND) / far
    return point_between(middle, here, reach), point_between(middle, there, reach)


def _ground(survey: Survey, name: str) -> str:
    """The colour of the banks."""
    side = survey.sides[name]
    return mixed(survey.ground(side.one), survey.ground(side.other), 0.5)


def _walls(ends: tuple[Point, Point], half: float) -> Iterator[Line]:
    """Both sides of a bridge, splayed at their ends."""
    for by in (-half, half):
        wall = aside(ends, ends, by)
        first, last = (aside([point_between(wall[0], wall[1], share)], ends, by * 0.45)[0] for share in (-0.18, 1.18))
        yield (first, *wall, last)
