"""The steps of a map: what lies in each hex and on each hexside, compiled into a few kinds of crossing, and what each
of them costs.

The core knows no rule. A game says what lies where and prices each kind once; lines and fields are then sought over
whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Annotated, Generic, Self, TypeVar

import msgspec

from ..state.state import hexside
from ..state.tracks import Value
from ..util.notes import note

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
S = TypeVar("S")
Ground = tuple[tuple[str, Value], ...]
"""What lies in a hex or on a hexside: tracks and values, in the order in which the game asked for them."""
ENDLESS = 10**9
"""The price of a barred crossing: more than any line costs."""
HEXSIDES = 6
"""How many hexsides a hex has."""


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


class Worked(dict[K, V]):
    """A table of which each entry is worked out when it is first asked for.

    known: another table that has the same entries, but for those that are apart.
    """

    def __init__(self, work: Callable[[K], V], known: Mapping[K, V] | None = None, apart: Collection[K] = ()) -> None:
        super().__init__(known or ())
        self._work = work
        self._known = known
        self._apart = apart
        for key in apart:
            self.pop(key, None)

    def __missing__(self, key: K) -> V:
        other = self._known  # in which the entry is then there for all tables that know it
        self[key] = entry = self._work(key) if other is None or key in self._apart else other[key]
        return entry


class HexTable(list[V | None]):
    """A table by hex numbers of which each entry is worked out when it is first asked for; None until then.

    A list of all hexes takes less room than a table of many, and is read faster. known, apart: as for `Worked`.
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
            other = self._known
            self[at] = entry = self._work(at) if other is None or at in self._apart else other.of(at)
        return entry


class Numbered(dict[K, int]):
    """Numbers for values, from 0 on, each given when it is first asked for. listed: the values by their numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[K] = []

    def __missing__(self, key: K) -> int:
        self[key] = number = len(self.listed)
        self.listed.append(key)
        return number


class HexGraph:
    """The hexes of a map by number, and which are adjacent.

    hexes: their names by number; number: their numbers by name; around: by number, the numbers of the adjacent
    ones; hexsides: the names of the hexsides to these.
    """

    def __init__(self, hexes: Iterable[str], neighbours: Callable[[str], Iterable[str]]) -> None:
        self.hexes = names = tuple(hexes)
        self.number = number = dict(zip(names, range(len(names)), strict=True))

        def neighbours_of(at: int) -> tuple[int, ...]:
            return tuple([number[beyond] for beyond in neighbours(names[at]) if beyond in number])

        def hexsides_of(at: int) -> tuple[str, ...]:
            return tuple([hexside(names[at], names[other]) for other in self.around.of(at)])

        self.around = HexTable(len(names), neighbours_of)
        self.hexsides = HexTable(len(names), hexsides_of)

    def numbers_of(self, hexes: Iterable[str]) -> set[int]:
        """Return the numbers of some hexes, without those that are not on the map."""
        return {self.number[at] for at in hexes if at in self.number}

    def beside(self, hexes: Iterable[str]) -> set[int]:
        """Return the numbers of some hexes and of those adjacent to them."""
        return {other for at in self.numbers_of(hexes) for other in (at, *self.around.of(at))}


class Crossings(msgspec.Struct, frozen=True):
    """All steps of a map: from each hex into the next ones, with the number of the kind of crossing."""

    layout: HexGraph
    steps: Annotated[
        HexTable[tuple[int, ...]], note("by hex, the kinds of the crossings into adjacent hexes, in their order")
    ]
    kinds: Annotated[list[Crossing], note("kinds asked for so far: most lines pass through few hexes of a large map")]
    numbers: Annotated[
        dict[tuple[int, int, int], int], note("number of each kind, by the numbers of its three grounds")
    ]
    grounds: Annotated[Numbered[Ground], note("number of each ground")]

    @property
    def hexes(self) -> tuple[str, ...]:
        """The names of the hexes by number."""
        return self.layout.hexes

    @property
    def number(self) -> Mapping[str, int]:
        """The numbers of the hexes by name."""
        return self.layout.number

    def ways(self, at: int) -> Iterable[tuple[int, int]]:
        """Return the next hexes of a hex with the kinds of the steps into them, all by number."""
        return zip(self.layout.around.of(at), self.steps.of(at), strict=True)

    def from_hex(self, at: str) -> Iterator[tuple[str, Crossing]]:
        """Return the steps from a hex: into which, and of what kind."""
        return ((self.hexes[other], self.kinds[kind]) for other, kind in self.ways(self.number[at]))


def compile_crossings(
    hexes: Collection[str],
    neighbours: Callable[[str], Iterable[str]],
    ground: Callable[[str], Ground],
    over: Callable[[str, str], Ground],
    known: Crossings | None = None,
    apart: Collection[str] = (),
) -> Crossings:
    """Return the steps between these hexes. `ground` tells what lies in a hex, `over` what lies on a hexside.

    known: the steps between the same hexes where only these differ: `apart`, in which something else lies, or on their
    hexsides.
    """
    layout = known.layout if known else HexGraph(hexes, neighbours)
    grounds = known.grounds if known else Numbered[Ground]()  # their numbers, as they take long to hash
    names = layout.hexes

    def beside(at: int) -> list[int]:
        return [grounds[over(names[at], names[other])] for other in layout.around.of(at)]

    return number_crossings(layout, grounds, lambda at: grounds[ground(names[at])], beside, known, apart)


def number_crossings(
    layout: HexGraph,
    grounds: Numbered[Ground],
    lies: Callable[[int], int],
    beside: Callable[[int], Sequence[int]],
    known: Crossings | None = None,
    apart: Collection[str] = (),
) -> Crossings:
    """Return the steps of a map of which everything is given by number.

    grounds: their numbers; lies: the ground in a hex; beside: that on its hexsides, in the order of the next hexes;
    known, apart: as for `compile_crossings`, of the same layout and grounds.
    """
    kinds = known.kinds if known else []
    numbers = known.numbers if known else {}
    lying = Worked[int, int](lies)

    def steps(at: int) -> tuple[int, ...]:
        listed = grounds.listed
        leaves = lying[at]
        ways = list[int]()
        for other, over in zip(layout.around.of(at), beside(at), strict=True):
            enters = lying[other]
            kind = numbers.get((leaves, over, enters))
            if kind is None:
                numbers[leaves, over, enters] = kind = len(kinds)
                kinds.append(Crossing(listed[leaves], listed[over], listed[enters]))
            ways.append(kind)
        return tuple(ways)

    table = HexTable(len(layout.hexes), steps, known.steps if known else None, layout.beside(apart))
    return Crossings(layout, table, kinds, numbers, grounds)


class MapSteps(Generic[S]):
    """The steps of lines from each hex of a map, where some hexes are closed. What a step is, the kind of steps says.

    `before` are those `instead` of which these are, None for none.
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
        apart: Collection[int] = (),
    ) -> None:
        """Take over the steps of a map; known: others that differ from these in some hexes at most (apart)."""
        self.crossings = crossings
        self.closed = frozenset(closed)
        self.before = known
        before = known.table if known else None
        self.table = table = HexTable(len(crossings.hexes), self.reader(), before, apart)
        self.differing = frozenset(at for at in apart if before and before.of(at) != table.of(at))

    def reader(self) -> Callable[[int], tuple[S, ...]]:
        """Return a function that works out the steps from a hex."""
        raise NotImplementedError

    def instead(self, crossings: Crossings, closed: Collection[str], apart: Collection[str] = ()) -> Self:
        """Return the steps where other hexes are closed, and something else lies in some hexes or on their hexsides
        (apart); from most hexes they are the same. `differing` are the numbers of the others.
        """
        other = copy(self)
        changed = crossings.layout.beside({*self.closed.symmetric_difference(closed), *apart})
        other.compile(crossings, closed, self, changed)
        return other


class OpenWays(MapSteps[int]):
    """The steps that lines may take: from each hex, in turn the number of a next one that is open, and the cost.

    There are six steps from every hex: those that are missing lead to itself and are `ENDLESS`.
    """

    def __init__(
        self, crossings: Crossings, price: Price, closed: Collection[str] = (), ends: Collection[str] = ()
    ) -> None:
        """price: what a kind of crossing costs; closed: hexes that no line enters; ends: hexes that a line may enter
        but not leave.
        """
        kinds = crossings.kinds

        def price_of(kind: int) -> int:
            cost = price(kinds[kind])
            return ENDLESS if cost is None else cost

        self._prices = Worked(price_of)  # by the number of the kind, asked once for each
        self._ends = frozenset(ends)
        self.compile(crossings, closed)

    def reader(self) -> Callable[[int], tuple[int, ...]]:
        """Return a function that tells the steps from a hex."""
        crossings = self.crossings
        prices = self._prices
        shut = crossings.layout.numbers_of(self.closed)
        last = crossings.layout.numbers_of(self._ends)

        def open_from(at: int) -> tuple[int, ...]:
            steps: list[int] = []
            if at not in last:
                for to, kind in crossings.ways(at):
                    if to not in shut and (price := prices[kind]) < ENDLESS:
                        steps += to, price
            assert len(steps) <= 2 * HEXSIDES, "a hex has more neighbours than hexsides"
            return *steps, *(at, ENDLESS) * (HEXSIDES - len(steps) // 2)

        return open_from
