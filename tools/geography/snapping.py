"""Lines of the ground laid along hexsides: rivers, borders and long lakes.

A line is walked in small steps; at each step it lies on some hexside nearby, in one direction, and may go on to a
hexside that begins where this one ends. Of all such walks the best is taken (Viterbi): near the line, along its
direction, not much longer than it, with towns on their own bank.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import hypot, inf

import msgspec

from assistant.game.hexes import Corner

from .lines import Point, smoothed
from .mesh import Mesh, Side

_SMOOTH = 0.45  # hexes, how far small meanders are smoothed
_STEP = 0.12  # hexes, the step along the line
_REACH = 0.95  # hexes, how far from the line a hexside may lie

# What a walk pays, in the square of hexes.
_EACH = 0.12  # for each hexside
_TURNED = 0.03  # each step, for a direction other than the line's
_WRONG_BANK = 6.0  # each hexside, for a town on the wrong bank
_TAKEN = 60.0  # each hexside that belongs to another line
_LATE = 0.8  # each step, for beginning later or ending earlier


class Banks(msgspec.Struct, frozen=True):
    """Hexes that are to lie on one side of a line, seen along it."""

    left: frozenset[str] = frozenset()
    right: frozenset[str] = frozenset()

    def wrong(self, side: Side) -> int:
        """Return how many of the two hexes of a hexside are on the wrong hand."""
        return [side.left in self.right, side.right in self.left].count(True)


class Guide(msgspec.Struct, frozen=True, kw_only=True):
    """What a walk keeps to.

    taken: the corners of earlier lines, which a walk may touch at its ends alone. starts, ends: corners where it is to
    begin or end; anywhere if empty. price: what a hexside costs beyond its distance, none if not given.
    """

    banks: Banks = Banks()
    taken: Collection[Corner] = ()
    starts: Collection[Corner] = ()
    ends: Collection[Corner] = ()
    price: Callable[[Side], float] | None = None


def snap(mesh: Mesh, line: Sequence[Point], guide: Guide = Guide()) -> list[list[Side]]:
    """Return the hexsides along which a line of the board runs, in its direction: a walk for each part of it that is on
    the board, from edge to edge where the line goes on beyond.
    """
    points = smoothed(line, _SMOOTH, _STEP)
    walks, start = [], 0
    near = [mesh.sides_near(point, _REACH) for point in points]
    for index in range(len(points) + 1):
        if index == len(points) or not near[index]:
            if index - start > 1:
                part = slice(start, index)
                guides = [_add_edge(mesh, points[part], guide), guide]  # the second if the first leads nowhere
                walk = next(filter(None, (_best_walk(mesh, points[part], near[part], one) for one in guides)), [])
                if walk:
                    walks.append(walk)
            start = index + 1
    return walks


def _add_edge(mesh: Mesh, points: Sequence[Point], guide: Guide) -> Guide:
    """Return a guide with the edge of the map for each end of a line that lies off it and is not to be elsewhere."""
    starts, ends = (() if mesh.hex_at(points[end]) else mesh.rim for end in (0, -1))
    return msgspec.structs.replace(guide, starts=guide.starts or starts, ends=guide.ends or ends)


def _best_walk(
    mesh: Mesh, points: Sequence[Point], near: Sequence[Sequence[tuple[Side, float]]], guide: Guide
) -> list[Side]:
    """Return the best walk along points, each with the hexsides near it. Empty if none begins where it must."""
    best: dict[Side, float] = {}
    back: list[dict[Side, Side | None]] = []
    done: tuple[float, int, Side] | None = None
    for index in range(len(points)):
        ahead = _find_direction(points, index)
        here: dict[Side, float] = {}
        came: dict[Side, Side | None] = {}
        for side, away in near[index]:
            entry = _price_entry(side, guide)
            costs, before = best.get(side, inf), side if side in best else None
            late = entry + _LATE * index
            if late < costs and (side.start in guide.starts if guide.starts else side.start not in guide.taken):
                costs, before = late, None
            if side.start not in guide.taken:
                for previous in _find_leading_to(mesh, side):
                    if previous in best and best[previous] + entry < costs:
                        costs, before = best[previous] + entry, previous
            if costs < inf:
                here[side] = costs + away * away + _TURNED * _measure_turn(mesh, side, ahead)
                came[side] = before
        best = here
        back.append(came)
        early = _LATE * (len(points) - 1 - index)
        for side, costs in here.items():
            if (not guide.ends or side.end in guide.ends) and (done is None or (costs + early, index, side) < done):
                done = costs + early, index, side
    if done is None:
        return []
    walk: list[Side] = []
    last: Side | None = done[2]
    for came in reversed(back[: done[1] + 1]):
        if last is None:
            break
        if not walk or walk[-1] != last:
            walk.append(last)
        last = came[last]
    return without_loops(walk[::-1])


def _price_entry(side: Side, guide: Guide) -> float:
    """Return what entering a hexside costs."""
    costs = _EACH + _WRONG_BANK * guide.banks.wrong(side)
    if side.start in guide.taken and side.end in guide.taken:
        costs += _TAKEN
    if guide.price:
        costs += guide.price(side)
    return costs


def reverse(side: Side) -> Side:
    """Return a hexside as one walks it the other way."""
    return Side(side.end, side.start, side.right, side.left)


def _find_leading_to(mesh: Mesh, side: Side) -> list[Side]:
    """Return the hexsides that end where one begins, but for itself turned round."""
    return [reverse(next_side) for next_side in mesh.onward[side.start] if next_side.end != side.end]


def _find_direction(points: Sequence[Point], index: int) -> Point:
    before, after = points[max(0, index - 3)], points[min(len(points) - 1, index + 3)]
    far = hypot(after[0] - before[0], after[1] - before[1]) or 1.0
    return (after[0] - before[0]) / far, (after[1] - before[1]) / far


def _measure_turn(mesh: Mesh, side: Side, ahead: Point) -> float:
    """Return how far a hexside turns from a direction: 0 along it, 2 against it."""
    start, end = mesh.at(side.start), mesh.at(side.end)
    far = hypot(end[0] - start[0], end[1] - start[1])
    return 1 - ((end[0] - start[0]) * ahead[0] + (end[1] - start[1]) * ahead[1]) / far


def without_loops(walk: Sequence[Side]) -> list[Side]:
    """Return a walk without the parts between two visits of one corner."""
    done: list[Side] = []
    seen: dict[Corner, int] = {}
    for side in walk:
        if not done:
            seen = {side.start: 0}
        if side.end in seen:
            del done[seen[side.end] :]
            seen = {done[0].start: 0} if done else {}
            seen |= {step.end: index for index, step in enumerate(done, 1)}
        else:
            done.append(side)
            seen[side.end] = len(done)
    return done


def corners(walk: Sequence[Side]) -> list[Corner]:
    """Return the corners that a walk touches, in order."""
    return [walk[0].start, *(side.end for side in walk)] if walk else []
