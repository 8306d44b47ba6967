"""The tables of a board's geography, read and checked: places, rivers, railways, regions, and the extracted data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from assistant.util.datafiles import read_rows, read_text, read_toml
from assistant.util.errors import InputError, Where, format_suggestion

from .fitting import KnownPlace
from .settings import Position, Settings

_PLACES = "places.csv"


class Town(msgspec.Struct, frozen=True, kw_only=True):
    """A place.

    `position`: None if only its hex is known.
    `hex`: the hex if it is printed or follows from a rule, or "".
    `is_in_fit`: whether the fit rests on the place.
    `has_fortress`, `has_terminus`: whether the place had a fortress, or the end of a railway, when the war began.
    `words`: what else is stated of its hex.
    """

    name: str
    position: Position | None
    size: str
    hex: str
    rule: str
    is_in_fit: bool
    has_fortress: bool
    has_terminus: bool
    names: Mapping[str, str]
    words: str


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """A line by its waypoints.

    `is_in_data`: whether the open data have the line.
    `banks`: for each waypoint, the bank on which it lies, in the line's direction: "l", "r", or "" for neither.
    `names`: for each waypoint, the name of the place, or "".
    """

    name: str
    words: str
    is_in_data: bool
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
    """A railway or road by its stations in order: places, hexes or positions.

    `soft`: the indices of stations that it only passes nearby, without touching their hexes.
    """

    code: str
    name: str
    words: str
    stations: tuple[str | Position, ...]
    soft: frozenset[int]
    certainty: str


class Tables:
    """The tables of one board's geography: the rows of its own folder, then those of the folder with its ground."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = read_toml(folder / "geography.toml", Settings)
        self.younger = self.settings.younger
        self._folders = [folder]
        if self.settings.ground:
            ground = (folder / self.settings.ground).resolve()
            self.younger += read_toml(ground / "geography.toml", Settings).younger
            self._folders.append(ground)

    def _find_files(self, name: str) -> list[tuple[Path, bool]]:
        """Return the files of a table, each with whether it is the folder's own. Only the table of places must exist."""
        files = [(folder / name, folder is self.folder) for folder in self._folders]
        return [file for file in files if file[0].is_file()] or (files[:1] if name == _PLACES else [])

    def _read_rows(self, name: str, required: tuple[str, ...]) -> Iterator[tuple[dict[str, str], Where, bool]]:
        """Yield the rows of a table with their places, and whether they are the folder's own.

        The folder's own rows replace others with the same name.
        """
        named: set[str] = set()
        for file, own in self._find_files(name):
            for row, where in read_rows(file, required):
                if own:
                    named.add(row.get("name", ""))
                elif "name" in row and row["name"] in named:
                    continue
                yield row, where, own

    def _translate(self, words: str, *, own: bool) -> str:
        """Return the words of a table in the game's words, or "" if the game leaves out the first, the kind of the row."""
        if own or not words:
            return words
        kind, *more = [self.settings.called.get(word, word) for word in words.split()]
        return " ".join([kind, *filter(None, more)]) if kind else ""

    @cached_property
    def towns(self) -> Mapping[str, Town]:
        by_name: dict[str, Town] = {}
        for row, where, own in self._read_rows(_PLACES, ("name", "latitude", "longitude", "class", "hex")):
            town = self._read_town(row, where)
            if own:
                if town.size not in self.settings.words.sizes:
                    hint = format_suggestion(town.size, self.settings.words.sizes)
                    raise InputError(f"{town.size!r} is not a class of places", where=where, hint=hint)
                by_name[town.name] = town
            elif town.position:
                size = self._translate(town.size, own=False)
                by_name[town.name] = msgspec.structs.replace(
                    town, size=size, hex="", rule="", is_in_fit=False, words=""
                )
        return by_name

    def _read_town(self, row: Mapping[str, str], where: Where) -> Town:
        position = None
        if row["latitude"]:
            position = _parse_degrees(f"{row['latitude']} {row['longitude']}", where)
        elif not row["hex"]:
            raise InputError(f"{row['name']} has neither position nor hex", where=where)
        return Town(
            name=row["name"],
            position=position,
            size=row["class"],
            hex=row["hex"],
            rule=row["rule"],
            is_in_fit=row["fit"] == "yes",
            has_fortress=row.get("fortress") == "yes",
            has_terminus=row.get("terminus") == "yes",
            names={key[5:]: value for key, value in row.items() if key.startswith("name-") and value},
            words=row.get("words", ""),
        )

    @property
    def known(self) -> list[KnownPlace]:
        return [_make_known_place(town) for town in self.towns.values() if town.hex and town.position]

    @property
    def base(self) -> list[KnownPlace]:
        return [_make_known_place(town) for town in self.towns.values() if town.is_in_fit]

    def courses(self, file: str) -> list[Course]:
        rows = []
        for row, where, own in self._read_rows(file, ("name", "words", "course")):
            words = self._translate(row["words"], own=own)
            if not words:
                continue
            points, banks, names = [], [], []
            for part in _split_parts(row["course"]):
                text, _, bank = part.partition("/")
                points.append(self._read_position(text, where))
                banks.append(bank)
                names.append(text if text in self.towns else "")
            rows.append(
                Course(
                    name=row["name"],
                    words=words,
                    is_in_data=row.get("data") == "yes",
                    points=tuple(points),
                    banks=tuple(banks),
                    names=tuple(names),
                    certainty=row.get("certainty", ""),
                )
            )
        return rows

    def regions(self, file: str) -> list[Region]:
        return [
            Region(
                row["name"],
                self._translate(row["kind"], own=own),
                tuple(self._read_position(part, where) for part in _split_parts(row["points"])),
                row.get("certainty", ""),
            )
            for row, where, own in self._read_rows(file, ("name", "kind", "points"))
        ]

    def routes(self, file: str) -> list[Route]:
        """Return the rows of a table of railways or roads by their stations; a station with `~` is only passed nearby."""
        entries = []
        for row, where, own in self._read_rows(file, ("code", "name", "words", "stations")):
            words = self._translate(row["words"], own=own)
            if not words:
                continue
            stations = [(part.lstrip("~"), part.startswith("~")) for part in _split_parts(row["stations"])]
            if not own:  # the numbers of hexes are those of another board
                stations = [(name, soft) for name, soft in stations if not _is_hex(name)]
            strongest = self.settings.words.strongest
            kind = words.partition(" ")[0]
            if kind not in strongest:
                hint = format_suggestion(kind, strongest)
                raise InputError(f"{kind!r} is not a kind of railway or road", where=where, hint=hint)
            entries.append(
                Route(
                    code=row["code"],
                    name=row["name"],
                    words=words,
                    stations=tuple(
                        name if name in self.towns or _is_hex(name) else self._read_position(name, where)
                        for name, _ in stations
                    ),
                    soft=frozenset(index for index, (_, soft) in enumerate(stations) if soft),
                    certainty=row.get("certainty", ""),
                )
            )
        return entries

    def data(self, file: str) -> list[tuple[str, list[Position]]]:
        """Return the lines of an extracted table, each with its kind and its points as latitude and longitude."""
        return [
            (row["kind"], [_parse_degrees(part, where) for part in _split_parts(row["points"])])
            for row, where, _ in self._read_rows(file, ("kind", "points"))
        ]

    def heights(self, file: str) -> list[tuple[Position, int, int]]:
        """Return the cells of an extracted table of heights: position, mean height and relief in metres."""
        cells: list[tuple[Position, int, int]] = []
        for source, _ in self._find_files(file):
            for number, row in enumerate(read_text(source).splitlines(), 1):
                if row.startswith("#"):
                    continue
                try:
                    cells += _read_cells(row)
                except ValueError:
                    hint = "write a latitude, the first longitude, the step and cells such as 12/3, or extract it anew"
                    raise InputError("not a row of heights", where=Where(source.name, number), hint=hint) from None
        return cells

    def check_names(self) -> None:
        """Raise InputError for a name in the settings that is in no table, which would have no effect."""
        settings = self.settings
        rivers, borders = ({course.name for course in self.courses(file)} for file in ("rivers.csv", "borders.csv"))
        labels = {label.name for label in self.regions("labels.csv")}
        beside = [place for hands in settings.hands.values() for place in (*hands.left, *hands.right)]
        for key, names, known in (
            ("off", settings.off, {*self.towns} | labels),
            ("passes", settings.passes, {*self.towns}),
            ("hands", beside, {*self.towns}),
            ("hands", settings.hands, borders),
            ("crests", settings.crests, borders),
            ("touching", settings.touching, rivers),
            ("leaving", settings.leaving, rivers),
        ):
            if unknown := next((name for name in names if name not in known), None):
                hint = format_suggestion(unknown, known)
                raise InputError(f"{key}: no table has {unknown!r}", where=Where("geography.toml"), hint=hint)

    def _read_position(self, text: str, where: Where) -> Position:
        town = self.towns.get(text)
        if town is None and text[:1].isalpha():
            raise InputError(f"unknown place {text!r}", where=where, hint=format_suggestion(text, self.towns))
        if town is not None and town.position is None:
            raise InputError(
                f"{text} has no position", where=where, hint="give its latitude and longitude in places.csv"
            )
        return town.position if town and town.position else _parse_degrees(text, where)


def how_known(certainty: str, *, data: bool = False) -> str:
    """Return the source of a row of a table, in words."""
    if data:
        return "open data"
    return f"general knowledge, {certainty}" if certainty else "general knowledge"


def _make_known_place(town: Town) -> KnownPlace:
    latitude, longitude = town.position or (0.0, 0.0)
    return KnownPlace(town.name, latitude, longitude, town.hex)


def _split_parts(text: str) -> Sequence[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _is_hex(station: str) -> bool:
    return station[:1].isdecimal() and " " not in station


def _read_cells(row: str) -> Iterator[tuple[Position, int, int]]:
    """Yield the cells of a row of heights. Raises ValueError for any other row."""
    latitude, west, step, *cells = row.split()
    for index, cell in enumerate(cells):
        mean, _, relief = cell.partition("/")
        yield (float(latitude), float(west) + index * float(step)), 10 * int(mean), 10 * int(relief)


def _parse_degrees(text: str, where: Where) -> Position:
    try:
        latitude, longitude = map(float, text.split())
        if abs(latitude) <= 90 and abs(longitude) <= 180:
            return latitude, longitude
    except ValueError:
        pass
    hint = "write latitude and longitude in degrees: 54.71 20.51"
    raise InputError(f"{text!r} is not a position", where=where, hint=hint)
