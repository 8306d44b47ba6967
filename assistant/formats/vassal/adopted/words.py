"""The words by which a mapping says what a layer, a property or a marker states: those of position notation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....game.games import Game
from ....state.sources import Fact
from ....state.tracks import Subject, Track
from ....state.words import Vocabulary, Word, words_of
from ....util.errors import InputError
from ..legends.legend import Statement

Given = str | Mapping[str, str] | Sequence[str]
"""What a mapping gives for values: words with `{}` for the value, or the words by value, or by number."""
VALUE, OTHERS = "{}", "*"
"""What stands for the value in words, and for all other values in a table of them."""
OF_UNIT: tuple[Subject, ...] = ("unit", "hex")
OF_MARKER: tuple[Subject, ...] = ("hex", "unit")
OF_GAME: tuple[Subject, ...] = ("game",)


class Meanings:
    """What words state in a game. What was read once is remembered, for many pieces state the same."""

    def __init__(self, game: Game) -> None:
        self.game, self.vocabulary = game, Vocabulary(game.tracks)
        self._stated: dict[tuple[str, str, tuple[Subject, ...]], tuple[Statement, ...]] = {}
        self._tracks: dict[tuple[str, tuple[Subject, ...]], tuple[str, ...]] = {}

    def stated(self, words: str, subjects: tuple[Subject, ...], value: str = "") -> tuple[Statement, ...]:
        """What words state of the first kind of subject that knows them. value: what stands for `{}` in them.

        A word whose value its track does not allow is stated as it is, for a reader to tell. Raises InputError for a word that states nothing.
        """
        key = (words, value, subjects)
        if key not in self._stated:
            self._stated[key] = tuple(self._statement(word, subjects, value) for word in _parts(words))
        return self._stated[key]

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
        """The same as facts. Raises InputError for a value that its track does not allow, too."""
        return (self.fact(word.replace(VALUE, value), subjects) for word in _parts(words))

    def fact(self, word: str, subjects: Sequence[Subject]) -> tuple[Track, Fact]:
        """What one word states. Raises InputError if it states nothing, or a value that is not allowed."""
        for on in subjects:
            if found := self.vocabulary.read(on, Word(word, 0)):
                return found
        raise InputError(f"{word!r} states no fact", hint=self.vocabulary.instead(subjects[0], word))

    def possible(self, given: Given, subjects: tuple[Subject, ...]) -> list[str]:
        """The tracks that a layer, a property or the like may state by the words that a mapping gives for it."""
        return list(dict.fromkeys(track for words in all_words(given) for track in self._possible(words, subjects)))

    def _possible(self, words: str, subjects: tuple[Subject, ...]) -> tuple[str, ...]:
        key = (words, subjects)
        if key not in self._tracks:
            self._tracks[key] = tuple(track.name for word in _parts(words) for track in self.tracks(word, subjects))
        return self._tracks[key]

    def tracks(self, word: str, subjects: Sequence[Subject]) -> list[Track]:
        """The tracks that a word may state, whatever stands for `{}` in it."""
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
            if track.on == on and before in {begun.casefold().rstrip("+-") for begun in _beginnings(track)}
        ]

    def check(self, words: str, subjects: Sequence[Subject]) -> None:
        """Raise InputError for words of which one states nothing, whatever stands for `{}` in it."""
        for word in _parts(words):
            if VALUE not in word:
                self.fact(word, subjects)
            elif not self.tracks(word, subjects):
                hint = self.vocabulary.instead(subjects[0], word.partition("=")[0])
                raise InputError(f"{word!r} states no fact", hint=hint)


def _parts(words: str) -> list[str]:
    """The words of a text. Raises InputError for stray characters."""
    return [word.text for word in words_of(words, 1)] if words else []


def _beginnings(track: Track) -> Iterator[str]:
    """What stands before a value of a track in notation."""
    yield f"{track.name}="
    before, slot, _ = track.written.partition(VALUE)
    if slot:
        yield before


def words_for(given: Given, value: str, number: int = -1) -> str:
    """The words that a mapping gives for a value, or for its number in a list, "" for none."""
    if isinstance(given, str):
        return given if value else ""
    if isinstance(given, Mapping):
        return given.get(value, given.get(OTHERS, "") if value else "")
    return given[number] if 0 <= number < len(given) else ""


def all_words(given: Given) -> Iterator[str]:
    """All the words that a mapping gives for a layer, a property or the like."""
    yield from [given] if isinstance(given, str) else given.values() if isinstance(given, Mapping) else given
