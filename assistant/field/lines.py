"""Lines over a map: what each step costs or why it is barred, how far a source reaches, and the cheapest line from it.

A game sets the cost of each kind of crossing and what each range of a source gives; measuring and searching are the same for
supply, ammunition and orders.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Annotated

import msgspec

from ..mechanics.tracing import ANY_LENGTH, CostField, Crossing, Crossings, Price, Prices, cost_field
from ..util.notes import note


class Cost(msgspec.Struct, frozen=True):
    """What one step of a line costs, in the game's smallest step, and why. linked: whether it goes along a railway or the like."""

    amount: int
    why: str
    linked: bool = False


class LineStep(msgspec.Struct, frozen=True):
    """One hex of a line."""

    hex: Annotated[str, note("its number")]
    cost: Annotated[Fraction, note("its cost, in hexes")]
    sum: Annotated[Fraction, note("cost of the line up to it, in hexes")]
    why: Annotated[str, note("the reason for the cost")]


class Line(msgspec.Struct, frozen=True):
    """A line as far as it leads.

    start: its first hex; steps: the hexes after it; linked: those that it enters along a railway or the like; barred: why it stops
    there, "" if it reaches its end.
    """

    start: str
    steps: tuple[LineStep, ...] = ()
    linked: tuple[str, ...] = ()
    barred: str = ""

    @property
    def end(self) -> str:
        """The last hex that it reaches."""
        return self.steps[-1].hex if self.steps else self.start

    @property
    def cost(self) -> Fraction:
        """What it costs, in hexes."""
        return self.steps[-1].sum if self.steps else Fraction(0)


def measure(
    hexes: Sequence[str],
    costs: Iterable[Cost | str],
    per_hex: int,
    closed: Collection[str] = (),
    why_closed: str = "closed",
) -> Line:
    """A line with the running sum of its costs, up to where it is barred.

    costs: of each hex after the first, or why no line leads there; per_hex: how many of the smallest steps make a hex; closed: hexes
    that no line may enter; why_closed: why, in words.
    """
    steps: list[LineStep] = []
    linked: list[str] = []
    total = 0
    barred = f"{hexes[0]} is {why_closed}" if hexes[0] in closed else ""
    for hex, cost in zip(hexes[1:], costs, strict=True):
        if hex in closed or isinstance(cost, str):
            barred = barred or (f"{hex} is {why_closed}" if hex in closed else f"into {hex}: {cost}")
            break
        total += cost.amount
        steps.append(LineStep(hex, Fraction(cost.amount, per_hex), Fraction(total, per_hex), cost.why))
        linked += [hex] if cost.linked else []
    return Line(hexes[0], tuple(steps), tuple(linked), barred)


class LineMap(msgspec.Struct, frozen=True, dict=True):
    """A map compiled for the lines of one side.

    costs: of each kind of crossing, or why it is barred; closed: hexes that no line enters; per_hex: how many of the smallest steps
    make a hex.
    """

    crossings: Crossings
    costs: Mapping[Crossing, Cost | str]
    closed: frozenset[str]
    per_hex: int

    def field(self, starts: Collection[str], limit: int | None = None) -> CostField:
        """The cost from the nearest start to every hex, up to a limit in the smallest steps; a line may begin in a closed hex.

        Raises InputError for a start that is not a hex of the map.
        """
        sources = dict.fromkeys(sorted(starts), 0)
        return cost_field(self.crossings, self._prices, sources, closed=self.closed - set(starts), limit=limit)

    def field_to(self, end: str, limit: int = ANY_LENGTH) -> CostField:
        """The cost from every hex to an end, up to a limit in the smallest steps; `before` is the next hex on the way there."""
        known, field = self._fields_to.get(end, (-1, None))
        if field is None or known < limit:
            field = cost_field(self.crossings, self._prices_back, {end: 0}, closed=self.closed, limit=limit)
            self._fields_to[end] = limit, field
        return field

    @cached_property
    def _prices(self) -> Prices:
        return Prices(self.price)

    @cached_property
    def _prices_back(self) -> Prices:
        return Prices(self.price_back)

    def prices(self, name: Hashable, price: Price) -> Prices:
        """What kinds of crossing cost by other rules, asked once for each. name: of these rules, under which they are kept."""
        return self._kept_prices.setdefault(name, Prices(price))

    @cached_property
    def _kept_prices(self) -> dict[Hashable, Prices]:
        return {}

    @cached_property
    def _fields_to(self) -> dict[str, tuple[int, CostField]]:
        """The fields that were asked for, with their limits: one serves all the sources of a unit."""
        return {}

    def price(self, kind: Crossing) -> int | None:
        """What a kind of crossing costs, None where it is barred."""
        cost = self.costs[kind]
        return None if isinstance(cost, str) else cost.amount

    def price_back(self, kind: Crossing) -> int | None:
        """What a kind of crossing costs in the other direction."""
        return self.price(Crossing(kind.enters, kind.over, kind.leaves))

    def line(self, start: str, to: str, limit: int = ANY_LENGTH) -> Line | None:
        """The cheapest line from hex to hex, None if there is none within the limit. Raises InputError for a start off the map."""
        if start in self.closed or start not in self.crossings.number:
            field = self.field({start}, limit)
            hexes = field.line(to) if to in field.cost else ()
        else:
            field = self.field_to(to, limit)
            hexes = field.line(start)[::-1] if field.cost.get(start, limit + 1) <= limit else ()
        return self.along(hexes) if hexes else None

    def along(self, hexes: Sequence[str]) -> Line:
        """A line that passes these hexes."""
        number, ways = self.crossings.number, self.crossings.ways
        kinds = [dict(ways[number[here]])[number[there]] for here, there in pairwise(hexes)]
        return measure(hexes, [self.costs[self.crossings.kinds[kind]] for kind in kinds], self.per_hex)


class Range(msgspec.Struct, frozen=True):
    """How far a source reaches in one of its modes, and what it gives there.

    hexes: None for any distance; gives: what it gives, such as a supply state; extended: whether the source must change its mode for it.
    """

    hexes: int | None
    gives: str
    extended: bool = False


class Source(msgspec.Struct, frozen=True):
    """Where lines begin: a depot, a train, a map edge. ranges: of its modes, the best first."""

    name: str
    kind: str
    place: str
    ranges: tuple[Range, ...]

    @property
    def limit(self) -> int | None:
        """How far it reaches at most, in hexes; None for any distance."""
        far = [one.hexes for one in self.ranges if one.hexes is not None]
        return max(far, default=0) if len(far) == len(self.ranges) else None

    def at(self, within: Callable[[int], bool]) -> Range | None:
        """The best of its ranges that suffices, None if none does. within: whether the line is no longer than a number of hexes."""
        return next((one for one in self.ranges if one.hexes is None or within(one.hexes)), None)
