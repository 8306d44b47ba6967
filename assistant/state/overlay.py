"""An overlay on a shared map, not part of the game: the supply of units, sources, and the lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SOURCE = "source"
"""The state of a hex with a source, besides that of its units."""
STATES = {
    "full": "in supply",
    "low": "low supply",
    "none": "out of supply",
    "cut-off": "isolated",
    "unknown": "supply not certain",
    SOURCE: "supply source",
}
"""The states of a hex, in words."""


class Tint(NamedTuple):
    """The colour of a hex for the units of a side.

    `state`: one of `STATES`.
    """

    side: str
    state: str
    place: str


class OverlayStep(NamedTuple):
    """A step of a line from a hex to the next one."""

    side: str
    full: bool
    """Whether the line serves its units in full."""
    here: str
    there: str


Overlay = Sequence[Tint | OverlayStep]
"""Tints and steps, the lowest first."""
