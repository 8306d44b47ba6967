"""A board's own picture: the file that a module shows as its map, and where its hexes and boxes lie on it, in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from ...util.errors import InputError

_Pixels = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]
_Length = Annotated[float, msgspec.Meta(ge=2, le=10_000)]
Point = tuple[_Pixels, _Pixels]
"""To the right and down from the upper left corner of the picture."""


class Area(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the picture with boxes of its own, such as a turn track. path: its corners; boxes: by name, where
    pieces lie that are in it.

    A pixel of the area is in the nearest of its boxes.
    """

    path: tuple[Point, ...]
    boxes: dict[str, Point]


class MapPicture(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture of a board.

    file: a PNG, JPEG or GIF in the board's folder. first: the middle of the hex in its upper left corner, None if it
    has no hexes. step: from one column of hexes to the next, and from one row to the next. areas: its parts that are
    not hexes; of two that overlap the first counts. boxes: those of the picture as a whole, each pixel being in the
    nearest; a picture with hexes has none.
    """

    file: str
    first: Point | None = None
    step: tuple[_Length, _Length] = (100.0, 100.0)
    areas: tuple[Area, ...] = ()
    boxes: dict[str, Point] = {}

    def check(self) -> None:
        """Raise InputError for an area without a surface, and for boxes of a picture that has hexes."""
        if any(len(area.path) < 3 for area in self.areas):
            raise InputError("an area has fewer than three corners", hint="name its corners, one after another")
        if self.boxes and self.first is not None:
            raise InputError("boxes that lie in no area among hexes", hint="put them into [[picture.areas]]")

    @property
    def places(self) -> dict[str, Point]:
        """Where the boxes lie."""
        return dict(self._places())

    def _places(self) -> Iterator[tuple[str, Point]]:
        yield from self.boxes.items()
        for area in self.areas:
            yield from area.boxes.items()
