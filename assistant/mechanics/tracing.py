"""Tracing over a board: zones, cost fields, and lines by hexes or along links.

The core knows no rule. A game says which hexes are closed and prices each kind of crossing (from one hex into the next);
`cost_field` then searches outwards from the sources. A price counts in whole steps of the game's choice (a quarter of a
hex, a half movement point), so that no fraction is ever rounded on the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import TypeVar

import msgspec

from ..state.sources import Value
from ..util.errors import InputError

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Ground = tuple[tuple[str, Value], ...]
"""What lies in a hex or on a hexside: tracks and values, in the order in which the game asked for them."""


class Crossing(msgspec.Struct, frozen=True):
    """One kind of step from a hex into the next: the ground that is left, the hexside, the ground that is entered."""

    leaves: Ground
    over: Ground
    enters: Ground

    @property
    def back(self) -> Crossing:
        """The step in the other direction."""
        return Crossing(self.enters, self.over, self.leaves)


Price = Callable[[Crossing], int | None]
"""What a kind of crossing costs, in the game's smallest step; None where it is barred."""


class Prices:
    """What each kind of crossing costs, asked once for each although many fields are traced. of: tells it, None where it is barred."""

    def __init__(self, of: Price) -> None:
        self.of, self.known = of, list[int]()

    def learn(self, kinds: Sequence[Crossing]) -> None:
        """Ask for the kinds that have come up since."""
        new = (self.of(kind) for kind in kinds[len(self.known) :])
        self.known += [_ENDLESS if price is None else price for price in new]


class Worked(dict[K, V]):
    """A table of which each entry is worked out when it is first asked for.

    known: another table that has the same entries, but for those that are apart.
    """

    def __init__(self, work: Callable[[K], V], known: Mapping[K, V] | None = None, apart: Collection[K] = ()) -> None:
        super().__init__(known or ())
        self._work, self._known, self._apart = work, known, apart
        for key in apart:
            self.pop(key, None)

    def __missing__(self, key: K) -> V:
        other = self._known  # in which the entry is then there for all tables that know it
        self[key] = found = self._work(key) if other is None or key in self._apart else other[key]
        return found


class Numbered(dict[K, int]):
    """Numbers for values, from 0 on, each given when it is first asked for. listed: the values by their numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[K] = []

    def __missing__(self, key: K) -> int:
        self[key] = number = len(self.listed)
        self.listed.append(key)
        return number


class Crossings(msgspec.Struct, frozen=True):
    """All steps of a board: for each hex the next hexes with the number of the kind of crossing.

    ways, kinds: those from hexes that were asked for; most lines pass few hexes of a large map. neighbours: the hexes next to one; numbers: of the kinds, by those of
    what is left, what lies between and what is entered; grounds: the numbers of these.
    """

    hexes: Sequence[str]
    number: Mapping[str, int]
    ways: Mapping[int, Sequence[tuple[int, int]]]
    kinds: list[Crossing]
    numbers: dict[tuple[int, int, int], int]
    grounds: Numbered[Ground]
    neighbours: Callable[[str], Iterable[str]]

    def numbered(self, hexes: Iterable[str]) -> set[int]:
        """The numbers of some hexes, without those that are not on the board."""
        return {self.number[hex] for hex in hexes if hex in self.number}

    def steps(self, hex: str) -> Iterator[tuple[str, Crossing]]:
        """The steps from a hex: into which, and of what kind."""
        return ((self.hexes[other], self.kinds[kind]) for other, kind in self.ways[self.number[hex]])

    def beside(self, hexes: Iterable[str]) -> set[int]:
        """The numbers of some hexes and of those next to them."""
        return self.numbered(other for hex in hexes if hex in self.number for other in (hex, *self.neighbours(hex)))


def compile_crossings(
    hexes: Collection[str],
    neighbours: Callable[[str], Iterable[str]],
    ground: Callable[[str], Ground],
    over: Callable[[str, str], Ground],
    known: Crossings | None = None,
    apart: Collection[str] = (),
) -> Crossings:
    """The steps between these hexes. `ground` tells what lies in a hex, `over` what lies on a hexside.

    known: the steps between the same hexes where only these differ: `apart`, in which something else lies, or on their hexsides.
    """
    names = known.hexes if known else tuple(hexes)
    index = known.number if known else {name: number for number, name in enumerate(names)}
    kinds = known.kinds if known else []
    numbers = known.numbers if known else {}
    grounds = known.grounds if known else Numbered[Ground]()  # their numbers, as they take long to hash
    others = {index[name] for hex in apart if hex in index for name in (hex, *neighbours(hex)) if name in index}

    lying = Worked[int, int](lambda number: grounds[ground(names[number])])

    def ways(number: int) -> list[tuple[int, int]]:
        name, leaves, found = names[number], lying[number], []
        for beyond in neighbours(name):
            other = index.get(beyond)
            if other is not None:
                kind = leaves, grounds[over(name, beyond)], lying[other]
                if kind not in numbers:
                    numbers[kind] = len(kinds)
                    kinds.append(Crossing(*(grounds.listed[one] for one in kind)))
                found.append((other, numbers[kind]))
        return found

    worked = Worked(ways, known.ways if known else None, others)
    return Crossings(names, index, worked, kinds, numbers, grounds, neighbours)


class OpenWays:
    """The steps that lines may take: from each hex into the next ones that are open, with what each step costs.

    ways: by the number of a hex, the numbers of the next ones with the costs; those from hexes that were asked for. differing: the
    hexes from which other ways are known to be open than in those `instead` of which these are.
    """

    ways: Worked[int, tuple[tuple[int, int], ...]]
    differing: frozenset[int]

    def __init__(
        self, crossings: Crossings, price: Price | Prices, closed: Collection[str] = (), ends: Collection[str] = ()
    ) -> None:
        """price: what a kind of crossing costs; closed: hexes that no line enters; ends: hexes that a line may enter but not leave."""
        self._prices = price if isinstance(price, Prices) else Prices(price)
        self._compile(crossings, frozenset(closed), frozenset(ends))

    def _compile(
        self,
        crossings: Crossings,
        closed: frozenset[str],
        ends: frozenset[str],
        known: OpenWays | None = None,
        apart: Collection[int] = (),
    ) -> None:
        self.crossings, self.closed, self._ends = crossings, closed, ends
        shut, last = crossings.numbered(closed), crossings.numbered(ends)
        table, prices = self._prices, self._prices.known

        def open_from(at: int) -> tuple[tuple[int, int], ...]:
            steps = () if at in last else crossings.ways[at]
            if len(prices) < len(crossings.kinds):
                table.learn(crossings.kinds)
            return tuple((to, prices[kind]) for to, kind in steps if to not in shut and prices[kind] < _ENDLESS)

        self.ways = Worked[int, tuple[tuple[int, int], ...]](open_from, known.ways if known else None, apart)
        self.differing = frozenset(at for at in apart if known and at in known.ways and known.ways[at] != self.ways[at])

    def instead(self, crossings: Crossings, closed: Collection[str], apart: Collection[str]) -> OpenWays:
        """The ways that are open where other hexes are closed, and something else lies in or next to some hexes (apart); from most
        hexes they are the same. `differing` are the numbers of the others."""
        other = copy(self)
        changed = crossings.beside(self.closed.symmetric_difference(closed)) | crossings.beside(apart)
        other._compile(crossings, frozenset(closed), self._ends, self, changed)
        return other


class CostField(msgspec.Struct, frozen=True):
    """The least cost from any source to each hex that can be reached, and the hex before it on the way."""

    cost: Mapping[str, int]
    before: Mapping[str, str]

    def line(self, to: str) -> tuple[str, ...]:
        """The cheapest line to a hex, from its source. Raises KeyError if the hex was not reached."""
        line = [to]
        self.cost[to]
        while line[-1] in self.before:
            line.append(self.before[line[-1]])
        return tuple(reversed(line))


class Spread:
    """The cheapest lines from some sources, sought only as far as they are asked for: the costs next to the sources first."""

    def __init__(self, open_ways: OpenWays, sources: Mapping[str, int]) -> None:
        """sources: hexes where lines begin, with the cost already spent there. Raises InputError for one that is not among the compiled
        hexes."""
        self._open = open_ways
        self._best = [_ENDLESS] * len(open_ways.crossings.hexes)  # read faster than a table of the reached
        self._before: dict[int, int] = {}
        self._edge = defaultdict[int, list[int]](list)  # by cost: hexes to go on from
        number = open_ways.crossings.number
        for name, cost in sources.items():
            if name not in number:
                raise InputError(f"no line can be traced from {name}", hint="it is not a hex of the drawn map")
            self._best[number[name]] = cost
            self._edge[cost].append(number[name])
        self._starts = {at for hexes in self._edge.values() for at in hexes}
        self._next = min(self._edge, default=_ENDLESS)  # all lines that cost less are known
        self._fields: dict[tuple[int, frozenset[str]], CostField] = {}

    def cost(self, to: str, limit: int) -> int | None:
        """What the cheapest line to a hex costs, None if there is none within a limit."""
        at = self._open.crossings.number.get(to)
        if at is None:
            return None
        while (cost := self._best[at]) >= self._next and self._next <= limit:
            self._spread()
        return cost if cost <= limit else None

    def line(self, to: str) -> tuple[str, ...]:
        """The cheapest line to a hex of which the cost is known, from its source."""
        names, before = self._open.crossings.hexes, self._before
        at = self._open.crossings.number[to]
        line = [to]
        while at in before:
            at = before[at]
            line.append(names[at])
        return tuple(reversed(line))

    def within(self, limit: int, until: Collection[str] = ()) -> CostField:
        """All hexes within a limit, or only up to the cost of the nearest of some."""
        asked = limit, frozenset(until)
        if asked not in self._fields:
            self._fields[asked] = self._field(*asked)
        return self._fields[asked]

    def _field(self, limit: int, until: frozenset[str]) -> CostField:
        names = self._open.crossings.hexes
        while self._next <= limit:
            if (nearest := self._spread(until)) is not None:
                limit = nearest
                break
        best, before = self._best, self._before
        reached = self._starts.union(before)
        if self._edge:  # it has touched hexes beyond the limit
            reached = {at for at in reached if best[at] <= limit}
            before = {at: back for at, back in before.items() if at in reached}
        costs = {names[at]: best[at] for at in sorted(reached)}
        return CostField(costs, _Named(self._open.crossings, before))

    def _spread(self, until: Collection[str] = ()) -> int | None:
        """Go on from the hexes of the least cost, down to the first of some: then it tells that cost."""
        best, before, edge, ways = self._best, self._before, self._edge, self._open.ways
        names, at_cost = self._open.crossings.hexes, self._next
        bucket = edge[at_cost]
        while bucket:  # a crossing that costs nothing refills the bucket being emptied
            at = bucket.pop()
            if best[at] != at_cost:
                continue
            if until and names[at] in until:
                bucket.append(at)
                return at_cost
            for other, step in ways[at]:
                cost = at_cost + step
                if cost < best[other]:
                    best[other] = cost
                    before[other] = at
                    edge[cost].append(other)
        del edge[at_cost]
        self._next = min(edge, default=_ENDLESS)
        return None

    def on(self, open_ways: OpenWays) -> Spread | None:
        """The same lines on ways `instead` of its own; None if any of them passes a hex from which other ways are open."""
        if any(self._best[at] <= self._next for at in open_ways.differing):
            return None
        other = copy(self)
        other._open = open_ways
        other._best, other._before, other._fields = self._best.copy(), self._before.copy(), self._fields.copy()
        other._edge = defaultdict(list, {cost: hexes.copy() for cost, hexes in self._edge.items()})
        return other


def cost_field(
    crossings: Crossings,
    price: Price | Prices,
    sources: Mapping[str, int],
    *,
    closed: Collection[str] = (),
    ends: Collection[str] = (),
    limit: int | None = None,
    until: Collection[str] = (),
) -> CostField:
    """The cost of the cheapest line from the sources to every hex within a limit.

    sources: hexes where lines begin, with the cost already spent there. closed: hexes that no line enters (a source that is
    closed is left out). ends: hexes that a line may enter but not leave. limit: the greatest cost that counts. until: hexes
    of which one is enough: once the cheapest line to one of them is known, no dearer ones are sought. Costs of nothing are
    allowed. Raises InputError for a source that is not among the compiled hexes.
    """
    most = ANY_LENGTH if limit is None else limit
    begun = {name: cost for name, cost in sources.items() if name not in closed and cost <= most}
    return Spread(OpenWays(crossings, price, closed, ends), begun).within(most, until)


class _Named(Mapping[str, str]):
    """Hexes by their names instead of their numbers."""

    def __init__(self, crossings: Crossings, numbered: Mapping[int, int]) -> None:
        self._crossings, self._numbered = crossings, numbered

    def __getitem__(self, name: str) -> str:
        return self._crossings.hexes[self._numbered[self._crossings.number[name]]]

    def __iter__(self) -> Iterator[str]:
        return (self._crossings.hexes[number] for number in self._numbered)

    def __len__(self) -> int:
        return len(self._numbered)


_ENDLESS = 10**9
"""The price of a barred crossing: more than any line costs."""
ANY_LENGTH = _ENDLESS - 1
"""The limit of lines that may be of any length."""


def radius(
    sources: Iterable[str],
    reach: int | None,
    neighbours: Callable[[str], Iterable[str]],
    *,
    enters: Callable[[str], bool] | None = None,
    leaves: Callable[[str], bool] | None = None,
    crosses: Callable[[str, str], bool] | None = None,
    until: str | None = None,
) -> CostField:
    """The hexes within reach of the sources, hex by hex, and a shortest line to each.

    reach: in hexes, None for any length; enters: whether a line may enter a hex; leaves: whether it may go on from there, which
    it may from a source; crosses: whether it passes from one hex into the next; until: a hex that is enough once it is reached.
    """
    cost = dict.fromkeys(sources, 0)
    before: dict[str, str] = {}
    edge, far = list(cost), 0
    while edge and until not in cost and (reach is None or far < reach):
        far += 1
        entered = []
        for here in edge:
            for there in neighbours(here):
                if there in cost or (enters and not enters(there)):
                    continue
                if crosses is None or crosses(here, there):
                    cost[there], before[there] = far, here
                    entered.append(there)
        edge = [hex for hex in entered if leaves(hex)] if leaves else entered
    return CostField(cost, before)


def link(
    sources: Iterable[str],
    neighbours: Callable[[str], Iterable[str]],
    linked: Callable[[str, str], bool],
    shut: Callable[[str], bool] = lambda hex: False,
    reach: int | None = None,
) -> CostField:
    """The hexes to which a linked line, such as a railway, leads from the sources, and the shortest way along it.

    linked: whether it leads from one hex into the next; shut: whether it is out of use in a hex; reach: in hexes, None for any.
    """
    return radius(sources, reach, neighbours, enters=lambda hex: not shut(hex), crosses=linked)


def zone(
    units: Iterable[str], neighbours: Callable[[str], Iterable[str]], extends: Callable[[str, str], bool]
) -> frozenset[str]:
    """The hexes in the zone of control of units at these hexes; `extends` says whether it crosses a hexside."""
    return frozenset(other for at in units for other in neighbours(at) if extends(at, other))
