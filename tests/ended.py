"""Whether a process that a test has begun is still there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def has_ended(process: int) -> bool:
    """Return whether a process is gone, or has ended and nobody has asked yet how."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    with suppress(FileNotFoundError, ProcessLookupError):  # it went just now, or this system has no such file
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] == "Z"
    return False
