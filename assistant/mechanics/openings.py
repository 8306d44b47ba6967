"""What would let a line through: one hex or one hexside with another ground, where no line is short enough as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from .crossings import Crossing, Crossings, Ground, Price
from .tracing import ANY_LENGTH

T = TypeVar("T")


def openings(
    crossings: Crossings,
    price: Price,
    begun: Mapping[str, int],
    home: Mapping[str, int],
    limit: int,
    in_hex: Callable[[str, Ground], Iterable[tuple[T, Ground]]],
    on_side: Callable[[str, str, Ground], Iterable[tuple[T, Ground]]],
) -> Iterator[T]:
    """What alone lets a line pass from the sources to the end within a limit, nearest to the end first.

    begun: the least cost from any source to each hex that lines reach; home: the least cost from a hex to the end; in_hex,
    on_side: what may be otherwise in a hex or on a hexside, each with the ground that it makes there, on which no step costs more
    than now. A closed hex, which is in neither field, is passed if `in_hex` gives anything for it.
    """
    kinds, names, number, ways = crossings.kinds, crossings.hexes, crossings.number, crossings.ways
    to_end = {number[name]: cost for name, cost in home.items()}
    so_far = {number[name]: cost for name, cost in begun.items()}
    most = ANY_LENGTH
    near = dict.fromkeys(other for at in to_end for other in (at, *(there for there, _ in ways[at])))
    for at in near:
        around = [(other, kinds[kind]) for other, kind in ways[at]]
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


def _sums(price: Price, costs: Mapping[int, int], steps: Iterable[tuple[int, Crossing]]) -> Iterator[int]:
    """The costs of lines that are prolonged by one of some steps, each from or to the hex with that number."""
    for other, kind in steps:
        if other in costs and (cost := price(kind)) is not None:
            yield costs[other] + cost
