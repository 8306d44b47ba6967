"""Who enters the war when, and the Russian Revolutions (23.1, Optional Rules)."""

from __future__ import annotations

from assistant.questions import Gather, View

from ..ground.countries import romania_enters
from ..terms import ALLIES, ROMANIA_ENTERS_AT_LAST

FIRST_ROLL = 16
"""The first turn in which a die is thrown for Romania, May 1916."""
FIRST_YEAR_OF_REVOLUTION = 23
"""The first turn of 1917."""
LOW, LOWER = 25, 10
"""Morale at which the First and the Second Revolution break out."""
FROM_THE_START = ((31, 2), (24, 1))
"""The first turns of scenarios that begin with so many revolutions in effect."""


def romanian_chance(turn: int) -> int:
    """The highest die with which Romania enters the war in a turn: 1 in May 1916, one more each turn, 6 for October, when it enters
    anyway; 0 outside these turns. Rule: Opt/VarRomania
    """
    if turn == ROMANIA_ENTERS_AT_LAST:
        return 6
    return turn - FIRST_ROLL + 1 if FIRST_ROLL <= turn < ROMANIA_ENTERS_AT_LAST else 0


def rolls_for_romania(view: View, turn: int) -> bool:
    """Whether a die decides in this turn whether Romania enters the war. Rule: Opt/VarRomania"""
    entered = view.fact("romania-enters") is not None
    return "variable-romania" in view.words("options") and not entered and 0 < romanian_chance(turn) < 6


def enters_now(view: View, turn: int) -> bool:
    """Whether Romania enters the war in this turn without a die. Rule: 23.1"""
    return turn == romania_enters(view)


def first_revolution_due(turn: int, points: int, revolution: int) -> bool:
    """Whether a die is thrown for the First Revolution: in 1917 and 1918 while Allied Morale is 25 or lower, until it has come.
    Rule: Opt/Rev1
    """
    return turn >= FIRST_YEAR_OF_REVOLUTION and points <= LOW and revolution == 0


def second_revolution(points: int, revolution: int, both: bool = False) -> bool:
    """Whether the Second Revolution breaks out: at 10 or lower with the First in effect, or when points fall through both marks in one
    turn (both). Rule: Opt/Rev2
    """
    return points <= LOWER and (revolution == 1 or (both and revolution == 0))


def revolutions_at_start(turn: int) -> int:
    """How many revolutions are in effect when a scenario begins in a turn. Rule: Opt/1918"""
    return next((number for first, number in FROM_THE_START if turn >= first), 0)


def last_turn(view: View) -> int:
    """The last turn of the game: as agreed; else November-December 1917, or of 1918 with the Bolshevik rules. Rule: 3.1, Opt/1918"""
    return view.integer("last-turn") or (40 if "revolutions" in view.words("options") else 31)


def morale_is_low(facts: Gather, side: str) -> bool:
    """Whether low Morale doubles prices: the optional rule, at 25 Victory Points or fewer. Rule: Opt/Morale/1"""
    return "morale" in facts.view.words("options") and facts.integer("vp", side) <= LOW


def standard_allies_gone(facts: Gather, side: str) -> bool:
    """Whether the Second Revolution has ended all reinforcements but the Bolsheviks'. Rule: Opt/Rev2-effects"""
    return side == ALLIES and facts.integer("revolution") == 2
