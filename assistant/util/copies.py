"""Copies, in the user's cache, of results made from files, so that they are not made each time.

A copy is valid as long as the content of the files is the same, and the size and time of change of the code that made
it. A copy that is not valid or cannot be read is made anew.
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

_DIGEST_BYTES = 32
"""The length of the content's digest."""
_CHECK_BYTES = 4
"""The length of the checksum that shows whether a body is whole."""


class Copies(msgspec.Struct, frozen=True):
    """One kind of copies, kept in a folder of its own."""

    folder: str
    ending: str
    max_copies: int
    """The maximum number of copies kept; the oldest are removed first."""


class Copy(msgspec.Struct, frozen=True):
    """A copy of a result that was made from files."""

    kind: Copies
    source: str
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
        body = content_and_body[_DIGEST_BYTES + _CHECK_BYTES :]
        return body if content_and_body[: _DIGEST_BYTES + _CHECK_BYTES] == self.content + _make_check(body) else None

    def write(self, body: bytes) -> None:
        from .writing import make_folder, write_whole  # loaded late: most copies are only read

        file = self._find_file()
        if file is None:
            return
        with suppress(InputError, OSError):
            make_folder(file.parent)
            write_whole(file, self.content + _make_check(body) + body, force=True)
            copies = file.parent.glob(f"*{self.kind.ending}")
            for oldest in sorted(copies, key=lambda other: -other.stat().st_mtime_ns)[self.kind.max_copies :]:
                oldest.unlink(missing_ok=True)  # for example, copies of deleted folders

    def _find_file(self) -> Path | None:
        digest = _blake2b(os.fsencode(self.source), digest_size=8).hexdigest()
        try:
            return cache_folder() / self.kind.folder / f"{digest}{self.kind.ending}"
        except (RuntimeError, OSError):  # a user without a home
            return None


UNFIT = (msgspec.DecodeError, ValueError, LookupError, RecursionError)
"""The errors that reading a forged copy may raise."""


def mark_content(parts: Iterable[bytes]) -> bytes:
    """Return a digest of the content. The same bytes in other parts have another digest."""
    digest = _blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        digest.update(_blake2b(part, digest_size=_DIGEST_BYTES).digest())
    return digest.digest()


def mark_code(files: Sequence[str | None]) -> bytes:
    """Return a mark of code, made from the size and time of change of its files, or b"" if a file is missing."""
    try:
        stamps = [os.stat(str(file)) for file in files]
    except OSError:
        return b""
    marks = [(stamp.st_ino, stamp.st_size, stamp.st_mtime_ns) for stamp in stamps]
    return repr([*zip(files, marks, strict=True)]).encode()


def modules_beside(file: str) -> list[str]:
    """Return the Python files in the folder of a file, or only that file if the folder cannot be read."""
    folder = os.path.dirname(file)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return [file]
    return [os.path.join(folder, name) for name in names if name.endswith(".py")]


def _blake2b(data: bytes | memoryview = b"", *, digest_size: int) -> hashlib.blake2b:
    """Return a digest. The module is imported here, and not from `hashlib`, which would load OpenSSL too."""
    try:
        from _blake2 import blake2b
    except ImportError:  # another Python than CPython
        from hashlib import blake2b

    return blake2b(data, digest_size=digest_size)


def _make_check(body: bytes | memoryview) -> bytes:
    return zlib.crc32(body).to_bytes(_CHECK_BYTES, "big")
