"""The rules marked (c): each that is computed holds where `campaign` is stated, and only there (1.1)."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.game.games import Game
from twilight_in_the_east.ground.calendar import UNSTATED, campaign_is_unstated, in_campaign, left_out_steps

from ...conftest import answered, typed, viewed

BATTLE = "battle at=41.19 attacker-ap=none defender-ap=none flanked=no"
ENTRENCHED = """turn=36 weather=normal
trust charts
ruling level-4-hardship=campaign
40.20: russian infantry XX R (9-9-0-10)
41.19 clear ip=4: german infantry XX D (6-6-0-11)
41.19|40.20 open
"""
FROZEN = """turn=35 weather=freeze
trust charts
40.20: german infantry XX A (9-9-0-10)
41.19 wetlands: russian infantry XX D (9-9-0-10)
41.19|40.20 open
"""
THIRD = '61.17: austro-hungarian infantry XX U army=Third\narmy "central-powers Third" attachment-limit=5\narmy "central-powers AG P-B" plan=no'
HOFMANN = '60.17: austro-hungarian corps-train - T corps=HN army="Third"\n'
JAROSLAU = """turn=9
43.84: austro-hungarian fort - Jaroslau (1-?-?-?) abandonment=1
42.84: russian infantry XX R
answers abandon=6
"""
WARSAW = """turn=9
58.52 magazine=none control=russian
58.52: russian infantry XX 1/99 (8-?-4-9) army="Warsaw Garrison" corps=
"""
MONTWY = """turn=8
new-railways
84.43 station country=german
84.43|83.43 open road
83.43 control=central-powers
"""
KARPATEN = """turn=9
40.100: Karpaten
41.100: austro-hungarian infantry XX U army=Third
"""
CASES = [
    ("10.5.6", "ammunition at=58.52", WARSAW),
    ("13.3.2", BATTLE, ENTRENCHED),
    ("17.4", "bridgehead unit=Jaroslau isolated=no", JAROSLAU),
    ("17.6", "build-line at=84.43 kind=narrow-gauge", MONTWY),
    ("20.1c", BATTLE, FROZEN),
    ("22.3.2", "attachment", 'turn=29\n60.17: german corps-train - T corps="3 LW" army=Ninth\n'),
    ("23.2", "attachment", HOFMANN),
    ("23.2", "attach unit=T army=Third attachment-phase=yes", f"{HOFMANN.replace('Third', 'AG P-B')}{THIRD}"),
    ("23.5", "attach unit=Karpaten army=Third attachment-phase=yes", KARPATEN),
    (
        "24.5.3",
        'displace unit="PRAGA (Tannenberg)"',
        '60.46: "PRAGA (Tannenberg)" russian major-depot\n60.45: german infantry XX G\n',
    ),
]
"""Rules with the letter, and a question whose answer turns on whether they are in use."""
NAMED = {rule: rule for rule in ("17.4", "22.3.2", "23.2", "24.5.3")} | {"10.5.6": "24.1.3", "20.1c": "20.0"}
"""What a report names as left out where nobody has stated whether these rules are in use."""


def left_out(report: Report[Any]) -> list[str]:
    return [step.rule for part in report.parts for step in part.steps if step.text.endswith(UNSTATED)]


def asked(text: str, question: str, campaign: str) -> Report[Any]:
    name, *given = shlex.split(question)
    return answered(typed(f"{campaign}\n{text}"), name, **dict(one.split("=", 1) for one in given))


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(
    ("rule", "question", "text"), CASES, ids=[f"{rule} in {question}" for rule, question, _ in CASES]
)
def test_a_rule_of_the_campaign_holds_only_there(rule: str, question: str, text: str) -> None:
    within, without, unstated = (asked(text, question, campaign) for campaign in ("campaign", "campaign=no", ""))
    assert (within.result, within.changes) != (without.result, without.changes)
    assert (unstated.verdict.kind, unstated.changes) == (without.verdict.kind, without.changes)
    assert [left_out(report) for report in (within, without, unstated)] == [[], [], [*filter(None, [NAMED.get(rule)])]]


@pytest.mark.rule("1.1")
def test_the_rules_of_the_campaign_are_not_in_use_unless_they_are_stated(twilight: Game) -> None:
    assert twilight.track("campaign").absent is False
    assert [campaign_is_unstated(viewed(text)) for text in ("turn=1", "campaign", "campaign=no")] == [
        True,
        False,
        False,
    ]


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(
    ("text", "matters", "holds", "named"),
    [
        ("campaign", True, True, 0),
        ("campaign", False, True, 0),
        ("campaign=no", True, False, 0),
        ("turn=1", True, False, 1),
        ("turn=1", False, False, 0),
    ],
)
def test_a_rule_that_is_left_out_is_named_where_it_matters(text: str, matters: bool, holds: bool, named: int) -> None:
    view = viewed(text)
    assert in_campaign(view, "17.4", "{what} is down", matters=matters, what="the bridge") is holds
    assert [(step.rule, step.text) for step in view.premises.assumptions] == [
        ("17.4", f"the bridge is down {UNSTATED}")
    ] * named
    with viewed(text).gather() as facts:
        assert in_campaign(facts, "17.4", "it is down", matters=matters) is holds
    assert len(left_out_steps(view, "17.4", "it is down")) == (text == "turn=1")
