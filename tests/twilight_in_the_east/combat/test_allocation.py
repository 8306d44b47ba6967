"""Artillery Ammunition Points in a combat: whom each serves, who goes without, and who needs none."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.combat.allocation import (
    Allotment,
    can_use,
    commands_of,
    magazines_at,
    reallocate,
)
from twilight_in_the_east.forces.units import CombatUnit

from ...conftest import answered, told, typed, viewed
from .test_strength import division


@pytest.mark.rule("10.5.1")
def test_a_point_for_each_corps_and_each_stack_of_independent_units() -> None:
    units = [division("25/3"), division("27/3", "40.19"), division("4 r"), division("5 r"), division("6 r", "40.19")]
    assert commands_of(units, units) == ("3", "40.20", "40.19")
    assert [Allotment(units, units).serves("3", unit) for unit in units] == [True, True, False, False, False]
    assert [Allotment(units, units).serves("40.20", unit) for unit in units] == [False, False, True, True, False]


@pytest.mark.rule("10.5c")
@pytest.mark.parametrize(
    ("unit", "useful"),
    [
        (division("25/3"), True),
        (division("25/3", artillery=0), False),
        (division("25/3", half=True), False),
        (division("25/3", flags=frozenset({"displaced"})), False),
        (division("Nikolaiken"), False),
    ],
)
def test_to_whom_a_point_is_of_use(unit: CombatUnit, useful: bool) -> None:
    assert can_use(unit) is useful


@pytest.mark.rule("10.5c")
def test_of_those_who_are_left_only_who_can_use_a_point_has_one() -> None:
    left = [division("25/3"), division("27/3", artillery=0), division("28/3", flags=frozenset({"displaced"}))]
    assert [unit.ap for unit in reallocate(left, ("3",))] == [True, False, False]


TWO_STACKS = """turn=3
40.20: russian infantry XX 25/3 (10-?-5-10), russian infantry XX 4/6 (8-?-4-9)
40.19: russian infantry XX 29/20 (10-?-5-10)
41.19 clear: {defender}
41.19|40.19,40.20 open
ask battle at=41.19 attacker-ap={ap} defender-ap={other}
"""


def battle(ap: str, defender: str = "1/1 (12-16-7-11)", other: str = "1") -> Report[Any]:
    return answered(typed(TWO_STACKS.format(ap=ap, defender=defender, other=other)))


@pytest.mark.rule("10.5.1")
def test_a_battle_names_those_without() -> None:
    report = battle("3,20")
    found = report.result.attacker
    assert (found.points, found.points_needed, found.without) == (("20", "3"), 3, ("4/6",))
    texts = told(report)
    assert "attacker: 3 APs would serve all, but at most two may be allocated; without an AP: 4/6" in texts
    assert not [text for text in texts if text.startswith("defender") and "without" in text]
    assert "defender: 1 AP would serve all; without an AP: 1/1" in told(battle("3,20", other="none"))
    found = battle("all").result.attacker
    assert (found.points, found.without) == (("20", "3"), ("4/6",))
    assert found.points_needed == 3


@pytest.mark.rule("10.5", "10.5b", "10.5c")
@pytest.mark.parametrize(
    ("change", "ap", "brief"),
    [
        (("", ""), "all", "attacker's 4/6 without an AP, as a side has 2 at most"),
        (("", ""), "none", ""),
        (("4/6 (8-?-4-9)", "4/6 (8-?-0-9)"), "all", ""),
    ],
)
def test_in_brief_a_battle_names_those_for_whom_two_points_are_too_few(
    change: tuple[str, str], ap: str, brief: str
) -> None:
    text = TWO_STACKS.format(ap=ap, defender="1/1 (12-16-7-11)", other="1").replace(*change)
    (strengths,) = (part for part in answered(typed(text)).parts if part.title == "Strengths")
    assert strengths.brief == brief


@pytest.mark.rule("10.5.1", "10.5b")
def test_a_point_of_a_magazine_serves_a_stack_whatever_its_corps() -> None:
    found = battle("magazine:40.20,20").result.attacker
    assert (found.points, found.without) == (("20", "magazine:40.20"), ())
    assert {unit.unit: unit.artillery for unit in found.units} == {"25/3": 5, "4/6": 4, "29/20": 5}
    three = battle("3,6,magazine:40.19")
    assert [step.text for step in three.parts[0].steps] == ["attacker: 3 APs, but a combat allows only two"]


STOCKED = "40.20 magazine=russian\n"


@pytest.mark.rule("10.5.5", "10.5.1")
def test_a_magazine_that_is_known_counts_as_available() -> None:
    """All are served by two APs where three would be needed without it; a unit that stays out changes that."""
    found = answered(typed(TWO_STACKS.format(ap="all", defender="1/1 (12-16-7-11)", other="1") + STOCKED)).result
    assert (found.attacker.points, found.attacker.points_needed) == (("20", "magazine:40.20"), 2)
    assert {one.unit: one.column for one in found.optional if one.side == "attacker"}.keys() == {"25/3", "4/6", "29/20"}
    text = TWO_STACKS.replace(" attacker-ap={ap}", "").format(defender="1/1 (12-16-7-11)", other="1")
    (ask,) = (ask for ask in answered(typed(text + STOCKED)).asks if ask.kind == "parameter")
    assert ask.how.endswith(", or all, or none; magazine:40.20 serves all in its hex")
    (ask,) = (ask for ask in answered(typed(text)).asks if ask.kind == "parameter")
    assert "magazine" not in ask.how


@pytest.mark.rule("10.5.5")
@pytest.mark.parametrize(
    ("there", "more", "known", "open_still"),
    [
        ("russian infantry XX A", "", [], ["magazine in 40.20"]),
        ("russian fortress - F complex-magazine=yes", "40.20 magazine=none", ["magazine of F"], []),
        ("russian fortress - F", "40.20 magazine=russian", ["magazine in 40.20"], ["magazine of F"]),
        ("russian fortress - F complex-magazine=no, russian fort - G", "", [], ["magazine of G"]),
        ("russian fortress - F", "45.20 magazine=russian", [], ["magazine of F", "magazine in 40.20"]),
        ("russian fortress - F complex=X", "45.20 magazine=russian", ["magazine of F"], ["magazine in 40.20"]),
        ("russian fortress - F complex=Y", "45.20 magazine=russian", [], ["magazine of F", "magazine in 40.20"]),
        ("russian fortress - F complex=X", "45.20 magazine=none", [], ["magazine of F", "magazine in 40.20"]),
    ],
)
def test_on_which_magazines_a_stack_may_draw(there: str, more: str, known: list[str], open_still: list[str]) -> None:
    """The hexes of other fortress units of the complex tell of it, not those of its enemies or of other units."""
    others = "45.20: russian fort - H complex=X\n45.21: russian infantry XX B\n46.20: german fort - E complex=X\n"
    others += "45.21 magazine=russian\n46.20 magazine=russian\n"
    found = magazines_at(viewed(f"40.20: {there}\n{others}{more}"), "40.20", "russian")
    assert [magazine.name for magazine in found if not magazine.asks] == known
    assert [magazine.name for magazine in found if magazine.asks] == open_still


@pytest.mark.rule("10.5.1")
def test_a_magazine_is_not_drawn_on_where_it_spares_nothing() -> None:
    units = [division("25/3"), division("27/3"), division("29/20", "40.19")]
    assert Allotment(units, units, ("magazine:40.20", "magazine:40.19")).fewest() == ("3", "20")
    several = [*units, division("4 r")]
    assert Allotment(several, several, ("magazine:40.20", "magazine:40.19")).fewest() == ("magazine:40.20", "20")
    spread = [*several, division("28/3", "40.19")]
    assert Allotment(spread, spread, ("magazine:40.20",)).fewest() == ("3", "20", "40.20"), (
        "3 Corps needs one elsewhere too"
    )


@pytest.mark.rule("10.5.1")
def test_the_point_of_boyen_serves_one_unit() -> None:
    both = 'german infantry X Lötzen (4-5-1-8), german infantry X "5 lw" (4-5-1-8)'
    found = battle("none", both, "Boyen").result.defender
    assert [(unit.unit, unit.ap) for unit in found.units] == [("Lötzen", True), ("5 lw", False)]
    with pytest.raises(InputError, match="no command 'Boyen' fights here"):
        battle("none", other="Boyen")


@pytest.mark.parametrize("ap", ["magazine:40.21", "Boyen", "9"])
def test_points_for_nobody(ap: str) -> None:
    with pytest.raises(InputError, match=f"attacker-ap: no command '{ap}' fights here"):
        battle(ap)


@pytest.mark.rule("10.5d", "10.5a")
def test_the_two_batteries_need_no_point() -> None:
    stack = 'german infantry X "5 lw" (4-5-1-8), Nikolaiken (1-?-2-?)'
    found = battle("none", stack, "none").result.defender
    assert [(unit.unit, unit.strength, unit.ap) for unit in found.units] == [
        ("5 lw", 5, False),
        ("Nikolaiken", 2, False),
    ]
    assert (found.artillery, found.without) == (2, ("5 lw",))
    ordinary = battle("none", stack.replace("Nikolaiken", 'german artillery - "8 h"'), "none").result.defender
    assert (ordinary.artillery, ordinary.without) == (0, ("5 lw", "8 h"))


@pytest.mark.rule("8.5.1")
def test_no_artillery_counts_in_a_repulse() -> None:
    text = "turn=3\n40.20: 25/3 (10-?-5-10)\n41.19 clear: {}\n41.19|40.20 open\nask repulse at=41.19 from=40.20"
    alone, with_it = 'german infantry X "5 lw" (4-5-1-8)', 'german infantry X "5 lw" (4-5-1-8), Nikolaiken (1-?-2-?)'
    found = [answered(typed(text.format(stack))).verdict.text for stack in (alone, with_it)]
    assert found[0] == found[1]


def test_a_command_may_be_named_without_its_spaces() -> None:
    text = 'turn=1\ntrust charts counters\n40.20: 25/3\n41.19 clear: "1 r/1 R"\n41.19|40.20 open\n'
    said = [
        answered(typed(text), "battle", at="41.19", attacker_ap=("none",), defender_ap=(ap,)).result.defender
        for ap in ("1 R", "1R", "1r")
    ]
    assert said[0].points == ("1 R",)
    assert said[0] == said[1] == said[2]
