"""Pictures of boards that are larger than the builder takes, made smaller; no more than a part of one is held at its full
size.
"""

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

_FACTORS = (2, 4, 8, 16)
"""By how much a scan is made smaller, each way."""
_ROWS = 16 * 8
"""How many rows of a picture are made smaller at once."""
_DEPTHS = (1, 2, 4, 8)
"""Bits of a sample of a PNG that is read in strips."""
_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""How many samples a pixel of a PNG has, by its type of colour."""
_PNG = b"\x89PNG\r\n\x1a\n"


class Scan(NamedTuple):
    """The picture of a board."""

    picture: PictureFile | None
    """None if it is too large to be made smaller here."""
    factor: int = 1
    """How many pixels of the module's picture make one of it, each way."""


def fit_scan(picture: PictureFile, size: Pixel) -> Scan:
    """Return a picture as a board may have it: as it is, or made smaller. size: its own."""
    pixels = size[0] * size[1]
    if len(picture.data) <= Limit.FILE.most and pixels <= Limit.PIXELS.most:
        return Scan(picture)
    fitting = [factor for factor in _FACTORS if 2 * pixels <= Limit.PIXELS.most * factor**2]
    try:
        shown = _open_smaller(picture, size, fitting[0]) if fitting else None
    except MemoryError:
        raise
    except Exception:  # on spoiled files each of Pillow's readers raises what it likes
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
    """Return the pixel of a picture that was made smaller at which a place of the whole one lies."""
    return round(at[0] / factor), round(at[1] / factor)


def shrink_places(picture: MapPicture, factor: int) -> MapPicture:
    """Return what lies where on a picture that was made smaller; of places that fall on the same pixel the first."""

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
    """A file that holds no more than a file of a game may."""

    def write(self, data: ReadableBuffer, /) -> int:
        written = super().write(data)
        if self.tell() > Limit.FILE.most:
            raise OverflowError
        return written


def _write_within(shown: Image, kind: str, **options: int) -> bytes | None:
    """Return a picture as a file of a kind, None if that is too large for a file of a game."""
    file = _Room()
    try:
        shown.save(file, kind, **options)
    except OverflowError:
        return None
    return file.getvalue()


def _open_smaller(picture: PictureFile, size: Pixel, factor: int) -> Image | None:
    """Return a picture made smaller, None if it would take too much memory."""
    from PIL import GifImagePlugin, JpegImagePlugin, PngImagePlugin  # Pillow's `open` refuses what is large

    file = io.BytesIO(picture.data)
    if picture.ending == "jpg":
        scan = JpegImagePlugin.JpegImageFile(file)
        scan.draft(None, (-(-size[0] // factor), -(-size[1] // factor)))  # which libjpeg decodes so
        return _join_pictures(_cut_picture(scan), size, factor, max(round(factor * scan.width / size[0]), 1))
    if picture.ending == "png" and (head := _PngHead.read(picture.data)) is not None:
        return _join_pictures(head.strips(picture.data), size, factor)
    whole = GifImagePlugin.GifImageFile(file) if picture.ending == "gif" else PngImagePlugin.PngImageFile(file)
    held = size[0] * size[1] * (1 if len(whole.getbands()) == 1 else 4)
    return _join_pictures(_cut_picture(whole), size, factor) if held <= 2 * Limit.PIXELS.most else None


def _join_pictures(strips: Iterator[Image], size: Pixel, factor: int, by: int = 0) -> Image | None:
    """Return strips of a picture, from the top down, made smaller and put together. size: of the picture; by: how much
    smaller the strips are yet to be made, as much as the whole if it is 0.
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
    """Yield the strips of a picture that is held."""
    for top in range(0, whole.height, _ROWS):
        yield whole.crop((0, top, whole.width, min(top + _ROWS, whole.height)))


class _PngHead(NamedTuple):
    """What a PNG says before its pixels that can be read in strips."""

    width: int
    height: int
    depth: int
    """Bits of a sample."""
    colour: int
    """Its type of colour."""
    tables: bytes
    """The chunks with its palette and its transparency."""

    @classmethod
    def read(cls, data: bytes) -> _PngHead | None:
        """Return the head of a PNG, None if it is interlaced or finer than strips are read."""
        width, height, depth, colour, _, _, interlaced = struct.unpack_from(">IIBBBBB", data, 16)
        if interlaced or depth not in _DEPTHS or colour not in _SAMPLES:
            return None
        tables = (_write_chunk(kind, chunk) for kind, chunk in _read_chunks(data) if kind in (b"PLTE", b"tRNS"))
        return cls(width, height, depth, colour, b"".join(tables))

    def strips(self, data: bytes) -> Iterator[Image]:
        """Yield the strips of its pixels: each is a PNG of its rows as they are stored, below the last row before."""
        from PIL import Image as Images

        length = 1 + -(-self.width * self.depth * _SAMPLES[self.colour] // 8)
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
    """Yield the chunks of a PNG, each with its kind."""
    at = len(_PNG)
    while at + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += length + 12


def _inflate_rows(data: bytes, length: int) -> Iterator[bytes]:
    """Yield the rows of a PNG as they are stored, so many at once. length: bytes of a row."""
    inflate, held = zlib.decompressobj(), bytearray()
    for packed in (chunk for kind, chunk in _read_chunks(data) if kind == b"IDAT"):
        while packed:
            held += inflate.decompress(packed, _ROWS * length - len(held))
            packed = inflate.unconsumed_tail
            if len(held) == _ROWS * length:
                yield bytes(held)
                held.clear()
    if rows := len(held) // length:
        yield bytes(held[: rows * length])
