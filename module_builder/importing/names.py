"""Turns titles in a module into names that a game's files can hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files

from anyascii import anyascii

from assistant.game.roster import NUMBERED, list_copies
from assistant.util.datafiles import read_toml
from assistant.util.patterns import late_pattern
from assistant.util.texts import compose_accents, folded

_MAX_NAME_CHARS = 80
_MAX_WORD_CHARS = 40
_REPLACEMENTS = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": "'",
        "\u201d": "'",
        '"': "'",
        "\u2013": "-",
        "\u2014": "-",
        "|": "/",
        "=": "-",
    }
)
"""Replacements for characters that notation cannot write."""
WORDS = "{}-{}"
"""The format of a word with a number, for `Names`."""


def clean_text(text: str, max_chars: int = _MAX_NAME_CHARS) -> str:
    """Return a text in one line, cut to `max_chars`, without characters that notation cannot write."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text.translate(_REPLACEMENTS))
    return " ".join(shown.split())[:max_chars].strip()


def slug(text: str) -> str:
    """Return the letters and digits of a text as a word such as `with-artillery`, or "" if it has none.

    Letters of other alphabets are written in Latin ones.
    """
    latin = folded("".join(map(_to_latin, compose_accents(text[:_MAX_NAME_CHARS]))))
    return re.sub("[^a-z0-9]+", "-", latin[:_MAX_NAME_CHARS]).strip("-")[:_MAX_WORD_CHARS].rstrip("-")


def _to_latin(letter: str) -> str:
    """Return a letter in Latin ones, without the apostrophe of a soft sign. Other characters are returned as they are."""
    return anyascii(letter).replace("'", "") if letter.isalpha() else letter


_GENERIC_WORDS = ("units", "counters", "pieces", "forces", "troops", "the")
"""Words in the title of a tab that are not part of a nation's name."""
_ROMAN_NUMERAL = late_pattern("[ivx]+")
_STEM_LETTERS = 5
"""The number of letters that the forms of a nation's name share: `russia`, `russian`."""


@cache
def _read_no_nations() -> frozenset[str]:
    """Return the words in the titles of tabs that do not name a nation by themselves."""
    languages = read_toml(files(__package__).joinpath("no-nations.toml"), dict[str, tuple[str, ...]])
    return frozenset(folded(word) for words in languages.values() for word in words)


@cache
def _read_known_words(kind: str) -> frozenset[str]:
    """Return the words of one kind in the titles of tabs: `nations`, `coalitions`, `formations`, `directions`."""
    kinds = read_toml(files(__package__).joinpath("nations.toml"), dict[str, tuple[str, ...]])
    return frozenset(folded(word) for word in kinds[kind])


@cache
def _read_stems() -> frozenset[str]:
    """Return the beginnings of the names of nations, and short names whole."""
    return frozenset(word[:_STEM_LETTERS] for word in _read_known_words("nations"))


def _list_words(title: str) -> list[str]:
    """Return the words of a title of at least two letters."""
    return re.findall(r"[^\W0-9_]{2,}", folded(title))


def _is_among(word: str, words: frozenset[str]) -> bool:
    """Return whether a word or its singular is one of these."""
    return not words.isdisjoint((word, word.removesuffix("s")))


def may_be_nation(title: str) -> bool:
    """Return whether the title of a tab may name a nation.

    It has another word than `units`, `info` or `chits`. A formation has another than its direction and number too.
    """
    words = _list_words(title)
    formations = _read_known_words("formations")
    if any(_is_among(word, formations) for word in words):
        directions = _read_known_words("directions")
        words = [word for word in words if not _is_among(word, directions | formations)]
        words = [word for word in words if not _ROMAN_NUMERAL.fullmatch(word)]
    return any(not _is_among(word, _read_no_nations()) for word in words)


def is_known_nation(title: str) -> bool:
    """Return whether a title has the name of a nation of history."""
    return any(_is_among(word[:_STEM_LETTERS], _read_stems()) for word in _list_words(title))


def is_coalition(title: str) -> bool:
    """Return whether a title names an alliance, such as `Central Powers`, and no nation."""
    coalitions = _read_known_words("coalitions")
    return any(_is_among(word, coalitions) for word in _list_words(title)) and not is_known_nation(title)


def word_of(title: str) -> str:
    """Return the word for a nation or side: `german` for `The German Units`."""
    word = slug(title)
    return "-".join(part for part in word.split("-") if part not in _GENERIC_WORDS) or word or title.casefold()


class Names:
    """Gives each name once, and adds a number to a name that is taken.

    `kind`: the name for a thing without one, such as `unit`.
    `key`: returns equal keys for names that count as the same.
    `taken`: names that are never given.
    `form`: the format of a name with its number.
    """

    def __init__(
        self, kind: str, key: Callable[[str], str] = str.casefold, taken: Iterable[str] = (), form: str = NUMBERED
    ) -> None:
        self.kind, self._key, self._form = kind, key, form
        self.numbered = 0
        """The number of names that got a number added."""
        self._taken = {key(name) for name in taken}
        self._next: dict[str, int] = {}
        self.changed: list[tuple[str, str]] = []
        """The name in the module and the name given, where they differ by more than a number."""

    def reserve(self, names: Iterable[str]) -> None:
        """Mark names as taken."""
        self._taken |= {self._key(name) for name in names}

    def release(self, name: str, count: int) -> None:
        """Make a name free again, with the numbered names of its `count` copies."""
        self._taken -= {self._key(other) for other in (name, *list_copies(name, count))}

    def _is_free(self, name: str, count: int) -> bool:
        """Return whether a name and the numbered names of its `count` copies are free."""
        return self._taken.isdisjoint(map(self._key, (name, *list_copies(name, count))))

    def give(self, wanted: str, module_name: str = "", count: int = 1) -> str:
        """Take and return a free name: the wanted one, or that with a number added.

        `module_name`: the name in the module, for `changed`.
        `count`: the number of copies, whose numbered names are taken too.
        """
        base = name = wanted or self.kind
        number = self._next.get(self._key(base), 2)
        while not self._is_free(name, count):
            name, number = self._form.format(base, number), number + 1
        self._next[self._key(base)] = number
        self.reserve((name, *list_copies(name, count)))
        self.numbered += 1 if name != base else 0
        if module_name and module_name != base:
            self.changed.append((module_name, name))
        return name
