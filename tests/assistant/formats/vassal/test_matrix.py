"""The matrix of VASSAL's features in docs/mail/vassal.md names tests that exist, and leaves no feature without one."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[4]
ROW = re.compile(r"^\| (.*) \|$", re.MULTILINE)


def rows() -> list[list[str]]:
    """The cells of the matrix, row by row, without its head."""
    page = (ROOT / "docs/mail/vassal.md").read_text("utf-8")
    part = page.split("### What is read, understood and written")[1].split("\n### ")[0]
    return [row.strip("| ").split(" | ") for row in ROW.findall(part)[2:]]


def test_each_test_that_it_names_exists() -> None:
    there = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
    }
    named = [name for row in rows() for cell in row for name in re.findall(r"`(test_\w+)`", cell)]
    assert len(named) > 60
    assert [name for name in named if name not in there] == []


def test_each_cell_has_a_test_or_says_why_not() -> None:
    assert len(rows()) >= 30
    assert [row[0] for row in rows() if "`test_" not in row[1]] == []
    for feature, *cells in rows():
        assert len(cells) == 4, feature
        assert all("`test_" in cell or cell for cell in cells), feature
