"""The picture of a board from its game or its owner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from ...util.errors import InputError
from ...util.notes import note

_Pixels = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]
_Length = Annotated[float, msgspec.Meta(ge=2, le=10_000)]
Point = tuple[_Pixels, _Pixels]
"""Pixels to the right and down from the upper left corner of the picture."""

PIXELS_PER_HEX = 60
"""The pixels of a picture without hexes that count as the height of one hex."""


class BoxArea(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the picture with boxes of its own, such as a turn track."""

    path: tuple[Point, ...]
    boxes: dict[str, Point]
    """The places for pieces, by name. A pixel of the area belongs to the nearest box."""


class MapPicture(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture of a board."""

    file: Annotated[str, note("a PNG, JPEG or GIF in the board's folder")]
    first: Annotated[
        Point | None, note("the centre of the hex in its upper left corner, or None if it has no hexes")
    ] = None
    step: Annotated[tuple[_Length, _Length], note("the distances between columns of hexes and between rows")] = (
        100.0,
        100.0,
    )
    areas: Annotated[
        tuple[BoxArea, ...], note("the parts that are not hexes; where two overlap, the first counts")
    ] = ()
    boxes: Annotated[
        dict[str, Point], note("the boxes of a picture without hexes; each pixel belongs to the nearest")
    ] = {}

    def check(self) -> None:
        """Raise InputError if an area has no surface, or if a picture with hexes has boxes."""
        if any(len(area.path) < 3 for area in self.areas):
            raise InputError("an area has fewer than three corners", hint="name its corners, one after another")
        if self.boxes and self.first is not None:
            raise InputError("boxes in a picture with hexes need an area", hint="put them into [[picture.areas]]")

    @property
    def places(self) -> dict[str, Point]:
        """The positions of the boxes."""
        return dict(self._list_places())

    def _list_places(self) -> Iterator[tuple[str, Point]]:
        yield from self.boxes.items()
        for area in self.areas:
            yield from area.boxes.items()
