"""The faces of a module's pieces as pictures: the one that a piece shows, or several laid over one another."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, NamedTuple

from assistant.formats.vassal.grids import Pixel
from assistant.pictures.symbols import PictureFile, face_of
from assistant.util.errors import InputError
from assistant.util.limits import Limit

from .source import Source

if TYPE_CHECKING:
    from PIL.Image import Image


class Laid(NamedTuple):
    """A picture of the module on a piece. off: of its middle from that of the piece, in pixels."""

    image: str
    off: Pixel = (0, 0)


Face = tuple[Laid, ...]
"""The pictures of a face, the lowest first."""


class Studio:
    """Puts faces together, each once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._made: dict[Face, PictureFile | None] = {}
        self._can: dict[str, bool] = {}

    def face(self, face: Face) -> PictureFile | None:
        """The picture of a face, None if none of its pictures can be used; one alone is taken as it is."""
        if face not in self._made:
            self._made[face] = self._face(face)
        return self._made[face]

    def missing(self, face: Face) -> list[str]:
        """The pictures of a face that the module lacks, or that cannot be used."""
        return [laid.image for laid in face if not self._usable(laid.image)]

    def _usable(self, image: str) -> bool:
        """Whether a picture can be the face of a counter."""
        if image not in self._can:
            picture = self._source.picture(image)
            try:
                self._can[image] = picture is not None and bool(face_of(picture))
            except InputError:
                self._can[image] = False
        return self._can[image]

    def _face(self, face: Face) -> PictureFile | None:
        some = [laid for laid in face if self._usable(laid.image)]
        pictures = [picture for laid in some if (picture := self._source.picture(laid.image))]
        if len(some) == 1:
            return pictures[0]
        drawn = [(laid, picture) for laid, picture in zip(some, pictures, strict=True) if picture.ending != "svg"]
        return self._over(drawn) if drawn else pictures[0] if pictures else None

    def _over(self, drawn: list[tuple[Laid, PictureFile]]) -> PictureFile | None:
        """Pictures laid over one another."""
        boxes = []
        for laid, _ in drawn:
            (wide, high), (x, y) = self._source.size(laid.image), laid.off
            boxes.append((x - wide // 2, y - high // 2, x - wide // 2 + wide, y - high // 2 + high))
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        size = max(box[2] for box in boxes) - left, max(box[3] for box in boxes) - top
        if size[0] * size[1] > Limit.ART_PIXELS.most:
            return drawn[0][1]
        from PIL import Image as Images

        whole = Images.new("RGBA", size)
        for (_, picture), (x, y, _, _) in zip(drawn, boxes, strict=True):
            if (shown := opened_picture(picture)) is not None:
                whole.alpha_composite(shown, (x - left, y - top))
        return PictureFile("png", png(whole))


def opened_picture(picture: PictureFile) -> Image | None:
    """A picture's pixels with their opacity, None if it cannot be read; its size was looked at before."""
    from PIL import Image as Images

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Images.DecompressionBombWarning)
            with Images.open(io.BytesIO(picture.data), formats=["PNG", "GIF", "JPEG"]) as file:
                return file.convert("RGBA")
    except Exception:  # on spoiled files each of its readers raises what it likes
        return None


def png(picture: Image) -> bytes:
    """A picture as a PNG."""
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
