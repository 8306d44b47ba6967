"""Odds, rounding and bands."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.mechanics.odds import Bands, Odds, OddsColumns, down, half_up, odds_down, odds_from_midpoint, up
from assistant.util.errors import InputError

strengths = st.integers(1, 300)


@pytest.mark.parametrize("text", ["1:5", "1:2", "1:1", "2:1", "17:1"])
def test_odds_read_and_write(text: str) -> None:
    assert str(Odds.parse(text)) == text


@pytest.mark.parametrize("text", ["2:3", "0:1", "1:0", "2", "a:1", "1:1:1"])
def test_what_is_no_ratio(text: str) -> None:
    with pytest.raises(InputError, match="not an odds column"):
        Odds.parse(text)


def test_shifts_add_up_across_even_odds_and_charts_end() -> None:
    assert str(Odds.parse("2:1").shifted(-2)) == "1:2"
    assert str(Odds.parse("9:1").within(Odds.parse("1:4"), Odds.parse("6:1"))) == "6:1"
    assert str(Odds.parse("1:7").within(Odds.parse("1:4"), Odds.parse("6:1"))) == "1:4"


@given(strengths, strengths)
def test_rounding_down_gives_the_highest_column_reached(attack: int, defence: int) -> None:
    odds = odds_down(attack, defence)
    assert odds.strength(defence) <= attack < odds.shifted(1).strength(defence)


@given(strengths, strengths)
def test_the_midpoint_gives_the_nearest_column_and_the_higher_of_two(attack: int, defence: int) -> None:
    ladder = [Odds(columns) for columns in range(-310, 310)]
    nearest = min(ladder, key=lambda odds: (abs(odds.strength(defence) - attack), -odds.columns))
    assert odds_from_midpoint(attack, defence) == nearest


@pytest.mark.parametrize(("attack", "defence"), [(0, 3), (3, 0)])
def test_nothing_has_no_odds(attack: int, defence: int) -> None:
    for rounding in (odds_down, odds_from_midpoint):
        with pytest.raises(InputError, match="has no odds"):
            rounding(attack, defence)


def test_bands_begin_at_their_bounds() -> None:
    bands = Bands((0, 50, 100), ("low", "even", "high"))
    found = [bands.of(number) for number in (0, Fraction(99, 2), 50, 99, 100, 5000)]
    assert found == ["low", "low", "even", "even", "high", "high"]
    with pytest.raises(InputError, match="below the first column"):
        bands.of(-1)
    with pytest.raises(InputError, match="there are no columns"):
        Bands((), ()).of(3)


@pytest.mark.parametrize(("number", "rounded"), [("5/2", 3), ("12/5", 2), ("7/2", 4), ("-1/2", 0), ("3", 3)])
def test_half_goes_up(number: str, rounded: int) -> None:
    assert half_up(Fraction(number)) == rounded


def test_up_and_down() -> None:
    assert (up(Fraction(5, 4)), down(Fraction(7, 4)), up(2), down(2)) == (2, 1, 2, 2)


@pytest.mark.parametrize(
    ("names", "odds", "column"),
    [
        (["1:2", "1:1", "2:1"], "9:1", "2:1"),
        (["1:2", "1:1", "2:1"], "1:5", "1:2"),
        (["4:1", "1:1", "2:1"], "3:1", "2:1"),
        (["4:1", "1:1", "2:1"], "5:1", "4:1"),
        ([], "9:1", "9:1"),
    ],
)
def test_columns_that_are_named_hold_beyond_the_first_and_the_last_and_up_to_the_next(
    names: list[str], odds: str, column: str
) -> None:
    assert str(OddsColumns.from_names(names).within(Odds.parse(odds))) == column


def test_the_next_column_is_the_next_that_the_table_has() -> None:
    for last in ("3:1", "4:1"):
        assert str(OddsColumns.from_names(["1:1", "2:1", last]).after(Odds(1))) == last
