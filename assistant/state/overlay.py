"""What an answer shows on a map that players share and what is no part of the game: how the units of a hex are
supplied, sources, and the lines between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SOURCE = "source"
"""What the hex of a source shows, beside what its units do."""
STATES = {
    "full": "in supply",
    "low": "low supply",
    "none": "out of supply",
    "cut-off": "isolated",
    "unknown": "supply not certain",
    SOURCE: "supply source",
}
"""What a hex may show, in words."""


class Tint(NamedTuple):
    """A hex and what it shows: one of `STATES`, of the units of a side."""

    side: str
    state: str
    place: str


class OverlayStep(NamedTuple):
    """A step of a line from a hex to the next one."""

    side: str
    full: bool
    """Whether it serves its units in full."""
    here: str
    there: str


Overlay = Sequence[Tint | OverlayStep]
"""All of it, the lowest first."""
