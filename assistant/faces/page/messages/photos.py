"""What the page shows of photos of the owner's printed map, and of what he paints from them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ....game.photos import Tap
from ....util.notes import note
from ..projection import Matrix


class PhotoListed(msgspec.Struct, frozen=True, kw_only=True):
    """A photo. fitted: whether the grid is fitted to it and was found right; here: whether it shows the map of this table."""

    id: str
    title: str
    width: int
    height: int
    fitted: bool
    here: bool


class PhotosShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="photos"):
    """The photos of the owner's map. part: the most bytes of a part of a new one; most: the most bytes of a whole one."""

    photos: tuple[PhotoListed, ...]
    part: int
    most: int
    file: Annotated[int, note("the most bytes of a file that may be chosen")]


class PictureMeasured(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="picture"):
    """How large a picture is that has been chosen, in pixels."""

    kind: str
    width: int
    height: int


class PlaceToCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A hex at which the player says whether the fit is right. name: of the place there that the rules or the map name, "" for none; x, y:
    where the fit puts its middle in the photo; outline: its corners there.
    """

    hex: str
    name: str
    x: float
    y: float
    outline: tuple[tuple[float, float], ...]


class TapOff(msgspec.Struct, frozen=True, kw_only=True):
    """How far a tap lies from where the fit puts its hex, in hexes."""

    hex: str
    off: float


class FitShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="fit"):
    """A grid fitted to a photo. matrix: from pixels of the photo to the lengths of the board's picture; taps: how far each lies off; says:
    how well it fits, in words; places: where to check it; kept: whether it has been found right and is kept.
    """

    matrix: Matrix
    taps: tuple[TapOff, ...]
    says: str
    places: tuple[PlaceToCheck, ...]
    kept: bool


class PhotoShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="photo"):
    """A photo. data: the JPEG in base64; fit: of the grid, None for a photo that is not fitted."""

    id: str
    title: str
    width: int
    height: int
    data: str
    taps: tuple[Tap, ...]
    fit: FitShown | None


class BrushWord(msgspec.Struct, frozen=True, kw_only=True):
    """A word of a brush. value: as it is kept; word: as it is typed; colour: #rrggbb, "" for what means that nothing is there; width: of a
    line, in pixels.
    """

    value: str
    word: str
    colour: str
    width: float


class Brush(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of fact that the map prints and that can be painted. on: hex or hexside; crosses: whether it leads from hex to hex, as a road
    does; several: whether several of its words may lie in one place.
    """

    track: str
    title: str
    on: str
    crosses: bool
    several: bool
    words: tuple[BrushWord, ...]


class PaintedLayer(msgspec.Struct, frozen=True, kw_only=True):
    """Where the pack has a value of a track. subjects: hexes or hexsides, with spaces between them."""

    track: str
    value: str
    subjects: str


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
