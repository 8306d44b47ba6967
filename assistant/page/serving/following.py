"""The file that a table follows: what another program changes in it comes to the table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from ...util.files import is_whole

EVERY = 0.5
"""Seconds between two looks at a file."""


async def changes(file: Path, every: float = EVERY) -> AsyncIterator[None]:
    """Each time from now on that a file has been saved; it does not end. A file that is still being written is waited for."""
    reported = before = _stamp(file)
    while True:
        await asyncio.sleep(every)
        now = _stamp(file)
        if now is not None and now != reported and now == before and is_whole(file):
            reported = now
            yield
        before = now


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        about = file.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size
