"""What a save or a module takes of the limits, counted without reading it, so that one message names all that must be
raised for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from ...util.limits import Limit, TooMuch, find_exceeded
from ...util.markup import measure_xml
from .archives import UNREADABLE, Archive
from .containers import BUILD_FILES, COMMANDS, ESCAPE, LOGGED, MODULE_DATA, SAVE_DATA, reveal_bits

#: What is looked at of a file that is too large: bytes of its text, commands.
_BYTES, _COMMANDS = 2**25, 500_000
#: What separates commands that are nested: a backslash for each level.
_ESCAPES = re.compile(rb"(?<!\\)\\+%s" % ESCAPE.encode())
#: A slot of a palette, and what a slot or a prototype defines.
_SLOT, _DEFINED = re.compile(rb"<VASSAL\.build\.widget\.(?:Piece|Card)Slot\b"), re.compile(rb">\s*\+/[^<]*")
#: What may stand before a command that is nested, or in a step of a log.
_BEFORE = re.compile(rb"['\\]*(?:%s['\\]*)?" % LOGGED.encode())


def all_named(error: TooMuch, source: bytes | Path) -> TooMuch:
    """The error for a save with every limit that it exceeds, as far as that can be told without reading it."""
    most = 4 * _BYTES  # two digits a byte, and what is left over
    try:
        with closing(Archive(source, 2 * most)) as archive:
            sizes = archive.sizes()
            text = b"".join(_first(reveal_bits(archive.chunks(COMMANDS, most))))
    except UNREADABLE:  # an InputError is a ValueError
        return error
    return error.with_more(find_exceeded({**_of_archive(sizes), **_of_text(text)}))


def all_named_of_module(error: TooMuch, source: bytes | Path) -> TooMuch:
    """The error for a module with every limit that it exceeds, as far as that can be told without reading it."""
    try:
        with closing(Archive(source, 2 * _BYTES)) as archive:
            build = next((name for name in BUILD_FILES if name in archive), "")
            sizes = archive.sizes()
            text = b"".join(_first(archive.chunks(build, _BYTES)))
    except UNREADABLE:
        return error
    size = max(sizes[build], len(text))
    taken = {
        Limit.ENTRY: (f"{build} unpacks to", size),
        Limit.CONTAINER: ("it unpacks to", size + sizes.get(MODULE_DATA, 0)),
        **measure_xml(text, build),
        Limit.XML: (f"{build} holds", size),
        **_of_slots(text),
    }
    return error.with_more(find_exceeded(taken))


def _of_slots(text: bytes) -> dict[Limit, tuple[str, int]]:
    """What the pieces in a module's file take of the limits."""
    parts = sum(match[0].count(b"\t") // 2 + 1 for match in islice(_DEFINED.finditer(text), _COMMANDS))
    return {
        Limit.PIECES: ("the palettes hold", sum(1 for _ in _SLOT.finditer(text))),
        Limit.PARTS: ("its pieces have", parts),
    }


def _first(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """As many bytes as are looked at."""
    left = _BYTES
    for chunk in chunks:
        yield chunk
        left -= len(chunk)
        if left <= 0:
            return


def _of_archive(sizes: dict[str, int]) -> dict[Limit, tuple[str, int]]:
    """What a save takes of the limits by the sizes of the entries that are read."""
    return {
        Limit.ENTRY: (f"{COMMANDS} unpacks to", sizes.get(COMMANDS, 0)),
        Limit.CONTAINER: ("it unpacks to", sum(sizes.get(name, 0) for name in (COMMANDS, MODULE_DATA, SAVE_DATA))),
    }


def _of_text(text: bytes) -> dict[Limit, tuple[str, int]]:
    """What the commands of a save take of the limits."""
    escape = ESCAPE.encode()
    pieces, parts, most = 0, 0, dict.fromkeys((Limit.COMMAND, Limit.STACK, Limit.TRAITS), 0)
    deepest = max((len(match[0]) for match in _ESCAPES.finditer(text)), default=int(escape in text))
    for run in islice(re.finditer(rb"[^\x1b]+", text), _COMMANDS):
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
