"""Stacks: what they count, how much may stay, and how they lie (4.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.forces.units import stacking_order as order
from twilight_in_the_east.movement.stacking import excess_choices

from ...conftest import answered, settings_of, told, typed


def unit(id: str, arm: str = "infantry", steps: int = 6, **more: Any) -> CombatUnit:
    return CombatUnit(id, "german", arm, "XX", True, "41.19", steps=steps, **more)


@pytest.mark.rule("4.2.5b")
def test_the_example_of_4_2_5() -> None:
    """A Demoralized unit of 6 steps lies under a sound one of 5, and so does one with a 1/2 marker."""
    for large in (unit("large", levels=4), unit("large", half=True)):
        assert order([large, unit("small", steps=5)], [], in_position=False) == ("small", "large")
    assert order([unit("small", steps=5), unit("large")], [], in_position=False) == ("large", "small")
    assert order([unit("lost", steps=8, lost=4), unit("whole", steps=5)], [], in_position=False)[0] == "whole"


@pytest.mark.rule("4.2.5")
def test_the_order_of_arms() -> None:
    units = [unit("G", "artillery", 1), unit("F", "fortress"), unit("I"), unit("C", "cavalry"), unit("J", steps=2)]
    assert order(units, ["Train"], in_position=False) == ("C", "I", "F", "G", "Train", "J")
    assert order(units, ["Train"], in_position=True) == ("I", "C", "F", "G", "Train", "J")
    units = [unit("G", "artillery", 1), unit("F", "fort"), unit("I")]
    assert order(units, [], in_position=False) == ("I", "F", "G")
    assert order([unit("C", "cavalry")], [], in_position=True) == ("C",)


def asked(units: str, at: str = "41.19") -> Report[Any]:
    return answered(typed(f"41.19{units}"), "stack", at=at)


DIVISION, GUNS = "german infantry XX {} (12-16-7-11)", "german artillery - {}"


@pytest.mark.rule("4.2.1", "4.2.4")
def test_a_stack_that_is_too_high() -> None:
    three = ", ".join(DIVISION.format(name) for name in "ABC")
    full = asked(f": {three}, {GUNS.format('G')}, {GUNS.format('H')}").result
    assert (full.divisions, full.guns, full.too_many, full.too_many_guns) == (3, 2, 0, 0)
    more = asked(f': {three}, german infantry X D (5-6-0-9), "German 1 Train"')
    assert (more.result.divisions, more.result.too_many) == (4, 1)
    assert (
        more.verdict.text
        == "4 divisions and 0 artillery units in 41.19, A on top; over-stacked by 1 division and 0 artillery units"
    )
    riding = asked(f": {three}, {DIVISION.format('D')} entrained").result
    assert (riding.divisions, riding.too_many) == (Fraction(3), 0)


@pytest.mark.rule("4.2.5")
def test_a_stack_that_lies_as_it_may_not() -> None:
    report = asked(f": {DIVISION.format('A')}, german cavalry XX C (3-3-1-10)")
    assert report.result.order == ("C", "A")
    assert "A is wrongly on top: move it to its place in the stacking order" in told(report)
    in_position = asked(f" ip=1: {DIVISION.format('A')}, german cavalry XX C (3-3-1-10)")
    assert in_position.result.order == in_position.result.as_placed == ("A", "C")


def test_an_empty_hex() -> None:
    with pytest.raises(InputError, match="no unit is in 45.20"):
        asked(": 1/1", at="45.20")


# --- what is too much -------------------------------------------------------------------------------------------------

FOUR = f": {', '.join(DIVISION.format(name) for name in 'ABCD')}"


@pytest.mark.rule("4.2.3")
def test_what_is_too_much_at_the_end_of_a_movement_phase_goes() -> None:
    report = answered(typed(f"41.19{FOUR}"), "stack", at="41.19", moved="yes")
    assert report.result.excess == (("A",), ("B",), ("C",), ("D",))
    assert [(ask.name, ask.options) for ask in report.asks] == [("excess", ("A", "B", "C", "D"))]
    chosen = answered(typed(f"41.19{FOUR}\nanswers excess=C"), "stack", at="41.19", moved="yes")
    assert [(change.subject, change.after, change.rule) for change in settings_of(chosen)] == [("C", None, "4.2.3")]
    fits = answered(typed(f"41.19{FOUR} entrained"), "stack", at="41.19", moved="yes")
    assert (fits.result.excess, fits.asks, fits.changes) == ((), (), ())


@pytest.mark.rule("4.2.3")
def test_no_more_goes_than_has_to_and_without_a_choice_at_once() -> None:
    guns = ", ".join(GUNS.format(name) for name in "GHI")
    found = asked(f": {DIVISION.format('A')}, {guns}").result
    assert found.excess == (("G",), ("H",), ("I",))
    train = f': {", ".join(DIVISION.format(name) for name in "ABC")}, "German 1 Train"'
    assert asked(train).result.excess == (("A",), ("B",), ("C",), ("German 1 Train",))
    halves = f"{FOUR}, german infantry X E (5-6-0-9)"
    assert ("A", "E") in asked(halves).result.excess
    assert ("A",) not in asked(halves).result.excess


@pytest.mark.rule("4.2.3", "4.2.3c")
def test_until_then_it_may_stand_where_a_reaction_or_a_retreat_has_made_it_so() -> None:
    before = asked(FOUR)
    assert (before.asks, before.changes) == ((), ())
    (said,) = told(before, "Over-stacked")
    assert said.startswith("an over-stack caused by an arrival, a Cavalry Reaction or a retreat may stand for now")
    after = answered(typed(f"41.19{FOUR}"), "stack", at="41.19", moved="yes")
    (said,) = told(after, "Over-stacked")
    assert said == "over-stacked at the end of its side's movement phase: its owner must eliminate one of: A, B, C, D"
    report = asked(": " + ", ".join(GUNS.format(name) for name in "GHI"))
    (said,) = told(report, "Over-stacked")
    assert said.endswith("at the end of its side's next movement phase its owner must eliminate one of: G, H, I")


@pytest.mark.rule("4.2.3", "4.2.3c")
def test_of_a_stack_of_very_many_units_it_is_not_listed_who_may_go() -> None:
    crowd = ", ".join(DIVISION.format(f"U{number}") for number in range(13))
    report = answered(typed(f"41.19: {crowd}"), "stack", at="41.19", moved="yes")
    assert (report.result.too_many, report.result.excess, report.asks) == (10, (), ())
    (said,) = told(report, "Over-stacked")
    assert said.endswith("its owner must eliminate as many units as it takes")


@pytest.mark.rule("4.2.3")
def test_up_to_twelve_units_it_is_listed_which_may_go() -> None:
    guns = [unit(f"G{number}", "artillery", 1) for number in range(13)]
    assert len(excess_choices(guns[:12], [])) == 66, "ten of twelve go"
    assert excess_choices(guns, []) == ()
    assert excess_choices(guns[:2], []) == ()
    assert excess_choices(guns[:3], ["Train"]) == (("G0",), ("G1",), ("G2",))


@pytest.mark.rule("4.2.3", "4.2.3c")
def test_a_stack_that_is_not_too_high_loses_nothing() -> None:
    text = f"41.19: {DIVISION.format('A')}"
    fits = answered(typed(text), "stack", at="41.19", moved="yes")
    assert (fits.changes, fits.asks, "Over-stacked" in [part.title for part in fits.parts]) == ((), (), False)
    with pytest.raises(InputError, match="excess: no choice of that name is due"):
        answered(typed(f"{text}\nanswers excess=A"), "stack", at="41.19", moved="yes")


@pytest.mark.rule("4.2.3", "8.9.3a")
def test_what_follows_an_elimination_is_carried_out_as_after_any_move() -> None:
    """A marker that an enemy next to its unit takes off is gone before the enemy is."""
    enemy = "\n41.20: russian infantry XX R (5-6-0-9) disorder=1 expended=3 task=disorder"
    guns = ", ".join(GUNS.format(name) for name in "GHI")
    text = f"41.19: {DIVISION.format('A')}, {guns}{enemy}"
    report = answered(typed(text), "stack", at="41.19", moved="yes", answers={"excess": "G"})
    assert {(one.track, one.subject, one.after) for one in report.changes} == {
        ("place", "G", None),
        ("task", "R", None),
        ("expended", "R", None),
    }


@pytest.mark.rule("23.4.1")
def test_who_stands_where_he_may_never_be() -> None:
    position = typed("17.114: austro-hungarian infantry XX A (9-9-0-9), german infantry XX G (9-9-0-9)")
    (line,) = told(answered(position, "stack", at="17.114"), "Who may be there")
    assert line.startswith("G cannot be in 17.114: only Austro-Hungarian units enter this half-hex")
