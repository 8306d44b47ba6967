"""`sheets --watch`: the preview of a game is drawn again when one of its files is saved."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from module_builder.new import new_game

from ...cases import thorough


@thorough
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_command_goes_on_until_it_is_interrupted(tmp_path: Path) -> None:
    new_game(tmp_path / "heath")
    command = [sys.executable, "-m", "module_builder", "sheets", "heath", "--watch", "-o", "made.pdf"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, bufsize=1, preexec_fn=interruptible
    ) as process:
        assert process.stdout is not None
        seen = threading.Event()
        patience = threading.Timer(120, process.kill)  # it never hangs the run
        patience.start()
        try:
            lines = iter(process.stdout.readline, "")
            assert next(lines).startswith("watching ")
            assert next(lines).startswith("made.pdf: ")
            first = (tmp_path / "made.pdf").read_bytes()
            (roster,) = (tmp_path / "heath").rglob("roster*.csv")
            rows = roster.read_text("utf-8").splitlines()
            roster.write_text("\n".join([*rows, rows[-1].replace(rows[-1].split(",")[0], "Late arrivals", 1)]) + "\n")
            threading.Thread(target=saved_again, args=(roster, seen), daemon=True).start()
            assert next(lines).startswith("made.pdf: ")
            assert (tmp_path / "made.pdf").read_bytes() != first
            os.kill(process.pid, signal.SIGINT)
            process.wait(30)
        finally:
            seen.set()
            process.kill()
            patience.cancel()


def interruptible() -> None:
    """Whoever runs the tests in the background has interrupts ignored, and what they start would go on for ever."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def saved_again(file: Path, seen: threading.Event) -> None:
    """Saves a file again every other second until that is seen: a save in the very moment of the first drawing may be missed."""
    while not seen.wait(2):
        file.touch()
