"""The Movement Points of a unit in a phase: the allowance, what goes beyond it, what counts for a task (4.5, 8.3)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.state.points import check_halves
from assistant.util.errors import InputError
from twilight_in_the_east.forces.movement_points import excess_points, parse_points

HALF = Fraction(1, 2)


@pytest.mark.rule("4.5a")
@pytest.mark.parametrize(
    ("spent", "allowed", "excess", "sum"),
    [
        (Fraction(7), Fraction(7), 0, 0),
        (Fraction(29, 4), Fraction(7), 0, 0),
        (Fraction(15, 2), Fraction(7), 1, 1),
        (Fraction(7, 2), Fraction(7, 2), 0, 0),
        (Fraction(5), Fraction(7, 2), 2, 3 * HALF),
        (Fraction(13, 2), Fraction(7, 2), 3, 7 * HALF),
    ],
)
def test_what_goes_beyond_it(spent: Fraction, allowed: Fraction, excess: int, sum: Fraction) -> None:
    assert (excess_points(spent, allowed, "excess"), excess_points(spent, allowed, "sum")) == (excess, sum)


@pytest.mark.rule("4.5")
def test_points_are_counted_in_halves_but_for_what_moves_by_rail_make_of_them() -> None:
    with pytest.raises(InputError, match=r"points: Movement Points are counted in halves, not 7.3") as refused:
        parse_points(7.3, "points")
    assert "write 7, 7.5 or 8" in str(refused.value)
    assert parse_points(51 / 14, "spent", by_rail=True) == Fraction(51, 14)
    assert check_halves(7.5, "german", "Rail Points") == 15 * HALF
    assert (parse_points(None, "spent"), parse_points(2.5, "spent")) == (0, 5 * HALF)
    with pytest.raises(InputError, match="spent: -1 Movement Points cannot be spent"):
        parse_points(-1, "spent")
