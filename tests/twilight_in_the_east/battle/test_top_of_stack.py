"""The top unit of a stack is the same for battle and stack (4.2.5, 10.1.3)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from assistant.asking.report import Report

from ...cases import examples
from ...conftest import answered, told, typed
from ..results.test_retreats import fought

GROUND = """trust charts
turn=5 phase=attack phasing=russian weather=normal
elsewhere clear open
40.21: russian infantry XX A (12-12-0-9) army=First corps=3
40.20: {}
"""
BARE = {"at": "40.20", "attacker_ap": "none", "defender_ap": "none", "flanked": "no"}
DEMORALIZED = "german infantry XX D (12-12-0-11) cel=-4 army=Eighth corps=17"
SOUND = "german infantry XX S (8-8-0-11) army=Eighth corps=17"


@pytest.mark.rule("4.2.5", "4.2.5b", "10.1.3b")
@pytest.mark.parametrize("stack", [f"{DEMORALIZED}, {SOUND}", f"{SOUND}, {DEMORALIZED}"])
def test_a_demoralized_unit_is_not_on_top_wherever_it_lies(stack: str) -> None:
    position = typed(GROUND.format(stack))
    assert answered(position, "stack", at="40.20").result.order[0] == "S"
    assert answered(position, "battle", **BARE, withhold="D").verdict.kind != "no"
    assert "S is the top unit and cannot be withheld" in _reasons(answered(position, "battle", **BARE, withhold="S"))


def _reasons(report: Report[Any]) -> list[str]:
    return [step.text for part in report.parts for step in part.steps]


def _stack(random: Random) -> list[str]:
    return [
        f"german infantry {random.choice(['XX', 'X'])} U{number} ({random.randint(1, 9)}-5-0-9) back-steps=0 "
        f"army=Eighth corps=17 {random.choice(['', '', 'cel=-4', 'half'])}"
        for number in range(random.choice([2, 3]))
    ]


@pytest.mark.rule("4.2.5", "10.1.3b")
@pytest.mark.parametrize("seed", range(2))
def test_battle_and_stack_agree_on_the_top_unit(seed: int) -> None:
    """`FIELD_STAFF_EXAMPLES` and more seeds try more stacks."""
    for number in range(examples(4)):
        units = _stack(Random(f"top {seed} {number}"))
        position = typed(GROUND.format(", ".join(units)))
        top = answered(position, "stack", at="40.20").result.order[0]
        for unit in range(len(units)):
            reasons = _reasons(answered(position, "battle", **BARE, withhold=f"U{unit}"))
            sentence = f"U{unit} is the top unit and cannot be withheld"
            is_sound = not any("no formation" in reason for reason in reasons)
            assert (sentence in reasons) == (top == f"U{unit}" and is_sound), units


@pytest.mark.rule("4.2.5")
def test_after_a_combat_it_is_said_who_has_to_lie_on_top() -> None:
    small = "german infantry XX G2 corps=1 (9-6-0-11) back-steps=0"
    big = "german infantry XX G1 corps=1 (10-6-0-11) back-steps=0"
    level = fought("- / -", stack=f"{big}, {small}", steps=2, more="losses.defender=G1,G2")
    assert told(level, "Stacking order") == []
    wrong = fought("- / -", stack=f"{small}, {big}")
    assert told(wrong, "Stacking order") == ["G1 has to lie on top of the stack in 41.19: move it there"]


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(
    ("announced", "said"),
    [("", False), ("39.20 announced", True), ("39.20 announced\n40.20 announced", False)],
)
def test_an_attack_that_was_not_announced_does_not_pass_in_silence(announced: str, said: bool) -> None:
    report = answered(typed(f"{GROUND.format(SOUND)}{announced}"), "battle", **BARE)
    assert any(step.rule == "10.2" for part in report.parts for step in part.steps) is said
