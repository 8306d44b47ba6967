"""Elements, sequences and pictures of made-up modules, and what is drawn from their seed."""

from __future__ import annotations

import random
import struct
import zlib
from xml.sax.saxutils import quoteattr

from .reading import Point

M = "VASSAL.build.module."
W = "VASSAL.build.widget."
B = M + "map.boardPicker.board."


def join(parts: list[str], sign: str) -> str:
    """Return a sequence of parts."""
    shown = (part.replace(sign, f"\\{sign}") for part in parts)
    return sign.join(f"'{part}'" if part[:1] == "\\" or (part[:1] == "'" == part[-1:]) else part for part in shown)


def fold(parts: list[str]) -> str:
    """Return traits folded into one another, the outermost given first."""
    whole = parts[-1]
    for part in reversed(parts[:-1]):
        whole = join([part, whole], "\t")
    return whole


def png(size: Point, colour: tuple[int, int, int]) -> bytes:
    """Return a picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(size[0])) * size[1]
    head = struct.pack(">IIBBBBB", *size, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (chunk(b"IHDR", head), chunk(b"PLTE", bytes(colour)), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    )


def element(tag: str, within: str = "", /, **attributes: object) -> str:
    """Return an element of XML."""
    given = "".join(f" {name.rstrip('_')}={quoteattr(str(value))}" for name, value in attributes.items())
    return f"<{tag}{given}>{within}</{tag}>"


def flag(value: bool) -> str:
    return "true" if value else "false"


class Drawn:
    """What is drawn from a seed."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.files: dict[str, bytes] = {}
        self.kinds: list[str] = []

    def chance(self, share: float) -> bool:
        """Return whether something happens."""
        return self.dice.random() < share

    def note(self, kind: str) -> str:
        """Note what the module is like."""
        self.kinds.append(kind)
        return kind
