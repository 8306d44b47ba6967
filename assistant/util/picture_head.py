"""The beginning of a picture file: its kind and size, and the data about where and with what it was taken.

The picture is not decoded, so that any size takes little memory, and no other library is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .errors import InputError


class PictureHead(NamedTuple):
    """The kind and size of a picture."""

    kind: str
    """The kind: `jpeg`, `png` or `webp`."""
    width: int
    height: int
    """The height in pixels, as stored and not as rotated; the same holds for the width."""


# The beginnings of the kinds of files; a WebP is a RIFF with its own name.
_PNG = b"\x89PNG\r\n\x1a\n"
_RIFF = b"RIFF"
_WEBP = b"WEBP"
_JPEG = b"\xff\xd8\xff"
JPEG_END = b"\xff\xd9"
"""The end of a complete JPEG."""
_MARKERS_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD8)})
"""The markers of JPEG segments without a length."""
_SIZE_MARKERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The markers of JPEG segments with the size of the picture."""
_PIXELS_MARKER = 0xDA
"""The marker of the JPEG segment before the pixels."""
_APPLICATION_MARKERS = range(0xE0, 0xF0)
"""The markers of JPEG segments with data of applications."""
_HINT = "choose a photo or a scan as JPEG, PNG or WebP"


def read_picture_head(data: bytes) -> PictureHead:
    """Return the kind and the size of a picture, from the beginning of its file.

    Raises InputError if it is not a JPEG, PNG or WebP, or if the size is not found.
    """
    read_size: Callable[[bytes], tuple[int, int]]
    if data.startswith(_JPEG):
        kind, read_size = "jpeg", _read_jpeg_size
    elif data.startswith(_PNG):
        kind, read_size = "png", _read_png_size
    elif data.startswith(_RIFF) and data[8:12] == _WEBP:
        kind, read_size = "webp", _read_webp_size
    else:
        raise InputError("this is not a picture that the page can read", hint=_HINT)
    try:
        width, height = read_size(data)
    except (IndexError, ValueError):
        raise InputError(
            f"the {kind.upper()} does not say how large it is", hint=f"save it again, or {_HINT}"
        ) from None
    if not (width and height):
        raise InputError(f"the {kind.upper()} has no pixels", hint=_HINT)
    return PictureHead(kind, width, height)


def _read_number(data: bytes, at: int, count: int, order: str = "big") -> int:
    number_bytes = data[at : at + count]
    if len(number_bytes) < count:
        raise IndexError
    return int.from_bytes(number_bytes, "little" if order == "little" else "big")


def _read_png_size(data: bytes) -> tuple[int, int]:
    if data[12:16] != b"IHDR":
        raise ValueError
    return _read_number(data, 16, 4), _read_number(data, 20, 4)


def _read_webp_size(data: bytes) -> tuple[int, int]:
    match data[12:16]:
        case b"VP8X":
            return _read_number(data, 24, 3, "little") + 1, _read_number(data, 27, 3, "little") + 1
        case b"VP8 ":
            if data[23:26] != b"\x9d\x01\x2a":
                raise ValueError
            return _read_number(data, 26, 2, "little") & 0x3FFF, _read_number(data, 28, 2, "little") & 0x3FFF
        case b"VP8L":
            bits = _read_number(data, 21, 4, "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    raise ValueError


class _Segment(NamedTuple):
    marker: int
    begin: int
    """The index of the segment's marker."""
    inside: int
    """The index after the segment's marker."""
    end: int
    """The index after the segment's end."""


def _read_segments(data: bytes) -> Iterator[_Segment]:
    at = 2
    while True:
        begin = at
        if _read_number(data, at, 1) != 0xFF:
            raise ValueError
        while (marker := _read_number(data, at, 1)) == 0xFF:
            at += 1
        at = inside = at + 1
        if marker == _PIXELS_MARKER:
            yield _Segment(marker, begin, inside, data.index(JPEG_END, at) + len(JPEG_END))
            return
        if marker not in _MARKERS_WITHOUT_LENGTH:
            length = _read_number(data, at, 2)
            if length < 2:
                raise ValueError
            at += length
        yield _Segment(marker, begin, inside, at)


def _read_jpeg_size(data: bytes) -> tuple[int, int]:
    """Return the width and height in the first frame; earlier segments, such as a thumbnail, are skipped."""
    for segment in _read_segments(data):
        if segment.marker in _SIZE_MARKERS:
            return _read_number(data, segment.inside + 5, 2), _read_number(data, segment.inside + 3, 2)
    raise ValueError


def without_origin(jpeg: bytes) -> bytes:
    """Return a JPEG without data about where, when and by what it was taken, and without bytes after the picture.

    Its pixels and colours stay the same.

    Raises InputError if it is not a complete JPEG.
    """
    try:
        segments = [*_read_segments(jpeg)]
    except (IndexError, ValueError):
        raise InputError("the JPEG is damaged", hint="save it again") from None
    segments_kept = (jpeg[segment.begin : segment.end] for segment in segments if not _tells_origin(jpeg, segment))
    return jpeg[:2] + b"".join(segments_kept)


def _tells_origin(jpeg: bytes, segment: _Segment) -> bool:
    """Return whether a segment has data of an application (Exif, XMP, IPTC, thumbnail), except size and colours."""
    content = jpeg[segment.inside + 2 : segment.end]
    return segment.marker in _APPLICATION_MARKERS and not content.startswith((b"JFIF\0", b"ICC_PROFILE\0", b"Adobe"))
