"""Lines over a map: the costs and bars of their steps, the reach of a source, and the cheapest line from it.

A game sets the cost of each kind of crossing and what each range of a source gives. Supply, ammunition and orders share
this search.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Annotated

import msgspec

from ...mechanics.crossings import Crossing, Crossings, OpenWays, Price
from ...mechanics.repairs import LiftedField, Lifting, lifted_field
from ...mechanics.tracing import ANY_LENGTH, CostField, Spread
from ...state.vocabulary import HexNumber
from ...util.notes import note


class Cost(msgspec.Struct, frozen=True):
    """The cost of one step of a line, in the game's smallest step, and the reason for it."""

    amount: int
    why: str
    linked: bool = False
    """Whether the step follows a railway or the like."""


class LineStep(msgspec.Struct, frozen=True):
    """One hex of a line."""

    hex: HexNumber
    cost: Annotated[Fraction, note("the cost, in hexes")]
    sum: Annotated[Fraction, note("cost of the line so far, in hexes")]
    why: Annotated[str, note("the reason for the cost")]


class TracedLine(msgspec.Struct, frozen=True):
    """A line up to the hex where it is barred."""

    start: str
    """The line's first hex."""
    steps: tuple[LineStep, ...] = ()
    """The hexes after the first."""
    linked: tuple[str, ...] = ()
    """The hexes entered along a railway or the like."""
    barred: str = ""
    """The reason why the line is barred, or "" if it reaches its end."""

    @property
    def end(self) -> str:
        """The last hex that the line reaches."""
        return self.steps[-1].hex if self.steps else self.start

    @property
    def hexes(self) -> tuple[str, ...]:
        """All hexes that the line reaches."""
        return self.start, *(step.hex for step in self.steps)

    @property
    def cost(self) -> Fraction:
        """The line's cost, in hexes."""
        return self.steps[-1].sum if self.steps else Fraction(0)


def measure_line(
    hexes: Sequence[str],
    costs: Iterable[Cost | str],
    per_hex: int,
    closed: Collection[str] = (),
    why_closed: str = "closed",
) -> TracedLine:
    """Return a line with the running sum of its costs, up to where it is barred.

    A line from a closed hex is barred from the start, but still measured.

    `costs`: the cost of each hex after the first, or the reason why no line enters it.
    `per_hex`: the number of smallest steps in a hex.
    """
    steps: list[LineStep] = []
    linked: list[str] = []
    total = 0
    barred = f"{hexes[0]} is {why_closed}" if hexes[0] in closed else ""
    for at, cost in zip(hexes[1:], costs, strict=True):
        if at in closed or isinstance(cost, str):
            barred = barred or (f"{at} is {why_closed}" if at in closed else f"into {at}: {cost}")
            break
        total += cost.amount
        steps.append(LineStep(at, _convert_to_hexes(cost.amount, per_hex), _convert_to_hexes(total, per_hex), cost.why))
        if cost.linked:
            linked.append(at)
    return TracedLine(hexes[0], tuple(steps), tuple(linked), barred)


@lru_cache(1024)
def _convert_to_hexes(amount: int, per_hex: int) -> Fraction:
    return Fraction(amount, per_hex)


Rules = Callable[[], tuple[Price, Collection[str]]]
"""A function that returns the price of each kind of crossing, and the hexes that no line enters."""


class LineMap:
    """A map compiled for the lines of one side.

    `costs`: the cost of each kind of crossing, or the reason why it is barred.
    `per_hex`: the number of smallest steps in a hex.
    `known`, `apart`: an earlier map, and the hexes where this one differs from it.
    """

    def __init__(
        self,
        crossings: Crossings,
        costs: Mapping[Crossing, Cost | str],
        closed: frozenset[str],
        per_hex: int,
        known: LineMap | None = None,
        apart: Collection[str] = (),
    ) -> None:
        self.crossings = crossings
        self.costs = costs
        self.closed = closed
        self.per_hex = per_hex
        self._known = known
        self._apart = apart
        self._open: dict[Hashable, OpenWays] = {}
        self._spreads: dict[tuple[Hashable, frozenset[str]], Spread] = {}
        self._fields_to: dict[str, tuple[int, CostField]] = {}
        self._liftings: dict[Hashable, Lifting] = {}
        self._lifted: dict[tuple[Hashable, str, Hashable, int, int], LiftedField] = {}

    def instead(self, crossings: Crossings, closed: frozenset[str], changed: Collection[str]) -> LineMap:
        """Return the map with other crossings at the hexes `changed` and other closed hexes.

        Lines that pass none of these hexes are taken over from this map.
        """
        self._known = None  # keep one earlier map, not the whole chain
        return LineMap(crossings, self.costs, closed, self.per_hex, self, changed)

    def spread(self, name: Hashable, rules: Rules, starts: Collection[str]) -> Spread:
        """Return the lines from the nearest start by the given rules, searched only as far as asked for.

        `name`: the key under which lines by these rules are kept.

        Raises InputError if a start is not a hex of the map.
        """
        key = name, frozenset(starts)
        if key not in self._spreads:
            ways = self.open_ways(name, rules)
            known = self._known._spreads.get(key) if self._known else None
            reused = known.moved_to(ways) if known else None
            self._spreads[key] = reused or Spread(ways, dict.fromkeys(sorted(starts), 0))
        return self._spreads[key]

    def open_ways(self, name: Hashable, rules: Rules) -> OpenWays:
        """Return the steps that lines by the given rules may take.

        `name`: the key under which the steps are kept.
        """
        if name not in self._open:
            price, closed = rules()
            known = self._known._open.get(name) if self._known else None
            self._open[name] = (
                known.instead(self.crossings, closed, self._apart) if known else OpenWays(self.crossings, price, closed)
            )
        return self._open[name]

    def lifting(self, name: Hashable, mended: Price) -> Lifting:
        """Return the steps of lines back to a unit, with the obstacles that may be lifted on them.

        `name`: the key under which the steps are kept.
        `mended`: the cost back over a kind of crossing once its obstacle is lifted.
        """
        if name not in self._liftings:
            known = self._known._liftings.get(name) if self._known else None
            self._liftings[name] = (
                known.instead(self.crossings, self.closed, self._apart)
                if known
                else Lifting(self.crossings, self.price_back, mended, self.closed)
            )
        return self._liftings[name]

    def lifted(
        self, lifting: Lifting, end: str, wanted: Mapping[str, int], name: Hashable, limit: int, max_obstacles: int
    ) -> LiftedField:
        """Return the lines to an end for which the fewest obstacles must be lifted.

        `name`: a key for `wanted`, under which the lines are kept.
        """
        asked = end, name, limit, max_obstacles
        key = lifting, *asked
        if key not in self._lifted:
            known = self._known._lifted.get((lifting.before, *asked)) if self._known else None
            reused = known if known and known.still(lifting) else None
            self._lifted[key] = reused or lifted_field(
                lifting, [end], limit=limit, max_obstacles=max_obstacles, wanted=wanted
            )
        return self._lifted[key]

    def spread_from(self, starts: Collection[str]) -> Spread:
        """Return the lines from the nearest start, searched only as far as asked for.

        A line may begin in a closed hex, but not enter one.

        Raises InputError if a start is not a hex of the map.
        """
        return self.spread("out", lambda: (self.price, self.closed), starts)

    def field(self, starts: Collection[str], limit: int = ANY_LENGTH) -> CostField:
        """Return the cost from the nearest start to every hex, up to a limit in smallest steps.

        A line may begin in a closed hex.

        Raises InputError if a start is not a hex of the map.
        """
        return self.spread_from(starts).within(limit)

    def field_to(self, end: str, limit: int = ANY_LENGTH) -> CostField:
        """Return the cost from every hex to an end, up to a limit in smallest steps.

        In this field, `before` is the next hex toward the end.
        """
        known, field = self._fields_to.get(end, (-1, None))
        if field is None or known < limit:
            field = self.spread_to(end).within(limit)
            self._fields_to[end] = limit, field  # one field serves all sources of a unit
        return field

    def spread_to(self, end: str) -> Spread:
        """Return the lines from every hex to an end, searched only as far as asked for.

        Their hexes are listed from the end.
        """
        return self.spread("home", lambda: (self.price_back, self.closed), () if end in self.closed else (end,))

    def price(self, kind: Crossing) -> int | None:
        """Return the cost of a kind of crossing, or None if it is barred."""
        cost = self.costs[kind]
        return None if isinstance(cost, str) else cost.amount

    def price_back(self, kind: Crossing) -> int | None:
        """Return the cost of a kind of crossing in the other direction, or None if it is barred."""
        return self.price(kind.back)

    def line(self, start: str, to: str, limit: int = ANY_LENGTH) -> TracedLine | None:
        """Return the cheapest line between two hexes, or None if there is none within the limit.

        Raises InputError if the start is off the map.
        """
        if start in self.closed or start not in self.crossings.number:
            field = self.field({start}, limit)
            hexes = field.line(to) if to in field.cost else ()
        else:
            back = self.spread_to(to)
            hexes = () if back.cost(start, limit) is None else back.line(start)[::-1]
        return self.along(hexes) if hexes else None

    def along(self, hexes: Sequence[str], why_closed: str = "") -> TracedLine:
        """Return the line through the given hexes.

        `why_closed`: the reason why no line enters a closed hex; if left out, closed hexes do not bar the line.

        Raises KeyError if two hexes are not adjacent on this map.
        """
        numbers = [self.crossings.number[at] for at in hexes]
        kinds = [dict(self.crossings.ways(here))[there] for here, there in pairwise(numbers)]
        costs = [self.costs[self.crossings.kinds[kind]] for kind in kinds]
        return measure_line(hexes, costs, self.per_hex, self.closed if why_closed else (), why_closed)


class Range(msgspec.Struct, frozen=True):
    """The reach of a source in one of its modes, and what it gives there."""

    hexes: int | None
    """The range in hexes, or None if unlimited."""
    gives: str
    """The result within this range, such as a supply state."""
    extended: bool = False
    """Whether the source must change its mode for this range."""


class LineSource(msgspec.Struct, frozen=True):
    """The start of lines: a depot, a train, a map edge."""

    name: str
    kind: str
    place: str
    ranges: tuple[Range, ...]
    """The ranges of the source's modes, best first."""

    @property
    def limit(self) -> int | None:
        """The source's greatest reach in hexes, or None if it is unlimited."""
        limits = [reach.hexes for reach in self.ranges if reach.hexes is not None]
        return max(limits, default=0) if len(limits) == len(self.ranges) else None

    def at(self, within: Callable[[int], bool]) -> Range | None:
        """Return the source's best range that suffices, or None if none does.

        `within`: returns whether the line is no longer than a number of hexes.
        """
        return next((reach for reach in self.ranges if reach.hexes is None or within(reach.hexes)), None)


# --- lines counted in hexes -------------------------------------------------------------------------------------------

_PRICE_PER_HEX = 1000
"""The price of a hex, large enough for an uncertain hex to cost 1 more."""


def price_of_hex(*, certain: bool) -> int:
    """Return the price of a hex for lines that are counted in hexes.

    A hex with unknown contents costs a little more, so that of equally long lines the one with fewest assumptions is
    chosen.
    """
    return _PRICE_PER_HEX if certain else _PRICE_PER_HEX + 1


def price_within(hexes: int) -> int:
    """Return the highest price of a line of at most `hexes` hexes, with any number of assumptions."""
    return (hexes + 1) * _PRICE_PER_HEX - 1


def hex_count(price: int) -> int:
    """Return the number of hexes of a line from its price."""
    return price // _PRICE_PER_HEX


def format_hexes(field: CostField) -> CostField:
    """Return a field whose prices are converted to hexes."""
    return CostField({at: hex_count(cost) for at, cost in field.cost.items()}, field.before)
