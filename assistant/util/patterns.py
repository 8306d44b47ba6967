"""Patterns from untrusted files, matched in bounded time.

Python's own engine tries the ways to match one after the other, and `(aa|a)*` has more of them than anyone can wait for. Here all
ways go on together, letter by letter, so that the time grows only as the pattern and the text do.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

_MOST_STATES = 500
_ENDLESS = 2**31  # at least, where a pattern repeats a part without end
_SIGNS: dict[str, Callable[[str], bool]] = {
    "CATEGORY_DIGIT": str.isdecimal,
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_WORD": lambda letter: letter.isalnum() or letter == "_",
}


class Pattern:
    """A pattern in Python's notation, without flags, references to groups, and looking ahead or back.

    Raises ValueError for another one, and for one that is invalid or too large.
    """

    def __init__(self, text: str) -> None:
        self._tests: list[Callable[[str], bool] | None] = [None]  # by state; None for the one that matches
        try:
            with (
                warnings.catch_warnings()
            ):  # what Python would rather see written otherwise is not the player's business
                warnings.simplefilter("ignore")
                parsed = import_module("re._parser").parse(text)
            if parsed.state.flags & re.IGNORECASE:
                raise ValueError("it has flags")
            parts = list(parsed)  # a whole text is matched, so that its ends need not be named
            parts = parts[1:] if parts and str(parts[0][1]) == "AT_BEGINNING" else parts
            parts = parts[:-1] if parts and str(parts[-1][1]) == "AT_END" else parts
            self._after: list[frozenset[int]] = [frozenset()]  # by state: those that may come next
            self._start = self._sequence(parts, frozenset({0}))
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(str(error)) from None
        self._next = lru_cache(1000)(self._step)

    def matches(self, text: str) -> bool:
        """Whether a whole text fits."""
        now = self._start
        for letter in text:
            now = self._next(now, letter)
        return 0 in now

    def _step(self, now: frozenset[int], letter: str) -> frozenset[int]:
        fits = (state for state in now if (test := self._tests[state]) is not None and test(letter))
        return frozenset[int]().union(*(self._after[state] for state in fits))

    def _sequence(self, parts: Iterable[tuple[Any, Any]], after: frozenset[int]) -> frozenset[int]:
        """The states that may begin a sequence, if others may come after it."""
        for kind, given in reversed(list(parts)):
            after = self._part(str(kind), given, after)
        return after

    def _part(self, kind: str, given: Any, after: frozenset[int]) -> frozenset[int]:
        match kind:
            case "SUBPATTERN" if not given[1] and not given[2]:
                return self._sequence(given[3], after)
            case "BRANCH":
                return frozenset[int]().union(*(self._sequence(way, after) for way in given[1]))
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, part = given
                return self._repeated(int(least), int(most), part, after)
            case _:
                return frozenset({self._state(_test(kind, given), after)})

    def _repeated(self, least: int, most: int, part: Any, after: frozenset[int]) -> frozenset[int]:
        begins = after
        if most >= _ENDLESS:
            loop = self._state(lambda letter: False, after)  # stands for another round
            begins = self._sequence(part, frozenset({loop}) | after)
            for state, following in enumerate(self._after):
                if loop in following:
                    self._after[state] = following | begins
            begins |= after
        else:
            if most * len(part) > _MOST_STATES:
                raise ValueError("it is too large")
            for _ in range(most - least):
                begins = self._sequence(part, begins) | after
        for _ in range(least):
            begins = self._sequence(part, begins)
        return begins

    def _state(self, test: Callable[[str], bool], after: frozenset[int]) -> int:
        if len(self._tests) >= _MOST_STATES:
            raise ValueError("it is too large")
        self._tests.append(test)
        self._after.append(after)
        return len(self._tests) - 1


def _test(kind: str, given: Any) -> Callable[[str], bool]:
    """Whether a letter fits a part of a pattern that stands for one letter. Raises ValueError for any other part."""
    match kind:
        case "LITERAL":
            return chr(given).__eq__
        case "NOT_LITERAL":
            return chr(given).__ne__
        case "ANY":
            return "\n".__ne__
        case "RANGE":
            return lambda letter: given[0] <= ord(letter) <= given[1]
        case "CATEGORY":
            name = str(given)
            test = _SIGNS.get(name.replace("_NOT_", "_"))
            if test is not None:
                return (lambda letter: not test(letter)) if "_NOT_" in name else test
        case "IN":
            negated = str(given[0][0]) == "NEGATE"
            tests = [_test(str(one), what) for one, what in given[negated:]]
            return lambda letter: any(test(letter) for test in tests) != negated
    raise ValueError("it looks ahead or back, or refers to a group")


@cache
def pattern(text: str) -> Pattern:
    """The pattern of a text, read once. Raises ValueError as `Pattern` does."""
    return Pattern(text)
