"""The Movement Points of a unit in a phase: the allowance, what goes beyond it, what counts for a task (4.5, 8.3)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.state.points import check_halves
from assistant.util.errors import InputError
from twilight_in_the_east.forces.movement_points import allowance, excess_points, parse_points

from ...conftest import answered, rulings, typed

HALF = Fraction(1, 2)


@pytest.mark.rule("8.3", "5.4.7")
def test_the_counter_movement_phase_halves_the_allowance_and_rounds_nothing() -> None:
    assert [allowance(7, counter=counter) for counter in (False, True)] == [7, Fraction(7, 2)]


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


def test_the_ruling_is_named_where_it_matters() -> None:
    text = "phase={}\n41.19: german infantry XX A (7-7-0-10) movement=7"
    for phase, named in (("movement", False), ("counter-movement", True)):
        report = answered(typed(text.format(phase)), "forced-march", unit="A", spent=8 if phase == "movement" else 4.5)
        assert ("march-rounding" in rulings(report)) is named


def test_points_that_cannot_be_spent() -> None:
    assert (parse_points(None, "spent"), parse_points(2.5, "spent")) == (0, 5 * HALF)
    with pytest.raises(InputError, match="spent: -1 Movement Points cannot be spent"):
        parse_points(-1, "spent")


@pytest.mark.rule("4.5")
def test_points_are_counted_in_halves_but_for_what_moves_by_rail_make_of_them() -> None:
    with pytest.raises(InputError, match=r"points: Movement Points are counted in halves, not 7.3") as refused:
        parse_points(7.3, "points")
    assert "write 7, 7.5 or 8" in str(refused.value)
    assert parse_points(51 / 14, "spent", by_rail=True) == Fraction(51, 14)
    assert check_halves(7.5, "german", "Rail Points") == 15 * HALF
