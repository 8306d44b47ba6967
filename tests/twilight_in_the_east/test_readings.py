"""The doubtful rules of a combat: what comes of each reading, and that a report names a ruling only where it matters."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.report import Report

from ..conftest import answered, typed


def fought(text: str, **parameters: Any) -> Report[Any]:
    """The battle at 41.19 in GT 5, nobody with an Artillery Ammunition Point unless that is said."""
    given = {"at": "41.19", "attacker-ap": "none", "defender-ap": "none", **parameters}
    return answered(typed(f"turn=5\n{text}"), "battle", **given)


def named(report: Report[Any]) -> set[str]:
    """The rulings that a report rests on."""
    steps = (step for part in report.parts for step in part.steps)
    return {str(step.figures["ruling"]) for step in steps if "ruling" in step.figures}


BYSTANDER = """41.19 clear: german infantry XX D corps=1 (12-16-0-11) back-steps=6
41.19|40.19,40.20,41.18,41.20,42.19,42.20 open
40.19: russian infantry XX A corps=3 (10-12-0-10) back-steps=5
40.20: russian infantry XX B corps=3 (10-12-0-10) back-steps=5
42.20: russian infantry XX C corps=3 (10-12-0-10) back-steps=5
"""


@pytest.mark.rule("10.4.1")
@pytest.mark.parametrize(("reading", "flanked"), [("any", True), ("attackers", False)])
def test_whether_who_does_not_attack_helps_to_flank(reading: str, flanked: bool) -> None:
    """A and B hold four hexes around D with their zones, C stands in the fifth one and stays out."""
    report = fought(f"{BYSTANDER}ruling flank-occupied={reading}", withhold="C")
    assert (report.result.flanked, named(report)) == (flanked, {"flank-occupied"})


@pytest.mark.rule("10.4.1")
def test_no_ruling_on_flanks_where_bystanders_decide_nothing() -> None:
    assert named(fought(BYSTANDER)) == set(), "all three attack"
    assert named(fought(BYSTANDER, withhold="C", flanked="no")) == set(), "the player says so himself"
    assert named(fought(BYSTANDER, withhold="B,C")) == set(), "not flanked either way"


def test_a_ranking_of_attacks_rests_on_who_stays_out() -> None:
    ask = {"side": "russian", "at": "41.19", "attacker-ap": "none", "defender-ap": "none"}
    columns = {}
    for reading in ("any", "attackers"):
        report = answered(typed(f"turn=5\n{BYSTANDER}ruling flank-occupied={reading}"), "attacks", **ask)
        (target,) = report.result.targets
        columns[reading] = {one.column: one.attack.units for one in target.columns}
        assert named(report) == {"flank-occupied"}
    assert columns["any"] != columns["attackers"]
