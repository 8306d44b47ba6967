"""The steps of a map from hex to hex, compiled into a few kinds of crossing and their prices.

A game names the ground of each hex and hexside, and prices each kind of crossing once. Searches for lines and fields
then use whole numbers only: for hexes, kinds and costs.

Positions differ little, so a table reuses the entries of `known`, the table of another position. Only the hexes of
`apart`, in which the two positions differ, are computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import pairwise
from typing import Annotated, Generic, Self, TypeVar

import msgspec

from ..state.state import hexside
from ..state.tracks import Value
from ..util.notes import note

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
S = TypeVar("S")
Ground = tuple[tuple[str, Value], ...]
"""The terrain of a hex or hexside: tracks and values, in the order in which the game asked for them."""
BARRED_COST = 10**9
"""The price of a barred crossing, which exceeds the cost of any line."""
HEXSIDES = 6


class Crossing(msgspec.Struct, frozen=True):
    """One kind of step from a hex into an adjacent hex.

    It is determined by the ground of both hexes and of the hexside between them.
    """

    leaves: Ground
    over: Ground
    enters: Ground

    @property
    def back(self) -> Crossing:
        """The crossing in the other direction."""
        return Crossing(self.enters, self.over, self.leaves)


Price = Callable[[Crossing], int | None]
"""A function that returns the cost of a crossing, in the game's smallest unit, or None for a barred crossing."""


class Worked(dict[K, V]):
    """A table that computes each entry when it is first asked for.

    `known`: another table, with the same entries except for the keys in `apart`.
    """

    def __init__(self, work: Callable[[K], V], known: Mapping[K, V] | None = None, apart: Collection[K] = ()) -> None:
        super().__init__(known or ())
        self._work = work
        self._known = known
        self._apart = apart
        for key in apart:
            self.pop(key, None)

    def __missing__(self, key: K) -> V:
        known = self._known  # `known` works out an entry once for all tables made from it
        self[key] = entry = self._work(key) if known is None or key in self._apart else known[key]
        return entry


class HexTable(list[V | None]):
    """A `Worked` table by hex number, as a list with None for entries not asked for yet.

    A list of all hexes takes less memory than a large dictionary, and is read faster.
    """

    def __init__(
        self, size: int, work: Callable[[int], V], known: HexTable[V] | None = None, apart: Collection[int] = ()
    ) -> None:
        super().__init__([None] * size if known is None else known)
        self._work = work
        self._known = known
        self._apart = apart
        for at in apart:
            self[at] = None

    def of(self, at: int) -> V:
        """Return the entry of a hex."""
        entry = self[at]
        if entry is None:
            known = self._known
            self[at] = entry = self._work(at) if known is None or at in self._apart else known.of(at)
        return entry


class Numbered(dict[K, int]):
    """Numbers for values, from 0 on; a value gets its number when it is first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[K] = []

    def __missing__(self, key: K) -> int:
        self[key] = number = len(self.listed)
        self.listed.append(key)
        return number


class HexGraph:
    """The hexes of a map by number, with their adjacent hexes.

    `around`: the numbers of the adjacent hexes, by hex number.
    `hexsides`: the names of the hexsides to the adjacent hexes, in the same order.
    """

    def __init__(self, hexes: Iterable[str], neighbours: Callable[[str], Iterable[str]]) -> None:
        self.hexes = names = tuple(hexes)
        self.number = number = dict(zip(names, range(len(names)), strict=True))

        def neighbours_of(at: int) -> tuple[int, ...]:
            return tuple([number[other] for other in neighbours(names[at]) if other in number])

        def hexsides_of(at: int) -> tuple[str, ...]:
            return tuple([hexside(names[at], names[other]) for other in self.around.of(at)])

        self.around = HexTable(len(names), neighbours_of)
        self.hexsides = HexTable(len(names), hexsides_of)

    def numbers_of(self, hexes: Iterable[str]) -> set[int]:
        """Return the numbers of the hexes, without those that are not on the map."""
        return {self.number[at] for at in hexes if at in self.number}

    def beside(self, hexes: Iterable[str]) -> set[int]:
        """Return the numbers of the hexes and of all hexes adjacent to them."""
        return {other for at in self.numbers_of(hexes) for other in (at, *self.around.of(at))}


class Crossings(msgspec.Struct, frozen=True):
    """All steps of a map, from each hex into each adjacent hex, with the kind of crossing by number."""

    layout: HexGraph
    steps: Annotated[
        HexTable[tuple[int, ...]], note("the kinds of the crossings from each hex into adjacent hexes, in their order")
    ]
    kinds: Annotated[list[Crossing], note("kinds asked for so far: most lines pass through few hexes of a large map")]
    numbers: Annotated[
        dict[tuple[int, int, int], int],
        note(
            "index of each kind of crossing in `kinds`, by the numbers of the grounds that it leaves, crosses and enters"
        ),
    ]
    grounds: Annotated[Numbered[Ground], note("number of each ground")]

    @property
    def hexes(self) -> tuple[str, ...]:
        """The names of the hexes, by number."""
        return self.layout.hexes

    @property
    def number(self) -> Mapping[str, int]:
        """The numbers of the hexes, by name."""
        return self.layout.number

    def ways(self, at: int) -> Iterable[tuple[int, int]]:
        """Return the adjacent hexes with the kinds of the crossings into them, all by number."""
        return zip(self.layout.around.of(at), self.steps.of(at), strict=True)

    def from_hex(self, at: str) -> Iterator[tuple[str, Crossing]]:
        """Return the adjacent hexes by name, with the crossings into them."""
        return ((self.hexes[other], self.kinds[kind]) for other, kind in self.ways(self.number[at]))


def compile_crossings(
    hexes: Collection[str],
    neighbours: Callable[[str], Iterable[str]],
    ground: Callable[[str], Ground],
    over: Callable[[str, str], Ground],
    known: Crossings | None = None,
    changed: Collection[str] = (),
) -> Crossings:
    """Return the steps between these hexes.

    `ground`: returns the ground of a hex.
    `over`: returns the ground of the hexside between two hexes.
    `known`: the steps between the same hexes in another position.
    `changed`: the hexes where the ground of the hex or of one of its hexsides differs from `known`.
    """
    layout = known.layout if known else HexGraph(hexes, neighbours)
    grounds = known.grounds if known else Numbered[Ground]()  # numbered, as a ground takes long to hash
    names = layout.hexes

    def ground_of_hexsides(at: int) -> list[int]:
        return [grounds[over(names[at], names[other])] for other in layout.around.of(at)]

    return number_crossings(layout, grounds, lambda at: grounds[ground(names[at])], ground_of_hexsides, known, changed)


def number_crossings(
    layout: HexGraph,
    grounds: Numbered[Ground],
    lies: Callable[[int], int],
    hexside_grounds: Callable[[int], Sequence[int]],
    known: Crossings | None = None,
    changed: Collection[str] = (),
) -> Crossings:
    """Return the steps of a map whose hexes and grounds are given by number.

    `lies`: returns the number of the ground of a hex.
    `hexside_grounds`: returns the numbers of the grounds of a hex's hexsides, in the order of its adjacent hexes.
    `known`, `changed`: as for `compile_crossings`; `known` must have the same layout and grounds.
    """
    kinds = known.kinds if known else []
    numbers = known.numbers if known else {}
    ground_of = Worked[int, int](lies)

    def kinds_from(at: int) -> tuple[int, ...]:
        listed = grounds.listed
        leaves = ground_of[at]
        kinds_of_steps = list[int]()
        for other, over in zip(layout.around.of(at), hexside_grounds(at), strict=True):
            enters = ground_of[other]
            kind = numbers.get((leaves, over, enters))
            if kind is None:
                numbers[leaves, over, enters] = kind = len(kinds)
                kinds.append(Crossing(listed[leaves], listed[over], listed[enters]))
            kinds_of_steps.append(kind)
        return tuple(kinds_of_steps)

    table = HexTable(len(layout.hexes), kinds_from, known.steps if known else None, layout.beside(changed))
    return Crossings(layout, table, kinds, numbers, grounds)


class MapSteps(Generic[S]):
    """The steps that lines may take from each hex of a map with closed hexes. A subclass defines the type of a step.

    `before`: the steps from which `instead` made these, or None.
    """

    crossings: Crossings
    closed: frozenset[str]
    before: MapSteps[S] | None
    table: Annotated[HexTable[tuple[S, ...]], note("the steps from each hex, by its number")]
    differing: Annotated[frozenset[int], note("the hexes whose steps differ from those before")]

    def compile(
        self,
        crossings: Crossings,
        closed: Collection[str],
        known: MapSteps[S] | None = None,
        changed: Collection[int] = (),
    ) -> None:
        """Set the map, the closed hexes and the table of steps.

        `known`: steps of another map or position, which may differ from these only in the hexes of `changed`.
        """
        self.crossings = crossings
        self.closed = frozenset(closed)
        self.before = known
        known_table = known.table if known else None
        self.table = table = HexTable(len(crossings.hexes), self.reader(), known_table, changed)
        self.differing = frozenset(at for at in changed if known_table and known_table.of(at) != table.of(at))

    def reader(self) -> Callable[[int], tuple[S, ...]]:
        """Return a function that works out the steps from a hex."""
        raise NotImplementedError

    def instead(self, crossings: Crossings, closed: Collection[str], changed: Collection[str] = ()) -> Self:
        """Return the steps on a map with other closed hexes.

        Most steps are the same; `differing` of the new steps has the numbers of the hexes whose steps differ.

        `changed`: the hexes where the ground of the hex or of one of its hexsides differs.
        """
        other = copy(self)
        may_differ = crossings.layout.beside({*self.closed.symmetric_difference(closed), *changed})
        other.compile(crossings, closed, self, may_differ)
        return other


class OpenWays(MapSteps[int]):
    """Steps with their costs, as a flat tuple for each hex: an adjacent open hex by number and the cost, six times.

    Missing steps lead to the hex itself and cost `BARRED_COST`, so that a search can unpack six steps without a loop.
    """

    def __init__(
        self, crossings: Crossings, price: Price, closed: Collection[str] = (), ends: Collection[str] = ()
    ) -> None:
        """Price the steps of a map. No line enters a hex of `closed`, or leaves one of `ends`."""
        kinds = crossings.kinds

        def price_of(kind: int) -> int:
            cost = price(kinds[kind])
            return BARRED_COST if cost is None else cost

        self._prices = Worked(price_of)  # by the number of the kind; each price is computed once
        self._ends = frozenset(ends)
        self.compile(crossings, closed)

    def cost_along(self, line: Sequence[str]) -> int | None:
        """Return the cost of the line over these hexes, or None if a step of it is not open."""
        number = self.crossings.number
        total = 0
        for at, other in pairwise(number[hex] for hex in line):
            hexes_and_costs = self.table.of(at)
            cost = dict(zip(hexes_and_costs[::2], hexes_and_costs[1::2], strict=True)).get(other, BARRED_COST)
            if cost == BARRED_COST:
                return None
            total += cost
        return total

    def reader(self) -> Callable[[int], tuple[int, ...]]:
        """Return a function that works out the steps from a hex."""
        crossings = self.crossings
        prices = self._prices
        closed = crossings.layout.numbers_of(self.closed)
        ends = crossings.layout.numbers_of(self._ends)

        def open_from(at: int) -> tuple[int, ...]:
            steps: list[int] = []
            if at not in ends:
                for to, kind in crossings.ways(at):
                    if to not in closed and (price := prices[kind]) < BARRED_COST:
                        steps += to, price
            assert len(steps) <= 2 * HEXSIDES, "a hex has more neighbours than hexsides"
            return *steps, *(at, BARRED_COST) * (HEXSIDES - len(steps) // 2)

        return open_from
