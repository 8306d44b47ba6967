"""Rules of the Grand Campaign alone (c): a report names one that it has left out because nobody has stated whether they are in use."""

from __future__ import annotations

import shlex

import pytest

from twilight_in_the_east.ground.calendar import UNSTATED

from ...conftest import answered, typed

HOFMANN = '60.17: austro-hungarian corps-train - T corps=HN army="{}"'
JAROSLAU = """turn=9
43.84: austro-hungarian fort - Jaroslau (1-?-?-?) abandonment=1
42.84: russian infantry XX R
answers abandon=6"""
THIRD = '61.17: austro-hungarian infantry XX U army=Third\narmy "central-powers Third" attachment-limit=5\narmy "central-powers AG P-B" plan=no'
PRAGA = '60.46: "PRAGA (Tannenberg)" russian major-depot'
FROZEN = """turn=35
40.20: german infantry XX A (9-9-0-10)
41.19 wetlands: russian infantry XX D (9-9-0-10)
41.19|40.20 open
trust charts"""
CASES = [
    ("23.2", "attachment", HOFMANN.format("Third")),
    ("23.2", "attach unit=T army=Third attachment-phase=yes", f"{HOFMANN.format('AG P-B')}\n{THIRD}"),
    ("22.3.2", "attachment", 'turn=29\n60.17: german corps-train - T corps="3 LW" army=Ninth'),
    ("17.4", "bridgehead unit=Jaroslau isolated=no", JAROSLAU),
    ("24.5.3", 'displace unit="PRAGA (Tannenberg)"', f"{PRAGA}\n60.45: german infantry XX G"),
    ("20.1", "battle at=41.19 attacker-ap=none defender-ap=none flanked=no", FROZEN),
]


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(("rule", "question", "text"), CASES, ids=[f"{rule} in {what}" for rule, what, _ in CASES])
def test_a_rule_of_the_campaign_that_was_left_out_is_named(rule: str, question: str, text: str) -> None:
    name, *given = shlex.split(question)

    def named(campaign: str) -> list[str]:
        report = answered(typed(f"{campaign}\n{text}"), name, **dict(one.split("=", 1) for one in given))
        return [step.rule for part in report.parts for step in part.steps if step.text.endswith(UNSTATED)]

    assert named("") == [rule]
    assert named("campaign") == named("campaign=no") == []
