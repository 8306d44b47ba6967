"""The same command again whenever a file of a game is saved, as a preview for whoever writes the game."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

_PAUSE = 0.3
"""Between two looks at the files, in seconds."""


def again_on_save(folder: Path, words: Sequence[str]) -> None:
    """Run the builder with these words in a process of its own, and again after each change in a folder, until it is interrupted.

    A fresh process reads code and data anew, and a mistake that ends it is told without ending the watch.
    """
    for _ in changes(folder):
        subprocess.run([sys.executable, "-m", "module_builder", *words], check=False)


def changes(folder: Path) -> Iterator[None]:
    """At once, and then after each change of a file in a folder: a new one, one that is gone, or one with another time or size."""
    seen = _state(folder)
    yield
    while True:
        time.sleep(_PAUSE)
        now = _state(folder)
        if now != seen:
            seen = now
            yield


def _state(folder: Path) -> dict[str, tuple[int, int]]:
    """The time and size of each file, hidden ones and bytecode left out."""
    found = {}
    for path in folder.rglob("*"):
        hidden = any(part.startswith((".", "__")) for part in path.relative_to(folder).parts)
        try:
            about = path.stat()
        except OSError:  # gone since, while an editor replaces it
            continue
        if path.is_file() and not hidden:
            found[str(path)] = about.st_mtime_ns, about.st_size
    return found
