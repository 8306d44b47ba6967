"""The ways in which rules round, exactly. Strengths are fractions until a rule says to round them."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor


def half_up(number: Fraction | int) -> int:
    """The nearest whole number, a half going up."""
    return floor(Fraction(number) + Fraction(1, 2))


def down(number: Fraction | int) -> int:
    """The whole number at or below."""
    return floor(number)


def up(number: Fraction | int) -> int:
    """The whole number at or above."""
    return ceil(number)
