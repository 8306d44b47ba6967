"""The small language of `counters.toml`: texts with columns in braces, and conditions. It never runs code.

`{defence}` makes a text unknown if the column has no value; `{name|-}` has a default, `{name?}` is then empty, and
`{name:initials}` changes a word. A comparison (`steps > 9 and arm = infantry|cavalry`, `unit ~ lw|landwehr`) of an
unknown value is never true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from assistant.drawing.counters import initials
from assistant.util.patterns import late_pattern

Values = Mapping[str, str]
"""The known values of a counter by column, as written."""


def _strip_spaces(text: str) -> str:
    return "".join(text.split())


def _after_first_word(text: str) -> str:
    """Return a text without its first word, or the only word."""
    first, _, rest = text.partition(" ")
    return rest.strip() or first


FILTERS: Mapping[str, Callable[[str], str]] = {
    "initials": initials,
    "upper": str.upper,
    "lower": str.lower,
    "close": _strip_spaces,
    "rest": _after_first_word,
}
_EMPTY_VALUES = ("", "0", "no")
_MAX_DIGITS = 9
_FIELD = late_pattern(r"\{([^{}]*)\}")
_WORDS = late_pattern(r"\w+")
_PLACEHOLDER = late_pattern(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9_-]*)(?P<optional>\?)?(?::(?P<filter>[a-z]+))?(?:\|(?P<otherwise>[^{}]*))?"
)
"""A placeholder: the name of a column, `?` if it is optional, `:filter`, and `|` with the text for an unknown value."""
_TERM = late_pattern(
    r"(?P<negated>not\s+)?(?P<name>[A-Za-z0-9][A-Za-z0-9_-]*)\s*(?:(?P<sign><=|>=|!=|=|<|>|~)\s*(?P<value>.+))?"
)


class Field(NamedTuple):
    """A column in a text."""

    name: str
    optional: bool
    """Whether the column is left out if it has no value."""
    filter: str
    otherwise: str | None
    """Text for an unknown value, or None if the whole text is then unknown."""

    def read(self, values: Values) -> str | None:
        value = values.get(self.name)
        if self.optional and value in _EMPTY_VALUES:
            value = None
        if value is None:
            return "" if self.optional and self.otherwise is None else self.otherwise
        return FILTERS[self.filter](value) if self.filter else value


class Pattern(NamedTuple):
    """A text with columns in it."""

    parts: tuple[str | Field, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(part.name for part in self.parts if isinstance(part, Field))

    def read(self, values: Values) -> str | None:
        texts = []
        for part in self.parts:
            text = part if isinstance(part, str) else part.read(values)
            if text is None:
                return None
            texts.append(text)
        return "".join(texts)


@lru_cache(maxsize=2000)
def parse_pattern(text: str) -> Pattern:
    """Parse a text with columns. Raises ValueError with the mistake."""
    parts: list[str | Field] = []
    at = 0
    for field in _FIELD.finditer(text):
        parts += [_check_plain(text[at : field.start()], text), _parse_field(field[1], text)]
        at = field.end()
    parts.append(_check_plain(text[at:], text))
    return Pattern(tuple(part for part in parts if part))


def _check_plain(text: str, whole: str) -> str:
    if set(text) & set("{}"):
        raise ValueError(f"{whole!r} has an unmatched brace")
    return text


def _parse_field(text: str, whole: str) -> Field:
    match = _PLACEHOLDER.fullmatch(text)
    if not match:
        raise ValueError(f"{{{text}}} in {whole!r} is not a column, as {{steps}}, {{steps?}} or {{steps|-}} is")
    if match["filter"] and match["filter"] not in FILTERS:
        raise ValueError(f"{{{text}}}: there is no {match['filter']!r}, only {' and '.join(FILTERS)}")
    return Field(match["name"], bool(match["optional"]), match["filter"] or "", match["otherwise"])


class Term(NamedTuple):
    """A comparison of a column."""

    name: str
    negated: bool
    """Whether the term begins with `not`."""
    sign: str
    """The comparison, or "" for the column alone."""
    values: tuple[str, ...]
    """The alternatives with which the column is compared."""

    def holds(self, values: Values) -> bool:
        """Return whether the comparison is true of a counter.

        An unknown value makes every comparison false, `!=` included, and with `not` true.
        """
        value = values.get(self.name)
        if not self.sign:
            return (value is not None and value not in _EMPTY_VALUES) is not self.negated
        return (value is not None and self._compares(value)) is not self.negated

    def _compares(self, value: str) -> bool:
        if self.sign == "=":
            return value in self.values
        if self.sign == "!=":
            return value not in self.values
        if self.sign == "~":
            return not set(self.values).isdisjoint(_WORDS.findall(value))
        if not _is_number(value):
            return False
        number, bound = int(value), int(self.values[0])
        return {"<": number < bound, ">": number > bound, "<=": number <= bound, ">=": number >= bound}[self.sign]


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= _MAX_DIGITS


class Condition(NamedTuple):
    """Alternatives, one of which must hold, each of terms that must all hold. Without alternatives it always holds."""

    alternatives: tuple[tuple[Term, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(term.name for terms in self.alternatives for term in terms)

    def holds(self, values: Values) -> bool:
        # Loops instead of `any` and `all`, for speed: called for each text of each slot of each counter.
        for terms in self.alternatives:
            for term in terms:
                if not term.holds(values):
                    break
            else:
                return True
        return not self.alternatives


@lru_cache(maxsize=1000)
def parse_condition(text: str) -> Condition:
    """Parse a condition; "" always holds. Raises ValueError with the mistake."""
    if not text.strip():
        return Condition(())
    return Condition(tuple(tuple(_parse_terms(part)) for part in re.split(r"\sor\s", text.strip())))


def _parse_terms(text: str) -> Iterator[Term]:
    for part in re.split(r"\sand\s", text):
        match = _TERM.fullmatch(part.strip())
        if not match:
            raise ValueError(f"{part!r} is not a condition, as steps, not asset or steps > 9 is")
        values = tuple(value.strip() for value in (match["value"] or "").split("|"))
        if match["sign"] in ("<", ">", "<=", ">=") and not (len(values) == 1 and _is_number(values[0])):
            raise ValueError(f"{part!r} needs a whole number of at most {_MAX_DIGITS} digits")
        yield Term(match["name"], bool(match["negated"]), match["sign"] or "", values)
