"""Ways back: the hexes that are open next, in the order in which a policy takes them, and the way that costs least (11.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from .cost import LEVELS, RetreatHex
from .ground import Ground
from .hexes import around, best_first

WayPolicy = Literal["straight", "priorities"]
Price = tuple[Any, ...]


def open_around(ground: Ground, here: str, before: str) -> tuple[RetreatHex, ...]:
    """The hexes that are open next, the best of them first."""
    return tuple(hex for hex in around(ground, here, before) if not hex.barred)


class Progress(NamedTuple):
    """How far a stack has come. walked: the hexes entered so far; here, before: the hex where it is, and the one that it has just left,
    "" at the start."""

    walked: tuple[RetreatHex, ...]
    here: str
    before: str

    def on(self, hex: RetreatHex) -> Progress:
        """The same a hex farther."""
        return Progress((*self.walked, hex), hex.hex, self.here)


class Stakes(NamedTuple):
    """What a way is judged by. owed: hexes that have to be retreated in all; guns: whether there is artillery to lose; earlier:
    unoccupied hexes in EZOCs that count from an earlier retreat."""

    owed: int
    guns: bool
    earlier: int = 0


def price(way: tuple[RetreatHex, ...], stakes: Stakes) -> Price:
    """What a way costs, to be compared with others: hexes not retreated, steps of each Force, artillery, levels; then, hex by hex, how the
    priorities rank it (11.2.4, 11.2.5).
    """
    zones = stakes.earlier + sum(hex.zone for hex in way)
    rivers = sum(hex.river for hex in way)
    short = 0 if way and way[-1].is_safe else stakes.owed - len(way)
    lost_guns = stakes.guns and (zones >= 2 or rivers > 0 or any(hex.mountains for hex in way))
    levels = min(zones, LEVELS) + rivers
    return short, max(zones - 1, 0), lost_guns, levels, *(best_first(hex) for hex in reversed(way))


def ordered(ground: Ground, progress: Progress, stakes: Stakes, policy: WayPolicy) -> tuple[RetreatHex, ...]:
    """The hexes that are open next in the order in which a policy takes them."""
    options = open_around(ground, progress.here, progress.before)
    if policy == "priorities" or len(options) < 2:
        return options
    known: dict[Any, tuple[RetreatHex, ...]] = ground.__dict__.setdefault("ordered", {})
    key = progress, stakes
    if key not in known:
        known[key] = tuple(sorted(options, key=lambda hex: least(ground, progress.on(hex), stakes)))
    return known[key]


def least(ground: Ground, progress: Progress, stakes: Stakes) -> Price:
    """The price of the cheapest way that begins with the hexes entered so far."""
    more = len(progress.walked) < stakes.owed
    options = open_around(ground, progress.here, progress.before) if more else ()
    if not options:
        return price(progress.walked, stakes)
    return min(least(ground, progress.on(hex), stakes) for hex in options)


def hexes_to_room(
    ground: Ground, here: str, before: str, fits: Callable[[str], bool], most: int = 3
) -> tuple[int, tuple[RetreatHex, ...]]:
    """How many hexes farther the nearest hex lies that has room, 0 if none lies within reach, and the next hexes on such ways
    (4.2.3).
    """
    options = open_around(ground, here, before)
    near = tuple(hex for hex in options if fits(hex.hex))
    if near or most == 1:
        return int(bool(near)), near
    far = {hex: hexes_to_room(ground, hex.hex, here, fits, most - 1)[0] for hex in options}
    best = min((number for number in far.values() if number), default=0)
    return (best + 1 if best else 0), tuple(hex for hex, number in far.items() if number and number == best)
