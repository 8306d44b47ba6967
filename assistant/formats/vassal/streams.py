"""The stream of commands in a save: its disguise, its escapes, and its single commands."""

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
"""How commands begin that are obfuscated in hexadecimal digits."""
_RAW_OBFUSCATED = b"VOBS"
"""How commands begin that are obfuscated in bytes."""
_XZ = b"\xfd7zXZ\x00"
"""How commands begin that are packed with xz."""
_BEGIN = b"begin_save"
"""How plain commands begin."""
_PART_SIZE = 2**16
"""Bytes that are revealed at once."""


def is_bare(data: bytes) -> bool:
    """Return whether the bytes of a file are the commands of a save without a container, as old engines wrote them."""
    return data.startswith((_OBFUSCATED, _RAW_OBFUSCATED, _XZ, _BEGIN))


def read_stream(data: bytes) -> tuple[bytes, ModuleData]:
    """Return the commands of a save or a log in UTF-8, and the metadata of its module, from the bytes of its file.

    Raises InputError if it is not a save, is damaged or unpacks to too much.
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
    """Return the commands of a save in UTF-8, from any of their forms: obfuscated, plain, compressed with xz.

    Raises InputError for bytes in none of these forms, or for too many.
    """
    return _collect_text(data[n : n + _PART_SIZE] for n in range(0, len(data), _PART_SIZE))


def _collect_text(chunks: Iterable[bytes]) -> bytes:
    """Return the commands of a save in UTF-8, from what its file holds of them."""
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
        raise _damage_error(error) from None
    return b"".join(parts)


def _damage_error(error: Exception) -> InputError:
    return InputError(f"{COMMANDS} cannot be read: {error}", hint="the save is damaged; save it again")


def reveal_bits(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the commands of a save bit by bit. Raises ValueError, IndexError, EOFError or LZMAError for damaged ones."""
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
    """Return the commands of a part of a stream that has been read, as `split_commands`; most often they are one or two,
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
