"""Distributions of whole numbers: sums, means and where a value stands, against all cases one by one."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from assistant.mechanics.distribution import CERTAINLY_NONE, format_percent, format_whole_percent, of_chances, sum_of

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
