"""What would let a line through: one hex or one hexside with another ground, or two, where no line is short enough as
it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from .crossings import Crossing, Crossings, Ground, Price, Worked
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
    names, number = crossings.hexes, crossings.number
    to_end = {number[name]: cost for name, cost in home.items()}
    so_far = {number[name]: cost for name, cost in begun.items()}
    for at, around in _hexes_between(crossings, so_far, to_end, limit):
        here = around[0][1].leaves if around else ()
        for what, ground in in_hex(names[at], here):
            if sum(_costs_through(price, so_far, to_end, at, ground, around)) <= limit:
                yield what
        for other, kind in around:
            for start, end, left, entered in ((at, other, here, kind.enters), (other, at, kind.enters, here)):
                if so_far.get(start, ANY_LENGTH) + to_end.get(end, ANY_LENGTH) > limit:
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

    for at in _with_next(crossings, known):
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
    """What lets a line through together at one step: a hex, closed or not, and a hexside by which it is entered or
    left, or two adjacent hexes; all as for `openings`.
    """
    names, number = crossings.hexes, crossings.number
    to_end = {number[name]: cost for name, cost in home.items()}
    so_far = {number[name]: cost for name, cost in begun.items()}

    def change(at: int) -> list[tuple[T, Ground, int, int]]:
        around = [(other, crossings.kinds[kind]) for other, kind in crossings.ways(at)]
        grounds = in_hex(names[at], around[0][1].leaves if around else ())
        return [(what, ground, *_costs_through(price, so_far, to_end, at, ground, around)) for what, ground in grounds]

    changes = Worked[int, list[tuple[T, Ground, int, int]]](change)
    for at, around in _hexes_between(crossings, so_far, to_end, limit):
        for what, ground, arrives, leaves in changes[at]:
            for other, kind in around:
                for start, end, left, entered, rest in (
                    (other, at, kind.enters, ground, so_far.get(other, ANY_LENGTH) + leaves),
                    (at, other, ground, kind.enters, arrives + to_end.get(other, ANY_LENGTH)),
                ):
                    for beside, over in on_side(names[start], names[end], kind.over) if rest <= limit else ():
                        cost = price(Crossing(left, over, entered))
                        if cost is not None and rest + cost <= limit:
                            yield from (what, beside)
                for beside, other_ground, arrives_there, leaves_there in changes[other]:
                    for left, entered, rest in (
                        (other_ground, ground, arrives_there + leaves),
                        (ground, other_ground, arrives + leaves_there),
                    ):
                        cost = price(Crossing(left, kind.over, entered)) if rest <= limit else None
                        if cost is not None and rest + cost <= limit:
                            yield from (what, beside)


def _with_next(crossings: Crossings, hexes: Iterable[int]) -> Iterable[int]:
    """Some hexes and those adjacent to them, by number, each once."""
    around = crossings.layout.around
    return dict.fromkeys(other for at in hexes for other in (at, *around.of(at)))


def _hexes_between(
    crossings: Crossings, so_far: Mapping[int, int], to_end: Mapping[int, int], limit: int
) -> Iterator[tuple[int, list[tuple[int, Crossing]]]]:
    """The hexes that a line within a limit may pass if they, or the steps to and from them, cost nothing; each with the
    steps into the next ones.

    so_far, to_end: the least cost of lines from the sources to a hex, and from a hex to the end.
    """
    for at in _with_next(crossings, to_end):
        around = [(other, crossings.kinds[kind]) for other, kind in crossings.ways(at)]
        beside = (at, *(other for other, _ in around))
        if sum(min(costs.get(other, ANY_LENGTH) for other in beside) for costs in (so_far, to_end)) <= limit:
            yield at, around


def _costs_through(
    price: Price,
    so_far: Mapping[int, int],
    to_end: Mapping[int, int],
    at: int,
    ground: Ground,
    around: Iterable[tuple[int, Crossing]],
) -> tuple[int, int]:
    """The least cost to arrive in a hex with another ground, and from there to the end. around: the steps from it."""
    entering = [(other, Crossing(kind.enters, kind.over, ground)) for other, kind in around]
    leaving = [(other, kind.back) for other, kind in entering]
    arrives = min([so_far.get(at, ANY_LENGTH), *_sums(price, so_far, entering)])
    return arrives, min([to_end.get(at, ANY_LENGTH), *_sums(price, to_end, leaving)])


def _sums(price: Price, costs: Mapping[int, int], steps: Iterable[tuple[int, Crossing]]) -> Iterator[int]:
    """The costs of lines that are prolonged by one of some steps, each from or to the hex with that number."""
    for other, kind in steps:
        if other in costs and (cost := price(kind)) is not None:
            yield costs[other] + cost
