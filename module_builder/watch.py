"""Whether a file of a game has been saved: what is made from it is made anew."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

_EVERY = 0.3
"""Between two looks at the files, in seconds."""
_MOST = 2000


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """When each file of a folder was last changed, and its size, for at most 2000 files; hidden ones and bytecode are left out."""
    found: dict[str, tuple[int, int]] = {}
    for holder, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        for name in names:
            if name.startswith("."):
                continue
            file = os.path.join(holder, name)
            try:
                about = os.stat(file)
            except OSError:  # it is being saved, or has just gone
                continue
            found[file] = about.st_mtime_ns, about.st_size
            if len(found) >= _MOST:
                return found
    return found


def saves(folder: Path, made: Path, pause: Callable[[float], object] = time.sleep) -> Iterator[None]:
    """Each time from now on that files of a folder are saved, made or deleted; it does not end.

    made: the file or folder that is made from them, which counts for nothing though it be in the folder.
    """
    return _saves(folder, made, pause, stamps(folder))


def _saves(
    folder: Path, made: Path, pause: Callable[[float], object], before: dict[str, tuple[int, int]]
) -> Iterator[None]:
    while True:
        pause(_EVERY)
        now = stamps(folder)
        changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        before = now
        if not all(Path(name).resolve().is_relative_to(made.resolve()) for name in changed):
            yield
