"""Boards: a map as data that a person can edit and a diff can show.

A board's folder holds `board.toml` (its grid, its title, its source, the letters of its terrain map), `terrain.txt`
(one letter a hex, in rows and columns as printed) and the CSV files `hexsides.csv` (what lies on a hexside or crosses
it) and `hexes.csv` (whatever else is printed in hexes). Everything is optional but the first. Layers that `whole` names
are drawn completely: where nothing is drawn, nothing is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable

import msgspec

from .datafiles import read_rows, read_text, read_toml
from .errors import InputError, Where, nearest
from .hexes import Hex, HexGrid
from .sources import Fact, Source
from .state import FactKey, hexside
from .tracks import Track


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One map: its grid, its boxes (places that are no hexes), the facts printed on it, and the hexes that are drawn.

    silence: for each layer that is drawn whole, what it means that nothing is drawn.
    hexes: empty where nobody has drawn the map yet; then every hex of the grid is on it.
    """

    name: str
    title: str
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    facts: Mapping[FactKey, Fact] = {}
    silence: Mapping[str, Fact] = {}
    hexes: frozenset[str] = frozenset()

    def place(self, text: str) -> str:
        """A hex or a box by its printed name. Raises InputError with what the map does have."""
        for box in self.boxes:
            if box.casefold() == text.casefold():
                return box
        name = self.grid.name(self.grid.parse(text))
        if self.hexes and name not in self.hexes:
            raise InputError(f"hex {name} is off the board {self.title}", hint=nearest(name, self.hexes))
        return name

    def fact(self, track: str, subject: str) -> Fact | None:
        """What the map says, None where it does not tell."""
        found = self.facts.get((track, subject))
        return found if found is not None or not subject else self.silence.get(track)

    def is_hex(self, place: str) -> bool:
        """Whether a place is a hex, not a box."""
        return place not in self.boxes

    def neighbours(self, place: str) -> tuple[str, ...]:
        """The hexes next to a hex, clockwise from the north; a box has none."""
        if not self.is_hex(place):
            return ()
        around = map(self.grid.name, self.grid.neighbours(self.grid.parse(place)).values())
        return tuple(name for name in around if not self.hexes or name in self.hexes)

    def distance(self, one: str, other: str) -> int:
        """How many hexes apart two hexes lie."""
        return self.grid.distance(self.grid.parse(one), self.grid.parse(other))


class _BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    source: Source
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    terrain: dict[str, str] = {}
    whole: tuple[str, ...] = ()


def read_board(folder: Traversable, tracks: Mapping[str, Track]) -> Board:
    """The board in a folder. Raises InputError with file and line for anything that does not fit."""
    head = read_toml(folder.joinpath("board.toml"), _BoardFile)
    board = Board(name=folder.name, title=head.title, grid=head.grid, boxes=head.boxes)
    facts: dict[FactKey, Fact] = {}
    hexes: list[str] = []
    for name, letter, where in _letters(folder, board):
        if letter not in head.terrain:
            raise InputError(f"unknown terrain letter {letter!r}", where=where, hint=nearest(letter, head.terrain))
        hexes.append(name)
        facts["terrain", name] = Fact(tracks["terrain"].check(head.terrain[letter]), head.source)
    for file, on in (("hexsides.csv", "hexside"), ("hexes.csv", "hex")):
        for subject, row, where in _rows(folder, file, board):
            for column, text in row.items():
                if not text:
                    continue
                if column not in tracks or tracks[column].on != on:
                    known = [name for name, track in tracks.items() if track.on == on]
                    raise InputError(f"no track {column!r} on a {on}", where=where, hint=nearest(column, known))
                try:
                    facts[column, subject] = Fact(tracks[column].parse(text), head.source)
                except InputError as error:
                    raise error.at(where) from None
    silence = {name: Fact(tracks[name].nothing, head.source) for name in head.whole}
    return msgspec.structs.replace(board, facts=facts, silence=silence, hexes=frozenset(hexes))


def _letters(folder: Traversable, board: Board) -> Iterator[tuple[str, str, Where]]:
    """The letters of `terrain.txt`: a first line of column numbers, then a line a row; a dot is no hex."""
    file = folder.joinpath("terrain.txt")
    if not file.is_file():
        return
    lines = [line for line in read_text(file).splitlines() if line.strip()]
    where = Where(f"{folder.name}/terrain.txt", 1)
    columns = [_number(text, where) for text in lines[0].split()] if lines else []
    for count, line in enumerate(lines[1:], 2):
        where = Where(f"{folder.name}/terrain.txt", count)
        first, *letters = line.split()
        row = _number(first, where)
        if len(letters) != len(columns):
            raise InputError(f"row {row} has {len(letters)} letters for {len(columns)} columns", where=where)
        for column, letter in zip(columns, letters, strict=True):
            if letter != ".":
                yield board.place(board.grid.name(Hex(column, row))), letter, where


def _number(text: str, where: Where) -> int:
    if not text.isdigit():
        raise InputError(f"{text!r} is no column or row number", where=where)
    return int(text)


def _rows(folder: Traversable, name: str, board: Board) -> Iterator[tuple[str, dict[str, str], Where]]:
    """The rows of a CSV file with the subject that its `hex`, or `hex` and `next`, columns name."""
    file = folder.joinpath(name)
    if not file.is_file():
        return
    for row, where in read_rows(file, ["hex"]):
        try:
            at = board.place(row.pop("hex"))
            if "next" in row:
                beyond = board.place(row.pop("next"))
                if beyond not in board.neighbours(at):
                    raise InputError(f"{at} and {beyond} are not adjacent")
                at = hexside(at, beyond)
        except InputError as error:
            raise error.at(where) from None
        yield at, row, where
