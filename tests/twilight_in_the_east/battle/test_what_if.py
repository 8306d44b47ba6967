"""What would change a combat: the points to other ratios, and the units that may stay out or join."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twilight_in_the_east.battle.what_if import next_column
from twilight_in_the_east.combat.strength import initial_odds

from ...conftest import answered, typed

BEFORE = (Path(__file__).parents[3] / "plugins/twilight_in_the_east/examples/battle-before.pos").read_text("utf-8")


@pytest.mark.rule("4.4.1")
@given(st.integers(1, 120), st.integers(1, 60))
def test_the_points_to_the_next_ratio_are_the_fewest_and_those_to_spare_the_most(attack: int, defence: int) -> None:
    found = next_column(attack, defence)
    assert found is not None
    now = initial_odds(attack, defence)
    ratios = [initial_odds(n, defence) for n in range(1, attack + found.more + 1)]
    assert str(ratios[-1]) == found.odds != str(now) == str(ratios[-2])
    assert [odds == now for odds in ratios[:attack]].count(True) == found.spare + 1


@pytest.mark.parametrize(("attack", "defence"), [(0, 5), (5, 0)])
def test_where_there_is_no_ratio_nothing_is_near(attack: int, defence: int) -> None:
    assert next_column(attack, defence) is None


def test_the_example() -> None:
    """58 points would make 3:1 of 23; 35 still make 2:1."""
    found = answered(typed(BEFORE)).result
    assert (found.next_column.more, found.next_column.odds, found.next_column.spare) == (16, "3:1", 7)


@pytest.mark.rule("10.1.5c")
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


@pytest.mark.rule("10.1.5c")
@pytest.mark.parametrize("points", ["all", "1", "magazine:40.20", "Boyen", "Boyen,1", "none"])
def test_whose_point_nobody_else_can_use_may_stay_out_too(points: str) -> None:
    text = """turn=1
accept reconstruction
40.20: german infantry XX A (10-?-5-10) corps=1
40.19: german infantry XX Lötzen (3-?-2-9) corps=9
41.19 clear: russian infantry XX D (12-16-7-11)
41.19|40.19,40.20 open
"""
    found = answered(typed(text), "battle", at="41.19", **{"attacker-ap": points, "defender-ap": "none"}).result
    assert [(one.unit, one.withheld) for one in found.optional] == [("Lötzen", False), ("A", False)]


@pytest.mark.rule("10.1.5c")
def test_who_has_to_fight_or_to_stay_out_is_not_among_them() -> None:
    bound = BEFORE.replace("(10-?-5-10) -3", "(10-?-5-10) -3 prepared=41.19")
    assert "29/20" not in [one.unit for one in answered(typed(bound)).result.optional]
    below = BEFORE.replace("1/1 (12?-16-7-11)", "1/1 (12?-16-7-11), german infantry XX 2/1 (9-9-0-10)")
    assert [one.unit for one in answered(typed(below)).result.optional if one.side == "defender"] == ["2/1"]
