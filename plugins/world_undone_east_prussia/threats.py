"""The question `threat`: what the other side can do next to hexes, stacks and lines of supply (3.4, 5.0, 6.0)."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.asking import View
from assistant.mechanics.odds import Odds
from assistant.rules.odds_battle import odds_attacks
from assistant.rules.threats import (
    Attacker,
    Phases,
    PossibleAttacks,
    ThreatAsked,
    ThreatNumbers,
    ThreatRules,
    threat_question,
)
from assistant.rules.threats.usual import attacks_as_plans, reach_each, supply_as_asked, weigh_dice

from . import terms
from .combat import RULES
from .ground import RIVER, between, fortresses_of_the_enemy
from .stacking import may_stack

PHASES = Phases(
    (terms.FIRST_MOVEMENT, terms.FIRST_COMBAT, terms.SECOND_MOVEMENT, terms.SECOND_COMBAT),
    moves=(terms.FIRST_MOVEMENT, terms.SECOND_MOVEMENT),
    attacks=terms.COMBAT_PHASES,
)
"""The phases of a player turn (4.0)."""


def _may_stack(view: View, units: Sequence[str]) -> bool:
    """Return whether units may end a Movement Phase in one hex."""
    with view.gather() as facts:
        return may_stack(facts, units)


def _measure_weight(view: View, unit: str) -> int:
    """Return the Strength Points of a unit that attacks by itself, 1 where they are not known; 0 for others."""
    if view.word("arm", unit) not in ("", *terms.ADVANCING):
        return 0
    strength = view.value("sp", unit)
    return strength if isinstance(strength, int) else 1


def _count_crossing(view: View, place: str, at: str) -> int:
    """Return 1 if an attack crosses a river, which modifies its die if all attackers do."""
    return int(between(view, place, at).word("barrier") == RIVER)


def _list_attacks(attacker: Attacker, at: str) -> PossibleAttacks:
    """Return the attacks on a hex. Raises MissingFacts as `attacks_as_plans` does."""
    return attacks_as_plans(attacker, at, lambda column: Odds.parse(column).columns, odds_attacks(RULES).smallest)


QUESTION = threat_question(
    ThreatRules(
        asked=ThreatAsked,
        phases=PHASES,
        reaches=reach_each,
        fits=_may_stack,
        weight=_measure_weight,
        crossing=_count_crossing,
        attacks=_list_attacks,
        weigh=weigh_dice,
        supply=supply_as_asked,
        points=str,
        numbers=ThreatNumbers(attack="6.0", march="5.0", supply="3.4", stacking="3.2"),
        places=fortresses_of_the_enemy,
    )
)
