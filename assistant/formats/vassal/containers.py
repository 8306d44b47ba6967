"""VASSAL's zip files: the contents of a save, a log or a module, and the obfuscation of the commands in a save."""

from __future__ import annotations

import io
import lzma
import zipfile
from binascii import unhexlify
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from ...util.errors import InputError
from ...util.limits import Limit
from ...util.markup import read_xml
from .archives import Archive, readable, unpacked_xz
from .sequence import bare, join, split

COMMANDS, SAVE_DATA, MODULE_DATA = "savedGame", "savedata", "moduledata"
BUILD_FILES = ("buildFile.xml", "buildFile")
ESCAPE = "\x1b"
LOGGED = "LOG\t"
"""Begins a command that holds a step of a log."""

_OBFUSCATED, _RAW_OBFUSCATED = b"!VCSK", b"VOBS"
_XZ = b"\xfd7zXZ\x00"
_BEGIN = b"begin_save"
_BITS = 2**16  # bytes
#: A fixed date, the earliest of zip files, so that the same contents give the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


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


def read_container(source: bytes | Path, names: Collection[str] | None = None) -> dict[str, bytes]:
    """The files of a container by name: those named, or all but pictures and sounds. Nothing is written to disk.

    Raises InputError if it is not a zip file, is damaged or unpacks to too much.
    """
    with closing(Archive(source)) as archive:
        return {name: archive.read(name) for name in archive.names if _is_wanted(name, names)}


def _is_wanted(name: str, names: Collection[str] | None) -> bool:
    return name in names if names is not None else not name.startswith(("images/", "sounds/"))


def write_container(files: Mapping[str, bytes]) -> bytes:
    """A container of some files; the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # as on Unix, whatever this runs on
            compressed = name.lower().endswith((".png", ".jpg", ".gif", ".vsav"))
            entry.compress_type = zipfile.ZIP_STORED if compressed else zipfile.ZIP_DEFLATED
            container.writestr(entry, data)
    return out.getvalue()


# --- obfuscation ------------------------------------------------------------------------------------------------------


def is_bare(data: bytes) -> bool:
    """Whether the bytes of a file are the commands of a save without a container, as old engines wrote them."""
    return data.startswith((_OBFUSCATED, _RAW_OBFUSCATED, _XZ, _BEGIN))


def read_stream(data: bytes) -> tuple[bytes, ModuleData]:
    """The commands of a save or a log in UTF-8, and the metadata of its module, from the bytes of its file.

    Raises InputError if it is not a save, is damaged or unpacks to too much.
    """
    if is_bare(data):
        return reveal(data), ModuleData()
    with closing(Archive(data)) as archive, readable():
        if COMMANDS not in archive:
            raise InputError(f"{COMMANDS} is missing", hint="this zip file is not a VASSAL save")
        stream = _collect(archive.checked(COMMANDS))
        about = next((archive.read(name) for name in (MODULE_DATA, SAVE_DATA) if name in archive), b"")
    return stream, read_module_data(about) if about else ModuleData()


def reveal(data: bytes) -> bytes:
    """The commands of a save in UTF-8, from any of their forms: obfuscated, plain, compressed with xz.

    Raises InputError for bytes in none of these forms, or for too many.
    """
    return _collect(data[n : n + _BITS] for n in range(0, len(data), _BITS))


def _collect(chunks: Iterable[bytes]) -> bytes:
    """The commands of a save in UTF-8, from what its file holds of them."""
    parts: list[bytes] = []
    left = Limit.TEXT.most
    try:
        for some in reveal_bits(chunks):
            parts.append(some)
            left -= len(some)
            if left < 0:
                raise Limit.TEXT.error(f"{COMMANDS} unpacks to")
    except (InputError, zipfile.BadZipFile):
        raise
    except (ValueError, IndexError, EOFError, lzma.LZMAError) as error:
        raise _damage(error) from None
    return b"".join(parts)


def _damage(error: Exception) -> InputError:
    return InputError(f"{COMMANDS} cannot be read: {error}", hint="the save is damaged; save it again")


def reveal_bits(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The commands of a save bit by bit. Raises ValueError, IndexError, EOFError or LZMAError for damaged ones."""
    head, chunks = _with_head(chunks)
    if head.startswith(_XZ):
        head, chunks = _with_head(unpacked_xz(chunks))
    if head.startswith(_OBFUSCATED):
        chunks = _from_hexadecimal(_behind(len(_OBFUSCATED), chunks))
    elif head.startswith(_RAW_OBFUSCATED):
        chunks = _behind(len(_RAW_OBFUSCATED), chunks)
    else:
        yield from chunks
        return
    head, chunks = _with_head(chunks)
    for chunk in _behind(1, chunks):
        yield _xor(chunk, head[0])


def _with_head(chunks: Iterable[bytes]) -> tuple[bytes, Iterable[bytes]]:
    """The beginning of some bytes, as far as it tells their form, and all of them."""
    head, chunks = b"", iter(chunks)
    while len(head) < len(_XZ) and (chunk := next(chunks, None)) is not None:
        head += chunk
    return head, chain([head], chunks)


def _behind(count: int, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """All bytes but the first so many, which are in the first chunk."""
    chunks = iter(chunks)
    yield next(chunks)[count:]
    yield from chunks


def _from_hexadecimal(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes that pairs of hexadecimal digits stand for."""
    odd = b""
    for chunk in chunks:
        digits = odd + chunk
        even = len(digits) & ~1
        odd = digits[even:]
        yield unhexlify(digits[:even])
    if odd:
        raise ValueError("Odd-length string")


def disguised(text: str, key: int = 0x5A) -> bytes:
    """Commands as VASSAL 3 writes them: each byte XORed with the key, 0 to 255, in two hexadecimal digits."""
    return _OBFUSCATED + f"{key:02x}".encode() + _xor(text.encode("utf-8"), key).hex().encode()


def disguised_again(before: bytes, stream: bytes) -> bytes:
    """Commands in UTF-8 in the form of others, with the same key: obfuscated in either way, or plain; packed with xz if
    those were.
    """
    if before.startswith(_XZ):
        return lzma.compress(disguised_again(b"".join(unpacked_xz([before])), stream))
    if before.startswith(_OBFUSCATED):
        key = before[len(_OBFUSCATED) : len(_OBFUSCATED) + 2]
        return _OBFUSCATED + key + _xor(stream, int(key, 16)).hex().encode()
    if before.startswith(_RAW_OBFUSCATED):
        key = before[len(_RAW_OBFUSCATED) : len(_RAW_OBFUSCATED) + 1]
        return _RAW_OBFUSCATED + key + _xor(stream, key[0])
    return stream


def _xor(data: bytes, key: int) -> bytes:
    return data.translate(bytes(byte ^ key for byte in range(256)))


# --- commands ---------------------------------------------------------------------------------------------------------


def commands_of(stream: bytes) -> Iterator[str]:
    """The commands of a stream in UTF-8, in order, however deep VASSAL nested them.

    A stream is split as bytes, and one command at a time becomes text: a text with one letter beyond the 16-bit plane
    takes four bytes a letter. Raises InputError if they are too many, too long, nested too deep or not UTF-8.
    """
    Limit.COMMANDS.check(stream.count(ESCAPE.encode()), f"{COMMANDS} holds")
    deepest, longest = Limit.NESTING.most, 4 * Limit.COMMAND.most
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
            yield command if command.isascii() else _decoded(command)


def commands_in(text: str) -> Iterable[str]:
    """The commands of a part of a stream that has been read, as `commands_of`; most often they are one or two, and
    nothing in them is special.
    """
    if "'" in text or "\\" in text:
        return commands_of(text.encode())
    return filter(None, text.split(ESCAPE))


def _decoded(command: str) -> str:
    """A command that was decoded with one letter a byte, as it is. Raises InputError if it is not UTF-8."""
    try:
        return command.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError as error:
        raise _damage(error) from None


def stream_of(commands: list[str]) -> str:
    """Commands as one stream. Raises ValueError for a command that could not be read back."""
    return join(commands, ESCAPE)


# --- metadata ---------------------------------------------------------------------------------------------------------


def read_module_data(data: bytes) -> ModuleData:
    """The metadata in `moduledata` or `savedata`, without its translations. Raises InputError for broken XML."""
    root = read_xml(data, f"{MODULE_DATA} or {SAVE_DATA}")
    own = (child for child in root if isinstance(child.tag, str) and "lang" not in child.attrib)
    fields = {child.tag: (child.text or "") for child in own}
    return ModuleData(
        fields.get("name", ""),
        fields.get("version", ""),
        fields.get("VassalVersion", ""),
        fields.get("description", ""),
    )


def write_module_data(about: ModuleData, milliseconds: int = 0) -> bytes:
    """The file `moduledata`, or `savedata` if no module is named. milliseconds: the date of saving, since 1970."""
    root = etree.Element("data", version="1")
    fields = {"VassalVersion": about.vassal_version, "dateSaved": str(milliseconds), "description": about.description}
    if about.module:
        fields = {"version": about.module_version, "extra1": "", "extra2": "", **fields, "name": about.module}
    for name, text in fields.items():
        etree.SubElement(root, name).text = text
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")
