"""Where the map ends: over its edges, and into Romania (1.2.2)."""

from __future__ import annotations

from assistant.questions import View

from ..terms import OFF_MAP, ROMANIA

AROUND = 6
"""The hexes around a hex inside the map."""


def is_at_edge(view: View, hex: str) -> bool:
    """Whether a hex lies at an edge of the map."""
    return len(view.board.neighbours(hex)) < AROUND or view.word("map-edge", hex) not in ("", "none")


def lies_off_map(view: View, place: str) -> bool:
    """Whether a unit that enters a place has left the map with that: it is beyond its edge, or lies in Romania (1.2.2).
    That a hex lies elsewhere does not count as read.
    """
    if place == OFF_MAP:
        return True
    return view.unnoticed().word("country", place) == ROMANIA and view.word("country", place) == ROMANIA
