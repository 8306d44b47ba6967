"""Scenes as an animated GIF, no larger than a forum takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import accumulate, repeat, takewhile
from typing import TYPE_CHECKING, NamedTuple

from .png import to_png
from .scene import Scene

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_BYTES = 2_000_000
"""How large a GIF is at most, in bytes, if less detail can bring it there: forums take about two million."""
_FINEST, _COARSER, _COARSEST = 8.0, 0.86, 2.6
"""Pixels to a millimetre: of the first try, as a share of the one before, and the fewest."""
_COLOURS = 160
"""How many colours all frames share; one more stands for what stays as it was."""
_SAMPLE = 640
"""The width to which frames are reduced to choose these colours, in pixels."""


class Animation(NamedTuple):
    """An animated GIF. data: its bytes; width, height: in pixels."""

    data: bytes
    width: int
    height: int


def to_gif(scenes: Sequence[Scene], seconds: Sequence[float], most: int = MOST_BYTES) -> Animation:
    """The scenes as the frames of a GIF that begins anew after the last one: as fine as `most` bytes allow, and in the
    coarsest size that can be read if they do not.

    seconds: how long each frame stands. All scenes have one size.
    """
    finenesses = takewhile(
        lambda fineness: fineness >= _COARSEST, accumulate(repeat(_FINEST), lambda now, _: now * _COARSER)
    )
    animation = None
    for fineness in finenesses:
        animation = _encode(scenes, seconds, fineness)
        if len(animation.data) <= most:
            break
    assert animation is not None
    return animation


def _encode(scenes: Sequence[Scene], seconds: Sequence[float], fineness: float) -> Animation:
    """The GIF at a resolution, in pixels to a millimetre."""
    from PIL import Image

    frames = [_opened(picture) for picture in to_png(scenes, fineness)]
    palette = _shared_palette(frames)
    first, *others = _only_changes(frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    written = BytesIO()
    first.save(
        written,
        format="GIF",
        save_all=True,
        append_images=others,
        duration=[round(length * 1000) for length in seconds],
        loop=0,
        disposal=1,
        transparency=_COLOURS,
        optimize=False,
    )
    return Animation(written.getvalue(), *first.size)


def _opened(picture: bytes) -> Image:
    from PIL import Image  # only here: few pictures are of pixels

    return Image.open(BytesIO(picture)).convert("RGB")


def _shared_palette(frames: Sequence[Image]) -> Image:
    """The colours that all frames share, as Pillow takes them."""
    from PIL import Image

    small = [
        frame.resize((_SAMPLE, max(frame.height * _SAMPLE // frame.width, 1)), Image.Resampling.NEAREST)
        for frame in frames
    ]
    together = Image.new("RGB", (_SAMPLE, small[0].height * len(small)))
    for number, frame in enumerate(small):
        together.paste(frame, (0, number * small[0].height))
    return together.quantize(colors=_COLOURS, method=Image.Quantize.MAXCOVERAGE)


def _only_changes(frames: Iterator[Image]) -> Iterator[Image]:
    """Frames in which what stays as in the one before is left transparent: they take less room."""
    from PIL import Image, ImageChops

    before: Image.Image | None = None
    for frame in frames:
        if before is None:
            yield frame
        else:
            indices = [Image.frombytes("L", image.size, image.tobytes()) for image in (frame, before)]
            same = ImageChops.difference(*indices).point([255] + [0] * 255)
            changed = frame.copy()
            changed.paste(_COLOURS, mask=same)
            yield changed
        before = frame
