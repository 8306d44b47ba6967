"""The sketches of usual answers: a way with the hexes that are open next and what bars the others, where units can move,
an attack; with the zones of control of all sides that matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

from ..field import Field, HexOption
from ..field.moving import Reach
from ..questions.report import MissingFacts, Report
from ..questions.sketch import Arrow, Sketch, Spot, Zone, sketch_of, way_of
from ..questions.view import Gather, View

R = TypeVar("R")
Fielding = Callable[[Gather], Field]
"""Who stands where and whose zones reach where, by the rules of a game."""


def zones_of(view: View, field: Fielding, sides: Iterable[str]) -> tuple[Zone, ...]:
    """The zones of control of some sides that have any; none while it is not stated what they rest on."""
    zones = list[Zone]()
    with suppress(MissingFacts), view.gather() as facts:
        standing = field(facts).read()
        zones += [Zone(side=side, hexes=hexes) for side in sides if (hexes := frozenset(standing.zone(side)))]
    return tuple(zones)


def enemies_of(view: View, side: str) -> list[str]:
    """The other sides of the game."""
    return [other for other in view.game.file.sides if other != side]


def option_spots(options: Iterable[HexOption], label: Callable[[HexOption], str] = lambda option: "") -> Iterator[Spot]:
    """The hexes that are open next, and those that something bars. label: what an open one costs, in a few
    characters.
    """
    for option in options:
        if option.barred:
            yield Spot(hex=option.hex, role="barred", why=option.barred)
        else:
            yield Spot(hex=option.hex, role="open", label=label(option))


def choices(here: str, options: Iterable[HexOption], side: str = "") -> tuple[Arrow, ...]:
    """The arrows into the hexes that are open next."""
    return tuple(
        Arrow(hexes=(here, option.hex), kind="choice", side=side) for option in options if here and not option.barred
    )


def way_spots(start: str, way: Sequence[str], *, over: bool) -> Iterator[Spot]:
    """Where a way begins, and where it ends once it is over."""
    yield Spot(hex=start, role="start")
    if over and way and way[-1] != start:
        yield Spot(hex=way[-1], role="end")


def of_way(hexes: Callable[[R], Sequence[str]], field: Fielding | None = None) -> Callable[[View, Report[R]], Sketch]:
    """The sketch of a way. hexes: where it begins and those that are entered, by the question's result; field: who
    stands where, for the zones of the enemy.
    """

    def sketch(view: View, report: Report[R]) -> Sketch:
        start, *way = hexes(report.shown)
        side = side_at(view, start)
        return sketch_of(
            report,
            side=side,
            spots=tuple(way_spots(start, way, over=True)),
            arrows=way_of((start, *way), side),
            zones=zones_of(view, field, enemies_of(view, side)) if field else (),
        )

    return sketch


def of_reach(field: Fielding, points: Callable[[int], str] = str) -> Callable[[View, Report[Reach]], Sketch]:
    """The sketch of where a unit can move, each hex with its cost. If a unit off the map cannot enter it, the picture
    shows all units on it.

    field: who stands where; points: writes a cost in Movement Points, from the number that the result holds.
    """

    def sketch(view: View, report: Report[Reach]) -> Sketch:
        reach = report.shown
        side = view.side_of(reach.unit)
        spots = [Spot(hex=reach.at, role="start")] if reach.at else []
        spots += [Spot(hex=place.hex, role="reached", label=points(place.cost)) for place in reach.hexes]
        units = [unit.place for unit in view.units() if unit.place and view.board.is_hex(unit.place)]
        return sketch_of(
            report,
            side=side,
            spots=tuple(spots),
            zones=zones_of(view, field, enemies_of(view, side)),
            focus=() if spots else tuple(units),
        )

    return sketch


def of_combat(hexes: Callable[[R], tuple[str | Sequence[str], Iterable[str]]]) -> Callable[[View, Report[R]], Sketch]:
    """The sketch of a combat. hexes: those that are attacked, one or several, and those that attack, by the question's
    result.
    """

    def sketch(view: View, report: Report[R]) -> Sketch:
        at, places = hexes(report.shown)
        targets, attackers = [at] if isinstance(at, str) else [*at], [*dict.fromkeys(places)]
        side = side_at(view, *attackers)
        return sketch_of(
            report,
            side=side,
            spots=tuple(Spot(hex=target, role="target") for target in targets),
            arrows=attack_arrows(attackers, targets, side),
        )

    return sketch


def attack_arrows(attackers: Iterable[str], targets: Sequence[str], side: str = "") -> tuple[Arrow, ...]:
    """An arrow from each attacking hex to each one attacked."""
    return tuple(Arrow(hexes=(at, target), kind="attack", side=side) for at in attackers for target in targets)


def side_at(view: View, *places: str) -> str:
    """The side of the first unit in some hexes whose side is known, "" for none."""
    units = (unit.id for place in places for unit in view.stack(place))
    return next(filter(None, map(view.side_of, units)), "")
