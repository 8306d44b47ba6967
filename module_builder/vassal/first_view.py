"""Where a module opens the map of a set-up: on the fight, where most units of both sides stand close together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import dist
from typing import NamedTuple

from assistant.formats.vassal.grids import Pixel

FLARE = "Flare0"
"""What VASSAL calls the part of a window that shows pings: the first one in the module, of the window that opens first.
"""
REACH = 4
"""How many hexes around a unit its fight extends."""


class UnitSpot(NamedTuple):
    """A unit on the map, and its side, "" if that is unknown."""

    at: Pixel
    side: str


def find_fight(spots: Sequence[UnitSpot], reach: float) -> Pixel | None:
    """Return the middle of the units around the one with most friends and most enemies near it, counted by the fewer of
    the two; where no enemies are near, the middle between the nearest ones; of units of one side, of the densest. None
    without units.

    reach: how far "near" is, in pixels.
    """
    if not spots:
        return None
    counted = Counter(spots)  # hexes hold several units: the work grows with the places
    places = [*counted]
    near = [*_find_near(places, reach)]

    def count_units(number: int) -> tuple[int, int]:
        friends = sum(counted[other] for other in near[number] if other.side == places[number].side)
        there = sum(counted[other] for other in near[number])
        return min(friends, there - friends), there

    best = max(range(len(places)), key=count_units)
    around = [spot.at for spot in near[best] for _ in range(counted[spot])]
    if count_units(best)[0]:
        return _mean_of(around)
    several = len({spot.side for spot in places}) > 1
    pairs = ((one.at, other.at) for one in places for other in places if one.side != other.side)
    closest = min(pairs, key=lambda pair: dist(*pair), default=None) if several else None
    return _mean_of(closest or around)


def middle_of_pixels(pixels: Sequence[Pixel]) -> Pixel | None:
    """Return the middle of the smallest rectangle around all pixels, None without any."""
    if not pixels:
        return None
    xs, ys = zip(*pixels, strict=True)
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2


def _find_near(places: Sequence[UnitSpot], reach: float) -> Iterator[list[UnitSpot]]:
    """Yield for each spot those within reach of it, in their order: sought in the squares of the map around its own."""
    squares: dict[tuple[int, int], list[int]] = {}
    for number, (x, y) in enumerate(spot.at for spot in places):
        squares.setdefault((int(x // reach), int(y // reach)), []).append(number)
    for spot in places:
        column, row = int(spot.at[0] // reach), int(spot.at[1] // reach)
        around = ((column + across, row + down) for across in (-1, 0, 1) for down in (-1, 0, 1))
        numbers = sorted(number for square in around for number in squares.get(square, ()))
        yield [places[number] for number in numbers if dist(spot.at, places[number].at) <= reach]


def _mean_of(pixels: Sequence[Pixel]) -> Pixel:
    xs, ys = zip(*pixels, strict=True)
    return round(sum(xs) / len(xs)), round(sum(ys) / len(ys))
