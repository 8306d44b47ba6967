"""The named places of a board: `places.csv`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from ...state.sources import Source
from ...state.tracks import Track
from ...util.datafiles import inner, read_rows
from ...util.errors import InputError, OnFault, suggested
from .board import Board
from .entries import Basis, Place, check_name, read_since

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FILE = "places.csv"
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
    file = inner(folder, FILE)
    if not file.is_file():
        return ()
    places: dict[tuple[str, str], Place] = {}
    strange: set[str] = set()
    for row, where in read_rows(file, ("hex", "name"), f"{folder.name}/{FILE}", on_fault):
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
