"""Lines of the ground laid along hexsides: rivers, borders and long lakes.

A line is followed in small steps. At each step the walk is on some nearby hexside, in one direction, and may go on to a
hexside that begins where this one ends. The best of all such walks is taken (Viterbi): near the line, along its
direction, not much longer than it, with towns on their own bank.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import hypot, inf

import msgspec

from assistant.game.hexes import Corner

from .lines import Point, smoothed
from .mesh import Mesh, Side

_SMOOTHING_HEXES = 0.45
"""The width of the bell curve by which small meanders are smoothed."""
_STEP_HEXES = 0.12
_MAX_DISTANCE_HEXES = 0.95
"""The maximum distance of a hexside from the line."""

# The costs of a walk, in squares of hexes.
_COST_OF_HEXSIDE = 0.12
_COST_OF_TURN = 0.03  # per step, for a direction other than the line's
_COST_OF_WRONG_BANK = 6.0  # per hexside and town
_COST_OF_TAKEN_HEXSIDE = 60.0  # per hexside that belongs to another line
_COST_OF_STEP_LEFT_OUT = 0.8  # per step, at the beginning or the end of the line


class Banks(msgspec.Struct, frozen=True):
    """Hexes that are to lie on one side of a line, seen along it."""

    left: frozenset[str] = frozenset()
    right: frozenset[str] = frozenset()

    def wrong(self, side: Side) -> int:
        """Return how many of the two hexes of a hexside are on the wrong side."""
        return [side.left in self.right, side.right in self.left].count(True)


class Guide(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions of a walk.

    `taken`: the corners of earlier lines, which a walk may touch only at its ends.
    `starts`, `ends`: the corners where it may begin and end, or empty for any.
    `price`: the cost of a hexside beyond its distance, or None for no cost.
    """

    banks: Banks = Banks()
    taken: Collection[Corner] = ()
    starts: Collection[Corner] = ()
    ends: Collection[Corner] = ()
    price: Callable[[Side], float] | None = None


def snap(mesh: Mesh, line: Sequence[Point], guide: Guide = Guide()) -> list[list[Side]]:
    """Return the hexsides along which a line of the board runs, in its direction: a walk for each part on the board.

    Where the line goes on beyond the board, the walk reaches the edge.
    """
    points = smoothed(line, _SMOOTHING_HEXES, _STEP_HEXES)
    walks, start = [], 0
    near = [mesh.sides_near(point, _MAX_DISTANCE_HEXES) for point in points]
    for index in range(len(points) + 1):
        if index == len(points) or not near[index]:
            if index - start > 1:
                part = slice(start, index)
                guides = [_add_edge(mesh, points[part], guide), guide]  # the second one if the first has no walk
                walk = next(filter(None, (_best_walk(mesh, points[part], near[part], one) for one in guides)), [])
                if walk:
                    walks.append(walk)
            start = index + 1
    return walks


def _add_edge(mesh: Mesh, points: Sequence[Point], guide: Guide) -> Guide:
    """Return a guide in which each end of a line off the map, unless fixed elsewhere, is at the edge of the map."""
    starts, ends = (() if mesh.hex_at(points[end]) else mesh.rim for end in (0, -1))
    return msgspec.structs.replace(guide, starts=guide.starts or starts, ends=guide.ends or ends)


def _best_walk(
    mesh: Mesh, points: Sequence[Point], near: Sequence[Sequence[tuple[Side, float]]], guide: Guide
) -> list[Side]:
    """Return the best walk along points, or nothing if none begins at an allowed corner.

    `near`: the hexsides near each point, with their distances.
    """
    best: dict[Side, float] = {}
    previous_sides: list[dict[Side, Side | None]] = []
    best_end: tuple[float, int, Side] | None = None
    for index in range(len(points)):
        direction = _find_direction(points, index)
        costs_here: dict[Side, float] = {}
        came_from: dict[Side, Side | None] = {}
        for side, distance in near[index]:
            entry = _price_entry(side, guide)
            costs, previous_side = best.get(side, inf), side if side in best else None
            cost_of_beginning = entry + _COST_OF_STEP_LEFT_OUT * index
            if cost_of_beginning < costs and (
                side.start in guide.starts if guide.starts else side.start not in guide.taken
            ):
                costs, previous_side = cost_of_beginning, None
            if side.start not in guide.taken:
                for previous in _find_leading_to(mesh, side):
                    if previous in best and best[previous] + entry < costs:
                        costs, previous_side = best[previous] + entry, previous
            if costs < inf:
                costs_here[side] = costs + distance * distance + _COST_OF_TURN * _measure_turn(mesh, side, direction)
                came_from[side] = previous_side
        best = costs_here
        previous_sides.append(came_from)
        cost_of_ending = _COST_OF_STEP_LEFT_OUT * (len(points) - 1 - index)
        for side, costs in costs_here.items():
            if (not guide.ends or side.end in guide.ends) and (
                best_end is None or (costs + cost_of_ending, index, side) < best_end
            ):
                best_end = costs + cost_of_ending, index, side
    if best_end is None:
        return []
    walk: list[Side] = []
    last: Side | None = best_end[2]
    for came_from in reversed(previous_sides[: best_end[1] + 1]):
        if last is None:
            break
        if not walk or walk[-1] != last:
            walk.append(last)
        last = came_from[last]
    return without_loops(walk[::-1])


def _price_entry(side: Side, guide: Guide) -> float:
    costs = _COST_OF_HEXSIDE + _COST_OF_WRONG_BANK * guide.banks.wrong(side)
    if side.start in guide.taken and side.end in guide.taken:
        costs += _COST_OF_TAKEN_HEXSIDE
    if guide.price:
        costs += guide.price(side)
    return costs


def reverse(side: Side) -> Side:
    """Return a hexside in the opposite direction."""
    return Side(side.end, side.start, side.right, side.left)


def _find_leading_to(mesh: Mesh, side: Side) -> list[Side]:
    """Return the hexsides that end where a hexside begins, except its own reverse."""
    return [reverse(next_side) for next_side in mesh.onward[side.start] if next_side.end != side.end]


def _find_direction(points: Sequence[Point], index: int) -> Point:
    before, after = points[max(0, index - 3)], points[min(len(points) - 1, index + 3)]
    distance = hypot(after[0] - before[0], after[1] - before[1]) or 1.0
    return (after[0] - before[0]) / distance, (after[1] - before[1]) / distance


def _measure_turn(mesh: Mesh, side: Side, direction: Point) -> float:
    """Return the deviation of a hexside from a direction: 0 along it, 2 against it."""
    start, end = mesh.at(side.start), mesh.at(side.end)
    length = hypot(end[0] - start[0], end[1] - start[1])
    return 1 - ((end[0] - start[0]) * direction[0] + (end[1] - start[1]) * direction[1]) / length


def without_loops(walk: Sequence[Side]) -> list[Side]:
    """Return a walk without the parts between two visits of the same corner."""
    kept: list[Side] = []
    seen: dict[Corner, int] = {}
    for side in walk:
        if not kept:
            seen = {side.start: 0}
        if side.end in seen:
            del kept[seen[side.end] :]
            seen = {kept[0].start: 0} if kept else {}
            seen |= {step.end: index for index, step in enumerate(kept, 1)}
        else:
            kept.append(side)
            seen[side.end] = len(kept)
    return kept


def corners(walk: Sequence[Side]) -> list[Corner]:
    """Return the corners of a walk, in order."""
    return [walk[0].start, *(side.end for side in walk)] if walk else []
