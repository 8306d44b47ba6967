"""Copies, in the user's cache, of what was made from files, so that it is not made each time.

A copy belongs to the content of the files, and to the code that made it as Python's bytecode does: by size and time of
change. Whatever does not fit, or cannot be read, is made anew, and nobody depends on a copy.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from .errors import InputError
from .files import cache_folder, read_bytes

if TYPE_CHECKING:
    import hashlib

T = TypeVar("T")
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


def load_copy(
    kind: Copies,
    of: str,
    content: bytes,
    make: Callable[[], T],
    decode: Callable[[memoryview], T],
    encode: Callable[[T], bytes],
) -> T:
    """Return what was made from files, from its copy if there is one.

    of: what it is of, such as the folder of the files; content: its mark, `mark_content`; make: makes it anew; decode, encode: from and to what is kept; `encode` raises ValueError for what is not. Raises whatever `make` raises.
    """
    file = _find_file(kind, of)
    if file is None:
        return make()
    with suppress(InputError, OSError, msgspec.DecodeError, ValueError, LookupError):
        return decode(_read_copy(file, content))
    value = make()
    with suppress(ValueError):  # of what is not kept
        _write_copy(kind, file, content, encode(value))
    return value


def mark_content(parts: Iterable[bytes]) -> bytes:
    """Return the mark of some content: other parts have another one."""
    digest = _blake2b(digest_size=_DIGEST_SIZE)
    for part in parts:
        digest.update(_blake2b(part, digest_size=_DIGEST_SIZE).digest())
    return digest.digest()


def mark_code(files: Sequence[str | None]) -> bytes:
    """Return the mark of code by its files' size and time of change, as Python marks its bytecode; empty if it does not
    lie in files.
    """
    try:
        stamps = [os.stat(str(file)) for file in files]
    except OSError:
        return b""
    return repr([(file, stamp.st_size, stamp.st_mtime_ns) for file, stamp in zip(files, stamps, strict=True)]).encode()


def _blake2b(data: bytes | memoryview = b"", *, digest_size: int) -> hashlib.blake2b:
    """Return a digest. Its module is loaded with the first copy, and past `hashlib`, which would load OpenSSL too."""
    try:
        from _blake2 import blake2b
    except ImportError:  # another Python than CPython
        from hashlib import blake2b

    return blake2b(data, digest_size=digest_size)


def _find_file(kind: Copies, of: str) -> Path | None:
    """Return the file of a copy; None without a cache folder."""
    named = _blake2b(os.fsencode(of), digest_size=8).hexdigest()
    try:
        return cache_folder() / kind.folder / f"{named}{kind.ending}"
    except (RuntimeError, OSError):  # a user without a home
        return None


def _read_copy(file: Path, content: bytes) -> memoryview:
    """Return what a file keeps. Raises an error if it is of other content, or spoiled."""
    held = memoryview(read_bytes(file))
    body = held[_DIGEST_SIZE + _CHECK_SIZE :]
    if held[: _DIGEST_SIZE + _CHECK_SIZE] != content + _make_check(body):
        raise ValueError("not this copy")
    return body


def _make_check(body: bytes | memoryview) -> bytes:
    """Return what shows that a body is whole."""
    return zlib.crc32(body).to_bytes(_CHECK_SIZE, "big")


def _write_copy(kind: Copies, file: Path, content: bytes, body: bytes) -> None:
    """Keep a copy, if that is possible."""
    from .writing import make_folder, write_whole  # only here: most copies are read

    with suppress(InputError, OSError):
        make_folder(file.parent)
        write_whole(file, content + _make_check(body) + body, force=True)
        every = sorted(file.parent.glob(f"*{kind.ending}"), key=lambda other: other.stat().st_mtime_ns, reverse=True)
        for oldest in every[kind.most :]:  # such as those of folders that are gone
            oldest.unlink(missing_ok=True)
