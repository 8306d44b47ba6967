"""Odds, rounding, bands, and distributions of whole numbers."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.mechanics.distribution import CERTAINLY_NONE, format_percent, format_whole_percent, of_chances, sum_of
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


# --- distributions ----------------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[3]

CHANCES = st.dictionaries(st.integers(-6, 6), st.integers(1, 9), min_size=1, max_size=5).map(
    lambda weights: {value: Fraction(weight, sum(weights.values())) for value, weight in weights.items()}
)
DIE = {face: Fraction(1, 6) for face in range(1, 7)}


def test_half_of_what_is_equal_counts_as_worse() -> None:
    die = of_chances(DIE)
    assert [die.percentile(face) for face in (1, 6, 0, 7)] == [Fraction(1, 12), Fraction(11, 12), 0, 1]
    assert (-die).percentile(-1) == Fraction(11, 12)
    assert sum_of([]) == CERTAINLY_NONE and CERTAINLY_NONE.percentile(0) == Fraction(1, 2)


@given(st.lists(CHANCES, min_size=1, max_size=4), st.integers(-20, 20))
def test_a_sum_is_what_all_cases_come_to(parts: list[dict[int, Fraction]], value: int) -> None:
    cases: dict[int, Fraction] = {}
    for values in product(*parts):
        chance = Fraction(1)
        for part, one in zip(parts, values, strict=True):
            chance *= part[one]
        cases[sum(values)] = cases.get(sum(values), Fraction(0)) + chance
    whole = sum_of(of_chances(part) for part in parts)
    assert {total: whole.chance(total) for total in cases} == cases
    assert whole.mean == sum(total * chance for total, chance in cases.items())
    assert whole.variance == sum(total * total * chance for total, chance in cases.items()) - whole.mean**2
    assert whole.below(value) == sum(chance for total, chance in cases.items() if total < value)
    assert (-whole).percentile(-value) == 1 - whole.percentile(value)


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.sampled_from([0, 1, 2]))
def test_a_chance_in_percent_is_the_nearest_whatever_stands_beside_it(good: int, bad: int, places: int) -> None:
    chance = Fraction(good, good + bad)
    printed = Fraction(format_percent(chance, places).removesuffix("%"))
    assert abs(printed - chance * 100) <= Fraction(501, 1000) / 10**places


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_whole_percents_say_none_and_certain_only_of_what_is(good: int, bad: int) -> None:
    chance = Fraction(good, good + bad)
    printed = format_whole_percent(chance)
    assert (printed == "0%") == (chance == 0)
    assert printed != "100%", "something may still fail"
    if printed[0] not in "<>":
        assert printed == format_percent(chance, 0)


def test_half_a_percent_is_rounded_exactly() -> None:
    assert format_percent(Fraction(575, 1000), 0) == "58%", "as a float it is a little less than 57.5"
    assert format_whole_percent(Fraction(1)) == "100%"


def test_no_other_module_writes_a_figure_in_percent() -> None:
    pattern = re.compile(r"\.\d%\}|\}%[\"'),.; ]")
    files = [file for folder in ("assistant", "plugins", "module_builder") for file in (ROOT / folder).rglob("*.py")]
    found = {file.name for file in files if pattern.search(file.read_text("utf-8"))}
    assert found == {"distribution.py"}
