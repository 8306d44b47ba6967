"""Scenes as PNG, rendered from their PDF by PDFium, and PNG in few colours."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from io import BytesIO
from itertools import groupby, islice
from math import isfinite
from typing import TYPE_CHECKING, Any

import msgspec

from ..util.errors import InputError
from ..util.limits import Limit
from .pdf import Area, PdfPage, PlacedScene, pages_to_pdf
from .scene import Rectangle, Scene

if TYPE_CHECKING:
    from PIL.Image import Image


_MAX_SHARED_PAGE_PIXELS = 2048
"""The maximum width and height of a page shared by small scenes."""
_BAND_PIXELS = 20_000_000
"""The number of pixels rendered at a time, which limits memory to 60 MB. PDFium reads the whole page for each band."""
_OVERLAP_ROWS = 64
"""The number of extra rows rendered beyond a band and discarded, as PDFium omits letters whose halo alone is inside."""
_ROWS_AT_A_TIME = 256
"""The number of rows that are compressed together."""
_LEVEL_ALONE = 3
"""The level of zlib-ng, from 1 to 9, for a picture with a page of its own.

Measured: 1 takes half as long as 3 and adds a fifth, which is much on a board and little on a counter; 6 takes twice as
long as 3 and saves a twentieth; zlib's 1 takes fifteen times as long and saves nothing. Flat colours compress better
without PNG's filters, and faster than with encoders that try them. Equal pixels give equal bytes; isal, faster still,
gave others for 2 of some 4,000 pictures of the same pixels.
"""
_LEVEL_AMONG_MANY = 1
"""The level for one of many pictures on a page."""


def to_png(scenes: Sequence[Scene], pixels_per_mm: float) -> list[bytes]:
    """Return a PNG of each scene, in order, transparent outside its shapes. Not thread-safe.

    Raises ValueError as `to_pdf` does, and if the resolution is not above 0. Raises InputError if a picture has too
    many pixels.
    """
    sheets = list(_fill_sheets(scenes, pixels_per_mm))
    if not sheets:
        return []
    with closing(_open_document(sheets)) as document:
        return [picture for number, sheet in enumerate(sheets) for picture in _cut_pictures(document[number], sheet)]


def page_to_png(page: PdfPage, pixels_per_unit: float) -> bytes:
    """Return a PNG of a page with its scenes, each aligned to whole pixels, transparent outside their shapes.

    Raises ValueError and InputError as `to_png` does.
    """
    width, height = _count_pixels(page.width, page.height, pixels_per_unit)

    def in_pixels(length: float) -> float:
        return float(round(length * pixels_per_unit))

    def align(placed: PlacedScene) -> PlacedScene:
        left, top, wide, high = map(in_pixels, placed.box)
        clip = _snap_to_pixels(placed.clip, pixels_per_unit)
        return PlacedScene(placed.scene, left, top, wide, high, placed.turned, clip)

    placed = tuple(map(align, page.scenes))
    sheet = _PixelPage(PdfPage(width, height, placed), False)
    with closing(_open_document([sheet])) as document:
        return _write_png(width, height, 4, _render_rows(document[0], sheet), _LEVEL_ALONE)


def _snap_to_pixels(area: Area | None, scale: float) -> Area | None:
    """Return an area with its edges on whole pixels, so that adjacent areas meet."""
    if area is None:
        return None
    left, top, width, height = area
    edges = [float(round(length * scale)) for length in (left, top, left + width, top + height)]
    return edges[0], edges[1], edges[2] - edges[0], edges[3] - edges[1]


def _open_document(sheets: Sequence[_PixelPage]) -> Any:
    from pypdfium2 import PdfDocument

    return PdfDocument(pages_to_pdf([sheet.page for sheet in sheets], unit=1, compress=False))


class _PixelPage(msgspec.Struct, frozen=True):
    page: PdfPage
    opaque: bool
    """Whether scenes cover the whole page."""


def _fill_sheets(scenes: Sequence[Scene], pixels_per_mm: float) -> Iterator[_PixelPage]:
    """Yield pages with the scenes in order. Small scenes of one size share a page."""
    for (width, height, opaque), alike in groupby(
        scenes, lambda scene: (*_count_pixels(scene.width, scene.height, pixels_per_mm), _is_opaque(scene))
    ):
        across, down = max(_MAX_SHARED_PAGE_PIXELS // width, 1), max(_MAX_SHARED_PAGE_PIXELS // height, 1)
        while batch := list(islice(alike, across * down)):
            places = (((number % across) * width, (number // across) * height) for number in range(len(batch)))
            placed = tuple(
                PlacedScene(scene, *place, width, height) for scene, place in zip(batch, places, strict=True)
            )
            page = PdfPage(min(across, len(batch)) * width, -(-len(batch) // across) * height, placed)
            yield _PixelPage(page, opaque)


def _count_pixels(width: float, height: float, scale: float) -> tuple[int, int]:
    """Return the width and height in pixels, at least 1.

    Raises ValueError if a side is not a positive, finite length, and InputError if there are too many pixels.
    """
    across, down = width * scale, height * scale
    if not (isfinite(across) and isfinite(down) and across > 0 and down > 0):
        raise ValueError(f"a picture of {across:g} by {down:g} pixels is impossible")
    pixels = max(round(across), 1), max(round(down), 1)
    if pixels[0] * pixels[1] > Limit.PIXELS.most:
        what = f"a picture of {pixels[0]:,} by {pixels[1]:,} pixels is too large"
        hint = (
            f"use fewer pixels per inch, show less, or raise the limit: {Limit.PIXELS.allowing(pixels[0] * pixels[1])}"
        )
        raise InputError(what, hint=hint)
    return pixels


def _is_opaque(scene: Scene) -> bool:
    """Return whether the first shape covers the whole scene."""
    first = next((shape for layer in scene.layers for shape in layer.shapes), None)
    return (
        isinstance(first, Rectangle)
        and bool(first.fill)
        and first.opacity >= 1
        and not first.radius
        and first.x <= 0
        and first.y <= 0
        and first.x + first.width >= scene.width
        and first.y + first.height >= scene.height
    )


def _cut_pictures(page: Any, sheet: _PixelPage) -> Iterator[bytes]:
    rows = _render_rows(page, sheet)
    channels = 3 if sheet.opaque else 4
    if len(sheet.page.scenes) == 1:
        (only,) = sheet.page.scenes
        yield _write_png(round(only.width), round(only.height), channels, rows, _LEVEL_ALONE)
        return
    drawn = list(rows)
    for placed in sheet.page.scenes:
        left, top, width, height = map(round, placed.box)
        cut = slice(left * channels, (left + width) * channels)
        yield _write_png(width, height, channels, [row[cut] for row in drawn[top : top + height]], _LEVEL_AMONG_MANY)


def _render_rows(page: Any, sheet: _PixelPage) -> Iterator[memoryview]:
    """Yield the rows of a page's pixels from the top, as red, green, blue, and opacity unless the sheet is opaque."""
    from pypdfium2.raw import FPDFBitmap_BGR, FPDFBitmap_BGRA

    width, height = round(sheet.page.width), round(sheet.page.height)
    channels, kind, paper = (3, FPDFBitmap_BGR, 255) if sheet.opaque else (4, FPDFBitmap_BGRA, 0)
    band = max(_BAND_PIXELS // width, 1)
    for top in range(0, height, band):
        first, last = max(top - _OVERLAP_ROWS, 0), min(top + band, height)
        below = max(height - last - _OVERLAP_ROWS, 0)
        bitmap = page.render(
            scale=1,
            crop=(0, below, 0, first),
            fill_color=(255, 255, 255, paper),
            force_bitmap_format=kind,
            rev_byteorder=True,
            may_draw_forms=False,
        )
        pixels = memoryview(bitmap.buffer).cast("B")
        for row in range(top - first, last - first):
            yield pixels[row * bitmap.stride : row * bitmap.stride + width * channels]


def png_of(width: int, height: int, pixels: bytes) -> bytes:
    """Return a PNG of pixels, given as red, green and blue, row by row from the top."""
    row, whole = width * 3, memoryview(pixels)
    return _write_png(width, height, 3, (whole[top : top + row] for top in range(0, len(pixels), row)), _LEVEL_ALONE)


def _write_png(width: int, height: int, channels: int, rows: Iterable[memoryview], level: int) -> bytes:
    packer, chunks = _make_packer(level), list[bytes]()
    remaining = iter(rows)
    while batch := list(islice(remaining, _ROWS_AT_A_TIME)):
        chunks.append(packer.compress(b"\0" + b"\0".join(batch)))  # each row begins with its filter type: 0 for none
    head = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", b"".join([*chunks, packer.flush()])), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_write_chunk(name, data) for name, data in parts)


def _make_packer(level: int) -> Any:
    """Return a compressor: zlib-ng at the level, or in a browser, which lacks zlib-ng, the slower zlib."""
    try:
        from zlib_ng import zlib_ng
    except ImportError:
        return zlib.compressobj(1)
    return zlib_ng.compressobj(level)


def _write_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def with_resolution(png: bytes, pixels_per_mm: float) -> bytes:
    """Return a PNG made by this module with its resolution added, so that a printer knows its size."""
    head = 33  # the length of the signature and the first chunk
    per_metre = round(pixels_per_mm * 1000)
    return png[:head] + _write_chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)) + png[head:]


_SAMPLE_WIDTH_PIXELS = 640
"""The width of the reduced picture from which colours are chosen, in pixels."""


def reduce_colours(png: bytes, colours: int, keep: Sequence[str] = ()) -> bytes:
    """Return a PNG in at most `colours` colours, 256 at most.

    `keep`: colours, as #rrggbb, that are included even if few pixels have them.
    """
    from PIL import Image, ImageColor  # imported here because most pictures are not bitmaps

    picture = Image.open(BytesIO(png)).convert("RGB")
    sample = picture.resize(
        (_SAMPLE_WIDTH_PIXELS, max(picture.height * _SAMPLE_WIDTH_PIXELS // picture.width, 1)), Image.Resampling.NEAREST
    )
    chosen = _quantize(sample, colors=colours - len(keep), method=Image.Quantize.MEDIANCUT)
    required_values = [value for colour in keep for value in ImageColor.getrgb(colour)[:3]]
    chosen_values = chosen.getpalette() or []
    entries = (required_values + chosen_values)[: 3 * colours]
    chosen.putpalette(entries)
    reduced = _quantize(picture, palette=chosen, dither=Image.Dither.NONE)
    # a full palette of 256 colours: no pixel uses the added entries
    reduced.putpalette(entries + entries[-3:] * (256 - len(entries) // 3))
    buffer = BytesIO()
    reduced.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _quantize(picture: Image, **options: Any) -> Image:
    """Return a picture in fewer colours.

    Raises MemoryError in place of Pillow's "quantization error".
    """
    try:
        return picture.quantize(**options)
    except ValueError as error:
        if str(error) == "quantization error":
            raise MemoryError from None
        raise
