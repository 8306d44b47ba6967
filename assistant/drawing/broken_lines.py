"""Lines that give way to what is written on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from .geometry import PageBox, point_between
from .scene import Point


def break_line(points: Sequence[Point], boxes: Iterable[PageBox]) -> list[tuple[Point, ...]]:
    """Return what is left of a line outside some boxes."""
    runs, boxes = [list[Point]()], list(boxes)
    for start, end in pairwise(points):
        cuts = sorted(filter(None, (_shares_within(start, end, box) for box in boxes)))
        at = 0.0
        for enter, leave in cuts:
            if enter > at:
                runs[-1] += [point_between(start, end, at), point_between(start, end, enter)]
            if leave > at:
                runs.append([])
                at = leave
        if at < 1.0:
            runs[-1] += [point_between(start, end, at), end]
    return [tuple(point for point, _ in groupby(run)) for run in runs if len(set(run)) > 1]


def _shares_within(start: Point, end: Point, box: PageBox) -> tuple[float, float] | None:
    """Return from which share of the way from one point to another to which it lies in a box, None if it does not."""
    first, last = 0.0, 1.0
    for one, other, lower, upper in (
        (start[0], end[0], box.left, box.right),
        (start[1], end[1], box.top, box.bottom),
    ):
        if abs(other - one) < 1e-9:
            if not lower < one < upper:
                return None
            continue
        enter, leave = sorted(((lower - one) / (other - one), (upper - one) / (other - one)))
        first, last = max(first, enter), min(last, leave)
    return (first, last) if first < last else None
