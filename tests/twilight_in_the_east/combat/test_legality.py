"""Who may fight together (10.1.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.asking.report import Step
from twilight_in_the_east.combat.legality import (
    armies_of,
    attacker_steps,
    combining_steps,
    deserted_steps,
    fought_before_steps,
    incompatible_steps,
    phase_steps,
    river_steps,
)
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.ground.calendar import AttackPhase

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


def told(steps: Iterable[Step]) -> list[tuple[str, str]]:
    return [(line.rule, line.text) for line in steps]


def unit(name: str = "A", place: str = "40.20", **more: Any) -> CombatUnit:
    return CombatUnit(name, "russian", more.pop("arm", "infantry"), more.pop("size", "XX"), True, place, **more)


@pytest.mark.rule("6.3.1c", "10.1.4a", "10.1.4b")
def test_arms_and_armies_that_do_not_fight_together() -> None:
    foot, horse = unit(army="First"), unit("B", arm="cavalry", army="First")
    arms = "attacker: cavalry and infantry cannot fight together: withhold one of the two (withhold=UNIT)"
    armies = "attacker: units of different armies (First, Second) cannot combine: withhold those of one (withhold=UNIT)"
    guns = unit("C", arm="artillery", army="First")
    assert told(incompatible_steps([foot, guns, unit("D")], "attacker")) == []
    assert told(incompatible_steps([foot, horse], "attacker")) == [("10.1.4", arms)]
    assert told(incompatible_steps([foot, unit("D", army="Second")], "attacker")) == [("10.1.4", armies)]


@pytest.mark.rule("10.5b", "4.2.2", "4.2.2b")
def test_what_a_side_may_send_into_one_combat() -> None:
    corps = [unit(name, f"40.{number}", ap=True, point=name) for number, name in enumerate("ABC", 19)]
    assert told(combining_steps(corps[:2], "defender")) == []
    assert told(combining_steps(corps, "defender")) == [("10.5", "defender: 3 APs, but a combat allows only two")]
    stack = [unit("A"), unit("B"), unit("G", arm="artillery", size="-")]
    assert told(combining_steps(stack, "attacker")) == []
    too_many = "can fight: withhold some (withhold=UNIT,UNIT)"
    (guns,) = combining_steps([*stack, unit("H", arm="artillery", size="-")], "attacker")
    assert guns.text == f"attacker: 2 divisions and 2 artillery units in 40.20, but only 2 and 1 {too_many}"
    (divisions,) = combining_steps([*stack, unit("C", size="X")], "attacker")
    assert divisions.text == f"attacker: 2 1/2 divisions and 1 artillery units in 40.20, but only 2 and 1 {too_many}"
    assert {guns.rule, divisions.rule} == {"4.2.2"}
    (crowded,) = combining_steps([*stack, unit("C", size="X")], "defender")
    assert crowded.text == divisions.text.replace("attacker", "defender")


@pytest.mark.rule("10.1c", "10.1b", "10.1.1b")
def test_units_that_have_retreated_or_fought_in_the_phase() -> None:
    gone, here = unit(flags=frozenset({"retreated"})), unit("B")
    text = "all in 40.20 have retreated in this phase and may not be attacked again: A"
    assert told(deserted_steps("40.20", [gone])) == [("10.1", text)]
    assert deserted_steps("40.20", [gone, here]) == deserted_steps("40.20", []) == []
    (line,) = fought_before_steps(
        [here, unit("C", flags=frozenset({"fought"})), unit("D", flags=frozenset({"fought"}))]
    )
    assert (line.rule, line.text[:47]) == ("10.1", "already in a combat of this phase: C, D (if a n")
    assert fought_before_steps([here]) == []


@pytest.mark.rule("10.1.2d", "10.1.2e")
def test_a_grand_river_is_attacked_across_at_a_crossing() -> None:
    text = "an attack across a Grand River needs a bridge or ferry, but 40.20|41.20 has none"
    assert told(river_steps("41.20", ["40.20"])) == [("10.1.2", text)]
    assert river_steps("41.20", []) == []


@pytest.mark.rule("10.1", "10.1.2b")
def test_who_may_attack_a_hex() -> None:
    """That a unit has retreated or fought in the phase is said of both sides, elsewhere."""
    said = {
        (): [],
        ("place",): [("10.1", "A in 40.19 is not adjacent to 41.19")],
        ("defence-only",): [("10.1.2", "A can only defend and cannot attack")],
        ("fort",): [("10.1.2", "A can only defend and cannot attack")],
        ("levels",): [("10.1.2", "A is Demoralized and cannot attack")],
        ("half",): [("8.2.5", "A bears a 1/2 marker and cannot attack")],
        ("entrained",): [("8.2.4", "A is in Rail Mode and cannot attack")],
        ("retreated", "fought"): [],
        ("place", "retreated", "levels"): [
            ("10.1", "A in 40.19 is not adjacent to 41.19"),
            ("10.1.2", "A is Demoralized and cannot attack"),
        ],
    }
    given: dict[str, Any] = {
        "place": {"place": "40.19"},
        "fort": {"arm": "fort"},
        "levels": {"levels": 4},
        "half": {"half": True},
    }
    for what, lines in said.items():
        more = {name: value for one in what for name, value in given.get(one, {}).items()}
        more["flags"] = frozenset(one for one in what if one not in given)
        assert told(attacker_steps(unit(**more), "41.19", ("40.20",))) == lines


@pytest.mark.rule("10.1b", "2.2a")
def test_a_combat_of_another_phase() -> None:
    said = {
        "movement": ["combats are fought only in attack phases, and the phase is movement"],
        "attack": ["the German side attacks in this phase"],
        "": ["the German side attacks in this phase"],
    }
    for phase, texts in said.items():
        assert [
            line.text for line in phase_steps(AttackPhase(phase, "german", "russian", title="German"), "A")
        ] == texts
        own = phase_steps(AttackPhase(phase, "russian", "russian", title="Russian"), "A")
        assert [line.rule for line in own] == ["10.0"] * (phase == "movement")
        assert phase_steps(AttackPhase("attack", "", "russian"), "A") == []
