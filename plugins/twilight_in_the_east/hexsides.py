"""What lies on the hexside between two hexes, as far as a position says: who cannot cross it, and what bridges it."""

from __future__ import annotations

from assistant.state import hexside
from assistant.view import View

CLOSED = frozenset({"lake", "sea", "impassable"})
"""What nobody crosses (2.2, 10.1.2, 11.2.4)."""


def barriers(view: View, here: str, there: str) -> frozenset[str]:
    """What is stated of the hexside; nothing where nobody says."""
    fact = view.fact("barrier", hexside(here, there))
    return frozenset(fact.value) if fact and isinstance(fact.value, tuple) else frozenset()


def closed(view: View, here: str, there: str) -> str:
    """What keeps everybody from going from one hex to the next, in words; "" if nothing does as far as is stated."""
    terrain = view.fact("terrain", there)
    return ", ".join(sorted(CLOSED & barriers(view, here, there))) or (
        "sea" if terrain and terrain.value == "sea" else ""
    )


def linked(view: View, side: str) -> bool:
    """Whether a road or a RR line leads over a hexside."""
    links = ((track, view.fact(track, side)) for track in ("rail", "road"))
    return any(fact and fact.value != view.game.track(track).nothing for track, fact in links)


def bridge(view: View, side: str) -> bool | None:
    """Whether a river is bridged on a hexside, be it by a pontoon: a road or RR line crosses by one; None if nobody says."""
    if linked(view, side):
        return True
    crossing = view.fact("crossing", side)
    return crossing.value in ("bridge", "pontoon") if crossing else None
