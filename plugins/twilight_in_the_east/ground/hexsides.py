"""What lies on the hexside between two hexes, as far as a position says: who cannot cross it, and what bridges it."""

from __future__ import annotations

from assistant.questions.view import View
from assistant.state.state import hexside

from . import calendar

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


def uncrossed(view: View, here: str, there: str) -> bool:
    """Whether a Grand River that is known to have no bridge and no ferry keeps units apart that move (10.1.2)."""
    if "grand-river" not in barriers(view, here, there) or linked(view, hexside(here, there)):
        return False
    crossing = view.fact("crossing", hexside(here, there))
    return crossing is not None and crossing.value == "no-crossing"


def needs_chart(view: View, here: str, there: str) -> bool:
    """Whether only the printed Terrain Effects Chart says if units may move from one hex to the next: a High Mountain hex
    without a road or RR line to it. Of all other ground the rules themselves say so (8.1.2, 10.1.2, 10.6, 11.2.4)."""
    terrain = view.fact("terrain", there)
    return terrain is not None and terrain.value == "high-mountain" and not linked(view, hexside(here, there))


def cell_of_high_mountain(turn: int) -> tuple[str, str, str]:
    """The cell of the Terrain Effects Chart that says it, in the season of a turn."""
    return "terrain-cost", calendar.season(turn), "high-mountain"


def chart_lets(view: View, here: str, there: str) -> bool | None:
    """Whether the Terrain Effects Chart lets units move from one hex to the next, None where it decides and is not known."""
    if not needs_chart(view, here, there):
        return True
    turn = view.fact("turn")
    cell = view.cell(*cell_of_high_mountain(int(str(turn.value)))) if turn else None
    return None if cell is None else cell.values["cost"] != "prohibited"


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
