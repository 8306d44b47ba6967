"""Pictures of pixels in few colours: a third as large, and as clear."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

_SAMPLE = 640
"""The width to which pictures are reduced to choose their colours, in pixels."""


def opened(png: bytes) -> Image:
    """A PNG in full colours, without opacity."""
    from PIL import Image  # only here: most pictures have no pixels

    return Image.open(BytesIO(png)).convert("RGB")


def shared_palette(pictures: Sequence[Image], colours: int, keep: Sequence[str] = ()) -> Image:
    """The colours that pictures of one size share, as Pillow takes them: `colours` of them at most. keep: colours, as
    #rrggbb, that are among them though few pixels have them.
    """
    from PIL import Image, ImageColor

    first = pictures[0]
    high = max(first.height * _SAMPLE // first.width, 1)
    together = Image.new("RGB", (_SAMPLE, high * len(pictures)))
    for number, picture in enumerate(pictures):
        together.paste(picture.resize((_SAMPLE, high), Image.Resampling.NEAREST), (0, number * high))
    chosen = _quantize(together, colors=colours - len(keep), method=Image.Quantize.MEDIANCUT)
    kept = [value for colour in keep for value in ImageColor.getrgb(colour)[:3]]
    chosen.putpalette([*kept, *(chosen.getpalette() or ())][: 3 * colours])
    return chosen


def _quantize(picture: Image, **options: Any) -> Image:
    """A picture in fewer colours. Raises MemoryError, which Pillow calls a quantization error."""
    try:
        return picture.quantize(**options)
    except ValueError as error:
        if str(error) == "quantization error":
            raise MemoryError from None
        raise


def with_palette(picture: Image, palette: Image) -> Image:
    """A picture in the colours of a palette, each pixel in the nearest. Its own palette is whole: entries beyond the colours,
    which no pixel has, repeat the last one.
    """
    from PIL import Image

    entries = [*(palette.getpalette() or ())]
    drawn = _quantize(picture, palette=palette, dither=Image.Dither.NONE)
    drawn.putpalette(entries + entries[-3:] * (256 - len(entries) // 3))
    return drawn


def in_fewer_colours(png: bytes, colours: int, keep: Sequence[str] = ()) -> bytes:
    """A PNG in so many colours, 256 at most. keep: as `shared_palette` has it."""
    picture, written = opened(png), BytesIO()
    with_palette(picture, shared_palette([picture], colours, keep)).save(written, "PNG", optimize=True)
    return written.getvalue()
