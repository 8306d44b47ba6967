"""The messages about photos of the owner's printed map, and about facts painted from the photos."""

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
    """Whether a grid is fitted to the photo and was confirmed."""
    here: bool
    """Whether the photo shows the map of this table."""


class PhotosShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="photos"):
    """The photos of the owner's map."""

    photos: tuple[PhotoListed, ...]
    part: int
    """The maximum number of bytes of a part of a new photo."""
    most: int
    """The maximum number of bytes of a whole photo."""
    file: Annotated[int, note("the maximum number of bytes of a chosen file")]


class PictureMeasured(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="picture"):
    """The size of a chosen picture, in pixels."""

    kind: str
    width: int
    height: int


class PlaceToCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A hex at which the player checks the fit."""

    hex: str
    name: str
    """The name of the place in the rules or on the map, or "" if it has none."""
    x: float
    """The horizontal position of the hex's centre in the photo by the fit, in pixels."""
    y: float
    """The vertical position of the hex's centre in the photo by the fit, in pixels."""
    outline: tuple[tuple[float, float], ...]
    """The corners of the hex in the photo."""


class TapOff(msgspec.Struct, frozen=True, kw_only=True):
    """The distance between a tap and the position of its hex by the fit, in hexes."""

    hex: str
    off: float


class FitShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="fit"):
    """A grid fitted to a photo."""

    matrix: Matrix
    """The projection from pixels of the photo to lengths of the board's picture."""
    taps: tuple[TapOff, ...]
    """The distance of each tap from its hex."""
    says: str
    """The quality of the fit, in words."""
    places: tuple[PlaceToCheck, ...]
    """The hexes at which the player checks the fit."""
    kept: bool
    """Whether the fit was confirmed and is saved."""


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
    """The fitted grid, or None if the photo has none."""


class BrushWord(msgspec.Struct, frozen=True, kw_only=True):
    """A value of a fact that a brush can paint, with its look."""

    value: str
    """The value in the form that is saved."""
    word: str
    """The value in the form that is typed."""
    colour: str
    """The colour as #rrggbb, or "" for a value that stands for an empty place."""
    width: float
    """The width of a line, in pixels."""


class Brush(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of fact that is printed on the map and can be painted."""

    track: str
    title: str
    on: str
    """The subject of the fact: hex or hexside."""
    crosses: bool
    """Whether the fact leads from hex to hex, as a road does."""
    several: bool
    """Whether a hex or hexside may have several of the words."""
    words: tuple[BrushWord, ...]
    """The values of the fact that can be painted, each with its look."""


class PaintedLayer(msgspec.Struct, frozen=True, kw_only=True):
    """The hexes or hexsides for which the pack has a value of a track."""

    track: str
    value: str
    subjects: str
    """The hexes or hexsides, with spaces between them."""


class GroundShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="ground"):
    """The facts that the pack has about the map of a table."""

    brushes: tuple[Brush, ...] = ()
    layers: Annotated[
        tuple[PaintedLayer, ...] | None,
        note("the painted facts, or None after a stroke, which returns only its changes"),
    ] = None
    changes: Annotated[
        tuple[tuple[str, str, str | None, str | None], ...],
        note("the changes of a stroke: track, hex or hexside, the value before and after, None for no value"),
    ] = ()
    left: Annotated[tuple[str, ...], note("the parts of a stroke that were not painted, in words")] = ()
    printed: Annotated[int, note("the number of hexes whose terrain is printed, in the pack or in the rulebook")]
    total: Annotated[int, note("the number of hexes of the map")]
    mark: Annotated[str, note("a digest of the pack's facts about the map")]
    before: Annotated[str, note("the digest before the stroke")] = ""
