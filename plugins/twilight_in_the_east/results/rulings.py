"""Which rulings matter for what the dice of a combat lead to."""

from __future__ import annotations

from ..combat.strength import odds_of_modifiers
from ..terms import FORTRESSES
from .combat import Combat
from .crt import FARTHEST, fortress_steps


def on_the_dice(combat: Combat) -> dict[str, bool]:
    """Which rulings matter for what the dice lead to."""
    engagement = combat.engagement
    steps = fortress_steps(engagement.defenders)
    beside_it = any(unit.arm not in FORTRESSES for unit in (*engagement.defenders, *engagement.withheld))
    return {
        "fortress_steps": 0 < steps < FARTHEST and beside_it,
        "level_4_hardship": engagement.position == 4 and not engagement.campaign,
        "disordered_again": any(
            unit.formation and unit.disorder == 1 for unit in (*engagement.attackers, *engagement.defenders)
        ),
        "beyond_chart": odds_of_modifiers(combat.initial, combat.odds, "begun") != combat.odds,
    }
