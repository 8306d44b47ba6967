"""The process in which each call is answered, beside the server: it ends with the server, and by nothing else."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from io import BufferedReader
from threading import Thread

from .tools import Reply

ENVIRONMENT: Mapping[str, str] = {"PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""What such a process is begun with: it runs no module of the folder in which the client has begun the server, and leaves nothing
beside the code of a game.
"""


def begin() -> None:
    """Make a new process ready. Ctrl+C in a terminal is for the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def work(answer: Callable[..., Reply], *given: object) -> Reply:
    """What a function answers, unless the server goes before."""
    Thread(target=_end_with_server, daemon=True).start()
    return answer(*given)


def _end_with_server() -> None:
    """End this process if the server closes the pipe through which it hands over work, as each system does for one that is killed.
    Return when more work comes, of which this takes nothing.
    """
    pipe = sys.__stdin__ and sys.__stdin__.buffer
    if isinstance(pipe, BufferedReader) and not pipe.peek(1):
        os._exit(1)
