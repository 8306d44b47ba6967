"""A language model under the eyes of a side is told nothing hidden, nor can it tell two positions apart by what is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from assistant.game import viewpoint
from assistant.util import limits

from ..cases import few, thorough
from .asking import calls, differences, spoken
from .telling import pair
from .test_secrets import shows_all, shows_facts, shows_lines

PAIRS = [range(first, first + 4) for first in range(0, 40, 4)]


@few(1)
@pytest.mark.parametrize("pairs", PAIRS, ids=str)
def test_no_hidden_fact_changes_a_byte_of_what_a_model_is_told(pairs: range, tmp_path: Path) -> None:
    found, tried = differences(pairs, 3, tmp_path / "mail")
    assert found == []
    assert tried == 9 * len(pairs)


@few(1)
@pytest.mark.parametrize(
    ("of", "name", "leak", "first"),
    [
        (viewpoint._Eyes, "is_known", shows_facts, 0),
        (viewpoint._Eyes, "is_our_line", shows_lines, 0),
        (viewpoint._Eyes, "is_covered", shows_all, 0),
        (limits, "OF_HIDDEN", frozenset(), 110),  # few limits lie between the two of a pair
    ],
)
def test_it_would_notice_what_leaks(
    of: object, name: str, leak: Callable[..., bool], first: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(of, name, leak)
    assert any(differences(range(number, number + 1), 3, tmp_path / "mail")[0] for number in range(first, first + 60))


@thorough
@pytest.mark.parametrize("number", range(6))
def test_a_server_says_the_same_of_both_byte_for_byte(number: int, tmp_path: Path) -> None:
    both = pair(number, 11)
    asked = calls(both, Random(number))
    said = [spoken(both, which, asked, tmp_path / "mail") for which in (0, 1)]
    assert said[0] == said[1]
    assert len(said[0][0].splitlines()) == len(asked) + 1
    assert said[0][1] == ""
