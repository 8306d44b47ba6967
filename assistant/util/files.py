"""The user's folders; reading untrusted files, and the errors of files that cannot be read or written."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from .errors import InputError, Where, located
from .limits import Limit

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_DATA, _CACHE = "FIELD_STAFF_DATA", "FIELD_STAFF_CACHE"


def data_folder() -> Path:
    """The user's data folder, or the one that FIELD_STAFF_DATA names."""
    if folder := os.environ.get(_DATA):
        return Path(folder)
    from platformdirs import user_data_path

    return user_data_path("field-staff", appauthor=False)


def cache_folder() -> Path:
    """The user's folder for what can be made anew at any time, or the one that FIELD_STAFF_CACHE names.

    Who has a data folder of his own has it in there.
    """
    if folder := os.environ.get(_CACHE):
        return Path(folder)
    if folder := os.environ.get(_DATA):
        return Path(folder) / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("field-staff", appauthor=False)


def read_bytes(path: Path) -> bytes:
    """A file's bytes. Raises InputError if it cannot be read, is too large, or is a pipe or a device."""
    where = Where(str(path))
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InputError("this is not a regular file", where=where, hint="pass it on standard input: -")
            return _read_limited(file, where)
    except (OSError, ValueError) as error:  # a name with a NUL in it is a ValueError
        if isinstance(error, InputError):
            raise
        raise _word_error(error, path, "check the path") from None


def package_folder(package: str) -> Traversable:
    """The folder of an importable package, in an archive too.

    Raises ImportError if there is none; TypeError or AttributeError if the name is not that of a package.
    """
    module = import_module(package)
    if len(module.__path__) == 1 and Path(module.__path__[0]).is_dir():
        return Path(module.__path__[0])
    from importlib.resources import files  # only here: it takes long to import

    return files(module)


def read_standard_input() -> bytes:
    """The bytes of standard input. Raises InputError if it is closed or too large."""
    where = Where("standard input")
    try:
        return _read_limited(sys.stdin.buffer, where)
    except (OSError, AttributeError):  # Python sets sys.stdin to None if it is closed
        raise InputError("it cannot be read", where=where, hint="name a file instead of -") from None


def read_typed_lines() -> Iterator[str]:
    """The lines of standard input as they come, in UTF-8 whatever the encoding of the console; other bytes show as
    U+FFFD.

    Raises InputError if it is closed or cannot be read, and for a line longer than a line of notation.
    """
    where = Where("standard input")
    if sys.stdin is None:
        raise InputError("it cannot be read", where=where, hint="type into a terminal, a file or a pipe")
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.isatty():
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    most = Limit.LINE.most
    try:
        while line := sys.stdin.readline(most + 2):
            with located(where):
                Limit.LINE.check(len(line.rstrip("\r\n")), "the line holds")
            yield line
    except OSError as error:
        raise InputError(error.strerror or str(error), where=where) from None


def _without_waiting(path: str, flags: int) -> int:
    """Open a file without blocking on a pipe that has no writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read_limited(file: BinaryIO, where: Where) -> bytes:
    data = file.read(Limit.FILE.most + 1)
    with located(where):
        Limit.FILE.check(len(data), "it holds")
    return data


def unwritable(error: OSError | ValueError, path: Path, what: str = "not written") -> InputError:
    """The error for a file or folder that cannot be written, made or moved. what: what is not done."""
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    hint = "make room on that disk" if full else "check that the folder exists and that you may write to it"
    input_error = _word_error(error, path, hint)
    return input_error.told_as(f"{what}: {input_error.what}", Where(str(path)))


def _word_error(error: OSError | ValueError, path: Path, hint: str) -> InputError:
    what = error.strerror if isinstance(error, OSError) else None
    return InputError(what or str(error), where=Where(str(path)), hint=hint)
