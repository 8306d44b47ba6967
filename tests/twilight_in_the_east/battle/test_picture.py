"""Pictures of a battle: what they tell is what the report tells."""

from __future__ import annotations

import pytest

import assistant
from assistant.asking.view import View
from assistant.drawing.answer import draw_scene
from assistant.drawing.scene import Scene
from assistant.installed.registry import question_of

from ...conftest import answered, told, typed

BATTLE = """turn=1
trust charts
40.20: 25/3 ({steps}-0-0-10)
41.19 clear: 1/1 (12-16-7-11)
41.19|40.20 open
ask battle at=41.19 attacker-ap=none defender-ap=none"""


def chances(steps: int, text: str = BATTLE) -> Scene:
    position = typed(text.format(steps=steps))
    view = View(position.game, position.state)
    chart = question_of(position.game, "battle").draw("chart", view, assistant.ask(position))
    assert chart
    return draw_scene(view, chart)


def test_a_force_that_is_lost_before_its_check_is_not_said_to_fail_it() -> None:
    assert "Attacker's losses: 0 (8.3%), 1 (91.7%)." in chances(1).description, "its only step"
    assert "25/3: passed 6.9%, failed, or eliminated before its check 93.1%, retreats 0.0%" in chances(1).description


@pytest.mark.rule("11.3", "11.3.2")
@pytest.mark.parametrize(("steps", "gone"), [(1, ["no check"]), (10, [])])
def test_the_chances_of_a_check_name_all_that_may_become_of_a_force(steps: int, gone: list[str]) -> None:
    """One that may lose its only step before it checks makes none."""
    (check,) = (
        line for line in told(answered(typed(BATTLE.format(steps=steps)), "")) if line.startswith("25/3's check")
    )
    ends = [end.partition(" (")[0] for end in check.partition(": ")[2].split(", ")]
    assert ends == ["passed", "retreat", "fails without retreat", *gone]


@pytest.mark.rule("11.3", "11.3.2")
def test_a_force_that_may_be_disordered_is_named_apart_as_it_retreats_too() -> None:
    text = BATTLE.format(steps=10)
    assert not [line for line in told(answered(typed(text), "")) if "Disordered" in line]
    weak = told(answered(typed(text.replace("(12-16-7-11)", "(12-16-7-11) cel=-4")), ""), "Chances")
    assert "1/1 is Disordered (16.2%)" in weak


def test_the_chart_of_a_battle_tells_the_chances_of_its_report() -> None:
    told = chances(10).description
    assert told.startswith("Attacker's losses: ")
    assert "The hex" not in told
    assert "defender vacates: " in told
    assert chances(10).title == "Battle at 41.19, attacked from 40.20, GT 1"
    weak = chances(10, BATTLE.replace("(12-16-7-11)", "(12-16-7-11) cel=-4"))
    assert "Disordered 16.2%" in weak.description
    assert "Disordered" not in chances(10).description
