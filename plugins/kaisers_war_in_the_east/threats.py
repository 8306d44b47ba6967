"""The question `threat`: what the other side can do next to hexes, units and lines of supply (11, 14, 17)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.asking import View
from assistant.rules.attacks import AttackPlan
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

from .combat.attacks import ATTACKS
from .combat.strengths import COLUMNS
from .forces import formation, is_within_limits
from .ground import between
from .movement.land import format_points
from .terms import AIRBASE, COMBAT_PHASES, FORTRESS, HEADQUARTERS, SUPPLY

PHASES = Phases(
    ("mobilization", "reorganization", "movement", *COMBAT_PHASES, "attrition"),
    moves=("movement",),
    attacks=COMBAT_PHASES,
)
"""The phases of a player turn (6.2)."""
STAY = (FORTRESS, HEADQUARTERS, SUPPLY, AIRBASE)
"""The unit types that make no attack of their own (14.6)."""


def _may_stack(view: View, units: Sequence[str]) -> bool:
    """Return whether units may end a phase in one hex."""
    with view.gather() as facts:
        return is_within_limits([formation(facts, view.unit(name), fights=False) for name in units])


def _measure_weight(view: View, unit: str) -> int:
    """Return the attack factor of a unit, 1 where it is not known; 0 for one that makes no attack of its own."""
    if view.word("arm", unit) in STAY or view.flag("support", unit):
        return 0
    factor = view.value("attack", unit)
    return factor if isinstance(factor, int) else 1


def _count_crossing(view: View, place: str, at: str) -> int:
    """Return 1 if an attack crosses water, which doubles the defence if all attackers do."""
    return int(bool(between(view, place, at).lies))


def _list_attacks(attacker: Attacker, at: str) -> PossibleAttacks:
    """Return the attacks on a hex. Raises MissingFacts as `attacks_as_plans` does."""
    return attacks_as_plans(attacker, at, COLUMNS.names.index, ATTACKS.smallest, _name_support)


def _name_support(plan: AttackPlan) -> Mapping[str, str | list[str]]:
    """Return the parameters of `battle` by which units support an attack."""
    more: dict[str, str | list[str]] = {"hq": plan.support[0]} if plan.support else {}
    return {**more, "supply": list(plan.expended)} if plan.expended else more


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
        points=format_points,
        numbers=ThreatNumbers(attack="14.3", march="11.1", supply="17.5", stacking="12.2"),
    )
)
