"""What lies between two hexes: who cannot cross it, and what bridges it (2.2, 10.1.2, 11.2.4)."""

from __future__ import annotations

from assistant.field import Hexside, HexsideTracks, NetworkTracks
from assistant.questions import Gather, View

from ..terms import GREAT_RIVERS
from . import calendar, jaroslau

TRACKS = HexsideTracks(lies="barrier", terrain="terrain", links=("rail", "road"))
NETWORK = NetworkTracks(HexsideTracks("barrier", "terrain", ("rail", "road", "crossing")), "complete", "whole-network")
CLOSED = frozenset({"lake", "sea", "impassable"})
"""What nobody crosses."""


def between(facts: View | Gather, here: str, there: str) -> Hexside:
    """What lies between a hex and the next one: as far as a view knows it, or every fact that is used being asked for."""
    over = Hexside(facts, here, there, TRACKS)
    down = over.name == jaroslau.BRIDGE and jaroslau.bridge_is_down(facts)
    return jaroslau.Demolished(facts, here, there, TRACKS) if down else over


def closed(over: Hexside) -> str:
    """What keeps everybody from crossing, in words; "" if nothing does as far as is stated."""
    return ", ".join(sorted(CLOSED & over.lies)) or ("sea" if over.enters == "sea" else "")


def uncrossed(over: Hexside) -> bool:
    """Whether a Grand River that is known to have neither bridge nor ferry keeps units apart that move or attack.
    Rule: 10.1.2e
    """
    return "grand-river" in over.lies and not over.linked and over.word("crossing") == "no-crossing"


def bridge(over: Hexside) -> bool | None:
    """Whether a bridge, be it a pontoon, crosses the river: a road or RR line has one, but not a road that leads to a ferry; None if it is
    not stated (2.2, 8.1.3).
    """
    if over.linked and not road_to_ferry(over):
        return True
    crossing = over.word("crossing")
    return crossing in ("bridge", "pontoon") if crossing else None


def road_to_ferry(over: Hexside) -> bool:
    """Whether the road on a hexside ends at a ferry on both banks, as between 48.75 and 49.75 (8.1.3)."""
    known = over.view.word
    return known("rail", over.name) in ("", "no-rail") and known("crossing", over.name) == "ferry"


def unbridged(over: Hexside) -> bool:
    """Whether a Major or Grand River lies there that is not known to have a bridge."""
    return bool(GREAT_RIVERS & over.lies) and not bridge(over)


def needs_chart(over: Hexside) -> bool:
    """Whether only the printed Terrain Effects Chart says if units may move there: into a High Mountain hex without a road or RR
    line. Of all other ground the rules say so themselves (8.1.2, 10.1.2, 10.6, 11.2.4)."""
    return over.enters == "high-mountain" and not over.linked


def cell_of_high_mountain(turn: int) -> tuple[str, str, str]:
    """The cell of the Terrain Effects Chart that says it, in the season of a turn."""
    return "terrain-cost", calendar.season(turn), "high-mountain"


def chart_lets(over: Hexside) -> bool | None:
    """Whether the Terrain Effects Chart lets units move there, None where it decides and is not known."""
    if not needs_chart(over):
        return True
    turn = over.view.integer("turn")
    cell = over.view.cell(*cell_of_high_mountain(turn)) if turn else None
    return None if cell is None else cell.values["cost"] != "prohibited"


def back(over: Hexside) -> Hexside:
    """What lies between the same hexes on the way back."""
    return between(over.view, over.there, over.here)


def lets_there_and_back(over: Hexside) -> bool | None:
    """Whether the Terrain Effects Chart lets units move there and, as each move must be reversible (8.1.1), back; None where the
    chart decides and is not known.
    """
    ways = chart_lets(over), chart_lets(back(over))
    return False if False in ways else None if None in ways else True
