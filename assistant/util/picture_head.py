"""What the beginning of a picture file says of it: its kind, its size, and where and by what it was taken. Nothing is
decoded, so that a picture of any size takes no memory, and no other library is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .errors import InputError


class PictureHead(NamedTuple):
    """A picture."""

    kind: str
    """`jpeg`, `png` or `webp`."""
    width: int
    height: int
    """In pixels, as stored; `width` likewise."""


_PNG = b"\x89PNG\r\n\x1a\n"
"""With what each kind of file begins; a WebP is a RIFF that names itself."""
_RIFF = b"RIFF"
_WEBP = b"WEBP"
_JPEG = b"\xff\xd8\xff"
JPEG_END = b"\xff\xd9"
"""With what a JPEG ends that has arrived whole."""
_BARE = frozenset({0x01, *range(0xD0, 0xD8)})
"""Markers of a JPEG that no length follows."""
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of a JPEG that state its size."""
_PIXELS = 0xDA
"""The marker of a JPEG behind which its pixels stand."""
_APPLICATION_MARKERS = range(0xE0, 0xF0)
"""Markers of a JPEG for what applications say."""
_HINT = "choose a photo or a scan as JPEG, PNG or WebP"


def read_picture_head(data: bytes) -> PictureHead:
    """Return the kind and the size of a picture, from the beginning of its file. Raises InputError for what is no JPEG,
    PNG or WebP, and for one whose size is not found.
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
    """Return a number of so many bytes. Raises IndexError where they end."""
    found = data[at : at + count]
    if len(found) < count:
        raise IndexError
    return int.from_bytes(found, "little" if order == "little" else "big")


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
    """A part of a JPEG."""

    marker: int
    begin: int
    """Where it begins."""
    inside: int
    """Where it goes on behind its marker."""
    end: int
    """Where it ends."""


def _read_segments(data: bytes) -> Iterator[_Segment]:
    """Yield what stands in a JPEG before its pixels, these the last, to the end of the picture. Raises IndexError where
    it ends before, and ValueError for what is none.
    """
    at = 2
    while True:
        begin = at
        if _read_number(data, at, 1) != 0xFF:
            raise ValueError
        while (marker := _read_number(data, at, 1)) == 0xFF:
            at += 1
        at = inside = at + 1
        if marker == _PIXELS:
            yield _Segment(marker, begin, inside, data.index(JPEG_END, at) + len(JPEG_END))
            return
        if marker not in _BARE:
            length = _read_number(data, at, 2)
            if length < 2:
                raise ValueError
            at += length
        yield _Segment(marker, begin, inside, at)


def _read_jpeg_size(data: bytes) -> tuple[int, int]:
    """Return the size that the first frame states; what stands before it, such as a small picture of it, is passed
    over.
    """
    for segment in _read_segments(data):
        if segment.marker in _FRAMES:
            return _read_number(data, segment.inside + 5, 2), _read_number(data, segment.inside + 3, 2)
    raise ValueError


def without_origin(jpeg: bytes) -> bytes:
    """Return a JPEG without what a camera or a program says of where, when and by what it was made, and without what
    stands behind the picture. Its pixels and colours are the same.

    Raises InputError for what is no JPEG that has arrived whole.
    """
    try:
        segments = [*_read_segments(jpeg)]
    except (IndexError, ValueError):
        raise InputError("the JPEG is damaged", hint="save it again") from None
    kept = (jpeg[segment.begin : segment.end] for segment in segments if not _tells_origin(jpeg, segment))
    return jpeg[:2] + b"".join(kept)


def _tells_origin(jpeg: bytes, segment: _Segment) -> bool:
    """Return whether a segment is of an application (Exif, XMP, IPTC, small pictures), but for those that settle size
    and colours.
    """
    content = jpeg[segment.inside + 2 : segment.end]
    return segment.marker in _APPLICATION_MARKERS and not content.startswith((b"JFIF\0", b"ICC_PROFILE\0", b"Adobe"))
