"""Typed texts: names without capitals and accents, or shortened; whole numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

from .patterns import late_pattern
from .typesetting import MINUS

DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""The invisible marks of writing direction, which would reorder text, as a character class for a regular expression."""
DIRECTION = late_pattern(f"[{DIRECTIONS}]")
_MIN_STEM_LETTERS = 5
"""The minimum number of letters that all forms of a word share."""
_MIN_PLURAL_LETTERS = 4


def folded(text: str) -> str:
    """Return a text in small letters without accents: `Lötzen` is `lotzen`."""
    if text.isascii():
        return text.casefold()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


_SIGNS = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014\u2212\u2011\u2010\xa0", "''\"\"----- ")


def regular_text(text: str) -> str:
    """Return a text with plain quotes and hyphens instead of those of a word processor or a phone."""
    return text.translate(_SIGNS)


def compose_accents(name: str) -> str:
    """Return a file's name with each accent in one character with its letter; some systems separate them."""
    return unicodedata.normalize("NFC", name)


def words_begun(text: str, words: Iterable[str]) -> list[str]:
    """Return the words that begin with a text, ignoring capitals and accents, or none for an empty text."""
    typed = folded(text)
    return [word for word in words if typed and folded(word).startswith(typed)]


def names_one_of(text: str, names: Iterable[str]) -> bool:
    """Return whether a text contains one of the names, ignoring capitals.

    A name within a longer one does not count: `1/1` is not in `11/1`.
    """
    text = text.casefold()
    folded_names = (name.casefold() for name in names if name)
    return any(name in text and re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/])", text) for name in folded_names)


def has_word(word: str) -> Callable[[str], bool]:
    """Return a test of whether a text has a word or a form of it: attach, attached, attachment; losses, loss."""
    forms = {folded(word), *_singulars(folded(word))}
    stems = (re.escape(form[: max(_MIN_STEM_LETTERS, len(form) - 2)]) for form in sorted(forms))
    pattern = re.compile(rf"\b(?:{'|'.join(stems)})")
    return lambda text: bool(pattern.search(folded(text)))


def _singulars(word: str) -> Iterator[str]:
    if len(word) < _MIN_PLURAL_LETTERS:
        return
    if word.endswith("ies"):
        yield f"{word.removesuffix('ies')}y"
    elif word.endswith(("sses", "xes", "ches", "shes")):
        yield word.removesuffix("es")
    elif word.endswith("s") and not word.endswith("ss"):
        yield word.removesuffix("s")


def names_short_for(text: str, names: Iterable[str]) -> list[str]:
    """Return the names that a text abbreviates.

    They are those that begin with the text; if there are none, those with the beginnings (`a-h`, `aus-hun`) or the
    initials (`ah`) of their hyphenated parts.
    """
    known = list(names)
    typed = folded(text).split("-") if "-" in text else list(folded(text))
    if beginning := words_begun(text, known):
        return beginning
    hyphenated = ((name, folded(name).split("-")) for name in known if len(typed) == name.count("-") + 1 > 1)
    return [name for name, parts in hyphenated if all(map(str.startswith, parts, typed))]


_MAX_DIGITS = 9
_WHOLE_NUMBER = late_pattern(rf"[+\-{MINUS}]?[0-9]{{1,{_MAX_DIGITS}}}")


def whole(text: str) -> int | None:
    """Return a text as a whole number, or None if it is not at most 9 ASCII digits with or without a sign.

    The sign may be typed or typographic. Python's own `isdigit` and `int` disagree on superscripts and on very long
    numbers.
    """
    return int(text.replace(MINUS, "-")) if _WHOLE_NUMBER.fullmatch(text) else None


def natural(text: str) -> int | None:
    """Return a text as a whole number, or None if it has a sign or is no whole number."""
    return whole(text) if text[:1] not in ("+", "-", MINUS) else None


_SIBILANTS = ("s", "x", "z", "ch", "sh")
"""The endings of nouns with a plural in -es."""
_VOWELS = tuple("aeiou")


def make_plural(noun: str) -> str:
    """Return the plural of a regular noun, and of corps: steps, losses, armies, days."""
    if noun.endswith("corps"):
        return noun
    if noun.endswith("y") and not noun[:-1].endswith(_VOWELS):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_SIBILANTS) else f"{noun}s"
