"""A short run of `make explore WHAT=secrets`, and what it would notice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.game import viewpoint
from assistant.util import limits

from ..cases import few, thorough
from ..comparing.search import tried
from .run import SEARCH
from .telling import pair, told
from .worlds import ENDINGS, GAME

PAIRS = [range(first, first + 8) for first in range(0, 24, 8)]


@few(1)
@pytest.mark.parametrize("pairs", PAIRS, ids=str)
def test_no_hidden_fact_changes_a_byte_of_what_a_side_is_told(pairs: range) -> None:
    found = tried(SEARCH, pairs, 3)
    assert found.wrong == []
    assert found.seen["pairs that differ"] == len(pairs)
    assert all(found.seen[f"pairs {ending}"] for ending in ENDINGS)


def shows_lines(_: object, name: str, line: tuple[str, ...]) -> bool:
    return True


def shows_facts(eyes: Any, key: tuple[str, str]) -> bool:
    return eyes.game.tracks[key[0]].on != "unit" or key[1] in eyes.markers_seen


def shows_all(eyes: Any, unit: object, *ways: str) -> bool:
    return False


@thorough
@pytest.mark.parametrize(
    ("of", "name", "leak"),
    [
        (viewpoint._Eyes, "is_our_line", shows_lines),
        (viewpoint._Eyes, "is_known", shows_facts),
        (viewpoint._Eyes, "is_covered", shows_all),
        (viewpoint._Eyes, "may_read", lambda eyes, note: True),
        (viewpoint._Eyes, "is_concealed", lambda eyes, unit: False),
        (viewpoint._Eyes, "is_buried", lambda eyes, place, top: False),
        (limits, "OF_HIDDEN", frozenset()),
    ],
)
def test_it_would_notice_what_leaks(
    of: object, name: str, leak: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of, name, leak)
    assert any("different byte" in fault for number in range(60) for fault in tried(SEARCH, [number], 3).wrong)


def test_the_same_pair_in_any_run() -> None:
    assert pair(7, 5).files == pair(7, 5).files
    assert pair(7, 5).files != pair(8, 5).files


@thorough
def test_every_file_that_is_written_is_looked_at(tmp_path: Path) -> None:
    written = {
        name for number in range(40) for one in told(pair(number, 3), 0, tmp_path / "mail") for name in one.files
    }
    assert {"out.pos", f"{GAME.id}.json"} <= written
