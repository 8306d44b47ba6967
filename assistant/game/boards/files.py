"""Boards as data files that a person can edit and a diff can show: a folder with board.toml, terrain.txt, places.csv,
lakes.csv and .lines files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from ...state.tracks import Fact, Source, Subject, Track, Value
from ...util.console import format_count
from ...util.datafiles import files_in, find_toml_line, read_rows, read_table, read_text, read_toml, resolve_within
from ...util.errors import InputError, OnFault, Where, format_suggestion, located, stop
from ..hexes import Hex, HexGrid
from .board import Basis, Board, Drawing, Layers, MapPicture, NamedPlace, Outline, check_name, read_since
from .lines import LinesReader, editor_lines

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


# --- terrain.txt: a map of letters ------------------------------------------------------------------------------------

TERRAIN = "terrain.txt"
UNKNOWN = "?"
"""The letter for a hex of unknown terrain."""
OFF = "."
"""The letter for no hex."""


class Letter(NamedTuple):
    """A letter of the map. where: it stands, or any other word of the file."""

    text: str
    where: Where


def read_letters(folder: Traversable, grid: HexGrid, on_fault: OnFault) -> Iterator[tuple[str, Letter]]:
    """Yield the letters of a board's map by the printed numbers of their hexes, without what is off the map; none if it
    has no map.

    Each fault goes to `on_fault` with line and column, and its row or column is left out; of
    the columns off the map, and of the rows, only the first is named.
    """
    file = resolve_within(folder, TERRAIN)
    name = f"{folder.name}/{TERRAIN}"
    if not file.is_file():
        return None
    lines = _split_lines(_read_file(file, name, on_fault), name)
    try:
        columns = _read_columns(next(lines, []), grid, on_fault)
    except InputError as error:
        return on_fault(error)
    rows = set[int]()
    outside = set[str]()
    for head, *letters in lines:
        try:
            row = _read_row(head, grid, rows, letters, columns)
        except InputError as error:
            on_fault(error)
            continue
        for column, letter in zip(columns, letters, strict=True):
            if column is None or letter.text == OFF:
                continue
            at = Hex(column, row)
            if grid.holds(at):
                yield grid.name(at), letter
                continue
            first, last = grid.columns
            what, number = ("row", row) if first <= column <= last else ("column", column)
            if what not in outside:
                outside.add(what)
                fault = f"{what} {grid.printed(what, number)} is off the map"
                on_fault(InputError(fault, where=letter.where, hint=grid.extent))
    return None


def _split_lines(text: str, file: str) -> Iterator[list[Letter]]:
    """Yield the words of each line that has any."""
    for number, line in enumerate(editor_lines(text), 1):
        if words := [Letter(match[0], Where(file, number, match.start() + 1)) for match in _WORD.finditer(line)]:
            yield words


_WORD = re.compile(r"\S+")


def _read_columns(words: Sequence[Letter], grid: HexGrid, on_fault: OnFault) -> list[int | None]:
    """Return the numbers of the columns, None for a repeated one. Raises InputError for a word that is not a number."""
    columns: list[int | None] = []
    seen = set[int]()
    for word in words:
        column = _read_number(word, grid, "column")
        if column in seen:
            what = f"column {word.text} is drawn twice"
            on_fault(InputError(what, where=word.where, hint="leave out one of the two"))
            columns.append(None)
        else:
            columns.append(column)
            seen.add(column)
    return columns


def _read_row(
    head: Letter, grid: HexGrid, before: set[int], letters: Sequence[Letter], columns: Sequence[int | None]
) -> int:
    """Return the number of a row, which joins those before. Raises InputError if it is repeated, or has not a
    letter a column.
    """
    row = _read_number(head, grid, "row")
    if row in before:
        raise InputError(f"row {head.text} is drawn twice", where=head.where, hint="leave out one of the two")
    before.add(row)
    if len(letters) != len(columns):
        what = f"row {grid.printed('row', row)} has {format_count(len(letters), 'letter')} for {len(columns)} columns"
        raise InputError(what, where=head.where, hint=f"a letter for each column; {OFF} is off the map")
    return row


def _read_number(word: Letter, grid: HexGrid, part: str) -> int:
    """Return the number of a column or a row as the map prints it. Raises InputError for any other word."""
    with located(word.where):
        number = grid.number(part, word.text)
    if number is None:
        hint = "column numbers go in the first line, and each other line begins with a row number"
        raise InputError(f"{word.text!r} is not a column or row number", where=word.where, hint=hint)
    return number


# --- board.toml: the title, the grid and what the other files leave unsaid --------------------------------------------

HEAD = "board.toml"
_ON_THE_MAP: tuple[Subject, ...] = ("hex", "hexside", "box")


class Edge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it is known which hexes are on the map."""

    source: Source
    note: str = ""
    rule: str = ""


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    """What `board.toml` says. source: of whatever names no other; kilometres: the width of a hex, 0 if that is not
    known; north: how far the true north is turned from the top of the map, in degrees clockwise.
    """

    title: str
    source: Source
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    terrain: dict[str, str] = {}
    whole: tuple[str, ...] = ()
    edge: Edge | None = None
    picture: MapPicture | None = None
    kilometres: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 0.0
    north: Annotated[float, msgspec.Meta(ge=-180, le=180)] = 0.0


def in_head(folder: Traversable, *path: str) -> Where:
    """Return a place in the head of the board in a folder. path: the keys that lead there; none for the head as a
    whole.
    """
    name = f"{folder.name}/{HEAD}"
    return Where(name, find_toml_line(read_text(resolve_within(folder, HEAD), name), path) if path else 0)


def read_board_head(folder: Traversable, on_fault: OnFault) -> BoardFile | None:
    """Return the head of the board in a folder. Each fault goes to `on_fault`; None after one that leaves the numbers
    of its hexes unknown.
    """
    file = resolve_within(folder, HEAD)
    where = in_head(folder)
    known = True

    def lose_head(fault: InputError) -> None:
        nonlocal known
        known = False
        on_fault(fault)

    data = read_toml(file, dict[str, Any], lose_head, where.file)
    if not known:
        return None
    if "grid" in data:
        grid = read_table(data["grid"], HexGrid, file, lose_head, ("grid",), name=where.file)
        try:
            grid.check()
        except InputError as error:
            lose_head(error.told_as(f"[grid] {error.what}", in_head(folder, "grid")))
    board_file = read_table(data if known else {**data, "grid": {}}, BoardFile, file, on_fault, name=where.file)
    return board_file if known and "grid" in data else None


def _read_terrain(
    folder: Traversable, head: BoardFile, tracks: Mapping[str, Track], terrain: str, on_fault: OnFault
) -> dict[str, Value]:
    """Return what the letters of `terrain.txt` stand for. terrain: the track; each fault goes to `on_fault`."""
    letters: dict[str, Value] = {}
    for letter, word in head.terrain.items():
        try:
            if letter in (UNKNOWN, OFF) or letter.split() != [letter]:
                hint = f"choose another letter: {OFF} is off the map, and {UNKNOWN} is a hex of unknown terrain"
                raise InputError(f"[terrain] {letter!r} cannot stand for {word}", hint=hint)
            letters[letter] = _find_track(tracks, terrain, ("hex",)).check(word)
        except InputError as error:
            on_fault(error.at(in_head(folder, "terrain", letter)))
    return letters


def _read_silence(
    folder: Traversable, head: BoardFile, tracks: Mapping[str, Track], on_fault: OnFault
) -> dict[str, Fact]:
    """Return for each track that is drawn completely, the fact that holds where nothing is drawn. Each fault goes to
    `on_fault`.
    """
    facts: dict[str, Fact] = {}
    for name in head.whole:
        try:
            facts[name] = Fact(_find_track(tracks, name, _ON_THE_MAP).nothing, head.source)
        except InputError as error:
            on_fault(error.at(in_head(folder, "whole")))
    return facts


def _check_picture(folder: Traversable, head: BoardFile, on_fault: OnFault) -> None:
    """Report a picture that is missing or contradicts itself."""
    if (picture := head.picture) is None:
        return
    try:
        picture.check()
        if not resolve_within(folder, picture.file).is_file():
            raise InputError(f"file {picture.file} is missing", hint="put it into the board's folder")
    except InputError as error:
        on_fault(error.told_as(f"[picture] {error.what}", in_head(folder, "picture")))


def box_faults(boxes: Sequence[str], grid: HexGrid) -> Iterator[InputError]:
    """Yield the faults of boxes beside a grid, without their place."""
    seen = set[str]()
    for box in boxes:
        if not box.strip() or not box.isprintable():
            yield InputError(f"boxes: {box!r} is not a name", hint="write the name as the map prints it")
        elif box.casefold() in seen:
            hint = "leave out one of the two; upper and lower case are the same"
            yield InputError(f"boxes: {box!r} is named twice", hint=hint)
        elif _is_a_hex(grid, box):
            yield InputError(f"boxes: {box!r} is the number of a hex", hint="give the box another name")
        seen.add(box.casefold())


def _is_a_hex(grid: HexGrid, text: str) -> bool:
    try:
        grid.parse(text)
    except InputError:
        return False
    return True


def _find_track(tracks: Mapping[str, Track], name: str, on: tuple[Subject, ...]) -> Track:
    """Return a track of the game about one of these kinds of subject. Raises InputError with the nearest one."""
    if name not in tracks or tracks[name].on not in on:
        known = (track.name for track in tracks.values() if track.on in on)
        of = f"a {on[0]}" if len(on) == 1 else "the map"
        raise InputError(f"unknown track {name!r} of {of}", hint=format_suggestion(name, known))
    return tracks[name]


# --- places.csv: towns and other named places -------------------------------------------------------------------------

PLACES = "places.csv"
COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""Where the name of a place may stand, seen from it."""
CLASSES = ("city", "fortress", "town", "village")
"""The classes of places in a game that has no track of its own for them."""
_NAME_PREFIX = "name-"
_COLUMNS = ("hex", "name", "class", "fortress", "terminus", "label", "source", "note", "rule", "since")


def _read_places(
    folder: Traversable, board: Board, usual: Basis, town: Track | None, on_fault: OnFault
) -> tuple[NamedPlace, ...]:
    """Return the places in a board's folder. Each fault goes to `on_fault` with file and line.

    usual: how a place is known unless its row says so; town: the track whose values are their classes, if there is one.
    """
    classes = town.values if town else CLASSES
    file = resolve_within(folder, PLACES)
    if not file.is_file():
        return ()
    places: dict[tuple[str, str], NamedPlace] = {}
    strange: set[str] = set()
    for row, where in read_rows(file, ("hex", "name"), f"{folder.name}/{PLACES}", on_fault):
        for column in row:
            if column not in strange and not _is_known(column):
                strange.add(column)
                hint = format_suggestion(column, (*_COLUMNS, f"{_NAME_PREFIX}de"))
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
    """Return the place of each hex with its class, if the game has a track for it: of several places as well known, the
    greatest.

    town: the track; its values rise, from no town to the largest.
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
    return column in _COLUMNS or (column.startswith(_NAME_PREFIX) and column != _NAME_PREFIX)


def _read_hex(board: Board, text: str) -> str:
    """Return the hex of a place."""
    if not text:
        raise InputError("a place has no hex", hint="write its number in the column `hex`")
    if board.is_box(text):
        raise InputError(f"{text!r} is a box", hint="a place is in a hex: write its number, or leave out the row")
    return board.place(text)


def _read_class(classes: Sequence[str], text: str) -> str:
    """Return the class of a place, "" for none."""
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
    """Return whether a row says yes in a column."""
    text = row.get(column, "").casefold()
    if text not in ("", "yes"):
        raise InputError(f"{column} {text!r} is neither yes nor nothing", hint="write yes, or nothing")
    return text == "yes"


def _read_basis(row: dict[str, str], usual: Basis) -> Basis:
    """Return how a row is known."""
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


# --- lakes.csv: the shapes of lakes -----------------------------------------------------------------------------------

LAKES = "lakes.csv"
_FARTHEST = 50.0
"""How far from its hex a point of an outline may lie, in hexes."""


def _read_outlines(folder: Traversable, board: Board, on_fault: OnFault) -> tuple[Outline, ...]:
    """Return the shapes of lakes in a board's folder. Each fault goes to `on_fault` with file and line."""
    file = resolve_within(folder, LAKES)
    if not file.is_file():
        return ()
    outlines = []
    for row, where in read_rows(file, ("hex", "outline"), f"{folder.name}/{LAKES}", on_fault):
        try:
            if strange := next((column for column in row if column not in ("name", "hex", "outline")), None):
                raise InputError(
                    f"unknown column {strange!r}", hint=format_suggestion(strange, ("name", "hex", "outline"))
                )
            name = row.get("name", "")
            hex = _read_hex(board, row["hex"])
            points = _read_points(row["outline"])
            check_name(name)
            outlines.append(Outline(name=name, hex=hex, points=points, where=where))
        except InputError as error:
            on_fault(error.at(where))
    return tuple(outlines)


def _read_points(text: str) -> tuple[tuple[float, float], ...]:
    """Return the points of an outline. Raises InputError for fewer than three, and for what is none."""
    points = []
    for part in text.split(";"):
        try:
            right, down = map(float, part.split())
            if not max(abs(right), abs(down)) <= _FARTHEST:
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


# --- the board --------------------------------------------------------------------------------------------------------

LINES = ".lines"


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
    _check_picture(folder, head, on_fault)
    silence = _read_silence(folder, head, tracks, on_fault)
    letters = _read_terrain(folder, head, tracks, terrain, on_fault)
    hexes = _read_hexes(folder, head, letters, partial(state, terrain), on_fault)
    board = msgspec.structs.replace(board, hexes=hexes)
    reader = LinesReader(board, tracks, usual, state)
    for file in lines_files(folder):
        name = f"{folder.name}/{file.name}"
        reader.read(_read_file(file, name, on_fault), name, on_fault)
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


def in_boards(game: Traversable) -> list[Traversable]:
    """Return what lies in the folder `boards` of a game, by name; nothing if there is none."""
    folder = resolve_within(game, "boards")
    return files_in(folder) if folder.is_dir() else []


def is_board_name(name: str) -> bool:
    """Return whether a position can name a board by the name of its folder: letters, figures, hyphens and dots."""
    return re.fullmatch(r"[\w.-]+", name) is not None


def board_files(folder: Traversable) -> list[Traversable]:
    """Return all files in a board's folder that are read, in the order in which they are; not all need exist."""
    named = (resolve_within(folder, name) for name in (HEAD, TERRAIN, PLACES, LAKES))
    return [*(file for file in named if file.is_file()), *lines_files(folder)]


def lines_files(folder: Traversable) -> list[Traversable]:
    """Return the `.lines` files in a folder, by name, without hidden ones. Raises InputError for a link out of the
    folder.
    """
    return [
        resolve_within(folder, file.name) for file in files_in(folder) if file.name.endswith(LINES) and file.is_file()
    ]


def _read_file(file: Traversable, name: str, on_fault: OnFault) -> str:
    """Return the text of a file, empty after a fault. name: of the file in messages."""
    try:
        return read_text(file, name)
    except InputError as error:
        on_fault(error)
        return ""
