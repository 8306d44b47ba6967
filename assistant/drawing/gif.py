"""Scenes as an animated GIF, no larger than a forum takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from .fewer_colours import opened, shared_palette, with_palette
from .png import to_png
from .scene import Scene

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_BYTES = 2_000_000
"""How large a GIF is at most, in bytes, if less detail can bring it there: forums take about two million."""
_FINEST, _COARSEST = 8.0, 2.6
"""Pixels to a millimetre: of the first try, and the fewest."""
_LESS, _TRIES = 0.95, 4
"""How much less than what should just fit is tried next, as a share, and how often."""
_COLOURS, _SAMPLED = 240, 8
"""How many colours all frames share, besides the one that stands for what stays as it was, and how many frames are looked at
to choose them.
"""


class Animation(NamedTuple):
    """An animated GIF. data: its bytes; width, height: in pixels."""

    data: bytes
    width: int
    height: int


def to_gif(
    scenes: Sequence[Scene], seconds: Sequence[float], most: int = MOST_BYTES, keep: Sequence[str] = ()
) -> Animation:
    """The scenes as the frames of a GIF that begins anew after the last one: as fine as `most` bytes allow, and in the
    coarsest size that can be read if they do not.

    scenes: all of one size; each is asked for when it is drawn; seconds: how long each stands; keep: colours that stay
    whole though few pixels have them.
    """
    fineness = _FINEST
    for _ in range(_TRIES):
        animation = _encode(scenes, seconds, fineness, keep)
        if len(animation.data) <= most or fineness <= _COARSEST:
            break
        fineness = max(fineness * _LESS * sqrt(most / len(animation.data)), _COARSEST)
    return animation


def _encode(scenes: Sequence[Scene], seconds: Sequence[float], fineness: float, keep: Sequence[str]) -> Animation:
    """The GIF at a resolution, in pixels to a millimetre."""
    some = dict.fromkeys(round(number * (len(scenes) - 1) / (_SAMPLED - 1)) for number in range(_SAMPLED))
    palette = shared_palette([_drawn(scenes[number], fineness) for number in some], _COLOURS, keep)
    frames = (with_palette(_drawn(scene, fineness), palette) for scene in scenes)
    first, *others = _only_changes(frames)
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


def _drawn(scene: Scene, fineness: float) -> Image:
    """A scene in pixels."""
    return opened(to_png([scene], fineness)[0])


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
