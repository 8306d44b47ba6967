"""What the page shows of photos of the owner's printed map, and of what he paints from them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ....game.photos import Tap
from ....util.notes import note
from ..projection import Matrix


class PhotoListed(msgspec.Struct, frozen=True, kw_only=True):
    """A photo."""

    id: str
    title: str
    width: int
    height: int
    fitted: bool
    """Whether the grid is fitted to it and was found right."""
    here: bool
    """Whether it shows the map of this table."""


class PhotosShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="photos"):
    """The photos of the owner's map."""

    photos: tuple[PhotoListed, ...]
    part: int
    """The most bytes of a part of a new photo."""
    most: int
    """The most bytes of a whole photo."""
    file: Annotated[int, note("the most bytes of a file that may be chosen")]


class PictureMeasured(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="picture"):
    """How large a picture is that has been chosen, in pixels."""

    kind: str
    width: int
    height: int


class PlaceToCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A hex at which the player says whether the fit is right."""

    hex: str
    name: str
    """What the rules or the map call the place there, "" for nothing."""
    x: float
    """Where the fit puts its middle in the photo."""
    y: float
    """Where the fit puts its middle in the photo."""
    outline: tuple[tuple[float, float], ...]
    """Its corners in the photo."""


class TapOff(msgspec.Struct, frozen=True, kw_only=True):
    """How far a tap lies from where the fit puts its hex, in hexes."""

    hex: str
    off: float


class FitShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="fit"):
    """A grid fitted to a photo."""

    matrix: Matrix
    """It leads from pixels of the photo to the lengths of the board's picture."""
    taps: tuple[TapOff, ...]
    """How far each tap lies off."""
    says: str
    """How well the grid fits, in words."""
    places: tuple[PlaceToCheck, ...]
    """Where to check the fit."""
    kept: bool
    """Whether the fit has been found right and is kept."""


class PhotoShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="photo"):
    """A photo."""

    id: str
    title: str
    width: int
    height: int
    data: str
    """The JPEG in base64."""
    taps: tuple[Tap, ...]
    fit: FitShown | None
    """None for a photo to which no grid is fitted."""


class BrushWord(msgspec.Struct, frozen=True, kw_only=True):
    """A word of a brush."""

    value: str
    """As it is kept."""
    word: str
    """As it is typed."""
    colour: str
    """As #rrggbb, "" for what means that nothing is there."""
    width: float
    """Of a line, in pixels."""


class Brush(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of fact that the map prints and that can be painted."""

    track: str
    title: str
    on: str
    """Hex or hexside."""
    crosses: bool
    """Whether it leads from hex to hex, as a road does."""
    several: bool
    """Whether several of its words may lie in one place."""
    words: tuple[BrushWord, ...]


class PaintedLayer(msgspec.Struct, frozen=True, kw_only=True):
    """Where the pack has a value of a track."""

    track: str
    value: str
    subjects: str
    """Hexes or hexsides, with spaces between them."""


class GroundShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="ground"):
    """What the pack has of the map of a table."""

    brushes: tuple[Brush, ...] = ()
    layers: Annotated[tuple[PaintedLayer, ...] | None, note("None for a stroke, which says only what it changed")] = (
        None
    )
    changes: Annotated[
        tuple[tuple[str, str, str | None, str | None], ...],
        note("of a stroke: track, hex or hexside, the value before and after, None for none"),
    ] = ()
    left: Annotated[tuple[str, ...], note("in words, what of a stroke was not painted")] = ()
    printed: Annotated[int, note("the number of hexes whose terrain is printed, in the pack or in the rulebook")]
    total: Annotated[int, note("the number of hexes of the map")]
    mark: Annotated[str, note("of what the pack has now")]
    before: Annotated[str, note("the mark before the stroke")] = ""
