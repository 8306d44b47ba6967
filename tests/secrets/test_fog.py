"""A short run of the pairs of positions with fog of war, and what it would notice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.game import viewpoint
from assistant.game.hiding import Hiding

from ..cases import few, thorough
from .beside import differences, told
from .fog import pair

PAIRS = [range(first, first + 8) for first in range(0, 40, 8)]


@few(1)
@pytest.mark.rule("Opt/Fog/1", "Opt/Fog/5")
@pytest.mark.parametrize("pairs", PAIRS, ids=str)
def test_no_unit_that_a_side_may_not_examine_changes_a_byte_of_what_it_is_told(pairs: range) -> None:
    found, tried = differences(pairs, 3, pair)
    assert found == []
    assert tried["pairs that differ"] == len(pairs)
    assert tried["refused"] < tried["commands"] / 2
    assert tried["files written"]


@thorough
@pytest.mark.parametrize(
    ("of", "name", "leak"),
    [
        (viewpoint._Eyes, "is_open", lambda eyes, place: True),
        (viewpoint._Eyes, "is_concealed", lambda eyes, unit: False),
        (viewpoint._Eyes, "is_known", lambda eyes, key, seen: True),
        (Hiding, "limits", lambda game, facts: None),
    ],
)
def test_it_would_notice_what_leaks(of: Any, name: str, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of, name, leak)
    assert any(differences(range(at, at + 4), 3, pair)[0] for at in range(0, 60, 4))


@thorough
def test_most_commands_are_answered(tmp_path: Path) -> None:
    done = [tried for number in range(24) for tried in told(pair(number, 3)[0], 0, tmp_path / "mail")]
    assert sum(tried.exit == 3 for tried in done) < len(done) / 2
    assert {name for tried in done for name in tried.files} >= {"out.pos", "out.svg"}
