"""The steps of continuous integration stand on the page of runs with their seconds, and a new run replaces them alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from . import runs, steps


def test_a_run_replaces_the_steps_of_the_last_one_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before, page, took = runs.PAGE.read_text("utf-8"), tmp_path / "runs.md", tmp_path / "steps"
    page.write_text(before, "utf-8")
    took.write_text("   96  what the tests need\n  466  rules\n", "utf-8")
    monkeypatch.setattr(runs, "PAGE", page)
    monkeypatch.setattr(sys, "argv", ["steps", str(took)])
    steps.main()
    after = page.read_text("utf-8").splitlines()
    place = after.index("| step of `.ci/run` | seconds |")
    assert after[place + 2 : place + 4] == ["| what the tests need | 96 |", "| rules | 466 |"]
    assert after[place + 4].startswith("| on 20") and not after[place + 5]
    old = before.splitlines()
    assert after[:place] == old[:place]
    assert "\n".join(after[place + 5 :]) in before


def test_a_line_without_seconds_is_no_step() -> None:
    with pytest.raises(ValueError, match="lint"):
        steps.steps_table("lint lint\n")
