"""The Train of Königsberg, which never moves and defends its hex (22.5.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from twilight_in_the_east.combat.engagement import defence_strength
from twilight_in_the_east.forces.unit import defending_train, gather_unit
from twilight_in_the_east.forces.units import forces

from ...conftest import carried_out, told, viewed

GUARD = '"KG Train" defence=3'
DIVISION = "german infantry XX G (6-6-2-10) army=Eighth corps=KG, "
FIELD = """board east
turn=5
{more}
trust charts counters
60.17: {guard}
60.18: russian infantry XX R1 (20-16-7-11) army=First
61.17: russian infantry XX R2 (20-16-7-11) army=First
ask battle at=60.17 attacker-ap=none defender-ap=none
answers {dice} ec.60.18=5 ec.61.17=5 advance=none
"""


def fought(dice: str, guard: str = DIVISION + GUARD, more: str = "") -> Report[Any]:
    """The battle for Königsberg with these dice, and no check that fails."""
    checked = " ec.60.17=5" if DIVISION in guard else ""
    return carried_out(FIELD.format(guard=guard, dice=dice + checked, more=more))


def gone(report: Report[Any]) -> list[object]:
    return [one.subject for one in report.changes if one.track == "place" and one.after is None]


@pytest.mark.rule("22.5.1")
def test_its_strength_counts_in_defence_alone() -> None:
    view = viewed(f'60.17: {DIVISION}{GUARD}\n60.16: "German 1 Train"')
    with view.gather() as facts:
        (guard,) = defending_train(facts, "60.17")
        assert defending_train(facts, "60.16") == []
        unit = gather_unit(facts, guard, "defender")
    assert (defence_strength(unit), unit.steps, unit.formation, unit.effectiveness) == (3, 1, False, 0)
    assert forces([unit]) == ()
    report = fought("crt=2")
    assert report.result.defender.total == 9
    assert "KG Train in 60.17: 3" in told(report)
    assert gone(report) == []
    assert [unit.unit for unit in report.result.attacker.units] == ["R1", "R2"]
    withheld = carried_out(
        FIELD.format(guard=DIVISION + GUARD, dice="crt=2", more="").replace(
            "defender-ap=none", 'defender-ap=none withhold="KG Train"'
        )
    )
    assert withheld.result.defender.total == 6
    assert fought("crt=2", GUARD).result.defender.total == 3


@pytest.mark.rule("22.5.1")
def test_a_result_that_makes_its_stack_retreat_destroys_it() -> None:
    driven = fought("crt=11 slrt=1/1")
    assert gone(driven) == ["KG Train"]
    assert driven.result.outcome.attacker_points == 2
    assert "KG Train is destroyed if the result makes it retreat" in told(driven)
    alone = fought("crt=11 slrt=1/1", GUARD)
    assert gone(alone) == ["KG Train"]
