"""The year and season of a turn, hard weather (22.0, 22.2), and tasks completed in the turn."""

from __future__ import annotations

from assistant.asking import Gather, View, changed
from assistant.state.changes import Change

FIRST_YEAR = 1914
TURNS_IN_1914 = 4
TURNS_PER_YEAR = 9


def year_of(turn: int) -> int:
    """Return the year of a game turn.

    Turn 1 is August 1914; later years have nine turns.

    Rule: 2.9
    """
    return FIRST_YEAR + (turn - TURNS_IN_1914 + TURNS_PER_YEAR - 1) // TURNS_PER_YEAR


def season(facts: Gather) -> str:
    """Return the season of the game turn by the turn record. Rule: 22.0"""
    turn = facts.integer("turn")
    return str(facts.cell("turn-record", turn).values["season"]) if turn else ""


def known_effort(view: View, turn: int) -> str:
    """Return the front of the Main Effort of the Central Powers in a turn, "east" or "west", or "" if unknown.

    It is stated, or follows from the Moltke Plan (east in 1914 alone) or the Turn Record Chart. On an eastern effort
    the Central Powers move first (8.0).
    """
    if stated := view.word("main-effort"):
        return stated
    if "moltke-plan" in view.words("options"):
        return "east" if year_of(turn) == FIRST_YEAR else "west"
    cell = view.cell("main-effort", year_of(turn))
    return str(cell.values["effort"]) if cell else ""


def is_hard(season: str, country: str) -> bool:
    """Return whether winter's supply radius and forest costs hold: in winter everywhere, in a thaw in Russia.

    Rule: 22.2
    """
    return season == "winter" or (season == "thaw" and country == "russia")


def is_hard_in(facts: Gather, at: str) -> bool:
    """Return whether winter's supply radius and forest costs hold in a hex.

    The hex's country is asked for only in a thaw.
    """
    now = season(facts)
    return is_hard(now, facts.word("country", at) if now == "thaw" else "")


def is_settled(view: View, what: str) -> bool:
    """Return whether something has been rolled or counted this turn."""
    return what in view.words("settled")


def settle(view: View, what: str, rule: str) -> Change:
    """Return the change that records something as rolled or counted this turn."""
    return changed(view, "settled", "", (*view.words("settled"), what), rule)
