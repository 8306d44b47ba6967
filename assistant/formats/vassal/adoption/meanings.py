"""The meaning of a mapping's words in a game, and the game's numbers for a module's hexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from ....game.boards.board import Board
from ....game.games import Game
from ....game.hexes import Hex, HexGrid
from ....state.tracks import Fact, Subject, Track
from ....state.words import Word, find_words
from ....util.errors import InputError
from ..legends import Statement

Given = str | Mapping[str, str] | Sequence[str]
"""The words of a mapping for some values: one text with `{}` for the value, or a text for each value or number."""
VALUE = "{}"
"""The placeholder of the value in words."""
OTHER_VALUES = "*"
"""The key for all other values in a table of words by value."""


class Meanings:
    """The statements of words in a game. Results are cached, because many pieces share their words."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.vocabulary = game.vocabulary
        self.stated = cache(self._state)
        self._possible = cache(self._find_possible)

    def _state(self, words: str, subjects: tuple[Subject, ...], value: str = "") -> tuple[Statement, ...]:
        """Return the statements of words about the first kind of subject that has such facts.

        A word whose value is not allowed is stated nevertheless, so that a reader reports it.

        `value`: the replacement of `{}` in the words.

        Raises InputError if a word states nothing.
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
        """Return the facts stated by words about the first kind of subject that has such facts.

        `value`: the replacement of `{}` in the words.

        Raises InputError if a word states nothing, or its value is not allowed.
        """
        return (self.fact(word.replace(VALUE, value), subjects) for word in _split_words(words))

    def fact(self, word: str, subjects: Sequence[Subject]) -> tuple[Track, Fact]:
        """Return the fact of one word.

        Raises InputError if the word states nothing, or its value is not allowed.
        """
        for on in subjects:
            if stated := self.vocabulary.read(on, Word(word, 0)):
                return stated
        raise InputError(f"{word!r} states no fact", hint=self.vocabulary.suggest(subjects[0], word))

    def possible(self, given: Given, subjects: tuple[Subject, ...]) -> list[str]:
        """Return the tracks that a layer or property may state, according to the mapping's words for it."""
        return list(dict.fromkeys(track for words in list_words(given) for track in self._possible(words, subjects)))

    def _find_possible(self, words: str, subjects: tuple[Subject, ...]) -> tuple[str, ...]:
        return tuple(track.name for word in _split_words(words) for track in self.tracks(word, subjects))

    def tracks(self, word: str, subjects: Sequence[Subject]) -> list[Track]:
        """Return the tracks that a word may state, with any value for `{}`."""
        if VALUE not in word:
            try:
                return [self.fact(word, subjects)[0]]
            except InputError:
                return []
        before = word.partition(VALUE)[0].casefold().rstrip("+-")

        def begins(track: Track) -> bool:
            return before in {begun.casefold().rstrip("+-") for begun in _list_beginnings(track)}

        return [track for on in subjects for track in self.game.tracks.values() if track.on == on and begins(track)]

    def check(self, words: str, subjects: Sequence[Subject]) -> None:
        """Raise InputError if a word states nothing, with any value for `{}`."""
        for word in _split_words(words):
            if VALUE not in word:
                self.fact(word, subjects)
            elif not self.tracks(word, subjects):
                hint = self.vocabulary.suggest(subjects[0], word.partition("=")[0])
                raise InputError(f"{word!r} states no fact", hint=hint)


def _split_words(words: str) -> list[str]:
    """Return the words of a text.

    Raises InputError if it has stray characters.
    """
    return [word.text for word in find_words(words, 1)] if words else []


def _list_beginnings(track: Track) -> Iterator[str]:
    """Yield the texts before a value of a track in notation."""
    yield f"{track.name}="
    before, slot, _ = track.written.partition(VALUE)
    if slot:
        yield before


def words_for(given: Given, value: str, number: int = -1) -> str:
    """Return a mapping's words for a value, or for a number in a list, or "" if it has none."""
    if isinstance(given, str):
        return given if value else ""
    if isinstance(given, Mapping):
        return given.get(value, given.get(OTHER_VALUES, "") if value else "")
    return given[number] if 0 <= number < len(given) else ""


def list_words(given: Given) -> Iterable[str]:
    """Return all the words of a mapping for a layer or property."""
    if isinstance(given, str):
        return [given]
    return given.values() if isinstance(given, Mapping) else given


class Numbers:
    """The conversion from the numbers of a module's map to the game's.

    `format`: the format of the module's numbers, or "" if it is the game's.
    `known`: hexes of the module, each with the game's number.

    Raises InputError if the format lacks column or row, or if the known hexes contradict each other.
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
        """Return the game's number of the hex that the module numbers `printed`, or "" if the game lacks the hex."""
        try:
            if self.is_same:
                return self.board.place(printed) if not self.board.is_box(printed) else ""
            there = self.theirs.parse(printed)
            return self.board.place(self.board.grid.name(Hex(self.columns.at(there.column), self.rows.at(there.row))))
        except InputError:
            return ""


class _NumberRule:
    """A rule for converting numbers: they rise or fall in step with other numbers."""

    def __init__(self, offset: int = 0, step: int = 1) -> None:
        self.offset = offset
        self.step = step

    def at(self, number: int) -> int:
        """Return the game's number for a number of the module."""
        return self.offset + self.step * number

    @staticmethod
    def through(pairs: list[tuple[int, int]]) -> _NumberRule:
        """Return the rule for pairs of module and game numbers.

        Raises InputError if there is none.
        """
        if not pairs:
            return _NumberRule()
        (module_number, game_number), *others = pairs
        fitting = (_NumberRule(game_number - step * module_number, step) for step in (1, -1))
        line = next((line for line in fitting if all(line.at(theirs) == ours for theirs, ours in others)), None)
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
        """Return the game's name of a printed place, or ""."""
        return next(self._named(printed), "")

    def is_aside(self, printed: str) -> bool:
        """Return whether the mapping puts a place out of play."""
        return self.boxes.get(printed.casefold()) == ""

    def _named(self, printed: str) -> Iterator[str]:
        if (box := self.boxes.get(printed.casefold())) is not None:
            yield box
        elif printed:
            yield from filter(None, [self.numbers.hex(printed)])
            if self.board.is_box(printed):
                yield self.board.place(printed)
