"""A picture of the counters that is drawn anew whenever a file of the game is saved."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

_EVERY = 0.3
_MOST = 2000


def stamps(folder: Path) -> dict[str, int]:
    """When each file of a folder was last changed, for at most 2000 files."""
    found: dict[str, int] = {}
    for holder, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        for name in names:
            file = os.path.join(holder, name)
            try:
                found[file] = os.stat(file).st_mtime_ns
            except OSError:  # it is being saved, or has just gone
                continue
            if len(found) >= _MOST:
                return found
    return found


def changes(folder: Path, pause: Callable[[float], object] = time.sleep) -> Iterator[list[str]]:
    """The names of files of a folder each time that some are saved, made or deleted; it does not end."""
    before = stamps(folder)
    while True:
        pause(_EVERY)
        now = stamps(folder)
        if now != before:
            changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
            before = now
            yield [os.path.relpath(name, folder) for name in changed]
