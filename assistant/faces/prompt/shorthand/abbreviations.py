"""The words typed at the table: hexes without punctuation, units, and words of the game by their first letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial

from ....formats.chains import ChainReader
from ....formats.new_units import units_called
from ....formats.positions import Position
from ....game.games import Game, find_army, find_side
from ....state.tracks import Subject, Track
from ....state.words import Word
from ....util.errors import InputError, Where, nearest
from ....util.texts import folded, names_short_for, words_begun

MIN_LETTERS = 3
"""The minimum length of a beginning that stands for a question."""
_WORDS_OF_SENTENCES = ("in", "is", "at", "on", "to", "of")
"""The words of sentences that are no abbreviations."""


class Abbreviations:
    """The words known at a position, and their abbreviations."""

    def __init__(self, position: Position) -> None:
        self.game = position.game
        self.board = self.game.board(position.state.board)
        self.vocabulary = self.game.vocabulary
        self._names = names = (*self.game.roster, *position.state.units)
        self.chains = ChainReader(self.board.grid, self.game.file.notation, self.vocabulary, partial(Where, "", 0))
        self.on_map = [unit.id for unit in position.state.units.values() if unit.place]
        self._units = {name.casefold(): name for name in names}
        # names that may be typed in several ways
        self._spelled = [name for name in names if " " in name or not name.isascii()]
        self.longest = max((name.count(" ") + 1 for name in self._spelled), default=1)
        """The maximum number of words of a unit's name."""

    def punctuate(self, value: str) -> str:
        """Return the value of a parameter with its hexes and units in the game's spelling."""
        return ",".join(self.board.grid.punctuated(self.unit(part) or part) for part in value.split(","))

    def place(self, text: str) -> str:
        """Return the hex or box with a name, or "".

        Raises InputError for a hex off the map.
        """
        full = self.board.grid.punctuated(text)
        try:
            return self.board.place(full)
        except InputError:
            if full != text:
                raise
            return ""

    def unit(self, text: str) -> str:
        """Return the unit with a name, in any capitals, accents and spacing, or "" if it is unknown."""
        if known := self._units.get(text.casefold(), ""):
            return known
        bare = folded(text)
        alike = self._units_by_folded_name.get(bare) or self._units_by_name_without_blanks.get(bare, set())
        return next(iter(alike)) if len(alike) == 1 else ""

    @cached_property
    def _units_by_folded_name(self) -> dict[str, set[str]]:
        return _units_by(folded, self._names)

    @cached_property
    def _units_by_name_without_blanks(self) -> dict[str, set[str]]:
        return _units_by(lambda name: folded(name).replace(" ", ""), self._spelled)

    def units_called(self, text: str) -> list[str]:
        return units_called(text, self.on_map) or units_called(text, self._units.values())

    def nearest_units(self, text: str) -> str:
        """Return a hint with similar names of units on the map, or ""."""
        return nearest(text, self.on_map, few=0)

    def named_unit(self, word: Word) -> str:
        return "" if self.is_fact("unit", word) else self.unit(word.text)

    def join_names(self, words: Sequence[Word], *, signed: bool = False) -> Iterator[Word]:
        """Yield the words, joining those that together name a unit or are a word of the game (`minor river`).

        `signed`: whether units at the beginning may be preceded by + or -.
        """
        start = 0
        may_be_signed = signed
        while start < len(words):
            may_be_signed = may_be_signed and words[start].text[:1] in ("+", "-")
            end = self._find_end(words, start, signed=may_be_signed)
            end_of_next = self._find_end(words, start + 1)
            if end > start + 1 and end_of_next <= end:
                yield Word(
                    " ".join(word.text for word in words[start:end]), words[start].column, quoted=not may_be_signed
                )
            elif start + 1 < len(words) and (known := self._find_compound(words[start], words[start + 1])):
                end = start + 2
                yield Word(known, words[start].column)
            else:
                end = start + 1
                yield words[start]
            start = end

    def _find_compound(self, first: Word, second: Word) -> str:
        if first.quoted or second.quoted:
            return ""
        compound = f"{first.text}-{second.text}".casefold()
        return compound if compound in self._compounds else ""

    @cached_property
    def _compounds(self) -> frozenset[str]:
        return frozenset(word for track in self.game.tracks.values() for word in track.values if "-" in word)

    def _find_end(self, words: Sequence[Word], start: int, *, signed: bool = False) -> int:
        """Return the end of the longest unit name with spaces that begins at `start`, or the index of the next word.

        `signed`: whether a sign precedes the name.
        """
        for end in range(min(start + self.longest, len(words)), start + 1, -1):
            joined = words[start:end]
            name = " ".join(word.text for word in joined)[signed:]
            if not any(word.quoted for word in joined) and self.unit(name):
                return end
        return start + 1

    def track_stated(self, on: Subject, text: str) -> str:
        """Return the track of the fact that a word states, or ""."""
        stated = self.vocabulary.read(on, Word(text, 0))
        return stated[0].name if stated else ""

    def ratings(self, word: Word) -> str:
        """Return ratings such as `10--5-10` or `(10-?-5-10)` in the form that notation has in brackets, or ""."""
        text = word.text.removeprefix("(").removesuffix(")")
        parts = text.split("-")
        if word.quoted or len(parts) != len(self.game.file.notation.brackets) or not re.fullmatch(r"[0-9?-]+", text):
            return ""
        return "-".join(part or "?" for part in parts)

    def complete(self, on: Subject, word: Word) -> str:
        """Return the word of the game that a word abbreviates, or else the word itself.

        A possible word of a sentence, such as `in` or a word with its question mark, abbreviates no other.

        Raises InputError if the word is ambiguous.
        """
        if word.quoted or word.text.casefold() in _WORDS_OF_SENTENCES:
            return word.text
        bare = word.text.removesuffix("?")
        mark = word.text[len(bare) :]
        name, equals, value = self._split_value(on, bare)
        if equals:
            return self._complete_value(on, name, value, mark) or word.text
        if on == "game" or self.is_fact(on, word):  # a few letters must not change the whole game
            if bare == bare.lower():
                return word.text
            whole = pick_only(bare, (), self.vocabulary.whole(on)) or bare
            return f"{whole}{mark}"
        if "+" in name and (joined := self._join_values(on, name.split("+"))):
            return f"{joined}{mark}"
        if on == "hex" and name.isalpha() and (terrain := self.game.file.notation.letters.get(name.casefold())):
            return f"{terrain}{mark}"
        candidates = words_begun(name, self.vocabulary.whole(on))
        if not candidates and on == "unit":
            candidates = self.nations(name)
        typed_first = [word_begun for word_begun in candidates if self.is_typed_first(on, word_begun)]
        chosen = pick_only(bare, typed_first or candidates)
        is_meant = chosen and (not mark or chosen == bare.casefold())
        return f"{chosen}{mark}" if is_meant else word.text

    def _join_values(self, on: Subject, parts: Sequence[str]) -> str:
        """Return several values of one track, such as `heavy+high`, in full and with the track's name, or ""."""
        if not all(parts):
            return ""
        words = [self.complete(on, Word(part, 0)) for part in parts]
        first, *others = {self.track_stated(on, word) for word in words}
        track = None if others else self.game.tracks.get(first)
        return f"{track.name}={'+'.join(words)}" if track and track.kind == "choices" else ""

    def _split_value(self, on: Subject, bare: str) -> tuple[str, str, str]:
        """Return the name, the sign and the value in a word: `ip=2`, or `ip2` for a track with numbers."""
        name, equals, value = bare.partition("=")
        if not equals and (match := re.fullmatch(r"([A-Za-z-]*[A-Za-z])([+-]?[0-9]+)", bare)):
            track = self.game.tracks.get(match[1].casefold())
            if track and track.on == on and track.kind == "integer":
                return track.name, "=", match[2]
        return name, equals, value

    def _complete_value(self, on: Subject, name: str, value: str, mark: str) -> str:
        """Return a `name=value` word with its track and value in full, or "" if no track has that beginning.

        A name of one word precedes those with a hyphen (`supply`, not `supply-phase-done`).

        `mark`: the question mark after the word, or "".
        """
        known = {track.name: track for track in self.game.tracks.values() if track.on == on}
        candidates = words_begun(name, known)
        # a flag is mostly stated without a value
        likely = [track for track in candidates if known[track].kind != "flag"] or candidates
        of_one_word = [track for track in likely if "-" not in track]
        chosen = pick_only(name, of_one_word or likely, exact=known)
        if not chosen:
            return ""
        return f"{chosen}={self.value(self.game.tracks[chosen], value)}{mark}"

    def value(self, track: Track, text: str) -> str:
        """Return the value of a track that a text abbreviates, or else the text itself; a nation stands for its side.

        Raises InputError if several values share the beginning.
        """
        if track.kind == "choices":
            return "+".join(self._complete_word(track, part) for part in text.split("+"))
        return self._complete_word(track, text) if track.kind == "choice" else text

    def _complete_word(self, track: Track, text: str) -> str:
        short = names_short_for if track.name == self.game.file.picture.nation else words_begun
        if chosen := pick_only(text, short(text, track.values), exact=track.values):
            return chosen
        side = find_side(self.game, text)
        return side if side in track.values else text

    def nations(self, text: str) -> list[str]:
        """Return the nations of units that a text abbreviates."""
        track = self.game.tracks.get(self.game.file.picture.nation)
        return names_short_for(text, track.values) if track else []

    def is_fact(self, on: Subject, word: Word) -> bool:
        """Return whether a word states a fact without being completed."""
        try:
            return self.vocabulary.read(on, word) is not None
        except InputError:
            return True  # the error is reported when the word is read

    def is_typed_first(self, on: Subject, word: str) -> bool:
        """Return whether a word states what players type first: a unit's identity, or a fact with a usual value."""
        return self.track_stated(on, word) in {*self.game.file.prompt.usual, *self.game.file.notation.identity}

    def subject(self, on: str, name: str) -> str:
        if on == "army":
            return find_army(self.game, name)
        if on == "side":
            return find_side(self.game, name) or name
        nations = [nation for nations in self.game.file.sides.values() for nation in nations]
        return pick_only(name, names_short_for(name, nations), exact=nations) or name

    def question(self, word: str, questions: Iterable[str]) -> str:
        """Return the question that a word is or abbreviates, or "".

        If a name is also the beginning of another before a hyphen, the shorter name is meant (`supply`, not
        `supply-phase`).

        Raises InputError for a beginning that several names share.
        """
        names = list(questions)
        if word in names:
            return word
        may_begin_one = len(word) >= MIN_LETTERS and not self.unit(word)
        candidates = words_begun(word, names) if may_begin_one else []
        shortest = [name for name in candidates if "-" not in name or name.partition("-")[0] not in candidates]
        return pick_only(word, shortest)


def usual_values(game: Game, name: str) -> Sequence[str]:
    """Return the usual values of a fact or a parameter, the most usual first, or none if the game names none."""
    usual = game.file.prompt.usual.get(name, ())
    return [usual] if isinstance(usual, str) else usual


def pick_only(text: str, candidates: Sequence[str], exact: Iterable[str] = ()) -> str:
    """Return the only candidate, or the word that equals the text, or "" if there is none.

    `exact`: further words that may equal the text.

    Raises InputError if there are several candidates.
    """
    for word in (*candidates, *exact):
        if word.casefold() == text.casefold():
            return word
    if len(candidates) > 1:
        raise InputError(f"{text!r} may mean {' or '.join(sorted(candidates))}", hint="type more letters")
    return candidates[0] if candidates else ""


def _units_by(spelling: Callable[[str], str], names: Iterable[str]) -> dict[str, set[str]]:
    units: dict[str, set[str]] = {}
    for name in names:
        units.setdefault(spelling(name), set()).add(name)
    return units
