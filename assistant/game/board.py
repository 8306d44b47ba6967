"""Boards: maps as data files that a person can edit and a diff can show.

A board's folder holds `board.toml` (its title, source, grid and terrain letters), `terrain.txt` (one letter a hex, in rows
and columns as printed), `hexsides.csv` (what lies on a hexside or crosses it) and `hexes.csv` (whatever else is printed in
hexes). Only the first is required. `whole` names the layers that are complete: where they show nothing, nothing is there.
The letters are values of the track that `[picture] terrain` of `game.toml` names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from ..state.sources import Fact, Source
from ..state.state import FactKey, hexside
from ..state.tracks import Track
from ..util.datafiles import inner, read_rows, read_text, read_toml
from ..util.errors import InputError, OnFault, Where, stop, suggested
from ..util.numbers import natural
from .hexes import Hex, HexGrid

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class Board(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One map: its grid, its boxes (places that are not hexes), the facts printed on it, and the hexes that are drawn.

    silence: for each complete layer, the fact that holds where nothing is drawn.
    hexes: the hexes on the map; empty if it has not been drawn, and then every hex of the grid is on it.
    """

    name: str
    title: str
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    facts: Mapping[FactKey, Fact] = {}
    silence: Mapping[str, Fact] = {}
    hexes: frozenset[str] = frozenset()

    def place(self, text: str) -> str:
        """A hex or a box by its printed name. Raises InputError with the nearest names on the map."""
        box = self._boxes.get(text.casefold())
        if box is not None:
            return box
        name = self.grid.name(self.grid.parse(text))
        if self.hexes and name not in self.hexes:
            raise InputError(f"hex {name} is off the board {self.title}", hint=suggested(name, self.hexes))
        return name

    def hexside(self, text: str) -> str:
        """A hexside in its regular form. Raises InputError for two hexes that are not adjacent, and for anything else."""
        one, bar, other = text.partition("|")
        if not bar:
            raise InputError(f"{text!r} is not a hexside", hint="write a hexside as two hexes with a bar between them")
        here, there = self.place(one.strip()), self.place(other.strip())
        self._check_adjacent(here, there, "a hexside lies between two adjacent hexes")
        return hexside(here, there)

    def line(self, line: Sequence[str]) -> tuple[str, ...]:
        """The hexes of a line in their regular form. Raises InputError for fewer than two, and for two that are not adjacent."""
        if len(line) < 2:
            raise InputError("a line needs at least two hexes, from the source to the unit")
        passed = tuple(map(self.place, line))
        for here, there in pairwise(passed):
            self._check_adjacent(here, there, "each hex of a line is adjacent to the one before")
        return passed

    def _check_adjacent(self, here: str, there: str, hint: str) -> None:
        if there not in self.neighbours(here):
            around = f"; next to {here}: {', '.join(self.neighbours(here))}"
            raise InputError(f"{here} and {there} are not adjacent", hint=hint + around)

    @cached_property
    def _boxes(self) -> dict[str, str]:
        return {box.casefold(): box for box in reversed(self.boxes)}

    def fact(self, track: str, subject: str) -> Fact | None:
        """A fact printed on the map, None if unknown."""
        found = self.facts.get((track, subject))
        return found if found is not None or not subject else self.silence.get(track)

    def is_hex(self, place: str) -> bool:
        """Whether a place is a hex rather than a box."""
        return not self.boxes or self._boxes.get(place.casefold()) != place

    def neighbours(self, place: str) -> tuple[str, ...]:
        """The hexes next to a hex, clockwise from the north; a box has none."""
        if not self.is_hex(place):
            return ()
        at = self.grid.parse(place)
        if at not in self._neighbours:
            around = map(self.grid.name, self.grid.neighbours(at).values())
            self._neighbours[at] = tuple(name for name in around if not self.hexes or name in self.hexes)
        return self._neighbours[at]

    @cached_property
    def _neighbours(self) -> dict[Hex, tuple[str, ...]]:
        """The neighbours of the hexes that were asked for."""
        return {}

    def centre(self, place: str) -> tuple[float, float]:
        """The middle of a hex, in the units of the grid, to the right and down."""
        return self.grid.centre(self.grid.parse(place))

    def distance(self, one: str, other: str) -> int:
        """The distance between two hexes, in hexes."""
        return self.grid.distance(self.grid.parse(one), self.grid.parse(other))


class _BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    source: Source
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    terrain: dict[str, str] = {}
    whole: tuple[str, ...] = ()


def read_board(
    folder: Traversable, tracks: Mapping[str, Track], on_fault: OnFault = stop, terrain: str = "terrain"
) -> Board:
    """The board in a folder. Each fault goes to `on_fault` with file and line.

    terrain: the track whose values the letters of the map stand for.
    """
    head = read_toml(inner(folder, "board.toml"), _BoardFile, on_fault)
    board = Board(name=folder.name, title=head.title, grid=head.grid, boxes=head.boxes)
    in_head = Where(f"{folder.name}/board.toml")
    try:
        head.grid.check()
    except InputError as error:
        on_fault(InputError(f"[grid] {error.what}", where=in_head, hint=error.hint))
        return msgspec.structs.replace(board, grid=HexGrid())  # whatever lies in its hexes would repeat the fault
    facts: dict[FactKey, Fact] = {}
    legend: dict[str, Fact] = {}
    silence: dict[str, Fact] = {}
    for letter, word in head.terrain.items():
        try:
            legend[letter] = Fact(_track(tracks, terrain, "hex").check(word), head.source)
        except InputError as error:
            on_fault(error.at(in_head))
    for name in head.whole:
        try:
            silence[name] = Fact(_track(tracks, name).nothing, head.source)
        except InputError as error:
            on_fault(error.at(in_head))
    drawn = set()
    for name, letter, where in _letters(folder, board, on_fault):
        drawn.add(name)
        try:
            if letter not in legend:
                raise InputError(f"unknown terrain letter {letter!r}", hint=suggested(letter, legend))
            _draw(facts, (terrain, name), legend[letter])
        except InputError as error:
            on_fault(error.at(where))
    board = msgspec.structs.replace(board, hexes=frozenset(drawn))
    for file, on in (("hexsides.csv", "hexside"), ("hexes.csv", "hex")):
        for subject, row, where in _rows(folder, file, on, board, on_fault):
            for column, text in row.items():
                if text:
                    try:
                        fact = Fact(_track(tracks, column, on).parse(text), head.source)
                        _draw(facts, (column, subject), fact)
                    except InputError as error:
                        on_fault(error.at(where))
    return msgspec.structs.replace(board, facts=facts, silence=silence)


def _track(tracks: Mapping[str, Track], name: str, on: str = "") -> Track:
    """A track of the game; `on` restricts it to one kind of subject. Raises InputError with the nearest one."""
    if name not in tracks or on not in ("", tracks[name].on):
        known = (track.name for track in tracks.values() if on in ("", track.on))
        raise InputError(f"unknown track {name!r}{f' of a {on}' if on else ''}", hint=suggested(name, known))
    return tracks[name]


def _draw(facts: dict[FactKey, Fact], key: FactKey, fact: Fact) -> None:
    if key in facts:
        raise InputError(f"{key[0]} of {key[1]} is given twice")
    facts[key] = fact


def _letters(folder: Traversable, board: Board, on_fault: OnFault) -> Iterator[tuple[str, str, Where]]:
    """The letters of `terrain.txt`: a line of column numbers, then one line a row; a dot is off the map."""
    file = inner(folder, "terrain.txt")
    if not file.is_file():
        return
    columns: list[int] | None = None
    for count, line in enumerate(read_text(file).splitlines(), 1):
        where = Where(f"{folder.name}/terrain.txt", count)
        first, *letters = line.split() or [""]
        try:
            if columns is None and first:
                columns = [_number(text) for text in line.split()]
            elif columns is not None and first:
                row = _number(first)
                if len(letters) != len(columns):
                    raise InputError(f"row {row} has {len(letters)} letters for {len(columns)} columns")
                for column, letter in zip(columns, letters, strict=True):
                    if letter != ".":
                        yield board.place(board.grid.name(Hex(column, row))), letter, where
        except InputError as error:
            on_fault(error.at(where))


def _number(text: str) -> int:
    number = natural(text)
    if number is None:
        raise InputError(f"{text!r} is not a column or row number")
    return number


def _rows(
    folder: Traversable, name: str, on: str, board: Board, on_fault: OnFault
) -> Iterator[tuple[str, dict[str, str], Where]]:
    """The rows of a CSV file with the subject that its `hex`, or `hex` and `next`, columns name."""
    file = inner(folder, name)
    if not file.is_file():
        return
    columns = ["hex", "next"] if on == "hexside" else ["hex"]
    for row, where in read_rows(file, columns, f"{folder.name}/{name}", on_fault):
        try:
            at = board.place(row.pop("hex"))
            if on == "hexside":
                beyond = board.place(row.pop("next"))
                if beyond not in board.neighbours(at):
                    raise InputError(f"{at} and {beyond} are not adjacent")
                at = hexside(at, beyond)
            yield at, row, where
        except InputError as error:
            on_fault(error.at(where))
