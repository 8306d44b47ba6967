"""Whether files have been saved: what is made from them, or answered, is made or answered anew."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import is_zipfile

_EVERY = 0.3
"""Between two looks at the files, in seconds."""
_MOST = 2000
_PATIENCE = 20
"""How many looks a file is given to become whole once it no longer changes."""

Pause = Callable[[float], object]
Stamp = tuple[int, int]
"""When a file was last changed, in nanoseconds, and its size in bytes."""


def stamps(folder: Path) -> dict[str, Stamp]:
    """When each file of a folder was last changed, and its size, for at most 2000 files; hidden ones and bytecode are
    left out.
    """
    files: dict[str, Stamp] = {}
    for holder, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        for name in names:
            if name.startswith("."):
                continue
            file = os.path.join(holder, name)
            if (stamp := _stamp(file)) is None:  # it is being saved, or has just gone
                continue
            files[file] = stamp
            if len(files) >= _MOST:
                return files
    return files


def _stamp(file: str | Path) -> Stamp | None:
    try:
        about = os.stat(file)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


def saves(folder: Path, made: Path, pause: Pause = time.sleep) -> Iterator[None]:
    """Each time from now on that files of a folder are saved, made or deleted; it does not end.

    made: the file or folder that is made from them, which counts for nothing though it be in the folder.
    """
    return _saves(folder, made, pause, stamps(folder))


def _saves(folder: Path, made: Path, pause: Pause, before: dict[str, Stamp]) -> Iterator[None]:
    while True:
        pause(_EVERY)
        now = stamps(folder)
        changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        before = now
        if not all(Path(name).resolve().is_relative_to(made.resolve()) for name in changed):
            yield


def versions(file: Path, pause: Pause = time.sleep) -> Iterator[None]:
    """The file as it is now, then each time that it has been saved; it does not end.

    A file that is still being written is waited for: until two looks find it the same and, if it is a zip file by its
    beginning, until its end is there too; a file that stays without its end counts as saved after some seconds. While
    it is missing, nothing happens.
    """
    reported: Stamp | None = None
    before, same = _stamp(file), 0
    if before is not None and is_whole(file):
        reported = before
        yield
    while True:
        pause(_EVERY)
        now = _stamp(file)
        same = same + 1 if now == before else 0
        before = now
        if now is not None and now != reported and same and (is_whole(file) or same >= _PATIENCE):
            reported = now
            yield


def is_whole(file: Path) -> bool:
    """Whether a file has an end: an empty one has none, nor a zip file without its last record."""
    try:
        with file.open("rb") as opened:
            begins = opened.read(2)
            return bool(begins) and (begins != b"PK" or is_zipfile(opened))
    except OSError:
        return False
