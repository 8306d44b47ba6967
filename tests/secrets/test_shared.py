"""A short run of the pairs of tables that sides share, and what it would notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from assistant.faces.page import disclosure, passages, seen_entries, sides
from assistant.game.viewpoint import reduce_state

from ..cases import few, seeds, thorough
from ..comparing.search import tried
from .shared import CASES, SEARCH, Pairing, find_faults, make_pairing


@few(3)
@pytest.mark.parametrize("number", seeds(8))
@pytest.mark.parametrize("game", range(len(CASES)))
def test_no_hidden_fact_changes_a_byte_of_what_a_side_is_answered_at_a_shared_table(game: int, number: int) -> None:
    found = tried(SEARCH, [len(CASES) * number + game], 3)
    assert found.wrong == []
    assert found.seen["answers"] > 0


@thorough
@pytest.mark.parametrize(
    ("game", "number"),
    [("kaisers-war-in-the-east", 36), ("kaisers-war-in-the-east", 130), ("twilight-in-the-east", 285)],
)
def test_pairs_that_differed_once(game: str, number: int) -> None:
    """A wish that a hidden unit made to rest on what is seen, and a withheld unit that any line dropped."""
    assert [*find_faults(Pairing(game, number, 1914), Counter())] == []


@thorough
def test_sides_ask_take_back_and_wish() -> None:
    seen = tried(SEARCH, range(8 * len(CASES)), 3).seen
    assert seen["broken off"] < seen["cases"]
    assert {
        "asks",
        "requests",
        "draws",
        "steps through",
        "throws",
        "takes back",
        "agrees",
        "held",
        "wished",
    } <= seen.keys()


def shows_everything(of: Any) -> Callable[..., object]:
    """A function that shows more than a side sees."""
    return lambda journal, some, side, *states: of(journal, some, "", *states)


@thorough
@pytest.mark.parametrize(
    ("of", "name", "leak"),
    [
        (sides, "format_seen", shows_everything(seen_entries.format_seen)),
        (seen_entries, "reduce_state", lambda game, state, side: reduce_state(game, state, "")),
        (disclosure, "without_unseen_units", lambda table, *_: table),
        (passages.SidePassages, "_see", lambda _, position: position),
        (passages.SidePassages, "_find_lines", passages.Passages._find_lines),
    ],
)
def test_it_would_notice_what_leaks(of: Any, name: str, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of, name, leak)
    pairings = (make_pairing(number, 3) for number in range(20 * len(CASES)))
    assert any(fault for pairing in pairings for fault in find_faults(pairing, Counter()))
