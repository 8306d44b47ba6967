"""The disk as journals and tables use it: the only module by which they read, write, look, rename, remove and lock.

`make explore WHAT=years` lets each of these calls fail.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

from .errors import InputError, Where
from .files import read_bytes, unwritable
from .locks import release
from .writing import Unsettled, make_folder, write_whole

__all__ = [
    "append",
    "cut",
    "exists",
    "lock",
    "make_folder",
    "read_bytes",
    "remove_folder",
    "rename",
    "stat",
    "unlink",
    "write_whole",
]


def append(file: Path, size: int, data: bytes) -> None:
    """Append data to a file by one write, all or nothing.

    `size`: the present size of the file.

    Raises InputError if nothing was added, and Unsettled if the data may not be on the disk.
    """
    try:
        handle = os.open(file, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise unwritable(error, file) from None
    written = 0
    try:
        written = os.write(handle, data)
        if written < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        try:
            os.fsync(handle)
        except OSError as error:
            raise Unsettled(error, file) from None
    except OSError as error:
        fault = unwritable(error, file)
        try:
            os.ftruncate(handle, size)
            os.fsync(handle)
        except OSError:
            fault.hint = f"{fault.hint}; half a line may stand at its end, which the next entry puts aside"
        raise fault from None
    finally:
        with suppress(OSError):  # the data are on the disk, or the fault is reported
            os.close(handle)


def cut(file: Path, size: int) -> None:
    """Cut a file back to a size. Raises InputError if that fails."""
    try:
        with open(file, "r+b") as opened:
            opened.truncate(size)
            os.fsync(opened.fileno())
    except OSError as error:
        raise unwritable(error, file) from None


def rename(file: Path, target: Path) -> None:
    """Rename a file. Raises OSError if that fails."""
    os.rename(file, target)


def unlink(file: Path) -> None:
    """Remove a file that may be missing. Raises OSError if that fails."""
    file.unlink(missing_ok=True)


def remove_folder(folder: Path) -> None:
    """Remove a folder with all its files, as far as the disk allows."""
    rmtree(folder, ignore_errors=True)


def exists(file: Path) -> bool:
    """Return whether there is a file or folder."""
    return file.exists()


def stat(file: Path) -> os.stat_result:
    """Return the size of a file and the time of its last change. Raises OSError if it does not exist."""
    return file.stat()


@contextmanager
def lock(file: Path) -> Iterator[Path]:
    """Lock a file, so that no other run writes it meanwhile. Yields its real path.

    Raises InputError if another run keeps the lock for long, or if the folder cannot be written to.
    """
    from filelock import FileLock, Timeout  # imported late, as most runs add nothing

    file = Path(os.path.realpath(file))  # all names of the file share one lock
    held = FileLock(file.with_name(f".{file.name}.lock"), timeout=30, poll_interval=0.01)
    try:
        held.acquire()
    except Timeout:
        raise InputError("another run is adding to it", where=Where(str(file)), hint="try again") from None
    except OSError as error:
        raise unwritable(error, file) from None
    try:
        yield file
    finally:
        release(held)
