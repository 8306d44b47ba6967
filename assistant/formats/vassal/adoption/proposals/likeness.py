"""The likeness of two names, from the possible meanings of their words and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files

from .....util.datafiles import read_toml
from .....util.patterns import late_pattern
from .....util.texts import folded

Token = frozenset[str]
"""The possible meanings of a word: for XX `xx`, `20` and `division`."""

_WORDS = late_pattern(r"[0-9]+|[^\W0-9_]+")
_ORDINAL = late_pattern(r"(?<=[0-9])(st|nd|rd|th)\b", re.IGNORECASE)
_ROMAN = late_pattern(r"(?=[IVXLC])(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_TENS = {"XC": 90, "XL": 40}
_ONES = {"IX": 9, "IV": 4}
_NOISE = {*_WORDS.findall("of the be and in at a is to by it unit marker png jpg gif svg")}
_MAX_NAME_CHARS = 200
"""Maximum length of a name; the rest is ignored."""


@cache
def _read_abbreviations() -> tuple[dict[str, frozenset[str]], dict[str, tuple[str, ...]]]:
    """Return the meanings of each abbreviation, and the parts of each compound word."""
    raw = read_toml(
        files(__package__).joinpath("abbreviations.toml"), dict[str, tuple[str, ...] | dict[str, tuple[str, ...]]]
    )
    words: dict[str, set[str]] = {}
    compounds: dict[str, tuple[str, ...]] = {}
    for word, short in raw.items():
        if isinstance(short, dict):
            compounds |= short
        else:
            for small in short:
                words.setdefault(small, set()).add(word)
    return {abbreviation: frozenset(long) for abbreviation, long in words.items()}, compounds


@cache
def plain_words(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a name, in lower case without accents, for comparison with other names."""
    return tuple(map(folded, _WORDS.findall(text[:_MAX_NAME_CHARS])))


@cache
def tokens(text: str) -> tuple[Token, ...]:
    """Return the meanings of each word of a name, without insignificant words."""
    plain = _ORDINAL.sub(
        " ",
        text[:_MAX_NAME_CHARS]
        .replace("A-H", "AH")
        .replace("ustro-Hungarian", "ustrohungarian")
        .replace("ustro-hungarian", "ustrohungarian"),
    )
    words = _WORDS.findall(re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", plain))
    telling = [word for word in words if folded(word) not in _NOISE] or words
    return tuple(token for word in telling for token in _read_tokens(word))


def _read_tokens(word: str) -> Iterator[Token]:
    small = folded(word)
    _, compounds = _read_abbreviations()
    if parts := compounds.get(small):
        yield from map(_make_token, parts)
    else:
        yield _make_token(small, _read_roman(word))


def _make_token(small: str, number: int = 0) -> Token:
    plain = str(int(small)) if small.isascii() and small.isdecimal() else small
    words, _ = _read_abbreviations()
    return frozenset({plain}) | words.get(small, frozenset()) | ({str(number)} if number else frozenset())


def _read_roman(word: str) -> int:
    """Return the value of a Roman numeral, or 0. A single letter is a numeral only if it is a capital."""
    match = _ROMAN.fullmatch(word.upper() if len(word) > 1 else word)
    if not match:
        return 0
    tens, ones = match.groups()
    fifty = 50 if "L" in tens else 0
    five = 5 if "V" in ones else 0
    return _TENS.get(tens, fifty + 10 * tens.count("X")) + _ONES.get(ones, five + ones.count("I"))


def may_be_number(token: Token) -> bool:
    """Return whether a word may be a number."""
    return any(sign.isdecimal() for sign in token)


def has(name: Iterable[Token], token: Token) -> bool:
    """Return whether a name contains a word."""
    return any(not token.isdisjoint(other) for other in name)


def has_all(name: Iterable[Token], words: Iterable[Token]) -> bool:
    """Return whether a name contains all of some words."""
    mine = tuple(name)
    return all(has(mine, word) for word in words)


def likeness(mine: Sequence[Token], *others: Sequence[Token]) -> float:
    """Return the likeness of a name to several names of one thing, from 0 to 1.

    It is the weighted share of words in common: two thirds of the name's own words, one third of the others'.
    """
    if not mine:
        return 0.0
    if any(len(other) == len(mine) and has_all(other, mine) for other in others):
        return 1.0
    shared = sum(has((token for other in others for token in other), token) for token in mine) / len(mine)
    covered = max((sum(has(mine, token) for token in other) / len(other) for other in others if other), default=0.0)
    return 0.9 * (2 * shared + covered) / 3
