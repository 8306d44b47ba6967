"""Patterns that a game's files may hold: a part of regular expressions, matched in time that grows evenly with the text.

Python's own matcher tries one way after the other, and for some patterns there are more ways than anybody can wait for. Here
all ways are followed at once, so that no pattern is too slow: letters, `.`, `[sets]`, the usual ones with a backslash, groups,
`|`, and the repeats `?`, `*`, `+`, `{2}`, `{2,}` and `{2,3}`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"""(?P<letter>\[\^?\]?(?:\\.|[^\]\\])*\]|\\[dDwWsS]|\\[^\w]|[^\\\[\](){}?*+|^$])
    |(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<or>\|)
    |(?P<repeat>[?*+]|\{(?P<least>[0-9]{1,2})(?P<more>,(?P<most>[0-9]{1,2})?)?\})""",
    re.VERBOSE | re.DOTALL,
)
_DIGITS = {f"\\{letter}" for letter in "dD"}
_LONGEST, _MOST_GROUPS, _MOST_LETTERS, _MOST_STEPS, _REMEMBERED = 500, 50, 200, 1000, 1000


class Pattern:
    """A pattern, ready for use. Raises ValueError for one that is not understood, or too long with its repeats written out."""

    def __init__(self, pattern: str) -> None:
        parts = _Parts(pattern)
        self._whole, self._follow = parts.whole, parts.follow
        letters = [_letter(text) for text in parts.letters]
        self._places = lru_cache(_REMEMBERED)(
            lambda char: sum(1 << n for n, letter in enumerate(letters) if letter.fullmatch(char))
        )
        self._after = lru_cache(_REMEMBERED)(self._next_places)

    def matches(self, text: str) -> bool:
        """Whether a whole text fits the pattern."""
        if not text:
            return self._whole.empty
        allowed = self._whole.first
        for char in text:
            here = allowed & self._places(char)
            if not here:
                return False
            allowed = self._after(here)
        return bool(here & self._whole.last)

    def _next_places(self, here: int) -> int:
        found = 0
        for place in _bits(here):
            found |= self._follow[place]
        return found


class _Part(NamedTuple):
    """A part of a pattern. empty: whether an empty text fits it; first, last: the letters it may begin and end with, as bits."""

    empty: bool
    first: int
    last: int


_NOTHING, _NEVER = _Part(True, 0, 0), _Part(False, 0, 0)


class _Parts:
    """A pattern as its letters and, for each, those that may follow it, as bits (Glushkov's automaton)."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > _LONGEST or pattern.count("(") > _MOST_GROUPS:
            raise ValueError(f"it has more than {_LONGEST} letters, or more than {_MOST_GROUPS} groups")
        self.tokens = list(_tokens(pattern))
        self.letters: list[str] = []
        self.follow: list[int] = []
        self.at, self.steps = 0, 0
        self.whole = self.alternatives()
        if self.at < len(self.tokens):
            raise ValueError("a bracket is closed that was not opened")

    def peek(self, kind: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at].lastgroup == kind

    def alternatives(self) -> _Part:
        found = _NEVER
        while True:
            part = self.sequence()
            found = _Part(found.empty or part.empty, found.first | part.first, found.last | part.last)
            if not self.peek("or"):
                return found
            self.at += 1

    def sequence(self) -> _Part:
        found = _NOTHING
        while self.at < len(self.tokens) and not (self.peek("or") or self.peek("close")):
            found = self.then(found, self.repeated())
        return found

    def repeated(self) -> _Part:
        """A letter or a group as often as its repeat says; each further time it is read anew."""
        start = self.at
        part = self.once()
        if not self.peek("repeat"):
            return part
        end, sign = self.at + 1, self.tokens[self.at]
        if end < len(self.tokens) and self.tokens[end].lastgroup == "repeat":
            raise ValueError(f"{sign[0] + self.tokens[end][0]!r} is not a repeat")
        least, most = _times(sign)
        found = _NOTHING
        for time in range(max(least, most or 0, 1)):
            if time:
                self.at = start
                part = self.once()
            if most is None and time >= least - 1:
                self.link(part.last, part.first)
                part = part._replace(empty=part.empty or not least)
            elif time >= least:
                part = part._replace(empty=True)
            found = self.then(found, part)
        self.at = end
        return found if most != 0 else _NOTHING

    def once(self) -> _Part:
        self.steps += 1
        if self.steps > _MOST_STEPS or len(self.letters) >= _MOST_LETTERS:
            raise ValueError(f"with its repeats it has more than {_MOST_LETTERS} letters")
        if self.peek("letter"):
            place = 1 << len(self.letters)
            self.letters.append(self.tokens[self.at][0])
            self.follow.append(0)
            self.at += 1
            return _Part(False, place, place)
        if not self.peek("open"):
            raise ValueError(f"{self.tokens[self.at][0]!r} repeats nothing")
        self.at += 1
        part = self.alternatives()
        if not self.peek("close"):
            raise ValueError("a bracket is not closed")
        self.at += 1
        return part

    def then(self, one: _Part, other: _Part) -> _Part:
        self.link(one.last, other.first)
        first = one.first | (other.first if one.empty else 0)
        return _Part(one.empty and other.empty, first, other.last | (one.last if other.empty else 0))

    def link(self, last: int, first: int) -> None:
        for place in _bits(last):
            self.follow[place] |= first


def _tokens(pattern: str) -> Iterator[re.Match[str]]:
    at = 0
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None:
            raise ValueError(f"{pattern[at : at + 3]!r} is not understood")
        yield token
        at = token.end()


def _times(sign: re.Match[str]) -> tuple[int, int | None]:
    """How often a repeat says, at least and at most; None for any number."""
    if sign[0] in "?*+":
        return int(sign[0] == "+"), 1 if sign[0] == "?" else None
    least = int(sign["least"])
    most = int(sign["most"]) if sign["most"] else None if sign["more"] else least
    if most is not None and most < least:
        raise ValueError(f"{sign[0]!r} is not a repeat")
    return least, most


def _letter(text: str) -> re.Pattern[str]:
    """One letter or set of a pattern: of these Python's own matcher is never slow."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Python would rather see written otherwise is not the player's business
        try:
            return re.compile(text, re.ASCII if text in _DIGITS else 0)  # 0 to 9, not the digits of every script
        except re.error as error:
            raise ValueError(f"{text!r} is not a set of letters: {error.msg}") from None


def _bits(number: int) -> Iterator[int]:
    """The places of the bits of a number."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
