"""What multiplies a factor, and the percentage column (14.8 to 14.13)."""

from __future__ import annotations

from itertools import product

import pytest

from kaisers_war_in_the_east.combat.strengths import (
    COLUMNS,
    count_multiple,
    defence_multiple,
    find_column,
    measure_percentage,
)


@pytest.mark.rule("14.8/2", "14.8/3", "14.9", "21.3", "CRT/modifiers")
def test_one_bonus_doubles_and_more_triple() -> None:
    for supplied, concentric, alpine in product((False, True), repeat=3):
        multiple = count_multiple(supplied=supplied, concentric=concentric, alpine=alpine)
        assert multiple == {0: 1, 1: 2, 2: 3, 3: 3}[supplied + concentric + alpine]


@pytest.mark.rule("14.11/1", "14.11/2", "CRT/modifiers")
@pytest.mark.parametrize(
    ("terrain", "water", "entrenched", "times"),
    [
        (False, False, False, 1),
        (True, False, False, 2),
        (False, True, False, 2),
        (True, True, False, 2),
        (False, False, True, 2),
        (True, False, True, 3),
        (False, True, True, 3),
        (True, True, True, 3),
    ],
)
def test_a_defence_is_doubled_once_and_entrenching_adds_to_it(
    terrain: bool, water: bool, entrenched: bool, times: int
) -> None:
    assert defence_multiple(terrain=terrain, all_across_water=water, entrenched=entrenched) == times


@pytest.mark.rule("14.3/4")
@pytest.mark.parametrize(
    ("attack", "defence", "down", "up"),
    [(20, 12, 166, 167), (10, 12, 83, 84), (12, 12, 100, 100), (5, 1, 500, 500), (5, 0, 500, 500), (0, 3, 0, 0)],
)
def test_a_fraction_of_a_percent_is_dropped_or_counts_as_a_whole_one(
    attack: int, defence: int, down: int, up: int
) -> None:
    assert (measure_percentage(attack, defence, up=False), measure_percentage(attack, defence, up=True)) == (down, up)


@pytest.mark.rule("14.3/5", "14.13")
@pytest.mark.parametrize(
    ("percent", "found"),
    [
        (0, "<=49"),
        (49, "<=49"),
        (50, "50-99"),
        (99, "50-99"),
        (100, "100-149"),
        (149, "100-149"),
        (150, "150-199"),
        (199, "150-199"),
        (200, "200-299"),
        (299, "200-299"),
        (300, "300-399"),
        (399, "300-399"),
        (400, "400-499"),
        (499, "400-499"),
        (500, "500-599"),
        (599, "500-599"),
        (600, ">=600"),
        (1000, ">=600"),
    ],
)
def test_columns_begin_where_the_tables_say(percent: int, found: str) -> None:
    assert find_column(percent) == found


def test_columns_rank_from_the_left() -> None:
    assert [COLUMNS.rank(name) for name in ("<=49", "50-99", ">=600")] == [0, 1, 8]
