"""A short run of the pairs of positions with hidden movement, and what it would notice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.game import viewpoint
from assistant.game.games import Hiding

from ..cases import thorough
from ..comparing.search import tried
from .beside import ENDINGS, SEARCH, pair, told

PAIRS = [range(first, first + 8) for first in range(0, 24, 8)]


@thorough
@pytest.mark.parametrize("pairs", PAIRS, ids=str)
def test_no_unit_that_nobody_stands_next_to_changes_a_byte_of_what_a_side_is_told(pairs: range) -> None:
    found = tried(SEARCH, pairs, 3)
    assert found.wrong == []
    assert found.seen["pairs that differ"] == len(pairs)
    assert found.seen["refused"] < found.seen["commands"] / 2
    assert found.seen["files written"]
    assert all(found.seen[f"pairs {ending}"] for ending in ENDINGS)


@thorough
@pytest.mark.parametrize(
    ("of", "name", "leak"),
    [
        (viewpoint._Eyes, "is_near", lambda eyes, place: True),
        (viewpoint._Eyes, "is_known", lambda eyes, key: True),
        (Hiding, "limits", lambda game, facts: None),
        (Hiding, "facts_of_limits", property(lambda game: {})),
    ],
)
def test_it_would_notice_what_leaks(of: Any, name: str, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of, name, leak)
    assert any("different byte" in fault for at in range(60) for fault in tried(SEARCH, [at], 3).wrong)


def test_the_same_pair_in_any_run() -> None:
    assert pair(7, 5)[0] == pair(7, 5)[0]
    assert pair(7, 5)[0].files != pair(8, 5)[0].files


@thorough
def test_most_commands_are_answered(tmp_path: Path) -> None:
    done = [one for number in range(24) for one in told(pair(number, 3)[0], 0, tmp_path / "mail")]
    assert sum(one.exit == 3 for one in done) < len(done) / 2
    assert {name for one in done for name in one.files} >= {"out.pos", "out.svg"}
