"""What breaks a line, and what would restore it: the line that lifts the fewest obstacles.

An obstacle is a hex that no line may enter, or a step that is barred or costs more than it would if a bridge or a railway
were in order. A line passes each hex once, so the obstacles on it are as many as it lifts: those that `lifted_field` names are the
fewest, and no part of them is enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

import msgspec

from ..state.state import hexside
from ..util.errors import InputError
from .tracing import Crossings, Price

MOST_LIFTED = 6
"""How many obstacles are lifted at most where nothing else is said."""


class Lifted(msgspec.Struct, frozen=True):
    """A line for which obstacles were lifted.

    cost: in the game's smallest step; line: its hexes from the source; opened: the hexes that it enters although they are closed;
    mended: the hexsides over which it is barred, or costs more as they are.
    """

    cost: int
    line: tuple[str, ...]
    opened: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()

    @property
    def obstacles(self) -> tuple[str, ...]:
        """All that were lifted."""
        return (*self.opened, *self.mended)


State = tuple[int, int]
"""A hex by its number, and how many obstacles were lifted on the way to it."""


class LiftedField(msgspec.Struct, frozen=True):
    """The least cost to each hex for each number of obstacles lifted, as far as more of them make it cheaper.

    labels: of each hex by its number, cost and obstacles lifted, the cheapest last; before: where a line came from, and whether the
    hex was opened and the step mended.
    """

    crossings: Crossings
    labels: Mapping[int, list[tuple[int, int]]]
    before: Mapping[State, tuple[State, bool, bool]]

    def to(self, hex: str, limit: int | None = None) -> Lifted | None:
        """The line to a hex within a limit that lifts the fewest obstacles, and of those the cheapest; None if there is none."""
        number = self.crossings.number.get(hex, -1)
        fitting = [(lifts, cost) for cost, lifts in self.labels.get(number, ()) if limit is None or cost <= limit]
        if not fitting:
            return None
        lifts, cost = min(fitting)
        names = self.crossings.hexes
        line, opened, mended = [hex], list[str](), list[str]()
        at = (number, lifts)
        while at in self.before:
            earlier, was_closed, was_mended = self.before[at]
            here, there = names[earlier[0]], names[at[0]]
            opened += [there] if was_closed else []
            mended += [hexside(here, there)] if was_mended else []
            line.append(here)
            at = earlier
        return Lifted(cost, tuple(reversed(line)), tuple(reversed(opened)), tuple(reversed(mended)))


def lifted_field(
    crossings: Crossings,
    price: Price,
    sources: Collection[str],
    *,
    closed: Collection[str] = (),
    mended: Price = lambda kind: None,
    limit: int | None = None,
    most: int = MOST_LIFTED,
) -> LiftedField:
    """The lines from sources to every hex for which the fewest obstacles have to be lifted.

    price: what a kind of crossing costs, None where it is barred; closed: hexes that no line enters; mended: what a kind of
    crossing costs once it is put in order, None where nothing can be; limit: the greatest cost that counts; most: how many
    obstacles may be lifted. A line may begin in a closed hex. Raises InputError for a source that is not among the compiled hexes.
    """
    ways, kinds, number = crossings.ways, crossings.kinds, crossings.number
    shut = {number[hex] for hex in closed if hex in number}
    offers: list[tuple[tuple[int, int], ...]] = []  # of each kind of crossing: what it costs and how much is lifted
    best: dict[State, int] = {}
    labels = defaultdict[int, list[tuple[int, int]]](list)
    before: dict[State, tuple[State, bool, bool]] = {}
    buckets = defaultdict[int, list[State]](list)
    for name in sources:
        if name not in number:
            raise InputError(f"no line can be traced from {name}", hint="it is not a hex of the drawn map")
        best[number[name], 0] = 0
        buckets[0].append((number[name], 0))
    while buckets:
        at_cost = min(buckets)
        bucket = buckets[at_cost]
        while bucket:  # a crossing that costs nothing refills the bucket being emptied
            state = bucket.pop()
            at, lifts = state
            known = labels[at]
            if best[state] != at_cost or any(lifted <= lifts for _, lifted in known):
                continue
            labels[at] = [one for one in known if one[0] < at_cost]
            labels[at].append((at_cost, lifts))
            way = ways[at]
            while len(offers) < len(kinds):
                offers.append(_offers(price(kinds[len(offers)]), mended(kinds[len(offers)])))
            for other, kind in way:
                is_shut = other in shut
                for cost, lifted in offers[kind]:
                    then = (other, lifts + lifted + is_shut)
                    total = at_cost + cost
                    if (
                        then[1] <= most
                        and (limit is None or total <= limit)
                        and (then not in best or total < best[then])
                    ):
                        best[then] = total
                        before[then] = (state, is_shut, bool(lifted))
                        buckets[total].append(then)
        buckets.pop(at_cost, None)
    return LiftedField(crossings, labels, before)


def _offers(price: int | None, mended: int | None) -> tuple[tuple[int, int], ...]:
    """What a crossing costs as it is, with nothing lifted, and what it costs mended, with one obstacle lifted."""
    as_it_is = () if price is None else ((price, 0),)
    better = mended is not None and (price is None or mended < price)
    return (*as_it_is, (mended, 1)) if better and mended is not None else as_it_is
