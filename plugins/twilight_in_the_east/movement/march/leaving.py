"""Units that leave the map for good: off its edge, or into Romania (1.2.2)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.questions import Step, View, step
from assistant.questions.view import changed
from assistant.state.changes import Change

from .steps import ROMANIA

AROUND = 6
"""The hexes around a hex inside the map."""


def is_at_edge(view: View, hex: str) -> bool:
    """Whether a hex lies at an edge of the map."""
    return len(view.board.neighbours(hex)) < AROUND or view.word("map-edge", hex) not in ("", "none")


def bar_of_edge(view: View, hex: str) -> Step | None:
    """What keeps units in a hex from leaving the map over its edge. Rule: 1.2.2"""
    if not is_at_edge(view, hex):
        return step("1.2.2", "{hex} does not lie at an edge of the map", hex=hex)
    if view.ruling("off-map-move") == "refused":
        return step(
            "1.2.2", "no unit moves off the map of its own will; a depot or entrained unit goes by rail (8.2.8)"
        )
    return None


def leaves_map(view: View, hex: str) -> bool:
    """Whether a unit that enters a hex leaves the map with that: it lies in Romania (1.2.2)."""
    return view.word("country", hex) == ROMANIA


def changes_of_departure(view: View, units: Iterable[str]) -> list[Change]:
    """The changes by which units leave the map for good: they have departed and are not eliminated, so that nobody
    scores for them (1.2.2).
    """
    gone = [changed(view, "place", unit, None, "1.2.2") for unit in units]
    return [*gone, *(changed(view, "departed", change.subject, True, "1.2.2") for change in gone)]
