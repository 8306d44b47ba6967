"""Signals, of which systems have different ones: how Ctrl+C and an end from outside reach a program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

INTERRUPTED = 130
"""The exit code after Ctrl+C, as of other programs."""

_END = ("SIGTERM", "SIGBREAK")
"""The signals that end a program from outside, as far as a system has them: the second is Ctrl+Break on Windows."""


def name_signal(number: int) -> str:
    """Return the name of a signal that has ended a process, such as SIGKILL."""
    import signal  # only here: it costs a start more than all else in this module

    return signal.Signals(number).name


def end_as_interrupted() -> None:
    """Let a signal to end the program remove what is half written, as an interruption does."""
    import signal  # only here: it costs a start more than all else in this module

    for number in (getattr(signal, name, None) for name in _END):
        if number is not None:
            signal.signal(number, lambda number, frame: sys.exit(128 + number))


def end_interrupted(name: str) -> NoReturn:
    """End the program because somebody has typed Ctrl+C, in one line.

    `name`: the program as it was called.
    """
    _say_interrupted(name)
    sys.exit(INTERRUPTED)


def _say_interrupted(name: str) -> None:
    with suppress(OSError):
        behind_sign = "\n" if os.isatty(2) else ""  # a terminal shows ^C
        os.write(2, f"{behind_sign}{name}: interrupted\n".encode())


@contextmanager
def ending_interrupted(name: str) -> Iterator[None]:
    """Let Ctrl+C in the block end the program in one line."""
    try:
        yield
    except KeyboardInterrupt:
        end_interrupted(name)


def end_at_once(name: str) -> None:
    """Let Ctrl+C end the program at once and in one line, also while a thread of it waits for its input.

    `name`: the program as it was called.
    """
    import signal  # only here: it costs a start more than all else in this module

    def end(number: int, frame: object) -> NoReturn:
        _say_interrupted(name)
        os._exit(INTERRUPTED)  # which waits for no thread

    signal.signal(signal.SIGINT, end)


def ignore_interrupts() -> None:
    """Let Ctrl+C not reach this process: whoever has begun it ends it."""
    import signal  # only here: it costs a start more than all else in this module

    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Let Ctrl+C reach no process that is begun in the block, not even before its work: whoever has begun it ends it."""
    import signal  # only here: it costs a start more than all else in this module

    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # of a thread that hears no signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
