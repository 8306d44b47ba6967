"""What would change a combat: the points to other ratios, and the units that may stay out or join."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.asking import play
from assistant.util.errors import InputError
from twilight_in_the_east.battle.chances import next_odds
from twilight_in_the_east.combat import setup
from twilight_in_the_east.combat.engagement import initial_odds

from ...cases import few
from ...conftest import answered, typed

BEFORE = (Path(__file__).parents[3] / "plugins/twilight_in_the_east/examples/battle-before.pos").read_text("utf-8")


@pytest.mark.rule("4.4.1")
@given(st.integers(1, 120), st.integers(1, 60))
def test_the_points_to_the_next_ratio_are_the_fewest_and_those_to_spare_the_most(attack: int, defence: int) -> None:
    found = next_odds(attack, defence)
    assert found is not None
    now = initial_odds(attack, defence)
    ratios = [initial_odds(n, defence) for n in range(1, attack + found.more + 1)]
    assert str(ratios[-1]) == found.column != str(now) == str(ratios[-2])
    assert [odds == now for odds in ratios[:attack]].count(True) == found.spare + 1


@pytest.mark.rule("4.4.1")
@pytest.mark.parametrize(("attack", "defence"), [(0, 5), (5, 0)])
def test_where_there_is_no_ratio_nothing_is_near(attack: int, defence: int) -> None:
    assert next_odds(attack, defence) is None


def test_the_example() -> None:
    """58 points would make 3:1 of 23; 35 still make 2:1."""
    found = answered(typed(BEFORE)).result
    assert (found.next_column.more, found.next_column.column, found.next_column.spare) == (16, "3:1", 7)


@pytest.mark.rule("10.1.5c", "10.5c")
def test_each_unit_that_may_stay_out_with_what_the_combat_would_be() -> None:
    found = answered(typed(BEFORE)).result.optional
    assert [(one.unit, one.column, one.magnitude) for one in found] == [
        ("29/20", "1:1", "Medium"),
        ("25/3", "1:2", "Medium"),
        ("27/3", "1:2", "Medium"),
    ]
    for one in found:
        without = BEFORE.replace("ask battle", f"ask battle withhold={one.unit}")
        without = without.replace("attacker-ap=3,20", "attacker-ap=3" if one.unit == "29/20" else "attacker-ap=3,20")
        result = answered(typed(without)).result
        assert (result.column, result.magnitude) == (one.column, one.magnitude)
        (back,) = (other for other in result.optional if other.unit == one.unit)
        assert back.withheld


@pytest.mark.rule("10.1.5c", "10.5c", "10.1.4c")
@pytest.mark.parametrize("points", ["all", "1", "magazine:40.20", "Boyen", "Boyen,1", "none"])
def test_whose_point_nobody_else_can_use_may_stay_out_too(points: str) -> None:
    text = """turn=1
trust charts
40.20: german infantry XX A (10-?-5-10) corps=1
40.19: german infantry XX Lötzen (3-?-2-9) corps=9
41.19 clear: russian infantry XX D (12-16-7-11)
41.19|40.19,40.20 open
"""
    found = answered(typed(text), "battle", at="41.19", **{"attacker-ap": points, "defender-ap": "none"}).result
    assert [(one.unit, one.withheld) for one in found.optional] == [("Lötzen", False), ("A", False)]


@pytest.mark.rule("10.1.5c")
def test_who_may_join_or_stay_out() -> None:
    more = BEFORE.replace("1/1 (12?-16-7-11)", "1/1 (12?-16-7-11), german infantry XX 2/1 (9-9-0-10){}")
    asked = more.replace("ask battle", "ask battle withhold=29/20,2/1").replace("attacker-ap=3,20", "attacker-ap=3")
    found = {one.unit: (one.side, one.withheld) for one in answered(typed(asked.format(""))).result.optional}
    assert (found["29/20"], found["2/1"]) == (("attacker", True), ("defender", True))
    assert "2/1" not in {one.unit for one in answered(typed(asked.format(" fought"))).result.optional}
    bound = BEFORE.replace("(10-?-5-10) -3", "(10-?-5-10) -3 prepared=41.19")
    assert "29/20" not in [one.unit for one in answered(typed(bound)).result.optional]
    below = BEFORE.replace("1/1 (12?-16-7-11)", "1/1 (12?-16-7-11), german infantry XX 2/1 (9-9-0-10)")
    assert [one.unit for one in answered(typed(below)).result.optional if one.side == "defender"] == ["2/1"]


def test_one_battle_builds_its_engagement_once_and_once_more_for_each_value_that_a_doubtful_fact_may_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rulebook's example: its defender's steps are assumed, and might be one more or one fewer."""
    built, played = [], []

    def counted(*given: Any, **named: Any) -> Any:
        built.append(given)
        return participants(*given, **named)

    def counted_chances(*given: Any) -> Any:
        played.append(given)
        return chances(*given)

    participants, chances = setup.Setup.participants, play.chances
    monkeypatch.setattr(setup.Setup, "participants", counted)
    monkeypatch.setattr(play, "chances", counted_chances)
    assert "12?" in BEFORE
    report = answered(typed(BEFORE))
    assert report.result.optional
    assert (len(built), len(played)) == (3, 1)


RIVERS = """turn=5
40.20: russian infantry XX R1 army=1 (10-12-5-10) field, russian infantry XX R2 army=1 (10-12-5-10) heavy prepared=41.19
40.20: russian artillery II R3 army=1 (1-?-4-?) heavy
40.19: russian infantry XX R4 army=1 (9-12-5-10) high-trajectory, russian infantry III R5 (3-3-0-8) asset
41.18: russian cavalry XX R6 (4-4-0-9)
41.19 rough ip=2: german infantry XX A (12-14-3-9), german infantry XX B (12-14-0-8), german artillery II C (1-?-6-?)
41.19|40.20 minor-river
41.19|40.19 open
41.19|41.18 open
"""


@few(5)
@pytest.mark.rule("10.1.5c")
@pytest.mark.parametrize("points", ["all", "none"])
@pytest.mark.parametrize("flanked", [None, "yes"])
@pytest.mark.parametrize("out", ["R6", "R6,R5", "R6,B", "R6,R1", "R6,R3,C"])
def test_who_would_stay_out_changes_the_combat_as_asking_for_it_does(
    points: str, flanked: str | None, out: str
) -> None:
    given = {"at": "41.19", "attacker-ap": points, "defender-ap": points, **({"flanked": flanked} if flanked else {})}

    def asked(*withheld: str) -> Any:
        return answered(typed(f"{RIVERS}trust charts\n"), "battle", **given, withhold=",".join(withheld))

    listed = out.split(",")
    report = asked(*listed)
    if report.result is None:
        return
    units = [unit.unit for side in (report.result.attacker, report.result.defender) for unit in side.units]
    said = {one.unit: (one.column, one.magnitude) for one in report.result.optional if not one.withheld}
    found = {}
    for unit in units:
        with contextlib.suppress(InputError):
            if (result := asked(*listed, unit).result) is not None:
                found[unit] = (result.column, result.magnitude)
    assert said == found
