"""`sheets --watch`: the preview of a game is drawn again when one of its files is saved."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from module_builder.new import new_game
from module_builder.sheets import watch


def test_a_save_is_a_change_and_nothing_else_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "roster.csv").write_text("unit\n")
    pauses: Iterator[object] = iter(
        [
            None,
            (tmp_path / ".roster.csv.swp", "x"),  # hidden: an editor's own
            (tmp_path / "roster.csv", "unit\n1/1\n"),
            None,
            (tmp_path / "boards.toml", ""),
        ]
    )
    looks = 0

    def pause(seconds: float) -> None:
        nonlocal looks
        looks += 1
        saved = next(pauses)
        if isinstance(saved, tuple):
            saved[0].write_text(saved[1])

    monkeypatch.setattr(watch.time, "sleep", pause)
    seen = watch.changes(tmp_path)
    counts = [looks for _ in zip(range(3), seen, strict=False)]
    assert counts == [0, 3, 5]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_command_goes_on_until_it_is_interrupted(tmp_path: Path) -> None:
    new_game(tmp_path / "heath")
    command = [sys.executable, "-m", "module_builder", "sheets", "heath", "--watch", "-o", "made.pdf"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdout is not None
        try:
            lines = iter(process.stdout.readline, "")
            assert next(lines).startswith("watching ")
            assert next(lines).startswith("made.pdf: ")
            first = (tmp_path / "made.pdf").read_bytes()
            (roster,) = (tmp_path / "heath").rglob("roster*.csv")
            rows = roster.read_text("utf-8").splitlines()
            roster.write_text("\n".join([*rows, rows[-1].replace(rows[-1].split(",")[0], "Late arrivals", 1)]) + "\n")
            assert next(lines).startswith("made.pdf: ")
            assert (tmp_path / "made.pdf").read_bytes() != first
        finally:
            os.kill(process.pid, signal.SIGINT)
        process.wait(30)
