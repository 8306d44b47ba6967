"""The question `threat`, of a game with movement, supply and battle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...asking.question import Question
from ...asking.view import View
from ...game.course import course_file
from ...game.games import Game
from ...mechanics.odds import Odds
from ...state.state import hexside
from ..attacks import AttackPlan
from ..odds_battle import odds_attacks
from ..threats import Phases, ThreatNumbers, threat_question
from ..threats.usual import OneDieThreats
from .battle import odds_rules
from .compiled import Rules, rules_of
from .movement import list_hexside_words
from .stacking import may_stack


class Threats(OneDieThreats):
    """Threats by the clauses of movement, battle and supply."""

    def __init__(self, game: Game) -> None:
        rules = rules_of(game)
        words = dict.fromkeys(phase.word for phase in course_file(game).phase if phase.word)
        self._rules: Rules = rules
        self.phases = Phases(tuple(words), moves=rules.movement.phases, attacks=rules.battle.phases)
        self.numbers = ThreatNumbers(
            attack=rules.battle.rule,
            march=rules.movement.rule,
            supply=rules.supply.rule,
            stacking=rules.stacking.rule,
        )

    def may_stack(self, view: View, units: Sequence[str]) -> bool:
        """Return whether units may end a move in one hex."""
        with view.gather() as facts:
            return may_stack(facts, units)

    def measure_weight(self, view: View, unit: str) -> int:
        """Return the attack strength of a unit, 1 if it is not known, or 0 if the unit does not attack."""
        if any(each.holds_for(view, unit) for each in self._rules.idle):
            return 0
        strength = view.value(self._rules.battle.attack, unit)
        return strength if isinstance(strength, int) else 1

    def measure_crossing(self, view: View, place: str, at: str) -> int:
        """Return 1 if an attack crosses a hexside that may shift it against the attacker, or 0."""
        rows = self._rules.file.terrain
        words = list_hexside_words(self._rules, view, hexside(place, at))
        return int(any(row.shift < 0 or row.die for word in words if (row := rows.get(word))))

    def rank_column(self, column: str) -> int:
        """Return the place of a column in the chart."""
        return Odds.parse(column).columns

    def list_smallest(self, view: View, at: str) -> Iterable[AttackPlan]:
        """Return the smallest attack on a hex in each column within reach."""
        return odds_attacks(odds_rules(view.game)).smallest(view, at)


def make_questions(game: Game) -> tuple[Question[Any, Any], ...]:
    """Return the question `threat` of a game."""
    return (threat_question(Threats(game)),)
