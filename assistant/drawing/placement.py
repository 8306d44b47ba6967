"""Where all that is written on a map is placed: names, numbers, labels, plates and signs, each where it covers the
least.

A caller names the possible places, the best first; `place_marks` chooses among them. A name without a place in its hex
is beside it and led to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist, inf
from typing import Annotated, Generic, NamedTuple, TypeVar

from ..util.notes import note
from .geometry import PageBox, box_around, move_towards
from .scene import Point
from .taken import FIRM, OVER_FIRM, TakenBoxes

Drawn = TypeVar("Drawn")
"""What is drawn in a place, as who places it has it."""

_LEAD = 110.0  # about how bad both are for a name, half as bad again for a plate


class Placement(NamedTuple, Generic[Drawn]):
    """Where a mark may stand."""

    cost: float
    """How much worse than the best place."""
    box: PageBox
    """What it fills."""
    drawn: Drawn
    """What is drawn there."""
    leader: tuple[Point, ...] = ()
    """The line that leads from the mark to what it names, () for none."""


class Inscription(NamedTuple, Generic[Drawn]):
    """What is to be placed."""

    key: str
    places: Annotated[Callable[[], Iterable[Placement[Drawn]]], note("the best ones first, at least one")]
    plate: Annotated[bool, note("whether it has its own ground, so that it may cover lines")] = False
    led: Annotated[Callable[[], Iterable[Placement[Drawn]]] | None, note("its places with a leader")] = None
    weight: Annotated[float, note("how bad it is to cover it")] = FIRM
    crowded: Annotated[float, note("from which cost on it chooses before the others of its group")] = FIRM
    most: Annotated[float, note("from which cost on it is left out")] = inf


Taken = Sequence[tuple[PageBox, float]]
"""Boxes, each with how bad it is to cover it."""


class _Choices(Generic[Drawn]):
    """The places of a mark, the best ones first, each made and looked at once: with how bad what it covers is."""

    def __init__(self, places: Iterable[Placement[Drawn]], rooms: Sequence[TakenBoxes], enough: float = inf) -> None:
        """Take places. enough: the cost from which on it does not count what more they cover."""
        self._places, self._rooms, self._enough = iter(places), rooms, enough
        self._known = list[tuple[Placement[Drawn], float]]()

    def __iter__(self) -> Iterator[tuple[Placement[Drawn], float]]:
        yield from self._known
        for place in self._places:
            covered = 0.0
            for room in self._rooms:
                if covered < self._enough:
                    covered += room.cost(place.box, self._enough)
            if place.leader and covered < FIRM:
                covered += _cost_of_crossing(place.leader, self._rooms[0])
            self._known.append((place, covered))
            yield place, covered

    def best(self, taken: Taken = ()) -> Placement[Drawn]:
        """Return the place in which it covers the least, with what that costs. taken: besides the rooms."""
        best: Placement[Drawn] | None = None
        for place, covered in self:
            if best is not None and place.cost >= best.cost:
                break  # the others are no better
            cost, box = place.cost + covered, place.box
            for area, weight in taken:
                if area[0] < box[2] and box[0] < area[2] and area[1] < box[3] and box[1] < area[3]:
                    cost += weight + OVER_FIRM * box.overlap(area)
            if best is None or cost < best.cost:
                best = place._replace(cost=cost)
                if cost == place.cost:
                    break  # it covers nothing
        assert best is not None
        return best


def _cost_of_crossing(leader: Sequence[Point], room: TakenBoxes) -> float:
    """Return how bad what a leader crosses is."""
    (start, end), cost = leader, 0.0
    for step in range(1, int(dist(start, end) / 1.5) + 1):
        cost += room.cost(box_around(*move_towards(end, start, step * 1.5), _LEADER, _LEADER))
    return cost


def place_marks(
    groups: Iterable[Sequence[Inscription[Drawn]]], room: TakenBoxes, lines: TakenBoxes | None = None, *, tries: int = 2
) -> dict[str, Placement[Drawn]]:
    """Return the places of marks by their keys, each where it covers the least of what is there and of those before it;
    their room is taken.

    If one of a group finds only a crowded place, all are placed again, it first; then it is led. lines: what only marks
    without a plate avoid.
    """
    placed, crowded = dict[str, Placement[Drawn]](), list[tuple[Inscription[Drawn], Placement[Drawn]]]()
    both = (room,) if lines is None else (room, lines)
    for group in groups:
        for mark, place in _place_group(group, both, tries):
            if _is_crowded(mark, place):
                crowded.append((mark, place))
            else:
                placed[mark.key] = place
                room.take(place.box, mark.weight)
    for mark, place in crowded:
        assert mark.led is not None
        # what the crowded place covers counts twice here: to be led is better
        led = sorted([*mark.led(), place], key=lambda place: place.cost)
        placed[mark.key] = place = _Choices(led, both[:1] if mark.plate else both).best()
        room.take(place.box, mark.weight)
        for start, end in pairwise(place.leader):
            room.take_line((start, end), 0.8, FIRM)
    return placed


def _is_crowded(mark: Inscription[Drawn], place: Placement[Drawn]) -> bool:
    """Return whether a mark is led rather than put in a place."""
    return mark.led is not None and place.cost > mark.crowded


def _place_group(
    marks: Sequence[Inscription[Drawn]], rooms: Sequence[TakenBoxes], tries: int
) -> Sequence[tuple[Inscription[Drawn], Placement[Drawn]]]:
    """Return the places of marks that may be in each other's way; those that are led take none."""
    order, least = list(marks), inf
    choices = {
        mark.key: _Choices(mark.places(), rooms[:1] if mark.plate else rooms, inf if mark.led is None else FIRM)
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
                cost += _LEAD * (1.5 if mark.plate else 1.0)
            else:
                cost += place.cost
                taken.append((place.box, mark.weight))
        if cost < least or not best:
            best, least = placed, cost
        crowded = {mark.key for mark, place in placed if place.cost > mark.crowded}
        again = sorted(order, key=lambda mark: mark.key not in crowded)
        if not crowded or [mark.key for mark in again] == [mark.key for mark in order]:
            break
        order = again
    return best


_LEADER = 0.5  # mm, half the width that a leader takes
