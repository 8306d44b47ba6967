"""Points that are counted exactly: how facts state them, and what they were spent on."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.state.points import FINEST, MOST, format_amounts, format_points, read_amounts, read_points
from assistant.util.errors import InputError

POINTS = st.fractions(0, MOST, max_denominator=FINEST)


@pytest.mark.parametrize(
    ("written", "meant", "spelled"),
    [
        ("4", Fraction(4), "4"),
        ("4.5", Fraction(9, 2), "4.5"),
        ("4-1/2", Fraction(9, 2), "4.5"),
        ("51/14", Fraction(51, 14), "51/14"),
        ("0.25", Fraction(1, 4), "1/4"),
    ],
)
def test_numbers_are_written_as_on_the_counter_or_as_a_sum_gives_them(
    written: str, meant: Fraction, spelled: str
) -> None:
    assert read_points(written) == meant
    assert format_points(meant) == spelled


@pytest.mark.parametrize("wrong", ["", "x", "-3", "1000", "1/0", "1/100", "1e9", "4.333", "4 1/2"])
def test_anything_else_is_refused(wrong: str) -> None:
    with pytest.raises(InputError):
        read_points(wrong)


@given(POINTS)
def test_the_regular_spelling_means_the_same(points: Fraction) -> None:
    assert read_points(format_points(points)) == points


@given(st.dictionaries(st.from_regex(r"[a-z]{1,8}(-[a-z]{1,4})?", fullmatch=True), POINTS.filter(bool), max_size=4))
def test_what_they_were_spent_on_comes_back(amounts: dict[str, Fraction]) -> None:
    assert read_amounts(format_amounts(amounts)) == amounts


def test_the_same_twice_is_added_up_and_nothing_is_left_out() -> None:
    assert format_amounts(read_amounts("march:4+position:2+march:1/2+rail:0")) == "march:4.5+position:2"


@pytest.mark.parametrize("sum", ["march:999+march:1", "march:1/97+march:1/89"])
def test_a_sum_that_no_fact_may_state_is_refused(sum: str) -> None:
    with pytest.raises(InputError, match="is not a possible number of points"):
        read_amounts(sum)
    assert read_amounts("march:998+march:1/2+march:1/2") == {"march": Fraction(999)}
