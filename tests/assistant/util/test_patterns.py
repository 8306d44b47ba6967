"""Patterns matched in bounded time, compared with Python's own engine."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.util.patterns import Pattern

LETTERS = st.sampled_from(["a", "b", "1", ".", r"\d", r"\w", r"\D", "[ab]", "[^a]", "[a-b1]"])
REPEATS = st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,3}", "{1,}", "*?"])
PATTERNS = st.recursive(
    LETTERS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda ways: f"(?:{ways[0]}|{ways[1]})"),
        st.tuples(inner, REPEATS).map(lambda one: f"({one[0]}){one[1]}"),
    ),
    max_leaves=6,
)


@given(PATTERNS, st.text("ab1", max_size=6))
def test_it_matches_what_python_matches(pattern: str, text: str) -> None:
    assert Pattern(pattern).matches(text) == bool(re.fullmatch(pattern, text))


def test_the_ends_of_a_text_may_be_named() -> None:
    assert Pattern("^(?:a|b)$").matches("a")
    assert not Pattern("^(?:a|b)$").matches("ab")


@pytest.mark.parametrize("pattern", ["(?:aa|a)*b", "(a+)+b", r"(\w|[a-z])*!", "a*a*a*a*a*a*a*a*b"])
def test_no_pattern_takes_for_ever(pattern: str) -> None:
    assert not Pattern(pattern).matches("a" * 3000)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "missing \\), unterminated subpattern"),
        (r"(a)\1", "refers to a group"),
        ("(?=a)b", "looks ahead"),
        (r"\bfoo", "looks ahead or back"),
        ("(?i)a", "flags"),
        ("a{1000}", "too large"),
        ("((a{10}){10}){10}", "too large"),
        ("(" * 5000, "recursion|too"),
    ],
)
def test_what_cannot_be_matched_so_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Pattern(pattern)
