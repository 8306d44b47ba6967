"""Lanes: the lines of named ways, side by side where ways to different goals share hexes, and their numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby, pairwise, permutations
from math import atan2, cos, dist, hypot, pi, sin
from typing import NamedTuple

from ...asking.sketch import Arrow
from ..colours import INK, WHITE
from ..geometry import PageBox, box_around, distance_inside, move_towards, point_between, shift_aside
from ..layout import Layout
from ..lettering import base_line
from ..scene import Circle, Group, Layer, Point, Shape, Text
from .bridges import find_bridges

LANE_PITCH_MM = 2.7
"""The distance between lanes side by side."""
_DETOUR_RADIUS_MM = 14.2
"""The distance from the middle of a hex to a way round its counters."""
_DETOUR_STEP_RADIANS = pi / 9
"""The angle between the points of a detour."""
_GAP_TO_COUNTERS_MM = 0.9
_CHANGE_MM = 3.5
"""The length, before and after the middle of a hex, in which a way that leads straight on changes its lane."""
_MAX_GOALS_TRIED = 4
"""The maximum number of goals whose lanes are tried in each order."""
_SAME_DIRECTION = 0.05
"""The sine of an angle below which two directions are the same."""

Step = tuple[str, str]
"""A hex and the next one."""
_Detour = tuple[int, str]
"""The number of a way, and a hex on it with counters."""


class _Lanes(NamedTuple):
    """The offsets of the ways to each goal from the centres of hexes."""

    offsets: Mapping[tuple[int, Step], float]
    """For each goal and step the distance of the lane to the right of the centres, in mm."""

    def at(self, goal: int, step: Step) -> float:
        return self.offsets.get((goal, step), 0.0)


def lane_lines(
    layout: Layout, ways: Sequence[Arrow], attacks: Mapping[int, Sequence[Step]], boxes: Mapping[str, PageBox]
) -> list[tuple[Point, ...]]:
    """Return the points of each way, in the order of lanes in which the fewest ways cross.

    A way starts at the counters of its first hex, and ends at the counters of its last hex, or else on the line of the
    attack that continues it. It leads round the counters of hexes on it, on the longer side if it then crosses fewer
    ways.

    `attacks`: the steps by which each goal is attacked.
    `boxes`: the box of each stack.
    """
    ends = [
        [layout.centre(step[1]) for step in attacks.get(way.goal, ()) if step[0] == way.hexes[-1] not in boxes]
        for way in ways
    ]

    def draw(order: Sequence[int], far: Collection[_Detour] = ()) -> tuple[int, list[tuple[Point, ...]]]:
        lanes, lines = _assign_lanes(ways, order), list[tuple[Point, ...]]()
        for number, way in enumerate(ways):
            onward = next((step for step in attacks.get(way.goal, ()) if step[0] == way.hexes[-1]), None)
            hexes = {hex for index, hex in far if index == number}
            lines.append(way_line(layout, way, boxes, lanes, onward, hexes))
        return _count_crossings([(*line, *end) for line, end in zip(lines, ends, strict=True)]), lines

    goals = sorted({way.goal for way in ways})
    orders = [*permutations(goals)] if len(goals) <= _MAX_GOALS_TRIED else [tuple(goals)]
    order = min(orders, key=lambda order: draw(order)[0])
    fewest, lines = draw(order)
    far = set[_Detour]()
    for detour in ((number, hex) for number, way in enumerate(ways) for hex in way.hexes[1:-1] if hex in boxes):
        crossings, drawn = draw(order, {*far, detour}) if fewest else (0, lines)
        if crossings < fewest:
            far.add(detour)
            fewest, lines = crossings, drawn
    return lines


def _assign_lanes(ways: Iterable[Arrow], order: Sequence[int]) -> _Lanes:
    users = dict[Step, dict[int, Step]]()
    for way in ways:
        for step in pairwise(way.hexes):
            users.setdefault((min(step), max(step)), {}).setdefault(way.goal, step)
    offsets = dict[tuple[int, Step], float]()
    for forward, steps in users.items():
        ranks = {goal: _rank(order, goal) * (1 if step == forward else -1) for goal, step in steps.items()}
        for number, goal in enumerate(sorted(ranks, key=lambda goal: (ranks[goal], goal))):
            offset = (number - (len(ranks) - 1) / 2) * LANE_PITCH_MM
            offsets[goal, forward] = offset
            offsets[goal, (forward[1], forward[0])] = -offset
    return _Lanes(offsets)


def _rank(order: Sequence[int], goal: int) -> float:
    return order.index(goal) - (len(order) - 1) / 2


def _count_crossings(lines: Sequence[Sequence[Point]]) -> int:
    return sum(len([*find_bridges(line, other)]) for line, other in combinations(lines, 2))


def way_line(
    layout: Layout,
    way: Arrow,
    boxes: Mapping[str, PageBox],
    lanes: _Lanes = _Lanes({}),  # noqa: B008 # an immutable value
    onward: Step | None = None,
    far: Collection[str] = (),
) -> tuple[Point, ...]:
    """Return the points of a way.

    `onward`: the step of the attack that continues the way, or None if there is none.
    `far`: the hexes with counters round which the way leads on the longer side.
    """
    centres = [layout.centre(name) for name in way.hexes]
    offsets = [lanes.at(way.goal, step) for step in pairwise(way.hexes)]
    points = [_clear_of(boxes.get(way.hexes[0]), centres[0], centres[1], offsets[0])]
    inner = zip(way.hexes[1:-1], zip(centres, centres[1:], centres[2:], strict=False), pairwise(offsets), strict=True)
    bends = [
        _round_counters(*around, *pair, is_far=name in far)
        if name in boxes
        else _Bend(0, [*_pass_through(*around, *pair)])
        for name, around, pair in inner
    ]
    for turn, joined in groupby(bends, key=lambda bend: bend.turn):
        points += _tighten([point for bend in joined for point in bend.points], turn)
    last, end, offset = way.hexes[-1], centres[-1], offsets[-1]
    if last in boxes:
        return (*points, _clear_of(boxes[last], end, centres[-2], -offset))
    if onward is None or not offset:
        return (*points, *shift_aside([end], (centres[-2], end), offset))
    return (*points, *_join(centres[-2], end, layout.centre(onward[1]), offset))


def _join(before: Point, at: Point, after: Point, offset: float) -> Sequence[Point]:
    """Return the last points of a way, which ends on the line from `at` to `after`."""
    ends = [*_pass_through(before, at, after, offset, 0.0)]
    return ends if len(ends) == 1 else [ends[0], at]


def _clear_of(box: PageBox | None, centre: Point, towards: Point, offset: float) -> Point:
    """Return the end of a lane at counters, or beside the centre of a hex without counters."""
    start, end = shift_aside((centre, towards), (centre, towards), offset)
    if box is None:
        return start
    return move_towards(start, end, distance_inside(box.corners, start, end) + _GAP_TO_COUNTERS_MM)


def _pass_through(before: Point, at: Point, after: Point, offset: float, next_offset: float) -> Iterator[Point]:
    """Yield the points of a change from one lane to the next: one if the way turns, two if it leads straight on."""
    (x, y), (u, v) = shift_aside([at], (before, at), offset)[0], _direction(before, at)
    (next_x, next_y), (next_u, next_v) = shift_aside([at], (at, after), next_offset)[0], _direction(at, after)
    turn = u * next_v - v * next_u
    if abs(turn) > _SAME_DIRECTION:
        along = ((next_x - x) * next_v - (next_y - y) * next_u) / turn
        yield x + u * along, y + v * along
    elif abs(offset - next_offset) < _SAME_DIRECTION:
        yield x, y
    else:
        yield x - u * _CHANGE_MM, y - v * _CHANGE_MM
        yield next_x + next_u * _CHANGE_MM, next_y + next_v * _CHANGE_MM


def _direction(start: Point, end: Point) -> Point:
    length = dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


class _Bend(NamedTuple):
    """The points of a way in a hex that it passes."""

    turn: int
    """1 if it leads clockwise round counters, -1 if against the clock, else 0."""
    points: Sequence[Point]


def _round_counters(
    before: Point, at: Point, after: Point, offset: float, next_offset: float, *, is_far: bool
) -> _Bend:
    """Return the points of a way round the counters of a hex, on the shorter or the longer side.

    A way straight on uses the same side in both directions.

    `before`, `at`, `after`: the centres of the previous hex, the hex and the next hex.
    """
    enter, leave = point_between(before, at, 0.5), point_between(at, after, 0.5)
    first, last = atan2(enter[1] - at[1], enter[0] - at[0]), atan2(leave[1] - at[1], leave[0] - at[0])
    angle = (last - first + pi) % (2 * pi) - pi
    if abs(abs(angle) - pi) < 0.05:
        angle = abs(angle) if before < after else -abs(angle)
    if is_far:
        angle -= 2 * pi if angle > 0 else -2 * pi
    count, turn = max(round(abs(angle) / _DETOUR_STEP_RADIANS), 2), 1 if angle > 0 else -1
    points = [*shift_aside([enter], (before, at), offset)]
    for number in range(1, count):
        direction = first + angle * number / count
        radius = _DETOUR_RADIUS_MM - turn * (offset + (next_offset - offset) * number / count)
        points.append((at[0] + radius * cos(direction), at[1] + radius * sin(direction)))
    return _Bend(turn, [*points, *shift_aside([leave], (at, after), next_offset)])


def _tighten(points: Sequence[Point], turn: int) -> Sequence[Point]:
    """Return the points of a way round counters without those where it would turn away from them, as between two hexes."""
    if not turn:
        return points
    kept = list[Point]()
    for point, _ in groupby(points):
        while len(kept) > 1 and turn * _turn_at(kept[-2], kept[-1], point) < 0:
            kept.pop()
        kept.append(point)
    return kept


def _turn_at(before: Point, at: Point, after: Point) -> float:
    (dx, dy), (next_dx, next_dy) = (at[0] - before[0], at[1] - before[1]), (after[0] - at[0], after[1] - at[1])
    return dx * next_dy - dy * next_dx


# --- the numbers of lanes ---------------------------------------------------------------------------------------------

_BEAD_RADIUS_MM = 1.75
_BEAD_RIM_MM = 0.45
_BEAD_FIGURE_SIZE_MM = 2.6
_FIRST_BEAD_MM = 3.4
"""The distance of the first number from the beginning of its way."""
_BEAD_PITCH_MM = 4.2
"""The minimum distance between two numbers."""
_BEAD_STEP_MM = 2.1
"""The distance between the places on a way that are tried."""
_MAX_PLACES = 20
_MIN_GAP_MM = 2.4
"""The distance from a number to the middle of another line, less than that between lanes."""


def place_beads(lines: Iterable[tuple[Arrow, Sequence[Point]]]) -> Iterator[tuple[Arrow, Point]]:
    """Yield each way to a goal with the point of its number, near the beginning of the way and clear of other lines."""
    lines, taken = [*lines], list[Point]()
    for way, points in ((way, points) for way, points in lines if way.name and way.goal):
        others = [line for other, line in lines if other is not way]
        length = sum(dist(*pair) for pair in pairwise(points))
        wanted = (_FIRST_BEAD_MM + _BEAD_STEP_MM * number for number in range(_MAX_PLACES))
        places = [point_along(points, along) for along in wanted if along < length - _BEAD_RADIUS_MM]
        places = places or [point_along(points, length / 2)]
        apart = [place for place in places if all(dist(place, other) > _BEAD_PITCH_MM for other in taken)]
        clear = (place for place in apart if all(distance_to_line(place, line) > _MIN_GAP_MM for line in others))
        taken.append(next(clear, (apart or places)[0]))
        yield way, taken[-1]


def distance_to_line(point: Point, line: Sequence[Point]) -> float:
    """Return the distance from a point to the nearest point of a line."""
    return min(_distance_to_stretch(point, *pair) for pair in pairwise(line))


def _distance_to_stretch(point: Point, start: Point, end: Point) -> float:
    (x, y), (dx, dy) = (point[0] - start[0], point[1] - start[1]), (end[0] - start[0], end[1] - start[1])
    share = (x * dx + y * dy) / ((dx * dx + dy * dy) or 1.0)
    return dist(point, point_between(start, end, min(max(share, 0.0), 1.0)))


def point_along(points: Sequence[Point], distance: float) -> Point:
    """Return the point at a distance from the beginning of a line, or its end if the line is shorter."""
    for start, end in pairwise(points):
        length = hypot(end[0] - start[0], end[1] - start[1])
        if distance <= length:
            return move_towards(start, end, distance)
        distance -= length
    return points[-1]


def bead_box(point: Point) -> PageBox:
    """Return the box of the number of a way."""
    size = 2 * (_BEAD_RADIUS_MM + _BEAD_RIM_MM)
    return box_around(*point, size, size)


def bead_shapes(goal: int, x: float, y: float) -> list[Shape]:
    """Return the number of a goal in a disc, smaller than that in the hex."""
    base = base_line(y, _BEAD_FIGURE_SIZE_MM)
    return [
        Circle(x=x, y=y, radius=_BEAD_RADIUS_MM + _BEAD_RIM_MM, fill=WHITE),
        Circle(x=x, y=y, radius=_BEAD_RADIUS_MM, fill=INK),
        Text(x=x, y=base, text=f"{goal}", size=_BEAD_FIGURE_SIZE_MM, anchor="middle", bold=True, fill=WHITE),
    ]


def bead_layer(beads: Iterable[tuple[Arrow, Point]]) -> Layer:
    """Return the numbers of ways."""
    groups = [Group(f"{way.name}: to {way.goal}", tuple(bead_shapes(way.goal, *point))) for way, point in beads]
    return Layer("goals", tuple(groups))
