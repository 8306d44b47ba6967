"""The title and the grid of a board, and what its other files leave unsaid: `board.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ...state.tracks import Fact, Source, Subject, Track, Value
from ...util.datafiles import find_toml_line, read_table, read_text, read_toml, resolve_within
from ...util.errors import InputError, OnFault, Where, format_suggestion
from ..hexes import HexGrid
from .folder import HEAD
from .letters import OFF, UNKNOWN
from .map_picture import MapPicture

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


_ON_THE_MAP: tuple[Subject, ...] = ("hex", "hexside", "box")


class Edge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it is known which hexes are on the map."""

    source: Source
    note: str = ""
    rule: str = ""


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    """What `board.toml` says."""

    title: str
    source: Source
    """Of whatever names no other."""
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    terrain: dict[str, str] = {}
    whole: tuple[str, ...] = ()
    edge: Edge | None = None
    picture: MapPicture | None = None
    kilometres: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 0.0
    """The width of a hex, 0 if that is not known."""
    north: Annotated[float, msgspec.Meta(ge=-180, le=180)] = 0.0
    """How far the true north is turned from the top of the map, in degrees clockwise."""


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


def read_terrain(
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


def read_silence(
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
