"""Proof sheets with a misreading: what the key says is what the sheets show."""

from __future__ import annotations

from pathlib import Path

import pytest

from .proof_reading import write_sheets


@pytest.mark.thorough
def test_sheets_with_and_without_a_misreading(tmp_path: Path) -> None:
    write_sheets(tmp_path / "wrong", 2, 1, 1914, "8,15")
    write_sheets(tmp_path / "right", 2, 0, 1914, "8,15")
    key = [line.split(": ", 1) for line in (tmp_path / "wrong" / "key.txt").read_text("utf-8").splitlines()]
    assert sorted(said == "as the code has it" for _, said in key) == [False, True]
    for section, said in key:
        sheets = [(tmp_path / folder / f"sheet-{section}.txt").read_text("utf-8") for folder in ("wrong", "right")]
        assert (sheets[0] == sheets[1]) == (said == "as the code has it"), section
