"""Display lists, and what turns them into SVG, PDF and PNG: the writers of scenes, by the suffix of the file name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..util.limits import Limit

if TYPE_CHECKING:
    from .scene import Scene


PIXELS_PER_MM = 8.0
"""The resolution of a PNG: about 200 to the inch."""
_MOST_PIXELS = 40e6
"""How many pixels a PNG has about at most, or as many as the limit of pictures allows: a poster has a lower resolution.
"""


def _svg(scene: Scene) -> bytes:
    from .svg import to_svg

    return to_svg(scene).encode()


def _pdf(scene: Scene) -> bytes:
    from .pdf import to_pdf

    return to_pdf([scene], title=scene.title)


def _png(scene: Scene) -> bytes:
    from .png import to_png

    most = (min(_MOST_PIXELS, Limit.PIXELS.most * 0.98) / (scene.width * scene.height)) ** 0.5
    return to_png([scene], min(PIXELS_PER_MM, most))[0]


WRITERS: dict[str, Callable[[Scene], bytes]] = {".svg": _svg, ".pdf": _pdf, ".png": _png}
"""By the suffix of a file name, in lower case."""
