"""Signals, on any system: Ctrl+C, and those that end the program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

INTERRUPTED_EXIT_CODE = 130
"""The usual exit code of programs after Ctrl+C."""

_END = ("SIGTERM", "SIGBREAK")
"""The signals that end a program from outside, if the system has them. SIGBREAK is Ctrl+Break on Windows."""


def name_signal(number: int) -> str:
    """Return the name of a signal, such as SIGKILL."""
    import signal  # loaded late, as it slows the start

    return signal.Signals(number).name


def end_as_interrupted() -> None:
    """Let a signal that ends the program clean up half-written files, as Ctrl+C does."""
    import signal  # loaded late, as it slows the start

    for number in (getattr(signal, name, None) for name in _END):
        if number is not None:
            signal.signal(number, lambda number, frame: sys.exit(128 + number))


def end_interrupted(name: str) -> NoReturn:
    """End the program after Ctrl+C, with a message of one line.

    `name`: the command as typed.
    """
    _say_interrupted(name)
    sys.exit(INTERRUPTED_EXIT_CODE)


def _say_interrupted(name: str) -> None:
    with suppress(OSError):
        behind_sign = "\n" if os.isatty(2) else ""  # a terminal shows ^C on this line
        os.write(2, f"{behind_sign}{name}: interrupted\n".encode())


@contextmanager
def ending_interrupted(name: str) -> Iterator[None]:
    """End the program with a message of one line if Ctrl+C is pressed in the block.

    `name`: the command as typed.
    """
    try:
        yield
    except KeyboardInterrupt:
        end_interrupted(name)


def end_at_once(name: str) -> None:
    """Let Ctrl+C end the program at once with a message of one line, even while a thread waits for input.

    `name`: the command as typed.
    """
    import signal  # loaded late, as it slows the start

    def end(number: int, frame: object) -> NoReturn:
        _say_interrupted(name)
        os._exit(INTERRUPTED_EXIT_CODE)  # waits for no thread

    signal.signal(signal.SIGINT, end)


def ignore_interrupts() -> None:
    """Ignore Ctrl+C in this process; its parent process will end it."""
    import signal  # loaded late, as it slows the start

    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Let processes that start in the block ignore Ctrl+C from their beginning; their parent process will end them."""
    import signal  # loaded late, as it slows the start

    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # only the main thread may set signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
