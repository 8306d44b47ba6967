"""The settings of a geography, from `geography.toml`, read and checked."""

from __future__ import annotations

from typing import Literal

import msgspec

#: Latitude and longitude in degrees.
Position = tuple[float, float]


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's words of terrain.

    `over`: kinds of regions, each of which covers those before it.
    """

    flat: str
    rough: str
    wet: str
    mountain: str
    high: str
    sea: str
    over: tuple[str, ...]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's words for what is drawn. Without a word for ridges or stations, none are drawn."""

    terrain: Terrain
    #: The words of hexsides: rivers, the smallest first, lakes, the sea, and hexsides without water.
    rivers: tuple[str, ...]
    lake: str
    sea_side: str
    open: str
    #: The border that parts countries.
    parting: str
    #: The cost, in hexes, for a railway or road to cross a hexside with these words.
    crossed: dict[str, float]
    #: The kinds of railways and roads, the strongest first: of two on one link, it holds.
    strongest: tuple[str, ...]
    #: The sizes of places that are drawn, the smallest first.
    sizes: tuple[str, ...]
    #: The word for two gauges on one link, by these gauges joined by +.
    both: dict[str, str] = {}
    ridge: str = ""
    station: str = ""
    #: The track of hexes with the names of places.
    named: str = ""
    #: The word of a hex from which a railway leaves the map.
    exit: str = ""


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts of a country at the start of the war: the words of each of its hexes, and of those with a railway."""

    hexes: str = ""
    rails: str = ""
    since: str = ""


class Detail(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The detail of extracted lines: by default that for hexes some 7 km wide."""

    #: The maximum distance of a simplified line from the full one, in degrees.
    tolerance: float = 0.002
    #: The minimum areas of a lake and of an island, in square km. Smaller lakes cannot bar a hexside.
    lake: float = 20.0
    island: float = 0.0


class Hands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Places to the left and right of a line, in its direction."""

    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings in `geography.toml`: the board, and what its tables do not say. Heights and reliefs are in metres."""

    #: The board's folder in `boards/`, its title, and a note on the source of the map's edge.
    board: str
    title: str
    edge: str = ""
    #: The layers that are complete.
    whole: tuple[str, ...] = ()
    #: The folder, relative to this one, whose rows follow this folder's own: its places by position alone, without its
    #: lakes.
    ground: str = ""
    #: This board's words by the words of those tables, "" for what is left out.
    called: dict[str, str] = {}

    #: The first and last columns and rows, those of the game's grid by default.
    columns: tuple[int, int] | None = None
    rows: tuple[int, int] | None = None
    #: Pairs of a row and the westernmost column from that row on.
    west: tuple[tuple[int, int], ...] = ()
    #: The centre of the projection, in degrees.
    centre: Position
    #: Whether the fit only turns, enlarges and shifts the ground, if known places are few; otherwise it is affine.
    similarity: bool = False
    #: The width of a hex by the rules, where too few places are known even for that: the fit then only shifts the
    #: ground, with north at the top; 0 if the places decide it.
    kilometres: float = 0.0
    #: The south, west, north and east edges of the data to extract, in whole degrees, or None if all are the ground's.
    frame: tuple[int, int, int, int] | None = None
    detail: Detail = Detail()
    #: The tables to extract.
    extracted: tuple[Literal["courses.csv", "shores.csv", "heights.txt", "rises.txt"], ...] = (
        "courses.csv",
        "shores.csv",
        "heights.txt",
        "rises.txt",
    )
    #: Shifts of the ground, as `fitting.shift_to` takes them.
    shifts: tuple[tuple[float, float, float, float], ...] = ()
    #: Places off the map or with another name on it, and labels that are left out.
    off: tuple[str, ...] = ()

    words: Words
    #: The letters of the map with the terrain that each stands for.
    letters: dict[str, str]

    #: The minimum mean height and relief of a hex of mountains, and of high mountains.
    mountain: tuple[int, int] = (580, 200)
    high_mountain: tuple[int, int] = (950, 300)
    #: The minimum relief of a rough hex, and its minimum height above its surroundings where only that is known.
    rough: int = 150
    rise: int = 85
    #: The minimum height above its surroundings of dry ground in wetlands.
    dry: int = 16

    #: Lakes in the data that are younger than the map, each given by the mean of the points on its shore.
    younger: tuple[Position, ...] = ()
    #: Lakes whose hexes count as sea, each given by the mean of the points on its shore.
    wide: tuple[Position, ...] = ()
    #: Hexes that rules show to be land, and clear ones, whatever the heights say.
    land: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()
    #: Hexsides that rules name, by their word, and crossings over hexsides.
    sides: dict[str, tuple[str, ...]] = {}
    crossings: dict[str, tuple[str, ...]] = {}
    #: Hexes that rivers touch, by the river, and rivers that begin at another one.
    touching: dict[str, tuple[str, ...]] = {}
    leaving: tuple[str, ...] = ()

    #: Places or hexes in each country, and the words of its hexes on the map's edge.
    countries: dict[str, tuple[str, ...]] = {}
    friendly: dict[str, str] = {}
    #: The terrain of the hexes in the outermost column or row, by edge of the map, such as "west".
    margins: dict[Literal["north", "east", "south", "west"], str] = {}
    start: dict[str, Start] = {}
    #: The words of the hexes of a sea and on its coast, with a place or hex in it.
    seas: dict[str, str] = {}
    #: Places near borders; borders on which mountain ridges lie; places at which no ridge lies.
    hands: dict[str, Hands] = {}
    crests: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()
