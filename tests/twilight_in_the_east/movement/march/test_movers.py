"""Who marches at all: dots on counters, accounts, one unit after the other (3.3.5, 8.1)."""

from __future__ import annotations

import pytest

from ....conftest import answered, typed, why_not
from .ground import COUNTER, NOW, changes_of, german, moved, reached, russian, text_of


@pytest.mark.rule("3.3.5")
@pytest.mark.parametrize(
    ("dot", "rules"),
    [
        ("", []),
        ("restriction=immobile", ["3.3.5"]),
        ("restriction=immobile release=6", ["3.3.5"]),
        ("restriction=immobile release=5", []),
        ("restriction=immobile release=4", []),
        ("restriction=city", ["3.3.5"]),
        ("restriction=city release=6", ["3.3.5"]),
        ("restriction=city release=5", []),
        ("restriction=fortress", ["12.4.1"]),
        ("restriction=fortress release=6", ["12.4.1"]),
        ("restriction=fortress release=5", []),
        ("restriction=fortress release=5 garrison", []),
        ("garrison", ["12.4.1"]),
        ("garrison restriction=immobile release=4", ["12.4.1"]),
        ("garrison restriction=fortress", ["12.4.1"]),
        ("garrison restriction=fortress release=6", ["12.4.1"]),
    ],
)
def test_units_with_dots_in_a_move_and_in_reach(dot: str, rules: list[str]) -> None:
    text = f"30.20: {russian('R', dot)}"
    assert why_not(moved(text, "R", "30.19")) == rules
    report = reached(text, "R")
    assert bool(report.result and report.result.hexes) is not rules or not rules
    assert ("30.19" in [place.hex for place in report.result.hexes] if report.result else False) is (not rules)


@pytest.mark.rule("8.1b")
def test_a_unit_completes_its_move_before_another_begins() -> None:
    text = f"30.20: {russian('R', 'spent=march:2 passed=30.21,30.20')}\n31.20: {russian('S')}\n33.20: {german('G', 'spent=march:1')}"
    text = text.replace("passed=30.21,30.20", 'passed="30.21 30.20"')
    assert changes_of(moved(text, "S", "31.19"), "ended") == {("ended", "R"): True}
    assert changes_of(moved(text, "R", "30.19"), "ended") == {}
    over = text.replace("spent=march:2", "spent=march:2 ended")
    assert why_not(moved(over, "R", "30.19")) == ["8.1"]
    assert changes_of(moved(over, "S", "31.19"), "ended") == {}
    assert reached(over, "R").verdict.kind == "no"


@pytest.mark.rule("8.1b")
def test_a_move_goes_on_from_where_it_was_left() -> None:
    text = f"30.20: {russian('R')}"
    report = moved(text, "R", "30.19,30.18")
    assert changes_of(report, "spent", "passed") == {("spent", "R"): "march:4", ("passed", "R"): "30.20 30.19 30.18"}
    later = f"30.18: {russian('R', 'spent=march:4 passed=30.20')}".replace("passed=30.20", 'passed="30.20 30.19 30.18"')
    assert moved(later, "R", "30.17").verdict.text == "R goes to 30.17: 2 Movement Points; 1 left"
    on = changes_of(moved(later, "R", "30.17"), "spent", "passed")
    assert on == {("spent", "R"): "march:6", ("passed", "R"): "30.20 30.19 30.18 30.17"}


@pytest.mark.rule("3.3.4", "5.4.7")
@pytest.mark.parametrize(("now", "left"), [(NOW, "5"), (COUNTER, "3/2")])
def test_the_counter_movement_phase_halves_allowances_exactly(now: str, left: str) -> None:
    report = moved(f"30.20: {russian('R')}", "R", "30.19", now)
    assert str(report.result.moves[0].spending.left) == left
    (place,) = [place for place in reached(f"30.20: {russian('R')}", "R", now).result.hexes if place.hex == "30.19"]
    assert str(place.left) == left


@pytest.mark.rule("3.3.4a", "8.2.7")
def test_a_depot_goes_by_rail_alone() -> None:
    text = "30.20: russian minor-depot - D rail-allowance=1, russian major-depot - E rail-allowance=1"
    assert why_not(moved(text, "D", "30.19")) == ["8.2.7"]
    assert why_not(moved(text, "E", "30.19")) == ["8.2.7"]
    assert reached(text, "D").verdict.text == "D is a depot, which moves only along railways"


@pytest.mark.rule("3.3.4")
@pytest.mark.parametrize(
    ("printed", "rules"),
    [("movement=0", ["3.3.4"]), ("rail-allowance=7", ["3.3.4a"]), ("movement=2", []), ("", []), ("movement=1", [])],
)
def test_a_unit_without_an_allowance_makes_no_forced_march_either(printed: str, rules: list[str]) -> None:
    text = f"30.20: russian infantry XX R {printed}"
    assert why_not(moved(text, "R", "30.19")) == rules
    assert reached(text, "R").verdict.kind == ("no" if rules else "figure" if printed else "undecided")


@pytest.mark.rule("3.3.4", "3.3.4a")
def test_an_allowance_with_an_r_is_one_too() -> None:
    text = text_of(f"30.20: russian infantry XX R movement=0 rail-allowance=7\n30.18: {german('G')}")
    assert "3.3.4" not in why_not(answered(typed(text), "dig-in", unit="R", points=1))
