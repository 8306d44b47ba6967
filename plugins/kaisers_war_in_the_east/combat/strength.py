"""Strengths in combat and the percentage column (14.8 to 14.13)."""

from __future__ import annotations

from collections.abc import Collection

from assistant.mechanics.odds import Bands

COLUMNS = Bands(
    (0, 50, 100, 150, 200, 300, 400, 500, 600),
    ("<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600"),
)
"""The columns of both Combat Results Tables by the percentage at which they begin (14.13)."""
ENTRENCHED = 1
"""By how much an entrenching supply unit raises the multiple of a defender: doubled, or tripled in good terrain."""


def multiple(supplied: bool, concentric: bool, alpine: bool = False) -> int:
    """How often an attack factor counts: twice with one bonus, three times with more.

    supplied: Maximum Attack Supply; concentric: the bonus of a concentric attack, for supporting units too; alpine: an Alpine unit that
    attacks a rough hex. Rule: 14.8/2, 14.8/3, 14.9, 21.3, CRT/modifiers
    """
    return 1 + min(supplied + concentric + alpine, 2)


def defence_multiple(terrain: int, all_across_water: bool, entrenched: bool = False) -> int:
    """How often a defence factor counts.

    terrain: the multiple of the hex by the Terrain Effects Chart, 1 or 2; all_across_water: whether all attackers come across river or lake
    hexsides that double; the two do not add up, but entrenching does. Rule: 14.11/1, 14.11/2
    """
    return max(terrain, 2 if all_across_water else 1) + (ENTRENCHED if entrenched else 0)


def percentage(attack: int, defence: int, up: bool = False) -> int:
    """The attack in whole percents of the defence, a fraction dropped or, by the ruling, counted as a whole percent. A defence of 0
    counts as 1. Rule: 14.3/4
    """
    whole, rest = divmod(100 * attack, max(defence, 1))
    return whole + (1 if up and rest else 0)


def column(percent: int) -> str:
    """The column of both tables for a percentage. Rule: 14.3/5, 14.13"""
    return COLUMNS.of(percent)


def is_concentric(covered: Collection[str], around: Collection[str], fortress: bool, headquarters: bool) -> bool:
    """Whether an attack is concentric: the attackers and their zones cover all six hexes around the defender.

    covered: the hexes that attackers stand in or have in their zones; around: the six; fortress: whether one defends the hex, which prevents
    it unless a Headquarters supports the attack. Rule: 14.8/3, 14.8/3-fort, 19.5, 20.2
    """
    return (headquarters or not fortress) and set(covered).issuperset(around)
