"""Renaming files, on any system: open files, and files that a rename replaces, differ."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from . import clock

WINDOWS = os.name == "nt"
_MAX_ATTEMPTS = 100
"""The maximum number of attempts to replace a file that others read, on Windows."""
_PAUSE_SECONDS = 0.02
"""The seconds between two attempts."""


def close_first(file: BinaryIO) -> None:
    """Close a file before it is renamed or removed, if the system requires this."""
    if WINDOWS:
        file.close()


def replace_file(file: Path, target: Path) -> None:
    """Rename a finished file, and replace an existing target.

    On Windows this waits for programs that read the target.
    """
    for _ in range(_MAX_ATTEMPTS if WINDOWS else 0):
        with suppress(PermissionError):
            os.replace(file, target)
            return
        clock.pause(_PAUSE_SECONDS)
    os.replace(file, target)


def name_file(file: Path, target: Path) -> None:
    """Rename a finished file without replacing another.

    Raises FileExistsError if the target exists.
    """
    if WINDOWS:
        os.rename(file, target)  # never replaces a file on Windows
        return
    try:
        os.link(file, target)  # unlike a rename, it never replaces a file
    except FileExistsError:
        raise
    except (OSError, AttributeError):  # without hard links, as on a memory stick or in a browser: claim the name first
        open(target, "xb").close()
        try:
            os.replace(file, target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise


def sync_folder(folder: Path) -> None:
    """Ensure that the names in a folder are on the disk, if the system can."""
    if WINDOWS:
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return  # a folder that may be written but not read
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # the file system cannot sync folders
            raise
    finally:
        os.close(handle)
