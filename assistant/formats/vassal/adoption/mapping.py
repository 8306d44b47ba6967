"""A mapping: the meaning of a published module's pieces, words and places in a game.

It is a TOML file in the user's data folder, for a player to correct.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path as File
from typing import Annotated

import msgspec

from ....game.boards.board import Board
from ....game.games import Game
from ....game.roster import shared_unit_name
from ....state.tracks import Subject
from ....util.datafiles import find_toml_line, format_path, read_text, read_toml
from ....util.errors import InputError, KeyPath, OnFault, Where, format_suggestion, stop
from ....util.notes import note
from .meanings import VALUE, Given, Meanings, Numbers, list_words

UNIT_SUBJECTS: tuple[Subject, ...] = ("unit", "hex")
MARKER_SUBJECTS: tuple[Subject, ...] = ("hex", "unit")
GAME_SUBJECTS: tuple[Subject, ...] = ("game",)


MAX_NAME_CHARS = 500
"""Maximum length of a name or of the words in a mapping."""
Text = Annotated[str, msgspec.Meta(max_length=MAX_NAME_CHARS)]
Words = tuple[Text, ...]
"""The words of position notation for each level of a layer, entry of a list or field of a trait; "" states nothing."""


class BoardMeaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The position of a module's board on the picture of a game's board."""

    at: Annotated[
        tuple[int, int] | None,
        note("the pixel of the picture at its upper left corner; left out if its places are found by what it prints"),
    ] = None
    scale: Annotated[
        float, msgspec.Meta(ge=0.001, le=1000), note("the pixels of the picture for one of the module")
    ] = 1.0
    turned: Annotated[bool, note("whether it lies there upside down")] = False
    picture: Annotated[Text, note("the game's board with the picture, or \"\" for the mapping's")] = ""
    boxes: Annotated[
        dict[Text, Text], note("the places, as those of the map; if any are named, the board has no others")
    ] = {}


class MapMeaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The role of a module's map in the game."""

    aside: Annotated[bool, note("whether the pieces on the map are not in play")] = False
    hexes: Annotated[
        Text, note("the format of the module's hex numbers, as a grid's `format`, or \"\" if it is the game's")
    ] = ""
    known: Annotated[
        dict[Text, Text], note("one or two hexes by the module's numbers, each with its number on the game's map")
    ] = {}
    boxes: Annotated[
        dict[Text, Text], note("other places of the module's map, each with the game's box, or \"\" if out of play")
    ] = {}
    boards: Annotated[
        dict[Text, BoardMeaning],
        note("the boards on pictures of the game; if any are named, the others show no places"),
    ] = {}
    guessed: Annotated[bool, note("whether its hexes were guessed and are still to be confirmed")] = False


class OwnTrait(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of trait of the module's own code, with words for the fields of its type and state, in order."""

    type: Words = ()
    state: Words = ()


class ModuleMapping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The meaning of a module's pieces."""

    module: Text
    version: Annotated[Text, note("the module's version that was read")] = ""
    game: Text
    folder: Annotated[str, note("the folder of a game that is not installed")] = ""
    board: Text = ""
    ignored: Annotated[tuple[Text, ...], note("pieces without a meaning")] = ()
    sides: Annotated[dict[Text, Text], note("the game's side by the module's name of the side")] = {}
    maps: dict[Text, MapMeaning] = {}
    units: Annotated[
        dict[Text, Text | tuple[Text, ...]],
        note("the piece or pieces of each unit; units that differ only in a number may share them"),
    ] = {}
    markers: Annotated[
        dict[Text, Text],
        note('the words of a piece about its hex or the unit below it, or "" if its layers state them'),
    ] = {}
    layers: Annotated[dict[Text, Words], note("the words of each level, by the layer's name")] = {}
    properties: Annotated[
        dict[Text, Text | dict[Text, Text]], note("words by the name of a marker, a dynamic property or a text label")
    ] = {}
    traits: Annotated[
        dict[Text, OwnTrait], note("traits of the module's own code, by kind; none of these hides its piece")
    ] = {}
    turn: Annotated[
        dict[Text, Text | Words | dict[Text, Text]], note("words by the name of a level of the turn tracker")
    ] = {}
    dice: Annotated[dict[Text, Text], note('the roll of each button, or "" for any, by the button\'s name')] = {}

    def pieces_of(self, unit: str) -> tuple[str, ...]:
        """Return the pieces of a unit by their names in the mapping."""
        given = self.units.get(unit, ())
        return tuple(filter(None, (given,) if isinstance(given, str) else given))


def read_mapping(file: File, on_fault: OnFault = stop) -> ModuleMapping:
    """Return the mapping in a file. Each fault goes to `on_fault` with file and line."""
    return read_toml(file, ModuleMapping, on_fault, str(file))


def check_mapping(mapping: ModuleMapping, game: Game, file: File) -> None:
    """Raise InputError with file and line if an entry of a mapping does not fit its game."""
    for path, error in _find_faults(mapping, game):
        where = Where(str(file), find_toml_line(read_text(file, str(file)), path))
        raise error.told_as(f"{format_path(path)}: {error.what}", where)


_Fault = tuple[KeyPath, InputError]


def _find_faults(mapping: ModuleMapping, game: Game) -> Iterator[_Fault]:
    try:
        board = game.board(mapping.board)
    except InputError as fault:
        yield ("board",), fault
        return
    for name, side in mapping.sides.items():
        if side and side not in game.file.sides:
            yield ("sides", name), InputError(f"unknown side {side!r}", hint=format_suggestion(side, game.file.sides))
    for name, meaning in mapping.maps.items():
        for path, error in _find_map_faults(meaning, board, game):
            yield ("maps", name, *path), error
    yield from _find_unit_faults(mapping, game)
    yield from _find_word_faults(mapping, Meanings(game))


def _find_map_faults(meaning: MapMeaning, board: Board, game: Game) -> Iterator[_Fault]:
    for name, board_meaning in meaning.boards.items():
        try:
            shown = game.board(board_meaning.picture) if board_meaning.picture else board
            if board_meaning.at is not None and shown.picture is None:
                raise InputError(f"the board {shown.name} has no picture", hint="leave out `at`, or add the picture")
        except InputError as fault:
            yield ("boards", name), fault
        for path, error in _find_box_faults(board_meaning.boxes, board):
            yield ("boards", name, *path), error
    yield from _find_box_faults(meaning.boxes, board)
    try:
        Numbers(meaning.hexes, meaning.known, board)
    except InputError as fault:
        yield ("known" if meaning.known else "hexes",), fault


def _find_box_faults(boxes: Mapping[str, str], board: Board) -> Iterator[_Fault]:
    for place, box in boxes.items():
        try:
            board.place(box or board.grid.name(board.grid.middle))
        except InputError as fault:
            yield ("boxes", place), fault


def _find_unit_faults(mapping: ModuleMapping, game: Game) -> Iterator[_Fault]:
    taken: dict[str, str] = {}
    for unit in mapping.units:
        if unit not in game.roster:
            yield ("units", unit), InputError(f"unknown unit {unit!r}", hint=format_suggestion(unit, game.roster))
        for piece in mapping.pieces_of(unit):
            other = taken.setdefault(piece, unit)
            if shared_unit_name(other) != shared_unit_name(unit):
                hint = "name one of the two by its slot, such as #1204, or by its picture"
                yield ("units", unit), InputError(f"{piece!r} is already {other}", hint=hint)


def _find_word_faults(mapping: ModuleMapping, meanings: Meanings) -> Iterator[_Fault]:
    of_traits = {(kind, part): getattr(own, part) for kind, own in mapping.traits.items() for part in ("type", "state")}
    given: dict[KeyPath, Given] = {
        **{("markers", name): (words,) for name, words in mapping.markers.items()},
        **{("layers", name): words for name, words in mapping.layers.items()},
        **{("properties", name): words for name, words in mapping.properties.items()},
        **{("traits", *path): words for path, words in of_traits.items()},
        **{("turn", name): words for name, words in mapping.turn.items()},
    }
    for path, words in given.items():
        subjects = GAME_SUBJECTS if path[0] == "turn" else UNIT_SUBJECTS
        for text in list_words(words):
            try:
                if VALUE in text and path[0] in ("markers", "layers"):
                    raise InputError(
                        f"{text!r} holds {VALUE}, but there is no value to put there",
                        hint="write the words of each level",
                    )
                meanings.check(text, subjects)
            except InputError as fault:
                yield path, fault
