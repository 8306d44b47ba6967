"""Tracing over a board: zones, cost fields, and lines by hexes or along links.

A game names the closed hexes and prices each kind of crossing, in whole units of its choice (a quarter of a hex, a half
movement point). `cost_field` then searches outwards from the sources.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import copy
from itertools import filterfalse
from types import MappingProxyType

import msgspec

from ..util.errors import InputError
from .crossings import BARRED_COST, Crossings, OpenWays, Price

_NO_HEX = -1
"""The number of the hex before a source."""
ANY_LENGTH = BARRED_COST - 1
"""The limit of lines that may be of any length."""


class CostField(msgspec.Struct, frozen=True):
    """The least cost from any source to each hex within reach, and the hex before it on that line."""

    cost: Mapping[str, int]
    before: Mapping[str, str]

    def line(self, to: str) -> tuple[str, ...]:
        """Return the cheapest line to a hex, from its source. Raises KeyError if the hex was not reached."""
        if to not in self.cost:
            raise KeyError(to)
        line = [to]
        while line[-1] in self.before:
            line.append(self.before[line[-1]])
        return tuple(reversed(line))


class _SparseTable(dict[int, int]):
    def __init__(self, default: int, known: Mapping[int, int] = MappingProxyType({})) -> None:
        super().__init__(known)
        self._default = default

    def __missing__(self, _: int) -> int:
        return self._default

    def copy(self) -> _SparseTable:
        return _SparseTable(self._default, self)


class Spread:
    """The cheapest lines from some sources, searched by rising cost and only as far as needed."""

    def __init__(self, open_ways: OpenWays, sources: Mapping[str, int]) -> None:
        """Begin a search.

        `sources`: the hexes where lines begin, with the cost already spent there.

        Raises InputError if a source is not a hex of `open_ways`.
        """
        self._open = open_ways
        size = len(open_ways.crossings.hexes)
        is_sparse = len(sources) == 1  # many sources reach most hexes, and a list is read faster
        self._best: dict[int, int] | list[int] = _SparseTable(BARRED_COST) if is_sparse else [BARRED_COST] * size
        self._before: dict[int, int] | list[int] = _SparseTable(_NO_HEX) if is_sparse else [_NO_HEX] * size
        self._edge = defaultdict[int, list[int]](list)  # by cost: hexes to search from
        number = open_ways.crossings.number
        for name, cost in sources.items():
            if name not in number:
                raise InputError(f"no line can be traced from {name}", hint="it is not a hex of the drawn map")
            self._best[number[name]] = cost
            self._edge[cost].append(number[name])
        self._next = min(self._edge, default=BARRED_COST)  # the least cost to search from; all cheaper lines are known
        self._fields: dict[tuple[int, frozenset[str]], CostField] = {}
        self._shared = False  # whether another search uses the same tables: they are copied before they change

    @property
    def ways(self) -> OpenWays:
        """The steps that the lines may take."""
        return self._open

    def cost(self, to: str, limit: int) -> int | None:
        """Return the cost of the cheapest line to a hex, or None if there is none within the limit."""
        at = self._open.crossings.number.get(to)
        if at is None:
            return None
        while (cost := self._best[at]) >= self._next and self._next <= limit:
            self._extend()
        return cost if cost <= limit else None

    def line(self, to: str) -> tuple[str, ...]:
        """Return the cheapest line to a hex, from its source. Call `cost` for this hex first."""
        names = self._open.crossings.hexes
        before = self._before
        at = self._open.crossings.number[to]
        line = [to]
        while (at := before[at]) != _NO_HEX:
            line.append(names[at])
        return tuple(reversed(line))

    def within(self, limit: int, until: Collection[str] = ()) -> CostField:
        """Return all hexes within a limit.

        `until`: hexes that lower the limit to the cost of the nearest one.
        """
        asked = limit, frozenset(until)
        if asked not in self._fields:
            self._fields[asked] = self._build_field(*asked)
        return self._fields[asked]

    def _build_field(self, limit: int, until: frozenset[str]) -> CostField:
        names = self._open.crossings.hexes
        number = self._open.crossings.number
        costs_of_until = [self._best[number[name]] for name in until if name in number]
        limit = min([limit, *(cost for cost in costs_of_until if cost < self._next)])
        while self._next <= limit:
            if (nearest := self._extend(until)) is not None:
                limit = nearest
                break
        best = self._best
        if isinstance(best, list):
            costs = {name: cost for name, cost in zip(names, best, strict=True) if cost <= limit}
        else:
            costs = {names[at]: cost for at, cost in sorted(best.items()) if cost <= limit}
        return CostField(costs, _NamesBefore(self._open.crossings, costs, self._before))

    def _extend(self, until: Collection[str] = ()) -> int | None:
        """Extend the lines from the hexes of the least cost.

        Stop at a hex of `until` and return the cost, or return None if there is none at this cost.
        """
        if self._shared:
            self._copy_tables()
        best = self._best
        before = self._before
        edge = self._edge
        ways = self._open.table
        names = self._open.crossings.hexes
        at_cost = self._next
        bucket = edge[at_cost]
        while bucket:  # a crossing that costs nothing refills the bucket being emptied
            at = bucket.pop()
            if best[at] != at_cost:
                continue
            if until and names[at] in until:
                bucket.append(at)
                return at_cost
            a, to_a, b, to_b, c, to_c, d, to_d, e, to_e, f, to_f = ways[at] or ways.of(at)
            # unrolled, because a loop takes half as long again on a whole map
            if best[a] > at_cost + to_a:
                best[a] = cost = at_cost + to_a
                before[a] = at
                edge[cost].append(a)
            if best[b] > at_cost + to_b:
                best[b] = cost = at_cost + to_b
                before[b] = at
                edge[cost].append(b)
            if best[c] > at_cost + to_c:
                best[c] = cost = at_cost + to_c
                before[c] = at
                edge[cost].append(c)
            if best[d] > at_cost + to_d:
                best[d] = cost = at_cost + to_d
                before[d] = at
                edge[cost].append(d)
            if best[e] > at_cost + to_e:
                best[e] = cost = at_cost + to_e
                before[e] = at
                edge[cost].append(e)
            if best[f] > at_cost + to_f:
                best[f] = cost = at_cost + to_f
                before[f] = at
                edge[cost].append(f)
        del edge[at_cost]
        self._next = min(edge, default=BARRED_COST)
        return None

    def still(self, open_ways: OpenWays) -> bool:
        """Return whether all lines found so far stay the same with other steps.

        They may not if the search may have gone on from a hex whose steps differ.

        `open_ways`: the other steps, which `instead` may have made from the steps of this search.
        """
        if open_ways.before is not self._open:
            return False
        best = self._best
        next_cost = self._next
        differing = open_ways.differing
        may_be_reached = differing if isinstance(best, list) else differing & best.keys()
        return all(best[at] > next_cost for at in may_be_reached)

    def repeats(self, known: Spread) -> bool:
        """Return whether all lines that another search has found so far are the same here.

        If so, search as far as the other search.
        """
        if not known.still(self._open):
            return False
        while self._next < known._next:
            self._extend()
        return True

    def moved_to(self, open_ways: OpenWays) -> Spread | None:
        """Return this search with other steps, or None if it must begin anew.

        `open_ways`: as for `still`.
        """
        if not self.still(open_ways):
            return None
        other = copy(self)
        other._open = open_ways
        other._fields = self._fields.copy()
        self._shared = other._shared = True
        return other

    def _copy_tables(self) -> None:
        self._best, self._before = self._best.copy(), self._before.copy()
        self._edge = defaultdict(list, {cost: hexes.copy() for cost, hexes in self._edge.items()})
        self._shared = False


def cost_field(
    crossings: Crossings,
    price: Price,
    sources: Mapping[str, int],
    *,
    closed: Collection[str] = (),
    last_hexes: Collection[str] = (),
    limit: int | None = None,
    until: Collection[str] = (),
) -> CostField:
    """Return the cost of the cheapest line from the sources to every hex within a limit.

    `sources`: the hexes where lines begin, with the cost already spent there.
    `closed`: hexes that no line enters or begins in.
    `last_hexes`: hexes that no line leaves.
    `until`: hexes that end the search at the cost of the nearest one.

    Raises InputError if a source is not a hex of `crossings`.
    """
    max_cost = ANY_LENGTH if limit is None else limit
    open_sources = {name: cost for name, cost in sources.items() if name not in closed and cost <= max_cost}
    return Spread(OpenWays(crossings, price, closed, last_hexes), open_sources).within(max_cost, until)


class _NamesBefore(Mapping[str, str]):
    """The hex before each hex on its line, by name, read from a table by number.

    `costs`: the hexes of the mapping.
    `before`: the table, which may have further hexes.
    """

    def __init__(self, crossings: Crossings, costs: Mapping[str, int], before: dict[int, int] | list[int]) -> None:
        self._crossings = crossings
        self._costs = costs
        self._before = before

    def __getitem__(self, name: str) -> str:
        at = self._before[self._crossings.number[name]] if name in self._costs else _NO_HEX
        if at == _NO_HEX:
            raise KeyError(name)
        return self._crossings.hexes[at]

    def __iter__(self) -> Iterator[str]:
        before = self._before
        number = self._crossings.number
        return (name for name in self._costs if before[number[name]] != _NO_HEX)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def radius(
    sources: Iterable[str],
    reach: int | None,
    neighbours: Callable[[str], Iterable[str]],
    *,
    enters: Callable[[str], bool] | None = None,
    may_leave: Callable[[str], bool] | None = None,
    crosses: Callable[[str, str], bool] | None = None,
    closed: Collection[str] = frozenset(),
    until: str | None = None,
) -> CostField:
    """Return the hexes within reach of the sources, with a shortest line to each.

    `reach`: the maximum length in hexes, or None.
    `enters`, `crosses`: return whether a line may enter a hex, and cross from a hex into an adjacent one.
    `may_leave`: returns whether a line may go on from a hex that it entered; it may always leave a source.
    `closed`: hexes that no line enters or begins in.
    `until`: a hex that ends the search once it is reached.
    """
    cost = dict.fromkeys((at for at in sources if at not in closed), 0)
    before: dict[str, str] = {}
    frontier = list(cost)
    distance = 0
    while frontier and until not in cost and (reach is None or distance < reach):
        distance += 1
        entered = []
        for at in frontier:
            for other in neighbours(at):
                if other in cost or other in closed or (enters and not enters(other)):
                    continue
                if crosses is None or crosses(at, other):
                    cost[other], before[other] = distance, at
                    entered.append(other)
        frontier = [*filter(may_leave, entered)] if may_leave else entered
    return CostField(cost, before)


def trace_links(
    sources: Iterable[str],
    neighbours: Callable[[str], Iterable[str]],
    linked: Callable[[str, str], bool],
    shut: Callable[[str], bool] = lambda at: False,
    reach: int | None = None,
) -> CostField:
    """Return the hexes that links, such as railways, join to the sources, with a shortest way to each.

    `linked`: returns whether a link leads from a hex into an adjacent one.
    `shut`: returns whether links in a hex are out of use; this counts in a source too.
    `reach`: the maximum length in hexes, or None.
    """
    open_sources = filterfalse(shut, sources)
    return radius(open_sources, reach, neighbours, enters=lambda place: not shut(place), crosses=linked)


def zone(
    units: Iterable[str], neighbours: Callable[[str], Iterable[str]], extends: Callable[[str, str], bool]
) -> frozenset[str]:
    """Return the hexes in the zones of control of units.

    `units`: their hexes.
    `extends`: returns whether a zone extends from a hex into an adjacent one.
    """
    return frozenset(other for at in units for other in neighbours(at) if extends(at, other))
