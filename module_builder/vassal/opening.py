"""Where a module opens the map of a set-up: on the fight, where most units of both sides stand close together."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist
from typing import NamedTuple

from assistant.formats.vassal.grids import Pixel

FLARE = "Flare0"
"""What VASSAL calls the part of the map that shows pings, the only one of its kind in the module."""
REACH = 4
"""How many hexes around a unit its fight extends."""


class Spot(NamedTuple):
    """A unit on the map, and its side, "" if that is unknown."""

    at: Pixel
    side: str


def find_fight(spots: Sequence[Spot], reach: float) -> Pixel | None:
    """The middle of the units around the one with most friends and most enemies near it, counted by the fewer of the
    two; where no enemies are near, the middle between the nearest ones; of units of one side, of the densest. None
    without units.

    reach: how far "near" is, in pixels.
    """
    if not spots:
        return None
    near = [[other for other in spots if dist(spot.at, other.at) <= reach] for spot in spots]

    def weight(number: int) -> tuple[int, int]:
        friends = sum(other.side == spots[number].side for other in near[number])
        return min(friends, len(near[number]) - friends), len(near[number])

    best = max(range(len(spots)), key=weight)
    if weight(best)[0]:
        return _middle([spot.at for spot in near[best]])
    pairs = ((one.at, other.at) for one in spots for other in spots if one.side != other.side)
    closest = min(pairs, key=lambda pair: dist(*pair), default=None)
    return _middle(closest or [spot.at for spot in near[best]])


def _middle(pixels: Sequence[Pixel]) -> Pixel:
    xs, ys = zip(*pixels, strict=True)
    return round(sum(xs) / len(xs)), round(sum(ys) / len(ys))
