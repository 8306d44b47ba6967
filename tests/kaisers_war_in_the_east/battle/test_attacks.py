"""The attacks of a side ranked, and the cheapest that reaches a column."""

from __future__ import annotations

import pytest

from assistant.questions.report import Report
from assistant.util.errors import InputError

from ..examples import ask

FRONT = """
turn=1
2620 clear: Rus-2 (10-12-4)
2618 clear: Rus-3 (9-20-4)
2621: AH-4 (12-12-4), AH-inf-1 (4-4-3)
2720: Ger-8 (14-12-4)
2620 | 2621 open
2620 | 2720 open
2722: Ober-Ost (8-2-2) radius=2
2622: CP-supply-1 radius=1
"""


def test_hexes_are_ranked_by_the_column_that_can_be_reached() -> None:
    report = ask(FRONT + "2719: Rus-1 (9-40-4)\n2719 clear\n2719 | 2720 open\n", "attacks", side="central-powers")
    assert [one.at for one in report.result.targets] == ["2620", "2719"]
    plain, led, most = report.result.targets[0].plans
    assert (plain.attackers, plain.column) == (("AH-4", "AH-inf-1"), "100-149")
    assert (led.support, led.attack, led.column) == (("Ober-Ost",), 38, "300-399")
    assert (most.support, most.expended, most.attack) == (("Ober-Ost",), ("CP-supply-1",), 62)


@pytest.mark.rule("19.4", "14.8/HQ-supply")
def test_supply_that_reaches_the_headquarters_alone_is_expended_for_it() -> None:
    led = """
turn=1
2620 clear: Rus-2 (10-9-4)
2621: AH-4 (12-12-4)
2620 | 2621 open
2623: austro-hungarian headquarters XXXXX B (5-1-2) radius=2
2624: CP-supply-1 radius=1
"""
    plans = ask(led, "attacks", side="central-powers").result.targets[0].plans
    assert [(plan.support, plan.expended, plan.attack) for plan in plans] == [
        ((), (), 12),
        (("B",), (), 17),
        (("B",), ("CP-supply-1",), 22),
    ]
    cheapest = ask(led, "need", at="2620", column="200-299").result.plan
    assert (cheapest.attackers, cheapest.support, cheapest.expended) == (("AH-4",), ("B",), ("CP-supply-1",))


def test_facts_missing_of_one_hex_do_not_stop_the_others() -> None:
    report = ask(FRONT + "2719: Rus-1 (9-?-4)\n2719 | 2720 open\n", "attacks", side="central-powers")
    assert [bool(one.missing) for one in report.result.targets] == [False, True]
    assert "2719 clear|rough" in str(report)


def test_a_hex_that_no_rule_allows_to_attack_is_told() -> None:
    report = ask(FRONT + "2620 attacked\n", "attacks", side="central-powers")
    assert report.verdict.kind == "no"
    assert report.result.targets[0].barred


@pytest.mark.parametrize(
    ("column", "attackers", "support", "expended"),
    [
        ("100-149", ("AH-4",), (), ()),
        ("200-299", ("AH-inf-1", "Ger-8"), ("Ober-Ost",), ()),
        ("250", ("AH-inf-1", "Ger-8"), ("Ober-Ost",), ()),
        ("500-599", ("Ger-8", "AH-4", "AH-inf-1"), ("Ober-Ost",), ("CP-supply-1",)),
    ],
)
def test_the_cheapest_way_to_a_column(
    column: str, attackers: tuple[str, ...], support: tuple[str, ...], expended: tuple[str, ...]
) -> None:
    plan = need(column).result.plan
    assert (set(plan.attackers), plan.support, plan.expended) == (set(attackers), support, expended)


def test_a_column_out_of_reach_is_answered_with_the_largest_attack() -> None:
    report = need(">=600")
    assert (report.verdict.kind, report.result.best.column) == ("no", "500-599")


def test_a_column_that_the_tables_do_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="'3:1' is neither a column nor a whole percentage"):
        need("3:1")


def need(column: str) -> Report[object]:
    """What a column against 2620 needs."""
    return ask(FRONT, "need", at="2620", column=column)
