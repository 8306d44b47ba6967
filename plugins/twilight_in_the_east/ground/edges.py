"""The edges of the map, Romania (1.2.2), Hungary (23.1.1), and the west bank of the Vistula (22.2).

The position states the region of a hex, or else the borders and rivers drawn on the board decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from assistant.asking import View
from assistant.mechanics.tracing import trace_links
from assistant.state.state import hexside
from assistant.util.memo import Memo

from ..terms import OFF_MAP, ROMANIA, WARSAW

NEIGHBOUR_HEXES_INSIDE = 6
"""The number of neighbours of a hex that is not at the edge."""
HUNGARY = "Hungary"
"""The board's name of the region."""
VISTULA = "Vistula"
"""The board's name of the river."""
PROVINCE_BORDER = "province-border"
WEST_BANK_COUNTRIES = ("german", "russian")
"""Countries in which the Vistula has a west bank.

In Galicia it flows east, and no rule asks for one.
"""


def is_at_edge(view: View, hex: str) -> bool:
    """Return whether a hex lies at an edge of the map."""
    return len(view.board.neighbours(hex)) < NEIGHBOUR_HEXES_INSIDE or view.word("map-edge", hex) not in ("", "none")


def lies_off_map(view: View, place: str) -> bool:
    """Return whether a unit in a place has left the map, over the edge or into Romania (1.2.2).

    The country is recorded as a premise only if it is Romania.
    """
    if place == OFF_MAP:
        return True
    return view.quiet_view().word("country", place) == ROMANIA and view.word("country", place) == ROMANIA


# --- regions ----------------------------------------------------------------------------------------------------------


def is_in_hungary(view: View, hex: str) -> bool | None:
    """Return whether a hex lies in Hungary, or None if neither the position nor the board says so (23.1.1)."""
    if stated := view.word("province", hex):
        return stated == "hungary"
    country = view.word("country", hex)
    if country != "austro-hungarian":
        return False if country else None
    drawn = _remember_region(view, HUNGARY, _find_hungary)
    return hex in drawn if drawn else None


def is_west_of_vistula(view: View, hex: str) -> bool | None:
    """Return whether a hex lies west of the Vistula, on the bank of Warsaw, or None if unknown (22.2)."""
    if stated := view.word("vistula", hex):
        return stated == "west"
    drawn = _remember_region(view, VISTULA, _find_west_bank)
    return hex in drawn if drawn else None


_REGIONS: Memo[str, frozenset[str]] = Memo()
"""The hexes of each region drawn on the board."""


def _remember_region(view: View, name: str, draw: Callable[[View], frozenset[str]]) -> frozenset[str]:
    """Return a region drawn on the board, computed once, as no position changes it."""
    return view.memo(_REGIONS, name, lambda known, apart: draw(view) if known is None else known)


def _find_hungary(view: View) -> frozenset[str]:
    board = view.board
    named = [hex for label in board.labels if label.name == HUNGARY for hex in label.hexes]
    borders = {name for name in board.known("border") if _read_word(view, "border", name) == PROVINCE_BORDER}
    return _find_region(view, named, borders, ("austro-hungarian",))


def _find_west_bank(view: View) -> frozenset[str]:
    river = {name for chain in view.board.chains if chain.name == VISTULA for name in chain.path}
    return _find_region(view, [WARSAW] if river else [], river, WEST_BANK_COUNTRIES)


def _find_region(
    view: View, starts: Collection[str], borders: Collection[str], countries: Collection[str]
) -> frozenset[str]:
    """Return the hexes of `countries` that are connected to `starts` without crossing a border."""

    def is_joined(here: str, there: str) -> bool:
        return hexside(here, there) not in borders

    field = trace_links(
        starts, view.board.neighbours, is_joined, lambda hex: _read_word(view, "country", hex) not in countries
    )
    return frozenset(field.cost)


def _read_word(view: View, track: str, subject: str) -> str:
    fact = view.board.fact(track, subject)
    return str(fact.value) if fact else ""
