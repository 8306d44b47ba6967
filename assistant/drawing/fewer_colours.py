"""Pictures of pixels in few colours: a third as large, and as clear."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

_SAMPLE = 640
"""The width to which a picture is reduced to choose its colours, in pixels."""


def reduce_colours(png: bytes, colours: int, keep: Sequence[str] = ()) -> bytes:
    """Return a PNG in so many colours, 256 at most. keep: colours, as #rrggbb, that are among them though few pixels
    have them.
    """
    from PIL import Image, ImageColor  # only here: most pictures have no pixels

    picture = Image.open(BytesIO(png)).convert("RGB")
    sample = picture.resize((_SAMPLE, max(picture.height * _SAMPLE // picture.width, 1)), Image.Resampling.NEAREST)
    chosen = _quantize(sample, colors=colours - len(keep), method=Image.Quantize.MEDIANCUT)
    kept_values = [value for colour in keep for value in ImageColor.getrgb(colour)[:3]]
    chosen_values = chosen.getpalette() or []
    entries = (kept_values + chosen_values)[: 3 * colours]
    chosen.putpalette(entries)
    reduced = _quantize(picture, palette=chosen, dither=Image.Dither.NONE)
    reduced.putpalette(entries + entries[-3:] * (256 - len(entries) // 3))  # whole: no pixel has the entries beyond
    buffer = BytesIO()
    reduced.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _quantize(picture: Image, **options: Any) -> Image:
    """Return a picture in fewer colours. Raises MemoryError, which Pillow calls a quantization error."""
    try:
        return picture.quantize(**options)
    except ValueError as error:
        if str(error) == "quantization error":
            raise MemoryError from None
        raise
