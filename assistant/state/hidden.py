"""What a state hides: the words for it, and what is supposed of a fact that is hidden."""

from __future__ import annotations

from typing import Literal

from .sources import Value
from .state import GameState
from .tracks import Track

EVERYTHING, UMPIRE = "", "umpire"
"""Viewpoints besides a side's: nobody has said whose eyes these are, and the umpire's."""


MASKED, INVISIBLE, UNSEEN, HIDDEN = "masked", "invisible", "unseen", "hidden"


NOBODY = "nobody"
"""Who has masked a piece, if it is no player of either side."""


End = Literal["weakest", "strongest"]


ENDS: tuple[End, End] = ("weakest", "strongest")


def is_limited(viewpoint: str) -> bool:
    """Whether something may be hidden from a viewpoint."""
    return viewpoint not in (EVERYTHING, UMPIRE)


def hides(state: GameState) -> bool:
    """Whether a state is what one side knows: cut down to its sight, or written so that something in it is not seen."""
    return is_limited(state.seen_by) or any(track in (UNSEEN, HIDDEN) for track, _ in state.facts)


# --- what is hidden, supposed -----------------------------------------------------------------------------------------


def supposed(track: Track, end: End, below: int | None) -> Value | None:
    """The value that a hidden fact is supposed to have: what silence means is its strongest, the farthest from that its
    weakest. None for a track whose values have no such order.

    below: what a number has to stay under, None if nothing is known of it.
    """
    values = track.in_turn(None if below is None else below - 1)
    if end == "strongest" or not values:
        return track.absent
    return values[-1]
