"""Towns and other named places of a board: `places.csv`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from ...state.tracks import Source, Track
from ...util.datafiles import read_rows, resolve_within
from ...util.errors import InputError, OnFault, format_suggestion
from .board import Board
from .features import Basis, NamedPlace, check_name, read_since
from .folder import PLACES

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""Where the name of a place may stand, seen from it."""
CLASSES = ("city", "fortress", "town", "village")
"""The classes of places in a game that has no track of its own for them."""
_NAME_PREFIX = "name-"
_COLUMNS = ("hex", "name", "class", "fortress", "terminus", "label", "source", "note", "rule", "since")


def read_board_places(
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
                hex=read_hex(board, row["hex"]),
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


def choose_towns(places: Sequence[NamedPlace], town: Track | None) -> Iterator[tuple[NamedPlace, str]]:
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


def read_hex(board: Board, text: str) -> str:
    """Return the hex of a place. Raises InputError for what cannot be read."""
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
