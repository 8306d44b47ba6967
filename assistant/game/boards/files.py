"""Boards read from their files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from ...state.tracks import Track, Value
from ...util.errors import InputError, OnFault, Where, format_suggestion, stop
from ..hexes import HexGrid
from .board import Board
from .board_facts import Layers
from .features import Basis, Drawing
from .folder import lines_files
from .head import BoardFile, box_faults, check_board_picture, in_head, read_board_head, read_silence, read_terrain
from .lakes import read_outlines
from .letters import UNKNOWN, read_letters
from .line_tokens import read_file
from .lines import LinesReader
from .places import choose_towns, read_board_places

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def read_board(
    folder: Traversable,
    tracks: Mapping[str, Track],
    on_fault: OnFault = stop,
    terrain: str = "terrain",
    town: str = "town",
) -> Board:
    """Return the board in a folder. Each fault goes to `on_fault` with file, line and column.

    terrain: the track whose values the letters of the map stand for; town: the one whose values are the classes of
    places, if the game has such a choice.
    """
    head = read_board_head(folder, on_fault)
    if head is None:  # whatever lies in its hexes would repeat the fault
        return Board(name=folder.name, title=folder.name, grid=HexGrid())
    board = Board(
        name=folder.name,
        title=head.title,
        grid=head.grid,
        boxes=head.boxes,
        kilometres=head.kilometres,
        north=head.north,
        picture=head.picture,
    )
    usual = Basis(head.source)
    layers = Layers(tracks)

    def state(track: str, subject: str, value: Value, basis: Basis, where: Where) -> None:
        layers.put(track, subject, value, basis.source, where)

    for fault in box_faults(head.boxes, head.grid):
        on_fault(fault.at(in_head(folder, "boxes")))
    check_board_picture(folder, head, on_fault)
    silence = read_silence(folder, head, tracks, on_fault)
    letters = read_terrain(folder, head, tracks, terrain, on_fault)
    hexes = _read_hexes(folder, head, letters, partial(state, terrain), on_fault)
    board = msgspec.structs.replace(board, hexes=hexes)
    reader = LinesReader(board, tracks, usual, state)
    for file in lines_files(folder):
        name = f"{folder.name}/{file.name}"
        reader.read(read_file(file, name, on_fault), name, on_fault)
    classes = tracks.get(town)
    if classes and (classes.on, classes.kind) != ("hex", "choice"):
        classes = None
    places = read_board_places(folder, board, usual, classes, on_fault)
    for place, kind in choose_towns(places, classes):
        try:
            state(town, place.hex, kind, place.basis, place.where)
        except InputError as error:
            on_fault(error)
    drawing = Drawing(
        chains=tuple(reader.chains),
        labels=tuple(reader.labels),
        places=places,
        outlines=read_outlines(folder, board, on_fault),
        edge=Basis(head.edge.source, head.edge.note, head.edge.rule) if head.edge else None,
    )
    return msgspec.structs.replace(board, facts=layers.facts(), silence=silence, drawing=lambda: drawing)


def _read_hexes(
    folder: Traversable,
    head: BoardFile,
    letters: Mapping[str, Value],
    state: Callable[[str, Value, Basis, Where], None],
    on_fault: OnFault,
) -> frozenset[str]:
    """Return the hexes that the map of letters draws; none after a fault in its rows or columns, for each hex of a row
    that was left out would repeat it.

    letters: what they stand for; state: takes the terrain of each hex. Each fault goes to `on_fault` with its place.
    """
    hexes = set[str]()
    usual = Basis(head.source)
    whole = True

    def lose_row(fault: InputError) -> None:
        nonlocal whole
        whole = False
        on_fault(fault)

    for name, (letter, where) in read_letters(folder, head.grid, lose_row):
        hexes.add(name)
        try:
            if letter in letters:
                state(name, letters[letter], usual, where)
            elif letter != UNKNOWN and letter not in head.terrain:
                raise InputError(f"unknown terrain letter {letter!r}", hint=format_suggestion(letter, letters))
        except InputError as error:
            on_fault(error.at(where))
    return frozenset(hexes) if whole else frozenset()
