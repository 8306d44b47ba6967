"""Countries and their hexes: who is at war, the season, what is printed on a hex, and who controls it (2.1, 2.9, 7.1 to
7.4, 22.0, 23).
"""

from __future__ import annotations

from assistant.questions import Gather, View
from assistant.state.state import hexside

from ..terms import CENTRAL_POWERS, NEUTRALS, OWNER, ROMANIA_ENTERS, ROMANIA_ENTERS_AT_LAST


def at_war(view: View, nation: str) -> bool | None:
    """Whether a nation is at war; None where the game turn has to be known to tell.

    Romania enters in August 1916, and Bulgaria in the next player turn of the Central Powers, unless the position says
    otherwise.
    Rule: 23.0/1, 23.1
    """
    if nation not in NEUTRALS.values() or view.flag("belligerent", nation):
        return True
    if not (turn := view.integer("turn")):
        return None
    enters, phasing = romania_enters(view), view.word("phasing")
    if nation == "bulgarian" and turn == enters:
        return phasing == CENTRAL_POWERS if phasing else None
    return turn >= enters


def romania_enters(view: View) -> int:
    """The game turn in which Romania enters the war: August 1916, or as it is stated; with the option variable-romania
    October 1916 at the latest.
    Rule: 23.1, Opt/VarRomania
    """
    usual = ROMANIA_ENTERS_AT_LAST if "variable-romania" in view.words("options") else ROMANIA_ENTERS
    return view.integer("romania-enters") or usual


def is_neutral(facts: Gather, country: str) -> bool:
    """Whether a country is neutral, so that nobody enters it, attacks into it or traces through it. Rule: 23.0/1"""
    if country not in NEUTRALS:
        return country == "elsewhere"
    fights = at_war(facts.view, NEUTRALS[country])
    if fights is None and facts.value("turn"):
        facts.value("phasing")
    return fights is False


def own_in_1914(country: str, side: str) -> bool:
    """Whether a country lay on a side's own side of the border of 1914. Rule: 2.2, 5.4"""
    return OWNER.get(country) == side


# --- seasons ----------------------------------------------------------------------------------------------------------


FIRST_YEAR, TURNS_1914, TURNS_A_YEAR = 1914, 4, 9


def year_of(turn: int) -> int:
    """The year of a game turn: the war begins with turn 1 in August 1914, and later years have nine turns. Rule: 2.9"""
    return FIRST_YEAR + (turn - TURNS_1914 + TURNS_A_YEAR - 1) // TURNS_A_YEAR


def season(facts: Gather) -> str:
    """The season of the game turn by the turn record. Rule: 22.0"""
    turn = facts.integer("turn")
    return str(facts.cell("turn-record", turn).values["season"]) if turn else ""


def is_hard(season: str, country: str) -> bool:
    """Whether winter's supply radius and forest costs hold in a hex: in winter everywhere, in a thaw in Russia.
    Rule: 22.2
    """
    return season == "winter" or (season == "thaw" and country == "russia")


# --- hexes by what is printed on them, by name, and by who controls them ----------------------------------------------


FRONTS = {"1915": "front-1915", "1916": "front-1916"}
"""The track that says on whose side of the front line of a scenario a hex lay; that of 1914 is the border (7.1)."""


def hexes_with(view: View, track: str) -> list[str]:
    """The hexes of which the position or the board says that something is printed on them, in order."""
    stated = (subject for name, subject in view.stated if name == track)
    return sorted(place for place in dict.fromkeys([*stated, *view.board.known(track)]) if view.flag(track, place))


def is_on_rails(view: View, at: str) -> bool:
    """Whether a railroad is known to lead out of a hex."""
    return any(view.word("rail", hexside(at, there)) == "rail" for there in view.board.neighbours(at))


def hex_named(view: View, name: str) -> str | None:
    """The hex of a city or town by its name, as stated (`2418 named=Warsaw`) or on a board of the game; None while it
    is unknown.
    """
    for (track, subject), fact in view.stated.items():
        if track == "named" and str(fact.value).casefold() == name.casefold():
            return subject
    boards = (view.board, *map(view.game.board, view.game.board_names))
    places = (place for board in boards for place in board.places if name in (place.name, *place.names.values()))
    return next((place.hex for place in places), None)


def side_at_start(facts: Gather, at: str) -> str:
    """The side on whose side of the front line a hex lay when the scenario began; "" in a neutral country.

    Romania and Bulgaria belong to their side once they are at war, wherever the front line of 1916 runs.
    Rule: 7.1, 23.0/1916-line
    """
    country = facts.word("country", at)
    if not country or is_neutral(facts, country):
        return ""
    front = FRONTS.get(facts.word("scenario"))
    if front is None or country in NEUTRALS:
        return OWNER.get(country, "")
    return facts.word(front, at)


def controller(facts: Gather, at: str) -> str:
    """The side that controls a hex: that of a unit in it, else that of its marker, else that on whose side of the front
    line it lay.

    "" if nobody does. Supply and zones of control do not matter. Rule: 7.3/1, 7.3/2, 7.3/3, 7.4
    """
    view = facts.view
    if (country := view.word("country", at)) and is_neutral(facts, country):
        return ""
    if units := view.stack(at):
        return view.side_of(units[0].id)
    if marker := view.word("control", at):
        return "" if marker == "nobody" else marker
    return side_at_start(facts, at)
