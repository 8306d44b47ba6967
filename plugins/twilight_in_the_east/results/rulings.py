"""Which rulings matter for what the dice of a combat lead to."""

from __future__ import annotations

from ..combat import strength as combat
from ..terms import FORTRESSES
from .crt import FARTHEST, fortress_steps
from .resolution import Conditions


def on_the_dice(of: Conditions) -> dict[str, bool]:
    """Which rulings matter for what the dice lead to."""
    found = of.engagement
    steps = fortress_steps(found.defenders)
    beside_it = any(unit.arm not in FORTRESSES for unit in (*found.defenders, *found.withheld))
    return {
        "fortress_steps": 0 < steps < FARTHEST and beside_it,
        "level_4_hardship": found.position == 4 and not found.campaign,
        "disordered_again": any(unit.formation and unit.disorder == 1 for unit in (*found.attackers, *found.defenders)),
        "beyond_chart": combat.odds_of_modifiers(of.initial, of.odds, "begun") != of.odds,
    }
