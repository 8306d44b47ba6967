"""Percentiles mean what they say: over many evenings with random dice they are uniform.

A percentile of a whole number is not exactly uniform, as equal results share one. One drawn at random between the chance of
less and that of as much is: so these are tested, and of the percentiles themselves the mean, which is one half, and the
variance, which is a twelfth of 1 less the sum of the cubes of all chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random

import pytest

from assistant.mechanics.distribution import Distribution, sum_of
from assistant.mechanics.luck import ThrowLuck
from assistant.records.luck.totals import swing_for, total_by_side

from ....cases import thorough
from .evenings import Fight, fights

_ALPHA = 1.95
"""By how much, over the root of their number, uniform values stray from the diagonal once in a thousand times."""
_SIGMAS = 4.0


def greatest_stray(values: Sequence[float]) -> float:
    """How far the distribution of some values is from the uniform one at most (Kolmogorov and Smirnov)."""
    ordered, count = sorted(values), len(values)
    return max(max((number + 1) / count - value, value - number / count) for number, value in enumerate(ordered))


def spread_of(distribution: Distribution) -> float:
    """The variance of percentiles of a distribution."""
    cubes = sum(float(distribution.chance(value)) ** 3 for value in distribution.weights)
    return (1 - cubes) / 12


def check_uniform(randomized: Sequence[float]) -> None:
    assert greatest_stray(randomized) < _ALPHA / sqrt(len(randomized))


def check_moments(percentiles: Sequence[float], variance: float) -> None:
    """Mean and variance of percentiles, within what so many of them stray by chance."""
    count = len(percentiles)
    mean = sum(percentiles) / count
    assert abs(mean - 0.5) < _SIGMAS * sqrt(variance / count)
    found = sum((value - 0.5) ** 2 for value in percentiles) / count
    fourth = sum((value - 0.5) ** 4 for value in percentiles) / count
    assert abs(found - variance) < _SIGMAS * sqrt((fourth - found * found) / count)


def play(battles: Sequence[Fight], count: int, seed: int) -> tuple[list[float], list[float], list[float], Distribution]:
    """Evenings of these battles: the percentile of each evening for red, one drawn at random for each, one drawn at random
    for each roll, and the distribution of the swing of an evening.
    """
    random = Random(seed)
    every = sum_of(swing_for("red", fight.told(fight.play(random))) for fight in battles)
    percentiles, randomized, rolls = list[float](), list[float](), list[float]()
    for _ in range(count):
        courses = [fight.play(random) for fight in battles]
        total = total_by_side("red", "Red", [fight.told(one) for fight, one in zip(battles, courses, strict=True)])
        assert total.percentile == every.percentile(total.swing)
        percentiles.append(float(total.percentile))
        randomized.append(float(every.below(total.swing)) + random.random() * float(every.chance(total.swing)))
        for course in courses:
            for turn in course.turns:
                if isinstance(turn, ThrowLuck):
                    alike = sum(ways for face, ways in turn.roll.dice.totals if turn.worth[face] == turn.after)
                    share = alike / turn.roll.dice.sides**turn.roll.dice.number
                    rolls.append(float(turn.percentile) + (random.random() - 0.5) * share)
    return percentiles, randomized, rolls, every


def calibrate(count: int, seed: int) -> None:
    percentiles, randomized, rolls, every = play(fights(seed, 5), count, seed)
    assert len(every.weights) > 4
    check_uniform(randomized)
    check_uniform(rolls)
    check_moments(percentiles, spread_of(every))


@thorough
def test_percentiles_of_evenings_and_of_rolls_are_uniform() -> None:
    calibrate(600, 11)


@thorough
@pytest.mark.parametrize("seed", [1, 2])
def test_percentiles_of_ten_thousand_evenings_are_uniform(seed: int) -> None:
    calibrate(10_000, seed)


@thorough
def test_it_would_notice_percentiles_that_lean_to_one_side() -> None:
    _, randomized, _, _ = play(fights(3, 5), 600, 3)
    with pytest.raises(AssertionError):
        check_uniform([value**1.6 for value in randomized])
    with pytest.raises(AssertionError):
        check_moments([value**1.6 for value in randomized], 1 / 12)
