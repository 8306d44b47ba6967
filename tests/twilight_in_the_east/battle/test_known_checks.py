"""What a report before the dice says of the checks to come, of average losses and of the attacker's own retreat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import assistant
from assistant.asking.report import Report

from ...conftest import answered, told, typed

BATTLE = """turn={turn}
trust charts
40.20: 25/3 (10-0-5-10) field supply=low, 27/3 (10-0-5-10) field reduced
41.19 clear ip={ip}: 1/1 (12-16-7-11) field cel=-2, german artillery - "4 FA" (1-0-4-8) field
41.19|40.20 open
ask battle at=41.19 attacker-ap=none defender-ap=none flanked={flanked}"""


def before(turn: int = 1, ip: int = 0, flanked: str = "no") -> Report[Any]:
    return answered(typed(BATTLE.format(turn=turn, ip=ip, flanked=flanked)))


@pytest.mark.rule("11.3.1d", "11.3.1e")
def test_low_supply_and_the_reduced_side_are_known_before_the_dice() -> None:
    assert told(before(), "Checks to come") == [
        "the stack in 40.20 checks by one roll: 25/3 against 10 (+1 Low Supply), 27/3 against 10 (+1 on its reduced side)",
        "the stack in 41.19 checks by one roll: 1/1 against 9",
    ]
    assert "reduced" not in told(before(turn=28), "Checks to come")[0], "in Summer only"
    report = answered(typed(BATTLE.format(turn=1, ip=0, flanked="no") + "\nanswers crt=7"))
    assert told(report, "Checks to come") == []


@pytest.mark.rule("11.3.1f", "11.3.1g")
def test_a_flank_counts_in_any_case_and_a_position_while_it_is_held() -> None:
    report = before(ip=2, flanked="yes")
    assert told(report, "Checks to come")[1].endswith(
        "(+1 flanked, -1 Level 2 Improved Position held unless it retreats)"
    )
    check = report.result.checks[-1]
    assert (sum(one.amount for one in check.modifiers), sum(one.amount for one in check.in_place)) == (1, -1)


def test_averages_are_those_of_the_chances() -> None:
    chances = before().result.chances
    for likely, mean in (
        (chances.attacker_steps, chances.attacker_mean),
        (chances.defender_steps, chances.defender_mean),
    ):
        assert sum(one.value * one.chance for one in likely) == mean > 0
    assert [one.value for one in chances.attacker_retreat] == [0, 1]
    assert "hexes the attacker retreats by the CRT result: 0" in " ".join(told(before(), "Chances"))
    report = before()
    assert report.result.chances.ways == ""
    assert any(line.startswith("the ground around is not stated") for line in told(report, "Chances"))


@pytest.mark.rule("11.2.6a")
def test_the_chance_of_a_surrender_is_that_of_a_retreat_by_the_result_from_a_hex_that_cannot_be_left() -> None:
    position = assistant.read(Path(__file__).parent / "combats/5-surrender.pos")
    report = assistant.ask(assistant.parse("trust charts", position))
    chances = report.result.chances
    (shut_in,) = (one for one in chances.forces if one.force == "G1")
    assert shut_in.surrenders == 1 - next(one.chance for one in chances.defender_retreat if one.value == 0) > 0
    assert chances.ways == "straight"
    assert "G1 surrenders (72.2%)" in told(report, "Chances")
