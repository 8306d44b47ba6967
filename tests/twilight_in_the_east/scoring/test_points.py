"""What earns Victory Points and what costs them (27.2), each clause with its boundaries."""

from __future__ import annotations

import pytest

from assistant.state.changes import Gain
from twilight_in_the_east.scoring.points import (
    ATTACKS,
    PLANS,
    Award,
    format_awards,
    gains,
    last_prepared,
    score_plan_abandoned,
    score_plan_achieved,
    score_prepared_attack,
)

from ...conftest import viewed


@pytest.mark.rule("27.2.1")
@pytest.mark.parametrize(
    ("shift", "magnitude", "phase", "last", "points"),
    [
        (1, "Medium", "", None, 1),
        (1, "Large", "attack", 9, 1),
        (1, "Massive", "attack", 8, 1),
        (2, "Massive", "attack", None, 1),
        (1, "Massive", "attack", 7, 0),
        (1, "Massive", "attack", 0, 0),
        (1, "Small", "attack", None, 0),
        (0, "Large", "attack", None, 0),
        (-1, "Large", "attack", None, 0),
        (1, "Large", "counter-attack", None, 0),
    ],
)
def test_what_a_prepared_attack_earns(shift: int, magnitude: str, phase: str, last: int | None, points: int) -> None:
    assert score_prepared_attack(shift, magnitude, phase, 8, last) == points


@pytest.mark.rule("27.2.2a", "27.2.2b")
def test_a_plan_earns_the_less_the_later_and_costs_the_more_the_farther_off() -> None:
    by_turn = [score_plan_achieved(turn) for turn in range(1, 15)]
    assert by_turn == [14, 14, 14, 10, 10, 7, 7, 5, 5, 3, 3, 2, 2, 2]
    assert score_plan_achieved(47) == 2
    by_distance = [score_plan_abandoned(distance) for distance in range(10)]
    assert by_distance == [-4, -4, -7, -7, -10, -10, -13, -13, -16, -16]
    assert score_plan_abandoned(40) == -16


@pytest.mark.rule("27.2.2a", "27.2.2b")
def test_a_plan_achieved_in_gt_6_and_one_abandoned_5_hexes_off_come_to_less_than_nothing() -> None:
    """Example 27.2."""
    assert (score_plan_achieved(6), score_plan_abandoned(5)) == (7, -10)
    awards = [Award(PLANS, "russian", 7, "russian First"), Award(PLANS, "russian", -10, "russian Second")]
    assert gains(awards) == (Gain(PLANS, "russian", -3, "27.2.2"),)
    assert [step.text for step in format_awards(viewed(""), awards)] == [
        "Russian: -3 Victory Points for the Strategic Plan of the Russian First Army, the Russian Second Army"
    ]


@pytest.mark.rule("27.1")
def test_each_account_of_a_side_changes_once_and_one_that_comes_to_nothing_not_at_all() -> None:
    awards = [
        Award(ATTACKS, "russian", 1, "40.20"),
        Award(PLANS, "central-powers", 7, "First"),
        Award(ATTACKS, "russian", 1, "41.20"),
        Award(PLANS, "central-powers", -7, "Second"),
    ]
    assert gains(awards) == (Gain(ATTACKS, "russian", 2, "27.2.1"),)
    assert gains([]) == ()


@pytest.mark.rule("27.2.1")
@pytest.mark.parametrize(
    ("stated", "last"),
    [
        ("turn=4", {"Medium": None, "Large": None, "Massive": None}),
        ("prepared-points-end=9", {"Medium": 9, "Large": 9, "Massive": 9}),
        ("prepared-points-end-medium=3", {"Medium": 3, "Large": None, "Massive": None}),
        ("prepared-points-end-medium=3 prepared-points-end-massive=8", {"Medium": 3, "Large": None, "Massive": 8}),
        ("prepared-points-end=9 prepared-points-end-large=12", {"Medium": 9, "Large": 9, "Massive": 9}),
        ("prepared-points-end=9 prepared-points-end-large=0", {"Medium": 9, "Large": 0, "Massive": 9}),
    ],
)
def test_a_scenario_ends_the_points_of_prepared_attacks_for_all_or_for_a_magnitude(
    stated: str, last: dict[str, int | None]
) -> None:
    assert {magnitude: last_prepared(viewed(stated), magnitude) for magnitude in last} == last
    assert last_prepared(viewed(stated), "Small") == (9 if "end=9" in stated else None)


def test_what_an_exception_denies_is_said_and_changes_nothing() -> None:
    denied = Award(ATTACKS, "russian", 0, "41.19")
    assert gains([denied]) == ()
    (said,) = format_awards(viewed("turn=4"), [denied])
    assert said.text == "Russian: no Victory Point for the Prepared Attack on 41.19, by an exception of the scenario"
