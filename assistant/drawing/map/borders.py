"""Borders along hexsides, with the tints of the countries beside a frontier."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import dist
from typing import NamedTuple

from ...game.hexes import Corner
from ..scene import Layer, Path, Point, Shape
from ..style import BORDER_TINT, HEX_MM
from .courses import Line, MapCourse, courses_along, cut_start, shift_line, smooth
from .land import points_each, settle_corners, wander
from .survey import Survey
from .waters import Waters

_BEND_MM = 0.03 * HEX_MM
"""The maximum bend of a border off its hexside."""
BORDER_COLOUR = "#5b2a4e"
"""The colour of borders."""
TINT_WIDTH_MM = 6.2
"""The width of a country's tint along its border, in mm."""
_BANDS = ((TINT_WIDTH_MM, 0.14), (4.0, 0.18), (1.9, 1 - (1 - BORDER_TINT) / (0.86 * 0.82)))
"""The width in mm and the opacity of each band of a tint, all measured from the line.

The bands lie over one another, so that next to the line their total opacity is `BORDER_TINT`.
"""
_FRONTIER_WIDTH_MM = 1.0
_BORDER_WIDTH_FACTOR = 0.7
"""The width of a lesser border, as a share of a frontier's width."""
_EDGE_GAP_MM = 0.9
"""The distance of a border from the edge of the drawn hexes."""
_FRONTIER_DASH_MM = (5.2, 1.7, 1.2, 1.7)
_BORDER_DASH_MM = (2.0, 1.6)
_BANK_DASH_MM = (3.6, 6.0)
"""Dash and gap of a border on one bank of a river; the dashes on the other bank are beside its gaps."""
_BANK_GAP_MM = 0.9
"""The distance of a border from the water of a river."""
_MAX_RIVER_WIDTH_FACTOR = 1.2
"""The greatest width of a river along its course, as a share of its usual width."""


class BorderStretch(NamedTuple):
    """The properties of a stretch of a border."""

    main: bool
    """Whether it is a frontier between states."""
    doubtful: bool
    left: str
    """The tint on its left side, or "" for none."""
    right: str
    """The tint on its right side, or "" for none."""
    river: float = 0.0
    """The width of the river along the stretch, or 0 for none."""


def border_layers(survey: Survey, waters: Waters) -> list[Layer]:
    """Return the layer of tints along frontiers, and the layer of lines.

    Only a frontier between states has tints; they lie on the ground, below rivers and lines.
    """
    enlargement = survey.scale.lines
    bands: dict[tuple[float, str], list[Line]] = defaultdict(list)
    lines: dict[tuple[bool, bool, bool], list[Line]] = defaultdict(list)
    for stretch, line in _find_stretches(survey, waters):
        drawn_lines = _shift_to_banks(line, stretch.river, enlargement) if stretch.river else (line,)
        lines[stretch.main, stretch.doubtful, bool(stretch.river)] += drawn_lines
        if not stretch.main or stretch.left == stretch.right:
            continue
        for tint, direction in ((stretch.left, -1), (stretch.right, 1)):
            if tint:
                for width, opacity in _BANDS:
                    bands[opacity, tint].append(_make_band(line, direction * width * enlargement))
    tint_shapes = [_draw_band(tuple(areas), tint, opacity) for (opacity, tint), areas in bands.items()]
    line_shapes = [
        _draw_line(tuple(lines_of_look), enlargement, main=main, doubtful=doubtful, on_bank=on_bank)
        for (main, doubtful, on_bank), lines_of_look in sorted(lines.items(), reverse=True)
    ]
    return [Layer("tints", tuple(tint_shapes)), Layer("borders", tuple(line_shapes))]


def _shift_to_banks(line: Line, river_width: float, enlargement: float) -> Iterator[Line]:
    """Yield a line for each bank of a river, because a border is dashed on both banks to leave the water visible.

    The second line starts half a dash pattern later, so that the dashes of the banks alternate.
    """
    offset = (river_width * _MAX_RIVER_WIDTH_FACTOR / 2 + _BANK_GAP_MM) * enlargement
    yield shift_line(line, offset)
    yield shift_line(cut_start(line, sum(_BANK_DASH_MM) / 2 * enlargement), -offset)


def _make_band(line: Line, width: float) -> Line:
    """Return the outline of a band along a border.

    One edge is the border itself, so that the band stays in its country. The other edge is smoothed.

    `width`: the width to the right of the line, or negative for the left.
    """
    smooth_line = smooth([line[0], *line[2:-2:4], line[-1]], 2)
    return (*line, *reversed(shift_line(smooth_line, width)))


def _find_looks(survey: Survey, waters: Waters, course: MapCourse[Corner]) -> Iterator[BorderStretch]:
    words, track = survey.borders, survey.picture.border
    for side, corner in zip(course.sides, course.nodes, strict=False):
        left, right = _hexes_beside(survey, side, corner)
        tint_left, tint_right = survey.tint(left), survey.tint(right)
        river = waters.river_width_at(side) if side in waters.pieces else 0.0
        yield BorderStretch(words[side] == survey.frontier, survey.doubtful(track, side), tint_left, tint_right, river)


def _find_stretches(survey: Survey, waters: Waters) -> Iterator[tuple[BorderStretch, Line]]:
    """Yield the borders in stretches with the same properties, each with its line.

    Along a river a border has the line of the river. At the edge of the drawn hexes it is moved inwards to be visible.
    """
    steps = points_each(survey)
    for course in courses_along(survey, survey.borders, survey.picture.border):
        corners, looks = course.nodes, [*_find_looks(survey, waters, course)]
        turning_points = settle_corners(survey, corners, waters.settled)
        line = list(wander(survey, corners, turning_points, [_BEND_MM] * len(course.sides)))
        for number, side in enumerate(course.sides):
            if side in waters.pieces:
                start, piece = waters.pieces[side]
                piece = piece if start == corners[number] else piece[::-1]
                line[number * steps : (number + 1) * steps + 1] = piece
        for number, side in enumerate(course.sides):
            if inward := _find_inward(survey, side):
                part = slice(number * steps, (number + 1) * steps + 1)
                line[part] = [_move_inside(point, *inward, _EDGE_GAP_MM * survey.scale.lines) for point in line[part]]
        for stretch, run in groupby(range(len(looks)), key=looks.__getitem__):
            numbers = list(run)
            yield stretch, tuple(line[numbers[0] * steps : (numbers[-1] + 1) * steps + 1])


def _find_inward(survey: Survey, name: str) -> tuple[Point, Point] | None:
    """Return an end of the hexside and the direction into its only drawn hex, or None if both or none are drawn."""
    side, draws = survey.sides[name], survey.layout.draws
    if draws(side.one) == draws(side.other):
        return None
    here, there = (side.one, side.other) if draws(side.one) else (side.other, side.one)
    (x0, y0), (x1, y1) = survey.layout.centre(there), survey.layout.centre(here)
    distance = dist((x0, y0), (x1, y1))
    return survey.point(side.start), ((x1 - x0) / distance, (y1 - y0) / distance)


def _move_inside(point: Point, edge: Point, inward: Point, gap: float) -> Point:
    """Return the point, moved inwards if it lies less than `gap` from the edge."""
    (x, y), (across, down) = point, inward
    missing = max(gap - (x - edge[0]) * across - (y - edge[1]) * down, 0.0)
    return x + across * missing, y + down * missing


def border_shapes(
    line: Line, *, main: bool, tints: Sequence[str], larger: float = 1.0, tinted: float = TINT_WIDTH_MM
) -> list[Shape]:
    """Return a border along a line, as in a key.

    `main`: whether it is a frontier between states.
    `tints`: the tints on the left and right of a frontier.
    `larger`: the factor by which the line is widened.
    `tinted`: the width of a tint, in mm.
    """
    shapes: list[Shape] = []
    if main:
        for tint, direction in zip(filter(None, tints), (-1, 1), strict=False):
            for width, opacity in _BANDS:
                offset = direction * tinted * width / TINT_WIDTH_MM
                shapes.append(_draw_band(((*line, *reversed(shift_line(line, offset))),), tint, opacity))
    return [*shapes, _draw_line((line,), larger, main=main, doubtful=False)]


def _draw_band(areas: tuple[Line, ...], tint: str, opacity: float) -> Path:
    return Path(lines=areas, closed=True, holes=False, fill=tint, opacity=opacity)


def _draw_line(
    lines: tuple[Line, ...], enlargement: float, *, main: bool, doubtful: bool, on_bank: bool = False
) -> Path:
    width = (_FRONTIER_WIDTH_MM if main else _FRONTIER_WIDTH_MM * _BORDER_WIDTH_FACTOR) * enlargement
    usual_dash = _FRONTIER_DASH_MM if main else _BORDER_DASH_MM
    dash = tuple(length * enlargement for length in (_BANK_DASH_MM if on_bank else usual_dash))
    return Path(lines=lines, stroke=BORDER_COLOUR, width=width, dash=dash, butt=True, opacity=0.55 if doubtful else 1.0)


def _hexes_beside(survey: Survey, name: str, start: Corner) -> tuple[str, str]:
    """Return the hexes to the left and to the right of the hexside, looking along it from the corner `start`."""
    side = survey.sides[name]
    end = side.end if side.start == start else side.start
    (x0, y0), (x1, y1) = survey.point(start), survey.point(end)
    x, y = survey.layout.centre(side.one)
    is_one_on_right = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0
    return (side.other, side.one) if is_one_on_right else (side.one, side.other)


def drawn_tints(survey: Survey) -> tuple[str, str]:
    """Return the tints along the longest frontier on the map, or two empty texts if there is no frontier."""
    hexsides_by_tints = Counter[tuple[str, str]]()
    for name, word in survey.borders.items():
        if word != survey.frontier:
            continue
        one, other = sorted(map(survey.tint, (survey.sides[name].one, survey.sides[name].other)))
        if one != other:
            hexsides_by_tints[one, other] += 1
    # the pair breaks ties, so that the result does not depend on the order of the hexsides
    return max(hexsides_by_tints, key=lambda pair: (hexsides_by_tints[pair], pair), default=("", ""))
