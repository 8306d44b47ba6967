"""Lines from sources over a drawn map: what each step costs or why it is barred, how far a source reaches, and chains of sources.

A game prices each kind of crossing once and says what each range of a source gives; the searches are the same for supply,
ammunition and orders.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from ..mechanics.tracing import CostField, Crossing, Crossings, cost_field


class Cost(NamedTuple):
    """What one step of a line costs, in the game's smallest step, and why. linked: whether it goes along a railway or the like."""

    amount: int
    why: str
    linked: bool = False


class LineMap(NamedTuple):
    """A map compiled for the lines of one side.

    prices: what each kind of crossing costs, or why it is barred; closed: the hexes that no line enters.
    """

    crossings: Crossings
    prices: Mapping[Crossing, Cost | str]
    closed: frozenset[str]

    def field(self, starts: Collection[str], limit: int | None = None) -> CostField:
        """The cost from the nearest start to every hex within a limit; a line may begin in a closed hex.

        Raises InputError for a start that is not a hex of the map.
        """
        sources = dict.fromkeys(sorted(starts), 0)
        return cost_field(self.crossings, self._price, sources, closed=self.closed - set(starts), limit=limit)

    def costs(self, line: Sequence[str]) -> list[Cost | str]:
        """What each step of a line costs, or why it is barred."""
        number, ways = self.crossings.number, self.crossings.ways
        kinds = [dict(ways[number[here]])[number[there]] for here, there in pairwise(line)]
        return [self.prices[self.crossings.kinds[kind]] for kind in kinds]

    def _price(self, kind: Crossing) -> int | None:
        cost = self.prices[kind]
        return None if isinstance(cost, str) else cost.amount


class Range(NamedTuple):
    """How far a source reaches in one of its modes, and what it gives there.

    hexes: None for any distance; gives: a supply state, say; extended: whether the source has to change its mode for it.
    """

    hexes: int | None
    gives: str
    extended: bool = False


class Source(NamedTuple):
    """Where lines begin: a depot, a train, a map edge. ranges: of its modes, the best first."""

    name: str
    kind: str
    place: str
    ranges: tuple[Range, ...]

    @property
    def limit(self) -> int | None:
        """How far it reaches at most, in hexes; None for any distance."""
        limits = [reach.hexes for reach in self.ranges]
        return None if None in limits else max((far for far in limits if far is not None), default=0)

    def at(self, within: Callable[[int], bool]) -> Range | None:
        """The best of its ranges that suffices, None if none does. within: whether the line's cost lies within so many hexes."""
        return next((one for one in self.ranges if one.hexes is None or within(one.hexes)), None)


class Link(NamedTuple):
    """One link of a chain: a source, the hex that it has to reach, what its line costs, and the range that suffices, both None if
    none does."""

    source: Source
    to: str
    cost: int | None = None
    range: Range | None = None
    line: tuple[str, ...] = ()


def chain(
    map: LineMap, sources: Sequence[Source], to: str, per_hex: int, within: Callable[[int, int], bool]
) -> tuple[Link, ...]:
    """How sources pass something on from one to the next and the last one to a hex, such as a depot to a train to a unit.

    per_hex: how much a plain hex costs; within: whether a cost lies within a range in hexes, as the game rounds.
    """
    links = []
    for source, place in zip(sources, (*(next_one.place for next_one in sources[1:]), to), strict=True):
        far = source.limit
        field = map.field({source.place}, None if far is None else (far + 1) * per_hex - 1)
        cost = field.cost.get(place)
        if cost is None:
            links.append(Link(source, place))
        else:
            reach = source.at(partial(within, cost))
            links.append(Link(source, place, cost, reach, field.line(place)))
    return tuple(links)
