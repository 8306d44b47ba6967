"""The question `threat`: the other side's possible moves, attacks, and threats to supply (3.4, 5.0, 6.0)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.asking import View
from assistant.mechanics.odds import Odds
from assistant.rules.attacks import AttackPlan
from assistant.rules.odds_battle import odds_attacks
from assistant.rules.threats import Phases, ThreatNumbers, threat_question
from assistant.rules.threats.usual import OneDieThreats

from . import terms
from .combat import RULES
from .ground import RIVER, between, fortresses_of_the_enemy
from .stacking import may_stack


class Threats(OneDieThreats):
    """Threats by the rules of movement, combat and supply."""

    phases = Phases(
        (terms.FIRST_MOVEMENT, terms.FIRST_COMBAT, terms.SECOND_MOVEMENT, terms.SECOND_COMBAT),
        moves=(terms.FIRST_MOVEMENT, terms.SECOND_MOVEMENT),
        attacks=terms.COMBAT_PHASES,
    )
    numbers = ThreatNumbers(attack="6.0", march="5.0", supply="3.4", stacking="3.2")

    def may_stack(self, view: View, units: Sequence[str]) -> bool:
        with view.gather() as facts:
            return may_stack(facts, units)

    def measure_weight(self, view: View, unit: str) -> int:
        """Return the Strength Points of a unit that can attack by itself, 1 if they are not known, or 0 for others."""
        if view.word("arm", unit) not in ("", *terms.ADVANCING_ARMS):
            return 0
        strength = view.value("sp", unit)
        return strength if isinstance(strength, int) else 1

    def measure_crossing(self, view: View, place: str, at: str) -> int:
        """Return 1 if an attack crosses a river, or 0; the die is modified if all attackers cross one."""
        return int(between(view, place, at).word("barrier") == RIVER)

    def rank_column(self, column: str) -> int:
        return Odds.parse(column).columns

    def list_smallest(self, view: View, at: str) -> Iterable[AttackPlan]:
        return odds_attacks(RULES).smallest(view, at)

    def places_without_units(self, view: View, side: str) -> Iterable[str]:
        return fortresses_of_the_enemy(view, side)


QUESTION = threat_question(Threats())
