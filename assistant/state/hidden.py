"""Hidden information: its vocabulary, and the range of values that a hidden fact may have."""

from __future__ import annotations

from typing import Literal

from .sources import Value
from .state import GameState
from .tracks import Track

EVERYTHING, UMPIRE = "", "umpire"
"""The viewpoints besides those of the sides: not stated, and the umpire's."""


MASKED, INVISIBLE, UNSEEN, HIDDEN = "masked", "invisible", "unseen", "hidden"


NOBODY = "nobody"
"""Who has masked a piece, if not a player of any side."""


SOMEBODY = "somebody"
"""The side of unseen units that may belong to any of several enemies."""


End = Literal["weakest", "strongest", "seen"]
"""What is supposed of what is hidden: either end of its range, or nothing but what is seen, as if silence meant no
more.
"""


ENDS: tuple[End, End] = ("weakest", "strongest")


def is_limited(viewpoint: str) -> bool:
    """Whether information may be hidden from a viewpoint."""
    return viewpoint not in (EVERYTHING, UMPIRE)


def hides(state: GameState) -> bool:
    """Whether a state is what one side knows: reduced to its view, or stating that something in it is unseen."""
    return is_limited(state.seen_by) or any(track in (UNSEEN, HIDDEN) for track, _ in state.facts)


def stand_in(place: str) -> str:
    """The id of the unit that stands for all unseen ones at a place."""
    return f"unseen at {place}"


# --- the range of a hidden fact ---------------------------------------------------------------------------------------


def suppose_value(track: Track, end: End, below: int | None) -> Value | None:
    """The value of a hidden fact at one end of its range: the default is the strongest, the value farthest from it the
    weakest; as seen it is the default. None for a track whose values have no such order.

    below: the bound that a number has to stay under, None if unknown.
    """
    most = None if below is None else below - 1
    if end != "weakest":
        return track.absent
    if track.kind == "integer":
        return track.farthest(most)
    values = track.in_turn(most)
    return values[-1] if values else track.absent
