"""Strengths, odds and shifts, rule by rule."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.mechanics.odds import Odds
from twilight_in_the_east.combat.strength import (
    artillery_value,
    assets_flanked,
    attack_strength,
    command_of,
    commands_of,
    defence_strength,
    held_around,
    initial_odds,
    odds_of_modifiers,
    rounded_total,
    shift_for_corps,
    shift_for_flank,
    shift_for_position,
    shift_for_prepared,
    shift_for_terrain,
)
from twilight_in_the_east.forces.units import CombatUnit, corps_of, forces


def division(name: str, place: str = "40.20", **changes: object) -> CombatUnit:
    """A sound Russian infantry division with ten steps and five artillery points."""
    unit = CombatUnit(
        name, "russian", "infantry", "XX", True, place, corps=corps_of(name), steps=10, defence=10, artillery=5
    )
    return unit._replace(**changes)


@pytest.mark.rule("4.4.1", "10.7")
@pytest.mark.parametrize(
    ("attack", "defence", "odds"),
    [
        pytest.param(16, 11, "1:1", id="4.4.1 example 1"),
        pytest.param(12, 16, "1:1", id="4.4.1 example 2"),
        pytest.param(15, 48, "1:3", id="4.4.1 example 3"),
        pytest.param(10, 13, "1:1", id="10.7 note"),
        pytest.param(42, 23, "2:1", id="comprehensive example"),
        pytest.param(80, 10, "8:1", id="beyond the chart"),
    ],
)
def test_odds_round_from_the_midpoint(attack: int, defence: int, odds: str) -> None:
    assert str(initial_odds(attack, defence)) == odds


@pytest.mark.rule("10.8e")
@pytest.mark.parametrize(
    ("initial", "final", "begun"),
    [("5:1", "7:1", "6:1"), ("7:1", "9:1", "9:1"), ("1:3", "1:6", "1:4"), ("1:5", "1:6", "1:6"), ("7:1", "2:1", "2:1")],
)
def test_odds_past_the_chart_modify_rolls_by_a_ruling(initial: str, final: str, begun: str) -> None:
    odds = {
        reading: str(odds_of_modifiers(Odds.parse(initial), Odds.parse(final), reading))
        for reading in ("final", "begun")
    }
    assert odds == {"final": final, "begun": begun}


@pytest.mark.rule("10.7")
def test_a_defence_of_nothing_gives_the_highest_column_and_an_attack_of_nothing_the_lowest() -> None:
    assert (initial_odds(3, 0), initial_odds(0, 3)) == (Odds.parse("6:1"), Odds.parse("1:4"))


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 50))
def test_a_stronger_attack_never_lowers_the_odds_and_a_stronger_defence_never_raises_them(
    attack: int, defence: int, more: int
) -> None:
    odds = initial_odds(attack, defence)
    assert initial_odds(attack + more, defence) >= odds >= initial_odds(attack, defence + more)


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3", "10.5a", "10.5d")
def test_steps_lost_lower_both_strengths_and_artillery_counts_with_an_ap_only() -> None:
    unit = division("29/20", lost=3)
    assert attack_strength(unit) == 7 == defence_strength(unit)
    supplied = unit._replace(ap=True)
    assert attack_strength(supplied) == 12 == defence_strength(supplied)
    assert (artillery_value(unit), artillery_value(supplied)) == (0, 5)


@pytest.mark.rule("10.6.1")
@pytest.mark.parametrize(
    ("river", "strength"), [("minor-river", 15), ("major-river", Fraction(15, 2)), ("grand-river", Fraction(15, 2))]
)
def test_great_rivers_halve_steps_and_artillery_of_those_who_attack_across(river: str, strength: Fraction) -> None:
    assert attack_strength(division("25/3", ap=True), {river}) == strength


@pytest.mark.rule("10.6.2", "10.5c")
def test_a_half_marker_halves_a_defender_and_silences_its_artillery() -> None:
    assert defence_strength(division("25/3", half=True, ap=True)) == 5


@pytest.mark.rule("3.7.2")
def test_a_fortress_is_worth_its_steps_times_its_multiplier_and_half_of_that_is_artillery() -> None:
    fort = CombatUnit("Boyen", "german", "fortress", "-", False, "49.27", steps=5, lost=2, fssm=3)
    assert (defence_strength(fort), artillery_value(fort)) == (9, Fraction(9, 2))


@pytest.mark.rule("3.5.1")
def test_an_artillery_unit_fights_with_its_artillery_value_alone() -> None:
    guns = CombatUnit("8 h", "russian", "artillery", "-", False, "40.20", artillery=3, ap=True)
    assert attack_strength(guns) == 3 == defence_strength(guns)


@pytest.mark.rule("4.5c", "4.4", "10.1.3a")
def test_a_side_is_rounded_once_when_all_is_added_up() -> None:
    assert rounded_total([Fraction(7, 2), Fraction(7, 2), Fraction(7, 2)]) == 11
    assert rounded_total([Fraction(7, 2)]) == 4


@pytest.mark.rule("10.8c", "10.5.1", "6.3.3")
def test_attackers_of_several_corps_shift_one_column_left() -> None:
    two = [division("25/3"), division("29/20", "40.19")]
    assert [shift.amount for shift in shift_for_corps(two, "once")] == [-1]
    assert shift_for_corps([division("25/3"), division("27/3")], "once") == ()
    independents = [division("3 r", corps=""), division("4 r", corps=""), division("5 r", "40.19", corps="")]
    assert commands_of(independents, independents) == ("40.20", "40.19")
    three = [*two, division("22/1", "41.20")]
    assert [shift_for_corps(three, reading)[0].amount for reading in ("once", "each")] == [-1, -2]


@pytest.mark.rule("10.5.1", "2.1e", "6.4.1a", "6.4.1c")
def test_asset_units_belong_to_the_formation_they_stand_with() -> None:
    asset = CombatUnit("det 1", "russian", "infantry", "III", False, "40.20")
    first, second = division("25/3"), division("29/20")
    assert command_of(asset, [first, second, asset]) == "3"
    joined = asset._replace(with_="29/20")
    assert command_of(joined, [first, second, joined]) == "20"
    assert [force.name for force in forces([first, second, joined])] == ["25/3", "29/20"]
    assert forces([first, second, joined])[1].units == (second, joined)
    assert forces([asset])[0].formation is None
    (alone,) = forces([asset, asset._replace(id="det 2")])
    assert [unit.id for unit in alone.units] == ["det 1", "det 2"], "two Asset Units alone are one Force"


@pytest.mark.rule("6.2.4b")
def test_an_asset_unit_joins_a_formation_of_its_own_nation_only() -> None:
    german, austrian = division("G", nation="german"), division("A", nation="austro-hungarian")
    guns = CombatUnit("guns", "austro-hungarian", "artillery", "-", False, "40.20", with_="G")
    assert [(force.name, len(force.units)) for force in forces([german, austrian, guns])] == [("G", 1), ("A", 2)]
    assert [force.name for force in forces([german, guns])] == ["G", "guns"]


@pytest.mark.rule("3.3.1")
@pytest.mark.parametrize(("unit", "corps"), [("2 rf/22", "22"), ("1 r/1 R", "1 R"), ("3 r", ""), ("29/20", "20")])
def test_the_second_part_of_an_id_is_the_corps(unit: str, corps: str) -> None:
    assert corps_of(unit) == corps


@pytest.mark.rule("10.3.1")
def test_a_prepared_attack_needs_every_marker_on_the_hex() -> None:
    ready = division("25/3", prepared="41.19")
    assert [shift.amount for shift in shift_for_prepared([ready], "41.19")] == [1]
    assert shift_for_prepared([ready, division("27/3")], "41.19") == ()
    assert shift_for_prepared([ready, division("27/3", prepared="41.20")], "41.19") == ()


@pytest.mark.rule("10.8d", "13.3.1b")
@pytest.mark.parametrize(
    ("level", "classes", "ap", "net"),
    [
        (0, {"heavy"}, True, 0),
        (1, set(), True, -1),
        (1, {"heavy"}, True, 0),
        (1, {"heavy", "high-trajectory"}, True, 0),
        (2, {"high-trajectory"}, True, -1),
        (2, {"heavy", "high-trajectory"}, True, 0),
        (4, {"heavy", "high-trajectory"}, True, -2),
        (3, {"heavy"}, False, -3),
    ],
)
def test_positions_shift_left_and_artillery_with_an_ap_negates(
    level: int, classes: set[str], ap: bool, net: int
) -> None:
    attackers = [division("25/3", classes=frozenset(classes), ap=ap)]
    assert sum(shift.amount for shift in shift_for_position(level, attackers)) == net


@pytest.mark.rule("10.8a")
@pytest.mark.parametrize(
    ("terrain", "crossed", "reading", "net"),
    [
        ("clear", [{"open"}], "all", 0),
        ("rough", [{"open"}], "all", -1),
        ("clear", [{"minor-river"}, {"open"}], "all", 0),
        ("clear", [{"minor-river"}, {"open"}], "any", -1),
        ("rough", [{"minor-river"}, {"grand-river"}], "all", -2),
        ("rough", [{"minor-river"}, {"grand-river"}], "any", -3),
    ],
)
def test_terrain_shifts_and_rivers_that_all_attackers_cross(
    terrain: str, crossed: list[set[str]], reading: str, net: int
) -> None:
    shifts = {"clear": 0, "rough": -1, "minor-river": -1, "grand-river": -2}
    assert sum(shift.amount for shift in shift_for_terrain(terrain, crossed, shifts, reading)) == net


@pytest.mark.rule("10.4", "10.4.1", "10.4.4")
def test_hexes_in_enemy_hands_are_counted_but_not_beyond_lakes() -> None:
    around = [(place, set[str]()) for place in "abcdef"]
    assert held_around(around, "ab", "cde") == 5
    assert held_around(around, "ab", "bcd") == 4
    for closed in ("lake", "sea", "impassable"):
        around[0] = ("a", {closed})
        assert held_around(around, "ab", "cde") == 4
    around[0] = ("a", {"major-river"})
    assert held_around(around, "ab", "cde") == 5


@pytest.mark.rule("10.4.2")
def test_lone_asset_units_are_flanked_by_a_division_on_three_hexes() -> None:
    asset = CombatUnit("det 1", "german", "infantry", "III", False, "41.19")
    cavalry = division("1 gdc", arm="cavalry")
    assert assets_flanked([division("25/3")], [asset])
    assert not assets_flanked([division("25/3")], [asset, division("1/1")])
    assert not assets_flanked([division("2 rf/22", size="X")], [asset])
    assert assets_flanked([division("2 rf/22", size="X"), division("1 rf/22", size="X")], [asset])
    assert not assets_flanked([cavalry], [asset])
    assert not assets_flanked([asset._replace(nation="russian")] * 3, [asset])
    assert assets_flanked([cavalry, cavalry], [asset])


@pytest.mark.rule("10.8b")
def test_a_flank_attack_shifts_two_columns_right() -> None:
    assert [shift.amount for shift in shift_for_flank(True)] == [2]
    assert shift_for_flank(False) == ()


@pytest.mark.rule("10.8e")
def test_shifts_beyond_the_chart_count_whole_ratios() -> None:
    assert str(Odds.parse("8:1").shifted(-2)) == "6:1"
    assert str(Odds.parse("1:4").shifted(-2)) == "1:6"
