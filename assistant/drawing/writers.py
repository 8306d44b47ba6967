"""The writers of scenes, by the suffix of the file name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .scene import Scene

PIXELS_PER_MM = 8.0
"""The resolution of a PNG: about 200 to the inch."""


def _svg(scene: Scene) -> bytes:
    from .svg import to_svg

    return to_svg(scene).encode()


def _pdf(scene: Scene) -> bytes:
    from .pdf import to_pdf

    return to_pdf([scene], title=scene.title)


def _png(scene: Scene) -> bytes:
    from .png import to_png

    return to_png([scene], PIXELS_PER_MM)[0]


WRITERS: dict[str, Callable[[Scene], bytes]] = {".svg": _svg, ".pdf": _pdf, ".png": _png}
"""By the suffix of a file name, in lower case."""
