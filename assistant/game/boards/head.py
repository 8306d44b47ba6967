"""The file `board.toml`: a board's title, its grid, and defaults for its other files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ...state.tracks import Fact, Source, Subject, Track, Value
from ...util.datafiles import find_toml_line, read_table, read_text, read_toml, resolve_within
from ...util.errors import InputError, OnFault, Where, format_suggestion
from ..hexes import HexGrid
from .folder import HEAD
from .letters import OFF_MAP, UNKNOWN
from .map_picture import MapPicture

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


_MAP_SUBJECTS: tuple[Subject, ...] = ("hex", "hexside", "box")


class Edge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The source of the extent of the map: of the set of hexes that are on it."""

    source: Source
    note: str = ""
    rule: str = ""


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    """The contents of `board.toml`."""

    title: str
    source: Source
    """The source of entries that name no other."""
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    terrain: dict[str, str] = {}
    whole: tuple[str, ...] = ()
    edge: Edge | None = None
    picture: MapPicture | None = None
    kilometres: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 0.0
    """The width of a hex in kilometres, or 0 if the width is unknown."""
    north: Annotated[float, msgspec.Meta(ge=-180, le=180)] = 0.0
    """The angle from the top of the map to true north, in degrees clockwise."""


def in_head(folder: Traversable, *path: str) -> Where:
    """Return the place of a key in a board's `board.toml`.

    `path`: the keys that lead to the key, or none for the file as a whole.
    """
    name = f"{folder.name}/{HEAD}"
    return Where(name, find_toml_line(read_text(resolve_within(folder, HEAD), name), path) if path else 0)


def read_board_head(folder: Traversable, on_fault: OnFault) -> BoardFile | None:
    """Return the contents of `board.toml`, or None after a fault that leaves the hex numbers unknown.

    `on_fault`: receives each fault.
    """
    file = resolve_within(folder, HEAD)
    where = in_head(folder)
    is_readable = True

    def report(fault: InputError) -> None:
        nonlocal is_readable
        is_readable = False
        on_fault(fault)

    data = read_toml(file, dict[str, Any], report, where.file)
    if not is_readable:
        return None
    if "grid" in data:
        grid = read_table(data["grid"], HexGrid, file, report, ("grid",), name=where.file)
        try:
            grid.check()
        except InputError as error:
            report(error.told_as(f"[grid] {error.what}", in_head(folder, "grid")))
    board_file = read_table(data if is_readable else {**data, "grid": {}}, BoardFile, file, on_fault, name=where.file)
    return board_file if is_readable and "grid" in data else None


def read_terrain(
    folder: Traversable, head: BoardFile, tracks: Mapping[str, Track], terrain: str, on_fault: OnFault
) -> dict[str, Value]:
    """Return the terrain of each letter of `terrain.txt`.

    `on_fault`: receives each fault.
    """
    letters: dict[str, Value] = {}
    for letter, word in head.terrain.items():
        try:
            if letter in (UNKNOWN, OFF_MAP) or letter.split() != [letter]:
                hint = f"choose another letter: {OFF_MAP} is off the map, and {UNKNOWN} is a hex of unknown terrain"
                raise InputError(f"[terrain] {letter!r} cannot stand for {word}", hint=hint)
            letters[letter] = _find_track(tracks, terrain, ("hex",)).check(word)
        except InputError as error:
            on_fault(error.at(in_head(folder, "terrain", letter)))
    return letters


def read_silence(
    folder: Traversable, head: BoardFile, tracks: Mapping[str, Track], on_fault: OnFault
) -> dict[str, Fact]:
    """Return the fact for hexes where nothing is drawn, for each completely drawn track.

    `on_fault`: receives each fault.
    """
    facts: dict[str, Fact] = {}
    for name in head.whole:
        try:
            facts[name] = Fact(_find_track(tracks, name, _MAP_SUBJECTS).nothing, head.source)
        except InputError as error:
            on_fault(error.at(in_head(folder, "whole")))
    return facts


def check_board_picture(folder: Traversable, head: BoardFile, on_fault: OnFault) -> None:
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
    """Yield the faults in the names of a board's boxes, without file and line."""
    seen_names = set[str]()
    for box in boxes:
        if not box.strip() or not box.isprintable():
            yield InputError(f"boxes: {box!r} is not a name", hint="write the name as the map prints it")
        elif box.casefold() in seen_names:
            hint = "leave out one of the two; upper and lower case are the same"
            yield InputError(f"boxes: {box!r} is named twice", hint=hint)
        elif _is_a_hex(grid, box):
            yield InputError(f"boxes: {box!r} is the number of a hex", hint="give the box another name")
        seen_names.add(box.casefold())


def _is_a_hex(grid: HexGrid, text: str) -> bool:
    try:
        grid.parse(text)
    except InputError:
        return False
    return True


def _find_track(tracks: Mapping[str, Track], name: str, subjects: tuple[Subject, ...]) -> Track:
    if name not in tracks or tracks[name].on not in subjects:
        known = (track.name for track in tracks.values() if track.on in subjects)
        subject = f"a {subjects[0]}" if len(subjects) == 1 else "the map"
        raise InputError(f"unknown track {name!r} of {subject}", hint=format_suggestion(name, known))
    return tracks[name]
