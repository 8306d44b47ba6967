"""The settings of a geography, from `geography.toml`, read and checked."""

from __future__ import annotations

from typing import Literal

import msgspec

#: Latitude and longitude in degrees.
Position = tuple[float, float]


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's words of terrain. over: kinds of regions, each of which lies over those before it."""

    flat: str
    rough: str
    wet: str
    mountain: str
    high: str
    sea: str
    over: tuple[str, ...]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's words for what is drawn. Without a word for ridges or stations there are none."""

    terrain: Terrain
    #: Of hexsides: rivers, the smallest first, lakes, the sea, and what has none of them.
    rivers: tuple[str, ...]
    lake: str
    sea_side: str
    open: str
    #: The border that parts countries.
    parting: str
    #: What a railway or road pays to cross what lies on a hexside, in hexes.
    crossed: dict[str, float]
    #: The kinds of railways and roads: of two on one link, the one that holds first.
    strongest: tuple[str, ...]
    #: The sizes of places that are drawn, the smallest first.
    sizes: tuple[str, ...]
    #: What two gauges on one link come to, joined by +.
    both: dict[str, str] = {}
    ridge: str = ""
    station: str = ""
    #: The track of a hex that has the name of its place.
    named: str = ""


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds in a country at the start of the war: the words of each of its hexes, and of those with a railway."""

    hexes: str = ""
    rails: str = ""
    since: str = ""


class Hands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places on the left and on the right of a line, as one walks along it."""

    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`geography.toml`: the board that is drawn, and what its tables do not say. Heights and reliefs are in metres."""

    #: The board's folder in `boards/`, its title, and how the map's edge is known.
    board: str
    title: str
    edge: str = ""
    #: The layers that are complete.
    whole: tuple[str, ...] = ()
    #: The folder, from this one, whose tables come after the rows of this folder's own: its places by position alone,
    #: its lakes left out.
    ground: str = ""
    #: Words of those tables with what stands for them here, "" for what is left out.
    called: dict[str, str] = {}

    #: The first and last columns and rows, those of the game's grid by default.
    columns: tuple[int, int] | None = None
    rows: tuple[int, int] | None = None
    #: Pairs of a row and the westernmost column from that row on.
    west: tuple[tuple[int, int], ...] = ()
    #: The centre of the projection, in degrees.
    centre: Position
    #: Whether the fit only turns, enlarges and shifts the ground, as few places demand; otherwise it is affine.
    similarity: bool = False
    #: South, west, north and east of the data to extract, in whole degrees; none if all is the ground's.
    frame: tuple[int, int, int, int] | None = None
    #: Shifts of the ground, as `fitting.shifted_to` has them.
    shifts: tuple[tuple[float, float, float, float], ...] = ()
    #: Places that lie off the map or have another name on it, and labels that are left out.
    off: tuple[str, ...] = ()

    words: Words
    #: The letters of the map with the terrain that each stands for.
    letters: dict[str, str]

    #: The mean height and the relief of a hex from which on it is a mountain, or a high one.
    mountain: tuple[int, int] = (580, 200)
    high_mountain: tuple[int, int] = (950, 300)
    #: The relief from which on a hex is rough, and how far above its surroundings where only that is known.
    rough: int = 150
    rise: int = 85
    #: How far above its surroundings ground in wetlands is dry.
    dry: int = 16

    #: Lakes of the data that are younger than the map, by the mean of their shores' points.
    younger: tuple[Position, ...] = ()
    #: Hexes that rules show to be land, and clear ones, whatever the heights say.
    land: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()
    #: Hexsides that rules name, by their word, and crossings over hexsides.
    sides: dict[str, tuple[str, ...]] = {}
    crossings: dict[str, tuple[str, ...]] = {}
    #: Hexes that rivers touch, by the river, and rivers that begin at another one.
    touching: dict[str, tuple[str, ...]] = {}
    leaving: tuple[str, ...] = ()

    #: Places or hexes in each country, the words of its hexes on the map's edge, and what holds in it at the start.
    countries: dict[str, tuple[str, ...]] = {}
    friendly: dict[str, str] = {}
    #: The words of the hexes in the outermost column or row, by its side of the map: "west", "north".
    margins: dict[Literal["north", "east", "south", "west"], str] = {}
    start: dict[str, Start] = {}
    #: Places near borders; borders on which mountain ridges lie; places at which no ridge lies.
    hands: dict[str, Hands] = {}
    crests: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()
