"""The distribution of a whole number by integer weights: sums of independent numbers, and percentiles of values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Annotated

import msgspec

from ..util.notes import note


class Distribution(msgspec.Struct, frozen=True):
    """The chance of each value of a whole number: its weight over the sum of all weights. Build it with `of_chances`."""

    weights: Annotated[Mapping[int, int], note("weights by value, in the order of the values")]
    total: Annotated[int, note("the sum of all weights")]

    @property
    def mean(self) -> Fraction:
        """The expected value."""
        return Fraction(sum(value * weight for value, weight in self.weights.items()), self.total)

    @property
    def variance(self) -> Fraction:
        """The mean square of the distance from the mean."""
        squares = sum(value * value * weight for value, weight in self.weights.items())
        return Fraction(squares, self.total) - self.mean**2

    def chance(self, value: int) -> Fraction:
        """Return the chance of a value."""
        return Fraction(self.weights.get(value, 0), self.total)

    def below(self, value: int) -> Fraction:
        """Return the chance of less than a value."""
        return Fraction(sum(weight for other, weight in self.weights.items() if other < value), self.total)

    def percentile(self, value: int) -> Fraction:
        """Return the percentile of a value, from 0 to 1: the chance of less, plus half the chance of this value."""
        return self.below(value) + self.chance(value) / 2

    def __add__(self, other: Distribution) -> Distribution:
        """Return the distribution of the sum of this number and an independent one."""
        mixed: dict[int, int] = {}
        for value, weight in self.weights.items():
            for other_value, factor in other.weights.items():
                mixed[value + other_value] = mixed.get(value + other_value, 0) + weight * factor
        return Distribution(dict(sorted(mixed.items())), self.total * other.total)

    def __neg__(self) -> Distribution:
        """Return the distribution of the negated number."""
        return Distribution({-value: self.weights[value] for value in reversed(self.weights)}, self.total)


CERTAINLY_NONE = Distribution({0: 1}, 1)
"""The distribution of a number that is 0."""


def of_chances(chances: Mapping[int, Fraction]) -> Distribution:
    """Return the distribution with these chances, which sum to 1."""
    scale = lcm(*(chance.denominator for chance in chances.values()))
    weights = {value: int(chances[value] * scale) for value in sorted(chances) if chances[value]}
    common = gcd(*weights.values())
    return Distribution({value: weight // common for value, weight in weights.items()}, scale // common)


def sum_of(distributions: Iterable[Distribution]) -> Distribution:
    """Return the distribution of the sum of independent numbers, or of 0 if there are none.

    The smallest distributions are added first.
    """
    waiting = sorted(distributions, key=lambda distribution: len(distribution.weights))
    while len(waiting) > 1:
        waiting = [*waiting[2:], waiting[0] + waiting[1]]
    return waiting[0] if waiting else CERTAINLY_NONE


def round_percent(chance: Fraction | float, places: int = 0) -> Fraction:
    """Return a chance in percent, rounded to the nearest with `places` decimals.

    Every chance in percent is rounded here, each by itself. So equal chances are equal everywhere, but a whole
    distribution may add up to 99.9% or 100.1%.
    """
    return round(Fraction(chance) * 100, places)


def format_percent(chance: Fraction | float, places: int = 1) -> str:
    """Return a chance in percent, rounded by itself, such as `16.7%`."""
    return f"{float(round_percent(chance, places)):.{places}f}%"


def format_whole_percent(chance: Fraction) -> str:
    """Return a chance in whole percents: `<1%` instead of 0%, `>99%` instead of 100% unless it is certain."""
    percent = round_percent(chance)
    if percent == 0 and chance:
        return "<1%"
    return ">99%" if percent == 100 and chance < 1 else f"{percent}%"
