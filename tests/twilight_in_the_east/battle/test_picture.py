"""Pictures of a battle: what they tell is what the report tells."""

from __future__ import annotations

import assistant
from assistant.drawing.scene import Scene
from assistant.plugins.registry import question_of
from assistant.questions.view import View

from ...conftest import typed

BATTLE = """turn=1
accept reconstruction
40.20: 25/3 ({steps}-0-0-10)
41.19 clear: 1/1 (12-16-7-11)
41.19|40.20 open
ask battle at=41.19 attacker-ap=none defender-ap=none"""


def chances(steps: int) -> Scene:
    position = typed(BATTLE.format(steps=steps))
    chart = question_of(position.game, "battle").chart
    scene = chart(View(position.game, position.state), assistant.ask(position)) if chart else None
    assert scene
    return scene


def test_a_force_that_is_lost_before_its_check_is_not_said_to_fail_it() -> None:
    assert "Attacker's losses: 0 (8.3%), 1 (91.7%)." in chances(1).description, "its only step"
    assert "25/3: passed 6.9%, failed, or eliminated before its check 93.1%, retreats 0.0%" in chances(1).description


def test_the_chart_of_a_battle_tells_the_chances_of_its_report() -> None:
    told = chances(10).description
    assert told.startswith("Attacker's losses: ")
    assert "The hex" not in told
    assert "defender vacates: " in told
    assert chances(10).title == "Battle at 41.19, attacked from 40.20, GT 1"
