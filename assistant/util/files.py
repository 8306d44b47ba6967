"""Reading untrusted files: bounded, without waiting, with an error that says what to do; and waiting for files to be
saved, so that what is made from them, or answered, is made or answered anew.
"""

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
"""The variable that names the data folder."""
_CACHE = "FIELD_STAFF_CACHE"
"""The variable that names the folder for what can be made anew."""
_INTERVAL = 0.3
"""Between two looks at the files, in seconds."""
_MOST_FILES = 2000
"""The most files of a folder that are looked at."""
_PATIENCE = 20
"""How many looks a file is given to become whole once it no longer changes."""

Pause = Callable[[float], object]
Stamp = tuple[int, int]
"""When a file was last changed, in nanoseconds, and its size in bytes."""


def data_folder() -> Path:
    """Return the user's data folder, or the one that FIELD_STAFF_DATA names."""
    if folder := os.environ.get(_DATA):
        return Path(folder)
    from platformdirs import user_data_path

    return user_data_path("field-staff", appauthor=False)


_DEVICE = late_pattern(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\..*)?", re.IGNORECASE | re.DOTALL
)


def is_device(name: str) -> bool:
    """Return whether Windows takes a file or a folder of this name for a device, such as `con` or `nul.txt`."""
    return _DEVICE.fullmatch(name) is not None


def may_have_link(folder: str, parts: Sequence[str]) -> bool:
    """Return whether a symbolic link may lie on the way from a folder to a file in it; on Windows, which has links of
    other kinds, always.
    """
    way = accumulate((folder, *parts), os.path.join)
    return os.name == "nt" or any(os.path.islink(file) for file in way if file != folder)


def cache_folder() -> Path:
    """Return the user's folder for what can be made anew at any time, or the one that FIELD_STAFF_CACHE names.

    Who has a data folder of his own has it in there.
    """
    if folder := os.environ.get(_CACHE):
        return Path(folder)
    if folder := os.environ.get(_DATA):
        return Path(folder) / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("field-staff", appauthor=False)


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes. Raises InputError if it cannot be read, is too large, or is a pipe or a device."""
    where = Where(str(path))
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise InputError("this is not a regular file", where=where, hint="pipe it in, with - as the file")
            return _read_limited(file, where, about.st_size)
    except (OSError, ValueError) as error:  # a name with a NUL in it is a ValueError
        if isinstance(error, InputError):
            raise
        raise _make_error(error, path, "check the path") from None


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text one by one, each with its number, so that a long file takes little memory.

    Raises InputError as `read_bytes` does, and for a line that is too long or not UTF-8.
    """
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise InputError("this is not a regular file", where=Where(str(path)), hint="copy it into one")
            Limit.FILE.check(os.fstat(file.fileno()).st_size, "it holds")
            number = 0
            most = 4 * Limit.LINE.most + 2  # bytes of so many letters
            while data := file.readline(most):
                number += 1
                if len(data) == most and not data.endswith(b"\n"):
                    raise Limit.LINE.error("the line holds").at(Where(str(path), number))
                try:
                    yield number, data.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    hint = "save it as UTF-8"
                    raise InputError("this is not UTF-8 text", where=Where(str(path), number), hint=hint) from None
    except (OSError, ValueError) as error:  # a name with a NUL in it is a ValueError
        if isinstance(error, InputError):
            raise error.at(Where(str(path))) from None
        raise _make_error(error, path, "check the path") from None


def read_own(file: Traversable) -> bytes:
    """Return the bytes of a file that belongs to the program, or to a pack that it keeps. Raises MachineError with its
    name if it cannot be read, which the system does not name where a read breaks off.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        if is_of_the_machine(error):
            raise word_machine_error(error, str(file)) from None
        raise


def package_folder(package: str) -> Traversable:
    """Return the folder of an importable package, in an archive too.

    Raises ImportError if there is none; TypeError or AttributeError if the name is not that of a package.
    """
    module = import_module(package)
    if len(module.__path__) == 1 and Path(module.__path__[0]).is_dir():
        return Path(module.__path__[0])
    from importlib.resources import files  # only here: it takes long to import

    return files(module)


def files_below(folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of a folder and of those below it, each with its path in there, in the order of these; hidden
    ones are left out.
    """
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from ((f"{entry.name}/{path}", file) for path, file in files_below(entry))
        else:
            yield entry.name, entry


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder of the system's for what is needed in between; it is removed after the block as far as the disk
    lets it.
    """
    from shutil import rmtree  # only here: most commands need no folder
    from tempfile import mkdtemp

    folder = Path(mkdtemp())
    try:
        yield folder
    finally:
        with suppress(OSError):  # which it raises of a folder that it cannot look at
            rmtree(folder, ignore_errors=True)


def read_standard_input() -> bytes:
    """Return the bytes of standard input. Raises InputError if it is closed or too large."""
    where = Where("standard input")
    hint = "name a file instead of -"
    if sys.stdin is None:  # which is how Python says that it is closed
        raise InputError("it cannot be read", where=where, hint=hint)
    try:
        return _read_limited(sys.stdin.buffer, where)
    except OSError as error:
        raise InputError(error.strerror or "it cannot be read", where=where, hint=hint) from None


def read_typed_lines() -> Iterator[str]:
    """Yield the lines of standard input as they come, in UTF-8 whatever the encoding of the console; other bytes show
    as U+FFFD.

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


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file without blocking on a pipe that has no writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read_limited(file: BinaryIO, where: Where, size: int = 0) -> bytes:
    """Return all that a file holds. size: in bytes, as far as it is known: no more room is taken unless there is more."""
    most = Limit.FILE.most
    data = file.read(min(size, most) + 1)
    if len(data) > size:
        data += file.read(most + 1 - len(data))
    with located(where):
        Limit.FILE.check(len(data), "it holds")
    return data


def unwritable(error: OSError | ValueError, path: Path, what: str = "not written") -> InputError:
    """Return the error for a file or folder that cannot be written, made or moved. what: what is not done."""
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
    """Return when each file of a folder was last changed, and its size, for at most 2000 files; hidden ones and
    bytecode are left out.

    on_error: gets the error for a file or folder that cannot be looked at, which is left out.
    """
    files: dict[str, Stamp] = {}
    for holder, folders, names in os.walk(folder, onerror=on_error):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        for name in names:
            if name.startswith("."):
                continue
            file = os.path.join(holder, name)
            if (stamp := _read_stamp(file, on_error)) is None:  # it is being saved, or has just gone
                continue
            files[file] = stamp
            if len(files) >= _MOST_FILES:
                return files
    return files


def _read_stamp(file: str | Path, on_error: Callable[[OSError], object] | None = None) -> Stamp | None:
    try:
        about = os.stat(file)
    except OSError as error:
        if on_error:
            on_error(error)
        return None
    return about.st_mtime_ns, about.st_size


def saves(folder: Path, made: Path, pause: Pause = time.sleep) -> Iterator[None]:
    """Return each time from now on that files of a folder are saved, made or deleted; it does not end.

    made: the file or folder that is made from them; it is ignored, even inside the folder.
    """
    return _watch_saves(folder, made, pause, stamps(folder))


def _watch_saves(folder: Path, made: Path, pause: Pause, before: dict[str, Stamp]) -> Iterator[None]:
    while True:
        pause(_INTERVAL)
        now = stamps(folder)
        changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        before = now
        if not all(Path(name).resolve().is_relative_to(made.resolve()) for name in changed):
            yield


def versions(file: Path, pause: Pause = time.sleep) -> Iterator[None]:
    """Yield the file as it is now, then each time that it has been saved; it does not end.

    A file that is being written is awaited until it is the same twice and, if it is a zip file, has its end, or some
    seconds have passed. While it is missing, nothing happens.
    """
    reported: Stamp | None = None
    before = _read_stamp(file)
    same = 0
    if before is not None and is_whole(file):
        reported = before
        yield
    while True:
        pause(_INTERVAL)
        now = _read_stamp(file)
        same = same + 1 if now == before else 0
        before = now
        if now is not None and now != reported and same and (is_whole(file) or same >= _PATIENCE):
            reported = now
            yield


def is_whole(file: Path) -> bool:
    """Return whether a file has an end: an empty one has none, nor a zip file without its last record."""
    from zipfile import is_zipfile  # only here: most commands do not watch

    try:
        with file.open("rb") as opened:
            begins = opened.read(2)
            return bool(begins) and (begins != b"PK" or is_zipfile(opened))
    except OSError:
        return False
