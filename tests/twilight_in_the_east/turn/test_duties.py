"""What a phase owes, over plain values."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.asking import holding
from twilight_in_the_east.arrivals.entry import is_withdrawn
from twilight_in_the_east.turn.duties import is_carried_out, rail_unit_idles, rolls_for_weather, task_goes_on
from twilight_in_the_east.turn.markers import bars_to_placing


@pytest.mark.rule("5.3.1b")
@pytest.mark.parametrize(
    ("turn", "stated", "due"),
    [
        (1, "", True),
        (10, "", True),
        (10, "normal", False),
        (11, "", False),
        (16, "", False),
        (17, "", False),
        (23, "", False),
        (24, "", False),
        (33, "", False),
        (34, "", True),
        (47, "", True),
        (47, "freeze", False),
    ],
)
def test_the_weather_is_rolled_for_in_the_turns_that_have_a_choice(turn: int, stated: str, due: bool) -> None:
    assert rolls_for_weather(turn, stated) is due


@pytest.mark.rule("3.3.6", "16.5")
@pytest.mark.parametrize(("indicator", "gone"), [(None, False), (5, False), (4, True), (3, True)])  # in GT 4
def test_a_unit_is_withdrawn_in_the_turn_on_its_counter(indicator: int | None, gone: bool) -> None:
    assert is_withdrawn(indicator, 4) is gone


def test_what_is_done_once_a_turn_is_done_in_this_turn_alone() -> None:
    assert [is_carried_out(last, 4) for last in (None, 3, 4, 5)] == [False, False, True, False]


@pytest.mark.rule("8.9.2")
@pytest.mark.parametrize(
    ("left", "spent", "goes_on"),
    [
        (None, 0, True),
        (None, 1, False),
        (Fraction(1), 3, True),
        (Fraction(1, 2), 0, False),
        (Fraction(3, 2), 0, True),
        (Fraction(0), 0, False),
    ],
)
def test_a_task_goes_on_as_long_as_a_whole_point_is_left(left: Fraction | None, spent: int, goes_on: bool) -> None:
    assert task_goes_on(left, Fraction(spent)) is goes_on


@pytest.mark.parametrize(
    ("left", "spent", "idles"),
    [(None, 0, True), (None, 1, False), (Fraction(1, 2), 3, True), (Fraction(0), 0, False)],
)
def test_a_unit_in_rail_mode_never_idles(left: Fraction | None, spent: int, idles: bool) -> None:
    assert rail_unit_idles(left, Fraction(spent)) is idles


def test_a_fraction_of_a_point_detrains_no_unit() -> None:
    assert not rail_unit_idles(Fraction(3, 4), Fraction(6), arrived=True)
    assert rail_unit_idles(Fraction(1), Fraction(6), arrived=True)
    assert rail_unit_idles(None, Fraction(0), arrived=True)


@pytest.mark.rule("5.4.7")
def test_no_prepared_attack_marker_is_placed_in_the_counter_movement_phase() -> None:
    assert not holding(bars_to_placing("movement"))
    assert not holding(bars_to_placing("counter-attack"))
    (bar,) = holding(bars_to_placing("counter-movement"))
    assert (bar.rule, bar.text) == ("5.4.7", "none are placed in the Counter Movement Phase")
