"""Locks on files, which systems have in different ways: that a run holds what it writes, and that it leaves no lock
behind.
"""

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
    """Hold a file as long as it is open. Returns False if another run holds it, or has removed it meanwhile.

    On Windows it is held anyway: nobody can remove an open file there.
    """
    if WINDOWS:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return wait  # a disk without locks: nothing on it is ever taken for abandoned
    return os.fstat(file.fileno()).st_nlink > 0


@contextmanager
def hold_abandoned(path: Path) -> Iterator[None]:
    """Hold a file that its run has left, and remove it after the block; on Windows before, which fails for one that is
    open. Raises OSError if a run still holds it.
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
    """Release a lock, and leave no file of it. Where the system fails at that, it is released when this process ends.

    Who has waited for a file that is gone sees that, and takes a new one; Windows keeps a file that somebody waits for.
    """
    if not WINDOWS:  # there it is removed once it is released
        with suppress(OSError):
            os.unlink(lock.lock_file)
    with suppress(OSError):
        lock.release()
