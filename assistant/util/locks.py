"""Locks on files, which differ between systems: a run holds the files that it writes, and leaves no lock behind."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if sys.platform != "win32":
    import fcntl
if TYPE_CHECKING:
    from filelock import BaseFileLock

WINDOWS = sys.platform == "win32"


def hold_file(file: BinaryIO, *, wait: bool) -> bool:
    """Hold a file as long as it is open. Return False if another run holds it, or has removed it meanwhile.

    On Windows it needs no lock: nobody can remove an open file there.
    """
    if WINDOWS:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return wait  # a disk without locks: no file on it counts as abandoned
    return os.fstat(file.fileno()).st_nlink > 0


@contextmanager
def hold_abandoned(path: Path) -> Iterator[None]:
    """Hold a file that its run has left, and remove it after the block. Raises OSError if a run still holds it.

    On Windows it is removed before the block, as an open file cannot be removed there.
    """
    with open(path, "ab") as file:
        if not hold_file(file, wait=False):
            raise BlockingIOError
        if WINDOWS:
            file.close()
            path.unlink()
            yield
            return
        yield
        path.unlink()


def release(lock: BaseFileLock) -> None:
    """Release a lock, and remove its file. If the system fails at that, it is released when this process ends.

    A run that waited for a removed file takes a new one. Windows keeps a file that a run waits for.
    """
    if not WINDOWS:  # Windows removes it when it is released
        with suppress(OSError):
            os.unlink(lock.lock_file)
    with suppress(OSError):
        lock.release()
