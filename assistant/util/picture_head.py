"""What the beginning of a picture file says of it: its kind and its size. Nothing is decoded, so that a picture of any size takes
no memory, and no other library is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .errors import InputError


class PictureHead(NamedTuple):
    """A picture. kind: jpeg, png or webp; width, height: in pixels, as stored."""

    kind: str
    width: int
    height: int


_PNG, _RIFF, _WEBP, _JPEG = b"\x89PNG\r\n\x1a\n", b"RIFF", b"WEBP", b"\xff\xd8\xff"
JPEG_END = b"\xff\xd9"
"""With what a JPEG ends that has arrived whole."""
_BARE = frozenset({0x01, *range(0xD0, 0xD8)})
"""Markers of a JPEG that no length follows."""
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of a JPEG that state its size."""
_KINDS = "choose a photo or a scan as JPEG, PNG or WebP"


def read_head(data: bytes) -> PictureHead:
    """The kind and the size of a picture, from the beginning of its file. Raises InputError for what is no JPEG, PNG or WebP, and
    for one whose size is not found.
    """
    kind, size = next(
        ((kind, size) for kind, begins, size in _READERS if begins(data)),
        ("", None),
    )
    if size is None:
        raise InputError("this is not a picture that the page can read", hint=_KINDS)
    try:
        width, height = size(data)
    except (IndexError, ValueError):
        raise InputError(
            f"the {kind.upper()} does not say how large it is", hint=f"save it anew, or {_KINDS}"
        ) from None
    if not (width and height):
        raise InputError(f"the {kind.upper()} has no pixels", hint=_KINDS)
    return PictureHead(kind, width, height)


def _number(data: bytes, at: int, count: int, order: str = "big") -> int:
    """A number of so many bytes. Raises IndexError where they end."""
    found = data[at : at + count]
    if len(found) < count:
        raise IndexError
    return int.from_bytes(found, "little" if order == "little" else "big")


def _png_size(data: bytes) -> tuple[int, int]:
    if data[12:16] != b"IHDR":
        raise ValueError
    return _number(data, 16, 4), _number(data, 20, 4)


def _webp_size(data: bytes) -> tuple[int, int]:
    match data[12:16]:
        case b"VP8X":
            return _number(data, 24, 3, "little") + 1, _number(data, 27, 3, "little") + 1
        case b"VP8 ":
            if data[23:26] != b"\x9d\x01\x2a":
                raise ValueError
            return _number(data, 26, 2, "little") & 0x3FFF, _number(data, 28, 2, "little") & 0x3FFF
        case b"VP8L":
            bits = _number(data, 21, 4, "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    raise ValueError


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """From the first frame; what stands before it, such as a small picture of it, is passed over."""
    at = 2
    while True:
        if _number(data, at, 1) != 0xFF:
            raise ValueError
        while (marker := _number(data, at, 1)) == 0xFF:
            at += 1
        at += 1
        if marker in _BARE:
            continue
        if marker in _FRAMES:
            return _number(data, at + 5, 2), _number(data, at + 3, 2)
        length = _number(data, at, 2)
        if length < 2:
            raise ValueError
        at += length


_READERS: tuple[tuple[str, Callable[[bytes], bool], Callable[[bytes], tuple[int, int]]], ...] = (
    ("jpeg", lambda data: data.startswith(_JPEG), _jpeg_size),
    ("png", lambda data: data.startswith(_PNG), _png_size),
    ("webp", lambda data: data.startswith(_RIFF) and data[8:12] == _WEBP, _webp_size),
)
