"""Copies, in the user's cache, of results made from files, so that they are not made each time.

A copy is valid for the content of the files and for the code that made it, by size and time of change, as in Python's
bytecode. A copy that does not fit or cannot be read is made anew; nothing depends on it.
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
"""The number of bytes of the content's digest."""
_CHECK_SIZE = 4
"""The number of bytes of the checksum that shows whether a body is whole."""


class Copies(msgspec.Struct, frozen=True):
    """A kind of copies, with a folder of its own."""

    folder: str
    ending: str
    most: int
    """The maximum number kept; the oldest make room."""


class Copy(msgspec.Struct, frozen=True):
    """A copy of a result that was made from files."""

    kind: Copies
    of: str
    """The source of the copy, such as the folder of the files."""
    content: bytes
    """The digest of the source's content, from `mark_content`."""

    def read(self) -> memoryview | None:
        file = self._find_file()
        if file is None:
            return None
        try:
            content_and_body = memoryview(read_bytes(file))
        except InputError:
            return None
        body = content_and_body[_DIGEST_SIZE + _CHECK_SIZE :]
        return body if content_and_body[: _DIGEST_SIZE + _CHECK_SIZE] == self.content + _make_check(body) else None

    def write(self, body: bytes) -> None:
        from .writing import make_folder, write_whole  # loaded late: most copies are only read

        file = self._find_file()
        if file is None:
            return
        with suppress(InputError, OSError):
            make_folder(file.parent)
            write_whole(file, self.content + _make_check(body) + body, force=True)
            copies = file.parent.glob(f"*{self.kind.ending}")
            for oldest in sorted(copies, key=lambda other: -other.stat().st_mtime_ns)[self.kind.most :]:
                oldest.unlink(missing_ok=True)  # for example, copies of deleted folders

    def _find_file(self) -> Path | None:
        digest = _blake2b(os.fsencode(self.of), digest_size=8).hexdigest()
        try:
            return cache_folder() / self.kind.folder / f"{digest}{self.kind.ending}"
        except (RuntimeError, OSError):  # a user without a home
            return None


UNFIT = (msgspec.DecodeError, ValueError, LookupError, RecursionError)
"""The errors that reading a forged copy may raise."""


def mark_content(parts: Iterable[bytes]) -> bytes:
    """Return a digest of the content, which tells its parts apart."""
    digest = _blake2b(digest_size=_DIGEST_SIZE)
    for part in parts:
        digest.update(_blake2b(part, digest_size=_DIGEST_SIZE).digest())
    return digest.digest()


def mark_code(files: Sequence[str | None]) -> bytes:
    """Return a mark of code by the size and time of change of its files, or b"" if it is not in files."""
    try:
        stamps = [os.stat(str(file)) for file in files]
    except OSError:
        return b""
    marks = [(stamp.st_ino, stamp.st_size, stamp.st_mtime_ns) for stamp in stamps]
    return repr([*zip(files, marks, strict=True)]).encode()


def modules_beside(file: str) -> list[str]:
    """Return the modules of a package, by the file of one of them; only that one if they are not in files."""
    folder = os.path.dirname(file)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return [file]
    return [os.path.join(folder, name) for name in names if name.endswith(".py")]


def _blake2b(data: bytes | memoryview = b"", *, digest_size: int) -> hashlib.blake2b:
    """Return a digest. Its module is loaded late and without `hashlib`, which would load OpenSSL too."""
    try:
        from _blake2 import blake2b
    except ImportError:  # another Python than CPython
        from hashlib import blake2b

    return blake2b(data, digest_size=digest_size)


def _make_check(body: bytes | memoryview) -> bytes:
    return zlib.crc32(body).to_bytes(_CHECK_SIZE, "big")
