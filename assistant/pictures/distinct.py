"""Which colours a player cannot tell apart: with full sight, without one kind of cone, or in a grey print."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import msgspec

from .colours import SIGHTS, difference, lightness, seen_by

APART = 9.0
"""How far apart colours must be, CIEDE2000, to be told at a glance."""
APART_IN_GREY = 8.0
"""How far apart they must be in lightness, 0 to 100, to be told in a grey print."""


class TooClose(msgspec.Struct, frozen=True):
    """Two colours that are too close. why: for worst, and by how much, in words."""

    one: str
    other: str
    why: str


def too_close(
    colours: Mapping[str, str], *, least: float = APART, least_in_grey: float = APART_IN_GREY
) -> list[TooClose]:
    """The pairs of named colours that are too close, each for the sight that tells them apart the least, or else in grey.

    least: the difference wanted, CIEDE2000; least_in_grey: the difference in lightness wanted.
    """
    closes = []
    for (one, colour), (other, another) in combinations(colours.items(), 2):
        seen = {_FULL: difference(colour, another)} | {
            f"without sight of {_LACKS[sight]}": difference(seen_by(colour, sight), seen_by(another, sight))
            for sight in SIGHTS
        }
        worst = _FULL if seen[_FULL] < least else min(seen, key=lambda name: seen[name])
        if seen[worst] < least:
            closes.append(TooClose(one, other, f"{worst} ({seen[worst]:.1f} apart; {least:.0f} will do)"))
        elif (grey := abs(lightness(colour) - lightness(another))) < least_in_grey:
            closes.append(TooClose(one, other, f"in a grey print ({grey:.1f} apart; {least_in_grey:.0f} will do)"))
    return closes


_FULL = "at a glance"
_LACKS = {"protanopia": "red", "deuteranopia": "green", "tritanopia": "blue"}
