"""The calendar: year and season of a game turn, and where a thaw is as hard as winter (2.9, 22.0)."""

from __future__ import annotations

from assistant.questions import Gather

FIRST_YEAR, TURNS_1914, TURNS_A_YEAR = 1914, 4, 9


def year_of(turn: int) -> int:
    """The year of a game turn: the war begins with turn 1 in August 1914, and later years have nine turns. Rule: 2.9"""
    return FIRST_YEAR + (turn - TURNS_1914 + TURNS_A_YEAR - 1) // TURNS_A_YEAR


def season(facts: Gather) -> str:
    """The season of the game turn by the turn record. Rule: 22.0"""
    turn = facts.integer("turn")
    return str(facts.cell("turn-record", turn).values["season"]) if turn else ""


def is_hard(season: str, country: str) -> bool:
    """Whether winter's supply radius and forest costs hold in a hex: in winter everywhere, in a thaw in Russia. Rule: 22.2"""
    return season == "winter" or (season == "thaw" and country == "russia")
