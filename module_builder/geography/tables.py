"""The tables of a game's folder `geography/`, read and checked: places, rivers, railways, regions, and the data extracted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from assistant.plugins.registry import named_game
from assistant.util.datafiles import inner, read_rows, read_text, read_toml
from assistant.util.errors import InputError, Where, suggested

from .fitting import Known

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

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
    """The game's words for what is drawn.

    rivers: the smallest first; lake, sea_side, open: of hexsides; ridge, station: likewise; parting: the border that parts
    countries; crossed: what a railway or road pays to cross what lies on a hexside, in hexes; strongest: the kinds of
    railways and roads, the one that holds first; both: what two gauges on one link come to; sizes: of places that are drawn, the smallest
    first; without a word for ridges or stations there are none.
    """

    terrain: Terrain
    rivers: tuple[str, ...]
    lake: str
    sea_side: str
    open: str
    parting: str
    crossed: dict[str, float]
    strongest: tuple[str, ...]
    sizes: tuple[str, ...]
    both: dict[str, str] = {}
    ridge: str = ""
    station: str = ""


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
    """`geography.toml`: the board that is drawn, and what its tables do not say.

    board: its folder in `boards/`; title: its title; columns, rows: first and last, those of the game's grid by default;
    ground: the game whose tables come after the rows of this folder's own, with its places by position alone and its lakes left
    out; called: words of those tables with what stands for them here, "" for what is left out; centre: of the projection, in
    degrees; frame: south, west, north and east of the data to extract, in whole degrees, none if all is the ground's; west:
    pairs of a row and the westernmost column from that row on; edge: how the map's edge is known; off: places that lie off the
    map, and labels that are left out; whole: the complete layers; mountain, high_mountain: the mean height of a hex from which
    on it is one, rough: the difference of heights in it from which on it is rough, rise: likewise how far it is above its
    surroundings, where only that is known, all in metres; shifts: see `fitting.shifted_to`; younger: lakes of the data
    that are to be left out, by the mean of their shores' points; land, clear: hexes that rules show to be so; sides: hexsides
    that rules name, by word; touching: for rivers, hexes that they touch; countries: places or hexes in each country; friendly:
    the words of edge hexes in each country; start: what holds in each at the start; hands: of borders,
    places near them; leaving: rivers that begin at another one; crests: borders on which ridges lie; passes: places where they do not; crossings: hexsides by word; letters: of the map, with the terrain that each stands for.
    """

    board: str
    title: str
    ground: str = ""
    called: dict[str, str] = {}
    columns: tuple[int, int] | None = None
    rows: tuple[int, int] | None = None
    centre: Position
    frame: tuple[int, int, int, int] | None = None
    words: Words
    letters: dict[str, str]
    west: tuple[tuple[int, int], ...] = ()
    edge: str = ""
    off: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    mountain: tuple[int, int] = (580, 200)
    high_mountain: tuple[int, int] = (950, 300)
    rough: int = 150
    rise: int = 85
    shifts: tuple[tuple[float, float, float, float], ...] = ()
    younger: tuple[Position, ...] = ()
    land: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()
    sides: dict[str, tuple[str, ...]] = {}
    touching: dict[str, tuple[str, ...]] = {}
    countries: dict[str, tuple[str, ...]] = {}
    friendly: dict[str, str] = {}
    start: dict[str, Start] = {}
    crests: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()
    crossings: dict[str, tuple[str, ...]] = {}
    hands: dict[str, Hands] = {}
    leaving: tuple[str, ...] = ()


class Town(msgspec.Struct, frozen=True, kw_only=True):
    """A place. position: None if only its hex is known; hex: if printed or following from a rule; fit: whether the fit rests on it."""

    name: str
    position: Position | None
    size: str
    hex: str
    rule: str
    fit: bool
    names: Mapping[str, str]


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """A line by its waypoints. banks: for waypoints that lie on one bank, "l" or "r" (as one walks along it), else ""."""

    name: str
    words: str
    data: bool
    points: tuple[Position, ...]
    banks: tuple[str, ...]
    names: tuple[str, ...]
    certainty: str


class Region(msgspec.Struct, frozen=True):
    """A closed line with a kind of terrain, or the course of a label."""

    name: str
    kind: str
    points: tuple[Position, ...]
    certainty: str


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """A railway or road: its stations in order, places, hexes or positions. soft: those that it passes near, without touching their hexes."""

    code: str
    name: str
    words: str
    stations: tuple[str | Position, ...]
    soft: frozenset[int]
    certainty: str


class Tables:
    """The tables of one board's geography: its folder's own rows, then those of the game from which it takes the ground."""

    def __init__(self, folder: Traversable) -> None:
        self.folder = folder
        self.settings = read_toml(inner(folder, "geography.toml"), Settings)
        self.younger = self.settings.younger
        self._folders = [folder]
        if self.settings.ground:
            ground = inner(named_game(self.settings.ground).folder, "geography")
            self.younger += read_toml(inner(ground, "geography.toml"), Settings).younger
            self._folders.append(ground)

    def _files(self, name: str) -> list[tuple[Traversable, bool]]:
        """The files of one table, each with whether it is the folder's own. The own one need not exist if there is another."""
        files = [(inner(folder, name), folder is self.folder) for folder in self._folders]
        return [file for file in files if file[0].is_file()] or files[:1]

    def _rows(self, name: str, required: tuple[str, ...]) -> Iterator[tuple[dict[str, str], Where, bool]]:
        """The rows of a table with their places, and whether they are the folder's own: of those of one name, only these hold."""
        named: set[str] = set()
        for file, own in self._files(name):
            for row, where in read_rows(file, required):
                if own:
                    named.add(row.get("name", ""))
                elif "name" in row and row["name"] in named:
                    continue
                yield row, where, own

    def _called(self, words: str, *, own: bool) -> str:
        """Words of a table as the game has them; "" if it leaves out the first, which says of what kind the row is."""
        if own or not words:
            return words
        kind, *more = [self.settings.called.get(word, word) for word in words.split()]
        return " ".join([kind, *filter(None, more)]) if kind else ""

    @cached_property
    def towns(self) -> Mapping[str, Town]:
        """The places by name."""
        found: dict[str, Town] = {}
        for row, where, own in self._rows("places.csv", ("name", "latitude", "longitude", "class", "hex")):
            town = self._town(row, where)
            if own:
                if town.size not in self.settings.words.sizes:
                    hint = suggested(town.size, self.settings.words.sizes)
                    raise InputError(f"{town.size!r} is not a class of places", where=where, hint=hint)
                found[town.name] = town
            elif town.position:
                size = self._called(town.size, own=False)
                found[town.name] = msgspec.structs.replace(town, size=size, hex="", rule="", fit=False)
        return found

    def _town(self, row: Mapping[str, str], where: Where) -> Town:
        position = None
        if row["latitude"]:
            position = _degrees(f"{row['latitude']} {row['longitude']}", where)
        elif not row["hex"]:
            raise InputError(f"{row['name']} has neither position nor hex", where=where)
        return Town(
            name=row["name"],
            position=position,
            size=row["class"],
            hex=row["hex"],
            rule=row["rule"],
            fit=row["fit"] == "yes",
            names={key[5:]: value for key, value in row.items() if key.startswith("name-") and value},
        )

    @property
    def known(self) -> list[Known]:
        """The places of known hex and position."""
        return [_known(town) for town in self.towns.values() if town.hex and town.position]

    @property
    def base(self) -> list[Known]:
        """The places on which the fit rests."""
        return [_known(town) for town in self.towns.values() if town.fit]

    def courses(self, file: str) -> list[Course]:
        """The rows of a table of lines by waypoints: rivers, lakes, borders."""
        found = []
        for row, where, own in self._rows(file, ("name", "words", "course")):
            words = self._called(row["words"], own=own)
            if not words:
                continue
            points, banks, names = [], [], []
            for part in _parts(row["course"]):
                text, _, bank = part.partition("/")
                points.append(self._position(text, where))
                banks.append(bank)
                names.append(text if text in self.towns else "")
            found.append(
                Course(
                    name=row["name"],
                    words=words,
                    data=row.get("data") == "yes",
                    points=tuple(points),
                    banks=tuple(banks),
                    names=tuple(names),
                    certainty=row.get("certainty", ""),
                )
            )
        return found

    def regions(self, file: str) -> list[Region]:
        """The rows of a table of areas, or of labels."""
        return [
            Region(
                row["name"],
                self._called(row["kind"], own=own),
                tuple(self._position(part, where) for part in _parts(row["points"])),
                row.get("certainty", ""),
            )
            for row, where, own in self._rows(file, ("name", "kind", "points"))
        ]

    def routes(self, file: str) -> list[Route]:
        """The rows of a table of railways or roads by their stations; `~` before one says that the line passes near it."""
        found = []
        for row, where, own in self._rows(file, ("code", "name", "words", "stations")):
            words = self._called(row["words"], own=own)
            if not words:
                continue
            stations = [(part.lstrip("~"), part.startswith("~")) for part in _parts(row["stations"])]
            if not own:  # the numbers of hexes are those of another board
                stations = [(name, soft) for name, soft in stations if not _is_hex(name)]
            strongest = self.settings.words.strongest
            kind = words.partition(" ")[0]
            if kind not in strongest:
                hint = suggested(kind, strongest)
                raise InputError(f"{kind!r} is not a kind of railway or road", where=where, hint=hint)
            found.append(
                Route(
                    code=row["code"],
                    name=row["name"],
                    words=words,
                    stations=tuple(
                        name if name in self.towns or _is_hex(name) else self._position(name, where)
                        for name, _ in stations
                    ),
                    soft=frozenset(index for index, (_, soft) in enumerate(stations) if soft),
                    certainty=row.get("certainty", ""),
                )
            )
        return found

    def data(self, file: str) -> list[tuple[str, list[Position]]]:
        """The lines of a table that `extract` wrote: their kind and their points as latitude and longitude."""
        return [
            (row["kind"], [_degrees(part, where) for part in _parts(row["points"])])
            for row, where, _ in self._rows(file, ("kind", "points"))
        ]

    def heights(self, file: str) -> list[tuple[Position, int, int]]:
        """The cells of a table that `extract` wrote: position, mean height and relief in metres, as the table's first line has it."""
        found = []
        for row in (row for source, _ in self._files(file) for row in read_text(source).splitlines()):
            if row.startswith("#"):
                continue
            latitude, west, step, *cells = row.split()
            for index, cell in enumerate(cells):
                mean, _, relief = cell.partition("/")
                found.append(((float(latitude), float(west) + index * float(step)), 10 * int(mean), 10 * int(relief)))
        return found

    def _position(self, text: str, where: Where) -> Position:
        town = self.towns.get(text)
        if town is None and text[:1].isalpha():
            raise _unknown(text, where, self.towns)
        if town is not None and town.position is None:
            raise InputError(
                f"{text} has no position", where=where, hint="give its latitude and longitude in places.csv"
            )
        return town.position if town and town.position else _degrees(text, where)


def _unknown(name: str, where: Where, known: Iterable[str]) -> InputError:
    return InputError(f"unknown place {name!r}", where=where, hint=suggested(name, known))


def how_known(certainty: str, *, data: bool = False) -> str:
    """How a row of a table is known, in words."""
    return "open data" if data else f"general knowledge, {certainty}" if certainty else "general knowledge"


def _known(town: Town) -> Known:
    latitude, longitude = town.position or (0.0, 0.0)
    return Known(town.name, latitude, longitude, town.hex)


def _parts(text: str) -> Sequence[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _is_hex(station: str) -> bool:
    """Whether a station is the number of a hex: not the name of a place, and not a latitude with a longitude."""
    return station[:1].isdecimal() and " " not in station


def _degrees(text: str, where: Where) -> Position:
    try:
        latitude, longitude = map(float, text.split())
    except ValueError:
        hint = "write latitude and longitude in degrees: 54.71 20.51"
        raise InputError(f"{text!r} is not a position", where=where, hint=hint) from None
    return latitude, longitude
