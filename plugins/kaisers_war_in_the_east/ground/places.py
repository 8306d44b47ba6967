"""Hexes by what is printed on them, by name, and by who controls them (2.1, 7.1 to 7.4)."""

from __future__ import annotations

from assistant.questions import Gather, View
from assistant.state.state import hexside

from ..terms import NEUTRALS, OWNER
from .countries import is_neutral

FRONTS = {"1915": "front-1915", "1916": "front-1916"}
"""The track that says on whose side of the front line of a scenario a hex lay; that of 1914 is the border (7.1)."""


def hexes_with(view: View, track: str) -> list[str]:
    """The hexes of which the position or the board says that something is printed on them, in order."""
    stated = (subject for name, subject in view.stated if name == track)
    return sorted(hex for hex in dict.fromkeys([*stated, *view.board.known(track)]) if view.flag(track, hex))


def is_on_rails(view: View, hex: str) -> bool:
    """Whether a railroad is known to lead out of a hex."""
    return any(view.word("rail", hexside(hex, there)) == "rail" for there in view.board.neighbours(hex))


def hex_named(view: View, name: str) -> str | None:
    """The hex of a city or town by its name, as stated (`2418 named=Warsaw`) or on a board of the game; None while it is unknown."""
    for (track, subject), fact in view.stated.items():
        if track == "named" and str(fact.value).casefold() == name.casefold():
            return subject
    boards = (view.board, *map(view.game.board, view.game.board_names))
    places = (place for board in boards for place in board.places if name in (place.name, *place.names.values()))
    return next((place.hex for place in places), None)


def started_with(facts: Gather, hex: str) -> str:
    """The side on whose side of the front line a hex lay when the scenario began; "" in a neutral country.

    Romania and Bulgaria belong to their side once they are at war, wherever the front line of 1916 runs. Rule: 7.1, 23.0/1916-line
    """
    country = facts.word("country", hex)
    if not country or is_neutral(facts, country):
        return ""
    front = FRONTS.get(facts.word("scenario"))
    if front is None or country in NEUTRALS:
        return OWNER.get(country, "")
    return facts.word(front, hex)


def controller(facts: Gather, hex: str) -> str:
    """The side that controls a hex: that of a unit in it, else that of its marker, else that on whose side of the front line it lay.

    "" if nobody does. Supply and zones of control do not matter. Rule: 7.3/1, 7.3/2, 7.3/3, 7.4
    """
    view = facts.view
    if (country := view.word("country", hex)) and is_neutral(facts, country):
        return ""
    if units := view.stack(hex):
        return view.side_of(units[0].id)
    if marker := view.word("control", hex):
        return "" if marker == "nobody" else marker
    return started_with(facts, hex)
