"""Reads the PNG files that the pictures are written as: 8 bits a channel, no filter."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple


class Pixels(NamedTuple):
    """A picture. channels: 3, or 4 with opacity."""

    width: int
    height: int
    channels: int
    rows: tuple[bytes, ...]

    def at(self, x: int, y: int) -> tuple[int, ...]:
        """Red, green, blue and opacity of a pixel."""
        found = tuple(self.rows[y][x * self.channels : (x + 1) * self.channels])
        return found if self.channels == 4 else (*found, 255)


def read_png(data: bytes) -> Pixels:
    """The picture in a file; checks every sum on the way."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = [], 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        body = data[at + 4 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length) == (zlib.crc32(body),)
        chunks.append((body[:4], body[4:]))
        at += 12 + length
    assert [name for name, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, kind = struct.unpack(">IIBB", chunks[0][1][:10])
    assert (depth, kind) in ((8, 2), (8, 6))
    channels = {2: 3, 6: 4}[kind]
    raw, row = zlib.decompress(chunks[1][1]), width * channels + 1
    assert len(raw) == row * height
    assert set(raw[::row]) == {0}
    return Pixels(width, height, channels, tuple(raw[start + 1 : start + row] for start in range(0, len(raw), row)))
