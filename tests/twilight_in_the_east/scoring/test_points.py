"""What earns Victory Points and what costs them (27.2), each clause with its boundaries."""

from __future__ import annotations

import pytest

from assistant.state.changes import Gain
from twilight_in_the_east.scoring.points import (
    ATTACKS,
    PLANS,
    Score,
    for_prepared_attack,
    for_town,
    gains,
)


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
    assert for_prepared_attack(shift, magnitude, phase, 8, last) == points


@pytest.mark.rule("27.2.4")
def test_a_starred_town_earns_its_number_if_the_other_side_held_it() -> None:
    assert for_town(3, "russian", "central-powers") == 3
    assert for_town(3, "central-powers", "central-powers") == 0


@pytest.mark.rule("27.1")
def test_each_account_of_a_side_changes_once_and_one_that_comes_to_nothing_not_at_all() -> None:
    scores = [
        Score(ATTACKS, "russian", 1, "40.20"),
        Score(PLANS, "central-powers", 7, "First"),
        Score(ATTACKS, "russian", 1, "41.20"),
        Score(PLANS, "central-powers", -7, "Second"),
    ]
    assert gains(scores) == (Gain(ATTACKS, "russian", 2, "27.2.1"),)
    assert gains([]) == ()
