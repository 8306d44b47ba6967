"""Sequences: what is put together comes apart again, and traits in one another unfold level by level."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.sequence import fold, join, split, unfold
from assistant.util.errors import InputError

DELIMITERS = "\t;,/|:+\x1b"
SIGNS = st.text(alphabet="ab'\\ ä" + DELIMITERS, max_size=8)
TOKEN = SIGNS.filter(lambda text: not text.endswith("\\"))
DELIMITER = st.sampled_from(DELIMITERS)


def naive_split(text: str, delimiter: str) -> list[str]:
    """Sign by sign, as the decoder of VASSAL goes."""
    tokens = [""]
    for at, sign in enumerate(text):
        if sign != delimiter:
            tokens[-1] += sign
        elif at and text[at - 1] == "\\":
            tokens[-1] = tokens[-1][:-1] + delimiter
        else:
            tokens.append("")
    return [one[1:-1] if len(one) > 1 and one[0] == one[-1] == "'" else one for one in tokens]


def naive_unfold(text: str, count: int) -> list[str]:
    """Level by level: a trait, and all that is within it, until nothing is within."""
    if count == 1 or "\t" not in text:
        return [text]
    trait, *within = naive_split(text, "\t")
    return [trait, *naive_unfold(within[0], count - 1)] if within else [trait]


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["a", "b"], "a;b"),
        (["a;b", "c"], r"a\;b;c"),
        (["", ""], ";"),
        (["a", ""], "a;"),
        ([r"\a", "b"], r"'\a';b"),
        (["'a'", "'"], "''a'';'''"),
        ([r"a\;b"], r"a\\;b"),
        (["'a"], "'a"),
    ],
)
def test_tokens_stand_with_a_delimiter_between_them(tokens: list[str], text: str) -> None:
    assert join(tokens, ";") == text
    assert split(text, ";") == tokens


@pytest.mark.parametrize("token", ["\\", "a\\", "'\\"])
def test_a_token_that_would_not_come_back_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="ends in a backslash"):
        join(["a", token, "b"], ";")


@given(st.lists(TOKEN, min_size=1, max_size=5), DELIMITER)
def test_tokens_come_back(tokens: list[str], delimiter: str) -> None:
    assert split(join(tokens, delimiter), delimiter) == tokens


@given(SIGNS | st.text(max_size=10), DELIMITER)
def test_any_text_comes_apart_as_in_vassal(text: str, delimiter: str) -> None:
    assert split(text, delimiter) == naive_split(text, delimiter)


# --- traits in one another --------------------------------------------------------------------------------------------


@given(st.lists(TOKEN, min_size=1, max_size=6))
def test_traits_come_back_where_their_number_is_known(parts: list[str]) -> None:
    assert unfold(fold(parts), len(parts)) == parts


@given(st.lists(TOKEN, max_size=5), TOKEN.filter(lambda text: "\t" not in text))
def test_traits_come_back_where_the_innermost_has_no_tab(outer: list[str], innermost: str) -> None:
    assert unfold(fold([*outer, innermost])) == [*outer, innermost]


@given(st.text(alphabet="a'\\\t", max_size=14) | st.lists(TOKEN, min_size=1, max_size=5).map(fold), st.integers(0, 5))
def test_unfolding_takes_no_short_cut_that_matters(text: str, count: int) -> None:
    assert unfold(text, count) == naive_unfold(text, count)


@given(st.lists(TOKEN, min_size=1, max_size=6))
def test_folding_takes_no_short_cut_that_matters(parts: list[str]) -> None:
    *outer, text = parts
    for part in reversed(outer):
        text = join((part, text), "\t")
    assert fold(parts) == text


def test_a_piece_of_many_traits_is_none() -> None:
    with pytest.raises(InputError, match="a piece has more than 1000 traits"):
        unfold(fold(["'a'", *map(str, range(1100))]))
