"""Crossings of water: bridges, pontoons, ferries and causeways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import dist

from ..colours import INK
from ..geometry import point_between, shift_aside
from ..scene import Layer, Path, Point, Polyline, Shape
from ..style import ROAD, UNKNOWN_GROUND
from .courses import Line
from .survey import Survey
from .waters import Waters
from .ways import MapWays, direction_between

_HALF_RAIL_BRIDGE_WIDTH_MM = 1.75
_HALF_ROAD_BRIDGE_WIDTH_MM = 1.2
_HALF_BARE_BRIDGE_WIDTH_MM = 1.0
"""The distance from the middle to the edge of a bridge without a road or a railway."""
_REACH_BEYOND_WATER_MM = 0.5
_WING_MM = 0.75
"""The length of the splayed ends of a bridge's walls, and the distance by which they leave the line of the wall."""
_WALL_WIDTH_MM = 0.45
_RIM_WIDTH_MM = 0.25
_FERRY_DASH_MM = (1.3, 0.9)
_CAUSEWAY_COLOUR = "#8a6a3e"


def crossing_layer(survey: Survey, waters: Waters, ways: MapWays) -> Layer:
    """Return the bridges of ways over rivers and the stated crossings, or none on a small map."""
    if survey.scale.small:
        return Layer("bridges", ())
    walls: list[Line] = []
    shapes: list[Shape] = []
    for name in {**survey.roads, **survey.rails}:
        if not (width := waters.river_width_at(name)):
            continue
        meetings = [
            (_meet_water(survey, name, waters.middle_at(name), line), is_rail) for line, is_rail in ways.across(name)
        ]
        # one bridge carries all ways of the hexside
        (first, is_rail), (last, _) = meetings[0], meetings[-1]
        half_width = (_HALF_RAIL_BRIDGE_WIDTH_MM if is_rail else _HALF_ROAD_BRIDGE_WIDTH_MM) + dist(first, last) / 2
        walls += _find_walls(_find_ends(survey, name, width, point_between(first, last, 0.5)), half_width)
    for name, word in survey.crossings.items():
        if name not in survey.roads and name not in survey.rails:
            width = waters.river_width_at(name) or waters.lake_width_at(name) or 2 * _REACH_BEYOND_WATER_MM
            shapes += _draw_crossing(word, _find_ends(survey, name, width, waters.middle_at(name)))
    return Layer("bridges", (*_draw_walls(walls), *shapes))


def crossing_sign(word: str, corners: tuple[Point, Point]) -> list[Shape]:
    """Return the sign of a crossing in a key; a bridge has a road on it."""
    parts = set(word.casefold().split("-"))
    if "bridge" not in parts or "pontoon" in parts:
        return _draw_crossing(word, corners)
    return [
        *_draw_walls([*_find_walls(corners, _HALF_ROAD_BRIDGE_WIDTH_MM)]),
        Polyline(points=corners, stroke=ROAD, width=1.2, butt=True),
    ]


def _draw_crossing(word: str, ends: tuple[Point, Point]) -> list[Shape]:
    parts = set(word.casefold().split("-"))
    if "ferry" in parts:
        return [
            Polyline(points=ends, stroke=UNKNOWN_GROUND, width=1.3),
            Polyline(points=ends, stroke=INK, width=0.6, dash=_FERRY_DASH_MM, butt=True),
        ]
    if parts & {"causeway", "dam", "ford"}:
        return [Polyline(points=ends, stroke=_CAUSEWAY_COLOUR, width=1.6, butt=True)]
    deck = Polyline(points=ends, stroke=UNKNOWN_GROUND, width=2 * _HALF_BARE_BRIDGE_WIDTH_MM, butt=True)
    dash = (0.9, 0.5) if "pontoon" in parts else ()
    walls = tuple(_find_walls(ends, _HALF_BARE_BRIDGE_WIDTH_MM))
    return [deck, Path(lines=walls, stroke=INK, width=_WALL_WIDTH_MM, dash=dash)]


def _draw_walls(walls: Sequence[Line]) -> list[Shape]:
    if not walls:
        return []
    lines = tuple(walls)
    return [
        Path(lines=lines, stroke=UNKNOWN_GROUND, width=_WALL_WIDTH_MM + 2 * _RIM_WIDTH_MM),
        Path(lines=lines, stroke=INK, width=_WALL_WIDTH_MM),
    ]


def _direction_across(survey: Survey, name: str) -> Point:
    side = survey.sides[name]
    return direction_between(survey.layout.centre(side.one), survey.layout.centre(side.other))


def _meet_water(survey: Survey, name: str, middle: Point, line: Line) -> Point:
    """Return the point where a way crosses the water along a hexside, or else its point nearest to `middle`.

    `middle`: the middle of the water, which is taken to run straight through it and parallel to the hexside.
    """
    across, down = _direction_across(survey, name)
    distances = [(x - middle[0]) * across + (y - middle[1]) * down for x, y in line]
    for (start, end), (before, after) in zip(pairwise(line), pairwise(distances), strict=True):
        if before != after and before * after <= 0:  # the ends are on different sides of the water
            return point_between(start, end, before / (before - after))
    return min(line, key=lambda point: dist(point, middle))


def _find_ends(survey: Survey, name: str, width: float, middle: Point) -> tuple[Point, Point]:
    across, down = _direction_across(survey, name)
    reach = width * 0.6 + _REACH_BEYOND_WATER_MM
    x, y = middle
    return (x - across * reach, y - down * reach), (x + across * reach, y + down * reach)


def _find_walls(ends: tuple[Point, Point], half_width: float) -> Iterator[Line]:
    wing_share = _WING_MM / (dist(*ends) or 1.0)
    for offset, outward in ((-half_width, -_WING_MM), (half_width, _WING_MM)):
        start, end = shift_aside(ends, ends, offset)
        before, behind = point_between(start, end, -wing_share), point_between(start, end, 1 + wing_share)
        first, last = shift_aside([before, behind], ends, outward)
        yield (first, start, end, last)
