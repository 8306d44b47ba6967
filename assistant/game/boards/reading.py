"""Boards as data files that a person can edit and a diff can show.

A board's folder holds `board.toml` (its title, source, grid and terrain letters), `terrain.txt` (one letter a hex, in rows
and columns as printed), files `*.lines` (chains along hexsides or from hex to hex, facts of single ones, labels) and
`places.csv` (towns). Only the first is required. `whole` names the layers that are complete: where they show nothing, nothing
is there. The letters are values of the track that `[picture] terrain` of `game.toml` names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

import msgspec

from ...state.sources import Fact, Source, Value
from ...state.tracks import Track
from ...util.datafiles import inner, read_text, read_toml
from ...util.errors import InputError, OnFault, Where, stop, suggested
from ...util.numbers import natural
from ..hexes import Hex, HexGrid
from .board import Board
from .entries import Basis, Drawing
from .layers import Layers
from .lines import LinesReader
from .places import FILE as PLACES
from .places import read_places, town_facts

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class Edge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it is known which hexes are on the map."""

    source: Source
    note: str = ""
    rule: str = ""


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    """What `board.toml` says. source: of whatever names no other; kilometres: the width of a hex, 0 if that is not known."""

    title: str
    source: Source
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    terrain: dict[str, str] = {}
    whole: tuple[str, ...] = ()
    edge: Edge | None = None
    kilometres: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 0.0


TERRAIN = "terrain.txt"
UNKNOWN, OFF = "?", "."
"""The letters of `terrain.txt` for a hex of unknown terrain, and for none."""


def read_board(
    folder: Traversable,
    tracks: Mapping[str, Track],
    on_fault: OnFault = stop,
    terrain: str = "terrain",
    town: str = "town",
) -> Board:
    """The board in a folder. Each fault goes to `on_fault` with file, line and column.

    terrain: the track whose values the letters of the map stand for; town: the one whose values are the classes of places, if
    the game has such a choice.
    """
    head = read_toml(inner(folder, "board.toml"), BoardFile, on_fault)
    board = Board(name=folder.name, title=head.title, grid=head.grid, boxes=head.boxes, kilometres=head.kilometres)
    in_head = Where(f"{folder.name}/board.toml")
    try:
        head.grid.check()
    except InputError as error:
        on_fault(InputError(f"[grid] {error.what}", where=in_head, hint=error.hint))
        return msgspec.structs.replace(board, grid=HexGrid())  # whatever lies in its hexes would repeat the fault
    usual = Basis(head.source)
    layers = Layers(tracks)

    def state(track: str, subject: str, value: Value, basis: Basis, where: Where) -> None:
        layers.put(track, subject, value, basis.source, where)

    legend: dict[str, Value] = {}
    silence: dict[str, Fact] = {}
    for letter, word in head.terrain.items():
        try:
            legend[letter] = _track(tracks, terrain, "hex").check(word)
        except InputError as error:
            on_fault(error.at(in_head))
    for name in head.whole:
        try:
            silence[name] = Fact(_track(tracks, name).nothing, head.source)
        except InputError as error:
            on_fault(error.at(in_head))
    hexes = set()
    for name, letter, where in _letters(folder, board, on_fault):
        hexes.add(name)
        try:
            if letter in legend:
                state(terrain, name, legend[letter], usual, where)
            elif letter != UNKNOWN:
                raise InputError(f"unknown terrain letter {letter!r}", hint=suggested(letter, legend))
        except InputError as error:
            on_fault(error.at(where))
    board = msgspec.structs.replace(board, hexes=frozenset(hexes))
    reader = LinesReader(board, tracks, usual, state)
    for file in lines_files(folder):
        name = f"{folder.name}/{file.name}"
        reader.read(_text(file, name, on_fault), name, on_fault)
    classes = tracks.get(town)
    if classes and (classes.on, classes.kind) != ("hex", "choice"):
        classes = None
    places = read_places(folder, board, usual, classes, on_fault)
    for place, kind in town_facts(places, classes):
        try:
            state(town, place.hex, kind, place.basis, place.where)
        except InputError as error:
            on_fault(error)
    drawing = Drawing(
        chains=tuple(reader.chains),
        labels=tuple(reader.labels),
        places=places,
        edge=Basis(head.edge.source, head.edge.note, head.edge.rule) if head.edge else None,
    )
    return msgspec.structs.replace(board, facts=layers.facts(), silence=silence, drawing=lambda: drawing)


def board_files(folder: Traversable) -> list[Traversable]:
    """All files in a board's folder that are read, in the order in which they are; not all need exist."""
    named = (inner(folder, name) for name in ("board.toml", TERRAIN, PLACES))
    return [*(file for file in named if file.is_file()), *lines_files(folder)]


def lines_files(folder: Traversable) -> list[Traversable]:
    """The `.lines` files in a folder, by name."""
    return sorted(
        (file for file in folder.iterdir() if file.name.endswith(".lines") and file.is_file()),
        key=lambda file: file.name,
    )


def _track(tracks: Mapping[str, Track], name: str, on: str = "") -> Track:
    """A track of the game; `on` restricts it to one kind of subject. Raises InputError with the nearest one."""
    if name not in tracks or on not in ("", tracks[name].on):
        known = (track.name for track in tracks.values() if on in ("", track.on))
        raise InputError(f"unknown track {name!r}{f' of a {on}' if on else ''}", hint=suggested(name, known))
    return tracks[name]


def _letters(folder: Traversable, board: Board, on_fault: OnFault) -> Iterator[tuple[str, str, Where]]:
    """The letters of `terrain.txt`: a line of column numbers, then one line a row; a dot is off the map."""
    file = inner(folder, TERRAIN)
    if not file.is_file():
        return
    columns: list[int] | None = None
    rows = set[int]()
    for count, line in enumerate(_text(file, f"{folder.name}/{TERRAIN}", on_fault).splitlines(), 1):
        words = [
            (found[0], Where(f"{folder.name}/{TERRAIN}", count, found.start() + 1)) for found in _WORD.finditer(line)
        ]
        if not words:
            continue
        try:
            if columns is None:
                columns = [_number(text, where) for text, where in words]
                for number, (text, where) in enumerate(words):
                    if columns[number] in columns[:number]:
                        raise InputError(f"column {text} is drawn twice", where=where, hint="leave out one of the two")
                continue
            first, *letters = words
            row = _number(*first)
            if row in rows:
                raise InputError(f"row {first[0]} is drawn twice", where=first[1], hint="leave out one of the two")
            rows.add(row)
            if len(letters) != len(columns):
                what = f"row {row} has {len(letters)} letters for {len(columns)} columns"
                raise InputError(what, where=first[1], hint=f"a letter for each column; {OFF} is off the map")
        except InputError as error:
            on_fault(error)
            if columns is None:
                return
            continue
        for column, (letter, where) in zip(columns, letters, strict=True):
            if letter != OFF:
                try:
                    yield board.place(board.grid.name(Hex(column, row))), letter, where
                except InputError as error:
                    on_fault(error.at(where))


_WORD = re.compile(r"\S+")


def _text(file: Traversable, name: str, on_fault: OnFault) -> str:
    """The text of a file, empty after a fault. name: of the file in messages."""
    try:
        return read_text(file)
    except InputError as error:
        on_fault(error.told_as(error.what, Where(name, error.where.line if error.where else 0)))
        return ""


def _number(text: str, where: Where) -> int:
    number = natural(text)
    if number is None:
        hint = "the columns stand in the first line, and the row before each of the others"
        raise InputError(f"{text!r} is not a column or row number", where=where, hint=hint)
    return number
