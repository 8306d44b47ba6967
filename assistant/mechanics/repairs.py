"""Repairs of lines: the line to a hex for which the fewest obstacles must be removed.

An obstacle is a hex that no line may enter, or a step that is barred or dearer than with its bridge or railway in
order. A line passes each hex once, so all obstacles on it must be removed. `lifted_field` finds the lines with the
fewest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Annotated

import msgspec

from ..state.state import hexside
from ..util.errors import InputError
from ..util.notes import note
from .crossings import BARRED_COST, Crossings, MapSteps, Price, Worked

MAX_LIFTED = 6
"""The default maximum number of obstacles removed."""


class Lifted(msgspec.Struct, frozen=True):
    """A line for which obstacles were removed."""

    cost: Annotated[int, note("the cost, in the game's smallest unit")]
    line: Annotated[tuple[str, ...], note("the hexes from the source")]
    opened: Annotated[tuple[str, ...], note("the closed hexes that it enters")] = ()
    mended: Annotated[tuple[str, ...], note("the hexsides that now bar it or make it dearer")] = ()

    @property
    def obstacles(self) -> tuple[str, ...]:
        """All obstacles that were removed."""
        return (*self.opened, *self.mended)


State = tuple[int, int]
"""The number of a hex or the cost of a line to it, with the number of obstacles removed on the way."""
Step = tuple[int, int, int, tuple[bool, bool]]
"""The hex that a step enters, its cost, the number of obstacles removed, and whether the hex and the step are such."""


class Lifting(MapSteps[Step]):
    """The steps of a map with their present costs and their costs once mended. A price of None is a barred crossing."""

    def __init__(
        self,
        crossings: Crossings,
        price: Price,
        mended: Price = lambda kind: None,
        closed: Collection[str] = (),
    ) -> None:
        self._price = price
        self._mended = mended
        self._choices = Worked[int, tuple[tuple[int, bool], ...]](self._list_choices)  # by the number of the kind
        self.compile(crossings, closed)

    def reader(self) -> Callable[[int], tuple[Step, ...]]:
        """Return a function that works out the steps from a hex."""
        crossings = self.crossings
        choices = self._choices
        closed = crossings.layout.numbers_of(self.closed)

        def steps(at: int) -> tuple[Step, ...]:
            return tuple(
                [
                    (other, cost, (other in closed) + mended, (other in closed, mended))
                    for other, kind in crossings.ways(at)
                    for cost, mended in choices[kind]
                ]
            )

        return steps

    def _list_choices(self, number: int) -> tuple[tuple[int, bool], ...]:
        kind = self.crossings.kinds[number]
        price = self._price(kind)
        mended = self._mended(kind)
        as_it_is = () if price is None else ((price, False),)
        better = () if mended is None or (price is not None and mended >= price) else ((mended, True),)
        return (*as_it_is, *better)


class LiftedField(msgspec.Struct, frozen=True):
    """The least cost of a line to each hex, by the number of obstacles removed.

    A larger number of obstacles is left out unless it makes the line cheaper.

    `before`: for each number of obstacles and each hex, the state before on the line, whether the hex was opened, and
    whether the step was mended.
    """

    crossings: Crossings
    labels: Annotated[
        Mapping[int, Sequence[State]], note("states of each hex, the dearest with the fewest obstacles removed first")
    ]
    before: Annotated[
        Sequence[Mapping[int, tuple[State, tuple[bool, bool]]]],
        note("the last step to each hex, by the number of obstacles"),
    ]

    def to(self, at: str, limit: int | None = None) -> Lifted | None:
        """Return the line to a hex with the fewest obstacles, or None if no line is within the limit.

        Of several such lines, it is the cheapest.
        """
        fewest_and_cost = self.least(at, limit)
        return None if fewest_and_cost is None else self._build_line(self.crossings.number[at], *fewest_and_cost)

    def least(self, at: str, limit: int | None = None) -> tuple[int, int] | None:
        """Return the fewest obstacles on a line to a hex and its cost, or None if no line is within the limit."""
        labels = self.all_of(at)
        return next(((lifts, cost) for cost, lifts in labels if limit is None or cost <= limit), None)

    def all_of(self, at: str) -> Sequence[State]:
        """Return the cost and the number of obstacles of each line to a hex, the dearest line first.

        The dearest line has the fewest obstacles.
        """
        return self.labels.get(self.crossings.number.get(at, -1), ())

    def still(self, lifting: Lifting) -> bool:
        """Return whether all lines stay the same with other steps.

        `lifting`: steps that `instead` made from the steps of these lines.
        """
        return self.labels.keys().isdisjoint(lifting.differing)

    def reached(self) -> Iterator[str]:
        """Return the hexes to which there is a line."""
        return (self.crossings.hexes[number] for number in self.labels)

    def _build_line(self, number: int, lifts: int, cost: int) -> Lifted:
        names = self.crossings.hexes
        line = [names[number]]
        opened = list[str]()
        mended = list[str]()
        while number in self.before[lifts]:
            (earlier, fewer), (was_closed, was_mended) = self.before[lifts][number]
            hex_before = names[earlier]
            hex_after = names[number]
            if was_closed:
                opened.append(hex_after)
            if was_mended:
                mended.append(hexside(hex_before, hex_after))
            line.append(hex_before)
            number = earlier
            lifts = fewer
        return Lifted(cost, tuple(reversed(line)), tuple(reversed(opened)), tuple(reversed(mended)))


def lifted_field(
    lifting: Lifting,
    sources: Collection[str],
    *,
    limit: int | None = None,
    max_obstacles: int = MAX_LIFTED,
    wanted: Mapping[str, int] | None = None,
) -> LiftedField:
    """Return the lines from sources, closed or not, to every hex with the fewest obstacles to remove.

    `limit`: the maximum cost.
    `max_obstacles`: the maximum number of obstacles.
    `wanted`: hexes with their maximum costs; the search ends at the first one reached.

    Raises InputError if a source is not a hex of `lifting`.
    """
    crossings = lifting.crossings
    steps = lifting.table
    ends = wanted or {}
    number = crossings.number
    names = crossings.hexes
    max_cost = BARRED_COST - 1 if limit is None else limit
    settled: dict[int, int] = {}  # least cost of each hex with this number of obstacles or fewer
    layers: list[dict[int, int]] = [{} for _ in range(max_obstacles + 1)]  # by obstacles: the least cost of each hex
    steps_before: list[dict[int, tuple[State, tuple[bool, bool]]]] = [{} for _ in layers]
    queues: list[dict[int, list[int]]] = [{} for _ in layers]  # by obstacles and cost: hexes to search from
    labels: dict[int, tuple[State, ...]] = {}
    for name in sources:
        if name not in number:
            raise InputError(f"no line can be traced from {name}", hint="it is not a hex of the drawn map")
        layers[0][number[name]] = 0
        queues[0].setdefault(0, []).append(number[name])
    for lifts, (queue, layer) in enumerate(zip(queues, layers, strict=True)):
        while queue:
            at_cost = min(queue)
            bucket = queue[at_cost]
            while bucket:  # a crossing that costs nothing refills the bucket being emptied
                at = bucket.pop()
                if layer[at] != at_cost or settled.get(at, BARRED_COST) <= at_cost:
                    continue
                settled[at] = at_cost
                labels[at] = (*labels.get(at, ()), (at_cost, lifts))
                if at_cost <= ends.get(names[at], -1):
                    return LiftedField(crossings, labels, steps_before)
                state = at, lifts
                for other, cost, obstacles, which_obstacles in steps[at] or steps.of(at):
                    total = at_cost + cost
                    lifts_after = lifts + obstacles
                    if total > max_cost or lifts_after > max_obstacles or total >= settled.get(other, BARRED_COST):
                        continue
                    if total < layers[lifts_after].get(other, BARRED_COST):
                        layers[lifts_after][other] = total
                        steps_before[lifts_after][other] = state, which_obstacles
                        queues[lifts_after].setdefault(total, []).append(other)
            del queue[at_cost]
    return LiftedField(crossings, labels, steps_before)
