"""Roads and railways as curves from hex to hex, and where they cross water: bridges, pontoons, ferries and
causeways.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, pairwise
from math import dist
from typing import NamedTuple

from ...drawing.scene import Layer, Path, Point, Polyline, Shape
from ..colours import INK, mix
from ..layout import aside, point_between
from ..style import HEX, PLAIN, ROAD, Palette
from .courses import Course, Line, bend, calm_line, courses_across, shift_line, swing
from .survey import Survey
from .waters import Waters

_STEPS = 4
#: How long the handles of a curve are, as shares of the way to the centre; and the cosine of the angle at which two
#: ways are still so alike that one branches off the other.
_HANDLE, _LIKE = 0.42, 0.3
#: The same of a curve from hexside to hexside, as a share of the way there.
_EASY = 0.36
#: A way that turns back in a town goes straight to it: the least cosine between where it comes from and where it goes
#: for a curve.
_SHARP = 0.6
#: The least cosine between the direction of a way and that in which it leaves the board.
_ONWARD = 0.4
#: How far a road stays off a railway, and off a drawn line.
_BESIDE_RAIL, _BESIDE_LINE = 1.9, 1.5
#: A road beside a railway: its share of the usual width, and how far its colour fades.
_SLIGHT, _FADED = 0.6, 0.3
#: Ticks across a railway: how long they are and how far apart; two close together stand for double track.
_TICK, _TICKS, _PAIR = 0.42, HEX / 7, 0.85
_REACH = 2.7
_WIDTH = 0.75
_DASH = (2.4, 1.2)
STANDARD, BROAD = INK, "#983a12"
GAUGES = {"standard": (STANDARD,), "broad": (BROAD,), "both": (STANDARD, BROAD), "dual": (STANDARD, BROAD)}
"""The colours of gauges, told apart by lightness too."""
#: Half the width of a bridge by what crosses it, how far it reaches beyond the water on both sides, and the width of
#: its walls.
_RAIL, _ROAD, _ALONE = 2.0, 1.3, 1.0
_BEYOND, _WALL = 1.6, 0.45
_FERRY, _DAM = (1.3, 0.9), "#8a6a3e"


class Run(NamedTuple):
    """A stretch of a way that looks the same: its line, its word, its gauge, whether it is doubtful, and whether it is
    slight, as a road beside a railway.
    """

    line: Line
    word: str
    gauge: str = ""
    doubtful: bool = False
    slight: bool = False


class Ways:
    """The roads and railways of a survey. followed: the hexsides that drawn lines cross, which roads keep clear of."""

    def __init__(self, survey: Survey, followed: Collection[str] = ()) -> None:
        self.survey, self.followed = survey, followed

    @cached_property
    def rails(self) -> list[Run]:
        """The railways."""
        rails = self.survey.rails
        courses = courses_across(self.survey, rails, self.survey.picture.rail)
        lines = self._lines(courses, rails)
        return _runs(courses, lines, self._rail)

    @cached_property
    def roads(self) -> list[Run]:
        """The roads; beside a railway where both run."""
        roads = self.survey.roads
        courses = courses_across(self.survey, roads, self.survey.picture.road)
        lines = self._lines(courses, roads)
        for course in courses:
            self._set_aside(course, lines)
        return _runs(courses, lines, self._road)

    def _set_aside(self, course: Course[str], lines: dict[str, Line]) -> None:
        """Move a road off the railways and drawn lines that take the same hexsides.

        Over the middle third of a hexside it is as far off as it has to be. At each end it is only as far off as on the
        hexside that follows there, so that it goes on without a step.
        """
        far = [
            _BESIDE_RAIL if side in self.survey.rails else _BESIDE_LINE if side in self.followed else 0.0
            for side in course.sides
        ]
        for before, here, after, side in zip([0.0, *far], far, [*far[1:], 0.0], course.sides, strict=False):
            if here:
                line, last = lines[side], len(lines[side]) - 1
                starts, ends = min(before, here), min(after, here)
                by = []
                for at in range(last + 1):
                    leaving, arriving = min(at / last * 3, 1.0), min((last - at) / last * 3, 1.0)
                    by.append(min(starts + (here - starts) * leaving, ends + (here - ends) * arriving))
                lines[side] = shift_line(line, by)

    def _lines(self, courses: Sequence[Course[str]], words: Mapping[str, str]) -> dict[str, Line]:
        """By hexside the line across it, from one hex to the next along its course."""
        sides = [self.survey.sides[name] for name in words]
        met = Counter(name for side in sides for name in (side.one, side.other))
        stops = {name for name, many in met.items() if many != 2 or self.survey.is_town(name)}
        passing = self._directions(courses)
        centre = self.survey.layout.centre
        lines: dict[str, Line] = {}
        for course in courses:
            hexes = course.nodes
            points = [centre(name) for name in hexes]
            if self.survey.scale.small:
                points = calm_line(points, [at for at in range(1, len(hexes) - 1) if hexes[at] not in stops])
            middles = [point_between(here, there, 0.5) for here, there in pairwise(points)]
            half = self._end(hexes[0], points[0], middles[0], passing, alone=met[hexes[0]] == 1)[::-1]
            for number, side in enumerate(course.sides):
                there = hexes[number + 1]
                if number + 1 == len(course.sides):
                    before = self._end(there, points[number + 1], middles[number], passing, alone=met[there] == 1)
                    after: list[Point] = []
                else:
                    ends = middles[number], middles[number + 1]
                    if there in stops or self.survey.scale.small:
                        before, after = _across(*ends, points[number + 1], through=there in stops)
                    else:
                        leaving, arriving = (_leaving(at, hexes, middles, points, stops) for at in (number, number + 1))
                        way = _calm(*ends, leaving, arriving)
                        before, after = way[: _STEPS + 1], way[_STEPS:]
                lines[side] = (*half, *before[1:])
                half = after
        return {side: self._cut_at_edge(side, line) for side, line in lines.items()}

    def _end(self, name: str, centre: Point, start: Point, passing: Mapping[str, Point], *, alone: bool) -> list[Point]:
        """The end of a way in a hex: at its centre, as a branch of another one, or off the board if it ends alone at
        its edge.
        """
        if alone and self.survey.layout.draws(name) and not self.survey.is_town(name):
            onward, out = self._way_out(name, _direction(start, centre), centre)
            if onward > _ONWARD:
                before, after = _across(start, out, centre, through=False)
                return [*before, *after[1:]]
        return _branch(start, centre, passing.get(name))

    def _way_out(self, name: str, toward: Point, centre: Point) -> tuple[float, Point]:
        """The middle of the hexside by which a way leaves the board with the least bend, and the cosine of that bend;
        -1 without one.
        """
        outs = [
            point_between(self.survey.point(corner), self.survey.point(other), 0.5)
            for beyond, corner, other in self.survey.around[name]
            if not beyond
        ]
        ways = [(out, _direction(centre, out)) for out in outs]
        return max(((toward[0] * x + toward[1] * y, out) for out, (x, y) in ways), default=(-1.0, centre))

    def _directions(self, courses: Sequence[Course[str]]) -> dict[str, Point]:
        """The direction in which a course passes through the centre of each hex without a town, where others may join
        it.
        """
        centre = self.survey.layout.centre
        directions: dict[str, Point] = {}
        for course in courses:
            hexes = course.nodes
            for before, here, after in zip(hexes, hexes[1:], hexes[2:], strict=False):
                if not self.survey.is_town(here):
                    directions.setdefault(here, _direction(centre(before), centre(after)))
        return directions

    def _cut_at_edge(self, name: str, line: Line) -> Line:
        """The line across a hexside as far as hexes are drawn."""
        side, layout = self.survey.sides[name], self.survey.layout
        if layout.draws(side.one) and layout.draws(side.other):
            return line
        here, there = layout.centre(side.one), layout.centre(side.other)
        inside = here if layout.draws(side.one) else there
        middle = min(range(len(line)), key=lambda number: dist(line[number], point_between(here, there, 0.5)))
        starts_inside = dist(inside, line[0]) < dist(inside, line[-1])
        return line[: middle + 1] if starts_inside else line[middle:]

    def _rail(self, side: str) -> Run:
        """How a railway looks across a hexside."""
        doubtful = self.survey.doubtful(self.survey.picture.rail, side)
        return Run((), self.survey.rails[side], self.survey.gauges.get(side, ""), doubtful)

    def _road(self, side: str) -> Run:
        """How a road looks across a hexside."""
        doubtful = self.survey.doubtful(self.survey.picture.road, side)
        return Run((), self.survey.roads[side], doubtful=doubtful, slight=side in self.survey.rails)

    def layers(self) -> list[Layer]:
        """Roads, and above them railways."""
        palette, scale = self.survey.palette, self.survey.scale
        roads = [shape for run in self.roads for shape in road_shapes(run, palette, scale.lines)]
        rails = [shape for run in self.rails for shape in railway_shapes(run, palette, scale.lines)]
        return [Layer("roads", tuple(roads)), Layer("railways", tuple(rails))]


def _runs(courses: Sequence[Course[str]], lines: Mapping[str, Line], look: Callable[[str], Run]) -> list[Run]:
    """The stretches of courses that look the same. lines: by hexside; look: how the way looks there."""
    runs = []
    for course in courses:
        for run, sides in groupby(course.sides, key=look):
            points: list[Point] = []
            for side in sides:
                points += lines[side][1:] if points else lines[side]
            runs.append(run._replace(line=tuple(points)))
    return runs


def _direction(start: Point, end: Point) -> Point:
    far = dist(start, end) or 1.0
    return (end[0] - start[0]) / far, (end[1] - start[1]) / far


def _across(start: Point, end: Point, centre: Point, *, through: bool) -> tuple[list[Point], list[Point]]:
    """The way across a hex, from the middle of one hexside to that of another, in two halves. through: whether it
    passes the centre.
    """
    if not through:
        way = [start, *bend(start, centre, end, 2 * _STEPS)]
        return way[: _STEPS + 1], way[_STEPS:]
    direction, toward = _direction(start, end), _direction(start, centre)
    if direction[0] * toward[0] + direction[1] * toward[1] < _SHARP:
        return [start, point_between(start, centre, 0.5), centre], [centre, point_between(centre, end, 0.5), end]
    return _towards(start, centre, direction), _towards(end, centre, (-direction[0], -direction[1]))[::-1]


def _leaving(
    number: int, hexes: Sequence[str], middles: Sequence[Point], points: Sequence[Point], stops: Collection[str]
) -> Point:
    """The direction in which a way crosses the hexside after a hex of its course: that of the hexsides before and after,
    so that it does not swing with the rows of hexes; square to the hexside beside a hex whose centre it must pass.
    """
    if not 0 < number < len(middles) - 1 or hexes[number] in stops or hexes[number + 1] in stops:
        return _direction(points[number], points[number + 1])
    return _direction(middles[number - 1], middles[number + 1])


def _calm(start: Point, end: Point, leaving: Point, arriving: Point) -> list[Point]:
    """A curve from the middle of one hexside to that of another, with the directions that it has there."""
    handle = dist(start, end) * _EASY
    one = start[0] + leaving[0] * handle, start[1] + leaving[1] * handle
    other = end[0] - arriving[0] * handle, end[1] - arriving[1] * handle
    return [start, *swing(start, one, other, end, 2 * _STEPS)]


def _branch(start: Point, centre: Point, passing: Point | None) -> list[Point]:
    """The end of a way, from the middle of a hexside: as a branch of another one, if that passes the centre in a like
    direction.
    """
    toward = _direction(start, centre)
    like = toward[0] * passing[0] + toward[1] * passing[1] if passing else 0.0
    if passing is None or abs(like) < _LIKE:
        return [start, point_between(start, centre, 0.5), centre]
    return _towards(start, centre, passing if like > 0 else (-passing[0], -passing[1]))


def _towards(start: Point, centre: Point, direction: Point) -> list[Point]:
    """The way from the middle of a hexside to the centre of a hex: square to the hexside, and in a direction there."""
    handle = dist(start, centre) * _HANDLE
    arriving = centre[0] - direction[0] * handle, centre[1] - direction[1] * handle
    return [start, *swing(start, point_between(start, centre, _HANDLE), arriving, centre, _STEPS)]


# --- what they look like ----------------------------------------------------------------------------------------------


def is_double(word: str) -> bool:
    """Whether the word for a railway means double track."""
    return word.endswith("2") or "double" in word


def rail_colours(run: Run, palette: Palette) -> tuple[str, ...]:
    """The colours of a railway by its gauge: that of the game, or else one of ours, or two for both gauges."""
    stated = palette.link(run.gauge or run.word, "")
    return (stated,) if stated else GAUGES.get(run.gauge, (INK,))


def railway_shapes(run: Run, palette: Palette, larger: float = 1.0) -> list[Shape]:
    """A line with ticks across, in pairs for double track; with both gauges the line changes its colour from tick to
    tick.

    larger: how much wider it is than on a hex of full size.
    """
    first, *others = rail_colours(run, palette)
    width, tick, apart = _WIDTH * larger, _TICK * larger, _TICKS * larger
    dash = tuple(length * larger for length in _DASH) if run.doubtful else ()
    shapes: list[Shape] = [Polyline(points=run.line, stroke=first, width=width, dash=dash, butt=bool(dash))]
    if others:
        shapes.append(Polyline(points=run.line, stroke=others[0], width=width * 1.15, dash=(apart, apart), butt=True))
    pair = _PAIR * larger
    gap = (pair, tick, apart - pair - 2 * tick) if is_double(run.word) else (apart - tick,)
    colour = mix(first, PLAIN, 0.4) if run.doubtful else first
    shapes.append(Polyline(points=run.line, stroke=colour, width=_REACH * larger, dash=(tick, *gap), butt=True))
    return shapes


def road_shapes(run: Run, palette: Palette, larger: float = 1.0) -> list[Shape]:
    """A road: broad, thin or dashed according to its word. larger: how much wider it is than on a hex of full size."""
    parts = set(run.word.casefold().split("-"))
    dash: tuple[float, ...] = (2.0, 1.2) if parts & {"secondary", "track", "trail"} else _DASH if run.doubtful else ()
    dash = tuple(length * larger for length in dash)
    colour, width = palette.link(run.word, ROAD), (1.2 if "primary" in parts else 0.75) * larger
    if run.slight:
        colour, width = mix(colour, PLAIN, _FADED), width * _SLIGHT
    return [Polyline(points=run.line, stroke=colour, width=width, dash=dash, butt=bool(dash))]


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
    far = dist(here, there) or 1.0
    reach = (width * 1.2 + _BEYOND) / far
    return point_between(middle, here, reach), point_between(middle, there, reach)


def _ground(survey: Survey, name: str) -> str:
    """The colour of the banks."""
    side = survey.sides[name]
    return mix(survey.ground(side.one), survey.ground(side.other), 0.5)


def _walls(ends: tuple[Point, Point], half: float) -> Iterator[Line]:
    """Both sides of a bridge, splayed at their ends."""
    for by in (-half, half):
        wall = aside(ends, ends, by)
        first, last = (aside([point_between(wall[0], wall[1], share)], ends, by * 0.45)[0] for share in (-0.18, 1.18))
        yield (first, *wall, last)
