"""Threats in a game whose battles are decided by one die: its questions `reach`, `attacks`, `battle` and `supply` judge
the supposed position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from ...asking.parameters import read_parameters
from ...asking.report import MissingFacts, Report
from ...asking.view import View
from ...installed.registry import questions_of
from ...mechanics.chances import Likelihood
from ..attacks import AttackPlan, AttacksResult, Target
from ..field.movement import Reach
from .search import enemy_of, units_at
from .terms import Attacker, Danger, PossibleAttack, PossibleAttacks, SupplyState, ThreatRules

MAX_CHOICE_ROUNDS = 8
"""The maximum number of rounds of choices in one combat."""


def posed_report(
    view: View, question: str, answers: Mapping[str, str] | None = None, *, briefly: bool = False, **asked: Any
) -> Report[Any]:
    """Return the report of another question of the game about a position.

    `briefly`: whether the report needs no words, only what decides.

    Raises the errors of that question.
    """
    definition = questions_of(view.game)[question]
    answer = definition.decide if briefly and definition.decide else definition.answer
    given = {name.rstrip("_").replace("_", "-"): value for name, value in asked.items()}
    return answer(view, read_parameters(definition, view, given), answers or {})


def _decide_battle(view: View, attack: PossibleAttack, answers: Mapping[str, str]) -> Report[Any]:
    definition = questions_of(view.game)["battle"]
    answer = definition.decide or definition.answer
    return answer(view, read_parameters(definition, view, attack.battle), answers)


class OneDieThreats(ThreatRules):
    """Threats in a game whose battles are decided by one die.

    Its `attacks` lists `AttackPlan`s, and its `reach` takes one unit.
    """

    def rank_column(self, column: str) -> int:
        """Return the place of a column in the chart."""
        raise NotImplementedError

    def list_smallest(self, view: View, at: str) -> Iterable[AttackPlan]:
        """Return the smallest attack on a hex in each column within reach."""
        raise NotImplementedError

    def name_support(self, plan: AttackPlan) -> Mapping[str, str | list[str]]:
        """Return the parameters of `battle` that name the units in support."""
        return {}

    def find_reaches(self, attacker: Attacker, units: Sequence[str]) -> Iterable[Reach]:
        """Return the reach of each unit, as `reach` answers.

        Raises MissingFacts as that question does.
        """
        reports = (posed_report(attacker.view, "reach", unit=name) for name in units)
        return [report.result for report in reports if report.result]

    def list_attacks(self, attacker: Attacker, at: str) -> PossibleAttacks:
        """Return the attacks on a hex as `attacks` ranks them.

        Raises MissingFacts as that question does.
        """
        view = attacker.view
        side = attacker.side
        report: Report[AttacksResult] = posed_report(view, "attacks", side=side, at=[at])
        if report.asks:
            raise MissingFacts(report.asks)
        targets: Sequence[Target] = report.result.targets if report.result else ()

        def describe(plan: AttackPlan) -> PossibleAttack:
            return _make_attack(view, side, at, plan, self.rank_column(plan.column), self.name_support(plan))

        return PossibleAttacks(
            [describe(plan) for each in targets for plan in each.plans],
            smallest=lambda: [
                describe(plan) for each in targets if each.plans for plan in self.list_smallest(view, at)
            ],
            why_not=[why for each in targets for why in each.barred],
        )

    def measure_danger(self, attacker: Attacker, attack: PossibleAttack) -> Danger | None:
        """Return the chances of an attack from the answers of `battle` for each die.

        Returns None if a result is not known. The owner of a loss takes the first choice that the rules list.

        Raises MissingFacts as `battle` does.
        """
        view = attacker.view
        own = units_at(view, str(attack.battle["at"]), enemy_of(view, attacker.side))
        dice = range(1, 7)
        thrown = {str(die): _decide_battle(view, attack, {"die": str(die)}) for die in dice}
        codes = {die: report.result.outcome if report.result else "" for die, report in thrown.items()}
        if not all(codes.values()):
            return None
        lost = Fraction(0)
        broken = Fraction(0)
        can_break = False
        losses: Mapping[str, Counter[int]] = {"defender": Counter(), "attacker": Counter()}
        weights = Counter[str]()
        after = dict[str, Any]()
        for die, code in codes.items():
            weights[code] += 1
            if code not in after:
                after[code] = _settle_combat(view, attack, die, thrown[die])
                if after[code] is None:
                    return None
        for code, weight in weights.items():
            eliminated = [
                str(getattr(unit, "unit", unit)) for unit in after[code].lost if not getattr(unit, "corps", 0)
            ]
            breaking = [unit.unit for unit in after[code].lost if getattr(unit, "breaks", False)]
            can_break |= any(hasattr(unit, "breaks") for unit in after[code].lost)
            broken += Fraction(weight * any(name in own for name in breaking), len(dice))
            defenders = sum(name in own for name in eliminated)
            losses["defender"][defenders] += weight
            losses["attacker"][len(eliminated) - defenders] += weight
            if after[code].retreats == "defender" or defenders == len(own):
                lost += Fraction(weight, len(dice))
        danger = _find_danger(lost, losses, len(dice))
        return replace(danger, breaks=broken) if can_break else danger

    def trace_supply(
        self, view: View, side: str, units: Sequence[str]
    ) -> Callable[[View | None], Mapping[str, SupplyState]]:
        """Return a function that returns the supply of units as `supply` answers."""
        parameters = {"unit": list(units)} if units else {"side": side}

        def supplied(other: View | None) -> dict[str, SupplyState]:
            result = posed_report(other or view, "supply", **parameters).result
            words = {True: "supplied", False: "not supplied", None: "not certain"}
            ranks = {True: 1, False: 0, None: -1}
            if not result:
                return {}
            return {
                unit.unit: SupplyState(unit.place, ranks[unit.supplied], words[unit.supplied], frozenset(unit.line))
                for unit in result.units
            }

        return supplied


def _make_attack(
    view: View, side: str, at: str, plan: AttackPlan, rank: int, more: Mapping[str, str | list[str]]
) -> PossibleAttack:
    places = tuple(dict.fromkeys(str(view.unit(name).place) for name in plan.attackers))
    there = [unit.id for place in places for unit in view.stack(place) if view.side_of(unit.id) == side]
    staying = [name for name in there if name not in (*plan.attackers, *plan.support, *plan.expended)]
    return PossibleAttack(
        attackers=plan.attackers,
        places=places,
        attack=Fraction(plan.attack),
        defence=plan.defence,
        column=plan.column,
        rank=rank,
        support=(*plan.support, *plan.expended),
        battle={"at": at, "from": list(places), "withhold": staying, **more},
    )


def _settle_combat(view: View, attack: PossibleAttack, die: str, report: Report[Any]) -> Any:
    """Return the result of a combat with the first option of each choice, or None if it does not end.

    `report`: the answer after its die.
    """
    answers = {"die": die}
    for _ in range(MAX_CHOICE_ROUNDS):
        choices = {ask.name: ask.options[0] for ask in report.asks if ask.kind == "choice" and ask.options}
        further = {ask.name: "1" for ask in report.asks if ask.kind == "roll"}
        if lacking := tuple(ask for ask in report.asks if ask.kind in ("cell", "fact")):
            raise MissingFacts(lacking)
        if not (choices or further):
            return report.result
        answers |= choices | further
        report = _decide_battle(view, attack, answers)
    return None


def _find_danger(lost: Fraction, losses: Mapping[str, Counter[int]], dice: int) -> Danger:
    """Return the chances of an attack whose losses are whole units.

    `losses`: the number of die faces by role and number of units lost.
    """
    means = {
        role: sum((Fraction(count * many, dice) for count, many in found.items()), Fraction(0))
        for role, found in losses.items()
    }
    listed = {
        role: tuple(Likelihood(count, Fraction(many, dice)) for count, many in sorted(found.items()))
        for role, found in losses.items()
    }
    return Danger(
        lost=lost,
        counted="unit",
        defender_mean=means["defender"],
        attacker_mean=means["attacker"],
        defender_losses=listed["defender"],
        attacker_losses=listed["attacker"],
    )
