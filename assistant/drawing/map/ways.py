"""Roads and railways: their curves from hex to hex, and their style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, pairwise
from math import dist
from typing import NamedTuple

from ...state.state import hexside
from ..colours import INK, mix
from ..geometry import point_between
from ..scene import Layer, Point, Polyline, Shape
from ..style import HEX_MM, ROAD, UNKNOWN_GROUND, Palette
from .courses import (
    Line,
    MapCourse,
    calm_line,
    courses_across,
    cubic_curve,
    cut_start,
    lengths_along,
    point_at,
    quadratic_curve,
    shift_line,
)
from .survey import Survey

_POINTS_PER_HALF_HEX = 4
_HANDLE_SHARE = 0.42
"""The length of a curve's handles, as a share of the distance to the centre."""
_MIN_BRANCH_COSINE = 0.3
"""The minimum cosine of the angle between two ways of which one branches off the other."""
_EASY_HANDLE_SHARE = 0.36
"""The length of the handles of a curve from hexside to hexside, as a share of the distance."""
_MIN_TOWN_CURVE_COSINE = 0.6
"""The minimum cosine for a curve through a town; a sharper turn consists of two straight lines."""
_MIN_ONWARD_COSINE = 0.4
"""The minimum cosine of the bend of a way that leaves the board."""
_ROAD_TO_RAIL_MM = 3.1
"""The distance of a road from a railway beside it."""
_ROAD_TO_LINE_MM = 1.5
"""The distance of a road from a drawn line."""
_APPROACH_SHARE = 0.4
"""The share of a hexside over which a road approaches its distance from a railway or line."""
_APPROACH_STEPS = 16
_WEIGHT_OF_RAILWAY = -0.4
"""The weight of a railway that branches off in the choice of a road's side; a road weighs 1."""
_MAX_JUNCTION_DISTANCE_MM = 0.05
"""The maximum distance from a junction at which a line counts as starting there."""
_MAX_GAP_MM = HEX_MM / 4
"""The maximum gap between two lines that are joined."""


class Junction(NamedTuple):
    """A meeting point of roads in a hex.

    `passing`: the direction in which a road passes through the point.
    `through`: whether no other road joins there.
    """

    at: Point
    passing: Point
    through: bool


class MapWays:
    """The roads and railways of a survey.

    `followed`: the hexsides crossed by drawn lines, where roads keep off the lines.
    """

    def __init__(self, survey: Survey, followed: Collection[str] = ()) -> None:
        self.survey, self.followed = survey, followed

    @cached_property
    def rails(self) -> list[WayStretch]:
        courses, lines = self._railways
        return _join_runs(courses, lines, self._look_of_rail)

    @cached_property
    def roads(self) -> list[WayStretch]:
        """The roads, drawn beside the railway on hexsides with both."""
        courses, lines = self._roads
        return _join_runs(courses, lines, self._look_of_road)

    def across(self, side: str) -> Iterator[tuple[Line, bool]]:
        """Yield the lines of the ways across a hexside, and whether each is a railway."""
        for lines, is_rail in ((self._railways[1], True), (self._roads[1], False)):
            if side in lines:
                yield lines[side], is_rail

    @cached_property
    def _railways(self) -> tuple[list[MapCourse[str]], dict[str, Line]]:
        courses = courses_across(self.survey, self.survey.rails, self.survey.picture.rail)
        return courses, self._draw_lines(courses, self.survey.rails)

    @cached_property
    def _roads(self) -> tuple[list[MapCourse[str]], dict[str, Line]]:
        """The courses of the roads, and their lines by hexside.

        A road is drawn beside a railway or drawn line on the same hexside, and other roads join it there.
        """
        courses = courses_across(self.survey, self.survey.roads, self.survey.picture.road)
        lines = self._draw_lines(courses, self.survey.roads)
        beside = self._lines_beside(courses, lines)
        return courses, self._join(lines | beside, beside)

    def _lines_beside(self, courses: Sequence[MapCourse[str]], own: Mapping[str, Line]) -> dict[str, Line]:
        """Return the lines of roads beside a railway or drawn line, by hexside.

        Such a road stays on one side from town to town, and has its own place in a town.
        """
        railways, rails = self._railways
        with_rails, with_lines = rails.keys() & own.keys(), own.keys() & {*self.followed} - rails.keys()
        guided: list[tuple[MapCourse[str], Mapping[str, Line], Collection[str], float]]
        guided = [(course, rails, with_rails, _ROAD_TO_RAIL_MM) for course in railways]
        guided += [(course, own, with_lines, _ROAD_TO_LINE_MM) for course in courses]
        lines: dict[str, Line] = {}
        for course, guides, shared, distance in guided:
            for stretch in self._find_shared(course, shared):
                centres = [self.survey.layout.centre(course.nodes[number]) for number in stretch]
                parts = [
                    _turn_line(guides[course.sides[number]], centre)
                    for number, centre in zip(stretch, centres, strict=True)
                ]
                moved = _shift_parts(parts, distance * self._side_of(course, stretch, shared))
                for number, centre, part in zip(stretch, centres, moved, strict=True):
                    side = course.sides[number]
                    ends = course.nodes[number : number + 2]
                    towns = [self.survey.is_town(name) and self.survey.layout.draws(name) for name in ends]
                    line = _blend(_turn_line(own[side], centre), part, starts=towns[0], ends=towns[1])
                    lines[side] = line if own[side] == _turn_line(own[side], centre) else line[::-1]
        return lines

    def _find_shared(self, course: MapCourse[str], shared: Collection[str]) -> Iterator[range]:
        """Yield the shared hexsides of a course, as ranges of indexes that end at towns and at undrawn hexes."""
        first = 0
        for number in range(len(course.sides) + 1):
            taken = number < len(course.sides) and course.sides[number] in shared
            here = course.nodes[number]
            if taken and number > first and not self.survey.is_town(here) and self.survey.layout.draws(here):
                continue
            if number > first:
                yield range(first, number)
            first = number if taken else number + 1

    def _side_of(self, course: MapCourse[str], stretch: range, shared: Collection[str]) -> int:
        """Return the side of a stretch on which a road is drawn: 1 for the right, -1 for the left.

        It is the side to which more roads and fewer other railways branch off.
        """
        centre, nodes, turn = self.survey.layout.centre, course.nodes, 0.0
        for number in range(stretch.start, stretch.stop + 1):
            here = nodes[number]
            if self.survey.is_town(here):
                continue
            before, after = centre(nodes[max(number - 1, 0)]), centre(nodes[min(number + 1, len(nodes) - 1)])
            onward = direction_between(before, after)
            for other, is_rail in self._ways_from(here):
                side = hexside(here, other)
                if side in shared or side in course.sides:
                    continue
                across = direction_between(centre(here), centre(other))
                turn += (onward[0] * across[1] - onward[1] * across[0]) * (_WEIGHT_OF_RAILWAY if is_rail else 1.0)
        return -1 if turn < 0 else 1

    def _ways_from(self, name: str) -> Iterator[tuple[str, bool]]:
        """Yield the hexes to which roads and railways lead from a hex, and whether each is a railway."""
        for other, _, _ in self.survey.around[name]:
            side = hexside(name, other) if other else ""
            if side in self.survey.roads:
                yield other, False
            if side in self.survey.rails:
                yield other, True

    def _join(self, lines: Mapping[str, Line], beside: Mapping[str, Line]) -> dict[str, Line]:
        """Return the lines of roads, joined in each hex except towns to a road drawn beside a railway or line.

        `beside`: the lines drawn beside a railway or line, by hexside.
        """
        junctions: dict[str, Junction] = {}
        for side, line in beside.items():
            for name in side.split("|"):
                if name not in junctions and self.survey.layout.draws(name) and not self.survey.is_town(name):
                    junctions[name] = self._make_junction(name, side, line, beside)
        joined: dict[str, Line] = {}
        for side, line in lines.items():
            for name in side.split("|"):
                turned = _turn_line(line, self.survey.layout.centre(name))
                if name in junctions and (
                    junctions[name].through or dist(turned[0], junctions[name].at) > _MAX_JUNCTION_DISTANCE_MM
                ):
                    tied = _tie_line(turned, self._middle_of_side(side), junctions[name])
                    line = tied if turned is line else tied[::-1]
            joined[side] = line
        return joined

    def _make_junction(self, name: str, side: str, line: Line, beside: Mapping[str, Line]) -> Junction:
        """Return the meeting point of roads in a hex, on a road drawn beside a railway or line.

        `side`, `line`: a hexside of the road, and its line there.
        `beside`: as in `_join`.
        """
        start, then, *_ = _turn_line(line, self.survey.layout.centre(name))
        sides = [hexside(name, other) for other, is_rail in self._ways_from(name) if not is_rail]
        others = [other for other in sides if other not in beside]
        if len(sides) == 2 and others:
            return Junction(
                start, direction_between(self._middle_of_side(side), self._middle_of_side(others[0])), through=True
            )
        return Junction(start, direction_between(start, then), through=False)

    def _middle_of_side(self, side: str) -> Point:
        one, other = map(self.survey.layout.centre, side.split("|"))
        return point_between(one, other, 0.5)

    def _draw_lines(self, courses: Sequence[MapCourse[str]], words: Mapping[str, str]) -> dict[str, Line]:
        sides = [self.survey.sides[name] for name in words]
        ends_by_hex = Counter(name for side in sides for name in (side.one, side.other))
        stops = {name for name, count in ends_by_hex.items() if count != 2 or self.survey.is_town(name)}
        passing = self._find_directions(courses)
        centre = self.survey.layout.centre
        lines: dict[str, Line] = {}
        for course in courses:
            hexes = course.nodes
            points = [centre(name) for name in hexes]
            if self.survey.scale.small:
                points = calm_line(points, [at for at in range(1, len(hexes) - 1) if hexes[at] not in stops])
            middles = [point_between(here, there, 0.5) for here, there in pairwise(points)]
            half = self._draw_end(hexes[0], points[0], middles[0], passing, alone=ends_by_hex[hexes[0]] == 1)[::-1]
            for number, side in enumerate(course.sides):
                there = hexes[number + 1]
                if number + 1 == len(course.sides):
                    before = self._draw_end(
                        there, points[number + 1], middles[number], passing, alone=ends_by_hex[there] == 1
                    )
                    after: list[Point] = []
                else:
                    ends = middles[number], middles[number + 1]
                    if there in stops or self.survey.scale.small:
                        before, after = _cross_hex(*ends, points[number + 1], through=there in stops)
                    else:
                        square = self._is_square(course, number, stops)
                        leaving = _direction_leaving(number, middles, points, square=square)
                        square = self._is_square(course, number + 1, stops)
                        arriving = _direction_leaving(number + 1, middles, points, square=square)
                        way = _draw_curve(*ends, leaving, arriving)
                        before, after = way[: _POINTS_PER_HALF_HEX + 1], way[_POINTS_PER_HALF_HEX:]
                lines[side] = (*half, *before[1:])
                half = after
        return {side: self._cut_at_edge(side, line) for side, line in lines.items()}

    def _is_square(self, course: MapCourse[str], number: int, stops: Collection[str]) -> bool:
        """Return whether a way crosses a hexside at right angles: over water, at its ends, or next to one of `stops`.

        `number`: the index of the hexside in the course.
        """
        beside = course.nodes[number] in stops or course.nodes[number + 1] in stops
        return beside or not 0 < number < len(course.sides) - 1 or course.sides[number] in self.survey.barriers

    def _draw_end(
        self, name: str, centre: Point, start: Point, passing: Mapping[str, Point], *, alone: bool
    ) -> list[Point]:
        """Return the line of the end of a way in a hex.

        It ends at the centre, as a branch of another way, or off the board if no other way continues from the board's
        edge.

        `alone`: whether no other way leads on from the hex.
        """
        if alone and self.survey.layout.draws(name) and not self.survey.is_town(name):
            onward, out = self._find_way_out(name, direction_between(start, centre), centre)
            if onward > _MIN_ONWARD_COSINE:
                before, after = _cross_hex(start, out, centre, through=False)
                return [*before, *after[1:]]
        return _draw_branch(start, centre, passing.get(name))

    def _find_way_out(self, name: str, toward: Point, centre: Point) -> tuple[float, Point]:
        """Return the cosine of the smallest bend with which a line can leave the board, and the point where it leaves.

        The point is the middle of a hexside. The cosine is -1 if the line cannot leave.
        """
        outs = [
            point_between(self.survey.point(corner), self.survey.point(other), 0.5)
            for beyond, corner, other in self.survey.around[name]
            if not beyond
        ]
        ways = [(out, direction_between(centre, out)) for out in outs]
        return max(((toward[0] * x + toward[1] * y, out) for out, (x, y) in ways), default=(-1.0, centre))

    def _find_directions(self, courses: Sequence[MapCourse[str]]) -> dict[str, Point]:
        """Return the direction of a course through each hex without a town, where other ways may branch off."""
        centre = self.survey.layout.centre
        directions: dict[str, Point] = {}
        for course in courses:
            hexes = course.nodes
            for before, here, after in zip(hexes, hexes[1:], hexes[2:], strict=False):
                if not self.survey.is_town(here):
                    directions.setdefault(here, direction_between(centre(before), centre(after)))
        return directions

    def _cut_at_edge(self, name: str, line: Line) -> Line:
        side, layout = self.survey.sides[name], self.survey.layout
        if layout.draws(side.one) and layout.draws(side.other):
            return line
        here, there = layout.centre(side.one), layout.centre(side.other)
        inside = here if layout.draws(side.one) else there
        middle = min(range(len(line)), key=lambda number: dist(line[number], point_between(here, there, 0.5)))
        starts_inside = dist(inside, line[0]) < dist(inside, line[-1])
        return line[: middle + 1] if starts_inside else line[middle:]

    def _look_of_rail(self, side: str) -> WayStretch:
        doubtful = self.survey.doubtful(self.survey.picture.rail, side)
        return WayStretch((), self.survey.rails[side], self.survey.gauges.get(side, ""), doubtful)

    def _look_of_road(self, side: str) -> WayStretch:
        doubtful = self.survey.doubtful(self.survey.picture.road, side)
        return WayStretch((), self.survey.roads[side], doubtful=doubtful)

    def layers(self) -> list[Layer]:
        palette, scale = self.survey.palette, self.survey.scale
        roads = [shape for run in self.roads for shape in road_shapes(run, palette, scale.lines)]
        rails = [shape for run in self.rails for shape in railway_shapes(run, palette, scale.lines)]
        return [Layer("roads", tuple(roads)), Layer("railways", tuple(rails))]


def _join_runs(
    courses: Sequence[MapCourse[str]], lines: Mapping[str, Line], look: Callable[[str], WayStretch]
) -> list[WayStretch]:
    """Return the courses as stretches with the same style, split where a way leaves the drawn hexes."""
    runs = []
    for course in courses:
        for run, sides in groupby(course.sides, key=look):
            points: list[Point] = []
            for side in sides:
                if points and dist(points[-1], lines[side][0]) > _MAX_GAP_MM:
                    runs.append(run._replace(line=tuple(points)))
                    points = []
                points += lines[side][1:] if points else lines[side]
            runs.append(run._replace(line=tuple(points)))
    return runs


def direction_between(start: Point, end: Point) -> Point:
    """Return the unit vector from one point to another."""
    length = dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _cross_hex(start: Point, end: Point, centre: Point, *, through: bool) -> tuple[list[Point], list[Point]]:
    """Return the two halves of the way across a hex, between the middles of two hexsides.

    `through`: whether the way passes through the centre.
    """
    if not through:
        way = [start, *quadratic_curve(start, centre, end, 2 * _POINTS_PER_HALF_HEX)]
        return way[: _POINTS_PER_HALF_HEX + 1], way[_POINTS_PER_HALF_HEX:]
    direction, toward = direction_between(start, end), direction_between(start, centre)
    if direction[0] * toward[0] + direction[1] * toward[1] < _MIN_TOWN_CURVE_COSINE:
        return [start, point_between(start, centre, 0.5), centre], [centre, point_between(centre, end, 0.5), end]
    return _draw_towards(start, centre, direction), _draw_towards(end, centre, (-direction[0], -direction[1]))[::-1]


def _direction_leaving(number: int, middles: Sequence[Point], points: Sequence[Point], *, square: bool) -> Point:
    """Return the direction in which a course crosses the hexside after a hex.

    It follows the hexsides before and after, so that the way does not zigzag with the rows of hexes.

    `square`: whether it is at right angles to the hexside instead.
    """
    if square:
        return direction_between(points[number], points[number + 1])
    return direction_between(middles[number - 1], middles[number + 1])


def _turn_line(line: Line, start: Point) -> Line:
    """Return the line, reversed if that makes it begin nearer to `start`."""
    return line if dist(line[0], start) <= dist(line[-1], start) else line[::-1]


def _shift_parts(parts: Sequence[Line], by: float) -> Iterator[Line]:
    """Yield consecutive lines, shifted to their right as one line."""
    whole = [parts[0][0], *(point for part in parts for point in part[1:])]
    moved, first = shift_line(whole, by), 0
    for part in parts:
        yield moved[first : first + len(part)]
        first += len(part) - 1


def _blend(own: Line, beside: Line, *, starts: bool, ends: bool) -> Line:
    """Return the line `beside`, bent towards the line `own` at the chosen ends."""
    if not (starts or ends):
        return beside
    own_reaches, reaches = lengths_along(own), lengths_along(beside)
    points = []
    for number in range(_APPROACH_STEPS + 1):
        share = number / _APPROACH_STEPS
        nearness = min(share / _APPROACH_SHARE if starts else 1.0, (1 - share) / _APPROACH_SHARE if ends else 1.0, 1.0)
        point, _ = point_at(beside, reaches, share * reaches[-1])
        if nearness < 1:
            at_own, _ = point_at(own, own_reaches, share * own_reaches[-1])
            point = point_between(at_own, point, nearness * nearness * (3 - 2 * nearness))
        points.append(point)
    return tuple(points)


def _tie_line(line: Line, middle: Point, junction: Junction) -> Line:
    """Return a line that leaves a junction like a branch of the way through the junction.

    `middle`: the middle of the hexside.
    """
    number = max(min(range(len(line)), key=lambda index: dist(line[index], middle)), 1)
    end, (x, y), (across, down) = line[number], junction.at, junction.passing
    distance, toward = dist(junction.at, end), direction_between(junction.at, end)
    cosine = toward[0] * across + toward[1] * down
    leaving = point_between(junction.at, end, _HANDLE_SHARE)
    if abs(cosine) >= _MIN_BRANCH_COSINE:
        handle = distance * _HANDLE_SHARE * (1 if cosine > 0 else -1)
        leaving = x + across * handle, y + down * handle
    arriving = direction_between(line[number - 1], line[min(number + 1, len(line) - 1)])
    before = end[0] - arriving[0] * distance * _HANDLE_SHARE, end[1] - arriving[1] * distance * _HANDLE_SHARE
    return (junction.at, *cubic_curve(junction.at, leaving, before, end, 2 * _POINTS_PER_HALF_HEX), *line[number + 1 :])


def _draw_curve(start: Point, end: Point, leaving: Point, arriving: Point) -> list[Point]:
    handle = dist(start, end) * _EASY_HANDLE_SHARE
    one = start[0] + leaving[0] * handle, start[1] + leaving[1] * handle
    other = end[0] - arriving[0] * handle, end[1] - arriving[1] * handle
    return [start, *cubic_curve(start, one, other, end, 2 * _POINTS_PER_HALF_HEX)]


def _draw_branch(start: Point, centre: Point, passing: Point | None) -> list[Point]:
    """Return the end of a way at a centre, as a branch of a way that passes there in a similar direction."""
    toward = direction_between(start, centre)
    cosine = toward[0] * passing[0] + toward[1] * passing[1] if passing else 0.0
    if passing is None or abs(cosine) < _MIN_BRANCH_COSINE:
        return [start, point_between(start, centre, 0.5), centre]
    return _draw_towards(start, centre, passing if cosine > 0 else (-passing[0], -passing[1]))


def _draw_towards(start: Point, centre: Point, direction: Point) -> list[Point]:
    handle = dist(start, centre) * _HANDLE_SHARE
    arriving = centre[0] - direction[0] * handle, centre[1] - direction[1] * handle
    return [
        start,
        *cubic_curve(start, point_between(start, centre, _HANDLE_SHARE), arriving, centre, _POINTS_PER_HALF_HEX),
    ]


# --- appearance of railways and roads ---------------------------------------------------------------------------------

_TICK_WIDTH_MM = 0.5
_TICK_DISTANCE_MM = HEX_MM / 5
_PAIR_DISTANCE_MM = 1.15
"""The distance between the two ticks for double track."""
_SINGLE_TRACK_WIDTH_MM = 0.7
_DOUBLE_TRACK_WIDTH_MM = 1.15
_TICK_REACH_MM = 1.1
"""The length of ticks beyond the railway on each side."""
_BROAD_TICK_REACH_MM = 1.7
"""The length of the ticks of broad gauge, which alternate from side to side."""
_DOUBTFUL_DASH_MM = (2.4, 1.2)
STANDARD_GAUGE_COLOUR = INK
"""The colour of standard gauge."""
BROAD_GAUGE_COLOUR = "#983a12"
"""The colour of broad gauge."""
GAUGES = {
    "standard": (STANDARD_GAUGE_COLOUR,),
    "broad": (BROAD_GAUGE_COLOUR,),
    "both": (STANDARD_GAUGE_COLOUR, BROAD_GAUGE_COLOUR),
    "dual": (STANDARD_GAUGE_COLOUR, BROAD_GAUGE_COLOUR),
}
"""The colours of gauges, which differ in lightness too."""


class WayStretch(NamedTuple):
    """A stretch of a way with the same style: its line, its word, its gauge, and whether it is doubtful."""

    line: Line
    word: str
    gauge: str = ""
    doubtful: bool = False


def is_double(word: str) -> bool:
    """Return whether the word for a railway means double track."""
    return word.endswith("2") or "double" in word


def _colours_of_rail(run: WayStretch, palette: Palette) -> tuple[str, ...]:
    stated = palette.link(run.gauge or run.word, "")
    return (stated,) if stated else GAUGES.get(run.gauge, (INK,))


def railway_shapes(run: WayStretch, palette: Palette, larger: float = 1.0) -> list[Shape]:
    """Return a line with ticks, in pairs on a thicker line for double track.

    The ticks of standard gauge lie across the line, those of broad gauge alternate from side to side. A line of both
    gauges alternates their colours.
    """
    first, *others = _colours_of_rail(run, palette)
    double = is_double(run.word)
    width = (_DOUBLE_TRACK_WIDTH_MM if double else _SINGLE_TRACK_WIDTH_MM) * larger
    tick, tick_distance, pair_gap = _TICK_WIDTH_MM * larger, _TICK_DISTANCE_MM * larger, _PAIR_DISTANCE_MM * larger
    dash = tuple(length * larger for length in _DOUBTFUL_DASH_MM) if run.doubtful else ()
    ticks = mix(first, UNKNOWN_GROUND, 0.4) if run.doubtful else first
    shapes: list[Shape] = [Polyline(points=run.line, stroke=first, width=width, dash=dash, butt=bool(dash))]
    ticks_in_turn = (tick, pair_gap, tick) if double else (tick,)
    if GAUGES.get(run.gauge) == (BROAD_GAUGE_COLOUR,):
        tick_length = width / 2 + _BROAD_TICK_REACH_MM * larger
        for line, by in ((run.line, tick_length / 2), (cut_start(run.line, tick_distance), -tick_length / 2)):
            gap = 2 * tick_distance - sum(ticks_in_turn)
            shapes.append(
                Polyline(
                    points=shift_line(line, by), stroke=ticks, width=tick_length, dash=(*ticks_in_turn, gap), butt=True
                )
            )
    else:
        across = width + 2 * _TICK_REACH_MM * larger
        shapes.append(
            Polyline(
                points=run.line,
                stroke=ticks,
                width=across,
                dash=(*ticks_in_turn, tick_distance - sum(ticks_in_turn)),
                butt=True,
            )
        )
    by_turns = (tick_distance, tick_distance)
    shapes += [Polyline(points=run.line, stroke=other, width=width, dash=by_turns, butt=True) for other in others]
    return shapes


def road_shapes(run: WayStretch, palette: Palette, larger: float = 1.0) -> list[Shape]:
    """Return a road: broad, thin or dashed according to its word."""
    parts = set(run.word.casefold().split("-"))
    dash: tuple[float, ...] = _DOUBTFUL_DASH_MM if run.doubtful else ()
    if parts & {"secondary", "track", "trail"}:
        dash = (2.0, 1.2)
    dash = tuple(length * larger for length in dash)
    colour, width = palette.link(run.word, ROAD), (1.2 if "primary" in parts else 0.75) * larger
    return [Polyline(points=run.line, stroke=colour, width=width, dash=dash, butt=bool(dash))]
