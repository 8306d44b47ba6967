"""How alike names are, whatever abbreviates their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.adoption.proposals.likeness import has_all, likeness, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("29th Inf. Div.", "29 Infantry Division"),
        ("XX Korps", "20th Corps"),
        ("2nd Gd Cav", "2 gdc"),
        ("35r", "35 Reserve"),
        ("007", "7"),
        ("Lötzen", "LOTZEN"),
        ("A-H 3rd Army", "Austro-Hungarian 3 armee"),
        ("StepLosses", "steps lost"),
        ("iii-train", "3 Train"),
        *(
            (f"20 {word} Korps", "20 Korps")
            for word in [
                "of",
                "the",
                "be",
                "and",
                "in",
                "at",
                "a",
                "is",
                "to",
                "by",
                "it",
                "unit",
                "marker",
                "png",
                "jpg",
                "gif",
                "svg",
            ]
        ),
    ],
)
def test_names_that_mean_the_same(one: str, other: str) -> None:
    assert likeness(tokens(one), tokens(other)) == 1.0
    assert likeness(tokens(other), tokens(one)) == 1.0


@pytest.mark.parametrize(
    ("one", "other"), [("29 Inf", "28 Inf"), ("I Corps", "II Corps"), ("Supply", "Step"), ("c", "100")]
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert likeness(tokens(one), tokens(other)) < 1.0


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_can_be_compared(one: str, other: str) -> None:
    alike = likeness(tokens(one), tokens(other))
    assert 0.0 <= alike <= 1.0
    assert not tokens(one) or likeness(tokens(one), tokens(one)) == 1.0


@given(st.integers(1, 89))
def test_a_roman_numeral_is_its_number(number: int) -> None:
    tens, ones = divmod(number, 10)
    tens_said = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX")[tens]
    ones_said = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]
    assert has_all(tokens(f"{tens_said}{ones_said} Corps"), tokens(str(number)))
