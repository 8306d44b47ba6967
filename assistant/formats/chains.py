"""Chains of hexes as a player types them: `4023=4022=4021-4020r`.

Players type networks of a paper map and paths of supply lines so. Signs and letters from the game's `[notation]` say
what is between two hexes and in a hex. Whole words are read as well: `40.21 -ferry- 40.20 rough`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..game.gamefile import Notation
from ..game.hexes import HexGrid
from ..state.words import Vocabulary, Word
from ..util.errors import InputError, Where
from ..util.patterns import late_pattern

NAMED_LINK = late_pattern("-([a-z][a-z0-9-]*(?:=[a-z][a-z0-9-]*)?[?]?)-", re.IGNORECASE)
"""A word or NAME=VALUE between two hexes."""


class ChainStep(NamedTuple):
    """A hex of a chain, with the words about the hex, and about the hexside to the previous hex."""

    hex: Word
    between: tuple[Word, ...] = ()
    within: tuple[Word, ...] = ()


@lru_cache(8)
def _compile_patterns(
    letters: tuple[str, ...], signs: tuple[tuple[str, str], ...]
) -> tuple[re.Pattern[str], re.Pattern[str], Mapping[str, str]]:
    """Return the patterns of words after a hex and between two hexes, and the word of each sign, long signs first."""
    longest_first = dict(sorted(signs, key=lambda sign: -len(sign[0])))
    behind = "|".join(["[A-Za-z?]", *map(re.escape, letters)])
    ties = "|".join([NAMED_LINK.pattern, *(re.escape(sign) for sign, _ in signs)])
    return re.compile(f"(?:{behind})*"), re.compile(f"(?:{ties})+", re.IGNORECASE), longest_first


class ChainReader:
    """A reader of chains, with the grid and the words of a game.

    `where`: returns the place in the file of a column of the line being read.
    """

    def __init__(
        self, grid: HexGrid, notation: Notation, vocabulary: Vocabulary, where: Callable[[int], Where]
    ) -> None:
        self._grid = grid
        self._vocabulary = vocabulary
        self._where = where
        self._letters = notation.letters
        self._behind, self._between, self._signs = _compile_patterns((*notation.letters,), (*notation.signs.items(),))

    def begins(self, word: Word) -> bool:
        """Return whether a word is the beginning of a chain: a hex, a sign and another hex.

        A hex with a sign that is not a letter, such as `4020!`, counts too.
        """
        if word.quoted or not (hex := self._grid.begun(word.text)):
            return False
        letters = self._read_letters(word.text, len(hex))
        end = len(hex) + len(letters)
        if end == len(word.text):
            return any(sign in letters for sign in self._letters if not sign.isalnum())
        between = self._between.match(word.text, end)
        return bool(between and self._grid.begun(word.text, between.end()))

    def read(self, words: Iterable[Word]) -> list[ChainStep]:
        """Return the hexes that words name, in order.

        Raises InputError with the column if a word is not understood.
        """
        steps: list[ChainStep] = []
        between: list[Word] = []
        for word in words:
            if not word.quoted and NAMED_LINK.fullmatch(word.text):
                between += self._split_ties(word)
            elif steps and not between and self._vocabulary.read("hex", word):
                steps[-1] = steps[-1]._replace(within=(*steps[-1].within, word))
            else:
                first, *others = self._read_chain(word)
                steps += [first._replace(between=tuple(between)), *others]
                between = []
        if between:
            raise self._make_error("a hex is missing at the end of the chain", between[-1].column)
        return steps

    def _read_chain(self, word: Word) -> Iterator[ChainStep]:
        at = 0
        between = list[Word]()
        text = word.text
        while True:
            hex = "" if word.quoted else self._grid.begun(text, at)
            if not hex:
                if at:
                    raise self._make_error(f"{text[at:] or 'nothing'!r} is not a hex", word.column + at)
                yield ChainStep(word)  # looking up the place raises the error
                return
            hex_word = Word(self._grid.punctuated(hex), word.column + at)
            at += len(hex)
            letters = self._read_letters(text, at)
            yield ChainStep(hex_word, tuple(between), tuple(self._read_within(letters, word.column + at)))
            at += len(letters)
            between = []
            if at == len(text):
                return
            while at < len(text) and not self._grid.begun(text, at):
                name, length = self._read_link(text, at, word.column)
                if any(word_between.text == name for word_between in between):
                    raise self._make_error(f"{name} is typed twice", word.column + at)
                between.append(Word(name, word.column + at + (length > len(name))))
                at += length - self._shares_hyphen(text, at + length)
            if at == len(text):
                raise self._make_error("a hex is missing at the end", word.column + at)

    def _read_link(self, text: str, at: int, column: int) -> tuple[str, int]:
        """Return the word for the sign or name at index `at`, and the number of characters read.

        `column`: the column of the text in its line.
        """
        if named := self._find_named(text, at):
            return named, len(named) + 2
        for sign, word in self._signs.items():
            if text.startswith(sign, at):
                return word, len(sign)
        raise self._make_error(f"{text[at:]!r} has no meaning after a hex", column + at, behind=text[at].isalpha())

    def _find_named(self, text: str, at: int) -> str:
        """Return the longest word of the game between hyphens at an index, or "" if there is none.

        Some words contain a hyphen.

        Raises InputError if a value is not allowed by its track.
        """
        named = NAMED_LINK.match(text, at)
        wrong = None
        while named:
            try:
                if self._vocabulary.read("hexside", Word(named[1], 0)):
                    return named[1]
            except InputError as error:
                wrong = wrong or error
            named = NAMED_LINK.match(text, at, named.end() - 1)
        if wrong:
            raise wrong
        return ""

    def _shares_hyphen(self, text: str, at: int) -> bool:
        """Return whether the hyphen before `at` belongs to two words, as in `-ferry-road-`."""
        return text[at - 1] == "-" and at < len(text) and bool(self._find_named(text, at - 1))

    def _split_ties(self, word: Word) -> list[Word]:
        """Return the words of a tie such as `-ferry-road-`, or the whole tie as one word if a part is unknown."""
        words = list[Word]()
        start = 0
        text = word.text
        while start < len(text):
            try:
                name, length = self._read_link(text, start, word.column)
            except InputError:
                return [Word(text[1:-1], word.column + 1)]  # looking up the word raises the error
            words.append(Word(name, word.column + start + 1))
            start += length - self._shares_hyphen(text, start + length)
        return words

    def _read_letters(self, text: str, at: int) -> str:
        match = self._behind.match(text, at)
        return match[0] if match else ""

    def _read_within(self, letters: str, column: int) -> Iterator[Word]:
        if letters and self._vocabulary.read("hex", Word(letters, column)):
            yield Word(letters, column)
            return
        for letter in re.finditer(r"[^?][?]?|[?]", letters):
            word = self._letters.get(letter[0][0].casefold(), "")
            mark = letter[0][1:]
            if not word:
                raise self._make_error(
                    f"{letter[0]!r} has no meaning after a hex", column + letter.start(), behind=True
                )
            yield Word(word + mark, column + letter.start())

    def _make_error(self, what: str, column: int, *, behind: bool = False) -> InputError:
        def how() -> str:
            words = self._letters if behind else self._signs
            listed = ", ".join(f"{sign} {word}" for sign, word in words.items())
            return f"after a hex: {listed}" if behind else f"between two hexes: {listed}, or -WORD-"

        return InputError(what, where=self._where(column), hint=how)


# --- writing ----------------------------------------------------------------------------------------------------------


def write_chains(steps: Iterable[ChainStep]) -> str:
    """Return chains with words instead of signs and letters."""
    words = []
    for step in steps:
        words += [*(f"-{word.text}-" for word in step.between), step.hex.text, *(word.text for word in step.within)]
    return " ".join(words)


def join_chains(hexsides: Sequence[tuple[str, str]], max_hexes: int) -> list[list[str]]:
    """Join hexsides into few chains, as a player would type them. Each hexside is in one chain.

    `hexsides`: pairs of hexes.
    `max_hexes`: maximum number of hexes in a chain.
    """
    neighbours: dict[str, list[str]] = {}
    for first, second in hexsides:
        neighbours.setdefault(first, []).append(second)
        neighbours.setdefault(second, []).append(first)
    chains = []
    # Chains begin at ends first, then at forks where an odd number of hexsides meet, and in closed loops last.
    for start in sorted(neighbours, key=lambda hex: (len(neighbours[hex]) != 1, len(neighbours[hex]) % 2 == 0)):
        while neighbours[start]:
            chain = [start]
            while neighbours[chain[-1]] and len(chain) < max_hexes:
                end = chain[-1]
                next_hex = neighbours[end].pop(0)
                neighbours[next_hex].remove(end)
                chain.append(next_hex)
            chains.append(chain)
    return chains
