"""The stream of commands in a save: its obfuscation, its escapes, and its single commands."""

from __future__ import annotations

import lzma
import zipfile
from binascii import hexlify, unhexlify
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain

from ...util.errors import InputError
from ...util.limits import Limit
from .archives import Archive, reading_archive, unpack_xz
from .containers import COMMANDS, ESCAPE, LOGGED, MODULE_DATA, SAVE_DATA, ModuleData, read_module_data
from .sequence import bare, join, split

_OBFUSCATED = b"!VCSK"
"""The first bytes of commands obfuscated in hexadecimal digits."""
_RAW_OBFUSCATED = b"VOBS"
"""The first bytes of commands obfuscated in bytes."""
_XZ = b"\xfd7zXZ\x00"
"""The first bytes of commands packed with xz."""
_BEGIN = b"begin_save"
"""The first bytes of plain commands."""
_PART_BYTES = 2**16


def is_bare(data: bytes) -> bool:
    """Return whether a file consists of the commands of a save without a container, as with old engines."""
    return data.startswith((_OBFUSCATED, _RAW_OBFUSCATED, _XZ, _BEGIN))


def read_stream(data: bytes) -> tuple[bytes, ModuleData]:
    """Return the commands of a save or log in UTF-8, and the metadata of its module.

    Raises InputError if the data are not a save, are damaged or unpack to too much.
    """
    if is_bare(data):
        return deobfuscate(data), ModuleData()
    with closing(Archive(data)) as archive, reading_archive():
        if COMMANDS not in archive:
            raise InputError(f"{COMMANDS} is missing", hint="this zip file is not a VASSAL save")
        stream = _collect_text(archive.checked(COMMANDS))
        about = next((archive.read(name) for name in (MODULE_DATA, SAVE_DATA) if name in archive), b"")
    return stream, read_module_data(about) if about else ModuleData()


def deobfuscate(data: bytes) -> bytes:
    """Return the commands of a save in UTF-8: obfuscated, plain or compressed with xz.

    Raises InputError if the data have none of these forms, or are too long.
    """
    return _collect_text(data[n : n + _PART_BYTES] for n in range(0, len(data), _PART_BYTES))


def _collect_text(chunks: Iterable[bytes]) -> bytes:
    """Return the commands of a save in UTF-8, from the chunks of its file."""
    parts: list[bytes] = []
    remaining = Limit.TEXT.most
    try:
        for chunk in reveal_bits(chunks):
            parts.append(chunk)
            remaining -= len(chunk)
            if remaining < 0:
                raise Limit.TEXT.error(f"{COMMANDS} unpacks to")
    except (InputError, zipfile.BadZipFile):
        raise
    except (ValueError, IndexError, EOFError, lzma.LZMAError) as error:
        raise _damage_error(error) from None
    return b"".join(parts)


def _damage_error(error: Exception) -> InputError:
    return InputError(f"{COMMANDS} cannot be read: {error}", hint="the save is damaged; save it again")


def reveal_bits(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the commands of a save in chunks.

    Raises ValueError, IndexError, EOFError or LZMAError if the data are damaged.
    """
    head, chunks = _read_head(chunks)
    if head.startswith(_XZ):
        head, chunks = _read_head(unpack_xz(chunks))
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
    """Return enough bytes from the beginning to tell the form of the data, and all chunks."""
    head = b""
    chunks = iter(chunks)
    while len(head) < len(_XZ) and (chunk := next(chunks, None)) is not None:
        head += chunk
    return head, chain([head], chunks)


def _skip(count: int, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield all bytes after the first `count`, which are in the first chunk."""
    chunks = iter(chunks)
    yield next(chunks)[count:]
    yield from chunks


def _from_hexadecimal(chunks: Iterable[bytes]) -> Iterator[bytes]:
    odd = b""
    for chunk in chunks:
        digits = odd + chunk
        even = len(digits) & ~1
        odd = digits[even:]
        yield unhexlify(digits[:even])
    if odd:
        raise ValueError("Odd-length string")


def obfuscate(text: str, key: int = 0x5A) -> bytes:
    """Return commands as VASSAL 3 writes them: each byte XORed with the key and in two hexadecimal digits."""
    return _OBFUSCATED + f"{key:02x}".encode() + hexlify(_xor(text.encode("utf-8"), key))


def obfuscate_like(before: bytes, stream: bytes) -> bytes:
    """Return commands in UTF-8 obfuscated in the form and with the key of other data."""
    if before.startswith(_XZ):
        return lzma.compress(obfuscate_like(b"".join(unpack_xz([before])), stream))
    if before.startswith(_OBFUSCATED):
        key = before[len(_OBFUSCATED) : len(_OBFUSCATED) + 2]
        return _OBFUSCATED + key + hexlify(_xor(stream, int(key, 16)))
    if before.startswith(_RAW_OBFUSCATED):
        key = before[len(_RAW_OBFUSCATED) : len(_RAW_OBFUSCATED) + 1]
        return _RAW_OBFUSCATED + key + _xor(stream, key[0])
    return stream


def _xor(data: bytes, key: int) -> bytes:
    return data.translate(bytes(byte ^ key for byte in range(256)))


def split_commands(stream: bytes) -> Iterator[str]:
    """Yield the commands of a stream in UTF-8 in order, however deep VASSAL nested them.

    The stream is split as bytes, and each command is decoded by itself. Decoded as a whole, a single character beyond
    the 16-bit plane would make all characters take four bytes.

    Raises InputError if commands are too many, too long, nested too deep or not UTF-8.
    """
    Limit.COMMANDS.check(stream.count(ESCAPE.encode()), f"{COMMANDS} holds")
    max_depth = Limit.NESTING.most
    max_bytes = 4 * Limit.COMMAND.most
    pending = [(stream.decode("latin-1"), 0)]  # one character for each byte
    del stream  # frees its memory if the caller keeps no reference
    while pending:
        command, depth = pending.pop()
        tokens = split(command, ESCAPE) if ESCAPE in command else [command]
        if tokens != [command]:
            if depth == max_depth:
                raise Limit.NESTING.error(f"{COMMANDS} nests commands by")
            pending += [(token, depth + 1) for token in reversed(tokens)]
        elif command := bare(command) if command.startswith("'") else command:
            if len(command) > max_bytes and not command.startswith(LOGGED):
                raise Limit.COMMAND.error("a command holds")
            yield command if command.isascii() else _decode_command(command)


def commands_in(text: str) -> Iterable[str]:
    """Return the commands of a part of a stream that has been read.

    It is a faster `split_commands` for the usual one or two commands without escapes.
    """
    if "'" in text or "\\" in text:
        return split_commands(text.encode())
    return filter(None, text.split(ESCAPE))


def _decode_command(command: str) -> str:
    """Return a command that was decoded one byte per letter.

    Raises InputError if it is not UTF-8.
    """
    try:
        return command.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError as error:
        raise _damage_error(error) from None


def join_commands(commands: list[str]) -> str:
    """Return commands as one stream.

    Raises ValueError if a command could not be read back.
    """
    return join(commands, ESCAPE)
