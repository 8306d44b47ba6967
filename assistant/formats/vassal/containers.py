"""VASSAL's zip files: the contents of a save, a log or a module, and the obfuscation of the commands in a save.

An archive may come from anywhere, so what is read from it is bounded, whatever its directory says. One message names
all limits that a file exceeds.
"""

from __future__ import annotations

import io
import lzma
import re
import struct
import zipfile
import zlib
from binascii import hexlify, unhexlify
from bz2 import BZ2Decompressor
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, TypeVar
from xml.sax.saxutils import escape

from ...util.errors import InputError, word_machine_error
from ...util.limits import Limit, TooMuch, find_exceeded
from ...util.xml_reader import measure_xml, read_xml
from .sequence import bare, join, split

Read = TypeVar("Read")
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
"""What zipfile and the decompressors raise for files that are damaged, encrypted or compressed by an unknown method."""
_RECORD = b"PK\x01\x02"
"""How the record of an entry in the directory begins."""
_LONGEST_RECORDS = 512
"""Bytes of a record on average, at most."""
_HEADER = b"PK\x03\x04"
"""The signature of the header before the contents of an entry."""
_LOCAL = struct.Struct("<4s22xHH")
"""That header: its signature, and the lengths of name and extra field."""
_CHUNK = 2**15
"""Bytes that are read or inflated at once."""
_DICTIONARY = 2**27
"""Bytes that an LZMA decompressor may take."""
_ENCRYPTED = 0x1
"""The flag of an entry that is encrypted."""


class Archive:
    """A zip archive, whose entries are inflated up to the limits and no further; nothing is written to disk.

    source: its bytes, or its path, of which only what is wanted is read; most: bytes that may be inflated in all,
    repeats included. Raises InputError for what is no zip file, is damaged or has too many entries.
    """

    def __init__(self, source: bytes | Path, most: int | None = None, limit: Limit = Limit.CONTAINER) -> None:
        self._limit = limit
        self._left = self._packed_left = limit.most if most is None else most
        with _reading_archive():
            self._file: BinaryIO = io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")
            try:
                with zipfile.ZipFile(_GuardedFile(self._file)) as archive:
                    self._entries = {entry.filename: entry for entry in archive.infolist()}
            except BaseException:
                self._file.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its entries; of several with one name the last counts."""
        return tuple(self._entries)

    def sizes(self) -> dict[str, int]:
        """Return the size of each entry, in bytes, as the directory says: true only of a sound file."""
        return {name: entry.file_size for name, entry in self._entries.items()}

    def read(self, name: str) -> bytes:
        """Return an entry. Raises InputError if it is missing or damaged, or inflates to more than a limit."""
        with _reading_archive():
            return b"".join(self.checked(name))

    def checked(self, name: str) -> Iterator[bytes]:
        """Yield an entry bit by bit, at its end compared with what the directory says of it.

        Raises InputError if it inflates to more than a limit, else one of UNREADABLE if it is missing or damaged.
        """
        size = sum_of_all = 0
        for chunk in self.chunks(name, Limit.ENTRY.most):
            size += len(chunk)
            sum_of_all = zlib.crc32(chunk, sum_of_all)
            Limit.ENTRY.check(size, f"{name} unpacks to")
            yield chunk
        entry = self._entries[name]
        if size != entry.file_size or sum_of_all != entry.CRC:
            raise zipfile.BadZipFile(
                f"{name} does not match the archive's directory (length or checksum): it is damaged"
            )

    def head(self, name: str, most: int) -> bytes:
        """Return the first bytes of an entry, at most so many. Raises InputError if it is missing or damaged."""
        with _reading_archive():
            return b"".join(self.chunks(name, most))[:most]

    def chunks(self, name: str, most: int) -> Iterator[bytes]:
        """Yield an entry bit by bit, up to the first bit with which it is longer than `most` bytes.

        Raises one of UNREADABLE if it is missing or damaged; InputError if all entries inflate to too much.
        """
        if name not in self._entries:
            raise zipfile.BadZipFile(f"{name} is missing")
        packed = self._read_packed(self._entries[name])
        unpacker = _choose_unpacker(self._entries[name].compress_type)
        while most >= 0 and not unpacker.eof:
            data = next(packed, b"") if unpacker.needs_input else b""
            if unpacker.needs_input and not data:
                return
            out = unpacker.decompress(data, min(most + 1, _CHUNK))
            most -= len(out)
            self._left -= len(out)
            if self._left < 0:
                raise self._limit.error("it unpacks to")
            yield out

    def _read_packed(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        """Yield the contents of an entry as they are in the file."""
        if entry.flag_bits & _ENCRYPTED:
            raise zipfile.BadZipFile(f"{entry.filename} is encrypted")
        self._file.seek(entry.header_offset)
        signature, *lengths = _LOCAL.unpack(self._file.read(_LOCAL.size))
        if signature != _HEADER:
            raise zipfile.BadZipFile(f"{entry.filename} is not where the directory says")
        at = self._file.tell() + sum(lengths)
        left = entry.compress_size
        while left > 0:
            self._file.seek(at)
            data = self._file.read(min(left, _CHUNK))
            self._packed_left -= len(data)
            if self._packed_left < 0:  # a sound entry inflates to more than it takes up
                raise self._limit.error("it unpacks to")
            if not data:
                return
            at += len(data)
            left -= len(data)
            yield data


@contextmanager
def _reading_archive() -> Iterator[None]:
    """Turn what zipfile and the decompressors raise into InputError."""
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
        if size > most * _LONGEST_RECORDS + _CHUNK:
            raise Limit.ENTRIES.error("it holds")
        try:
            data = self._file.read(size)
        except OSError as error:  # which zipfile takes for the end of a file that is none of its own
            raise word_machine_error(error, str(getattr(self._file, "name", ""))) from None
        Limit.ENTRIES.check(data.count(_RECORD), "it holds")
        return data


# --- methods of compression -------------------------------------------------------------------------------------------


class _Unpacker(Protocol):
    """Decompresses bit by bit; what was not asked for yet is kept."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Stored:
    """What is not compressed."""

    eof = False
    needs_input = True

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return data


class _Deflated:
    """zlib's decompressor with the methods that the others have."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        self._more = False  # whether it may hold more than it gave

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
    """Return what decompresses a method of zip files. Raises NotImplementedError for an unknown one."""
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
    """LZMA as in zip files: version, length of the properties, properties, and the stream without its length."""

    def __init__(self) -> None:
        self._unpacker = lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=_DICTIONARY)
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


def _unpack_xz(data: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what bytes in the format of xz unpack to, bit by bit. Raises LZMAError or EOFError for damaged ones."""
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_DICTIONARY)
    packed = iter(data)
    while not unpacker.eof:
        more = next(packed, b"") if unpacker.needs_input else b""
        if unpacker.needs_input and not more:
            raise EOFError("it ends too early")
        yield unpacker.decompress(more, _CHUNK)


# --- containers -------------------------------------------------------------------------------------------------------

COMMANDS = "savedGame"
"""The entry with the commands of a save or a log."""
SAVE_DATA = "savedata"
"""The entry with the metadata of a save."""
MODULE_DATA = "moduledata"
"""The entry with the metadata of its module."""
BUILD_FILES = ("buildFile.xml", "buildFile")
"""The entries that may hold what a module is made of, the newer name first."""
ESCAPE = "\x1b"
"""What stands between commands."""
LOGGED = "LOG\t"
"""Begins a command that holds a step of a log."""

_OBFUSCATED = b"!VCSK"
"""How commands begin that are obfuscated in hexadecimal digits."""
_RAW_OBFUSCATED = b"VOBS"
"""How commands begin that are obfuscated in bytes."""
_XZ = b"\xfd7zXZ\x00"
"""How commands begin that are packed with xz."""
_BEGIN = b"begin_save"
"""How plain commands begin."""
_PART_SIZE = 2**16
"""Bytes that are revealed at once."""
_DATE = (1980, 1, 1, 0, 0, 0)
"""A fixed date, the earliest of zip files, so that the same contents give the same bytes."""


class ModuleData(NamedTuple):
    """The metadata of a container. module, module_version: empty in the metadata of a save itself."""

    module: str = ""
    module_version: str = ""
    vassal_version: str = ""
    description: str = ""


def check_same(save: ModuleData, module: ModuleData) -> None:
    """Raise InputError for a save of another module than one that was named, as far as both tell their names."""
    if save.module and module.module and save.module != module.module:
        what = f"the save belongs to {save.module}, but --module names {module.module}"
        raise InputError(what, hint="name the module of the save")


def write_container(files: Mapping[str, bytes]) -> bytes:
    """Return a container of some files; the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16  # as on Unix, whatever this runs on
            compressed = name.lower().endswith((".png", ".jpg", ".gif", ".vsav"))
            entry.compress_type = zipfile.ZIP_STORED if compressed else zipfile.ZIP_DEFLATED
            container.writestr(entry, data)
    return out.getvalue()


# --- obfuscation ------------------------------------------------------------------------------------------------------


def is_bare(data: bytes) -> bool:
    """Return whether the bytes of a file are the commands of a save without a container, as old engines wrote them."""
    return data.startswith((_OBFUSCATED, _RAW_OBFUSCATED, _XZ, _BEGIN))


def read_stream(data: bytes) -> tuple[bytes, ModuleData]:
    """Return the commands of a save or a log in UTF-8, and the metadata of its module, from the bytes of its file.

    Raises InputError if it is not a save, is damaged or unpacks to too much.
    """
    if is_bare(data):
        return deobfuscate(data), ModuleData()
    with closing(Archive(data)) as archive, _reading_archive():
        if COMMANDS not in archive:
            raise InputError(f"{COMMANDS} is missing", hint="this zip file is not a VASSAL save")
        stream = _collect_text(archive.checked(COMMANDS))
        about = next((archive.read(name) for name in (MODULE_DATA, SAVE_DATA) if name in archive), b"")
    return stream, read_module_data(about) if about else ModuleData()


def deobfuscate(data: bytes) -> bytes:
    """Return the commands of a save in UTF-8, from any of their forms: obfuscated, plain, compressed with xz.

    Raises InputError for bytes in none of these forms, or for too many.
    """
    return _collect_text(data[n : n + _PART_SIZE] for n in range(0, len(data), _PART_SIZE))


def _collect_text(chunks: Iterable[bytes]) -> bytes:
    """Return the commands of a save in UTF-8, from what its file holds of them."""
    parts: list[bytes] = []
    left = Limit.TEXT.most
    try:
        for some in _reveal_bits(chunks):
            parts.append(some)
            left -= len(some)
            if left < 0:
                raise Limit.TEXT.error(f"{COMMANDS} unpacks to")
    except (InputError, zipfile.BadZipFile):
        raise
    except (ValueError, IndexError, EOFError, lzma.LZMAError) as error:
        raise _damage_error(error) from None
    return b"".join(parts)


def _damage_error(error: Exception) -> InputError:
    return InputError(f"{COMMANDS} cannot be read: {error}", hint="the save is damaged; save it again")


def _reveal_bits(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the commands of a save bit by bit. Raises ValueError, IndexError, EOFError or LZMAError for damaged ones."""
    head, chunks = _read_head(chunks)
    if head.startswith(_XZ):
        head, chunks = _read_head(_unpack_xz(chunks))
    if head.startswith(_OBFUSCATED):
        chunks = _from_hexadecimal(_skip(len(_OBFUSCATED), chunks))
    elif head.startswith(_RAW_OBFUSCATED):
        chunks = _skip(len(_RAW_OBFUSCATED), chunks)
    else:
        yield from chunks
        return
    head, chunks = _read_head(chunks)
    for chunk in _skip(1, chunks):
        yield _xor(chunk, head[0])


def _read_head(chunks: Iterable[bytes]) -> tuple[bytes, Iterable[bytes]]:
    """Return the beginning of some bytes, as far as it tells their form, and all of them."""
    head = b""
    chunks = iter(chunks)
    while len(head) < len(_XZ) and (chunk := next(chunks, None)) is not None:
        head += chunk
    return head, chain([head], chunks)


def _skip(count: int, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield all bytes but the first so many, which are in the first chunk."""
    chunks = iter(chunks)
    yield next(chunks)[count:]
    yield from chunks


def _from_hexadecimal(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes that pairs of hexadecimal digits stand for."""
    odd = b""
    for chunk in chunks:
        digits = odd + chunk
        even = len(digits) & ~1
        odd = digits[even:]
        yield unhexlify(digits[:even])
    if odd:
        raise ValueError("Odd-length string")


def obfuscate(text: str, key: int = 0x5A) -> bytes:
    """Return commands as VASSAL 3 writes them: each byte XORed with the key, 0 to 255, in two hexadecimal digits."""
    return _OBFUSCATED + f"{key:02x}".encode() + hexlify(_xor(text.encode("utf-8"), key))


def obfuscate_like(before: bytes, stream: bytes) -> bytes:
    """Return commands in UTF-8 in the form of others, with the same key: obfuscated in either way, or plain; packed
    with xz if those were.
    """
    if before.startswith(_XZ):
        return lzma.compress(obfuscate_like(b"".join(_unpack_xz([before])), stream))
    if before.startswith(_OBFUSCATED):
        key = before[len(_OBFUSCATED) : len(_OBFUSCATED) + 2]
        return _OBFUSCATED + key + hexlify(_xor(stream, int(key, 16)))
    if before.startswith(_RAW_OBFUSCATED):
        key = before[len(_RAW_OBFUSCATED) : len(_RAW_OBFUSCATED) + 1]
        return _RAW_OBFUSCATED + key + _xor(stream, key[0])
    return stream


def _xor(data: bytes, key: int) -> bytes:
    return data.translate(bytes(byte ^ key for byte in range(256)))


# --- commands ---------------------------------------------------------------------------------------------------------


def split_commands(stream: bytes) -> Iterator[str]:
    """Yield the commands of a stream in UTF-8, in order, however deep VASSAL nested them.

    A stream is split as bytes, and one command at a time becomes text: a text with one letter beyond the 16-bit plane
    takes four bytes a letter. Raises InputError if they are too many, too long, nested too deep or not UTF-8.
    """
    Limit.COMMANDS.check(stream.count(ESCAPE.encode()), f"{COMMANDS} holds")
    deepest = Limit.NESTING.most
    longest = 4 * Limit.COMMAND.most
    todo = [(stream.decode("latin-1"), 0)]  # one letter a byte
    del stream  # whoever does not keep it has its memory back
    while todo:
        command, depth = todo.pop()
        tokens = split(command, ESCAPE) if ESCAPE in command else [command]
        if tokens != [command]:
            if depth == deepest:
                raise Limit.NESTING.error(f"{COMMANDS} nests commands by")
            todo += [(token, depth + 1) for token in reversed(tokens)]
        elif command := bare(command) if command.startswith("'") else command:
            if len(command) > longest and not command.startswith(LOGGED):
                raise Limit.COMMAND.error("a command holds")
            yield command if command.isascii() else _decode_command(command)


def commands_in(text: str) -> Iterable[str]:
    """Return the commands of a part of a stream that has been read, as `commands_of`; most often they are one or two,
    and nothing in them is special.
    """
    if "'" in text or "\\" in text:
        return split_commands(text.encode())
    return filter(None, text.split(ESCAPE))


def _decode_command(command: str) -> str:
    """Return a command that was decoded with one letter a byte, as it is. Raises InputError if it is not UTF-8."""
    try:
        return command.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError as error:
        raise _damage_error(error) from None


def join_commands(commands: list[str]) -> str:
    """Return commands as one stream. Raises ValueError for a command that could not be read back."""
    return join(commands, ESCAPE)


# --- metadata ---------------------------------------------------------------------------------------------------------


def read_module_data(data: bytes) -> ModuleData:
    """Return the metadata in `moduledata` or `savedata`, without its translations. Raises InputError for broken XML."""
    root = read_xml(data, f"{MODULE_DATA} or {SAVE_DATA}")
    fields = {child.tag: (child.text or "") for child in root if "lang" not in child.attrib}
    return ModuleData(
        fields.get("name", ""),
        fields.get("version", ""),
        fields.get("VassalVersion", ""),
        fields.get("description", ""),
    )


def write_module_data(about: ModuleData) -> bytes:
    """Return the file `moduledata`, or `savedata` if no module is named; its date of saving is 0, so that the same
    facts give the same bytes.
    """
    fields = {"VassalVersion": about.vassal_version, "dateSaved": "0", "description": about.description}
    if about.module:
        fields = {"version": about.module_version, "extra1": "", "extra2": "", **fields, "name": about.module}
    inner = "".join(f"<{name}>{escape(text, _RETURN)}</{name}>" for name, text in fields.items())
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<data version=\"1\">{inner}</data>".encode()


_RETURN = {"\r": "&#13;"}
"""What would be read as the end of a line."""


# --- what a file takes of the limits ----------------------------------------------------------------------------------

_MOST_BYTES = 2**25
"""Bytes of its text that are looked at of a file that is too large."""
_MOST_COMMANDS = 500_000
"""Commands that are looked at of such a file."""
_ESCAPES = re.compile(rb"(?<!\\)\\+%s" % ESCAPE.encode())
"""What separates commands that are nested: a backslash for each level."""
_SLOT = re.compile(rb"<VASSAL\.build\.widget\.(?:Piece|Card)Slot\b")
"""A slot of a palette."""
_DEFINED = re.compile(rb">\s*\+/[^<]*")
"""What a slot or a prototype defines."""
_BEFORE = re.compile(rb"['\\]*(?:%s['\\]*)?" % LOGGED.encode())
"""What may stand before a command that is nested, or in a step of a log."""


def name_limits(read: Callable[[], Read], survey: Callable[[TooMuch], TooMuch]) -> Read:
    """Return what is read. Of what is too much the error names every limit that it exceeds: survey counts them, once
    the memory of what was read so far is free.
    """
    try:
        return read()
    except TooMuch as error:
        error.__traceback__ = None
        too_much = error
    raise survey(too_much)


def name_save_limits(error: TooMuch, source: bytes | Path) -> TooMuch:
    """Return the error for a save with every limit that it exceeds, as far as that can be told without reading it."""
    most = 4 * _MOST_BYTES  # two digits a byte, and what is left over
    try:
        with closing(Archive(source, 2 * most)) as archive:
            sizes = archive.sizes()
            text = b"".join(_take_first(_reveal_bits(archive.chunks(COMMANDS, most))))
    except UNREADABLE:  # an InputError is a ValueError
        return error
    read = sum(sizes.get(name, 0) for name in (COMMANDS, MODULE_DATA, SAVE_DATA))
    taken = {
        Limit.ENTRY: (f"{COMMANDS} unpacks to", sizes.get(COMMANDS, 0)),
        Limit.CONTAINER: ("it unpacks to", read),
        **_measure_text(text),
    }
    return error.with_more(find_exceeded(taken))


def name_module_limits(error: TooMuch, source: bytes | Path) -> TooMuch:
    """Return the error for a module with every limit that it exceeds, as far as that can be told without reading it."""
    try:
        with closing(Archive(source, 2 * _MOST_BYTES)) as archive:
            build = next((name for name in BUILD_FILES if name in archive), "")
            sizes = archive.sizes()
            text = b"".join(_take_first(archive.chunks(build, _MOST_BYTES)))
    except UNREADABLE:
        return error
    size = max(sizes[build], len(text))
    parts = sum(match[0].count(b"\t") // 2 + 1 for match in islice(_DEFINED.finditer(text), _MOST_COMMANDS))
    taken = {
        Limit.ENTRY: (f"{build} unpacks to", size),
        Limit.CONTAINER: ("it unpacks to", size + sizes.get(MODULE_DATA, 0)),
        **measure_xml(text, build),
        Limit.XML: (f"{build} holds", size),
        Limit.PIECES: ("the palettes hold", sum(1 for _ in _SLOT.finditer(text))),
        Limit.PARTS: ("its pieces have", parts),
    }
    return error.with_more(find_exceeded(taken))


def _take_first(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield as many bytes as are looked at."""
    left = _MOST_BYTES
    for chunk in chunks:
        yield chunk
        left -= len(chunk)
        if left <= 0:
            return


def _measure_text(text: bytes) -> dict[Limit, tuple[str, int]]:
    """Return what the commands of a save take of the limits."""
    escape = ESCAPE.encode()
    pieces = 0
    parts = 0
    most = dict.fromkeys((Limit.COMMAND, Limit.STACK, Limit.TRAITS), 0)
    deepest = max((len(match[0]) for match in _ESCAPES.finditer(text)), default=int(escape in text))
    for run in islice(re.finditer(rb"[^\x1b]+", text), _MOST_COMMANDS):
        command = run[0]
        if not command.startswith(LOGGED.encode()):
            most[Limit.COMMAND] = max(most[Limit.COMMAND], len(command))
        if _BEFORE.sub(b"", command[:100], 1).startswith(b"+/"):
            if b"/stack/" in command[:100]:
                most[Limit.STACK] = max(most[Limit.STACK], command.count(b";") - command.count(b";@@") - 2)
            else:
                traits = command.count(b"\t") // 2 + 1
                most[Limit.TRAITS] = max(most[Limit.TRAITS], traits)
                pieces, parts = pieces + 1, parts + traits
    return {
        Limit.TEXT: (f"{COMMANDS} unpacks to", len(text)),
        Limit.COMMANDS: (f"{COMMANDS} holds", text.count(escape)),
        Limit.NESTING: (f"{COMMANDS} nests commands by", deepest),
        Limit.PIECES: ("it holds", pieces),
        Limit.PARTS: ("its pieces have", parts),
        Limit.COMMAND: ("a command holds", most[Limit.COMMAND]),
        Limit.STACK: ("a stack holds", most[Limit.STACK]),
        Limit.TRAITS: ("a piece has", most[Limit.TRAITS]),
    }
