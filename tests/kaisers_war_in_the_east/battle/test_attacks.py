"""The attacks of a side ranked, and the cheapest that reaches a column."""

from __future__ import annotations

import pytest

from assistant.asking.report import Report
from assistant.rules.attacks import AttackPlan, AttacksResult, NeedResult, Target
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


BARE = AttackPlan(attackers=("AH-4", "AH-inf-1"), attack=16, defence=12, column="100-149")
ALL = ("Ger-8", "AH-4", "AH-inf-1")
LED = AttackPlan(attackers=ALL, support=("Ober-Ost",), attack=38, defence=12, column="300-399")
MOST = AttackPlan(
    attackers=ALL, support=("Ober-Ost",), expended=("CP-supply-1",), attack=62, defence=12, column="500-599"
)
"""The attacks on 2620: of one nation, with the Headquarters that leads both, and with supply for all of them."""


@pytest.mark.rule("14.3/1", "14.5", "14.7")
def test_hexes_are_ranked_by_the_column_that_can_be_reached_and_none_beyond_is_promised() -> None:
    report = ask(FRONT + "2719: Rus-1 (9-40-4)\n2719 clear\n2719 | 2720 open\n", "attacks", side="central-powers")
    alone = AttackPlan(attackers=("Ger-8",), attack=14, defence=40, column="<=49")
    assert report.result == AttacksResult(
        "central-powers",
        (Target(at="2620", plans=(BARE, LED, MOST), best=MOST), Target(at="2719", plans=(alone,), best=alone)),
    )
    report = ask(FRONT + "2719: Rus-1 (9-?-4)\n2719 | 2720 open\n", "attacks", side="central-powers")
    assert [bool(one.missing) for one in report.result.targets] == [False, True]
    assert "2719 clear|rough" in str(report)
    report = ask(FRONT + "2620 attacked\n", "attacks", side="central-powers")
    assert report.verdict.kind == "no"
    assert report.result.targets[0].barred
    report = need(">=600")
    assert (report.verdict.kind, report.result) == ("no", NeedResult(at="2620", column=">=600", best=MOST))
    with pytest.raises(InputError, match="'3:1' is neither a column nor a whole percentage"):
        need("3:1")


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


CORPS = AttackPlan(attackers=("AH-4",), attack=12, defence=12, column="100-149")
FEW = AttackPlan(attackers=("Ger-8", "AH-inf-1"), support=("Ober-Ost",), attack=26, defence=12, column="200-299")


@pytest.mark.rule("14.3/1", "14.5", "14.7")
@pytest.mark.parametrize(
    ("column", "plan"), [("100-149", CORPS), ("200-299", FEW), ("250", FEW), ("300-399", LED), ("500-599", MOST)]
)
def test_the_cheapest_way_to_a_column(column: str, plan: AttackPlan) -> None:
    assert need(column).result == NeedResult(at="2620", column=plan.column, plan=plan)


def need(column: str) -> Report[object]:
    """What a column against 2620 needs."""
    return ask(FRONT, "need", at="2620", column=column)
