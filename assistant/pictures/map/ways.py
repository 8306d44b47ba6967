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
from .courses import Course, Line, bend, calm_line, courses_across, point_at, reach, shift_line, swing
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
#: How far a road stays off a railway, and off a drawn line; over what share of a hexside it comes to that, and in how
#: many steps.
_BESIDE_RAIL, _BESIDE_LINE = 3.1, 1.5
_COMING, _ASIDE_STEPS = 0.4, 12
#: How far the end of a line may be from the start of the next one that goes on from it.
_STEP = HEX / 4
#: Ticks across a railway: how long they are along it, how far apart, and how far apart two are that stand for double
#: track.
_TICK, _TICKS, _PAIR = 0.5, HEX / 5, 1.15
#: The width of a railway with one track and with two, how far its ticks reach beyond that on both sides together, at
#: least how far; how much wider one of broad gauge is, what share of that is its light middle, and up to how much larger lines it has one.
_SINGLE, _DOUBLE, _REACH, _SHORTEST, _BROADER, _OPEN, _OPEN_TO = 0.7, 1.15, 2.2, 1.7, 1.1, 0.31, 1.4
_DASH = (2.4, 1.2)
STANDARD, BROAD = INK, "#983a12"
GAUGES = {"standard": (STANDARD,), "broad": (BROAD,), "both": (STANDARD, BROAD), "dual": (STANDARD, BROAD)}
"""The colours of gauges, told apart by lightness too."""
#: Half the width of a bridge by what crosses it, how far it reaches beyond the water on both sides, how far its wings
#: do and how far they spread, and the width of its walls.
_RAIL, _ROAD, _ALONE = 1.75, 1.2, 1.0
_BEYOND, _WINGS, _WALL = 0.9, 0.8, 0.4
_FERRY, _DAM = (1.3, 0.9), "#8a6a3e"


class Run(NamedTuple):
    """A stretch of a way that looks the same: its line, its word, its gauge, and whether it is doubtful."""

    line: Line
    word: str
    gauge: str = ""
    doubtful: bool = False


class Ways:
    """The roads and railways of a survey. followed: the hexsides that drawn lines cross, which roads keep clear of."""

    def __init__(self, survey: Survey, followed: Collection[str] = ()) -> None:
        self.survey, self.followed = survey, followed

    @cached_property
    def rails(self) -> list[Run]:
        """The railways."""
        courses, lines = self._railways
        return _runs(courses, lines, self._rail)

    @cached_property
    def roads(self) -> list[Run]:
        """The roads; beside a railway where both run."""
        courses, lines = self._roads
        return _runs(courses, lines, self._road)

    def across(self, side: str) -> Iterator[tuple[Line, bool]]:
        """The lines of the ways across a hexside, and whether each is a railway."""
        for lines, is_rail in ((self._railways[1], True), (self._roads[1], False)):
            if side in lines:
                yield lines[side], is_rail

    @cached_property
    def _railways(self) -> tuple[list[Course[str]], dict[str, Line]]:
        """The courses of the railways, and by hexside the line across it."""
        courses = courses_across(self.survey, self.survey.rails, self.survey.picture.rail)
        return courses, self._lines(courses, self.survey.rails)

    @cached_property
    def _roads(self) -> tuple[list[Course[str]], dict[str, Line]]:
        """The same of the roads."""
        courses = courses_across(self.survey, self.survey.roads, self.survey.picture.road)
        lines = self._lines(courses, self.survey.roads)
        for course in courses:
            self._set_aside(course, lines)
        return courses, lines

    def _set_aside(self, course: Course[str], lines: dict[str, Line]) -> None:
        """Lay a road beside the railways and drawn lines that take the same hexsides: beside the line of a railway itself,
        on the side to which the road leaves it, and back to its own line in towns and where it leaves the railway.
        """
        rails = self._railways[1]
        for is_beside, run in groupby(range(len(course.sides)), key=lambda number: self._off(course.sides[number]) > 0):
            numbers = list(run)
            if not is_beside:
                continue
            sign = self._side_of(course, numbers[0], numbers[-1] + 1)
            last: Point | None = None
            for number in numbers:
                side, here, there = course.sides[number], course.nodes[number], course.nodes[number + 1]
                own = lines[side]
                guide = _along(rails.get(side, own), self.survey.layout.centre(here))
                beside = shift_line(guide, sign * self._off(side))
                starts = number == numbers[0] or self.survey.is_town(here)
                ends = number == numbers[-1] or self.survey.is_town(there)
                goes_on = last is not None and not starts and dist(last, beside[0]) <= _STEP
                lines[side] = _blend(own, beside, starts=starts, ends=ends, start=last if goes_on else None)
                last = lines[side][-1]

    def _off(self, side: str) -> float:
        """How far a road stays off its hexside's middle, 0 where nothing else crosses it."""
        return _BESIDE_RAIL if side in self.survey.rails else _BESIDE_LINE if side in self.followed else 0.0

    def _side_of(self, course: Course[str], first: int, last: int) -> int:
        """On which side of a railway a road lies from one node of its course to another, 1 for the right: on that of the
        hexes where it comes from and where it goes, but for those beyond a town.
        """
        at, town = [self.survey.layout.centre(name) for name in course.nodes], self.survey.is_town
        turn = 0.0
        if first > 0 and not town(course.nodes[first]):
            turn += _turn(at[first], at[first + 1], at[first - 1])
        if last + 1 < len(at) and not town(course.nodes[last]):
            turn += _turn(
                at[last], (2 * at[last][0] - at[last - 1][0], 2 * at[last][1] - at[last - 1][1]), at[last + 1]
            )
        return -1 if turn < 0 else 1

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
                        leaving, arriving = (
                            _leaving(at, hexes, middles, points, square=self._square(course, at, stops))
                            for at in (number, number + 1)
                        )
                        way = _calm(*ends, leaving, arriving)
                        before, after = way[: _STEPS + 1], way[_STEPS:]
                lines[side] = (*half, *before[1:])
                half = after
        return {side: self._cut_at_edge(side, line) for side, line in lines.items()}

    def _square(self, course: Course[str], number: int, stops: Collection[str]) -> bool:
        """Whether a way is square to a hexside of its course: beside a hex whose centre it must pass, and over water."""
        beside = course.nodes[number] in stops or course.nodes[number + 1] in stops
        return beside or not 0 < number < len(course.sides) - 1 or course.sides[number] in self.survey.barriers

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
        return Run((), self.survey.roads[side], doubtful=doubtful)

    def layers(self) -> list[Layer]:
        """Roads, and above them railways."""
        palette, scale = self.survey.palette, self.survey.scale
        roads = [shape for run in self.roads for shape in road_shapes(run, palette, scale.lines)]
        rails = [shape for run in self.rails for shape in railway_shapes(run, palette, scale.lines)]
        return [Layer("roads", tuple(roads)), Layer("railways", tuple(rails))]


def _runs(courses: Sequence[Course[str]], lines: Mapping[str, Line], look: Callable[[str], Run]) -> list[Run]:
    """The stretches of courses that look the same; a way that leaves the hexes drawn and comes back is in two. lines: by
    hexside; look: how the way looks there.
    """
    runs = []
    for course in courses:
        for run, sides in groupby(course.sides, key=look):
            points: list[Point] = []
            for side in sides:
                if points and dist(points[-1], lines[side][0]) > _STEP:
                    runs.append(run._replace(line=tuple(points)))
                    points = []
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
    number: int, hexes: Sequence[str], middles: Sequence[Point], points: Sequence[Point], *, square: bool
) -> Point:
    """The direction in which a way crosses the hexside after a hex of its course: that of the hexsides before and after,
    so that it does not swing with the rows of hexes. square: whether it is square to the hexside instead.
    """
    if square:
        return _direction(points[number], points[number + 1])
    return _direction(middles[number - 1], middles[number + 1])


def _along(line: Line, start: Point) -> Line:
    """A line turned so that it begins at the end that is nearer to a point."""
    return line if dist(line[0], start) <= dist(line[-1], start) else line[::-1]


def _turn(start: Point, end: Point, other: Point) -> float:
    """How far a point lies to the right of the way from one to another, below 0 to its left."""
    (x0, y0), (x1, y1), (x2, y2) = start, end, other
    return (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)


def _blend(own: Line, beside: Line, *, starts: bool, ends: bool, start: Point | None) -> Line:
    """A line that runs as the one beside it, but at its first and its last end on its own where it starts or ends to do
    so. start: where it begins instead, at the end of the line before it.
    """
    own_far, far = reach(own), reach(beside)
    points = []
    for number in range(_ASIDE_STEPS + 1):
        share = number / _ASIDE_STEPS
        coming = min(share / _COMING if starts else 1.0, (1 - share) / _COMING if ends else 1.0, 1.0)
        point, _ = point_at(beside, far, share * far[-1])
        if coming < 1:
            at_own, _ = point_at(own, own_far, share * own_far[-1])
            point = point_between(at_own, point, coming * coming * (3 - 2 * coming))
        points.append(point)
    return (start or points[0], *points[1:])


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


def is_broad(gauge: str) -> bool:
    """Whether trains of broad gauge run on a railway."""
    return BROAD in GAUGES.get(gauge, ())


def railway_shapes(run: Run, palette: Palette, larger: float = 1.0) -> list[Shape]:
    """A line with ticks across, in pairs on a thicker line for double track; one of broad gauge is wider with a light
    middle, one of both gauges so by turns.

    larger: how much wider it is than on a hex of full size; on a map too small for hexes broad gauge has its colour alone.
    """
    first, *others = rail_colours(run, palette)
    double, is_open = is_double(run.word), is_broad(run.gauge) and larger <= _OPEN_TO
    plain = (_DOUBLE if double else _SINGLE) * larger
    width = plain + _BROADER * larger if is_open else plain
    tick, apart, pair = _TICK * larger, _TICKS * larger, _PAIR * larger
    dash = tuple(length * larger for length in _DASH) if run.doubtful else ()
    gap = (pair, tick, apart - pair - 2 * tick) if double else (apart - tick,)
    ticks, reach = (
        mix(first, PLAIN, 0.4) if run.doubtful else first,
        max(plain + _REACH * larger, width + _SHORTEST * larger),
    )
    by_turns = (apart, apart) if others else ()
    shapes: list[Shape] = [
        Polyline(points=run.line, stroke=first, width=width, dash=dash, butt=bool(dash)),
        Polyline(points=run.line, stroke=ticks, width=reach, dash=(tick, *gap), butt=True),
    ]
    shapes += [Polyline(points=run.line, stroke=other, width=width, dash=by_turns, butt=True) for other in others]
    if is_open:
        middle = width * _OPEN
        shapes.append(Polyline(points=run.line, stroke=PLAIN, width=middle, dash=by_turns, butt=bool(by_turns)))
    return shapes


def road_shapes(run: Run, palette: Palette, larger: float = 1.0) -> list[Shape]:
    """A road: broad, thin or dashed according to its word. larger: how much wider it is than on a hex of full size."""
    parts = set(run.word.casefold().split("-"))
    dash: tuple[float, ...] = (2.0, 1.2) if parts & {"secondary", "track", "trail"} else _DASH if run.doubtful else ()
    dash = tuple(length * larger for length in dash)
    colour, width = palette.link(run.word, ROAD), (1.2 if "primary" in parts else 0.75) * larger
    return [Polyline(points=run.line, stroke=colour, width=width, dash=dash, butt=bool(dash))]


def crossing_layer(survey: Survey, waters: Waters, ways: Ways) -> Layer:
    """All crossings; none on a small map."""
    if survey.scale.small:
        return Layer("bridges", ())
    gaps: dict[tuple[str, float], list[Line]] = defaultdict(list)
    walls: list[Line] = []
    shapes: list[Shape] = []
    for name in {**survey.roads, **survey.rails}:
        if not (width := waters.width_at(name)):
            continue
        met = [(_met(survey, name, waters.middle_at(name), line), is_rail) for line, is_rail in ways.across(name)]
        (one, is_rail), (other, _) = met[0], met[-1]
        half = (_RAIL if is_rail else _ROAD) + dist(one, other) / 2
        ends = _ends(survey, name, width, point_between(one, other, 0.5))
        gaps[_ground(survey, name), round(half * 2, 1)].append(ends)
        walls += _walls(ends, half)
    for name, word in survey.crossings.items():
        if name not in survey.roads and name not in survey.rails:
            width = waters.width_at(name) or waters.lake_at(name) or 2 * _BEYOND
            shapes += crossing_shapes(word, _ends(survey, name, width, waters.middle_at(name)), _ground(survey, name))
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


def _square_to(survey: Survey, name: str) -> Point:
    """The direction square to a hexside."""
    side = survey.sides[name]
    return _direction(survey.layout.centre(side.one), survey.layout.centre(side.other))


def _met(survey: Survey, name: str, middle: Point, line: Line) -> Point:
    """Where a way meets the water along a hexside, which runs past a point in the direction of the hexside."""
    across, down = _square_to(survey, name)
    offs = [(x - middle[0]) * across + (y - middle[1]) * down for x, y in line]
    for (one, other), (here, there) in zip(pairwise(line), pairwise(offs), strict=True):
        if here != there and here * there <= 0:
            return point_between(one, other, here / (here - there))
    return min(line, key=lambda point: dist(point, middle))


def _ends(survey: Survey, name: str, width: float, middle: Point) -> tuple[Point, Point]:
    """Where a crossing of a hexside begins and ends. middle: of the crossing."""
    across, down = _square_to(survey, name)
    far = width * 0.6 + _BEYOND
    (x, y) = middle
    return (x - across * far, y - down * far), (x + across * far, y + down * far)


def _ground(survey: Survey, name: str) -> str:
    """The colour of the banks."""
    side = survey.sides[name]
    return mix(survey.ground(side.one), survey.ground(side.other), 0.5)


def _walls(ends: tuple[Point, Point], half: float) -> Iterator[Line]:
    """Both sides of a bridge, splayed at their ends."""
    far = dist(*ends) or 1.0
    for by in (-half, half):
        wall = aside(ends, ends, by)
        beyond = _WINGS / far
        outward = _WINGS if by > 0 else -_WINGS
        first, last = (
            aside([point_between(wall[0], wall[1], share)], ends, outward)[0] for share in (-beyond, 1 + beyond)
        )
        yield (first, *wall, last)
