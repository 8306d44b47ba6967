"""What words typed at the table stand for: hexes without punctuation, words of the game by their first letters,
units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial

from ....formats.chains import ChainReader
from ....formats.new_units import units_called
from ....formats.positions import Position
from ....game.games import Game, find_army, find_side
from ....state.tracks import Subject, Track
from ....state.words import Word
from ....util.errors import InputError, Where, nearest
from ....util.texts import folded, names_short_for, words_begun

LETTERS = 3
"""From how many letters on a beginning stands for a question."""
_SPOKEN = ("in", "is", "at", "on", "to", "of")
"""Words of sentences that are no abbreviations."""


class Abbreviations:
    """The words that a position knows, and what is short for them."""

    def __init__(self, position: Position) -> None:
        self.game = position.game
        self.board = self.game.board(position.state.board)
        self.vocabulary = self.game.vocabulary
        self._names = names = (*self.game.roster, *position.state.units)
        self.chains = ChainReader(self.board.grid, self.game.file.notation, self.vocabulary, partial(Where, "", 0))
        self.on_map = [unit.id for unit in position.state.units.values() if unit.place]
        self._units = {name.casefold(): name for name in names}
        self._spelled = [name for name in names if " " in name or not name.isascii()]  # perhaps in several ways
        self.longest = max((name.count(" ") + 1 for name in self._spelled), default=1)
        """How many words the longest name of a unit has."""

    def punctuate(self, value: str) -> str:
        """Return the value of a parameter, with its hex numbers punctuated and its units written as the game does."""
        return ",".join(self.board.grid.punctuated(self.unit(part) or part) for part in value.split(","))

    def place(self, text: str) -> str:
        """Return the hex or box of a name, "" for any other text. Raises InputError for a hex off the map."""
        full = self.board.grid.punctuated(text)
        try:
            return self.board.place(full)
        except InputError:
            if full != text:
                raise
            return ""

    def unit(self, text: str) -> str:
        """Return the unit of a name, with or without its capitals, accents and spaces, "" if unknown."""
        if known := self._units.get(text.casefold(), ""):
            return known
        bare = folded(text)
        among = self._spelled if text.isascii() else self._names
        alike = {name for name in among if folded(name) == bare}
        alike = alike or {name for name in among if folded(name).replace(" ", "") == bare}
        return alike.pop() if len(alike) == 1 else ""

    def units_called(self, text: str) -> list[str]:
        """Return the units of whose names a text is a part: those on the map, or else any."""
        return units_called(text, self.on_map) or units_called(text, self._units.values())

    def nearest_units(self, text: str) -> str:
        """Return a hint that names the units on the map nearest to a text, "" if none is near."""
        return nearest(text, self.on_map, few=0)

    def named_unit(self, word: Word) -> str:
        """Return the unit that a word names, "" if none; a word of the game names one only in quotes."""
        return "" if self.is_fact("unit", word) else self.unit(word.text)

    def join_names(self, words: Sequence[Word], *, signed: bool = False) -> Iterator[Word]:
        """Yield the words, those that together are the name of a unit with spaces as one, or a word of the game, `minor
        river`. signed: also of a unit behind a + or -, first on its line or behind another such word.
        """
        at = 0
        sign = signed
        while at < len(words):
            sign = sign and words[at].text[:1] in ("+", "-")
            here = self._find_end(words, at, signed=sign)
            next_one = self._find_end(words, at + 1)
            if here > at + 1 and next_one <= here:
                yield Word(" ".join(word.text for word in words[at:here]), words[at].column, quoted=not sign)
            elif at + 1 < len(words) and (known := self._find_compound(words[at], words[at + 1])):
                here = at + 2
                yield Word(known, words[at].column)
            else:
                here = at + 1
                yield words[at]
            at = here

    def _find_compound(self, first: Word, second: Word) -> str:
        """Return the word of the game that two words are with a hyphen between them, "" if none."""
        if first.quoted or second.quoted:
            return ""
        compound = f"{first.text}-{second.text}".casefold()
        return compound if compound in self._compounds else ""

    @cached_property
    def _compounds(self) -> frozenset[str]:
        """The words of the game's tracks that have a hyphen."""
        return frozenset(word for track in self.game.tracks.values() for word in track.values if "-" in word)

    def _find_end(self, words: Sequence[Word], at: int, *, signed: bool = False) -> int:
        """Return where the longest name of a unit with spaces ends that begins at a word; the next word if there is
        none.
        """
        for end in range(min(at + self.longest, len(words)), at + 1, -1):
            several = words[at:end]
            name = " ".join(word.text for word in several)[signed:]
            if not any(word.quoted for word in several) and self.unit(name):
                return end
        return at + 1

    def track_stated(self, on: Subject, text: str) -> str:
        """Return the track of a kind of subject about which a word states a fact; "" if it states none."""
        stated = self.vocabulary.read(on, Word(text, 0))
        return stated[0].name if stated else ""

    def ratings(self, word: Word) -> str:
        """Return `10--5-10` or `(10-?-5-10)` as notation writes it in brackets; "" for anything else."""
        text = word.text.removeprefix("(").removesuffix(")")
        parts = text.split("-")
        if word.quoted or len(parts) != len(self.game.file.notation.brackets) or not re.fullmatch(r"[0-9?-]+", text):
            return ""
        return "-".join(part or "?" for part in parts)

    def complete(self, on: Subject, word: Word) -> str:
        """Return the word of the game that a word abbreviates; the word itself if none. What may be a word of a
        sentence, `in` or one with its question mark, abbreviates none. Raises InputError if it is ambiguous.
        """
        if word.quoted or word.text.casefold() in _SPOKEN:
            return word.text
        bare = word.text.removesuffix("?")
        mark = word.text[len(bare) :]
        name, equals, value = self._split_value(on, bare)
        if equals:
            return self._complete_value(on, name, value, mark) or word.text
        if on == "game" or self.is_fact(on, word):  # what counts for the whole game is not switched on by a few letters
            if bare == bare.lower():
                return word.text
            whole = pick_only(bare, (), self.vocabulary.whole(on)) or bare
            return f"{whole}{mark}"
        if "+" in name and (several := self._join_values(on, name.split("+"))):
            return f"{several}{mark}"
        if on == "hex" and name.isalpha() and (terrain := self.game.file.notation.letters.get(name.casefold())):
            return f"{terrain}{mark}"
        candidates = words_begun(name, self.vocabulary.whole(on))
        if not candidates and on == "unit":
            candidates = self.nations(name)
        first = [word_begun for word_begun in candidates if self.is_typed_first(on, word_begun)]
        chosen = pick_only(bare, first or candidates)
        is_meant = chosen and (not mark or chosen == bare.casefold())
        return f"{chosen}{mark}" if is_meant else word.text

    def _join_values(self, on: Subject, parts: Sequence[str]) -> str:
        """Return several values of one track, `heavy+high`, with its name and in full; "" for anything else."""
        if not all(parts):
            return ""
        words = [self.complete(on, Word(part, 0)) for part in parts]
        first, *others = {self.track_stated(on, word) for word in words}
        track = None if others else self.game.tracks.get(first)
        return f"{track.name}={'+'.join(words)}" if track and track.kind == "choices" else ""

    def _split_value(self, on: Subject, bare: str) -> tuple[str, str, str]:
        """Return a word as name, sign and value: `ip=2`, or `ip2` for the number of a track."""
        name, equals, value = bare.partition("=")
        if not equals and (match := re.fullmatch(r"([A-Za-z-]*[A-Za-z])([+-]?[0-9]+)", bare)):
            track = self.game.tracks.get(match[1].casefold())
            if track and track.on == on and track.kind == "integer":
                return track.name, "=", match[2]
        return name, equals, value

    def _complete_value(self, on: Subject, name: str, value: str, mark: str) -> str:
        """Return a `name=value` word with its track and value in full; "" if no track of the kind begins so. A name of
        one word comes before those with a hyphen (`supply`, not `supply-phase-done`).
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
        """Return the value of a track that a text is or begins; the text itself if there is none. A nation stands for
        its side.

        Raises InputError for a beginning that several values share.
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
        """Return the nations of units that a text is short for; none in a game whose units have none."""
        track = self.game.tracks.get(self.game.file.picture.nation)
        return names_short_for(text, track.values) if track else []

    def is_fact(self, on: Subject, word: Word) -> bool:
        """Return whether a word states a fact as it stands."""
        try:
            return self.vocabulary.read(on, word) is not None
        except InputError:
            return True  # its reader says what is wrong

    def is_typed_first(self, on: Subject, word: str) -> bool:
        """Return whether a word states what a player types first: the identity of a unit, or a fact that has a usual
        value.
        """
        return self.track_stated(on, word) in {*self.game.file.prompt.usual, *self.game.file.notation.identity}

    def subject(self, on: str, name: str) -> str:
        """Return the side, nation or army that a name stands for; the name itself if none."""
        if on == "army":
            return find_army(self.game, name)
        if on == "side":
            return find_side(self.game, name) or name
        nations = [nation for nations in self.game.file.sides.values() for nation in nations]
        return pick_only(name, names_short_for(name, nations), exact=nations) or name

    def question(self, word: str, questions: Iterable[str]) -> str:
        """Return the question that a word is or begins, "" if none; before a hyphen it begins the shorter of two names
        (`supply`, not `supply-phase`). Raises InputError for a beginning that several share.
        """
        names = list(questions)
        if word in names:
            return word
        may_begin_one = len(word) >= LETTERS and not self.unit(word)
        candidates = words_begun(word, names) if may_begin_one else []
        shortest = [name for name in candidates if "-" not in name or name.partition("-")[0] not in candidates]
        return pick_only(word, shortest)


def usual_values(game: Game, name: str) -> Sequence[str]:
    """Return the usual values of a fact or a parameter, the first of them first; none if the game names none."""
    usual = game.file.prompt.usual.get(name, ())
    return [usual] if isinstance(usual, str) else usual


def pick_only(text: str, candidates: Sequence[str], exact: Iterable[str] = ()) -> str:
    """Return the only one of the words that a text begins, or the one that it is; "" if there is none.

    Raises InputError if there are several.
    """
    for word in (*candidates, *exact):
        if word.casefold() == text.casefold():
            return word
    if len(candidates) > 1:
        raise InputError(f"{text!r} may mean {' or '.join(sorted(candidates))}", hint="type more letters")
    return candidates[0] if candidates else ""
