"""Reduction of board pictures that are too large for the builder, without holding a whole picture in memory."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from assistant.drawing.faces import PictureFile
from assistant.formats.vassal.grids import Pixel
from assistant.game.boards.map_picture import BoxArea, MapPicture
from assistant.util.limits import Limit

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer
    from PIL.Image import Image

_SHRINK_FACTORS = (2, 4, 8, 16)
"""Factors by which a scan is reduced, each way."""
_ROWS_PER_STRIP = 16 * 8
"""Rows of a picture that are reduced at once."""
_SAMPLE_BITS = (1, 2, 4, 8)
"""Bits of a sample of a PNG that is read in strips."""
_SAMPLES_PER_PIXEL = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Samples per pixel of a PNG, by its colour type."""
_PNG = b"\x89PNG\r\n\x1a\n"


class Scan(NamedTuple):
    """The picture of a board."""

    picture: PictureFile | None
    """The picture, or None if it is too large to be reduced."""
    factor: int = 1
    """Pixels of the module's picture for one of this, each way."""


def fit_scan(picture: PictureFile, size: Pixel) -> Scan:
    """Return a board's picture as it is, or reduced if it is too large. `size`: width and height in pixels."""
    pixels = size[0] * size[1]
    if len(picture.data) <= Limit.FILE.most and pixels <= Limit.PIXELS.most:
        return Scan(picture)
    fitting = [factor for factor in _SHRINK_FACTORS if 2 * pixels <= Limit.PIXELS.most * factor**2]
    try:
        shown = _open_smaller(picture, size, fitting[0]) if fitting else None
    except MemoryError:
        raise
    except Exception:  # Pillow's readers raise various exceptions for damaged files
        shown = None
    for factor in fitting if shown else ():
        assert shown is not None
        if (data := _write_within(shown, "PNG", compress_level=1)) is not None:
            return Scan(PictureFile("png", data), factor)
        if shown.mode in ("L", "RGB") and (data := _write_within(shown, "JPEG", quality=90)) is not None:
            return Scan(PictureFile("jpg", data), factor)
        shown = shown.reduce(2)
    return Scan(None)


def shrink_place(at: Pixel, factor: int) -> Pixel:
    """Return the pixel of a reduced picture for a place of the original."""
    return round(at[0] / factor), round(at[1] / factor)


def shrink_places(picture: MapPicture, factor: int) -> MapPicture:
    """Return the places on a reduced picture. Of several places on one pixel the first is kept."""

    def move(at: Pixel) -> Pixel:
        return shrink_place(at, factor)

    def move_all(places: Mapping[str, Pixel]) -> dict[str, Pixel]:
        first = {move(at): name for name, at in reversed([*places.items()])}
        return {name: move(at) for name, at in places.items() if first[move(at)] == name}

    areas = (BoxArea(tuple(map(move, area.path)), move_all(area.boxes)) for area in picture.areas)
    return msgspec.structs.replace(
        picture,
        first=move(picture.first) if picture.first else None,
        step=(picture.step[0] / factor, picture.step[1] / factor),
        areas=tuple(areas),
        boxes=move_all(picture.boxes),
    )


class _Room(io.BytesIO):
    """A buffer limited to the size of a game's file."""

    def write(self, data: ReadableBuffer, /) -> int:
        written = super().write(data)
        if self.tell() > Limit.FILE.most:
            raise OverflowError
        return written


def _write_within(shown: Image, kind: str, **options: int) -> bytes | None:
    """Return a picture in a file format, or None if the file is too large for a game."""
    file = _Room()
    try:
        shown.save(file, kind, **options)
    except OverflowError:
        return None
    return file.getvalue()


def _open_smaller(picture: PictureFile, size: Pixel, factor: int) -> Image | None:
    """Return a reduced picture, or None if it would take too much memory."""
    from PIL import GifImagePlugin, JpegImagePlugin, PngImagePlugin  # Pillow's `open` refuses large pictures

    file = io.BytesIO(picture.data)
    if picture.ending == "jpg":
        scan = JpegImagePlugin.JpegImageFile(file)
        scan.draft(None, (-(-size[0] // factor), -(-size[1] // factor)))  # libjpeg then decodes a smaller picture
        return _join_pictures(_cut_picture(scan), size, factor, max(round(factor * scan.width / size[0]), 1))
    if picture.ending == "png" and (head := _PngHead.read(picture.data)) is not None:
        return _join_pictures(head.strips(picture.data), size, factor)
    whole = GifImagePlugin.GifImageFile(file) if picture.ending == "gif" else PngImagePlugin.PngImageFile(file)
    held = size[0] * size[1] * (1 if len(whole.getbands()) == 1 else 4)
    return _join_pictures(_cut_picture(whole), size, factor) if held <= 2 * Limit.PIXELS.most else None


def _join_pictures(strips: Iterator[Image], size: Pixel, factor: int, by: int = 0) -> Image | None:
    """Return the reduced strips of a picture, from the top down, as one picture.

    `size`: size of the original picture.
    `by`: the factor by which the strips are still to be reduced, or 0 if they are not reduced yet.
    """
    from PIL import Image as Images

    whole, top = None, 0
    for strip in strips:
        opaque = "L" if strip.mode in ("1", "L") else "RGB"
        part = strip.convert("RGBA" if strip.has_transparency_data else opaque).reduce(by or factor)
        if whole is None:
            whole = Images.new(part.mode, (-(-size[0] // factor), -(-size[1] // factor)))
        whole.paste(part, (0, top))
        top += part.height
    return whole


def _cut_picture(whole: Image) -> Iterator[Image]:
    """Yield the strips of a picture in memory."""
    for top in range(0, whole.height, _ROWS_PER_STRIP):
        yield whole.crop((0, top, whole.width, min(top + _ROWS_PER_STRIP, whole.height)))


class _PngHead(NamedTuple):
    """The head of a PNG that can be read in strips."""

    width: int
    height: int
    depth: int
    """Bits of a sample."""
    colour: int
    """The colour type."""
    tables: bytes
    """The chunks with its palette and its transparency."""

    @classmethod
    def read(cls, data: bytes) -> _PngHead | None:
        """Return the head of a PNG, or None if it is interlaced or has too many bits for strips."""
        width, height, depth, colour, _, _, interlaced = struct.unpack_from(">IIBBBBB", data, 16)
        if interlaced or depth not in _SAMPLE_BITS or colour not in _SAMPLES_PER_PIXEL:
            return None
        tables = (_write_chunk(kind, chunk) for kind, chunk in _read_chunks(data) if kind in (b"PLTE", b"tRNS"))
        return cls(width, height, depth, colour, b"".join(tables))

    def strips(self, data: bytes) -> Iterator[Image]:
        """Yield the strips of its pixels. Each is a PNG of its rows as stored, after the last row of the previous
        strip.
        """
        from PIL import Image as Images

        length = 1 + -(-self.width * self.depth * _SAMPLES_PER_PIXEL[self.colour] // 8)
        before = b""
        for rows in _inflate_rows(data, length):
            number = len(rows) // length + bool(before)
            head = struct.pack(">IIBBBBB", self.width, number, self.depth, self.colour, 0, 0, 0)
            body = _write_chunk(b"IDAT", zlib.compress(before + rows, 0))
            file = _PNG + _write_chunk(b"IHDR", head) + self.tables + body + _write_chunk(b"IEND", b"")
            with Images.open(io.BytesIO(file), formats=["PNG"]) as strip:
                last = strip.crop((0, number - 1, self.width, number))
                yield strip.crop((0, bool(before), self.width, number))
            packed = strip.mode if self.depth == 8 or strip.mode == "1" else f"{strip.mode};{self.depth}"
            before = b"\0" + last.tobytes("raw", packed)


def _write_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _read_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a PNG with their kinds."""
    at = len(_PNG)
    while at + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += length + 12


def _inflate_rows(data: bytes, length: int) -> Iterator[bytes]:
    """Yield a number of rows of a PNG at a time, as stored. `length`: bytes of a row."""
    inflate, held = zlib.decompressobj(), bytearray()
    for packed in (chunk for kind, chunk in _read_chunks(data) if kind == b"IDAT"):
        while packed:
            held += inflate.decompress(packed, _ROWS_PER_STRIP * length - len(held))
            packed = inflate.unconsumed_tail
            if len(held) == _ROWS_PER_STRIP * length:
                yield bytes(held)
                held.clear()
    if rows := len(held) // length:
        yield bytes(held[: rows * length])
