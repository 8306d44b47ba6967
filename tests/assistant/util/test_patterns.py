"""Patterns of a game's files: they fit what Python's own fit, and none of them is too slow."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.util.patterns import Pattern
from tests.growth import grows_evenly

_LETTERS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", r"\+", "[]-]"])
_REPEATS = st.sampled_from(["?", "*", "+", "{2}", "{0}", "{1,}", "{0,2}", "{2,3}"])
PATTERNS = st.recursive(
    _LETTERS | st.just(""),
    lambda parts: st.one_of(
        st.tuples(parts, parts).map("".join),
        st.tuples(parts, parts).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(parts, _REPEATS).map(lambda two: f"({two[0]}){two[1]}"),
    ),
    max_leaves=6,
)


@given(PATTERNS, st.text("ab1+]-", max_size=8))
def test_a_pattern_fits_what_pythons_own_fits(pattern: str, text: str) -> None:
    assert Pattern(pattern).matches(text) == bool(re.fullmatch(pattern, text))


@pytest.mark.parametrize(
    ("pattern", "fits", "not_so"),
    [
        ("AE|AR|NE", "AR", "A"),
        (r"-|[+-]\d(?: [+-]\d)*", "+1 -2 +3", "+1  -2"),
        (r"no|\d{1,2}(?:\.5)?", "12.5", "123"),
        (r"\d", "7", "\N{ARABIC-INDIC DIGIT SEVEN}"),
    ],
)
def test_patterns_of_games(pattern: str, fits: str, not_so: str) -> None:
    assert Pattern(pattern).matches(fits)
    assert not Pattern(pattern).matches(not_so)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(?=a)", "'?' repeats nothing"),
        ("a**", "'**' is not a repeat"),
        ("a{3,2}", "'{3,2}' is not a repeat"),
        ("^a", "'^a' is not understood"),
        (r"(a)\1", r"'\\1' is not understood"),
        ("(a", "a bracket is not closed"),
        ("a)", "a bracket is closed that was not opened"),
        ("[z-a]", "'[z-a]' is not a set of letters"),
        ("a" * 201, "more than 200 letters"),
        ("((a{9}){9}){9}", "more than 200 letters"),
        ("(" * 40 + "){9}" * 40, "more than 200 letters"),
        ("(" * 51, "more than 50 groups"),
        ("a" * 501, "more than 500 letters"),
    ],
)
def test_other_patterns_are_refused(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        Pattern(pattern)


@pytest.mark.parametrize("pattern", ["(a|a)*b", "((a*)*)*b", "(?:a?){30}a{30}b", "(.*)(.*)(.*)x", "(?:a+)+(?:a+)+b"])
def test_no_pattern_takes_more_work_than_the_text_has_letters(pattern: str) -> None:
    assert grows_evenly(lambda many: lambda: Pattern(pattern).matches("a" * many))
    assert not Pattern(pattern).matches("a" * 10_000)
