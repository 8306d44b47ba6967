"""Borders along hexsides, with the tints of the countries beside a frontier."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import dist
from typing import NamedTuple

from ...game.hexes import Corner
from ..scene import Layer, Path, Point, Shape
from ..style import BORDER_TINT, HEX
from .courses import Line, MapCourse, courses_along, cut_start, shift_line, smooth
from .land import points_each, settle_corners, wander
from .survey import Survey
from .waters import Waters

_BEND = 0.03 * HEX  # mm that a border bends off a hexside
INKS = "#5b2a4e"  # the colour of borders
TINTED = 6.2  # mm that the tint of a country reaches from its border
_BANDS = ((TINTED, 0.14), (4.0, 0.18), (1.9, 1 - (1 - BORDER_TINT) / (0.86 * 0.82)))
"""Of a tint from the outer one inwards: the width in mm, and how much of the tint each adds: together, next to the
line, `BORDER_TINT`.
"""
_LINE = 1.0  # mm, the width of the line
_WITHIN = 0.9  # mm that the line of a border along the edge of the hexes drawn stays inside
_DASHES = ((5.2, 1.7, 1.2, 1.7), (2.0, 1.6))  # mm, dashes and dots of a frontier, and of lesser borders
_BY_TURNS = (3.6, 6.0)  # mm, dash and gap of a border on one bank of a river
_OFF_BANK = 0.9  # mm that it stands off the water
_WIDEST = 1.2  # times the usual width that the river may have


class BorderStretch(NamedTuple):
    """How a stretch of a border looks: whether it is a frontier between states, whether it is doubtful, the tints on
    its sides, and how wide the river is along which it runs, 0 for none.
    """

    main: bool
    doubtful: bool
    left: str
    right: str
    river: float = 0.0


def border_layers(survey: Survey, waters: Waters) -> list[Layer]:
    """Return the bands of tint, which lie on the ground, and the lines; only a frontier between states has tints."""
    larger = survey.scale.lines
    bands: dict[tuple[float, str], list[Line]] = defaultdict(list)
    lines: dict[tuple[bool, bool, bool], list[Line]] = defaultdict(list)
    for stretch, line in _find_stretches(survey, waters):
        drawn = _shift_to_banks(line, stretch.river, larger) if stretch.river else (line,)
        lines[stretch.main, stretch.doubtful, bool(stretch.river)] += drawn
        if not stretch.main or stretch.left == stretch.right:
            continue
        for tint, by in ((stretch.left, -1), (stretch.right, 1)):
            if tint:
                for width, share in _BANDS:
                    bands[share, tint].append(_make_band(line, by * width * larger))
    below = [_draw_band(tuple(lines_of_look), tint, share) for (share, tint), lines_of_look in bands.items()]
    above = [
        _draw_line(tuple(lines_of_look), larger, main=main, doubtful=doubtful, by_turns=by_turns)
        for (main, doubtful, by_turns), lines_of_look in sorted(lines.items(), reverse=True)
    ]
    return [Layer("tints", tuple(below)), Layer("borders", tuple(above))]


def _shift_to_banks(line: Line, river: float, larger: float) -> Iterator[Line]:
    """Yield the lines along both banks of a river on which the dashes of a border stand by turns, so that its water is
    seen. river: how wide it is.
    """
    off = (river * _WIDEST / 2 + _OFF_BANK) * larger
    for start, by in ((line, off), (cut_start(line, sum(_BY_TURNS) / 2 * larger), -off)):
        yield shift_line(start, by)


def _make_band(line: Line, by: float) -> Line:
    """Return the band along a border, which has the line itself for its edge, so that it never leaves its country; its
    other edge is calm. by: how wide it is, to the right of the line, or to the left of it below 0.
    """
    calm = smooth([line[0], *line[2:-2:4], line[-1]], 2)
    return (*line, *reversed(shift_line(calm, by)))


def _find_looks(survey: Survey, waters: Waters, course: MapCourse[Corner]) -> Iterator[BorderStretch]:
    """Yield how each hexside of a border looks."""
    words, track = survey.borders, survey.picture.border
    for side, corner in zip(course.sides, course.nodes, strict=False):
        left, right = _hexes_beside(survey, side, corner)
        tint_left, tint_right = survey.tint(left), survey.tint(right)
        river = waters.river_width_at(side) if side in waters.pieces else 0.0
        yield BorderStretch(words[side] == survey.frontier, survey.doubtful(track, side), tint_left, tint_right, river)


def _find_stretches(survey: Survey, waters: Waters) -> Iterator[tuple[BorderStretch, Line]]:
    """Yield the borders in stretches that look the same, each with its line: along rivers it is theirs."""
    steps = points_each(survey)
    for course in courses_along(survey, survey.borders, survey.picture.border):
        corners, looks = course.nodes, [*_find_looks(survey, waters, course)]
        turning = settle_corners(survey, corners, waters.settled)
        whole = list(wander(survey, corners, turning, [_BEND] * len(course.sides)))
        for number, side in enumerate(course.sides):
            if side in waters.pieces:
                start, piece = waters.pieces[side]
                piece = piece if start == corners[number] else piece[::-1]
                whole[number * steps : (number + 1) * steps + 1] = piece
        for number, side in enumerate(course.sides):
            if inward := _find_inward(survey, side):
                part = slice(number * steps, (number + 1) * steps + 1)
                whole[part] = [_move_within(point, *inward, _WITHIN * survey.scale.lines) for point in whole[part]]
        for stretch, run in groupby(range(len(looks)), key=looks.__getitem__):
            numbers = list(run)
            yield stretch, tuple(whole[numbers[0] * steps : (numbers[-1] + 1) * steps + 1])


def _find_inward(survey: Survey, name: str) -> tuple[Point, Point] | None:
    """Return a point of a hexside at the edge of the hexes drawn, and the direction from there into the one drawn; None
    for any other.
    """
    side, draws = survey.sides[name], survey.layout.draws
    if draws(side.one) == draws(side.other):
        return None
    here, there = (side.one, side.other) if draws(side.one) else (side.other, side.one)
    (x0, y0), (x1, y1) = survey.layout.centre(there), survey.layout.centre(here)
    distance = dist((x0, y0), (x1, y1))
    return survey.point(side.start), ((x1 - x0) / distance, (y1 - y0) / distance)


def _move_within(point: Point, edge: Point, inward: Point, least: float) -> Point:
    """Return a point moved inwards from an edge, if it must be, until it is so far inside. edge: a point on it."""
    (x, y), (across, down) = point, inward
    lacking = max(least - (x - edge[0]) * across - (y - edge[1]) * down, 0.0)
    return x + across * lacking, y + down * lacking


def border_shapes(
    line: Line, *, main: bool, tints: Sequence[str], larger: float = 1.0, tinted: float = TINTED
) -> list[Shape]:
    """Return a border along a line, as in a key. main: whether it is one between states; tints: of those on both sides;
    larger: how much wider the line is than on a hex of full size; tinted: how far the tints reach.
    """
    shapes: list[Shape] = []
    if main:
        for tint, by in zip(filter(None, tints), (-1, 1), strict=False):
            for width, share in _BANDS:
                offset = by * tinted * width / TINTED
                shapes.append(_draw_band(((*line, *reversed(shift_line(line, offset))),), tint, share))
    return [*shapes, _draw_line((line,), larger, main=main, doubtful=False)]


def _draw_band(areas: tuple[Line, ...], tint: str, share: float) -> Path:
    return Path(lines=areas, closed=True, holes=False, fill=tint, opacity=share)


def _draw_line(lines: tuple[Line, ...], larger: float, *, main: bool, doubtful: bool, by_turns: bool = False) -> Path:
    width = (_LINE if main else _LINE * 0.7) * larger
    pattern = _BY_TURNS if by_turns else _DASHES[0 if main else 1]
    dash = tuple(length * larger for length in pattern)
    return Path(lines=lines, stroke=INKS, width=width, dash=dash, butt=True, opacity=0.55 if doubtful else 1.0)


def _hexes_beside(survey: Survey, name: str, start: Corner) -> tuple[str, str]:
    """Return the hexes to the left and to the right of a hexside, seen from one of its ends."""
    side = survey.sides[name]
    (x0, y0), end = survey.point(start), side.end if side.start == start else side.start
    x1, y1 = survey.point(end)
    x, y = survey.layout.centre(side.one)
    right = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0
    return (side.other, side.one) if right else (side.one, side.other)


def drawn_tints(survey: Survey) -> tuple[str, str]:
    """Return the tints along the longest frontier that a map shows, as its key has them; none for a map without."""
    pairs = Counter[tuple[str, str]]()
    for name, word in survey.borders.items():
        if word != survey.frontier:
            continue
        one, other = sorted(map(survey.tint, (survey.sides[name].one, survey.sides[name].other)))
        if one != other:
            pairs[one, other] += 1
    return max(pairs, key=lambda pair: (pairs[pair], pair)) if pairs else ("", "")
