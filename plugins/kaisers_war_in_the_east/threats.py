"""The question `threat`: possible enemy actions against hexes, units and lines of supply (11, 14, 17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.asking import View
from assistant.rules.attacks import AttackPlan
from assistant.rules.threats import Phases, ThreatNumbers, threat_question
from assistant.rules.threats.usual import OneDieThreats

from .combat.attacks import ATTACKS
from .combat.engagement import COLUMNS
from .forces import formation, is_within_limits
from .ground import between
from .movement.land import format_points
from .terms import AIRBASE, COMBAT_PHASES, FORTRESS, HEADQUARTERS, SUPPLY

NON_ATTACKERS = (FORTRESS, HEADQUARTERS, SUPPLY, AIRBASE)
"""The unit types that make no attack of their own (14.6)."""


class Threats(OneDieThreats):
    """Threats by the rules of movement, combat and supply."""

    phases = Phases(
        ("mobilization", "reorganization", "movement", *COMBAT_PHASES, "attrition"),
        moves=("movement",),
        attacks=COMBAT_PHASES,
    )
    numbers = ThreatNumbers(attack="14.3", march="11.1", supply="17.5", stacking="12.2")

    def may_stack(self, view: View, units: Sequence[str]) -> bool:
        """Return whether units may end a phase in one hex."""
        with view.gather() as facts:
            return is_within_limits([formation(facts, view.unit(name), fights=False) for name in units])

    def measure_weight(self, view: View, unit: str) -> int:
        """Return the attack factor of a unit, 1 if it is unknown, or 0 if the unit makes no attack of its own."""
        if view.word("arm", unit) in NON_ATTACKERS or view.flag("support", unit):
            return 0
        factor = view.value("attack", unit)
        return factor if isinstance(factor, int) else 1

    def measure_crossing(self, view: View, place: str, at: str) -> int:
        """Return 1 if an attack crosses water, or 0.

        Water doubles the defence if all attackers cross it.
        """
        return int(bool(between(view, place, at).lies))

    def rank_column(self, column: str) -> int:
        """Return the place of an odds column in the table."""
        return COLUMNS.names.index(column)

    def list_smallest(self, view: View, at: str) -> Iterable[AttackPlan]:
        """Return the smallest attack on a hex for each column of the combat table that can be reached."""
        return ATTACKS.smallest(view, at)

    def name_support(self, plan: AttackPlan) -> Mapping[str, str | list[str]]:
        """Return the parameters of `battle` that name the units supporting an attack."""
        more: dict[str, str | list[str]] = {"hq": plan.support[0]} if plan.support else {}
        return {**more, "supply": list(plan.expended)} if plan.expended else more

    def format_points(self, points: int) -> str:
        """Return Movement Points in halves as players write them."""
        return format_points(points)


QUESTION = threat_question(Threats())
