"""Pictures of pixels in few colours: a third as large, and as clear."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_SAMPLE = 640
"""The width to which pictures are reduced to choose their colours, in pixels."""
_SHARE = 0.015
"""How much of what is looked at each colour that has to be kept takes, so that it counts though few pixels have it."""


def opened(png: bytes) -> Image:
    """A PNG in full colours, without opacity."""
    from PIL import Image  # only here: most pictures have no pixels

    return Image.open(BytesIO(png)).convert("RGB")


def shared_palette(pictures: Sequence[Image], colours: int, keep: Collection[str] = ()) -> Image:
    """The colours that pictures of one size share, as Pillow takes them: `colours` of them. keep: colours, as #rrggbb, that
    stay whole though few pixels have them.
    """
    from PIL import Image

    first = pictures[0]
    high = max(first.height * _SAMPLE // first.width, 1)
    swatch = max(round(high * len(pictures) * _SHARE), 1)
    together = Image.new("RGB", (_SAMPLE, high * len(pictures) + swatch * len(keep)))
    for number, picture in enumerate(pictures):
        together.paste(picture.resize((_SAMPLE, high), Image.Resampling.NEAREST), (0, number * high))
    for number, colour in enumerate(keep):
        together.paste(Image.new("RGB", (_SAMPLE, swatch), colour), (0, high * len(pictures) + number * swatch))
    chosen = together.quantize(colors=colours, method=Image.Quantize.MEDIANCUT)
    entries = [*(chosen.getpalette() or ())][: 3 * colours]
    chosen.putpalette(entries + [0] * (768 - len(entries)))  # whole, so that an index beyond the colours is one too
    return chosen


def with_palette(picture: Image, palette: Image) -> Image:
    """A picture in the colours of a palette, each pixel in the nearest."""
    from PIL import Image

    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def in_fewer_colours(png: bytes, colours: int, keep: Collection[str] = ()) -> bytes:
    """A PNG in so many colours, 256 at most. keep: as `shared_palette` has it."""
    picture, written = opened(png), BytesIO()
    with_palette(picture, shared_palette([picture], colours, keep)).save(written, "PNG", optimize=True)
    return written.getvalue()
