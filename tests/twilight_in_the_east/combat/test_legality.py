"""Who may fight together (10.1.4)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from twilight_in_the_east.combat.legality import armies_of, incompatible_steps
from twilight_in_the_east.forces.units import CombatUnit

from ...conftest import answered, typed


@pytest.mark.rule("24.1.2c")
def test_the_warsaw_garrison_stands_with_other_armies_and_does_not_fight_with_them() -> None:
    unit = CombatUnit("A", "russian", "infantry", "XX", True, "58.52")
    garrison, second = replace(unit, army="Warsaw Garrison"), replace(unit, id="B", army="Second")
    assert armies_of([garrison, second, unit]) == ["Second", "Warsaw Garrison"]
    (line,) = incompatible_steps([garrison, second], "defender")
    assert line.text.startswith("defender: units of different armies (Second, Warsaw Garrison) cannot combine")
    assert list(incompatible_steps([garrison, replace(garrison, id="B"), unit], "defender")) == []
    text = '58.52: russian infantry XX A army="Warsaw Garrison", russian infantry XX B army=Second'
    assert "over-stacked" not in answered(typed(text), "stack", at="58.52").verdict.text
