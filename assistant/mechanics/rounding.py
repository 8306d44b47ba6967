"""The ways in which rules round. Strengths stay exact fractions until a rule rounds them."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor


def half_up(number: Fraction | int) -> int:
    """The nearest whole number, halves rounded up."""
    return floor(Fraction(number) + Fraction(1, 2))


def down(number: Fraction | int) -> int:
    """The largest whole number not above."""
    return floor(number)


def up(number: Fraction | int) -> int:
    """The smallest whole number not below."""
    return ceil(number)
