"""A mapping: what the pieces, words and places of a published module mean to a game, as a TOML file that a player
corrects, kept in the user's data folder.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path as File
from typing import Annotated

import msgspec
import tomli

from ....game.boards.board import Board
from ....game.games import Game
from ....game.hexes import Hex, HexGrid
from ....state.tracks import Fact, Subject, Track
from ....state.words import Word, find_words
from ....util.datafiles import KeyPath, find_toml_line, format_path, read_text, read_toml
from ....util.errors import InputError, OnFault, Where, format_suggestion, similar, stop
from ....util.files import data_folder, read_bytes
from ....util.limits import Limit
from ....util.notes import note
from ....util.texts import folded
from ..controls import Controls
from ..legends import Statement
from ..maps import MapWindow
from ..pieces import Piece

NUMBERED = "{} ({})"
"""The name of a unit that is not the first of its kind: `Infantry (2)`."""
_NUMBER = re.compile(r" \([0-9]+\)$")


def shared_unit_name(unit: str) -> str:
    """Return what units are called whose counters are all alike: their name without the number behind it."""
    return _NUMBER.sub("", unit)


def pieces_in_order(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces as they are numbered: by their ids, for those stay the same wherever they move and whoever hides
    them.

    A number that a side does not see tells it of a counter out of sight, and no more: a roster that all may read names
    all of them.
    """
    return sorted(pieces, key=lambda piece: _sort_key(piece.id))


def _sort_key(id: str) -> tuple[int, str]:
    """Return what ids are sorted by: VASSAL counts its own upwards; others come after them."""
    return (len(id), id) if re.fullmatch("[1-9][0-9]*", id) else (len(id) + 1000, id)


def share_units(
    pieces: Sequence[Piece], units: Mapping[str, tuple[str, ...]], is_placed: Callable[[Piece], bool]
) -> dict[str, str]:
    """Return the unit of each piece, by its id, for as many pieces as there are units.

    pieces: in their order; units: those that a piece may be, by its id. Pieces on the map come first, and of these the
    ones that no side hides, so that no piece that is left over reveals a hidden one.
    """
    alike: dict[tuple[str, ...], list[Piece]] = {}
    known: dict[int, list[Piece]] = {}  # by the very tuple: hundreds of alike pieces share one of hundreds of units
    for piece in pieces:
        possible = units[piece.id]
        if id(possible) not in known:
            known[id(possible)] = alike.setdefault(possible, [])
        known[id(possible)].append(piece)
    units_of = dict[str, str]()
    given = set[str]()
    for possible, some in alike.items():
        free = [unit for unit in possible if unit not in given]
        if len(some) > len(free):
            first = sorted(some, key=lambda piece: (not is_placed(piece), bool(piece.owners())))
            chosen = {piece.id for piece in first[: len(free)]}
            some = [piece for piece in some if piece.id in chosen]
        units_of |= {piece.id: unit for piece, unit in zip(some, free, strict=False)}
        given.update(free[: len(some)])
    return units_of


Given = str | Mapping[str, str] | Sequence[str]
"""What a mapping gives for values: words with `{}` for the value, or the words by value, or by number."""
VALUE = "{}"
"""What stands for the value in words."""
OTHERS = "*"
"""What stands for all other values in a table of words by value."""
OF_UNIT: tuple[Subject, ...] = ("unit", "hex")
OF_MARKER: tuple[Subject, ...] = ("hex", "unit")
OF_GAME: tuple[Subject, ...] = ("game",)


class Meanings:
    """What words state in a game. What was read once is remembered, for many pieces state the same."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.vocabulary = game.vocabulary
        self.stated = cache(self._state)
        self._possible = cache(self._find_possible)

    def _state(self, words: str, subjects: tuple[Subject, ...], value: str = "") -> tuple[Statement, ...]:
        """Return what words state of the first kind of subject that knows them. value: what stands for `{}` in them.

        A word whose value its track does not allow is stated as it is, for a reader to tell. Raises InputError for a
        word that states nothing.
        """
        return tuple(self._statement(word, subjects, value) for word in _split_words(words))

    def _statement(self, pattern: str, subjects: tuple[Subject, ...], value: str) -> Statement:
        word = pattern.replace(VALUE, value)
        try:
            track, fact = self.fact(word, subjects)
            return Statement(track.name, str(fact.value) if track.kind == "text" else word)
        except InputError:
            tracks = self.tracks(pattern, subjects)
            if not tracks:
                raise
            return Statement(tracks[0].name, word)

    def facts(self, words: str, subjects: Sequence[Subject], value: str = "") -> Iterator[tuple[Track, Fact]]:
        """Return what words state of the first kind of subject that knows them, as facts. value: what stands for `{}`
        in them.

        Raises InputError for a word that states nothing, or a value that its track does not allow.
        """
        return (self.fact(word.replace(VALUE, value), subjects) for word in _split_words(words))

    def fact(self, word: str, subjects: Sequence[Subject]) -> tuple[Track, Fact]:
        """Return what one word states. Raises InputError if it states nothing, or a value that is not allowed."""
        for on in subjects:
            if stated := self.vocabulary.read(on, Word(word, 0)):
                return stated
        raise InputError(f"{word!r} states no fact", hint=self.vocabulary.suggest(subjects[0], word))

    def possible(self, given: Given, subjects: tuple[Subject, ...]) -> list[str]:
        """Return the tracks that a layer, a property or the like may state by the words that a mapping gives for it."""
        return list(dict.fromkeys(track for words in _list_words(given) for track in self._possible(words, subjects)))

    def _find_possible(self, words: str, subjects: tuple[Subject, ...]) -> tuple[str, ...]:
        return tuple(track.name for word in _split_words(words) for track in self.tracks(word, subjects))

    def tracks(self, word: str, subjects: Sequence[Subject]) -> list[Track]:
        """Return the tracks that a word may state, whatever stands for `{}` in it."""
        if VALUE not in word:
            try:
                return [self.fact(word, subjects)[0]]
            except InputError:
                return []
        before = word.partition(VALUE)[0].casefold().rstrip("+-")
        return [
            track
            for on in subjects
            for track in self.game.tracks.values()
            if track.on == on and before in {begun.casefold().rstrip("+-") for begun in _list_beginnings(track)}
        ]

    def check(self, words: str, subjects: Sequence[Subject]) -> None:
        """Raise InputError for words of which one states nothing, whatever stands for `{}` in it."""
        for word in _split_words(words):
            if VALUE not in word:
                self.fact(word, subjects)
            elif not self.tracks(word, subjects):
                hint = self.vocabulary.suggest(subjects[0], word.partition("=")[0])
                raise InputError(f"{word!r} states no fact", hint=hint)


def _split_words(words: str) -> list[str]:
    """Return the words of a text. Raises InputError for stray characters."""
    return [word.text for word in find_words(words, 1)] if words else []


def _list_beginnings(track: Track) -> Iterator[str]:
    """Yield what stands before a value of a track in notation."""
    yield f"{track.name}="
    before, slot, _ = track.written.partition(VALUE)
    if slot:
        yield before


def words_for(given: Given, value: str, number: int = -1) -> str:
    """Return the words that a mapping gives for a value, or for its number in a list, "" for none."""
    if isinstance(given, str):
        return given if value else ""
    if isinstance(given, Mapping):
        return given.get(value, given.get(OTHERS, "") if value else "")
    return given[number] if 0 <= number < len(given) else ""


def _list_words(given: Given) -> Iterable[str]:
    """Return all the words that a mapping gives for a layer, a property or the like."""
    if isinstance(given, str):
        return [given]
    return given.values() if isinstance(given, Mapping) else given


class Numbers:
    """How the numbers of a module's map lead to those of the game's.

    format: of the module's numbers, "" if they are written like the game's; known: hexes of the module by the game's
    number.

    Raises InputError for a format without column and row, and for known hexes that contradict each other.
    """

    def __init__(self, format: str, known: Mapping[str, str], board: Board) -> None:
        self.board = board
        reach = (-9999, 9999)
        self.theirs = HexGrid(format=format or board.grid.format, columns=reach, rows=reach)
        self.theirs.check()
        self.is_same = not format and not known
        pairs = [(self.theirs.parse(there), board.grid.parse(here)) for there, here in known.items()]
        self.columns = _NumberRule.through([(there.column, here.column) for there, here in pairs])
        self.rows = _NumberRule.through([(there.row, here.row) for there, here in pairs])

    def hex(self, printed: str) -> str:
        """Return the game's number of a hex, "" if there is none."""
        try:
            if self.is_same:
                return self.board.place(printed) if not self.board.is_box(printed) else ""
            there = self.theirs.parse(printed)
            return self.board.place(self.board.grid.name(Hex(self.columns.at(there.column), self.rows.at(there.row))))
        except InputError:
            return ""


class _NumberRule:
    """Numbers that count with others, or against them."""

    def __init__(self, offset: int = 0, step: int = 1) -> None:
        self.offset = offset
        self.step = step

    def at(self, number: int) -> int:
        """Return the number that stands beside one of theirs."""
        return self.offset + self.step * number

    @staticmethod
    def through(pairs: list[tuple[int, int]]) -> _NumberRule:
        """Return the line through pairs of theirs and ours. Raises InputError if there is none."""
        if not pairs:
            return _NumberRule()
        (there, here), *more = pairs
        fitting = (_NumberRule(here - step * there, step) for step in (1, -1))
        line = next((line for line in fitting if all(line.at(one) == other for one, other in more)), None)
        if line is None:
            hint = "the numbers must run in equal steps on both maps, in the same direction or in opposite ones"
            raise InputError("the known hexes contradict each other", hint=hint)
        return line


class Places:
    """The places of one map of a module."""

    def __init__(self, board: Board, numbers: Numbers, boxes: Mapping[str, str]) -> None:
        self.board = board
        self.numbers = numbers
        self.boxes = {name.casefold(): box for name, box in boxes.items()}
        self.name = cache(self._name)

    def _name(self, printed: str) -> str:
        """Return the game's name of a place that the module prints, "" for none."""
        return next(self._named(printed), "")

    def is_aside(self, printed: str) -> bool:
        """Return whether the mapping says that what lies at a place is not in play."""
        return self.boxes.get(printed.casefold()) == ""

    def _named(self, printed: str) -> Iterator[str]:
        if (box := self.boxes.get(printed.casefold())) is not None:
            yield box
        elif printed:
            yield from filter(None, [self.numbers.hex(printed)])
            if self.board.is_box(printed):
                yield self.board.place(printed)


LONGEST = 500
"""How many letters a name or the words of a mapping may have."""
Text = Annotated[str, msgspec.Meta(max_length=LONGEST)]
Words = tuple[Text, ...]
"""By level of a layer, by entry of a list or by field of a trait: the words of position notation that it states, "" for
none.
"""


class MapMeaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a map of the module is to the game."""

    aside: Annotated[bool, note("what is on it is not in play")] = False
    hexes: Annotated[
        Text, note('how the module writes the number of a hex, as a grid\'s `format`; "" as the game does')
    ] = ""
    known: Annotated[
        dict[Text, Text], note("hexes as the module writes them, each with its number on the game's map: one or two")
    ] = {}
    boxes: Annotated[
        dict[Text, Text], note("other places of the module's map, each with the game's box, \"\" for one not in play")
    ] = {}


class OwnTrait(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of trait of the module's own code: the words that the fields of its type and of its state give, in their
    order.
    """

    type: Words = ()
    state: Words = ()


class ModuleMapping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the pieces of a module mean."""

    module: Text
    version: Annotated[Text, note("the one that was inspected")] = ""
    game: Text
    folder: Annotated[str, note("where a game is that is not installed")] = ""
    board: Text = ""
    ignored: Annotated[tuple[Text, ...], note("pieces that mean nothing")] = ()
    sides: Annotated[dict[Text, Text], note("the game's, by the module's name")] = {}
    maps: dict[Text, MapMeaning] = {}
    units: Annotated[
        dict[Text, Text | tuple[Text, ...]],
        note("the piece or the pieces of each unit; units that differ only in a number may share them"),
    ] = {}
    markers: Annotated[
        dict[Text, Text],
        note('the words that a piece states of its hex or of the unit below it; "" if its layers say it'),
    ] = {}
    layers: Annotated[dict[Text, Words], note("by name")] = {}
    properties: Annotated[
        dict[Text, Text | dict[Text, Text]], note("by the name of a marker, a dynamic property or a text label")
    ] = {}
    traits: Annotated[
        dict[Text, OwnTrait], note("of the module's own code, by kind; none of these hides its piece")
    ] = {}
    turn: Annotated[
        dict[Text, Text | Words | dict[Text, Text]], note("by the name of a level of the turn tracker")
    ] = {}
    dice: Annotated[dict[Text, Text], note('by the name of a button, the roll that it throws, "" for any')] = {}

    def pieces_of(self, unit: str) -> tuple[str, ...]:
        """Return the pieces of a unit, as the mapping names them."""
        given = self.units.get(unit, ())
        return tuple(filter(None, (given,) if isinstance(given, str) else given))


def read_mapping(file: File, on_fault: OnFault = stop) -> ModuleMapping:
    """Return the mapping in a file. Each fault goes to `on_fault` with file and line."""
    return read_toml(file, ModuleMapping, on_fault, str(file))


def check_mapping(mapping: ModuleMapping, game: Game, file: File, on_fault: OnFault = stop) -> None:
    """Send each entry of a mapping that does not fit its game to `on_fault`, with file and line."""
    for path, error in _find_faults(mapping, game):
        where = Where(str(file), find_toml_line(read_text(file, str(file)), path))
        on_fault(error.told_as(f"{format_path(path)}: {error.what}", where))


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
        for path, error in _find_map_faults(meaning, board):
            yield ("maps", name, *path), error
    yield from _find_unit_faults(mapping, game)
    yield from _find_word_faults(mapping, Meanings(game))


def _find_map_faults(meaning: MapMeaning, board: Board) -> Iterator[_Fault]:
    for place, box in meaning.boxes.items():
        try:
            board.place(box or board.grid.name(board.grid.middle))
        except InputError as fault:
            yield ("boxes", place), fault
    try:
        Numbers(meaning.hexes, meaning.known, board)
    except InputError as fault:
        yield ("known" if meaning.known else "hexes",), fault


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
        subjects = OF_GAME if path[0] == "turn" else OF_UNIT
        for text in _list_words(words):
            try:
                if VALUE in text and path[0] in ("markers", "layers"):
                    raise InputError(
                        f"{text!r} holds {VALUE}, but there is no value to put there",
                        hint="write the words of each level",
                    )
                meanings.check(text, subjects)
            except InputError as fault:
                yield path, fault


_MODULES = "modules"
_LONGEST = 60
"""The most letters of a file's name that come from the module's."""


class Fixtures(msgspec.Struct, frozen=True):
    """What of a module's file its saves need to be read: the boards and grids of its maps, its trackers and buttons."""

    maps: Mapping[str, MapWindow]
    controls: Controls = Controls()
    pieces: tuple[str, ...] = ()
    """All names by which a mapping may call its pieces."""


def mapping_file(module: str, game: str) -> File:
    """Return the file of the mapping of a module, by its name, for a game."""
    return data_folder() / _MODULES / game / f"{_make_file_name(module)}.toml"


def fixtures_file(mapping: File) -> File:
    """Return the file with the fixtures of a module, beside its mapping."""
    return mapping.with_suffix(".json")


def mapping_files() -> list[File]:
    """Return the files of all mappings, in the order of their names."""
    return sorted((data_folder() / _MODULES).glob("*/*.toml"))


def has_mappings() -> bool:
    """Return whether any module is adopted."""
    return (data_folder() / _MODULES).is_dir()


def adopted_games(module: str) -> list[str]:
    """Return the games for which a module is adopted, by its name."""
    folder = data_folder() / _MODULES
    if not module or not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if mapping_file(module, path.name).is_file())


def like_named(module: str) -> tuple[str, File] | None:
    """Return the name and the mapping of the adopted module whose name is most like that of another; None if none is."""
    known = {name: file for file in mapping_files() if (name := _read_key(file, "module"))}
    nearest = similar(module, known, 0.7, 1) if module else []
    return (nearest[0], known[nearest[0]]) if nearest else None


def folder_of(game: str) -> str:
    """Return the folder of a game that is not installed, as the mappings of modules that were adopted for it name it;
    "" if none does.
    """
    folder = data_folder() / _MODULES / game
    if not folder.is_dir():
        return ""
    named = (_read_key(file, "folder") for file in sorted(folder.glob("*.toml")))
    return next((home for home in named if home and File(home, "game.toml").is_file()), "")


def _read_key(mapping: File, key: str) -> str:
    """Return what a mapping says at its head, "" if it says nothing or cannot be read."""
    try:
        value = tomli.loads(read_bytes(mapping).decode()).get(key)
    except (InputError, ValueError, RecursionError):  # told by whoever reads the whole mapping
        return ""
    return value if isinstance(value, str) else ""


def read_fixtures(file: File) -> Fixtures:
    """Return the fixtures of a module. Raises InputError if they are missing or damaged."""
    hint = "make it again: assistant adopt MODULE --game GAME"
    try:
        data = read_bytes(file)
        Limit.DATA.check(len(data), "it holds")
        return msgspec.json.decode(data, type=Fixtures)
    except InputError as error:
        raise InputError(error.what, where=Where(str(file)), hint=hint) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"it is damaged: {error}", where=Where(str(file)), hint=hint) from None


def _make_file_name(module: str) -> str:
    """Return a module's name as that of a file. Of names without a letter or a digit of ours, and of very long ones, a
    checksum keeps them apart.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", folded(module)).strip("-")
    if plain and len(plain) <= _LONGEST:
        return plain
    return f"{plain[:_LONGEST] or 'module'}-{hashlib.sha256(module.encode()).hexdigest()[:8]}"
