"""The head of a board, board.toml, with its title, its grid and what its other files leave unsaid; and its map of
letters, terrain.txt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from ...state.sources import Fact, Source, Value
from ...state.tracks import Subject, Track
from ...util.datafiles import inner, line_of, read_table, read_text, read_toml
from ...util.errors import InputError, OnFault, Where, suggested
from ...util.texts import natural
from ..hexes import Hex, HexGrid
from .entries import MapPicture
from .lines import lines_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


TERRAIN = "terrain.txt"
UNKNOWN, OFF = "?", "."
"""The letters for a hex of unknown terrain, and for none."""


class Letter(NamedTuple):
    """A letter of the map. where: it stands, or any other word of the file."""

    text: str
    where: Where


def read_letters(text: str, file: str, grid: HexGrid, on_fault: OnFault) -> Iterator[tuple[str, Letter]]:
    """The letters of a map by the printed numbers of their hexes, without what is off the map.

    file: as messages name it. Each fault goes to `on_fault` with line and column, and its row or column is left out; of
    the columns off the map, and of the rows, only the first is named.
    """
    lines = _lines(text, file)
    try:
        columns = _columns(next(lines, []), on_fault)
    except InputError as error:
        return on_fault(error)
    rows, outside = set[int](), set[str]()
    for head, *letters in lines:
        try:
            row = _row(head, rows, letters, columns)
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
            (first, last), (top, bottom) = grid.columns, grid.rows
            what = "row" if first <= column <= last else "column"
            if what not in outside:
                outside.add(what)
                hint = f"columns run from {first} to {last}, rows from {top} to {bottom}"
                fault = f"{what} {row if what == 'row' else column} is off the map"
                on_fault(InputError(fault, where=letter.where, hint=hint))
    return None


def _lines(text: str, file: str) -> Iterator[list[Letter]]:
    """The words of each line that has any."""
    for number, line in enumerate(lines_of(text), 1):
        if words := [Letter(match[0], Where(file, number, match.start() + 1)) for match in _WORD.finditer(line)]:
            yield words


_WORD = re.compile(r"\S+")


def _columns(words: Sequence[Letter], on_fault: OnFault) -> list[int | None]:
    """The numbers of the columns, None for one that is there before. Raises InputError for what is not a number."""
    columns: list[int | None] = []
    seen = set[int]()
    for word in words:
        column = _number(word)
        if column in seen:
            what = f"column {word.text} is drawn twice"
            on_fault(InputError(what, where=word.where, hint="leave out one of the two"))
            columns.append(None)
        else:
            columns.append(column)
            seen.add(column)
    return columns


def _row(head: Letter, before: set[int], letters: Sequence[Letter], columns: Sequence[int | None]) -> int:
    """The number of a row, which joins those before. Raises InputError for one that is there before, or has not a
    letter a column.
    """
    row = _number(head)
    if row in before:
        raise InputError(f"row {head.text} is drawn twice", where=head.where, hint="leave out one of the two")
    before.add(row)
    if len(letters) != len(columns):
        what = f"row {row} has {len(letters)} letters for {len(columns)} columns"
        raise InputError(what, where=head.where, hint=f"a letter for each column; {OFF} is off the map")
    return row


def _number(word: Letter) -> int:
    number = natural(word.text)
    if number is None:
        hint = "the columns stand in the first line, and the row before each of the others"
        raise InputError(f"{word.text!r} is not a column or row number", where=word.where, hint=hint)
    return number


HEAD = "board.toml"
_ON_THE_MAP: tuple[Subject, ...] = ("hex", "hexside", "box")


class Edge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it is known which hexes are on the map."""

    source: Source
    note: str = ""
    rule: str = ""


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    """What `board.toml` says. source: of whatever names no other; kilometres: the width of a hex, 0 if that is not
    known.
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


def in_head(folder: Traversable, *path: str) -> Where:
    """A place in the head of the board in a folder. path: the keys that lead there; none for the head as a whole."""
    name = f"{folder.name}/{HEAD}"
    return Where(name, line_of(read_text(inner(folder, HEAD), name), path) if path else 0)


def read_head(folder: Traversable, on_fault: OnFault) -> BoardFile | None:
    """The head of the board in a folder. Each fault goes to `on_fault`; None after one that leaves the numbers of its
    hexes unknown.
    """
    file, where = inner(folder, HEAD), in_head(folder)
    known = True

    def lost(fault: InputError) -> None:
        nonlocal known
        known = False
        on_fault(fault)

    data = read_toml(file, dict[str, Any], lost, where.file)
    if not known:
        return None
    if "grid" in data:
        grid = read_table(data["grid"], HexGrid, file, lost, ("grid",), name=where.file)
        try:
            grid.check()
        except InputError as error:
            lost(error.told_as(f"[grid] {error.what}", in_head(folder, "grid")))
    board_file = read_table(data if known else {**data, "grid": {}}, BoardFile, file, on_fault, name=where.file)
    return board_file if known and "grid" in data else None


def letters_of(
    folder: Traversable, head: BoardFile, tracks: Mapping[str, Track], terrain: str, on_fault: OnFault
) -> dict[str, Value]:
    """What the letters of `terrain.txt` stand for. terrain: the track; each fault goes to `on_fault`."""
    letters: dict[str, Value] = {}
    for letter, word in head.terrain.items():
        try:
            if letter in (UNKNOWN, OFF) or letter.split() != [letter]:
                hint = f"another letter: {OFF} is off the map, and {UNKNOWN} is a hex of unknown terrain"
                raise InputError(f"[terrain] {letter!r} cannot stand for {word}", hint=hint)
            letters[letter] = _track(tracks, terrain, ("hex",)).check(word)
        except InputError as error:
            on_fault(error.at(in_head(folder, "terrain", letter)))
    return letters


def silence_of(folder: Traversable, head: BoardFile, tracks: Mapping[str, Track], on_fault: OnFault) -> dict[str, Fact]:
    """For each track that is drawn completely, the fact that holds where nothing is drawn. Each fault goes to
    `on_fault`.
    """
    facts: dict[str, Fact] = {}
    for name in head.whole:
        try:
            facts[name] = Fact(_track(tracks, name, _ON_THE_MAP).nothing, head.source)
        except InputError as error:
            on_fault(error.at(in_head(folder, "whole")))
    return facts


def check_picture(folder: Traversable, head: BoardFile, on_fault: OnFault) -> None:
    """Tell of a picture that is not there or contradicts itself."""
    if (picture := head.picture) is None:
        return
    try:
        picture.check()
        if not inner(folder, picture.file).is_file():
            raise InputError(f"file {picture.file} is missing", hint="put it into the board's folder")
    except InputError as error:
        on_fault(error.told_as(f"[picture] {error.what}", in_head(folder, "picture")))


def check_boxes(folder: Traversable, head: BoardFile, on_fault: OnFault) -> None:
    """Tell of a box without a name, of one with the name of another, and of one with the number of a hex."""

    def tell(what: str, hint: str) -> None:
        on_fault(InputError(f"boxes: {what}", where=in_head(folder, "boxes"), hint=hint))

    seen = set[str]()
    for box in head.boxes:
        if not box.strip() or not box.isprintable():
            tell(f"{box!r} is not a name", "write the name as the map prints it")
        elif box.casefold() in seen:
            tell(f"{box!r} is named twice", "leave out one of the two; capitals do not matter")
        elif _is_a_hex(head.grid, box):
            tell(f"{box!r} is the number of a hex", "give the box a name of its own")
        seen.add(box.casefold())


def _is_a_hex(grid: HexGrid, text: str) -> bool:
    try:
        grid.parse(text)
    except InputError:
        return False
    return True


def _track(tracks: Mapping[str, Track], name: str, on: tuple[Subject, ...]) -> Track:
    """A track of the game about one of these kinds of subject. Raises InputError with the nearest one."""
    if name not in tracks or tracks[name].on not in on:
        known = (track.name for track in tracks.values() if track.on in on)
        of = f"a {on[0]}" if len(on) == 1 else "the map"
        raise InputError(f"unknown track {name!r} of {of}", hint=suggested(name, known))
    return tracks[name]
