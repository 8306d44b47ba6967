"""The limits that a file exceeds, for one message that names them all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TypeVar

from ...util.limits import Limit, TooMuch, find_exceeded
from ...util.patterns import late_pattern
from ...util.xml_reader import measure_xml
from .archives import UNREADABLE, Archive
from .containers import BUILD_FILES, COMMANDS, ESCAPE, LOGGED, MODULE_DATA, SAVE_DATA
from .streams import reveal_bits

Read = TypeVar("Read")
_MAX_SURVEYED_BYTES = 2**25
"""Maximum number of bytes surveyed in a file that is too large."""
_MAX_SURVEYED_COMMANDS = 500_000
_ESCAPES = late_pattern(rb"(?<!\\)\\+%s" % ESCAPE.encode())
"""The separator of commands, with a backslash for each level of nesting."""
_SLOT = late_pattern(rb"<VASSAL\.build\.widget\.(?:Piece|Card)Slot\b")
"""A slot of a palette."""
_DEFINED = late_pattern(rb">\s*\+/[^<]*")
"""The definition in a slot or prototype."""
_COMMAND_PREFIX = late_pattern(rb"['\\]*(?:%s['\\]*)?" % LOGGED.encode())
"""The characters before a command that is nested or in a step of a log."""


def name_limits(read: Callable[[], Read], survey: Callable[[TooMuch], TooMuch]) -> Read:
    """Return the result of `read`. If it raises TooMuch, raise the error with every limit that the file exceeds.

    `survey`: adds these limits to the error. It is called after the memory of the failed reading is free.
    """
    try:
        return read()
    except TooMuch as error:
        error.__traceback__ = None
        too_much = error
    raise survey(too_much)


def name_save_limits(error: TooMuch, source: bytes | Path) -> TooMuch:
    """Return the error for a save with every exceeded limit that a survey finds."""
    most = 4 * _MAX_SURVEYED_BYTES  # two hexadecimal digits a byte, with a margin
    try:
        with closing(Archive(source, 2 * most)) as archive:
            sizes = archive.sizes()
            text = b"".join(_take_first(reveal_bits(archive.chunks(COMMANDS, most))))
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
    """Return the error for a module with every exceeded limit that a survey finds."""
    try:
        with closing(Archive(source, 2 * _MAX_SURVEYED_BYTES)) as archive:
            build = next((name for name in BUILD_FILES if name in archive), "")
            sizes = archive.sizes()
            text = b"".join(_take_first(archive.chunks(build, _MAX_SURVEYED_BYTES)))
    except UNREADABLE:
        return error
    size = max(sizes[build], len(text))
    parts = sum(match[0].count(b"\t") // 2 + 1 for match in islice(_DEFINED.finditer(text), _MAX_SURVEYED_COMMANDS))
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
    remaining = _MAX_SURVEYED_BYTES
    for chunk in chunks:
        yield chunk
        remaining -= len(chunk)
        if remaining <= 0:
            return


def _measure_text(text: bytes) -> dict[Limit, tuple[str, int]]:
    """Return how much of each limit the commands of a save use."""
    escape = ESCAPE.encode()
    pieces = 0
    parts = 0
    maxima = dict.fromkeys((Limit.COMMAND, Limit.STACK, Limit.TRAITS), 0)
    deepest = max((len(match[0]) for match in _ESCAPES.finditer(text)), default=int(escape in text))
    for run in islice(re.finditer(rb"[^\x1b]+", text), _MAX_SURVEYED_COMMANDS):
        command = run[0]
        if not command.startswith(LOGGED.encode()):
            maxima[Limit.COMMAND] = max(maxima[Limit.COMMAND], len(command))
        if _COMMAND_PREFIX.sub(b"", command[:100], 1).startswith(b"+/"):
            if b"/stack/" in command[:100]:
                maxima[Limit.STACK] = max(maxima[Limit.STACK], command.count(b";") - command.count(b";@@") - 2)
            else:
                traits = command.count(b"\t") // 2 + 1
                maxima[Limit.TRAITS] = max(maxima[Limit.TRAITS], traits)
                pieces, parts = pieces + 1, parts + traits
    return {
        Limit.TEXT: (f"{COMMANDS} unpacks to", len(text)),
        Limit.COMMANDS: (f"{COMMANDS} holds", text.count(escape)),
        Limit.NESTING: (f"{COMMANDS} nests commands by", deepest),
        Limit.PIECES: ("it holds", pieces),
        Limit.PARTS: ("its pieces have", parts),
        Limit.COMMAND: ("a command holds", maxima[Limit.COMMAND]),
        Limit.STACK: ("a stack holds", maxima[Limit.STACK]),
        Limit.TRAITS: ("a piece has", maxima[Limit.TRAITS]),
    }
