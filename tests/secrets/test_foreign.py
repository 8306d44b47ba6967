"""A short run of the pairs of other modules, and what it would notice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.formats.vassal.others import sight
from assistant.formats.vassal.others.sight import Eyes
from assistant.util import limits

from ..cases import few
from ..comparing.search import tried
from .foreign import SEARCH, pair, told

PAIRS = [range(first, first + 8) for first in range(0, 16, 8)]


@few(1)
@pytest.mark.parametrize("pairs", PAIRS, ids=str)
def test_no_hidden_piece_changes_a_byte_of_what_a_side_is_told(pairs: range) -> None:
    found = tried(SEARCH, pairs, 3)
    assert found.wrong == []
    assert found.seen["pairs that differ"] == len(pairs)
    assert all(found.seen[f"pairs {ending}"] for ending in (".vsav", ".vlog"))


def all_of_it(save: Any, module: Any, eyes: Any) -> Any:
    return save


def seen_face_up(cut: Any, deck: Any, ids: Any) -> Any:
    return cut.record_seen(ids)


def counted_whole(cut: Any, deck: Any, ids: Any) -> Any:
    return [f"card {id}" for id in ids]


@few(2)
@pytest.mark.parametrize(
    ("of", "name", "leak"),
    [
        ("assistant.formats.vassal.others.sight", "visible_save", all_of_it),
        (Eyes, "see", lambda eyes, owner, trait: True),
        (sight, "unknown_kinds", lambda piece: []),
        (sight._Sight, "see_deck", seen_face_up),
        (sight._Sight, "see_deck", counted_whole),
        (limits, "OF_HIDDEN", frozenset()),
    ],
)
def test_it_would_notice_what_leaks(of: Any, name: str, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        f"{of}.{name}" if isinstance(of, str) else of, *([leak] if isinstance(of, str) else [name, leak])
    )
    assert any("different byte" in fault for at in range(60) for fault in tried(SEARCH, [at], 3).wrong)


def test_the_same_pair_in_any_run() -> None:
    assert pair(7, 5)[0] == pair(7, 5)[0]
    assert pair(7, 5)[0].files != pair(8, 5)[0].files


def test_some_commands_are_answered_and_draw(tmp_path: Path) -> None:
    done = [one for number in range(12) for one in told(pair(number, 3)[0], 0, tmp_path / "mail")]
    assert {one.exit for one in done} == {0, 3}
    assert {name for one in done for name in one.files} == {"out.svg", "out.png"}
