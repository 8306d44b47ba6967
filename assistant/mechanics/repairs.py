"""What breaks a line, and what would restore it: the line that removes the fewest obstacles.

An obstacle is a hex that no line may enter, or a step that is barred or dearer than with its bridge or railway in
order. `lifted_field` names the fewest: a line passes each hex once, so no part of them is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Annotated

import msgspec

from ..state.state import hexside
from ..util.errors import InputError
from ..util.notes import note
from .crossings import ENDLESS, Crossings, MapSteps, Price, Worked

MOST_LIFTED = 6
"""How many obstacles are lifted at most where nothing else is said."""


class Lifted(msgspec.Struct, frozen=True):
    """A line for which obstacles were lifted."""

    cost: Annotated[int, note("in the game's smallest step")]
    line: Annotated[tuple[str, ...], note("its hexes from the source")]
    opened: Annotated[tuple[str, ...], note("the closed hexes that it enters all the same")] = ()
    mended: Annotated[tuple[str, ...], note("the hexsides that bar it, or make it dearer, as they are")] = ()

    @property
    def obstacles(self) -> tuple[str, ...]:
        """All that were lifted."""
        return (*self.opened, *self.mended)


State = tuple[int, int]
"""A hex by its number, and how many obstacles were lifted on the way to it."""
Step = tuple[int, int, int, tuple[bool, bool]]
"""Into which hex a step leads, what it costs, how many obstacles are lifted for that, and which: the hex, the step."""


class Lifting(MapSteps[Step]):
    """The steps of a board with what they cost as they are, and mended."""

    def __init__(
        self,
        crossings: Crossings,
        price: Price,
        mended: Price = lambda kind: None,
        closed: Collection[str] = (),
    ) -> None:
        """price: what a kind of crossing costs, None where it is barred; mended: what it costs once it is put in order,
        None where nothing can be; closed: hexes that no line enters.
        """
        self._price = price
        self._mended = mended
        self._choices = Worked[int, tuple[tuple[int, bool], ...]](self._list_choices)  # by the kind of crossing
        self.compile(crossings, closed)

    def reader(self) -> Callable[[int], tuple[Step, ...]]:
        """Return a function that tells the steps from a hex."""
        crossings = self.crossings
        choices = self._choices
        shut = crossings.layout.numbers_of(self.closed)

        def steps(at: int) -> tuple[Step, ...]:
            return tuple(
                [
                    (other, cost, (other in shut) + mended, (other in shut, mended))
                    for other, kind in crossings.ways(at)
                    for cost, mended in choices[kind]
                ]
            )

        return steps

    def _list_choices(self, number: int) -> tuple[tuple[int, bool], ...]:
        """Return what a kind of crossing may cost, and whether it is mended for that."""
        kind = self.crossings.kinds[number]
        price = self._price(kind)
        mended = self._mended(kind)
        as_it_is = () if price is None else ((price, False),)
        better = () if mended is None or (price is not None and mended >= price) else ((mended, True),)
        return (*as_it_is, *better)


class LiftedField(msgspec.Struct, frozen=True):
    """The least cost to each hex for each number of obstacles lifted, as far as more of them make it cheaper.

    By obstacles lifted and hex, `before` tells where a line came from, and whether the hex was opened and the step
    mended.
    """

    crossings: Crossings
    labels: Annotated[
        Mapping[int, Sequence[State]], note("states of each hex, the dearest with the fewest obstacles removed first")
    ]
    before: Annotated[Sequence[Mapping[int, tuple[State, tuple[bool, bool]]]], note("the last step to each hex")]

    def to(self, at: str, limit: int | None = None) -> Lifted | None:
        """Return the line to a hex within a limit that lifts the fewest obstacles, and of those the cheapest; None if
        there is none.
        """
        least = self.least(at, limit)
        return None if least is None else self._build_line(self.crossings.number[at], *least)

    def least(self, at: str, limit: int | None = None) -> tuple[int, int] | None:
        """Return how many obstacles have to be lifted for a line to a hex within a limit, and what it costs; None if
        there is none.
        """
        labels = self.all_of(at)
        return next(((lifts, cost) for cost, lifts in labels if limit is None or cost <= limit), None)

    def all_of(self, at: str) -> Sequence[State]:
        """Return what lines to a hex cost with how many obstacles lifted, the dearest with the fewest first."""
        return self.labels.get(self.crossings.number.get(at, -1), ())

    def still(self, lifting: Lifting) -> bool:
        """Return whether the lines are the same with steps `instead` of those for which they were sought."""
        return lifting.differing.isdisjoint(self.labels)

    def reached(self) -> Iterator[str]:
        """Return the hexes that a line leads to."""
        return (self.crossings.hexes[number] for number in self.labels)

    def _build_line(self, number: int, lifts: int, cost: int) -> Lifted:
        names = self.crossings.hexes
        line = [names[number]]
        opened = list[str]()
        mended = list[str]()
        while number in self.before[lifts]:
            (earlier, fewer), (was_closed, was_mended) = self.before[lifts][number]
            here = names[earlier]
            there = names[number]
            if was_closed:
                opened.append(there)
            if was_mended:
                mended.append(hexside(here, there))
            line.append(here)
            number = earlier
            lifts = fewer
        return Lifted(cost, tuple(reversed(line)), tuple(reversed(opened)), tuple(reversed(mended)))


def lifted_field(
    lifting: Lifting,
    sources: Collection[str],
    *,
    limit: int | None = None,
    most: int = MOST_LIFTED,
    wanted: Mapping[str, int] | None = None,
) -> LiftedField:
    """Return the lines from sources, closed or not, to every hex for which the fewest obstacles have to be removed.

    limit: the greatest cost that counts; most: how many obstacles may be removed; wanted: hexes, each with the greatest
    cost, of which the first reached is enough. Raises InputError for a source that is not among the compiled hexes.
    """
    crossings = lifting.crossings
    steps = lifting.table
    ends = wanted or {}
    number = crossings.number
    names = crossings.hexes
    farthest = ENDLESS - 1 if limit is None else limit
    settled: dict[int, int] = {}  # the least cost of each hex so far, with as many obstacles lifted or fewer
    layers: list[dict[int, int]] = [{} for _ in range(most + 1)]  # by obstacles lifted: the least cost of each hex
    came: list[dict[int, tuple[State, tuple[bool, bool]]]] = [{} for _ in layers]
    queues: list[dict[int, list[int]]] = [{} for _ in layers]  # by obstacles lifted and cost: hexes to go on from
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
                if layer[at] != at_cost or settled.get(at, ENDLESS) <= at_cost:
                    continue
                settled[at] = at_cost
                labels[at] = (*labels.get(at, ()), (at_cost, lifts))
                if at_cost <= ends.get(names[at], -1):
                    return LiftedField(crossings, labels, came)
                here = at, lifts
                for other, cost, more, how in steps[at] or steps.of(at):
                    total = at_cost + cost
                    then = lifts + more
                    if total > farthest or then > most or total >= settled.get(other, ENDLESS):
                        continue
                    if total < layers[then].get(other, ENDLESS):
                        layers[then][other] = total
                        came[then][other] = here, how
                        queues[then].setdefault(total, []).append(other)
            del queue[at_cost]
    return LiftedField(crossings, labels, came)
