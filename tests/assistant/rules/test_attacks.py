"""Attacks of a made-up game, ranked by the column that they reach, and the cheapest that reaches one."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import pytest

from assistant.asking import InputError, Report, View
from assistant.asking.question import answer_question
from assistant.asking.ranking import AttacksAsked
from assistant.mechanics.odds import Bands
from assistant.rules.attacks import AttackNumbers, AttackPlan, AttackRules, NeedParameters, attack_questions

from ...conftest import told, viewed

COLUMNS = Bands((0, 100, 200, 300), ("weak", "even", "strong", "crushing"))
STRENGTHS = {"A": 4, "B": 2, "C": 1}
DEFENCES = {"41.19": 3, "45.19": 7, "49.19": 0}


class Attack(NamedTuple):
    """An attack of the game. gun: whether a gun supports it; shells: how many it expends, each of which adds 2."""

    at: str
    units: tuple[str, ...]
    gun: bool = False
    shells: int = 0

    @property
    def strength(self) -> int:
        return sum(STRENGTHS[unit] for unit in self.units) + 2 * self.gun + 2 * self.shells


def attacks_on(view: View, at: str) -> Iterator[Attack]:
    if at == "53.19":
        raise InputError("nobody attacks it")
    if at != "57.19":
        yield from (Attack(at, tuple(STRENGTHS), gun, shells) for shells in (0, 1) for gun in (False, True))


def plan_of(attack: Attack) -> AttackPlan:
    defence = DEFENCES.get(attack.at, 3)
    return AttackPlan(
        attackers=attack.units,
        support=("Gun",) if attack.gun else (),
        expended=("Shell",) * attack.shells,
        attack=attack.strength,
        defence=defence,
        column=COLUMNS.of(100 * attack.strength // max(defence, 1)),
        remarks=("by night",) if attack.gun else (),
    )


def without(view: View, attack: Attack, units: Collection[str]) -> Attack | None:
    return None if "C" in units else attack._replace(units=tuple(one for one in attack.units if one not in units))


RULES = AttackRules(
    COLUMNS,
    attacks_on,
    plan_of,
    lambda attack: {unit: STRENGTHS[unit] for unit in attack.units},
    without,
    AttackNumbers("1", "2", "3"),
)
ATTACKS, NEED = attack_questions(RULES)
FRONT = "".join(
    f"{column}.19: russian infantry XX R{column}\n{column + 1}.19: german infantry XX G{column}\n"
    for column in (41, 45, 53, 57)
)


def attacks() -> Report[Any]:
    return answer_question(ATTACKS, viewed(FRONT), AttacksAsked(side="central-powers"), {})


def need(column: str, at: str = "41.19") -> Report[Any]:
    return answer_question(NEED, viewed(FRONT), NeedParameters(at=at, column=column), {})


def test_hexes_are_ranked_by_what_can_be_reached_and_those_closed_to_attacks_come_last() -> None:
    report = attacks()
    assert report.title == "Attacks of the Central Powers"
    assert report.verdict.text == "2 hexes to attack"
    assert [one.at for one in report.result.targets] == ["41.19", "45.19", "53.19", "57.19"]
    assert [one.barred for one in report.result.targets[2:]] == [
        ("nobody attacks it",),
        ("no attack on it is allowed (ask battle)",),
    ]


def test_while_facts_are_missing_nothing_is_said_not_to_be_attacked() -> None:
    def attacks_with_missing_facts(view: View, at: str) -> Iterator[Attack]:
        with view.gather() as facts:
            facts.value("weather")
        yield from attacks_on(view, at)

    question, _ = attack_questions(RULES._replace(attacks=attacks_with_missing_facts))
    report = answer_question(question, viewed(FRONT), AttacksAsked(side="central-powers"), {})
    assert (report.verdict.kind, report.verdict.text) == (
        "undecided",
        "undecided: facts are missing about 4 hexes",
    )
    assert len(report.asks) == 1


def test_of_a_hex_the_plain_the_supported_and_the_best_attack_are_told() -> None:
    first, second = attacks().result.targets[:2]
    assert [(one.attack, one.support, one.expended) for one in second.plans] == [(7, (), ()), (9, ("Gun",), ())]
    assert second.best == second.plans[0], "neither gun nor shell reaches a higher column"
    assert (first.best.column, first.plans[-1]) == ("crushing", first.best)
    assert told(attacks())[:2] == [
        "7 against 3, column strong: A, B, C",
        "9 against 3, column crushing: A, B, C with Gun (by night)",
    ]


@pytest.mark.parametrize(
    ("column", "attackers", "support"),
    [
        ("even", ("B", "C"), ()),
        ("150", ("B", "C"), ()),
        ("strong", ("A", "B", "C"), ()),
        ("999999999", ("A", "B", "C"), ("Gun",)),
    ],
)
def test_the_cheapest_attack_on_a_column_spares_whom_it_can(
    column: str, attackers: tuple[str, ...], support: tuple[str, ...]
) -> None:
    plan = need(column).result.plan
    assert (plan.attackers, plan.support, plan.expended) == (attackers, support, ())


def test_what_is_out_of_reach_or_not_allowed_is_said_and_what_an_attack_takes() -> None:
    short = need("crushing", "45.19")
    assert (short.verdict.kind, short.verdict.text) == ("no", "the largest attack reaches column even: A, B, C")
    assert need("even", "57.19").verdict.text == "no attack on 57.19 is allowed"
    assert told(need("crushing")) == ["A, B, C attack: none of them can be withheld", "supported by Gun", "by night"]


@pytest.mark.parametrize("column", ["3:1", "-5", "1" * 10, "5.5"])
def test_what_is_neither_a_column_nor_a_percentage_is_refused(column: str) -> None:
    with pytest.raises(InputError, match="column: .* is neither a column nor a whole percentage"):
        need(column)
