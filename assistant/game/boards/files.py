"""Boards read from their files: the map of letters, lines, places (`places.csv`) and lakes (`lakes.csv`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from ...state.tracks import Source, Track, Value
from ...util.datafiles import read_rows, resolve_within
from ...util.errors import InputError, OnFault, Where, format_suggestion, stop
from ..hexes import HexGrid
from .board import Board, Layers
from .features import Basis, Drawing, NamedPlace, Outline, check_name, read_since
from .folder import LAKES, PLACES, lines_files
from .head import BoardFile, box_faults, check_board_picture, in_head, read_board_head, read_silence, read_terrain
from .letters import UNKNOWN, read_letters
from .lines import LinesReader, read_file

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def read_board(
    folder: Traversable,
    tracks: Mapping[str, Track],
    on_fault: OnFault = stop,
    terrain: str = "terrain",
    town: str = "town",
) -> Board:
    """Return the board in a folder.

    `on_fault`: receives each fault, with file, line and column.

    `terrain`: the track of the letters in `terrain.txt`.

    `town`: the track of the classes of places, if the game has it.
    """
    head = read_board_head(folder, on_fault)
    if head is None:  # every hex in the other files would repeat the fault
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
    places = _read_places(folder, board, usual, classes, on_fault)
    for place, kind in _choose_towns(places, classes):
        try:
            state(town, place.hex, kind, place.basis, place.where)
        except InputError as error:
            on_fault(error)
    drawing = Drawing(
        chains=tuple(reader.chains),
        labels=tuple(reader.labels),
        places=places,
        outlines=_read_outlines(folder, board, on_fault),
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
    """Return the hexes in the map of letters, or none if a row or column has a fault.

    With the other hexes, each hex of a missing row would be reported as off the map.
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


COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""The positions of a place's name relative to its symbol."""
CLASSES = ("city", "fortress", "town", "village")
"""The classes of places in a game without a track for them."""
_NAME_PREFIX = "name-"
_PLACE_COLUMNS = ("hex", "name", "class", "fortress", "terminus", "label", "source", "note", "rule", "since")


def _read_places(
    folder: Traversable, board: Board, usual: Basis, town: Track | None, on_fault: OnFault
) -> tuple[NamedPlace, ...]:
    """Return the places in a board's folder.

    `usual`: the source of a place whose row names none.
    """
    classes = town.values if town else CLASSES
    file = resolve_within(folder, PLACES)
    if not file.is_file():
        return ()
    places: dict[tuple[str, str], NamedPlace] = {}
    unknown_columns: set[str] = set()
    for row, where in read_rows(file, ("hex", "name"), f"{folder.name}/{PLACES}", on_fault):
        for column in row:
            if column not in unknown_columns and not _is_known(column):
                unknown_columns.add(column)
                hint = format_suggestion(column, (*_PLACE_COLUMNS, f"{_NAME_PREFIX}de"))
                on_fault(InputError(f"unknown column {column!r}", where=where._replace(line=1), hint=hint))
        try:
            place = NamedPlace(
                hex=_read_hex(board, row["hex"]),
                name=row["name"],
                kind=_read_class(classes, row.get("class", "")),
                label=_read_compass(row.get("label", "")),
                fortress=_is_yes(row, "fortress"),
                terminus=_is_yes(row, "terminus"),
                names={
                    column.removeprefix(_NAME_PREFIX): text
                    for column, text in row.items()
                    if column.startswith(_NAME_PREFIX) and text
                },
                basis=_read_basis(row, usual),
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


def _choose_towns(places: Sequence[NamedPlace], town: Track | None) -> Iterator[tuple[NamedPlace, str]]:
    """Yield each hex's place with its class. Of several places from the same source, the greatest counts.

    `town`: the track of classes, whose values rise from no town to the largest.
    """
    greatest: dict[tuple[str, Source], NamedPlace] = {}
    if town:
        for place in places:
            key = place.hex, place.basis.source
            if place.kind and (key not in greatest or _find_rank(town, place) > _find_rank(town, greatest[key])):
                greatest[key] = place
    return ((place, place.kind) for place in greatest.values())


def _find_rank(town: Track, place: NamedPlace) -> int:
    return town.values.index(place.kind)


def _is_known(column: str) -> bool:
    return column in _PLACE_COLUMNS or (column.startswith(_NAME_PREFIX) and column != _NAME_PREFIX)


def _read_hex(board: Board, text: str) -> str:
    if not text:
        raise InputError("a place has no hex", hint="write its number in the column `hex`")
    if board.is_box(text):
        raise InputError(f"{text!r} is a box", hint="a place is in a hex: write its number, or leave out the row")
    return board.place(text)


def _read_class(classes: Sequence[str], text: str) -> str:
    known = {"": "", **{name.casefold(): name for name in classes}}
    if text.casefold() not in known:
        raise InputError(f"unknown class {text!r}", hint=format_suggestion(text, classes))
    return known[text.casefold()]


def _read_compass(text: str) -> str:
    point = text.strip().casefold()
    if point and point not in COMPASS:
        raise InputError(f"{text!r} is not a compass point", hint=f"one of {', '.join(COMPASS)}, or nothing")
    return point


def _is_yes(row: dict[str, str], column: str) -> bool:
    text = row.get(column, "").casefold()
    if text not in ("", "yes"):
        raise InputError(f"{column} {text!r} is neither yes nor nothing", hint="write yes, or nothing")
    return text == "yes"


def _read_basis(row: dict[str, str], usual: Basis) -> Basis:
    basis = usual
    if source := row.get("source"):
        known = [kind.value for kind in Source]
        if source not in known:
            raise InputError(f"unknown source {source!r}", hint=format_suggestion(source, known))
        basis = Basis(Source(source))
    stated = {name: text for name in ("note", "rule", "since") if (text := row.get(name, ""))}
    if "since" in stated:
        read_since(stated["since"])
    return msgspec.structs.replace(basis, **stated)


_LAKE_COLUMNS = ("name", "hex", "outline")
_MAX_DISTANCE_HEXES = 50.0
"""The maximum distance of an outline's point from its hex, both across and down."""


def _read_outlines(folder: Traversable, board: Board, on_fault: OnFault) -> tuple[Outline, ...]:
    file = resolve_within(folder, LAKES)
    if not file.is_file():
        return ()
    outlines = []
    for row, where in read_rows(file, ("hex", "outline"), f"{folder.name}/{LAKES}", on_fault):
        try:
            if strange := next((column for column in row if column not in _LAKE_COLUMNS), None):
                raise InputError(f"unknown column {strange!r}", hint=format_suggestion(strange, _LAKE_COLUMNS))
            name = row.get("name", "")
            hex = _read_hex(board, row["hex"])
            points = _read_points(row["outline"])
            check_name(name)
            outlines.append(Outline(name=name, hex=hex, points=points, where=where))
        except InputError as error:
            on_fault(error.at(where))
    return tuple(outlines)


def _read_points(text: str) -> tuple[tuple[float, float], ...]:
    """Parse `0.25 -0.4; 0.3 -0.1; 0 0.2` as the points of an outline."""
    points = []
    for part in text.split(";"):
        try:
            right, down = map(float, part.split())
            if not max(abs(right), abs(down)) <= _MAX_DISTANCE_HEXES:
                raise ValueError
        except ValueError:
            hint = "write how many hexes it lies to the right and down: 0.25 -0.4; 0.3 -0.1"
            raise InputError(f"{part.strip()!r} is not a point of an outline", hint=hint) from None
        points.append((right, down))
    if len(points) < 3:
        raise InputError(
            "an outline has fewer than three points", hint="name them one after another, a semicolon between"
        )
    return tuple(points)
