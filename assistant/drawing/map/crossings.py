"""Where roads and railways cross water: bridges, pontoons, ferries and causeways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import dist

from ..colours import INK
from ..geometry import point_between, shift_aside
from ..scene import Layer, Path, Point, Polyline, Shape
from ..style import PLAIN, ROAD
from .courses import (
    Line,
)
from .survey import Survey
from .waters import Waters
from .ways import MapWays, direction_between

_RAIL = 1.75  # mm, half the width of a bridge with a railway
_ROAD = 1.2  # mm, the same with a road
_ALONE = 1.0  # mm, the same with neither
_BEYOND = 0.5  # mm that a bridge reaches beyond the water on both sides
_WINGS = 0.75  # mm that its wings reach and spread
_WALL = 0.45  # mm, the width of its walls
_RIM = 0.25  # mm, that of their rim
_FERRY = (1.3, 0.9)  # mm, the dash of a ferry
_DAM = "#8a6a3e"  # the colour of a causeway


def crossing_layer(survey: Survey, waters: Waters, ways: MapWays) -> Layer:
    """Return all crossings; none on a small map."""
    if survey.scale.small:
        return Layer("bridges", ())
    walls: list[Line] = []
    shapes: list[Shape] = []
    for name in {**survey.roads, **survey.rails}:
        if not (width := waters.river_width_at(name)):
            continue
        met = [
            (_meet_water(survey, name, waters.middle_at(name), line), is_rail) for line, is_rail in ways.across(name)
        ]
        (one, is_rail), (other, _) = met[0], met[-1]
        half = (_RAIL if is_rail else _ROAD) + dist(one, other) / 2
        walls += _find_walls(_find_ends(survey, name, width, point_between(one, other, 0.5)), half)
    for name, word in survey.crossings.items():
        if name not in survey.roads and name not in survey.rails:
            width = waters.river_width_at(name) or waters.lake_width_at(name) or 2 * _BEYOND
            shapes += _draw_crossing(word, _find_ends(survey, name, width, waters.middle_at(name)))
    return Layer("bridges", (*_draw_walls(walls), *shapes))


def crossing_sign(word: str, ends: tuple[Point, Point]) -> list[Shape]:
    """Return a crossing as a key shows it, from one bank to the other: a bridge with a road on it, below which the
    river is seen.
    """
    parts = set(word.casefold().split("-"))
    if "bridge" not in parts or "pontoon" in parts:
        return _draw_crossing(word, ends)
    return [*_draw_walls([*_find_walls(ends, _ROAD)]), Polyline(points=ends, stroke=ROAD, width=1.2, butt=True)]


def _draw_crossing(word: str, ends: tuple[Point, Point]) -> list[Shape]:
    """Return a crossing that carries no road, from one bank to the other: a ferry is a dashed line, a causeway a dam,
    anything else a bridge.
    """
    parts = set(word.casefold().split("-"))
    if "ferry" in parts:
        return [
            Polyline(points=ends, stroke=PLAIN, width=1.3),
            Polyline(points=ends, stroke=INK, width=0.6, dash=_FERRY, butt=True),
        ]
    if parts & {"causeway", "dam", "ford"}:
        return [Polyline(points=ends, stroke=_DAM, width=1.6, butt=True)]
    deck = Polyline(points=ends, stroke=PLAIN, width=2 * _ALONE, butt=True)
    dash = (0.9, 0.5) if "pontoon" in parts else ()
    return [deck, Path(lines=tuple(_find_walls(ends, _ALONE)), stroke=INK, width=_WALL, dash=dash)]


def _draw_walls(walls: Sequence[Line]) -> list[Shape]:
    """Return the walls of bridges, with a rim that parts them from water."""
    if not walls:
        return []
    lines = tuple(walls)
    return [Path(lines=lines, stroke=PLAIN, width=_WALL + 2 * _RIM), Path(lines=lines, stroke=INK, width=_WALL)]


def _square_to(survey: Survey, name: str) -> Point:
    """Return the direction square to a hexside."""
    side = survey.sides[name]
    return direction_between(survey.layout.centre(side.one), survey.layout.centre(side.other))


def _meet_water(survey: Survey, name: str, middle: Point, line: Line) -> Point:
    """Return where a way meets the water along a hexside, which runs past a point in the direction of the hexside."""
    across, down = _square_to(survey, name)
    offs = [(x - middle[0]) * across + (y - middle[1]) * down for x, y in line]
    for (one, other), (here, there) in zip(pairwise(line), pairwise(offs), strict=True):
        if here != there and here * there <= 0:
            return point_between(one, other, here / (here - there))
    return min(line, key=lambda point: dist(point, middle))


def _find_ends(survey: Survey, name: str, width: float, middle: Point) -> tuple[Point, Point]:
    """Return where a crossing of a hexside begins and ends. middle: of the crossing."""
    across, down = _square_to(survey, name)
    reach_of_crossing = width * 0.6 + _BEYOND
    (x, y) = middle
    return (x - across * reach_of_crossing, y - down * reach_of_crossing), (
        x + across * reach_of_crossing,
        y + down * reach_of_crossing,
    )


def _find_walls(ends: tuple[Point, Point], half: float) -> Iterator[Line]:
    """Yield both sides of a bridge, splayed at their ends."""
    length = dist(*ends) or 1.0
    for by in (-half, half):
        wall = shift_aside(ends, ends, by)
        beyond = _WINGS / length
        outward = _WINGS if by > 0 else -_WINGS
        before, behind = point_between(wall[0], wall[1], -beyond), point_between(wall[0], wall[1], 1 + beyond)
        first, last = shift_aside([before, behind], ends, outward)
        yield (first, *wall, last)
