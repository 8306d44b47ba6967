"""The board: its tiles, its markers, and the facts known of a hex."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ....util.notes import note
from .table import AnswerShown, FactShown, TrustedShown


class LevelShown(msgspec.Struct, frozen=True, kw_only=True):
    """The tiles of a board in one size."""

    least: int
    """The minimum height of a hex on the screen, in pixels, for which these tiles are shown."""
    width: float
    """The width of a tile."""
    height: float
    """The height of a tile."""
    bleed: float
    """The distance by which the picture of a tile extends beyond its box."""
    tiles: tuple[tuple[int, int, str], ...]
    """The column and row of each tile, and a key that changes with its picture."""


class MarkerShown(msgspec.Struct, frozen=True, kw_only=True):
    """The markers in a hex, as an SVG with the size of the hex."""

    hex: str
    svg: str


class BoardShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="board"):
    """The board. Lengths are those of its picture, measured from a corner that does not move."""

    board: str
    title: str
    known: Annotated[str, note("the source of the board, in words")]
    blank: Annotated[bool, note("whether no board is drawn")]
    flat: Annotated[bool, note("whether hexes have a flat side at the top")]
    hex: Annotated[float, note("the height of a hex, from flat side to flat side")]
    counter: Annotated[float, note("the side of a counter")]
    size: Annotated[tuple[float, float], note("the size of a map of areas, whose places are among `hexes`; else zero")]
    field: Annotated[str, note("the key of the hexes")]
    hexes: Annotated[
        tuple[tuple[str, float, float], ...], note("the hexes with their centres; empty if the page has them already")
    ]
    places: Annotated[tuple[tuple[str, str], ...], note("named places: the hex and the name")]
    levels: tuple[LevelShown, ...]
    markers: tuple[MarkerShown, ...]
    unseen: Annotated[tuple[str, ...], note("the hexes with units that are not seen")]
    boards: Annotated[
        tuple[tuple[str, str], ...], note("the drawn boards that may take the place of a blank field")
    ] = ()


class TileShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="tile"):
    """A tile: its ground, of which only the box is shown, and the names over it, which may reach beyond the box."""

    key: str
    ground: str
    names: str


class StackShown(msgspec.Struct, frozen=True, kw_only=True):
    """The counters in a hex as SVG, or "" if there is no such hex or no unit in it."""

    hex: str
    svg: str


class StacksShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="stacks"):
    """The counters in several hexes, in the order of the request."""

    stacks: tuple[StackShown, ...]


class SideOfHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hexside: the hex beyond it, its direction in degrees clockwise from the top, and the facts known of it."""

    hex: str
    angle: int
    known: tuple[FactShown, ...]


class ZoneOfHex(msgspec.Struct, frozen=True, kw_only=True):
    """A side whose zones of control reach a hex, and the units and places that have them."""

    side: str
    title: str
    of: tuple[str, ...]


class HexShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="hex"):
    """The facts known of a hex."""

    hex: str
    name: str
    side: str
    """The side of the units in the hex, or "" if there are none."""
    units: tuple[str, ...]
    """The units, from the top of the stack down."""
    unseen: str
    """The nation of the unseen units, or "" if there are none."""
    zones: tuple[ZoneOfHex, ...]
    zones_owed: str
    """The reason if zones of control are unknown, or ""."""
    ground: tuple[FactShown, ...]
    sides: tuple[SideOfHex, ...]


class AnswerOnMap(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="on-map"):
    """An answer and its picture on the board, as SVG below and above the counters, or "" without a picture."""

    answer: AnswerShown
    below: str = ""
    above: str = ""
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """The left and upper edge, width and height of the picture, in the units of the board's picture."""
    hexes: tuple[str, ...] = ()
    """The hexes that the lines and arrows of the picture join."""


class ReachedHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that units can reach."""

    hex: str
    left: str
    """The Movement Points left in the hex to the unit with the fewest, as players write them."""
    beyond: str
    """The Movement Points of the way beyond the unit's allowance, or "" if there are none."""
    way: tuple[str, ...]
    """The hexes of the cheapest way."""


class ReachShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="reach"):
    """The hexes that units can reach together, the nearest first."""

    hexes: tuple[ReachedHex, ...]
    barred: Annotated[tuple[tuple[str, str], ...], note("hexes beside them that a rule bars, with the reason")] = ()
    says: Annotated[tuple[str, ...], note("the verdict on each unit, or on all together")] = ()
    rests_on: Annotated[tuple[TrustedShown, ...], note("the stand-ins on which that rests")] = ()
    answer: AnswerShown | None = None
    """The answer if a unit cannot move or a fact is unknown, or None."""


class HexIfThere(msgspec.Struct, frozen=True, kw_only=True):
    """What would hold in a hex if the carried units stood there."""

    hex: str
    is_over: bool | None = False
    """Whether the hex would be over the stacking limits, or None if that is not known."""
    stack: Annotated[str, note("what the hex would hold, or empty if that is within the limits")] = ""
    supply: Literal["", "yes", "figure", "no", "undecided"] = ""
    """The kind of the worst verdict on the supply of one of the units, or "" in a game without supply."""
    supplied: Annotated[str, note("the verdicts of that kind in words")] = ""


class CarriedShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="carried"):
    """What would hold in several hexes, in the order of the request."""

    hexes: tuple[HexIfThere, ...]
    has_dangers: Annotated[bool, note("whether the game has a question about the danger of a hex")]


class DangerShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="danger"):
    """The worst attack that the enemy can bring next on a hex if the carried units stood there."""

    hex: str
    column: Annotated[str, note("the column of the attack, or empty if none was found")]
    lost: Annotated[str, note("the chance to lose the hex in whole percents, or empty if it is not known")]
    is_open: Annotated[bool, note("whether an attack may be possible although none was found")]
    says: Annotated[str, note("the attack and what else would happen, in words")]
    mark: Annotated[str, note("the stand-ins on which that rests, in parentheses, or empty if there are none")]
