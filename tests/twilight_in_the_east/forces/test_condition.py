"""What being Demoralized or Disordered means for a unit (7.3.1, 7.4.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.forces.condition_question import effects

from ...conftest import answered, typed

ALWAYS = ["8.6.1", "13.1.2", "8.4.1", "10.1.2", "8.5.1", "10.10.3", "11.3.2", "8.3.3", "21.1.2"]


def rules(demoralized: bool = True, disorder: int = 0, *, cavalry: bool = False, supply: str = "in") -> list[str]:
    return [effect.rule for effect in effects(demoralized, disorder, cavalry=cavalry, supply=supply)]


@pytest.mark.rule("7.3.1", "7.4.1")
def test_what_being_demoralized_or_disordered_means() -> None:
    assert rules(demoralized=False) == []
    assert rules() == ALWAYS
    assert rules(supply="out") == [*ALWAYS, "14.6", *["14.5.2"] * 2]
    assert rules(cavalry=True) == [*ALWAYS, "9.2.2"]
    assert rules(cavalry=True, supply="out") == [*ALWAYS, "14.6", "9.2.2", *["14.5.2"] * 3]
    assert rules(demoralized=False, cavalry=True, supply="out") == ["14.5.2"] * 2
    assert rules(demoralized=False, supply="low") == ["14.5.1"] * 2
    assert rules(disorder=1) == rules(demoralized=False, disorder=1) == [*ALWAYS, "7.4.1"]
    assert rules(demoralized=False, disorder=2) == [*ALWAYS, "7.4.1"]


def condition(status: str = "", unit: str = "german infantry XX A (9-9-0-11)") -> Report[Any]:
    return answered(typed(f"41.19: {unit} {status}"), "condition", unit="A")


@pytest.mark.rule("7.3.1", "7.4.1")
@pytest.mark.parametrize(
    ("status", "text", "effects"),
    [
        ("", "A: level 11, 0 levels lost", 0),
        ("cel=-3", "A: level 8, 3 levels lost", 0),
        ("cel=-4", "A: level 7, 4 levels lost, Demoralized", 9),
        ("cel=-2 D2", "A: level 9, 2 levels lost, Demoralized, Disordered D2", 10),
        ("cel=-4 supply=out", "A: level 7, 4 levels lost, Demoralized", 12),
        ("supply=low", "A: level 11, 0 levels lost", 2),
    ],
)
def test_a_unit_in_a_line(status: str, text: str, effects: int) -> None:
    report = condition(status)
    assert (report.verdict.text, len(report.result.effects)) == (text, effects)
    assert len([step for part in report.parts for step in part.steps]) == effects


@pytest.mark.rule("7.3.1", "7.4.1")
@pytest.mark.parametrize("status", ["cel=-4", "D1"])
def test_cavalry_has_to_retire_besides(status: str) -> None:
    rider = condition(status, "german cavalry XX A (9-9-0-11)").result.effects
    others = condition(status).result.effects
    assert [effect.rule for effect in rider if effect not in others] == ["9.2.2"]


def test_artillery_has_no_condition() -> None:
    with pytest.raises(InputError, match="A is not a combat unit on the map"):
        condition(unit="german artillery - A")
