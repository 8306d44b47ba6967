"""Copies, in the user's cache, of what was made from files, so that it is not made each time.

A copy belongs to the content of the files, and to the code that made it as Python's bytecode does: by size and time of
change. Whatever does not fit, or cannot be read, is made anew, and nobody depends on a copy.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from .errors import InputError
from .files import cache_folder, read_bytes

if TYPE_CHECKING:
    import hashlib

_DIGEST_SIZE = 32
"""Bytes of the mark of content."""
_CHECK_SIZE = 4
"""Bytes of what shows that a body is whole."""


class Copies(msgspec.Struct, frozen=True):
    """A kind of copies, in a folder of its own."""

    folder: str
    ending: str
    most: int
    """How many are kept; those kept longest make room."""


class Copy(msgspec.Struct, frozen=True):
    """The copy of what was made from files."""

    kind: Copies
    of: str
    """What it is of, such as the folder of the files."""
    content: bytes
    """The mark of their content, as `mark_content` gives it."""

    def read(self) -> memoryview | None:
        """Return the body of the copy; None if there is no copy, or if it is damaged or of other content."""
        file = self._find_file()
        if file is None:
            return None
        try:
            held = memoryview(read_bytes(file))
        except InputError:
            return None
        body = held[_DIGEST_SIZE + _CHECK_SIZE :]
        return body if held[: _DIGEST_SIZE + _CHECK_SIZE] == self.content + _make_check(body) else None

    def write(self, body: bytes) -> None:
        """Keep it, if that is possible."""
        from .writing import make_folder, write_whole  # only here: most copies are read

        file = self._find_file()
        if file is None:
            return
        with suppress(InputError, OSError):
            make_folder(file.parent)
            write_whole(file, self.content + _make_check(body) + body, force=True)
            beside = file.parent.glob(f"*{self.kind.ending}")
            for oldest in sorted(beside, key=lambda other: -other.stat().st_mtime_ns)[self.kind.most :]:
                oldest.unlink(missing_ok=True)  # such as those of folders that are gone

    def _find_file(self) -> Path | None:
        """Return its file; None without a cache folder."""
        named = _blake2b(os.fsencode(self.of), digest_size=8).hexdigest()
        try:
            return cache_folder() / self.kind.folder / f"{named}{self.kind.ending}"
        except (RuntimeError, OSError):  # a user without a home
            return None


UNFIT = (msgspec.DecodeError, ValueError, LookupError, RecursionError)
"""What is raised by whoever reads a copy that somebody made up."""


def mark_content(parts: Iterable[bytes]) -> bytes:
    """Return the mark of some content: other parts have another one."""
    digest = _blake2b(digest_size=_DIGEST_SIZE)
    for part in parts:
        digest.update(_blake2b(part, digest_size=_DIGEST_SIZE).digest())
    return digest.digest()


def mark_code(files: Sequence[str | None]) -> bytes:
    """Return the mark of code by its files, their size and time of change, much as Python marks its bytecode; empty if it
    does not lie in files.
    """
    try:
        stamps = [os.stat(str(file)) for file in files]
    except OSError:
        return b""
    marks = [(stamp.st_ino, stamp.st_size, stamp.st_mtime_ns) for stamp in stamps]
    return repr([*zip(files, marks, strict=True)]).encode()


def modules_beside(file: str) -> list[str]:
    """Return the modules of a package by the file of one of them, which alone stands for all where they do not lie in
    files.
    """
    folder = os.path.dirname(file)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return [file]
    return [os.path.join(folder, name) for name in names if name.endswith(".py")]


def _blake2b(data: bytes | memoryview = b"", *, digest_size: int) -> hashlib.blake2b:
    """Return a digest. Its module is loaded with the first copy, and past `hashlib`, which would load OpenSSL too."""
    try:
        from _blake2 import blake2b
    except ImportError:  # another Python than CPython
        from hashlib import blake2b

    return blake2b(data, digest_size=digest_size)


def _make_check(body: bytes | memoryview) -> bytes:
    """Return what shows that a body is whole."""
    return zlib.crc32(body).to_bytes(_CHECK_SIZE, "big")
