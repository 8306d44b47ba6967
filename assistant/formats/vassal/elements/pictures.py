"""The size of a picture, from the beginning of its file."""

from __future__ import annotations

import io
import re
import warnings

from ....util.limits import TooMuch
from ..archives import Archive
from ..grids import Pixel

_SOON, _HEAD = 2**12, 2**18  # bytes of an image that contain its size, mostly and at most
_NO_SIZE = "unknown size"
_SVG = re.compile(rb"<svg\b[^<>]*>")


def size_in(archive: Archive, name: str) -> Pixel:
    """Width and height of an image in an archive; most say it soon. Raises ValueError if they are not found."""
    try:
        return picture_size(archive.head(name, _SOON))
    except TooMuch:
        raise
    except ValueError:
        return picture_size(archive.head(name, _HEAD))


def picture_size(head: bytes) -> Pixel:
    """Width and height of an image from the beginning of its file. Raises ValueError if they are not found.

    Nothing is decoded, so that an image of any size takes no memory; one beyond Pillow's own limit is refused.
    """
    if drawing := _SVG.search(head):
        sides = (re.search(rb'\s%s\s*=\s*["\']([0-9]{1,6})' % side, drawing[0]) for side in (b"width", b"height"))
        if len(numbers := [int(side[1]) for side in sides if side]) == 2:
            return numbers[0], numbers[1]
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # of half its limit
            with Image.open(io.BytesIO(_first_part(head)), formats=["PNG", "GIF", "JPEG"]) as picture:
                return picture.size
    except Image.DecompressionBombError:
        raise ValueError("it is too large") from None
    except Exception:  # on spoiled files each of its readers raises what it likes
        raise ValueError(_NO_SIZE) from None


_PNG, _PNG_SIZE, _PNG_PIXELS = b"\x89PNG\r\n\x1a\n", 33, b"\0\0\0\0IDAT"


def _first_part(head: bytes) -> bytes:
    """The beginning of a PNG up to its size, as if its pixels followed: what stands between them may unpack to 64 MiB
    of text.
    """
    return head[:_PNG_SIZE] + _PNG_PIXELS if head.startswith(_PNG) else head
