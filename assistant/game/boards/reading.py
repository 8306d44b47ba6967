"""Boards as data files that a person can edit and a diff can show.

A board's folder holds `board.toml` (its title, source, grid and terrain letters), `terrain.txt` (one letter a hex, in
rows and columns as printed), files `*.lines` (chains along hexsides or from hex to hex, facts of single ones, labels)
and `places.csv` (towns). Only the first is required. `whole` names the layers that are complete: where they show
nothing, nothing is there. The letters are values of the track that `[picture] terrain` of `game.toml` names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from ...state.sources import Value
from ...state.tracks import Track
from ...util.datafiles import inner, listed, read_text
from ...util.errors import InputError, OnFault, Where, stop, suggested
from ..hexes import HexGrid
from .board import Board
from .entries import Basis, Drawing
from .head import HEAD, check_boxes, check_picture, letters_of, read_head, silence_of
from .layers import Layers
from .letters import TERRAIN, UNKNOWN, Letter, read_letters
from .lines import LinesReader
from .places import FILE as PLACES
from .places import read_places, town_facts

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

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
    return listed(folder) if folder.is_dir() else []


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
    return [inner(folder, file.name) for file in listed(folder) if file.name.endswith(LINES) and file.is_file()]


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
