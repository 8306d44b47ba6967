"""Lines over a map: what each step costs or why it is barred, how far a source reaches, and the cheapest line from it.

A game sets the cost of each kind of crossing and what each range of a source gives; measuring and searching are the
same for supply, ammunition and orders.
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
    """What one step of a line costs, in the game's smallest step, and why."""

    amount: int
    why: str
    linked: bool = False
    """Whether it goes along a railway or the like."""


class LineStep(msgspec.Struct, frozen=True):
    """One hex of a line."""

    hex: HexNumber
    cost: Annotated[Fraction, note("its cost, in hexes")]
    sum: Annotated[Fraction, note("cost of the line so far, in hexes")]
    why: Annotated[str, note("the reason for the cost")]


class TracedLine(msgspec.Struct, frozen=True):
    """A line as far as it leads."""

    start: str
    """Its first hex."""
    steps: tuple[LineStep, ...] = ()
    """The hexes after it."""
    linked: tuple[str, ...] = ()
    """Those that it enters along a railway or the like."""
    barred: str = ""
    """Why it leads nowhere, since its first hex is closed, or why it stops; "" if it holds to its end."""

    @property
    def end(self) -> str:
        """The last hex that it reaches."""
        return self.steps[-1].hex if self.steps else self.start

    @property
    def hexes(self) -> tuple[str, ...]:
        """All hexes that it reaches."""
        return self.start, *(step.hex for step in self.steps)

    @property
    def cost(self) -> Fraction:
        """What it costs, in hexes."""
        return self.steps[-1].sum if self.steps else Fraction(0)


def measure_line(
    hexes: Sequence[str],
    costs: Iterable[Cost | str],
    per_hex: int,
    closed: Collection[str] = (),
    why_closed: str = "closed",
) -> TracedLine:
    """Return a line with the running sum of its costs, up to where it is barred; one from a closed hex leads nowhere,
    but is measured.

    costs: of each hex after the first, or why no line leads there; per_hex: the smallest steps in a hex; closed: hexes
    that no line may enter.
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
    """Return a cost in hexes. per_hex: how many of the smallest steps make one."""
    return Fraction(amount, per_hex)


Rules = Callable[[], tuple[Price, Collection[str]]]
"""Tells by what rules lines lead: what kinds of crossing cost, and the hexes that no line enters."""


class LineMap:
    """A map compiled for the lines of one side.

    costs: of each kind of crossing, or why it is barred; closed: hexes that no line enters; per_hex: how many of the
    smallest steps make a hex; known, apart: as `instead` gives them.
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

    def instead(self, crossings: Crossings, closed: frozenset[str], apart: Collection[str]) -> LineMap:
        """Return the map where something else lies in some hexes or on their hexsides (apart), and other hexes are
        closed: lines that pass none of these are not sought again.
        """
        self._known = None  # one map is remembered, not all before it
        return LineMap(crossings, self.costs, closed, self.per_hex, self, apart)

    def spread(self, name: Hashable, rules: Rules, starts: Collection[str]) -> Spread:
        """Return the lines by some rules from the nearest start, as far as they are asked for. name: of these rules,
        under which lines are kept.

        Raises InputError for a start that is not a hex of the map.
        """
        key = name, frozenset(starts)
        if key not in self._spreads:
            ways = self._build_ways(name, rules)
            known = self._known._spreads.get(key) if self._known else None
            still = known.moved_to(ways) if known and known.ways is ways.before else None
            self._spreads[key] = still or Spread(ways, dict.fromkeys(sorted(starts), 0))
        return self._spreads[key]

    def _build_ways(self, name: Hashable, rules: Rules) -> OpenWays:
        """Return the steps that lines by some rules may take."""
        if name not in self._open:
            price, closed = rules()
            known = self._known._open.get(name) if self._known else None
            self._open[name] = (
                known.instead(self.crossings, closed, self._apart) if known else OpenWays(self.crossings, price, closed)
            )
        return self._open[name]

    def lifting(self, name: Hashable, mended: Price) -> Lifting:
        """Return the steps of lines back to a unit, with what lifts the obstacles on them. name: of what is mended,
        under which the steps are kept; mended: what a kind of crossing costs in that direction once it is put in order.
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
        self, lifting: Lifting, end: str, wanted: Mapping[str, int], name: Hashable, limit: int, most: int
    ) -> LiftedField:
        """Return the lines to an end for which the fewest obstacles have to be lifted. lifting: the steps; wanted,
        limit, most: as for `lifted_field`; name: of what is wanted, under which the lines are kept.
        """
        asked = end, name, limit, most
        key = lifting, *asked
        if key not in self._lifted:
            known = self._known._lifted.get((lifting.before, *asked)) if self._known else None
            still = known if known and known.still(lifting) else None
            self._lifted[key] = still or lifted_field(lifting, [end], limit=limit, most=most, wanted=wanted)
        return self._lifted[key]

    def spread_from(self, starts: Collection[str]) -> Spread:
        """Return the lines from the nearest start, as far as they are asked for; a line may begin in a closed hex, but
        none enters one.

        Raises InputError for a start that is not a hex of the map.
        """
        return self.spread("out", lambda: (self.price, self.closed), starts)

    def field(self, starts: Collection[str], limit: int = ANY_LENGTH) -> CostField:
        """Return the cost from the nearest start to every hex, up to a limit in the smallest steps; a line may begin in
        a closed hex.

        Raises InputError for a start that is not a hex of the map.
        """
        return self.spread_from(starts).within(limit)

    def field_to(self, end: str, limit: int = ANY_LENGTH) -> CostField:
        """Return the cost from every hex to an end, up to a limit in the smallest steps; `before` is the next hex on
        the way there.
        """
        known, field = self._fields_to.get(end, (-1, None))
        if field is None or known < limit:
            field = self.spread_to(end).within(limit)
            self._fields_to[end] = limit, field  # one serves all the sources of a unit
        return field

    def spread_to(self, end: str) -> Spread:
        """Return the lines from every hex to an end, as far as they are asked for; their hexes are listed from the end."""
        return self.spread("home", lambda: (self.price_back, self.closed), () if end in self.closed else (end,))

    def price(self, kind: Crossing) -> int | None:
        """Return what a kind of crossing costs, None where it is barred."""
        cost = self.costs[kind]
        return None if isinstance(cost, str) else cost.amount

    def price_back(self, kind: Crossing) -> int | None:
        """Return what a kind of crossing costs in the other direction."""
        return self.price(kind.back)

    def line(self, start: str, to: str, limit: int = ANY_LENGTH) -> TracedLine | None:
        """Return the cheapest line from hex to hex, None if there is none within the limit. Raises InputError for a
        start off the map.
        """
        if start in self.closed or start not in self.crossings.number:
            field = self.field({start}, limit)
            hexes = field.line(to) if to in field.cost else ()
        else:
            back = self.spread_to(to)
            hexes = () if back.cost(start, limit) is None else back.line(start)[::-1]
        return self.along(hexes) if hexes else None

    def along(self, hexes: Sequence[str], why_closed: str = "") -> TracedLine:
        """Return a line that passes these hexes. why_closed: why none enters a closed hex, in words; if left out, it
        enters them too.

        Raises KeyError for two hexes that are not adjacent on this map.
        """
        numbers = [self.crossings.number[at] for at in hexes]
        kinds = [dict(self.crossings.ways(here))[there] for here, there in pairwise(numbers)]
        costs = [self.costs[self.crossings.kinds[kind]] for kind in kinds]
        return measure_line(hexes, costs, self.per_hex, self.closed if why_closed else (), why_closed)


class Range(msgspec.Struct, frozen=True):
    """How far a source reaches in one of its modes, and what it gives there."""

    hexes: int | None
    """None for any distance."""
    gives: str
    """What it gives, such as a supply state."""
    extended: bool = False
    """Whether the source must change its mode for it."""


class LineSource(msgspec.Struct, frozen=True):
    """Where lines begin: a depot, a train, a map edge."""

    name: str
    kind: str
    place: str
    ranges: tuple[Range, ...]
    """Of its modes, the best first."""

    @property
    def limit(self) -> int | None:
        """How far it reaches at most, in hexes; None for any distance."""
        far = [reach.hexes for reach in self.ranges if reach.hexes is not None]
        return max(far, default=0) if len(far) == len(self.ranges) else None

    def at(self, within: Callable[[int], bool]) -> Range | None:
        """Return the best of its ranges that suffices, None if none does. within: whether the line is no longer than a
        number of hexes.
        """
        return next((reach for reach in self.ranges if reach.hexes is None or within(reach.hexes)), None)


# --- lines counted in hexes -------------------------------------------------------------------------------------------

_HEX = 1000
"""The price of a hex, in the smallest step."""


def price_of_hex(*, certain: bool) -> int:
    """Return the price of a hex for lines that are counted in hexes. certain: whether what lies in it is known; if not,
    it is a little dearer, so that of equal lines the one is chosen that takes least for granted.
    """
    return _HEX if certain else _HEX + 1


def price_within(hexes: int) -> int:
    """Return the price that no line of so many hexes exceeds, whatever it takes for granted."""
    return (hexes + 1) * _HEX - 1


def hex_count(price: int) -> int:
    """Return how many hexes a line of such a price has."""
    return price // _HEX


def format_hexes(field: CostField) -> CostField:
    """Return a field of such prices with its costs in hexes."""
    return CostField({at: hex_count(cost) for at, cost in field.cost.items()}, field.before)
