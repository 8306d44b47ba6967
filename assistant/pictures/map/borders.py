"""Borders: a line of dashes and dots, and along it on each side the tint of the country there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from ...drawing.scene import Layer, Path, Shape
from ...game.hexes import Corner
from ...state.state import hexside
from .courses import Line, along, calm_line, place_on, shift_line, smooth
from .land import is_water
from .survey import Survey

INKS = "#5b2a4e"
#: The tints of countries along a border, those of the largest countries first.
TINTS = ("#d9a441", "#6f9a6b", "#a86fa6", "#c96f5a", "#5f8fb0")
_BAND, _LINE = 4.2, 0.8
_STEPS = 3
#: Dashes and dots of a frontier, and of lesser borders.
_DASHES = ((5.0, 1.3, 0.8, 1.3), (2.4, 1.5))


_STATE = frozenset({"state", "national", "international", "frontier", "country"})


def frontier_of(survey: Survey) -> str:
    """The game's word for a border between states."""
    return frontier_among(survey.look.values(survey.picture.border), set(survey.borders.values()))


def frontier_among(words: Sequence[str], drawn: Collection[str]) -> str:
    """The word for a border between states: the one that says so, or else the last one that is drawn."""
    stated = [word for word in words if _STATE.intersection(word.split("-"))]
    return next(iter(stated or [word for word in reversed(words) if word in drawn]), "")


class Stretch(NamedTuple):
    """How a stretch of a border looks: whether it is a frontier between states, whether it is doubtful, and the tints
    on its sides.
    """

    main: bool
    doubtful: bool
    left: str
    right: str


def border_layers(survey: Survey) -> list[Layer]:
    """The bands of tint, and the lines above them; only a frontier between states has tints."""
    if not survey.borders:
        return []
    larger = survey.scale.lines
    band = _BAND * larger
    bands: dict[str, list[Line]] = defaultdict(list)
    lines: dict[tuple[bool, bool], list[Line]] = defaultdict(list)
    for stretch, line in _stretches(survey):
        lines[stretch.main, stretch.doubtful].append(line)
        if stretch.main and stretch.left != stretch.right:
            for tint, by in ((stretch.left, -band / 2), (stretch.right, band / 2)):
                if tint:
                    bands[tint].append(shift_line(line, by))
    below = [_band(tuple(some), tint, band) for tint, some in bands.items()]
    above = [
        _line(tuple(some), larger, main=main, doubtful=doubtful)
        for (main, doubtful), some in sorted(lines.items(), reverse=True)
    ]
    return [Layer("borders", (*below, *above))]


def _stretches(survey: Survey) -> Iterator[tuple[Stretch, Line]]:
    """The borders in stretches that look the same, each with its line."""
    words, track = survey.borders, survey.picture.border
    frontier = frontier_of(survey)
    tints = _tints(survey, frontier)
    for course in along(survey, words, track):
        corners = course.nodes
        points = [survey.point(corner) for corner in corners]
        if survey.scale.small:
            points = calm_line(points, range(1, len(points) - 1))
        whole = smooth(points, _STEPS)
        looks = []
        for side, corner in zip(course.sides, corners, strict=False):
            left, right = (tints.get(name, "") for name in _beside(survey, side, corner))
            looks.append(Stretch(words[side] == frontier, survey.doubtful(track, side), left, right))
        for stretch, run in groupby(range(len(looks)), key=looks.__getitem__):
            numbers = list(run)
            first, last = (place_on(at, len(corners), _STEPS) for at in (numbers[0], numbers[-1] + 1))
            if last > first:
                yield stretch, whole[first : last + 1]


def border_shapes(line: Line, *, main: bool) -> list[Shape]:
    """A border along a line, as in a key. main: whether it is one between states."""
    shapes: list[Shape] = []
    if main:
        band = _BAND / 2
        for tint, by in ((TINTS[0], -band / 2), (TINTS[1], band / 2)):
            shapes.append(_band((shift_line(line, by),), tint, band))
    return [*shapes, _line((line,), 1.0, main=main, doubtful=False)]


def _band(lines: tuple[Line, ...], tint: str, width: float) -> Path:
    return Path(lines=lines, stroke=tint, width=width, opacity=0.42, butt=True)


def _line(lines: tuple[Line, ...], larger: float, *, main: bool, doubtful: bool) -> Path:
    width = (_LINE if main else _LINE * 0.7) * larger
    dash = tuple(length * larger for length in _DASHES[0 if main else 1])
    return Path(lines=lines, stroke=INKS, width=width, dash=dash, butt=True, opacity=0.55 if doubtful else 1.0)


def _beside(survey: Survey, name: str, start: Corner) -> tuple[str, str]:
    """The hexes to the left and to the right of a hexside, seen from one of its ends."""
    side = survey.sides[name]
    (x0, y0), end = survey.point(start), side.end if side.start == start else side.start
    x1, y1 = survey.point(end)
    x, y = survey.layout.centre(side.one)
    right = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0
    return (side.other, side.one) if right else (side.one, side.other)


def _tints(survey: Survey, frontier: str) -> Mapping[str, str]:
    """The tint of each hex's country: what the frontiers of the whole board part. Water has none."""
    board, look = survey.board, survey.look
    everywhere = board.hexes or frozenset(survey.hexes)
    closed = _frontiers(survey, frontier)
    beside = {hex for name in closed for hex in name.split("|")}
    left = {name for name in everywhere if not is_water(look.word(survey.picture.terrain, name))}
    countries = []
    while left:
        todo = [min(left)]
        left.discard(todo[0])
        country = []
        while todo:
            here = todo.pop()
            country.append(here)
            for other in board.neighbours(here):
                if other in left and not (here in beside and other in beside and hexside(here, other) in closed):
                    left.discard(other)
                    todo.append(other)
        countries.append(country)
    countries.sort(key=lambda country: (-len(country), country[0]))
    return {name: TINTS[number] for number, country in enumerate(countries[: len(TINTS)]) for name in country}


def _frontiers(survey: Survey, frontier: str) -> set[str]:
    track = survey.picture.border
    named = [subject for at, subject in survey.board.facts if at == track]
    return {name for name in {*named, *survey.borders} if survey.look.link(track, name) == frontier}
