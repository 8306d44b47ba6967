"""What would let a line through: one hex or one hexside with another ground, or two, where no line is short enough as
it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from .crossings import Crossing, Crossings, Ground, Price
from .tracing import ANY_LENGTH, cost_field

T = TypeVar("T")
InHex = Callable[[str, Ground], Iterable[tuple[T, Ground]]]
"""What may be otherwise in a hex, each with the ground that it would then have."""
OnSide = Callable[[str, str, Ground], Iterable[tuple[T, Ground]]]
"""What may be otherwise on the hexside from one hex to the next, likewise."""


def openings(
    crossings: Crossings,
    price: Price,
    begun: Mapping[str, int],
    home: Mapping[str, int],
    limit: int,
    in_hex: InHex[T],
    on_side: OnSide[T],
) -> Iterator[T]:
    """What alone lets a line pass from the sources to the end within a limit, nearest to the end first.

    begun: the least cost from any source to each hex that lines reach; home: the least cost from a hex to the end;
    in_hex, on_side: what may be otherwise in a hex or on a hexside, each with the ground that it makes there, on which
    no step costs more than now. A closed hex, which is in neither field, is passed if `in_hex` gives anything for it.
    """
    kinds, names, number, ways = crossings.kinds, crossings.hexes, crossings.number, crossings.ways
    to_end = {number[name]: cost for name, cost in home.items()}
    so_far = {number[name]: cost for name, cost in begun.items()}
    most = ANY_LENGTH
    near = dict.fromkeys(other for at in to_end for other in (at, *(there for there, _ in ways(at))))
    for at in near:
        around = [(other, kinds[kind]) for other, kind in ways(at)]
        arrives = min(so_far.get(other, most) for other in (at, *(there for there, _ in around)))
        leaves = min(to_end.get(other, most) for other in (at, *(there for there, _ in around)))
        if arrives + leaves > limit:
            continue
        here = around[0][1].leaves if around else ()
        for what, ground in in_hex(names[at], here):
            there = (
                so_far.get(at, most),
                *_sums(price, so_far, [(o, Crossing(k.enters, k.over, ground)) for o, k in around]),
            )
            on = (
                to_end.get(at, most),
                *_sums(price, to_end, [(o, Crossing(ground, k.over, k.enters)) for o, k in around]),
            )
            if min(there) + min(on) <= limit:
                yield what
        for other, kind in around:
            for start, end, left, entered in ((at, other, here, kind.enters), (other, at, kind.enters, here)):
                if so_far.get(start, most) + to_end.get(end, most) > limit:
                    continue
                for what, over in on_side(names[start], names[end], kind.over):
                    cost = price(Crossing(left, over, entered))
                    if cost is not None and so_far[start] + cost + to_end[end] <= limit:
                        yield what


def opened_once(
    crossings: Crossings,
    price: Price,
    costs: Mapping[str, int],
    closed: Collection[str],
    limit: int,
    in_hex: InHex[T],
    on_side: OnSide[T],
) -> dict[str, int]:
    """The least costs within a limit where one hex or one hexside may be otherwise: with these, `openings` finds what
    lets a line through together with that.

    price, costs: of lines from the sources, or, both the other way round, of lines to the end; closed: hexes that no
    line enters; in_hex, on_side: as for `openings`.
    """
    kinds, names, number, ways = crossings.kinds, crossings.hexes, crossings.number, crossings.ways
    known = {number[name]: cost for name, cost in costs.items()}
    shut = {number[name] for name in closed}
    reached, beyond = dict[int, int](), dict(known)

    def reach(into: dict[int, int], at: int, cost: int) -> None:
        if cost <= limit and cost < into.get(at, ANY_LENGTH):
            into[at] = cost

    for at in dict.fromkeys(other for here in known for other in (here, *(there for there, _ in ways(here)))):
        around = [(other, kinds[kind]) for other, kind in ways(at)]
        here = around[0][1].leaves if around else ()
        for _, ground in in_hex(names[at], here):
            before = [(other, Crossing(kind.enters, kind.over, ground)) for other, kind in around]
            least = min([known.get(at, ANY_LENGTH), *_sums(price, known, before)])
            reach(reached, at, least)
            for other, kind in around if least <= limit else ():
                cost = price(Crossing(ground, kind.over, kind.enters))
                if cost is not None and other not in shut:
                    reach(beyond, other, least + cost)
        for other, kind in around if at in known else ():
            for _, over in on_side(names[at], names[other], kind.over) if other not in shut else ():
                cost = price(Crossing(here, over, kind.enters))
                if cost is not None:
                    reach(beyond, other, known[at] + cost)
    opened = {names[at]: cost for at, cost in reached.items()}
    field = cost_field(crossings, price, {names[at]: cost for at, cost in beyond.items()}, closed=closed, limit=limit)
    return {**field.cost, **{name: min(cost, field.cost.get(name, cost)) for name, cost in opened.items()}}


def opened_in_one_step(
    crossings: Crossings,
    price: Price,
    begun: Mapping[str, int],
    home: Mapping[str, int],
    limit: int,
    in_hex: InHex[T],
    on_side: OnSide[T],
) -> Iterator[T]:
    """What lets a line through together in one step: a hex that is entered, and the hexside over which it is; all as
    for `openings`.
    """
    kinds, names, number, ways = crossings.kinds, crossings.hexes, crossings.number, crossings.ways
    for name, to_end in home.items():
        at = number[name]
        for other, number_of_kind in ways(at):
            so_far, kind = begun.get(names[other], ANY_LENGTH), kinds[number_of_kind]
            if so_far + to_end > limit:
                continue
            overs = [*on_side(names[other], name, kind.over)]
            for what, ground in in_hex(name, kind.leaves):
                for beside, over in overs:
                    cost = price(Crossing(kind.enters, over, ground))
                    if cost is not None and so_far + cost + to_end <= limit:
                        yield from (what, beside)


def _sums(price: Price, costs: Mapping[int, int], steps: Iterable[tuple[int, Crossing]]) -> Iterator[int]:
    """The costs of lines that are prolonged by one of some steps, each from or to the hex with that number."""
    for other, kind in steps:
        if other in costs and (cost := price(kind)) is not None:
            yield costs[other] + cost
