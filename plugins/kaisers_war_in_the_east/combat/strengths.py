"""Strengths in a combat, their percentage and its column (14.3, 14.8, 14.9, 14.11, 14.13, 21.3)."""

from __future__ import annotations

from assistant.mechanics.odds import Bands

COLUMNS = Bands(
    (0, 50, 100, 150, 200, 300, 400, 500, 600),
    ("<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600"),
)
"""The columns of both Combat Results Tables by the percentage at which they begin (14.13)."""
ENTRENCHED = 1
"""By how much an entrenching supply unit raises the multiple of a defender: doubled, or tripled in good terrain."""


def count_multiple(*, supplied: bool, concentric: bool, alpine: bool) -> int:
    """Return by how much an attack factor is multiplied: by 2 with one bonus, by 3 with more.

    supplied: Maximum Attack Supply; concentric: the bonus of a concentric attack, for supporting units too; alpine: an
    Alpine unit that attacks a rough hex.
    Rule: 14.8/2, 14.8/3, 14.9, 21.3, CRT/modifiers
    """
    return 1 + min(supplied + concentric + alpine, 2)


def defence_multiple(*, terrain: bool, all_across_water: bool, entrenched: bool) -> int:
    """Return by how much a defence factor is multiplied: by 2 for terrain or for water that all attackers cross.

    Entrenching adds 1.
    Rule: 14.11/1, 14.11/2, CRT/modifiers
    """
    return (2 if terrain or all_across_water else 1) + (ENTRENCHED if entrenched else 0)


def measure_percentage(attack: int, defence: int, *, up: bool) -> int:
    """Return the attack in whole percents of the defence, a fraction dropped or, by the ruling, counted as a whole
    percent. A defence of 0 counts as 1. Rule: 14.3/4
    """
    whole, rest = divmod(100 * attack, max(defence, 1))
    return whole + (1 if up and rest else 0)


def find_column(percent: int) -> str:
    """Return the column of both tables for a percentage. Rule: 14.3/5, 14.13"""
    return COLUMNS.of(percent)
