"""Locks on files, on any system: a run locks the files that it writes, and leaves no lock behind."""

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
    """Lock an open file until it is closed.

    Returns False if another run has locked the file, or has removed it meanwhile. On Windows nothing is done, as nobody
    can remove an open file there.

    `wait`: whether to wait for another run.
    """
    if WINDOWS:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return wait  # a disk without locks, where no file counts as abandoned
    return os.fstat(file.fileno()).st_nlink > 0


@contextmanager
def hold_abandoned(path: Path) -> Iterator[None]:
    """Lock a file abandoned by its run, and remove it after the block.

    On Windows it is removed before the block, as an open file cannot be removed there.

    Raises OSError if a run still has locked it.
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
    """Release a lock, and remove its file. If the system fails at that, the lock ends with this process.

    A run that waited for a removed file makes a new one. Windows keeps a file that a run waits for.
    """
    if not WINDOWS:  # Windows removes the file when the lock is released
        with suppress(OSError):
            os.unlink(lock.lock_file)
    with suppress(OSError):
        lock.release()
