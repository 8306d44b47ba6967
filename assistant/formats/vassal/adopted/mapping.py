"""A mapping: what the pieces of a published module mean to a game, as a TOML file that a player corrects.

A piece is named by its name (`29 Inf Div`), by the file of its picture (`29id.png`), or by its slot (`#1204`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as File
from typing import Annotated

import msgspec

from ....game.boards.board import Board
from ....game.games import Game
from ....util.datafiles import read_text, read_toml
from ....util.errors import InputError, OnFault, Where, stop, suggested
from ....util.fitting import Path, line_of, named
from .alike import kind_of
from .places import Numbers
from .words import OF_GAME, OF_UNIT, VALUE, Given, Meanings, all_words

LONGEST = 500
"""How many letters a name or the words of a mapping may have."""
Text = Annotated[str, msgspec.Meta(max_length=LONGEST)]
Words = tuple[Text, ...]
"""By level of a layer, by entry of a list or by field of a trait: the words of position notation that it states, "" for none."""


class MapMeaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a map of the module is to the game.

    aside: what lies on it is not in play. hexes: how the module writes the number of a hex, as a grid's `format` does; "" if it writes
    it like the game. known: hexes as the module writes them, each with its number on the game's map: one tells how far the two are
    apart, a second one in another column and row whether they count in opposite directions. boxes: other places of the module's map, each with the
    game's box, "" for one that is not in play.
    """

    aside: bool = False
    hexes: Text = ""
    known: dict[Text, Text] = {}
    boxes: dict[Text, Text] = {}


class OwnTrait(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of trait of the module's own code: the words that the fields of its type and of its state give, in their order."""

    type: Words = ()
    state: Words = ()


class ModuleMapping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the pieces of a module mean.

    module, version: its name, and the version that was looked at; game, board: what is played on it; folder: where a game is that is not
    installed.
    ignored: pieces that mean nothing. sides: the game's, by the module's name. units: the piece or the pieces of each unit; units that differ
    in the number behind their name, `Infantry` and `Infantry (2)`, may share them. markers:
    the words that a piece states of its hex, or of the unit below it; "" if its layers and properties say it. layers: by name.
    properties: by the name of a marker, a dynamic property or a text label. traits: of the module's own code, by kind; one that stands
    here does not hide its piece. turn: by the name of a level of the turn tracker. dice: by the name of a button, the roll that it throws, "" for any.
    """

    module: Text
    version: Text = ""
    game: Text
    folder: str = ""
    board: Text = ""
    ignored: tuple[Text, ...] = ()
    sides: dict[Text, Text] = {}
    maps: dict[Text, MapMeaning] = {}
    units: dict[Text, Text | tuple[Text, ...]] = {}
    markers: dict[Text, Text] = {}
    layers: dict[Text, Words] = {}
    properties: dict[Text, Text | dict[Text, Text]] = {}
    traits: dict[Text, OwnTrait] = {}
    turn: dict[Text, Text | Words | dict[Text, Text]] = {}
    dice: dict[Text, Text] = {}

    def pieces_of(self, unit: str) -> tuple[str, ...]:
        """The pieces of a unit, as the mapping names them."""
        given = self.units.get(unit, ())
        return tuple(filter(None, (given,) if isinstance(given, str) else given))


def read_mapping(file: File, on_fault: OnFault = stop) -> ModuleMapping:
    """The mapping in a file. Each fault goes to `on_fault` with file and line."""
    return read_toml(file, ModuleMapping, on_fault, str(file))


def check_mapping(mapping: ModuleMapping, game: Game, file: File, on_fault: OnFault = stop) -> None:
    """Send each entry of a mapping that does not fit its game to `on_fault`, with file and line."""
    for path, error in _faults(mapping, game):
        where = Where(str(file), line_of(read_text(file, str(file)), path))
        on_fault(error.told_as(f"{named(path)}: {error.what}", where))


_Fault = tuple[Path, InputError]


def _faults(mapping: ModuleMapping, game: Game) -> Iterator[_Fault]:
    try:
        board = game.board(mapping.board)
    except InputError as fault:
        yield ("board",), fault
        return
    for name, side in mapping.sides.items():
        if side and side not in game.file.sides:
            yield ("sides", name), InputError(f"unknown side {side!r}", hint=suggested(side, game.file.sides))
    for name, meaning in mapping.maps.items():
        for path, error in _of_map(meaning, board):
            yield ("maps", name, *path), error
    yield from _of_units(mapping, game)
    yield from _of_words(mapping, Meanings(game))


def _of_map(meaning: MapMeaning, board: Board) -> Iterator[_Fault]:
    for place, box in meaning.boxes.items():
        try:
            board.place(box or board.grid.name(board.grid.middle))
        except InputError as fault:
            yield ("boxes", place), fault
    try:
        Numbers(meaning.hexes, meaning.known, board)
    except InputError as fault:
        yield ("known" if meaning.known else "hexes",), fault


def _of_units(mapping: ModuleMapping, game: Game) -> Iterator[_Fault]:
    taken: dict[str, str] = {}
    for unit in mapping.units:
        if unit not in game.roster:
            yield ("units", unit), InputError(f"unknown unit {unit!r}", hint=suggested(unit, game.roster))
        for piece in mapping.pieces_of(unit):
            if kind_of(other := taken.setdefault(piece, unit)) != kind_of(unit):
                hint = "name one of the two by its slot, such as #1204, or by its picture"
                yield ("units", unit), InputError(f"{piece!r} is {other} too", hint=hint)


def _of_words(mapping: ModuleMapping, meanings: Meanings) -> Iterator[_Fault]:
    of_traits = {(kind, part): getattr(own, part) for kind, own in mapping.traits.items() for part in ("type", "state")}
    given: dict[Path, Given] = {
        **{("markers", name): (words,) for name, words in mapping.markers.items()},
        **{("layers", name): words for name, words in mapping.layers.items()},
        **{("properties", name): words for name, words in mapping.properties.items()},
        **{("traits", *path): words for path, words in of_traits.items()},
        **{("turn", name): words for name, words in mapping.turn.items()},
    }
    for path, words in given.items():
        subjects = OF_GAME if path[0] == "turn" else OF_UNIT
        for text in all_words(words):
            try:
                if VALUE in text and path[0] in ("markers", "layers"):
                    raise InputError(
                        f"{text!r} has no value to stand for {VALUE}", hint="write the words of each level"
                    )
                meanings.check(text, subjects)
            except InputError as fault:
                yield path, fault
