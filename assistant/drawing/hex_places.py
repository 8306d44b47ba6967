"""Where a mark may stand within its hex, beside its counters, or led to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import merge
from itertools import islice
from math import cos, dist, hypot, pi, sin

from .geometry import PageBox, box_around
from .placement import Drawn, Inscription, Placement
from .scene import Point
from .style import HEX, RADIUS

_LED = 90.0  # cost of being led to a hex
_FAR = 0.6  # cost of each millimetre of the way there
_STEP = 1.8  # mm from place to place in a hex, across
_ROW = 0.9  # mm from place to place, down
_CLEAR = 0.15  # mm that they stay off its sides


def places_in_hex(
    centre: Point,
    size: tuple[float, float],
    wanted: Sequence[tuple[float, float, float]],
    drawn: Drawn,
    *,
    flat: bool,
    off: float = 1.0,
    worse: float = 0.0,
) -> Iterator[Placement[Drawn]]:
    """Yield all places of a box of a size within a hex, the best ones first.

    wanted: where its middle stands best, from the centre of the hex, each with how much worse that is than the first;
    off: how bad it is to be a millimetre off these; worse: how bad all are. Lengths are in millimetres.
    """
    width, height = size
    points = tuple((round(x, 2), round(y, 2), cost) for x, y, cost in wanted)
    x, y, cost = points[0]
    if cost <= 0.0 and _lies_within(abs(x) + width / 2, abs(y) + height / 2, flat=flat):
        yield Placement(cost + worse, box_around(centre[0] + x, centre[1] + y, width, height), drawn)
    for cost, x, y in _find_spots(round(width + 0.05, 1), round(height + 0.05, 1), points, off, flat):
        yield Placement(cost + worse, box_around(centre[0] + x, centre[1] + y, width, height), drawn)


@lru_cache(maxsize=4096)
def _find_spots(
    width: float, height: float, wanted: tuple[tuple[float, float, float], ...], off: float, flat: bool
) -> tuple[tuple[float, float, float], ...]:
    """Return where the middle of a box may stand within a hex, from its centre, each with its cost, the best one first."""
    points = [(x, y) for x, y, _ in wanted if _lies_within(abs(x) + width / 2, abs(y) + height / 2, flat=flat)]
    for row in range(-int(RADIUS / _ROW), int(RADIUS / _ROW) + 1):
        y = row * _ROW
        most = _half_width_at(abs(y) + height / 2, flat=flat) - width / 2
        points += [(column * _STEP, y) for column in range(-int(most / _STEP), int(most / _STEP) + 1) if most >= 0]
    return tuple(
        sorted((min([cost + off * hypot(x - to_x, y - to_y) for to_x, to_y, cost in wanted]), x, y) for x, y in points)
    )


def _half_width_at(y: float, *, flat: bool) -> float:
    """Return how far a hex reaches to a side at a height, from its centre, but for what stays off its sides; below 0
    for nothing.
    """
    half = HEX / 2 - _CLEAR
    if flat:
        return (half - y / 2) / _SLANT if y <= half else -1.0
    return min(half, 2 * (half - y * _SLANT))


_SLANT = 0.75**0.5
"""How much less high a hex is than a circle round it."""


def _lies_within(x: float, y: float, *, flat: bool) -> bool:
    """Return whether a point lies within a hex, whose centre is at 0, 0, and off its sides. x, y: not below 0."""
    return x <= _half_width_at(y, flat=flat)


_TURNS = 24  # directions in which a mark is led
_REACHES = (23.0, 26.0, 30.0, 35.0, 41.0, 48.0, 56.0, 65.0)  # mm from the centre of its hex
_TOWARDS = 13.0  # mm from the centre of a hex to where it ends by default


def led_places(
    centre: Point, size: tuple[float, float], drawn: Drawn, frame: PageBox, target: Point | None = None
) -> Iterator[Placement[Drawn]]:
    """Yield places of a box of a size round a hex, with a leader from each into the hex.

    frame: in which they stay; target: where it ends, within the hex by default.
    """
    (width, height), (x, y) = size, centre
    for number in range(_TURNS):
        turn = 2 * pi * number / _TURNS
        across, down = cos(turn), sin(turn)
        end = target or (x + across * _TOWARDS, y + down * _TOWARDS)
        for reach in _REACHES:
            middle = x + across * (reach + width / 2 * abs(across) - 3.0), y + down * reach
            box = box_around(*middle, width, height)
            if box.left < frame.left or box.right > frame.right or box.top < frame.top or box.bottom > frame.bottom:
                continue
            start = min(max(end[0], box.left), box.right), min(max(end[1], box.top), box.bottom)
            yield Placement(_LED + dist(start, end) * _FAR, box, drawn, (start, end))


MOST_PLACES = 140
"""How many places in its hex are tried before a mark is led."""


def merge_places(each: Iterable[Iterable[Placement[Drawn]]]) -> Iterator[Placement[Drawn]]:
    """Return the best of several series of places, each the best ones first."""
    return islice(merge(*each, key=lambda place: place.cost), MOST_PLACES)


def hex_mark(
    key: str,
    centre: Point,
    sized: Sequence[tuple[Drawn, tuple[float, float], float]],
    wanted: Sequence[tuple[float, float, float]],
    frame: PageBox,
    *,
    flat: bool,
    stack: PageBox | None = None,
) -> Inscription[Drawn]:
    """Return a plate in its hex in one of several sizes, the best first; or beside the counters there, or led to it.

    sized: each with the size of its box and how much worse than the first it is; wanted: as of `places_in_hex`; frame:
    in which it stays; stack: the box of counters.
    """

    def places() -> Iterator[Placement[Drawn]]:
        within = [places_in_hex(centre, size, wanted, drawn, flat=flat, worse=worse) for drawn, size, worse in sized]
        beside = [_places_beside(stack, centre, size, drawn, worse) for drawn, size, worse in sized if stack]
        return merge(merge_places(within), *beside, key=lambda place: place.cost)

    def led() -> Iterator[Placement[Drawn]]:
        drawn, size, _ = sized[min(1, len(sized) - 1)]
        return led_places(centre, size, drawn, frame)

    return Inscription(key, places, plate=True, led=led, crowded=_CROWDED)


_BESIDE = 95.0  # cost of standing beside counters over a side of the hex
_RISES = (0.0, 2.0, -2.0, 4.0, -4.0, 6.0, -6.0, 8.0, -8.0)  # mm above or below its middle
_ASIDE = 0.5  # cost of each millimetre of that


def _places_beside(
    stack: PageBox, centre: Point, size: tuple[float, float], drawn: Drawn, worse: float
) -> Iterator[Placement[Drawn]]:
    """Yield places of a plate at the right and left of counters, with most of it in the hex."""
    (width, height), (x, y) = size, centre
    if width >= 2 * (x + RADIUS - stack.right):
        return
    for rise in _RISES:
        for middle in (stack.right + width / 2 + 0.5, stack.left - width / 2 - 0.1):
            yield Placement(_BESIDE + worse + _ASIDE * abs(rise), box_around(middle, y + rise, width, height), drawn)


_CROWDED = 125.0
"""From which cost on a label is led to its hex, if that is not worse."""
