"""Rivers, borders, roads and railways as whole courses, joined from hexsides, and smooth lines along them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import hypot
from typing import Generic, NamedTuple, TypeVar

from ...game.boards import HexChain
from ...game.hexes import Corner
from ...state.state import hexside
from ..scene import Point
from .survey import Survey

Line = tuple[Point, ...]
_SMOOTHING_SHARES = (0.778, -0.507, 0.911, 0.507, -2.572, 0.581)
"""The steps that calm a zigzag, as shares of the way to the middle of the neighbours.

These six have nearly the effect of sixteen pairs of 0.6 and -0.62.
"""


def smooth(points: Sequence[Point], steps: int = 4, *, closed: bool = False) -> Line:
    """Return a smooth curve near points (a quadratic B-spline).

    It passes through the middles between consecutive points, and through both ends unless it is closed. It deviates
    from the corners of the given line by at most an eighth of the bend there.

    `steps`: the number of points on the curve for each given point.
    """
    if len(points) < 3:
        return tuple(points)
    weights = _curve_weights(steps)
    line: list[Point] = [] if closed else [points[0]]
    around = [points[-1], *points, points[0]] if closed else points
    last = len(around) - 2
    (x0, y0), (x1, y1) = around[0], around[1]
    if closed:
        x0, y0 = (x0 + x1) / 2, (y0 + y1) / 2
    for number, (x2, y2) in enumerate(around[2:], 1):
        x, y = (x2, y2) if number == last and not closed else ((x1 + x2) / 2, (y1 + y2) / 2)
        for a, b, c in weights:
            line.append((a * x0 + b * x1 + c * x, a * y0 + b * y1 + c * y))
        x0, y0, x1, y1 = x, y, x2, y2
    return tuple(line)


@cache
def _curve_weights(steps: int) -> list[tuple[float, float, float]]:
    shares = [number / steps for number in range(1, steps + 1)]
    return [((1 - t) * (1 - t), 2 * t * (1 - t), t * t) for t in shares]


def calm_line(points: Sequence[Point], moved: Sequence[int]) -> list[Point]:
    """Return a line with less of the zigzag of hexsides.

    Points move alternately towards the middle of their neighbours and back, so that a bulge keeps its size (Taubin's
    smoothing).

    `moved`: the indexes of the points that may move; the line is closed if its first or last point may.
    """
    line = [complex(x, y) for x, y in points]  # complex numbers, for speed
    movable = frozenset(moved)
    weights = [0.5 if at in movable else 0.0 for at in range(len(line))]
    for share in _SMOOTHING_SHARES:
        around = zip([line[-1], *line[:-1]], line, [*line[1:], line[0]], weights, strict=True)
        line = [at + share * weight * (before + after - at - at) for before, at, after, weight in around]
    return [(point.real, point.imag) for point in line]


def quadratic_curve(start: Point, control: Point, end: Point, steps: int) -> list[Point]:
    """Return a quadratic Bézier curve, without its start."""
    (x0, y0), (x1, y1), (x2, y2) = start, control, end
    return [(a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2) for a, b, c in _curve_weights(steps)]


def cubic_curve(start: Point, leaving: Point, arriving: Point, end: Point, steps: int) -> list[Point]:
    """Return a cubic Bézier curve, without its start."""
    line = []
    for number in range(1, steps + 1):
        t = number / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        line.append(
            (
                a * start[0] + b * leaving[0] + c * arriving[0] + d * end[0],
                a * start[1] + b * leaving[1] + c * arriving[1] + d * end[1],
            )
        )
    return line


def _find_normals(line: Sequence[Point]) -> list[Point]:
    """Return at each point the unit vector to the right of the line."""
    if len(line) < 2:
        return [(0.0, 0.0)] * len(line)
    normals = []
    for (x0, y0), (x1, y1) in zip((line[0], *line[:-1]), (*line[1:], line[-1]), strict=True):
        across, down = x1 - x0, y1 - y0
        length = (across * across + down * down) ** 0.5 or 1.0
        normals.append((-down / length, across / length))
    return normals


def shift_line(line: Sequence[Point], by: float | Sequence[float]) -> Line:
    """Return a line moved to its right.

    `by`: one distance, or one for each point.
    """
    distances = [by] * len(line) if isinstance(by, int | float) else by
    sides = _find_normals(line)
    return tuple([(x + dx * far, y + dy * far) for (x, y), (dx, dy), far in zip(line, sides, distances, strict=True)])


def ribbon(line: Sequence[Point], widths: Sequence[float]) -> Line:
    """Return the outline of a line that has the given width at each point."""
    right = shift_line(line, [width / 2 for width in widths])
    left = shift_line(line, [-width / 2 for width in widths])
    return (*right, *reversed(left))


def lengths_along(line: Sequence[Point]) -> list[float]:
    """Return the distance of each point from the start, along the line."""
    lengths = [0.0]
    for (x0, y0), (x1, y1) in pairwise(line):
        lengths.append(lengths[-1] + hypot(x1 - x0, y1 - y0))
    return lengths


def point_at(line: Sequence[Point], reaches: Sequence[float], distance: float) -> tuple[Point, Point]:
    """Return the point at a distance along a line, and the direction there.

    `reaches`: the result of `lengths_along` for the line.
    """
    number = min(max(bisect_right(reaches, distance) - 1, 0), len(line) - 2)
    (x0, y0), (x1, y1) = line[number], line[number + 1]
    length = reaches[number + 1] - reaches[number] or 1.0
    share = (distance - reaches[number]) / length
    return (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), ((x1 - x0) / length, (y1 - y0) / length)


def cut_start(line: Line, length: float) -> Line:
    """Return a line without its first `length`."""
    reaches = lengths_along(line)
    return (
        point_at(line, reaches, length)[0],
        *(point for point, at in zip(line, reaches, strict=True) if at > length),
    )


Node = TypeVar("Node", bound=Hashable)


class MapCourse(NamedTuple, Generic[Node]):
    """A course: its name or "", its hexsides in order, and the nodes between them.

    There is one more node than hexsides. Nodes are corners if the course runs along hexsides, and hexes if it crosses
    them.
    """

    name: str
    sides: tuple[str, ...]
    nodes: tuple[Node, ...]


def courses_along(survey: Survey, sides: Iterable[str], track: str) -> list[MapCourse[Corner]]:
    """Return the courses along the given hexsides: first the board's chains that state the track, then the rest."""
    ends = {name: (survey.sides[name].start, survey.sides[name].end) for name in sides}
    chains = [(chain.name, chain.path) for chain in survey.board.chains if chain.along and _states(chain, track)]
    return _find_courses(ends, chains, survey.point)


def courses_across(survey: Survey, sides: Iterable[str], track: str) -> list[MapCourse[str]]:
    """Return the courses from hex to hex across the given hexsides, in the order of `courses_along`."""
    ends = {name: (survey.sides[name].one, survey.sides[name].other) for name in sides}
    chains: list[tuple[str, tuple[str, ...]]] = []
    for chain in survey.board.chains:
        if not chain.along and _states(chain, track):
            crossed = tuple(hexside(one, other) for one, other in pairwise(chain.path))
            chains.append((chain.name, crossed))
    return _find_courses(ends, chains, survey.layout.centre)


def _states(chain: HexChain, track: str) -> bool:
    return any(stated == track for stated, _ in chain.facts)


def _find_courses(
    ends: Mapping[str, tuple[Node, Node]], chains: Sequence[tuple[str, Sequence[str]]], point: Callable[[Node], Point]
) -> list[MapCourse[Node]]:
    """Return the courses of the sides in `ends`: first along the chains, then through the remaining sides."""
    unused = dict(ends)
    courses = []
    for name, path in chains:
        run: list[str] = []
        for side in (*path, ""):
            if side in unused and (not run or not {*ends[run[-1]]}.isdisjoint(ends[side])):
                run.append(side)
                del unused[side]
                continue
            if run:
                courses.append(_make_course(name, run, ends))
            run = []
            if side in unused:
                run.append(side)
                del unused[side]
    return _join(courses) + _follow_rest(unused, point)


def _make_course(name: str, sides: Sequence[str], ends: Mapping[str, tuple[Node, Node]]) -> MapCourse[Node]:
    first, last = ends[sides[0]]
    if len(sides) > 1 and first in ends[sides[1]] and last not in ends[sides[1]]:
        first, last = last, first
    nodes = [first]
    for side in sides:
        one, other = ends[side]
        nodes.append(other if nodes[-1] == one else one)
    return MapCourse(name, tuple(sides), tuple(nodes))


def _join(courses: list[MapCourse[Node]]) -> list[MapCourse[Node]]:
    """Return the courses, joined if one ends where another of the same name starts."""
    starting: dict[tuple[str, Node], MapCourse[Node]] = {}
    for course in courses:
        if course.name:
            starting.setdefault((course.name, course.nodes[0]), course)
    joined, used, followed = [], set[str](), set[str]()  # `used`, `followed`: first sides, which are unique to a course
    for course in courses:
        after = starting.get((course.name, course.nodes[-1]))
        if after is not None:
            followed.add(after.sides[0])
    for course in sorted(courses, key=lambda course: course.sides[0] in followed):
        if course.sides[0] in used:
            continue
        used.add(course.sides[0])
        while (after := starting.get((course.name, course.nodes[-1]))) is not None and after.sides[0] not in used:
            used.add(after.sides[0])
            course = MapCourse(course.name, course.sides + after.sides, course.nodes + after.nodes[1:])
        joined.append(course)
    return joined


def _follow_rest(unused: dict[str, tuple[Node, Node]], point: Callable[[Node], Point]) -> list[MapCourse[Node]]:
    """Return the courses of sides without a chain; at a fork a course continues straight on."""
    sides_at: dict[Node, list[str]] = {}
    for side, pair in unused.items():
        for node in pair:
            sides_at.setdefault(node, []).append(side)

    def walk(side: str, start: Node) -> MapCourse[Node]:
        sides, nodes = [], [start]
        while side:
            one, other = unused.pop(side)
            sides.append(side)
            nodes.append(other if nodes[-1] == one else one)
            ways = [way for way in sides_at[nodes[-1]] if way in unused]
            side = max(ways, key=lambda way: _straightness(nodes, unused[way], point)) if ways else ""
        return MapCourse("", tuple(sides), tuple(nodes))

    courses = []
    for node, sides in sides_at.items():
        if len(sides) == 1 and sides[0] in unused:
            courses.append(walk(sides[0], node))
    while unused:
        side, (start, _) = next(iter(unused.items()))
        courses.append(walk(side, start))
    return courses


def _straightness(nodes: Sequence[Node], ends: tuple[Node, Node], point: Callable[[Node], Point]) -> float:
    """Return a number that is greater for a smaller bend between the end of a course and the next side."""
    (x0, y0), (x1, y1) = point(nodes[-2]), point(nodes[-1])
    x2, y2 = point(ends[1] if ends[0] == nodes[-1] else ends[0])
    return (x1 - x0) * (x2 - x1) + (y1 - y0) * (y2 - y1)
