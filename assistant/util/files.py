"""Reading untrusted files: bounded, without blocking, and with errors that state the remedy; watching for saves."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from .errors import InputError, MachineError, Where, is_of_the_machine, located, word_machine_error
from .limits import Limit
from .patterns import late_pattern

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_DATA = "FIELD_STAFF_DATA"
"""The environment variable with the data folder."""
_CACHE = "FIELD_STAFF_CACHE"
"""The environment variable with the cache folder."""
_INTERVAL_SECONDS = 0.3
"""The seconds between two checks of the files."""
_MAX_FILES = 2000
"""The maximum number of files of a folder that are watched."""
_MAX_LOOKS = 20
"""The number of checks without a change after which an incomplete file counts as complete."""

Pause = Callable[[float], object]
Stamp = tuple[int, int]
"""The time of a file's last change, in nanoseconds, and its size in bytes."""


def data_folder() -> Path:
    """Return the user's data folder, or the one in the variable FIELD_STAFF_DATA."""
    if folder := os.environ.get(_DATA):
        return Path(folder)
    from platformdirs import user_data_path

    return user_data_path("field-staff", appauthor=False)


_DEVICE = late_pattern(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\..*)?", re.IGNORECASE | re.DOTALL
)


def is_device(name: str) -> bool:
    """Return whether Windows takes this name of a file or folder for a device, such as `con` or `nul.txt`."""
    return _DEVICE.fullmatch(name) is not None


def may_have_link(folder: str, parts: Sequence[str]) -> bool:
    """Return whether a symbolic link may be on the path from a folder to a file in it.

    On Windows, which has other links too, this is always True.
    """
    paths = accumulate((folder, *parts), os.path.join)
    return os.name == "nt" or any(os.path.islink(file) for file in paths if file != folder)


def cache_folder() -> Path:
    """Return the cache folder, for data that can be made anew.

    It is the folder in FIELD_STAFF_CACHE, else `cache` in FIELD_STAFF_DATA, else the user's cache folder.
    """
    if folder := os.environ.get(_CACHE):
        return Path(folder)
    if folder := os.environ.get(_DATA):
        return Path(folder) / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("field-staff", appauthor=False)


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes.

    Raises InputError if the file cannot be read, is too large, or is a pipe or a device.
    """
    where = Where(str(path))
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise InputError("this is not a regular file", where=where, hint="pipe it in, with - as the file")
            return _read_limited(file, where, status.st_size)
    except (OSError, ValueError) as error:  # a name with a NUL raises a ValueError
        if isinstance(error, InputError):
            raise
        raise _make_error(error, path, "check the path") from None


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a text file one by one, so that a long file takes little memory.

    Raises InputError as `read_bytes` does, and for a line that is too long or not UTF-8.
    """
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise InputError("this is not a regular file", where=Where(str(path)), hint="copy it into one")
            Limit.FILE.check(os.fstat(file.fileno()).st_size, "it holds")
            number = 0
            max_bytes = 4 * Limit.LINE.most + 2  # 4 bytes a letter at most, and the line end
            while data := file.readline(max_bytes):
                number += 1
                if len(data) == max_bytes and not data.endswith(b"\n"):
                    raise Limit.LINE.error("the line holds").at(Where(str(path), number))
                try:
                    yield number, data.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    hint = "save it as UTF-8"
                    raise InputError("this is not UTF-8 text", where=Where(str(path), number), hint=hint) from None
    except (OSError, ValueError) as error:  # a name with a NUL raises a ValueError
        if isinstance(error, InputError):
            raise error.at(Where(str(path))) from None
        raise _make_error(error, path, "check the path") from None


def read_own(file: Traversable) -> bytes:
    """Return the bytes of a file of the program, or of a pack that it keeps.

    Raises MachineError if the machine is to blame, with the file's name, which the system omits if a read fails midway.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        if is_of_the_machine(error):
            raise word_machine_error(error, str(file)) from None
        raise


def package_folder(package: str) -> Traversable:
    """Return the folder of an importable package, which may be in an archive.

    Raises ImportError if there is no such package, and TypeError or AttributeError if the name is not a package's.
    """
    module = import_module(package)
    if len(module.__path__) == 1 and Path(module.__path__[0]).is_dir():
        return Path(module.__path__[0])
    from importlib.resources import files  # loaded late: it takes long to import

    return files(module)


def files_below(folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of a folder and its subfolders with their relative paths, sorted, without hidden ones."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from ((f"{entry.name}/{path}", file) for path, file in files_below(entry))
        else:
            yield entry.name, entry


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a temporary folder for the block, and remove it afterwards as far as the disk allows."""
    from shutil import rmtree  # loaded late: most commands need no folder
    from tempfile import mkdtemp

    folder = Path(mkdtemp())
    try:
        yield folder
    finally:
        with suppress(OSError):  # raised for a folder that cannot be examined
            rmtree(folder, ignore_errors=True)


def read_standard_input() -> bytes:
    """Return the bytes of standard input. Raises InputError if it is closed or too large."""
    where = Where("standard input")
    hint = "name a file instead of -"
    if sys.stdin is None:  # None means closed
        raise InputError("it cannot be read", where=where, hint=hint)
    try:
        return _read_limited(sys.stdin.buffer, where)
    except OSError as error:
        raise InputError(error.strerror or "it cannot be read", where=where, hint=hint) from None


def read_typed_lines() -> Iterator[str]:
    """Yield the lines of standard input as they come, as UTF-8; other bytes become U+FFFD.

    The console's own encoding does not matter.

    Raises InputError if standard input is closed or cannot be read, or a line is longer than notation allows.
    """
    where = Where("standard input")
    if sys.stdin is None:
        raise InputError("it cannot be read", where=where, hint="type into a terminal, a file or a pipe")
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.isatty():
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    max_chars = Limit.LINE.most
    try:
        while line := sys.stdin.readline(max_chars + 2):
            with located(where):
                Limit.LINE.check(len(line.rstrip("\r\n")), "the line holds")
            yield line
    except OSError as error:
        raise InputError(error.strerror or str(error), where=where) from None


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file without blocking on a pipe that has no writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read_limited(file: BinaryIO, where: Where, size: int = 0) -> bytes:
    max_bytes = Limit.FILE.most
    data = file.read(min(size, max_bytes) + 1)
    if len(data) > size:
        data += file.read(max_bytes + 1 - len(data))
    with located(where):
        Limit.FILE.check(len(data), "it holds")
    return data


def unwritable(error: OSError | ValueError, path: Path, what: str = "not written") -> InputError:
    """Return the error for a file or folder that cannot be written, made or moved.

    `what`: the beginning of the message.
    """
    input_error = _make_error(error, path, "check that the folder exists and that you may write to it")
    return input_error.told_as(f"{what}: {input_error.what}", Where(str(path)))


def _make_error(error: OSError | ValueError, path: Path, hint: str) -> InputError:
    if isinstance(error, OSError) and is_of_the_machine(error) and error.errno not in (errno.EACCES, errno.EPERM):
        hint = word_machine_error(error).hint
    what = error.strerror if isinstance(error, OSError) else None
    kind = MachineError if is_of_the_machine(error) else InputError
    return kind(what or str(error), where=Where(str(path)), hint=hint)


# --- files that are saved ---


def stamps(folder: Path, on_error: Callable[[OSError], object] | None = None) -> dict[str, Stamp]:
    """Return the stamp of each file in a folder by path, at most 2000, without hidden files and bytecode.

    `on_error`: gets the error of each file or folder that cannot be examined and is left out.
    """
    files: dict[str, Stamp] = {}
    for holder, folders, names in os.walk(folder, onerror=on_error):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        for name in names:
            if name.startswith("."):
                continue
            file = os.path.join(holder, name)
            if (stamp := _read_stamp(file, on_error)) is None:  # being saved, or just deleted
                continue
            files[file] = stamp
            if len(files) >= _MAX_FILES:
                return files
    return files


def _read_stamp(file: str | Path, on_error: Callable[[OSError], object] | None = None) -> Stamp | None:
    try:
        status = os.stat(file)
    except OSError as error:
        if on_error:
            on_error(error)
        return None
    return status.st_mtime_ns, status.st_size


def saves(folder: Path, target: Path, pause: Pause = time.sleep) -> Iterator[None]:
    """Yield None, endlessly, each time that files of a folder are saved, made or deleted.

    `target`: a file or folder made from them, whose changes are ignored.
    """
    return _watch_saves(folder, target, pause, stamps(folder))


def _watch_saves(folder: Path, made: Path, pause: Pause, before: dict[str, Stamp]) -> Iterator[None]:
    while True:
        pause(_INTERVAL_SECONDS)
        current = stamps(folder)
        changed = [name for name in {**before, **current} if before.get(name) != current.get(name)]
        before = current
        if not all(Path(name).resolve().is_relative_to(made.resolve()) for name in changed):
            yield


def versions(file: Path, pause: Pause = time.sleep) -> Iterator[None]:
    """Yield None, endlessly: now, and each time that the file has been saved.

    The generator waits for a missing file. It waits until a file being written is unchanged twice and, if it is a zip
    file, complete, or until some seconds have passed.
    """
    reported: Stamp | None = None
    before = _read_stamp(file)
    unchanged_looks = 0
    if before is not None and is_whole(file):
        reported = before
        yield
    while True:
        pause(_INTERVAL_SECONDS)
        current = _read_stamp(file)
        unchanged_looks = unchanged_looks + 1 if current == before else 0
        before = current
        if (
            current is not None
            and current != reported
            and unchanged_looks
            and (is_whole(file) or unchanged_looks >= _MAX_LOOKS)
        ):
            reported = current
            yield


def is_whole(file: Path) -> bool:
    """Return whether a file is complete: not empty and, if it is a zip file, with its last record."""
    from zipfile import is_zipfile  # loaded late: most commands do not watch files

    try:
        with file.open("rb") as opened:
            magic = opened.read(2)
            return bool(magic) and (magic != b"PK" or is_zipfile(opened))
    except OSError:
        return False
