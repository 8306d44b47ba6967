"""What words typed at the table stand for: hexes without punctuation, words of the game by their first letters, units."""

from __future__ import annotations

import re

from ..formats.positions import Position
from ..formats.words import Vocabulary, Word
from ..state.tracks import Subject
from ..util.errors import InputError


class Abbreviations:
    """The words that a position knows, and what is short for them."""

    def __init__(self, position: Position) -> None:
        self.game = position.game
        self.board = self.game.board(position.state.board)
        self.vocabulary = Vocabulary(self.game)
        self._units = {name.casefold(): name for name in (*self.game.roster, *position.state.units)}

    def punctuated(self, value: str) -> str:
        """The value of a parameter, with its hex numbers punctuated."""
        return ",".join(map(self.board.grid.punctuated, value.split(",")))

    def place(self, text: str) -> str:
        """The hex or box of a name, "" for any other text. Raises InputError for a hex off the map."""
        full = self.board.grid.punctuated(text)
        try:
            return self.board.place(full)
        except InputError:
            if full != text:
                raise
            return ""

    def unit(self, text: str) -> str:
        """The unit of a name, "" if unknown."""
        return self._units.get(text.casefold(), "")

    def named(self, word: Word) -> str:
        """The unit that a word names, "" if none; a word of the game names one only in quotes."""
        return "" if self.vocabulary.read("unit", word) else self.unit(word.text)

    def states(self, on: Subject, text: str) -> str:
        """The track of a kind of subject about which a word states a fact; "" if it states none."""
        found = self.vocabulary.read(on, Word(text, 0))
        return found[0].name if found else ""

    def ratings(self, word: Word) -> str:
        """`10--5-10` or `(10-?-5-10)` as notation writes it in brackets; "" for anything else."""
        text = word.text.removeprefix("(").removesuffix(")")
        parts = text.split("-")
        if word.quoted or len(parts) != len(self.game.file.notation.brackets) or not re.fullmatch(r"[0-9?-]+", text):
            return ""
        return "-".join(part or "?" for part in parts)

    def completed(self, on: Subject, word: Word) -> str:
        """The word of the game that a word abbreviates; the word itself if none. Raises InputError if it is ambiguous."""
        text = word.text
        if word.quoted or self.vocabulary.read(on, word):
            return text
        bare, mark = (text[:-1], "?") if text.endswith("?") else (text, "")
        name, equals, value = bare.partition("=")
        if equals:
            known = [track.name for track in self.game.tracks.values() if track.on == on]
        else:
            known = self.vocabulary.whole(on)
        found = [one for one in known if name and one.casefold().startswith(name.casefold())]
        first = [one for one in found if not equals and self._is_typed_first(on, one)]
        found = first if len(first) == 1 else found
        if len(found) > 1:
            raise InputError(f"{bare!r} may be {' or '.join(found)}", hint="type more letters")
        return f"{found[0]}{equals}{value}{mark}" if found else text

    def _is_typed_first(self, on: Subject, word: str) -> bool:
        """Whether a word states what a player types first: the identity of a unit, or a fact that has a usual value."""
        usual = self.game.file.table.usual if self.game.file.table else {}
        return self.states(on, word) in {*usual, *self.game.file.notation.identity}
