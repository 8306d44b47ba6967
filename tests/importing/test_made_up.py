"""Modules made up from a seed come in whole: the import, the adoption, the module built again and a reader of its own agree on every piece."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..cases import few, seeds
from .comparing import compare_made, explain
from .making import make


@few(12)
@pytest.mark.parametrize("seed", seeds(60))
def test_all_agree_on_every_piece(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    outcome = compare_made(make(seed), tmp_path)
    assert [*explain(outcome)] == []


def test_a_seed_always_makes_the_same_module() -> None:
    assert make(7) == make(7)
