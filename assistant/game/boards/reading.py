"""Boards as data files that a person can edit and a diff can show: a folder with board.toml, terrain.txt, places.csv
and .lines files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from ...state.sources import Source, Value
from ...state.tracks import Track
from ...util.datafiles import files_in, inner, read_rows, read_text
from ...util.errors import InputError, OnFault, Where, stop, suggested
from ..hexes import HexGrid
from .board import Board
from .entries import Basis, Drawing, Layers, Place, check_name, read_since
from .head import (
    HEAD,
    TERRAIN,
    UNKNOWN,
    Letter,
    check_boxes,
    check_picture,
    letters_of,
    read_head,
    read_letters,
    silence_of,
)
from .lines import LinesReader

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


PLACES = "places.csv"
COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""Where the name of a place may stand, seen from it."""
CLASSES = ("city", "fortress", "town", "village")
"""The classes of places in a game that has no track of its own for them."""
_IN = "name-"
_COLUMNS = ("hex", "name", "class", "label", "source", "note", "rule", "since")


def read_places(
    folder: Traversable, board: Board, usual: Basis, town: Track | None, on_fault: OnFault
) -> tuple[Place, ...]:
    """The places in a board's folder. Each fault goes to `on_fault` with file and line.

    usual: how a place is known unless its row says so; town: the track whose values are their classes, if there is one.
    """
    classes = town.values if town else CLASSES
    file = inner(folder, PLACES)
    if not file.is_file():
        return ()
    places: dict[tuple[str, str], Place] = {}
    strange: set[str] = set()
    for row, where in read_rows(file, ("hex", "name"), f"{folder.name}/{PLACES}", on_fault):
        for column in row:
            if column not in strange and not _is_known(column):
                strange.add(column)
                hint = suggested(column, (*_COLUMNS, f"{_IN}de"))
                on_fault(InputError(f"unknown column {column!r}", where=where._replace(line=1), hint=hint))
        try:
            place = Place(
                hex=_hex(board, row["hex"]),
                name=row["name"],
                kind=_one_of(classes, row.get("class", "")),
                label=_compass(row.get("label", "")),
                names={
                    column.removeprefix(_IN): text for column, text in row.items() if column.startswith(_IN) and text
                },
                basis=_basis(row, usual),
                where=where,
            )
            if not place.name:
                raise InputError(f"the place in {place.hex} has no name", hint="write it in the column `name`")
            for text in (place.name, *place.names.values(), place.basis.note):
                check_name(text)
            if (place.hex, place.name) in places:
                raise InputError(f"{place.name} in {place.hex} is given twice", hint="leave out one of the two rows")
            places[place.hex, place.name] = place
        except InputError as error:
            on_fault(error.at(where))
    return tuple(places.values())


def town_facts(places: Sequence[Place], town: Track | None) -> Iterator[tuple[Place, str]]:
    """The place of each hex with its class, if the game has a track for it: of several places as well known, the
    greatest.

    town: the track; its values rise, from no town to the largest.
    """
    greatest: dict[tuple[str, Source], Place] = {}
    for place in places if town else ():
        key = place.hex, place.basis.source
        if place.kind and town and (key not in greatest or _rank(town, place) > _rank(town, greatest[key])):
            greatest[key] = place
    return ((place, place.kind) for place in greatest.values())


def _rank(town: Track, place: Place) -> int:
    return town.values.index(place.kind)


def _is_known(column: str) -> bool:
    return column in _COLUMNS or (column.startswith(_IN) and column != _IN)


def _hex(board: Board, text: str) -> str:
    """The hex of a place."""
    if not text:
        raise InputError("a place has no hex", hint="write its number in the column `hex`")
    if board.is_box(text):
        raise InputError(
            f"{text!r} is a box", hint="places stand in hexes: write the number of one, or leave out the row"
        )
    return board.place(text)


def _one_of(classes: Sequence[str], text: str) -> str:
    """The class of a place, "" for none."""
    known = {"": "", **{name.casefold(): name for name in classes}}
    if text.casefold() not in known:
        raise InputError(f"unknown class {text!r}", hint=suggested(text, classes))
    return known[text.casefold()]


def _compass(text: str) -> str:
    point = text.strip().casefold()
    if point and point not in COMPASS:
        raise InputError(f"{text!r} is not a compass point", hint=f"one of {', '.join(COMPASS)}, or nothing")
    return point


def _basis(row: dict[str, str], usual: Basis) -> Basis:
    """How a row is known."""
    basis = usual
    if source := row.get("source"):
        known = [kind.value for kind in Source]
        if source not in known:
            raise InputError(f"unknown source {source!r}", hint=suggested(source, known))
        basis = Basis(Source(source))
    said = {name: text for name in ("note", "rule", "since") if (text := row.get(name, ""))}
    if "since" in said:
        read_since(said["since"])
    return msgspec.structs.replace(basis, **said)


LINES = ".lines"


def read_board(
    folder: Traversable,
    tracks: Mapping[str, Track],
    on_fault: OnFault = stop,
    terrain: str = "terrain",
    town: str = "town",
) -> Board:
    """The board in a folder. Each fault goes to `on_fault` with file, line and column.

    terrain: the track whose values the letters of the map stand for; town: the one whose values are the classes of
    places, if the game has such a choice.
    """
    head = read_head(folder, on_fault)
    if head is None:  # whatever lies in its hexes would repeat the fault
        return Board(name=folder.name, title=folder.name, grid=HexGrid())
    board = Board(
        name=folder.name,
        title=head.title,
        grid=head.grid,
        boxes=head.boxes,
        kilometres=head.kilometres,
        picture=head.picture,
    )
    usual = Basis(head.source)
    layers = Layers(tracks)

    def state(track: str, subject: str, value: Value, basis: Basis, where: Where) -> None:
        layers.put(track, subject, value, basis.source, where)

    check_boxes(folder, head, on_fault)
    check_picture(folder, head, on_fault)
    silence = silence_of(folder, head, tracks, on_fault)
    letters = letters_of(folder, head, tracks, terrain, on_fault)
    hexes, whole = set[str](), True

    def torn(fault: InputError) -> None:
        nonlocal whole
        whole = False
        on_fault(fault)

    for name, (letter, where) in _letters(folder, board, torn):
        hexes.add(name)
        try:
            if letter in letters:
                state(terrain, name, letters[letter], usual, where)
            elif letter != UNKNOWN and letter not in head.terrain:
                raise InputError(f"unknown terrain letter {letter!r}", hint=suggested(letter, letters))
        except InputError as error:
            on_fault(error.at(where))
    if whole:  # else each hex of a row that was left out would repeat the fault
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


def in_boards(game: Traversable) -> list[Traversable]:
    """What lies in the folder `boards` of a game, by name; nothing if there is none."""
    folder = inner(game, "boards")
    return files_in(folder) if folder.is_dir() else []


def is_board_name(name: str) -> bool:
    """Whether a position can name a board by the name of its folder: letters, figures, hyphens and dots."""
    return re.fullmatch(r"[\w.-]+", name) is not None


def board_files(folder: Traversable) -> list[Traversable]:
    """All files in a board's folder that are read, in the order in which they are; not all need exist."""
    named = (inner(folder, name) for name in (HEAD, TERRAIN, PLACES))
    return [*(file for file in named if file.is_file()), *lines_files(folder)]


def lines_files(folder: Traversable) -> list[Traversable]:
    """The `.lines` files in a folder, by name, without hidden ones. Raises InputError for one that leads out of the
    folder.
    """
    return [inner(folder, file.name) for file in files_in(folder) if file.name.endswith(LINES) and file.is_file()]


def _letters(folder: Traversable, board: Board, on_fault: OnFault) -> Iterator[tuple[str, Letter]]:
    """The letters of the board's map by hex, if it has one."""
    file = inner(folder, TERRAIN)
    if file.is_file():
        name = f"{folder.name}/{TERRAIN}"
        yield from read_letters(_text(file, name, on_fault), name, board.grid, on_fault)


def _text(file: Traversable, name: str, on_fault: OnFault) -> str:
    """The text of a file, empty after a fault. name: of the file in messages."""
    try:
        return read_text(file, name)
    except InputError as error:
        on_fault(error)
        return ""
