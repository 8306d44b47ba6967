"""The modifiers of the Step Loss Results Table (10.10)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from assistant.mechanics.odds import Bands, Odds
from assistant.mechanics.procedure import Modifier
from assistant.mechanics.rounding import half_up, up

from ..combat.strength import HIGHEST, LOWEST, flank_effects, modifiers
from ..forces.units import CombatUnit
from ..terms import FORTRESSES

ARTILLERY = Bands((0, 3, 7, 12, 18, 25), ("0", "1", "2", "3", "4", "5"))
"""The modifier for the opponent's artillery value (10.10.3 point 3)."""


def columns_above(odds: Odds, each: int) -> int:
    """How often `each` columns, or part of them, go into the odds above 6:1. Rule: 10.10.3g, 10.10.3h, 11.3.1j"""
    return up(Fraction(max(odds.columns - HIGHEST.columns, 0), each))


def columns_below(odds: Odds) -> int:
    """How many columns the odds lie below 1:4. Rule: 10.10.3i, 11.3.1h"""
    return max(LOWEST.columns - odds.columns, 0)


def artillery_modifiers(units: Sequence[CombatUnit], value: Fraction) -> tuple[Modifier, ...]:
    """What the opponent's artillery adds to a side's roll: its units, those that stand idle for want of an AP among them,
    and their artillery value with APs and terrain. Rule: 10.10.3b, 10.10.3c
    """
    if not any(unit.artillery or unit.arm in FORTRESSES for unit in units):
        return (Modifier("10.10.3", "opponent without intrinsic artillery", -1),)
    worth = half_up(value)
    return modifiers("10.10.3", (f"opponent's artillery value of {worth}", int(ARTILLERY.of(worth))))


def german_modifier(all_german: bool) -> tuple[Modifier, ...]:
    """One less for a side whose units are all German. Rule: 10.10.3d"""
    return modifiers("10.10.3", ("German units only", -all_german))


def attacker_modifiers(
    defenders: Sequence[CombatUnit], position: int, odds: Odds, hardship: bool = True
) -> tuple[Modifier, ...]:
    """What concerns the attacker's roll alone: Demoralized defenders, a Level 4 position, odds above 6:1.

    hardship: whether a Level 4 position tells in this scenario, which ruling level-4-hardship decides outside the campaign.
    Rule: 10.10.3e, 10.10.3f, 10.10.3g, 13.3.2
    """
    return modifiers(
        "10.10.3",
        ("a defender is Demoralized", -3 * any(unit.demoralized for unit in defenders)),
        ("Level 4 Improved Position", position == 4 and hardship),
        (f"odds of {odds}", -columns_above(odds, 2)),
    )


def defender_modifiers(is_flanked: bool, odds: Odds) -> tuple[Modifier, ...]:
    """What concerns the defender's roll alone: odds above 6:1 or below 1:4, and being flanked.
    Rule: 10.10.3h, 10.10.3i, 10.10.3j
    """
    by_odds = columns_above(odds, 3) - columns_below(odds)
    return modifiers("10.10.3", (f"odds of {odds}", by_odds), ("flanked", flank_effects(is_flanked).losses))
