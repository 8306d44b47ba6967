"""The placement of names, numbers, labels and signs on a map, each where it covers least.

A caller lists possible places, the best first, and `place_marks` chooses among them. A name without room in its hex is
placed outside, with a leader.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import merge
from itertools import islice, pairwise
from math import cos, dist, hypot, inf, pi, sin
from typing import Annotated, Generic, NamedTuple, TypeVar

from ..util.notes import note
from .geometry import PageBox, box_around, move_towards
from .scene import Point
from .style import HEX_MM, RADIUS

# --- taken boxes ------------------------------------------------------------------------------------------------------

COST_ON_FIRM = 1000.0
"""Cost of covering something firm, such as a counter or a text."""
COST_ON_OUTLINE = 60.0
"""Cost for a letter of covering a bit of an outline that is interrupted there."""
COST_ON_LINE = 300.0
"""Cost for a letter of covering a bit of an unbroken line."""
COST_PER_MM2_ON_FIRM = 20.0
"""Cost of each square millimetre of something firm, in addition to `COST_ON_FIRM`."""
_CELL_SIDE_MM = 16.0
"""The side of the cells by which boxes are found."""
_MAX_BIT_REACH_MM = 2.0
"""The maximum distance by which a piece of a line reaches out of the cell of its middle."""


class TakenBoxes:
    """Boxes that are taken, each with the cost of covering it."""

    def __init__(self) -> None:
        self._columns: dict[int, dict[int, list[tuple[float, float, float, float, float]]]]
        self._columns = defaultdict(lambda: defaultdict(list))  # column of cells -> row of cells -> boxes with weights

    def copy(self) -> TakenBoxes:
        room = TakenBoxes()
        for x, column in self._columns.items():
            room._columns[x].update((y, entries.copy()) for y, entries in column.items())
        return room

    def include(self, other: TakenBoxes) -> TakenBoxes:
        for x, column in other._columns.items():
            for y, entries in column.items():
                self._columns[x][y] += entries
        return self

    def take(self, area: PageBox, weight: float) -> None:
        entry = (*area, weight)
        for x in _find_cells(area.left, area.right):
            for y in _find_cells(area.top, area.bottom):
                self._columns[x][y].append(entry)

    def take_line(self, points: Iterable[Point], width: float, weight: float) -> None:
        """Mark the area of a line as taken.

        `weight`: the cost of covering each piece of the line, which is about as long as wide.
        """
        half = max(width / 2, 0.4)
        step = max(2 * half, 1.6)
        columns = self._columns
        for (x0, y0), (x1, y1) in pairwise(points):
            count = int(hypot(x1 - x0, y1 - y0) / step) or 1
            across, down = (x1 - x0) / count, (y1 - y0) / count
            for number in range(count):
                x, y = x0 + across * number, y0 + down * number
                column = columns[int(x // _CELL_SIDE_MM)]
                column[int(y // _CELL_SIDE_MM)].append((x - half, y - half, x + half, y + half, weight))

    def cost(self, area: PageBox, limit: float = inf) -> float:
        """Return the cost of all boxes that an area would cover, not counted further once it reaches `limit`."""
        left, top, right, bottom = area
        columns, rows = self._columns, _find_cells(top - _MAX_BIT_REACH_MM, bottom + _MAX_BIT_REACH_MM)
        cost, met = 0.0, set[int]()  # a box may lie in several cells, but counts once
        for x in _find_cells(left - _MAX_BIT_REACH_MM, right + _MAX_BIT_REACH_MM):
            if x not in columns:
                continue
            column = columns[x]
            for y in rows:
                for entry in column.get(y, ()):
                    if entry[0] < right and entry[2] > left and entry[1] < bottom and entry[3] > top:
                        if id(entry) in met:
                            continue
                        met.add(id(entry))
                        cost += entry[4]
                        if entry[4] >= COST_ON_FIRM:
                            cost += COST_PER_MM2_ON_FIRM * area.overlap(PageBox(*entry[:4]))
                        if cost >= limit:
                            return cost
        return cost


def _find_cells(least: float, most: float) -> range:
    return range(int(least // _CELL_SIDE_MM), int(most // _CELL_SIDE_MM) + 1)


# --- marks in their places --------------------------------------------------------------------------------------------

Drawn = TypeVar("Drawn")
"""The caller's type for the drawing in a place."""

_COST_OF_CROSSING_A_RING = 12 * COST_ON_OUTLINE
"""The cost up to which a leader crosses outlines for nothing, enough for the ring of its hex."""
_COST_OF_CROWDING = 110.0
"""The cost to its group of a name in a crowded place; a plate costs half as much again."""


class Placement(NamedTuple, Generic[Drawn]):
    """A possible place of a mark."""

    cost: float
    """The cost above that of the best place."""
    box: PageBox
    """The box that the mark fills."""
    drawn: Drawn
    leader: tuple[Point, ...] = ()
    """The line from the mark to its object, or () for none."""


class Inscription(NamedTuple, Generic[Drawn]):
    """A mark to be placed."""

    key: str
    places: Annotated[Callable[[], Iterable[Placement[Drawn]]], note("the best ones first, at least one")]
    plate: Annotated[bool, note("whether it has its own background, so that it may cover lines")] = False
    led: Annotated[Callable[[], Iterable[Placement[Drawn]]] | None, note("the places with a leader")] = None
    weight: Annotated[float, note("the cost for other marks of covering it")] = COST_ON_FIRM
    crowded: Annotated[float, note("the cost from which it chooses before the others of its group")] = COST_ON_FIRM
    most: Annotated[float, note("the cost from which it is left out")] = inf


Taken = Sequence[tuple[PageBox, float]]
"""Boxes, each with the cost of covering it."""


class _Choices(Generic[Drawn]):
    """The places of a mark, best first, each with the cost of what it covers, which is computed only once."""

    def __init__(
        self,
        places: Iterable[Placement[Drawn]],
        rooms: Sequence[TakenBoxes],
        enough: float = inf,
        crossed: TakenBoxes | None = None,
    ) -> None:
        """Begin with these places.

        `enough`: the cost of covering above which no more is counted.
        `crossed`: boxes that a mark avoids, but that its leader may cross once.
        """
        self._places, self._rooms, self._enough, self._crossed = iter(places), rooms, enough, crossed
        self._covered = rooms if crossed is None else (*rooms, crossed)
        self._known = list[tuple[Placement[Drawn], float]]()

    def __iter__(self) -> Iterator[tuple[Placement[Drawn], float]]:
        yield from self._known
        for place in self._places:
            covered = 0.0
            for room in self._covered:
                if covered < self._enough:
                    covered += room.cost(place.box, self._enough)
            if place.leader and covered < COST_ON_FIRM:
                covered += sum(_cost_of_crossing(place.leader, room) for room in self._rooms)
                if self._crossed:
                    covered += max(_cost_of_crossing(place.leader, self._crossed) - _COST_OF_CROSSING_A_RING, 0.0)
            self._known.append((place, covered))
            yield place, covered

    def best(self, taken: Taken = ()) -> Placement[Drawn]:
        """Return the cheapest place with its total cost.

        `taken`: taken boxes in addition to the rooms.
        """
        best: Placement[Drawn] | None = None
        for place, covered in self:
            if best is not None and place.cost >= best.cost:
                break  # later places cost even more
            cost, box = place.cost + covered, place.box
            for area, weight in taken:
                if area[0] < box[2] and box[0] < area[2] and area[1] < box[3] and box[1] < area[3]:
                    cost += weight + COST_PER_MM2_ON_FIRM * box.overlap(area)
            if best is None or cost < best.cost:
                best = place._replace(cost=cost)
                if cost == place.cost:
                    break  # this place covers nothing
        assert best is not None
        return best


def _make_choices(
    mark: Inscription[Drawn],
    places: Iterable[Placement[Drawn]],
    rooms: Sequence[TakenBoxes],
    outlines: TakenBoxes | None,
    enough: float = inf,
) -> _Choices[Drawn]:
    return _Choices(places, rooms[:1], enough) if mark.plate else _Choices(places, rooms, enough, outlines)


def _cost_of_crossing(leader: Sequence[Point], room: TakenBoxes) -> float:
    (start, end), cost = leader, 0.0
    for step in range(1, int(dist(start, end) / 1.5) + 1):
        cost += room.cost(
            box_around(*move_towards(end, start, step * 1.5), _HALF_LEADER_WIDTH_MM, _HALF_LEADER_WIDTH_MM)
        )
    return cost


def place_marks(
    groups: Iterable[Sequence[Inscription[Drawn]]],
    room: TakenBoxes,
    lines: TakenBoxes | None = None,
    *,
    outlines: TakenBoxes | None = None,
    tries: int = 2,
) -> dict[str, Placement[Drawn]]:
    """Return the cheapest places of marks by key, and mark them as taken in `room`.

    Each group avoids the boxes taken by earlier ones. If a mark finds only a crowded place, its group is placed again
    with that mark first. If that fails, the mark gets a leader.

    `lines`: boxes avoided only by marks without a plate.
    `outlines`: boxes avoided only by marks without a plate; a leader may cross one outline.
    `tries`: the maximum number of times a group is placed.
    """
    placed, crowded = dict[str, Placement[Drawn]](), list[tuple[Inscription[Drawn], Placement[Drawn]]]()
    rooms = (room,) if lines is None else (room, lines)
    for group in groups:
        for mark, place in _place_group(group, rooms, outlines, tries):
            if _is_crowded(mark, place):
                crowded.append((mark, place))
            else:
                placed[mark.key] = place
                room.take(place.box, mark.weight)
    for mark, place in crowded:
        assert mark.led is not None
        # the crowded place pays twice for what it covers, which favours a place with a leader line
        led = sorted([*mark.led(), place], key=lambda place: place.cost)
        placed[mark.key] = place = _make_choices(mark, led, rooms, outlines).best()
        room.take(place.box, mark.weight)
        for start, end in pairwise(place.leader):
            room.take_line((start, end), 0.8, COST_ON_FIRM)
    return placed


def _is_crowded(mark: Inscription[Drawn], place: Placement[Drawn]) -> bool:
    return mark.led is not None and place.cost > mark.crowded


def _place_group(
    marks: Sequence[Inscription[Drawn]], rooms: Sequence[TakenBoxes], outlines: TakenBoxes | None, tries: int
) -> Sequence[tuple[Inscription[Drawn], Placement[Drawn]]]:
    """Return the places of marks that may obstruct one another. Marks with a leader take no room here."""
    order, lowest_cost = list(marks), inf
    choices = {
        mark.key: _make_choices(mark, mark.places(), rooms, outlines, inf if mark.led is None else COST_ON_FIRM)
        for mark in marks
    }
    best: Sequence[tuple[Inscription[Drawn], Placement[Drawn]]] = ()
    for _ in range(tries):
        placed, taken, cost = list[tuple[Inscription[Drawn], Placement[Drawn]]](), list[tuple[PageBox, float]](), 0.0
        for mark in order:
            place = choices[mark.key].best(taken)
            if place.cost > mark.most:
                continue
            placed.append((mark, place))
            if _is_crowded(mark, place):
                cost += _COST_OF_CROWDING * (1.5 if mark.plate else 1.0)
            else:
                cost += place.cost
                taken.append((place.box, mark.weight))
        if cost < lowest_cost or not best:
            best, lowest_cost = placed, cost
        crowded = {mark.key for mark, place in placed if place.cost > mark.crowded}
        new_order = sorted(order, key=lambda mark: mark.key not in crowded)
        if not crowded or [mark.key for mark in new_order] == [mark.key for mark in order]:
            break
        order = new_order
    return best


_HALF_LEADER_WIDTH_MM = 0.5


# --- the places of a hex ----------------------------------------------------------------------------------------------

_COST_OF_LEADER = 90.0
"""The cost of a place outside the hex, with a leader line into it."""
_COST_OF_LEADER_PER_MM = 0.6
_COLUMN_STEP_MM = 1.8
"""The distance between neighbouring places in a hex, across."""
_ROW_STEP_MM = 0.9
_HEXSIDE_GAP_MM = 0.15


def places_in_hex(
    centre: Point,
    size: tuple[float, float],
    wanted: Sequence[tuple[float, float, float]],
    drawn: Drawn,
    *,
    flat: bool,
    off: float = 1.0,
    penalty: float = 0.0,
) -> Iterator[Placement[Drawn]]:
    """Yield the places of a box within a hex, the best first.

    All lengths are in mm.

    `wanted`: the best places of the box's middle, measured from the hex's centre, each with its penalty.
    `off`: the cost of each mm between a place and the nearest wanted place.
    `penalty`: the cost added to all places.
    """
    width, height = size
    points = tuple((round(x, 2), round(y, 2), cost) for x, y, cost in wanted)
    x, y, cost = points[0]
    if cost <= 0.0 and _lies_within(abs(x) + width / 2, abs(y) + height / 2, flat=flat):
        yield Placement(cost + penalty, box_around(centre[0] + x, centre[1] + y, width, height), drawn)
    for cost, x, y in _find_spots(round(width + 0.05, 1), round(height + 0.05, 1), points, off, flat):
        yield Placement(cost + penalty, box_around(centre[0] + x, centre[1] + y, width, height), drawn)


@lru_cache(maxsize=4096)
def _find_spots(
    width: float, height: float, wanted: tuple[tuple[float, float, float], ...], off: float, flat: bool
) -> tuple[tuple[float, float, float], ...]:
    """Return the possible middles of a box within a hex, cheapest first: the cost, and the point from the centre."""
    points = [(x, y) for x, y, _ in wanted if _lies_within(abs(x) + width / 2, abs(y) + height / 2, flat=flat)]
    for row in range(-int(RADIUS / _ROW_STEP_MM), int(RADIUS / _ROW_STEP_MM) + 1):
        y = row * _ROW_STEP_MM
        max_x = _half_width_at(abs(y) + height / 2, flat=flat) - width / 2
        points += [
            (column * _COLUMN_STEP_MM, y)
            for column in range(-int(max_x / _COLUMN_STEP_MM), int(max_x / _COLUMN_STEP_MM) + 1)
            if max_x >= 0
        ]
    return tuple(
        sorted((min([cost + off * hypot(x - to_x, y - to_y) for to_x, to_y, cost in wanted]), x, y) for x, y in points)
    )


def _half_width_at(y: float, *, flat: bool) -> float:
    """Return half the inner width of a hex at a height from its centre, or a negative number beyond the hex."""
    half = HEX_MM / 2 - _HEXSIDE_GAP_MM
    if flat:
        return (half - y / 2) / _HEX_HEIGHT_FACTOR if y <= half else -1.0
    return min(half, 2 * (half - y * _HEX_HEIGHT_FACTOR))


_HEX_HEIGHT_FACTOR = 0.75**0.5
"""The height of a hex; 1 is the diameter of the circle round it."""


def _lies_within(x: float, y: float, *, flat: bool) -> bool:
    return x <= _half_width_at(y, flat=flat)


_LEADER_DIRECTION_COUNT = 24
_LEADER_DISTANCES_MM = (23.0, 26.0, 30.0, 35.0, 41.0, 48.0, 56.0, 65.0)
"""The distances from the centre of the hex at which a mark is tried."""
_LEADER_END_MM = 13.0
"""The distance from the centre of a hex to the usual end of a leader."""


def led_places(
    centre: Point, size: tuple[float, float], drawn: Drawn, frame: PageBox, target: Point | None = None
) -> Iterator[Placement[Drawn]]:
    """Yield places of a box round a hex, each with a leader into the hex.

    `target`: the end of the leader, or None for the usual one.
    """
    (width, height), (x, y) = size, centre
    for number in range(_LEADER_DIRECTION_COUNT):
        turn = 2 * pi * number / _LEADER_DIRECTION_COUNT
        across, down = cos(turn), sin(turn)
        end = target or (x + across * _LEADER_END_MM, y + down * _LEADER_END_MM)
        for reach in _LEADER_DISTANCES_MM:
            middle = x + across * (reach + width / 2 * abs(across) - 3.0), y + down * reach
            box = box_around(*middle, width, height)
            if box.left < frame.left or box.right > frame.right or box.top < frame.top or box.bottom > frame.bottom:
                continue
            start = min(max(end[0], box.left), box.right), min(max(end[1], box.top), box.bottom)
            yield Placement(_COST_OF_LEADER + dist(start, end) * _COST_OF_LEADER_PER_MM, box, drawn, (start, end))


MAX_PLACES = 140
"""The maximum number of places in its hex that are tried before a mark is placed outside, with a leader line."""


def merge_places(each: Iterable[Iterable[Placement[Drawn]]]) -> Iterator[Placement[Drawn]]:
    """Return the best places among several series, each sorted by cost."""
    return islice(merge(*each, key=lambda place: place.cost), MAX_PLACES)


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
    """Return a plate as a mark to be placed in its hex, beside the counters there, or with a leader.

    `sized`: the drawing in each size, with the size of its box and its cost, the best first.
    `wanted`: as in `places_in_hex`.
    `stack`: the box of the counters, or None.
    """

    def places() -> Iterator[Placement[Drawn]]:
        within = [
            places_in_hex(centre, size, wanted, drawn, flat=flat, penalty=penalty) for drawn, size, penalty in sized
        ]
        beside = [_places_beside(stack, centre, size, drawn, penalty) for drawn, size, penalty in sized if stack]
        return merge(merge_places(within), *beside, key=lambda place: place.cost)

    def led() -> Iterator[Placement[Drawn]]:
        drawn, size, _ = sized[min(1, len(sized) - 1)]
        return led_places(centre, size, drawn, frame)

    return Inscription(key, places, plate=True, led=led, crowded=_MIN_CROWDED_COST)


_COST_BESIDE_COUNTERS = 95.0
_DROPS_MM = (0.0, 2.0, -2.0, 4.0, -4.0, 6.0, -6.0, 8.0, -8.0)
"""The distances below the middle of a hex, negative above it, that are tried beside counters."""
_COST_OF_DROP_PER_MM = 0.5


def _places_beside(
    stack: PageBox, centre: Point, size: tuple[float, float], drawn: Drawn, penalty: float
) -> Iterator[Placement[Drawn]]:
    (width, height), (x, y) = size, centre
    if width >= 2 * (x + RADIUS - stack.right):
        return
    for drop in _DROPS_MM:
        for middle in (stack.right + width / 2 + 0.5, stack.left - width / 2 - 0.1):
            yield Placement(
                _COST_BESIDE_COUNTERS + penalty + _COST_OF_DROP_PER_MM * abs(drop),
                box_around(middle, y + drop, width, height),
                drawn,
            )


_MIN_CROWDED_COST = 125.0
"""The cost above which a label gets a leader, if that costs no more."""
