"""The picture of a board that its game or its owner has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from ...util.errors import InputError
from ...util.notes import note

_Pixels = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]
_Length = Annotated[float, msgspec.Meta(ge=2, le=10_000)]
Point = tuple[_Pixels, _Pixels]
"""To the right and down from the upper left corner of the picture."""

PIXELS = 60
"""How many pixels of a picture without hexes are as long as a hex of a map is high."""


class BoxArea(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the picture with boxes of its own, such as a turn track."""

    path: tuple[Point, ...]
    boxes: dict[str, Point]
    """By name, where pieces lie that are in it. A pixel of the area is in the nearest of its boxes."""


class MapPicture(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture of a board."""

    file: Annotated[str, note("a PNG, JPEG or GIF in the board's folder")]
    first: Annotated[Point | None, note("the middle of the hex in its upper left corner, None if it has no hexes")] = (
        None
    )
    step: Annotated[
        tuple[_Length, _Length], note("from one column of hexes to the next, and from one row to the next")
    ] = (100.0, 100.0)
    areas: Annotated[
        tuple[BoxArea, ...], note("its parts that are not hexes; of two that overlap the first counts")
    ] = ()
    boxes: Annotated[dict[str, Point], note("each pixel is in the nearest; a picture with hexes has none")] = {}

    def check(self) -> None:
        """Raise InputError for an area without a surface, and for boxes of a picture that has hexes."""
        if any(len(area.path) < 3 for area in self.areas):
            raise InputError("an area has fewer than three corners", hint="name its corners, one after another")
        if self.boxes and self.first is not None:
            raise InputError("boxes in a picture with hexes need an area", hint="put them into [[picture.areas]]")

    @property
    def places(self) -> dict[str, Point]:
        """Where the boxes lie."""
        return dict(self._list_places())

    def _list_places(self) -> Iterator[tuple[str, Point]]:
        yield from self.boxes.items()
        for area in self.areas:
            yield from area.boxes.items()
