"""The board: its tiles, markers, and what is known of a hex."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ....util.notes import note
from .table import AnswerShown, FactShown, TrustedShown


class LevelShown(msgspec.Struct, frozen=True, kw_only=True):
    """The tiles of a board in one size."""

    least: int
    """The least height of a hex, in pixels, for which they are drawn."""
    width: float
    """Of a tile."""
    height: float
    """Of a tile."""
    bleed: float
    """How far the picture of a tile reaches beyond its box."""
    tiles: tuple[tuple[int, int, str], ...]
    """Column and row of each tile, and a key that changes when it looks different."""


class MarkerShown(msgspec.Struct, frozen=True, kw_only=True):
    """The markers in a hex, as an SVG of the hex's size."""

    hex: str
    svg: str


class BoardShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="board"):
    """The board; lengths are those of pictures, from a corner that stays where it is."""

    board: str
    title: str
    known: Annotated[str, note("how it is known, in words")]
    blank: Annotated[bool, note("whether no board is drawn")]
    flat: Annotated[bool, note("whether hexes are on a flat side")]
    hex: Annotated[float, note("the height of one, flat side to flat side")]
    counter: Annotated[float, note("the side of a counter")]
    size: Annotated[tuple[float, float], note("of a map of areas, whose places stand among `hexes`; else zero")]
    field: Annotated[str, note("the key of its hexes")]
    hexes: Annotated[tuple[tuple[str, float, float], ...], note("each with its middle, none if the asker has them")]
    places: Annotated[tuple[tuple[str, str], ...], note("named places: the hex and the name")]
    levels: tuple[LevelShown, ...]
    markers: tuple[MarkerShown, ...]
    unseen: Annotated[tuple[str, ...], note("the hexes with units that are not seen")]
    boards: Annotated[
        tuple[tuple[str, str], ...], note("the drawn boards that may take the place of a blank field")
    ] = ()


class TileShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="tile"):
    """A tile: its ground, of which only the box counts, and the names over it, which may reach beyond the box."""

    key: str
    ground: str
    names: str


class SideOfHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hexside: the hex beyond it, in which direction, in degrees clockwise from the top, and what is known of it."""

    hex: str
    angle: int
    known: tuple[FactShown, ...]


class ZoneOfHex(msgspec.Struct, frozen=True, kw_only=True):
    """Whose zones of control reach a hex, and of which units and places."""

    side: str
    title: str
    of: tuple[str, ...]


class HexShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="hex"):
    """What is known of a hex."""

    hex: str
    name: str
    side: str
    units: tuple[str, ...]
    """From the top."""
    unseen: str
    """The nation of those that are not seen, "" for none."""
    zones: tuple[ZoneOfHex, ...]
    zones_owed: str
    """Why zones of control are not told, "" if they are."""
    ground: tuple[FactShown, ...]
    sides: tuple[SideOfHex, ...]


class AnswerOnMap(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="on-map"):
    """An answer, and its picture as it lies on the board: below the counters and above them, as SVG, "" for one
    without.
    """

    answer: AnswerShown
    below: str = ""
    above: str = ""
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Where the picture lies, in lengths of the board: its left and upper edge, its width and height."""
    hexes: tuple[str, ...] = ()
    """Those that its lines and arrows join."""


class ReachedHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that units can reach."""

    hex: str
    left: str
    """The Movement Points left there, as players write them, of the unit that has the fewest."""
    beyond: str
    """The Movement Points that the way takes beyond the unit's allowance, "" for none."""
    way: tuple[str, ...]
    """The hexes of the cheapest way."""


class ReachShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="reach"):
    """The hexes that units can reach together, the nearest first."""

    hexes: tuple[ReachedHex, ...]
    barred: Annotated[tuple[tuple[str, str], ...], note("hexes beside them that a rule bars, with the reason")] = ()
    says: Annotated[tuple[str, ...], note("the verdict on each unit, or on all together")] = ()
    rests_on: Annotated[tuple[TrustedShown, ...], note("what that rests on that is not the player's own")] = ()
    answer: AnswerShown | None = None
    """What keeps one of them from moving, or is not known yet; None if nothing."""
