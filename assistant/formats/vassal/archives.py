"""Archives as VASSAL reads them: zip files with any of the usual methods of compression.

An archive may come from anywhere, so all reading is bounded, whatever its directory says.
"""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from bz2 import BZ2Decompressor
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Protocol

from ...util.errors import InputError, word_machine_error
from ...util.limits import Limit
from ...util.texts import compose_accents

UNREADABLE = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
)
"""The errors of zipfile and the decompressors for damaged or encrypted files and unknown methods of compression."""
_RECORD_SIGNATURE = b"PK\x01\x02"
"""The signature of an entry's record in the directory."""
_MAX_MEAN_RECORD_BYTES = 512
_HEADER_SIGNATURE = b"PK\x03\x04"
"""The signature of the header before the contents of an entry."""
_LOCAL = struct.Struct("<4s22xHH")
"""The header before an entry: its signature, and the lengths of name and extra field."""
_CHUNK_BYTES = 2**15
_MAX_LZMA_BYTES = 2**27
"""Maximum memory of an LZMA decompressor."""
_UTF_8 = 0x800
"""The flag of an entry whose name is in UTF-8. Without it zipfile reads the name as in MS-DOS."""
_ENCRYPTED = 0x1
"""The flag of an encrypted entry."""


class Archive:
    """A zip archive whose entries are inflated no further than the limits. Nothing is written to disk.

    `source`: its bytes, or its path, from which only needed parts are read.
    `most`: maximum number of bytes inflated in all, repeats included.

    Raises InputError if the source is not a zip file, is damaged or has too many entries.
    """

    def __init__(self, source: bytes | Path, most: int | None = None, limit: Limit = Limit.CONTAINER) -> None:
        self._limit = limit
        self._left = self._packed_left = limit.most if most is None else most
        with reading_archive():
            self._file: BinaryIO = io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")
            try:
                with zipfile.ZipFile(_GuardedFile(self._file)) as archive:
                    self._entries = {entry.filename: entry for entry in archive.infolist()}
            except BaseException:
                self._file.close()
                raise

    def close(self) -> None:
        self._file.close()

    def __contains__(self, name: str) -> bool:
        return self._find(name) is not None

    def _find(self, name: str) -> zipfile.ZipInfo | None:
        """Return the entry with a name, or else with the same letters and accents, which a Mac writes apart."""
        return self._entries.get(name) or (None if name.isascii() else self._composed.get(compose_accents(name)))

    @cached_property
    def _composed(self) -> dict[str, zipfile.ZipInfo]:
        """The entries by their names with letters and accents composed, read as UTF-8 even if the archive does not say so."""
        named = {compose_accents(name): entry for name, entry in self._entries.items()}
        for name, entry in self._entries.items():
            if not entry.flag_bits & _UTF_8 and not name.isascii():
                with suppress(UnicodeError):
                    named.setdefault(compose_accents(name.encode("cp437").decode()), entry)
        return named

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entries. Of entries with the same name the last counts."""
        return tuple(self._entries)

    def sizes(self) -> dict[str, int]:
        """Return the size of each entry in bytes, according to the directory, which may be wrong in a damaged file."""
        return {name: entry.file_size for name, entry in self._entries.items()}

    def read(self, name: str) -> bytes:
        """Return an entry.

        Raises InputError if it is missing or damaged, or inflates to more than a limit.
        """
        with reading_archive():
            return b"".join(self.checked(name))

    def checked(self, name: str) -> Iterator[bytes]:
        """Yield an entry in chunks, and compare it at the end with the directory.

        Raises InputError if it inflates to more than a limit, or one of UNREADABLE if it is missing or damaged.
        """
        size = sum_of_all = 0
        for chunk in self.chunks(name, Limit.ENTRY.most):
            size += len(chunk)
            sum_of_all = zlib.crc32(chunk, sum_of_all)
            Limit.ENTRY.check(size, f"{name} unpacks to")
            yield chunk
        entry = self._find(name)
        assert entry is not None, f"{name} has been read"
        if size != entry.file_size or sum_of_all != entry.CRC:
            raise zipfile.BadZipFile(
                f"{name} does not match the archive's directory (length or checksum): it is damaged"
            )

    def head(self, name: str, max_bytes: int) -> bytes:
        """Return at most the first `max_bytes` bytes of an entry.

        Raises InputError if it is missing or damaged.
        """
        with reading_archive():
            return b"".join(self.chunks(name, max_bytes))[:max_bytes]

    def chunks(self, name: str, max_bytes: int) -> Iterator[bytes]:
        """Yield an entry in chunks, until it is complete or exceeds `max_bytes` bytes.

        Raises one of UNREADABLE if the entry is missing or damaged, or InputError if all entries together inflate to
        too much.
        """
        entry = self._find(name)
        if entry is None:
            raise zipfile.BadZipFile(f"{name} is missing")
        packed = self._read_packed(entry)
        unpacker = _choose_unpacker(entry.compress_type)
        while max_bytes >= 0 and not unpacker.eof:
            data = next(packed, b"") if unpacker.needs_input else b""
            if unpacker.needs_input and not data:
                return
            out = unpacker.decompress(data, min(max_bytes + 1, _CHUNK_BYTES))
            max_bytes -= len(out)
            self._left -= len(out)
            if self._left < 0:
                raise self._limit.error("it unpacks to")
            yield out

    def _read_packed(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        if entry.flag_bits & _ENCRYPTED:
            raise zipfile.BadZipFile(f"{entry.filename} is encrypted")
        self._file.seek(entry.header_offset)
        signature, *lengths = _LOCAL.unpack(self._file.read(_LOCAL.size))
        if signature != _HEADER_SIGNATURE:
            raise zipfile.BadZipFile(f"{entry.filename} is not where the directory says")
        at = self._file.tell() + sum(lengths)
        remaining = entry.compress_size
        while remaining > 0:
            self._file.seek(at)
            data = self._file.read(min(remaining, _CHUNK_BYTES))
            self._packed_left -= len(data)
            # packed bytes count too: an undamaged entry unpacks to about its packed size at least
            if self._packed_left < 0:
                raise self._limit.error("it unpacks to")
            if not data:
                return
            at += len(data)
            remaining -= len(data)
            yield data


@contextmanager
def reading_archive() -> Iterator[None]:
    """Turn the errors of zipfile and the decompressors into InputError."""
    try:
        yield
    except InputError:
        raise
    except UNREADABLE as error:
        what = f"not a readable zip file: {error}"
        raise InputError(what, hint="VASSAL writes .vsav, .vlog and .vmod as zip files") from None


class _GuardedFile:
    """A file that refuses to read a directory of too many entries, before zipfile makes an object of each."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek = file.seek
        self.tell = file.tell

    def read(self, size: int = -1) -> bytes:
        most = Limit.ENTRIES.most
        if size > most * _MAX_MEAN_RECORD_BYTES + _CHUNK_BYTES:
            raise Limit.ENTRIES.error("it holds")
        try:
            data = self._file.read(size)
        except OSError as error:  # zipfile would report that the file is not a zip file
            raise word_machine_error(error, str(getattr(self._file, "name", ""))) from None
        Limit.ENTRIES.check(data.count(_RECORD_SIGNATURE), "it holds")
        return data


class _Unpacker(Protocol):
    """A decompressor that works in chunks, and keeps output that was not requested yet."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Stored:
    """An entry without compression."""

    eof = False
    needs_input = True

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return data


class _Deflated:
    """The decompressor of zlib, with the same methods as the other decompressors."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        self._more = False  # whether more output may be buffered

    @property
    def eof(self) -> bool:
        return self._inflate.eof

    @property
    def needs_input(self) -> bool:
        return not self._inflate.unconsumed_tail and not self._more

    def decompress(self, data: bytes, max_length: int) -> bytes:
        out = self._inflate.decompress(data or self._inflate.unconsumed_tail, max_length)
        self._more = len(out) == max_length
        return out


def _choose_unpacker(method: int) -> _Unpacker:
    if method == zipfile.ZIP_STORED:
        return _Stored()
    if method == zipfile.ZIP_DEFLATED:
        return _Deflated()
    if method == zipfile.ZIP_BZIP2:
        return BZ2Decompressor()
    if method == zipfile.ZIP_LZMA:
        return _Lzma()
    raise NotImplementedError(f"compressed by method {method}")


class _Lzma:
    """The decompressor of LZMA in zip files: version, size of the properties, properties, stream without its size."""

    def __init__(self) -> None:
        self._unpacker = lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=_MAX_LZMA_BYTES)
        self._begun = False

    @property
    def eof(self) -> bool:
        return self._unpacker.eof

    @property
    def needs_input(self) -> bool:
        return self._unpacker.needs_input

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if not self._begun:
            self._begun = True
            (length,) = struct.unpack_from("<H", data, 2)
            if length != 5:
                raise lzma.LZMAError("unknown properties")
            data = data[4:9] + b"\xff" * 8 + data[9:]
        return self._unpacker.decompress(data, max_length)


def unpack_xz(data: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the unpacked bytes of xz data in chunks.

    Raises LZMAError or EOFError if the data are damaged.
    """
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MAX_LZMA_BYTES)
    packed = iter(data)
    while not unpacker.eof:
        more = next(packed, b"") if unpacker.needs_input else b""
        if unpacker.needs_input and not more:
            raise EOFError("it ends too early")
        yield unpacker.decompress(more, _CHUNK_BYTES)
