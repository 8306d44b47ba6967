"""Combat Strength 1/2 markers: when they have their effects, and when they are flipped and come off (5.4.10, 8.2.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from assistant.asking import View
from assistant.asking.view import changed
from assistant.state.changes import Change

HALF = "half"
"""The track of the marker."""
FINAL = "half-final"
"""The track of its Final side."""
Side = Literal["", "initial", "final"]


def half_takes_effect(*, half: bool, entrained: bool) -> bool:
    """Return whether a Combat Strength 1/2 marker has its effects: on a unit in Rail Mode it has none until the unit
    has detrained. Rule: 8.2.5b
    """
    return half and not entrained


def half_after_combat(side: Side, *, entrained: bool) -> Side:
    """Return the side of a unit's Combat Strength 1/2 marker after a Post-Combat Phase: Final comes off, Initial is
    flipped, and on a unit in Rail Mode it stays as it is.

    `side`: the side that shows, or "" if there is no marker.

    Rule: 5.4.10b, 8.2.5
    """
    if entrained:
        return side
    return "final" if side == "initial" else ""


# --- of a position ----------------------------------------------------------------------------------------------------


def side_of_half(view: View, unit: str) -> Side:
    """Return the side of a unit's Combat Strength 1/2 marker that shows, "" if it bears none."""
    if not view.flag(HALF, unit):
        return ""
    return "final" if view.flag(FINAL, unit) else "initial"


def mark_half(view: View, unit: str, side: Side, rule: str) -> Iterator[Change]:
    """Yield the changes by which a unit bears a Combat Strength 1/2 marker on one of its sides, or none."""
    for track, after in ((HALF, bool(side)), (FINAL, side == "final")):
        if view.flag(track, unit) != after:
            yield changed(view, track, unit, after or None, rule)


def turn_half_markers(view: View) -> Iterator[Change]:
    """Yield what becomes of the Combat Strength 1/2 markers of both sides in the Post-Combat Phase. Rule: 5.4.10b,
    8.2.5
    """
    for unit in view.units():
        if side := side_of_half(view, unit.id):
            after = half_after_combat(side, entrained=view.flag("entrained", unit.id))
            yield from mark_half(view, unit.id, after, "5.4.10")
