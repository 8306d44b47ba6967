"""Tracing over a board: zones, cost fields, and lines by hexes or along links.

A game says which hexes are closed and prices each kind of crossing from one hex into the next, in whole steps of its
choice (a quarter of a hex, a half movement point); `cost_field` searches outwards from the sources.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import filterfalse, pairwise
from types import MappingProxyType

import msgspec

from ..util.errors import InputError
from .crossings import ENDLESS, Crossings, OpenWays, Price

_NONE = -1
"""What stands for the hex before a source."""
ANY_LENGTH = ENDLESS - 1
"""The limit of lines that may be of any length."""


class CostField(msgspec.Struct, frozen=True):
    """The least cost from any source to each hex that can be reached, and the hex before it on the way."""

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


class _Few(dict[int, int]):
    """What is known of few hexes by number, with one value for all others."""

    def __init__(self, others: int, known: Mapping[int, int] = MappingProxyType({})) -> None:
        super().__init__(known)
        self._others = others

    def __missing__(self, _: int) -> int:
        return self._others

    def copy(self) -> _Few:
        """Return what is known, in a table of its own."""
        return _Few(self._others, self)


class Spread:
    """The cheapest lines from some sources, sought only as far as they are asked for: the nearest to the sources
    first.
    """

    def __init__(self, open_ways: OpenWays, sources: Mapping[str, int]) -> None:
        """sources: hexes where lines begin, with the cost already spent there. Raises InputError for one that is not
        among the compiled hexes.
        """
        self._open = open_ways
        hexes = len(open_ways.crossings.hexes)
        few = len(sources) == 1  # from many hexes most others are reached, and a list of all is read faster
        self._best: dict[int, int] | list[int] = _Few(ENDLESS) if few else [ENDLESS] * hexes
        self._before: dict[int, int] | list[int] = _Few(_NONE) if few else [_NONE] * hexes
        self._edge = defaultdict[int, list[int]](list)  # by cost: hexes to go on from
        number = open_ways.crossings.number
        for name, cost in sources.items():
            if name not in number:
                raise InputError(f"no line can be traced from {name}", hint="it is not a hex of the drawn map")
            self._best[number[name]] = cost
            self._edge[cost].append(number[name])
        self._next = min(self._edge, default=ENDLESS)  # all lines that cost less are known
        self._fields: dict[tuple[int, frozenset[str]], CostField] = {}
        self._shared = False  # whether other lines, which are the same so far, are kept in its tables

    @property
    def ways(self) -> OpenWays:
        """The steps that its lines may take."""
        return self._open

    def cost(self, to: str, limit: int) -> int | None:
        """Return what the cheapest line to a hex costs, None if there is none within a limit."""
        at = self._open.crossings.number.get(to)
        if at is None:
            return None
        while (cost := self._best[at]) >= self._next and self._next <= limit:
            self._extend()
        return cost if cost <= limit else None

    def line(self, to: str) -> tuple[str, ...]:
        """Return the cheapest line to a hex of which the cost is known, from its source."""
        names = self._open.crossings.hexes
        before = self._before
        at = self._open.crossings.number[to]
        line = [to]
        while (at := before[at]) != _NONE:
            line.append(names[at])
        return tuple(reversed(line))

    def cost_along(self, line: Sequence[str]) -> int | None:
        """Return what a line from a source over these hexes costs, None if a step of it is not open."""
        number = self._open.crossings.number
        spent = 0
        for here, there in pairwise(number[hex] for hex in line):
            steps = self._open.table.of(here)
            step = dict(zip(steps[::2], steps[1::2], strict=True)).get(there, ENDLESS)
            if step == ENDLESS:
                return None
            spent += step
        return spent

    def within(self, limit: int, until: Collection[str] = ()) -> CostField:
        """Return all hexes within a limit, or up to the cost of the nearest of some (until), if that is less."""
        asked = limit, frozenset(until)
        if asked not in self._fields:
            self._fields[asked] = self._build_field(*asked)
        return self._fields[asked]

    def _build_field(self, limit: int, until: frozenset[str]) -> CostField:
        """Return a field as `within` gives it, sought as far as it must be."""
        names = self._open.crossings.hexes
        number = self._open.crossings.number
        known_ends = [self._best[number[name]] for name in until if name in number]
        limit = min([limit, *(cost for cost in known_ends if cost < self._next)])
        while self._next <= limit:
            if (nearest := self._extend(until)) is not None:
                limit = nearest
                break
        best = self._best
        if isinstance(best, list):
            costs = {name: cost for name, cost in zip(names, best, strict=True) if cost <= limit}
        else:
            costs = {names[at]: cost for at, cost in sorted(best.items()) if cost <= limit}
        return CostField(costs, _Before(self._open.crossings, costs, self._before))

    def _extend(self, until: Collection[str] = ()) -> int | None:
        """Go on from the hexes of the least cost, down to the first of some, and return that cost; None if none is met."""
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
            # each hexside by itself: a loop takes half as long again on a whole map, for a side among few units 1 % longer
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
        self._next = min(edge, default=ENDLESS)
        return None

    def moved_to(self, open_ways: OpenWays) -> Spread | None:
        """Return these lines on ways `instead` of its own; None if any passes a hex from which other ways are open."""
        best = self._best
        least = self._next
        differing = open_ways.differing
        reached = differing if isinstance(best, list) else differing & best.keys()
        if any(best[at] <= least for at in reached):
            return None
        other = copy(self)
        other._open = open_ways
        other._fields = self._fields.copy()
        self._shared = other._shared = True
        return other

    def _copy_tables(self) -> None:
        """Part its tables from those of lines that are the same so far."""
        self._best, self._before = self._best.copy(), self._before.copy()
        self._edge = defaultdict(list, {cost: hexes.copy() for cost, hexes in self._edge.items()})
        self._shared = False


def cost_field(
    crossings: Crossings,
    price: Price,
    sources: Mapping[str, int],
    *,
    closed: Collection[str] = (),
    ends: Collection[str] = (),
    limit: int | None = None,
    until: Collection[str] = (),
) -> CostField:
    """Return the cost of the cheapest line from the sources to every hex within a limit.

    sources: hexes where lines begin, with the cost already spent; closed: hexes that no line enters or begins in; ends:
    hexes that none leaves; limit: the greatest cost that counts; until: hexes of which one is enough. Raises InputError
    for an uncompiled source.
    """
    most = ANY_LENGTH if limit is None else limit
    begun = {name: cost for name, cost in sources.items() if name not in closed and cost <= most}
    return Spread(OpenWays(crossings, price, closed, ends), begun).within(most, until)


class _Before(Mapping[str, str]):
    """The hex before each on the way there, by name. costs: of the hexes that count; before: by number, of these and
    others.
    """

    def __init__(self, crossings: Crossings, costs: Mapping[str, int], before: dict[int, int] | list[int]) -> None:
        self._crossings = crossings
        self._costs = costs
        self._before = before

    def __getitem__(self, name: str) -> str:
        at = self._before[self._crossings.number[name]] if name in self._costs else _NONE
        if at == _NONE:
            raise KeyError(name)
        return self._crossings.hexes[at]

    def __iter__(self) -> Iterator[str]:
        before = self._before
        number = self._crossings.number
        return (name for name in self._costs if before[number[name]] != _NONE)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def radius(
    sources: Iterable[str],
    reach: int | None,
    neighbours: Callable[[str], Iterable[str]],
    *,
    enters: Callable[[str], bool] | None = None,
    leaves: Callable[[str], bool] | None = None,
    crosses: Callable[[str, str], bool] | None = None,
    closed: Collection[str] = frozenset(),
    until: str | None = None,
) -> CostField:
    """Return the hexes within reach of the sources, and a shortest line to each.

    reach: in hexes, None for any length; enters, leaves: whether a line may enter a hex or go on from it; crosses:
    whether it passes into the next; closed: hexes that none enters or begins in; until: a sufficient hex.
    """
    cost = dict.fromkeys((at for at in sources if at not in closed), 0)
    before: dict[str, str] = {}
    edge = list(cost)
    far = 0
    while edge and until not in cost and (reach is None or far < reach):
        far += 1
        entered = []
        for here in edge:
            for there in neighbours(here):
                if there in cost or there in closed or (enters and not enters(there)):
                    continue
                if crosses is None or crosses(here, there):
                    cost[there], before[there] = far, here
                    entered.append(there)
        edge = [*filter(leaves, entered)]
    return CostField(cost, before)


def trace_links(
    sources: Iterable[str],
    neighbours: Callable[[str], Iterable[str]],
    linked: Callable[[str, str], bool],
    shut: Callable[[str], bool] = lambda at: False,
    reach: int | None = None,
) -> CostField:
    """Return the hexes to which a linked line, such as a railway, leads from the sources, and the shortest way along
    it.

    linked: whether it leads from one hex into the next; shut: whether it is out of use in a hex, a source too; reach:
    in hexes, None for any.
    """
    begun = filterfalse(shut, sources)
    return radius(begun, reach, neighbours, enters=lambda place: not shut(place), crosses=linked)


def zone(
    units: Iterable[str], neighbours: Callable[[str], Iterable[str]], extends: Callable[[str, str], bool]
) -> frozenset[str]:
    """Return the hexes in the zone of control of units at these hexes; `extends` says whether it crosses a hexside."""
    return frozenset(other for at in units for other in neighbours(at) if extends(at, other))
