"""Pictures as display lists, and the writers that turn them into SVG, PDF and PNG."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..util.late import late
from ..util.limits import Limit

if TYPE_CHECKING:
    from .scene import Scene


class Picture(bytes):
    """A picture as the bytes of its file, which a notebook shows if it is SVG or PNG."""

    def _repr_svg_(self) -> str | None:
        """Return the SVG scaled to the available room, with unique ids, as a page may contain several pictures."""
        if not self.startswith(b"<svg"):
            return None
        from hashlib import blake2b  # imported here because few pictures are shown in a notebook

        prefix = f"p{blake2b(self, digest_size=6).hexdigest()}-"
        svg = self.decode().replace("<svg ", '<svg style="max-width: 100%; height: auto" ', 1)
        for names in ('<g id="', '<use href="#'):  # never in a text, where < is written as &lt;
            svg = svg.replace(names, f"{names}{prefix}")
        return svg

    def _repr_png_(self) -> bytes | None:
        return bytes(self) if self.startswith(b"\x89PNG") else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(f"<picture of {len(self)} bytes>")


PIXELS_PER_MM = 8.0
"""The resolution of a PNG, about 200 pixels to the inch."""
_MAX_PIXELS = 40e6
"""The approximate maximum number of pixels of a PNG; a poster has a lower resolution.
"""

_to_svg = late(f"{__name__}.svg:to_svg")
_to_pdf = late(f"{__name__}.pdf:to_pdf")
_to_png = late(f"{__name__}.png:to_png")


def _write_svg(scene: Scene) -> bytes:
    return bytes(_to_svg(scene).encode())


def _write_pdf(scene: Scene) -> bytes:
    return bytes(_to_pdf([scene], title=scene.title))


def _write_png(scene: Scene) -> bytes:
    most = (min(_MAX_PIXELS, Limit.PIXELS.most * 0.98) / (scene.width * scene.height)) ** 0.5
    return bytes(_to_png([scene], min(PIXELS_PER_MM, most))[0])


WRITERS: dict[str, Callable[[Scene], bytes]] = {".svg": _write_svg, ".pdf": _write_pdf, ".png": _write_png}
"""The writers by the suffix of a file name, in lower case."""
