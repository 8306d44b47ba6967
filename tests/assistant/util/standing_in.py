"""Windows, stood in for: what it refuses of files that are open, and what it lacks."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.util import locks, renaming

_OF_OPEN_FILES = ("rename", "replace", "unlink", "remove")


def stand_in_for_windows(patch: pytest.MonkeyPatch) -> None:
    """Let the calls of this process meet a file system like that of Windows: an open file is neither renamed, replaced nor removed, a
    rename replaces nothing, a folder cannot be opened, and there is no flock.
    """
    patch.setattr(locks, "WINDOWS", True)
    patch.setattr(renaming, "WINDOWS", True)
    patch.setattr(renaming, "_PAUSE_SECONDS", 0.001)
    patch.delattr(locks, "fcntl", raising=False)
    for name in _OF_OPEN_FILES:
        patch.setattr(os, name, _refusing_open_files(getattr(os, name), replaces=name != "rename"))
    patch.setattr(os, "open", _refusing_folders(os.open))
    patch.setattr(shutil, "_use_fd_functions", False, raising=False)  # as there


def _refusing_open_files(call: Callable[..., None], *, replaces: bool) -> Callable[..., None]:
    def refuse(*paths: Any, **options: Any) -> None:
        if options.get("dir_fd") is None and options.get("src_dir_fd") is None:
            for path in paths:
                if is_open(path):
                    raise PermissionError(errno.EACCES, "the file is open", str(path))
            if len(paths) == 2 and not replaces and os.path.lexists(paths[1]):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(paths[0]), None, str(paths[1]))
        call(*paths, **options)

    return refuse


def _refusing_folders(call: Callable[..., int]) -> Callable[..., int]:
    def refuse(path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if (
            options.get("dir_fd") is None
            and isinstance(path, str | Path)
            and not flags & os.O_DIRECTORY
            and os.path.isdir(path)
        ):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return call(path, flags, *rest, **options)

    return refuse


def is_open(path: Any) -> bool:
    """Whether this process has a file open, or one in a folder."""
    wanted = os.path.realpath(path)
    for handle in os.listdir("/proc/self/fd"):
        try:
            opened = os.readlink(f"/proc/self/fd/{handle}")
        except OSError:  # that of the listing itself
            continue
        if opened == wanted or opened.startswith(f"{wanted}{os.sep}"):
            return True
    return False
