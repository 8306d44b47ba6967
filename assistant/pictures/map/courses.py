"""Rivers, borders, roads and railways as whole courses: the pieces that lie on hexsides or between hexes, put together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from ...drawing.scene import Point
from ...game.boards import Chain
from ...game.hexes import Corner
from ...state.state import hexside
from .survey import Survey

Node = TypeVar("Node", bound=Hashable)


class Course(NamedTuple, Generic[Node]):
    """A course: its name, "" for none, the hexsides in their order, and the nodes that they join, one more than these.

    The nodes are corners if it runs along the hexsides, and hexes if it crosses them.
    """

    name: str
    sides: tuple[str, ...]
    nodes: tuple[Node, ...]


def along(survey: Survey, sides: Iterable[str], track: str) -> list[Course[Corner]]:
    """The courses along some hexsides: as the chains of the board run that state a track, then what is left."""
    ends = {name: (survey.sides[name].start, survey.sides[name].end) for name in sides}
    chains = [(chain.name, chain.path) for chain in survey.board.chains if chain.along and _states(chain, track)]
    return _courses(ends, chains, survey.point)


def across(survey: Survey, sides: Iterable[str], track: str) -> list[Course[str]]:
    """The courses from hex to hex across some hexsides, as `along` has those along them."""
    ends = {name: (survey.sides[name].one, survey.sides[name].other) for name in sides}
    chains = [
        (chain.name, tuple(hexside(one, other) for one, other in pairwise(chain.path)))
        for chain in survey.board.chains
        if not chain.along and _states(chain, track)
    ]
    return _courses(ends, chains, survey.layout.centre)


def _states(chain: Chain, track: str) -> bool:
    return any(stated == track for stated, _ in chain.facts)


def _courses(
    ends: Mapping[str, tuple[Node, Node]], chains: Sequence[tuple[str, Sequence[str]]], point: Callable[[Node], Point]
) -> list[Course[Node]]:
    left = dict(ends)
    courses = []
    for name, path in chains:
        run: list[str] = []
        for side in (*path, ""):
            if side in left and (not run or _touch(ends[run[-1]], ends[side])):
                run.append(side)
                del left[side]
                continue
            if run:
                courses.append(_course(name, run, ends))
            run = []
            if side in left:
                run.append(side)
                del left[side]
    return _joined(courses, point) + _rest(left, point)


def _touch(one: tuple[Node, Node], other: tuple[Node, Node]) -> bool:
    return one[0] in other or one[1] in other


def _course(name: str, sides: Sequence[str], ends: Mapping[str, tuple[Node, Node]]) -> Course[Node]:
    first, last = ends[sides[0]]
    if len(sides) > 1 and first in ends[sides[1]] and last not in ends[sides[1]]:
        first, last = last, first
    nodes = [first]
    for side in sides:
        one, other = ends[side]
        nodes.append(other if nodes[-1] == one else one)
    return Course(name, tuple(sides), tuple(nodes))


def _joined(courses: list[Course[Node]], point: Callable[[Node], Point]) -> list[Course[Node]]:
    """Courses of one name that end where another one begins, as one."""
    starting: dict[tuple[str, Node], Course[Node]] = {}
    for course in courses:
        if course.name:
            starting.setdefault((course.name, course.nodes[0]), course)
    joined, used = [], set[int]()
    followed = {id(starting[key]) for course in courses if (key := (course.name, course.nodes[-1])) in starting}
    for course in sorted(courses, key=lambda course: id(course) in followed):
        if id(course) in used:
            continue
        used.add(id(course))
        while (after := starting.get((course.name, course.nodes[-1]))) is not None and id(after) not in used:
            used.add(id(after))
            course = Course(course.name, course.sides + after.sides, course.nodes + after.nodes[1:])
        joined.append(course)
    return joined


def _rest(left: dict[str, tuple[Node, Node]], point: Callable[[Node], Point]) -> list[Course[Node]]:
    """What no chain names, from its ends; at a fork the way goes straight on."""
    at: dict[Node, list[str]] = {}
    for side, pair in left.items():
        for node in pair:
            at.setdefault(node, []).append(side)

    def walk(side: str, start: Node) -> Course[Node]:
        sides, nodes = [], [start]
        while side:
            one, other = left.pop(side)
            sides.append(side)
            nodes.append(other if nodes[-1] == one else one)
            ways = [way for way in at[nodes[-1]] if way in left]
            side = max(ways, key=lambda way: _straight(nodes, left[way], point)) if ways else ""
        return Course("", tuple(sides), tuple(nodes))

    courses = []
    for node, sides in at.items():
        if len(sides) == 1 and sides[0] in left:
            courses.append(walk(sides[0], node))
    while left:
        side, (start, _) = next(iter(left.items()))
        courses.append(walk(side, start))
    return courses


def _straight(nodes: Sequence[Node], ends: tuple[Node, Node], point: Callable[[Node], Point]) -> float:
    """How little the way bends if it goes on so."""
    (x0, y0), (x1, y1) = point(nodes[-2]), point(nodes[-1])
    x2, y2 = point(ends[1] if ends[0] == nodes[-1] else ends[0])
    return (x1 - x0) * (x2 - x1) + (y1 - y0) * (y2 - y1)
