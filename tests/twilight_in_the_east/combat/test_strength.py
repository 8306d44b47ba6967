"""Strengths, odds and shifts, rule by rule (3.4, 10.4 to 10.8)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.mechanics.odds import Odds
from twilight_in_the_east.combat.allocation import command_of, commands_of
from twilight_in_the_east.combat.engagement import (
    artillery_value,
    attack_strength,
    defence_strength,
    final_odds,
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

from ...conftest import answered, typed


def division(name: str, place: str = "40.20", **changes: object) -> CombatUnit:
    """A sound Russian infantry division with ten steps and five artillery points."""
    unit = CombatUnit(
        name, "russian", "infantry", "XX", True, place, corps=corps_of(name), steps=10, defence=10, artillery=5
    )
    return msgspec.structs.replace(unit, **changes)


def fort(arm: str) -> CombatUnit:
    return CombatUnit("Boyen", "german", arm, "-", False, "49.27", steps=5, lost=2, fssm=3)


GUNS = CombatUnit("8 h", "russian", "artillery", "-", False, "40.20", steps=1, artillery=3, ap=True)


# --- strengths --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3", "10.5a", "10.5d", "3.5.1")
def test_steps_lost_lower_both_strengths_and_artillery_counts_with_an_ap_only() -> None:
    unit = division("29/20", lost=3)
    assert attack_strength(unit) == 7 == defence_strength(unit)
    supplied = msgspec.structs.replace(unit, ap=True)
    assert attack_strength(supplied) == 12 == defence_strength(supplied)
    assert (artillery_value(unit), artillery_value(supplied)) == (0, 5)


@pytest.mark.rule("3.4.3", "10.5a", "3.5.1")
@pytest.mark.parametrize(
    ("more", "across", "value"),
    [
        pytest.param({"ap": True}, set(), 5, id="with an AP"),
        pytest.param({}, set(), 0, id="without one"),
        pytest.param({"ap": True, "half": True}, set(), 0, id="silent under a 1/2 marker"),
        pytest.param({"ap": True}, {"minor-river"}, 5, id="whole over a Minor River"),
        pytest.param({"ap": True}, {"major-river"}, Fraction(5, 2), id="halved over a Major River"),
        pytest.param({"ap": True}, {"grand-river", "ridge"}, Fraction(5, 2), id="halved over a Grand River"),
    ],
)
def test_the_artillery_that_a_division_brings_to_bear(more: dict[str, Any], across: set[str], value: Fraction) -> None:
    assert artillery_value(division("A", **more), across) == value


@pytest.mark.rule("3.7.2", "12.2", "3.4.3", "3.5.1")
@pytest.mark.parametrize("arm", ["fortress", "fort"])
def test_fortresses_and_forts_fight_with_their_product_half_of_it_artillery(arm: str) -> None:
    assert (defence_strength(fort(arm)), artillery_value(fort(arm))) == (9, Fraction(9, 2))


@pytest.mark.rule("3.4.1", "3.4.2", "3.5.1")
def test_the_step_of_an_artillery_unit_adds_nothing() -> None:
    assert (attack_strength(GUNS), defence_strength(msgspec.structs.replace(GUNS, defence=4))) == (3, 3)


@pytest.mark.rule("3.4.2", "12.2", "10.6.2")
@pytest.mark.parametrize(("defence", "lost", "left"), [(10, 3, 7), (2, 2, 0), (2, 3, 0), (2, 1, 1)])
def test_lost_steps_lower_the_defence_to_nothing_at_least(defence: int, lost: int, left: int) -> None:
    assert defence_strength(division("A", defence=defence, lost=lost)) == left


@pytest.mark.rule("10.6.2", "12.2", "3.4.2", "10.5c")
@pytest.mark.parametrize(("half", "found"), [(False, 15), (True, 5)])
def test_a_half_marker_halves_the_defence_and_silences_the_artillery(half: bool, found: int) -> None:
    assert defence_strength(division("A", ap=True, half=half)) == found


@pytest.mark.rule("10.6.1", "3.4.1", "3.5.1")
@pytest.mark.parametrize(
    ("across", "found"),
    [({"open"}, 15), ({"minor-river"}, 15), ({"major-river"}, Fraction(15, 2)), ({"grand-river"}, Fraction(15, 2))],
)
def test_great_rivers_halve_an_attacker(across: set[str], found: Fraction) -> None:
    assert attack_strength(division("A", ap=True), across) == found


@pytest.mark.rule("4.5c", "4.4", "10.1.3a")
def test_a_side_is_rounded_once_when_all_is_added_up() -> None:
    assert rounded_total([Fraction(7, 2), Fraction(7, 2), Fraction(7, 2)]) == 11
    assert rounded_total([Fraction(7, 2)]) == 4


POSITION = """turn=1
trust charts
40.20: 25/3 (10-8-5-10), 27/3 (10-8-5-10)
41.19 clear: 1/1 (12-16-7-11)
41.19|40.20 {barrier}
{more}
"""


def battle(more: str = "", barrier: str = "open", **parameters: Any) -> Report[Any]:
    """Two Russian divisions of one corps against a German one, none of them with an AP unless the parameters give it one."""
    text = POSITION.format(more=more, barrier=barrier)
    given = {"at": "41.19", "attacker_ap": ("none",), "defender_ap": ("none",), **parameters}
    return answered(typed(text), "battle", **given)


@pytest.mark.rule("10.6.1", "10.1.3a", "4.5c", "3.5.1")
@pytest.mark.parametrize("river", ["major-river", "grand-river"])
def test_the_report_tells_each_strength_and_its_artillery_apart(river: str) -> None:
    result = battle(barrier=f"{river}\n41.19|40.20 bridge", attacker_ap=("3",), defender_ap=("1",)).result
    attacker, defender = result.attacker.units[0], result.defender.units[0]
    assert (attacker.base, attacker.artillery, attacker.strength, attacker.halved) == (
        5,
        Fraction(5, 2),
        Fraction(15, 2),
        True,
    )
    assert (defender.base, defender.artillery, defender.strength, defender.halved) == (16, 7, 23, False)
    assert (result.attacker.total, result.defender.total) == (15, 23)


@pytest.mark.rule("10.1.3a", "4.5c", "10.6.1", "3.5.1")
def test_the_report_tells_of_a_fortress_unit_and_of_a_half_marker() -> None:
    text = "turn=1\n40.20: 25/3 (10-8-5-10)\n41.19 clear: german fort - F fssm=2 steps=3\n41.19|40.20 open"
    (unit,) = answered(typed(text), "battle", at="41.19", attacker_ap=("none",)).result.defender.units
    assert (unit.base, unit.artillery, unit.strength, unit.halved) == (6, 0, 6, False)
    (unit,) = battle("1/1 half").result.defender.units
    assert (unit.strength, unit.halved) == (8, True)


# --- odds -------------------------------------------------------------------------------------------------------------


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
        (1, 3, "1:3"),
        (3, 1, "3:1"),
        (1, 1, "1:1"),
        pytest.param(0, 3, "1:4", id="an attack of nothing"),
        pytest.param(3, 0, "6:1", id="a defence of nothing"),
        pytest.param(0, 0, "6:1", id="nothing at all"),
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
@pytest.mark.parametrize(
    ("attack", "defence", "net", "odds"), [(2, 1, 2, "4:1"), (1, 1, 2, "3:1"), (0, 3, 0, "1:4"), (3, 0, 0, "6:1")]
)
def test_nothing_shifts_where_there_is_no_ratio(attack: int, defence: int, net: int, odds: str) -> None:
    found = final_odds(attack, defence, shift_for_flank(flanked=True))
    assert (found[0], str(found[1])) == (net, odds)


@pytest.mark.rule("10.8e")
def test_shifts_beyond_the_chart_count_whole_ratios() -> None:
    assert str(Odds.parse("8:1").shifted(-2)) == "6:1"
    assert str(Odds.parse("1:4").shifted(-2)) == "1:6"


# --- commands ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.4.1a")
def test_corps_of_one_number_are_told_apart_by_nation_and_independents_by_hex() -> None:
    russian, german = division("A", corps="1"), division("B", corps="1", nation="german")
    lone, other = division("C"), division("D", nation="german")
    assert command_of(russian, [russian, german]) == "russian 1"
    assert command_of(russian, [russian, msgspec.structs.replace(german, corps="2")]) == "1"
    assert command_of(lone, [lone, other]) == "40.20"


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
    joined = msgspec.structs.replace(asset, with_="29/20")
    assert command_of(joined, [first, second, joined]) == "20"
    assert [force.name for force in forces([first, second, joined])] == ["25/3", "29/20"]
    assert forces([first, second, joined])[1].units == (second, joined)
    assert forces([asset])[0].formation is None
    (alone,) = forces([asset, msgspec.structs.replace(asset, id="det 2")])
    assert [unit.id for unit in alone.units] == ["det 1", "det 2"], "two Asset Units alone are one Force"


@pytest.mark.rule("6.2.4b")
def test_an_asset_unit_joins_a_formation_of_its_own_nation_only() -> None:
    german, austrian = division("G", nation="german"), division("A", nation="austro-hungarian")
    guns = CombatUnit("guns", "austro-hungarian", "artillery", "-", False, "40.20", with_="G")
    assert [(force.name, len(force.units)) for force in forces([german, austrian, guns])] == [("G", 1), ("A", 2)]
    assert [force.name for force in forces([german, guns])] == ["G", "guns"]


# --- shifts -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10.3.1")
def test_a_prepared_attack_needs_every_marker_on_the_hex() -> None:
    ready = division("25/3", prepared="41.19")
    assert [shift.amount for shift in shift_for_prepared([ready], "41.19")] == [1]
    assert shift_for_prepared([ready, division("27/3")], "41.19") == ()
    assert shift_for_prepared([ready, division("27/3", prepared="41.20")], "41.19") == ()


@pytest.mark.rule("10.8d", "13.3.1b")
@pytest.mark.parametrize(
    ("level", "more", "amounts"),
    [
        pytest.param(2, {"ap": True}, [-2, 1], id="heavy artillery with an AP"),
        pytest.param(2, {}, [-2], id="no AP"),
        pytest.param(2, {"ap": True, "artillery": 0}, [-2], id="no artillery left"),
        pytest.param(2, {"ap": True, "half": True}, [-2], id="silent under a 1/2 marker"),
        pytest.param(2, {"ap": True, "classes": frozenset({"field"})}, [-2], id="of another kind"),
        pytest.param(3, {"ap": True, "classes": frozenset({"heavy", "high-trajectory"})}, [-3, 2], id="of both kinds"),
        pytest.param(1, {"ap": True, "classes": frozenset({"heavy", "high-trajectory"})}, [-1, 1], id="Level 1"),
        pytest.param(1, {"ap": True, "classes": frozenset()}, [-1], id="of no kind"),
        pytest.param(2, {"ap": True, "classes": frozenset({"high-trajectory"})}, [-2, 1], id="high trajectory"),
        pytest.param(4, {"ap": True, "classes": frozenset({"heavy", "high-trajectory"})}, [-4, 2], id="Level 4"),
        pytest.param(0, {"ap": True}, [], id="no position"),
    ],
)
def test_what_negates_an_improved_position(level: int, more: dict[str, Any], amounts: list[int]) -> None:
    attackers = [division("A", **{"classes": frozenset({"heavy"}), **more})]
    assert [shift.amount for shift in shift_for_position(level, attackers)] == amounts


SHIFTS = {"clear": 0, "rough": -1, "minor-river": -1, "grand-river": -2, "road": 0}


@pytest.mark.rule("10.8a")
@pytest.mark.parametrize(
    ("terrain", "crossed", "reading", "told"),
    [
        pytest.param("clear", [], "all", [], id="nothing crossed"),
        pytest.param("clear", [{"road"}], "all", [], id="nothing that shifts"),
        pytest.param("rough", [{"road"}], "all", [("rough terrain", -1)], id="terrain alone"),
        pytest.param(
            "clear",
            [{"minor-river", "grand-river", "road"}],
            "all",
            [("across grand-river and minor-river", -2)],
            id="the worst",
        ),
        pytest.param("clear", [{"minor-river"}, {"road"}], "all", [], id="not all cross"),
        pytest.param(
            "rough",
            [{"minor-river"}, {"grand-river"}],
            "all",
            [("rough terrain", -1), ("across grand-river and minor-river", -1)],
            id="the mildest of several hexsides",
        ),
        pytest.param(
            "rough",
            [{"minor-river"}, {"grand-river"}],
            "any",
            [("rough terrain", -1), ("across grand-river and minor-river", -2)],
            id="or the worst",
        ),
        pytest.param("clear", [{"minor-river"}, {"road"}], "any", [("across minor-river", -1)], id="any crosses"),
        pytest.param(
            "clear", [{"minor-river"}, {"unknown"}], "any", [("across minor-river", -1)], id="not in the chart"
        ),
    ],
)
def test_what_the_ground_shifts(
    terrain: str, crossed: list[set[str]], reading: str, told: list[tuple[str, int]]
) -> None:
    found = shift_for_terrain(terrain, crossed, SHIFTS, reading)
    assert [(shift.why, shift.amount) for shift in found] == told


@pytest.mark.rule("10.8b")
def test_a_flank_attack_shifts_two_columns_right() -> None:
    assert [shift.amount for shift in shift_for_flank(flanked=True)] == [2]
    assert shift_for_flank(flanked=False) == ()
