"""A terminal for tests: lines typed when they are asked for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

pty, fcntl, termios = map(pytest.importorskip, ("pty", "fcntl", "termios"))  # there are none on Windows


def at_a_terminal(
    data: Path, words: list[str], lines: Iterable[str], *, awaits: str, then: bytes, enter: str = "\n"
) -> str:
    """Run the assistant at a terminal and type the lines, each when it is asked for, and at last some keys.

    data: the user's data folder; awaits: what the terminal shows whenever it waits. Returns all that the terminal showed.
    """
    keyboard, screen = pty.openpty()
    look = {"TERM": "xterm", "COLUMNS": "100", "PROMPT_TOOLKIT_NO_CPR": "1"}
    environment = os.environ | look | {"FIELD_STAFF_DATA": str(data)}
    process = subprocess.Popen(
        [sys.executable, "-m", "assistant", *words],
        env=environment,
        stdin=screen,
        stdout=screen,
        stderr=screen,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl+C reaches it
    )
    os.close(screen)
    rest, shown, asked = iter(lines), "", 0
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        try:
            shown += os.read(keyboard, 4096).decode(errors="replace")
        except OSError:  # the other end is closed
            break
        while shown.count(awaits) > asked:
            asked += 1
            line = next(rest, None)
            os.write(keyboard, then if line is None else f"{line}{enter}".encode())
    os.close(keyboard)
    process.kill() if process.poll() is None and time.monotonic() >= deadline else process.wait(10)
    return shown
