"""Khan Nakhichevanski of the Russian 1st Cavalry Corps: his units' die rolls and their attachment (25.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from .command import commands, leader_named

Result = Literal["", "free", "slowed", "halted"]
"""The result of a unit's die in a phase, or "" before it is rolled."""
COMMAND_EFFECTS_RULE = "25.1.1"
"""The rule of both effects of the Khan's command."""
TRACK = "khan"
SLOWED_MARCH_POINTS = 3
"""Maximum Movement Points of a Forced March by a slowed unit."""
LOCKED_FORMATIONS = frozenset({"1 gdc", "2 gdc", "2 c", "3 c"})
"""Formations that must stay attached to the Khan's corps, by the ID before the slash (25.1.2)."""


def commands_corps(nation: str, corps: str, turn: int) -> bool:
    """Return whether the Khan commands the corps of a unit in a game turn. Rule: 25.1"""
    khan = leader_named("khan")
    return (nation, corps) == (khan.nation, khan.corps) and commands(khan, turn, ())


def rolls(arm: str, size: str) -> bool:
    """Return whether a unit of the Khan's corps rolls as it begins to move: a cavalry division or brigade.

    Rule: 25.1.1a
    """
    return arm == "cavalry" and size in ("XX", "X")


def khan_die(die: int) -> Result:
    """Return the result of a die for the unit that begins to move. Rule: 25.1.1a"""
    if die <= 4:
        return "free"
    return "slowed" if die == 5 else "halted"


def halts_reaction(die: int) -> bool:
    """Return whether a die keeps a unit from reacting, because its Movement Allowance is zero. Rule: 25.1.1a"""
    return khan_die(die) == "halted"


def allowance_after(allowed: Fraction, result: str) -> Fraction:
    """Return the Movement Points of a unit after its die: half if it is slowed, or none if it is halted. Rule: 25.1.1a"""
    if result == "halted":
        return Fraction(0)
    return allowed / 2 if result == "slowed" else allowed


def march_after(points: int, result: str) -> int:
    """Return the Movement Points that a Forced March may add after the die.

    `points`: the points without the die.

    Rule: 25.1.1a
    """
    if result == "halted":
        return 0
    return min(points, SLOWED_MARCH_POINTS) if result == "slowed" else points


def is_astray(nation: str, unit: str, corps: str) -> bool:
    """Return whether a formation of the Khan's corps is on the track of another corps.

    `corps`: the corps whose track the formation is on, or "" if it is independent.

    Rule: 25.1.2
    """
    khan = leader_named("khan")
    belongs = nation == khan.nation and unit.partition("/")[0] in LOCKED_FORMATIONS
    return belongs and corps != khan.corps
