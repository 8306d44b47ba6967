"""Rivers, borders, roads and railways as whole courses put together from hexsides, and the smooth lines that are drawn
along them.
"""

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
_CALMING = (0.778, -0.507, 0.911, 0.507, -2.572, 0.581)
"""What shares of the way points go there and back as a zigzag is calmed: in six turns what 0.6 and -0.62 do in sixteen,
but for a sixtieth of any bulge.
"""


def smooth(points: Sequence[Point], steps: int = 4, *, closed: bool = False) -> Line:
    """Return a curve near points (a quadratic B-spline): through the middles between two of them, and through both ends
    of an open one.

    steps: points on it for each one given. It never leaves the corners of the given line by more than an eighth of the
    bend there.
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
    """Return a line with less of the zigzag of hexsides. moved: the places of the points that may move; the line is
    closed if its first or last point is among them.

    Each point goes towards the middle of its neighbours and back by turns, so that a bulge keeps its size (Taubin's
    smoothing).
    """
    line = [complex(x, y) for x, y in points]  # both lengths of a point at once
    free = frozenset(moved)
    moves = [0.5 if at in free else 0.0 for at in range(len(line))]
    for share in _CALMING:
        around = zip([line[-1], *line[:-1]], line, [*line[1:], line[0]], moves, strict=True)
        line = [at + share * move * (before + after - at - at) for before, at, after, move in around]
    return [(point.real, point.imag) for point in line]


def quadratic_curve(start: Point, control: Point, end: Point, steps: int) -> list[Point]:
    """Return a curve from one point to another (a quadratic Bézier), without its start."""
    (x0, y0), (x1, y1), (x2, y2) = start, control, end
    return [(a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2) for a, b, c in _curve_weights(steps)]


def cubic_curve(start: Point, leaving: Point, arriving: Point, end: Point, steps: int) -> list[Point]:
    """Return a curve from one point to another (a cubic Bézier), without its start. leaving, arriving: its controls."""
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
    """Return at each point the direction to the right of the way, of length 1."""
    if len(line) < 2:
        return [(0.0, 0.0)] * len(line)
    normals = []
    for (x0, y0), (x1, y1) in zip((line[0], *line[:-1]), (*line[1:], line[-1]), strict=True):
        across, down = x1 - x0, y1 - y0
        length = (across * across + down * down) ** 0.5 or 1.0
        normals.append((-down / length, across / length))
    return normals


def shift_line(line: Sequence[Point], by: float | Sequence[float]) -> Line:
    """Return a line moved to its right, by one distance or by one for each point."""
    distances = [by] * len(line) if isinstance(by, int | float) else by
    sides = _find_normals(line)
    return tuple([(x + dx * far, y + dy * far) for (x, y), (dx, dy), far in zip(line, sides, distances, strict=True)])


def ribbon(line: Sequence[Point], widths: Sequence[float]) -> Line:
    """Return the outline of a line that has its width at each point."""
    right = shift_line(line, [width / 2 for width in widths])
    left = shift_line(line, [-width / 2 for width in widths])
    return (*right, *reversed(left))


def lengths_along(line: Sequence[Point]) -> list[float]:
    """Return how far each point is from the start, along the line."""
    lengths = [0.0]
    for (x0, y0), (x1, y1) in pairwise(line):
        lengths.append(lengths[-1] + hypot(x1 - x0, y1 - y0))
    return lengths


def point_at(line: Sequence[Point], far: Sequence[float], distance: float) -> tuple[Point, Point]:
    """Return the point at a distance along a line, and the direction there. far: as `reach` has it."""
    number = min(max(bisect_right(far, distance) - 1, 0), len(line) - 2)
    (x0, y0), (x1, y1) = line[number], line[number + 1]
    length = far[number + 1] - far[number] or 1.0
    share = (distance - far[number]) / length
    return (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), ((x1 - x0) / length, (y1 - y0) / length)


def cut_start(line: Line, length: float) -> Line:
    """Return a line without so much of it."""
    far = lengths_along(line)
    return (point_at(line, far, length)[0], *(point for point, at in zip(line, far, strict=True) if at > length))


Node = TypeVar("Node", bound=Hashable)


class MapCourse(NamedTuple, Generic[Node]):
    """A course: its name, "" for none, the hexsides in their order, and the nodes that they join, one more than these.

    The nodes are corners if it runs along the hexsides, and hexes if it crosses them.
    """

    name: str
    sides: tuple[str, ...]
    nodes: tuple[Node, ...]


def courses_along(survey: Survey, sides: Iterable[str], track: str) -> list[MapCourse[Corner]]:
    """Return the courses along some hexsides: as the chains of the board run that state a track, then what is left."""
    ends = {name: (survey.sides[name].start, survey.sides[name].end) for name in sides}
    chains = [(chain.name, chain.path) for chain in survey.board.chains if chain.along and _states(chain, track)]
    return _find_courses(ends, chains, survey.point)


def courses_across(survey: Survey, sides: Iterable[str], track: str) -> list[MapCourse[str]]:
    """Return the courses from hex to hex across some hexsides, as `courses_along` has those along them."""
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
    """Return the courses of some sides, given with the nodes that each joins: along the chains, then what they leave."""
    left = dict(ends)
    courses = []
    for name, path in chains:
        run: list[str] = []
        for side in (*path, ""):
            if side in left and (not run or not {*ends[run[-1]]}.isdisjoint(ends[side])):
                run.append(side)
                del left[side]
                continue
            if run:
                courses.append(_make_course(name, run, ends))
            run = []
            if side in left:
                run.append(side)
                del left[side]
    return _join(courses) + _follow_rest(left, point)


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
    """Return the courses, those of one name that end where another one begins as one."""
    starting: dict[tuple[str, Node], MapCourse[Node]] = {}
    for course in courses:
        if course.name:
            starting.setdefault((course.name, course.nodes[0]), course)
    joined, used, followed = [], set[str](), set[str]()  # by the first side, which no other course has
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


def _follow_rest(left: dict[str, tuple[Node, Node]], point: Callable[[Node], Point]) -> list[MapCourse[Node]]:
    """Return what no chain names, from its ends; at a fork the way goes straight on."""
    at: dict[Node, list[str]] = {}
    for side, pair in left.items():
        for node in pair:
            at.setdefault(node, []).append(side)

    def walk(side: str, start: Node) -> MapCourse[Node]:
        sides, nodes = [], [start]
        while side:
            one, other = left.pop(side)
            sides.append(side)
            nodes.append(other if nodes[-1] == one else one)
            ways = [way for way in at[nodes[-1]] if way in left]
            side = max(ways, key=lambda way: _straightness(nodes, left[way], point)) if ways else ""
        return MapCourse("", tuple(sides), tuple(nodes))

    courses = []
    for node, sides in at.items():
        if len(sides) == 1 and sides[0] in left:
            courses.append(walk(sides[0], node))
    while left:
        side, (start, _) = next(iter(left.items()))
        courses.append(walk(side, start))
    return courses


def _straightness(nodes: Sequence[Node], ends: tuple[Node, Node], point: Callable[[Node], Point]) -> float:
    """Return how little the way bends if it goes on so."""
    (x0, y0), (x1, y1) = point(nodes[-2]), point(nodes[-1])
    x2, y2 = point(ends[1] if ends[0] == nodes[-1] else ends[0])
    return (x1 - x0) * (x2 - x1) + (y1 - y0) * (y2 - y1)
