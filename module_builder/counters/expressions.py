"""The small language of `counters.toml`: texts with columns in braces, and conditions over columns. Nothing of it is
run as code.

A text is written `{defence}`, `({extended-range})` or `R{rail-allowance}`. In the braces stands a column of the roster:
`{name}` is its value, and without one the whole text is unknown; `{name|-}` is `-` without one; `{name?}` is nothing
without one, or if it is 0 or no. `{name:initials}` shortens a word, `{name:upper}` and `{name:lower}` change its
letters, `{name:close}` leaves out its spaces.

A condition is written `back-steps`, `not asset`, `steps > 9 and arm = infantry|cavalry`, `setup or turn`, `unit ~
lw|landwehr` (one of these words is in it). A column alone holds if it is known and neither 0 nor no. No comparison of an
unknown value holds, and `not` turns that round: with `steps` unknown `not steps = 9` holds, `steps != 9` does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from assistant.game.games import Game
from assistant.state.tracks import Fact, Value

Values = Mapping[str, str]
"""What is known of a counter: each column as it is written."""


def _initials(word: str) -> str:
    from assistant.pictures.counters import initials  # only here: it takes long to import

    return initials(word)


def _close(text: str) -> str:
    return "".join(text.split())


FILTERS: Mapping[str, Callable[[str], str]] = {
    "initials": _initials,
    "upper": str.upper,
    "lower": str.lower,
    "close": _close,
}
_NOTHING = ("", "0", "no")
_DIGITS = 9
_FIELD = re.compile(r"\{([^{}]*)\}")
_WORDS = re.compile(r"\w+")
_PARTS = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9_-]*)(?P<optional>\?)?(?::(?P<filter>[a-z]+))?(?:\|(?P<otherwise>[^{}]*))?"
)
_TERM = re.compile(
    r"(?P<no>not\s+)?(?P<name>[A-Za-z0-9][A-Za-z0-9_-]*)\s*(?:(?P<sign><=|>=|!=|=|<|>|~)\s*(?P<value>.+))?"
)


class Field(NamedTuple):
    """A column in a text. optional: nothing without a value; otherwise: what stands then, None if the text is unknown
    then.
    """

    name: str
    optional: bool
    filter: str
    otherwise: str | None

    def read(self, values: Values) -> str | None:
        """What stands for it, None if it is unknown."""
        value = values.get(self.name)
        if value and not self.filter and value not in _NOTHING:
            return value
        if self.optional and value in _NOTHING:
            value = None
        if value is None:
            return "" if self.optional and self.otherwise is None else self.otherwise
        return FILTERS[self.filter](value) if self.filter else value


class Pattern(NamedTuple):
    """A text with columns in it."""

    parts: tuple[str | Field, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that it reads."""
        return tuple(part.name for part in self.parts if isinstance(part, Field))

    def read(self, values: Values) -> str | None:
        """The text for a counter, None if a value in it is unknown."""
        if len(self.parts) == 1:
            (part,) = self.parts
            return part if isinstance(part, str) else part.read(values)
        texts = []
        for part in self.parts:
            text = part if isinstance(part, str) else part.read(values)
            if text is None:
                return None
            texts.append(text)
        return "".join(texts)


@lru_cache(maxsize=2000)
def pattern(text: str) -> Pattern:
    """The pattern that a text writes. Raises ValueError with what is wrong in it."""
    parts: list[str | Field] = []
    at = 0
    for field in _FIELD.finditer(text):
        parts += [_plain(text[at : field.start()], text), _field(field[1], text)]
        at = field.end()
    parts.append(_plain(text[at:], text))
    return Pattern(tuple(part for part in parts if part))


def _plain(text: str, whole: str) -> str:
    if set(text) & set("{}"):
        raise ValueError(f"{whole!r} has an unmatched brace")
    return text


def _field(text: str, whole: str) -> Field:
    match = _PARTS.fullmatch(text)
    if not match:
        raise ValueError(f"{{{text}}} in {whole!r} is not a column, as {{steps}}, {{steps?}} or {{steps|-}} is")
    if match["filter"] and match["filter"] not in FILTERS:
        raise ValueError(f"{{{text}}}: there is no {match['filter']!r}, only {' and '.join(FILTERS)}")
    return Field(match["name"], bool(match["optional"]), match["filter"] or "", match["otherwise"])


class Term(NamedTuple):
    """A comparison of a column. values: one of which it must equal; sign: "" if the column alone is meant."""

    name: str
    no: bool
    sign: str
    values: tuple[str, ...]

    def holds(self, values: Values) -> bool:
        """Whether it is so of a counter. No comparison of an unknown value is, `!=` included; with `not`, each is."""
        value = values.get(self.name)
        if not self.sign:
            return (value is not None and value not in _NOTHING) is not self.no
        return (value is not None and self._compares(value)) is not self.no

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
    return text.isdecimal() and len(text) <= _DIGITS


class Condition(NamedTuple):
    """Terms that must all hold, in alternatives of which one must; none at all always hold."""

    alternatives: tuple[tuple[Term, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that it reads."""
        return tuple(term.name for terms in self.alternatives for term in terms)

    def holds(self, values: Values) -> bool:
        """Whether it is so of a counter."""
        for terms in self.alternatives:
            for term in terms:
                if not term.holds(values):
                    break
            else:
                return True
        return not self.alternatives


@lru_cache(maxsize=1000)
def condition(text: str) -> Condition:
    """The condition that a text writes, "" for none. Raises ValueError with what is wrong in it."""
    if not text.strip():
        return Condition(())
    return Condition(tuple(tuple(_terms(part)) for part in re.split(r"\sor\s", text.strip())))


def _terms(text: str) -> Iterator[Term]:
    for part in re.split(r"\sand\s", text):
        match = _TERM.fullmatch(part.strip())
        if not match:
            raise ValueError(f"{part!r} is not a condition, as steps, not asset or steps > 9 is")
        values = tuple(value.strip() for value in (match["value"] or "").split("|"))
        if match["sign"] in ("<", ">", "<=", ">=") and not (len(values) == 1 and _is_number(values[0])):
            raise ValueError(f"{part!r} does not compare with a number of at most {_DIGITS} digits")
        yield Term(match["name"], bool(match["no"]), match["sign"] or "", values)


UNIT, SYMBOL, NATION, SIZE, STRIPE, FORMATION = "unit", "symbol", "nation", "size", "stripe", "formation"
COMMON = (UNIT, SYMBOL, NATION, SIZE, STRIPE, FORMATION)
"""The words of every game: the unit's name, the word of its symbol, its nation and size, and what the design calls its
formation and what its stripe stands for."""
FIGURES = "{figures}"
"""Of the items of a row: the figures of the game's pictures, or else the ratings of its notation, an item each."""
WORD, VALUE, SIGN = "word", "value", "sign"
"""What a marker says: a word, its value, the name of its symbol."""
OPTIONAL = ("setup", "entry", "pips")
"""Columns that the built-in design shows where a game has them: hex of set-up, turn of entry, steps as pips."""


def print_of(game: Game, unit: str, track: str) -> Fact | None:
    """A fact of a unit type, None if it is unknown."""
    facts = game.roster[unit].get(track)
    return facts[0] if facts else None


def word_of(game: Game, unit: str, track: str) -> str:
    """The same in words; "" if it is unknown."""
    fact = print_of(game, unit, track)
    return "" if fact is None else game.tracks[track].write(fact.value)


def figures(game: Game) -> tuple[str, ...]:
    """The columns that `{figures}` stands for."""
    known = {name for name, track in game.tracks.items() if track.on == "unit"}
    named = game.file.picture.figures
    return named if set(named) <= known else tuple(name for name in game.file.notation.brackets if name in known)


def behind(game: Game) -> dict[str, str]:
    """The columns whose values stand in place of others on the back, by these."""
    return {name: track.back for name, track in game.tracks.items() if track.back}


class Columns:
    """The values of a game's counters as they are written. formation, stripe: the columns that the design calls so."""

    def __init__(self, game: Game, formation: str, stripe: str) -> None:
        picture = game.file.picture
        self.game = game
        self.behind = behind(game)
        aliases = (SYMBOL, picture.symbol), (NATION, picture.nation), (SIZE, picture.size)
        self.aliases = {
            name: track
            for name, track in (*aliases, (FORMATION, formation), (STRIPE, stripe))
            if track in game.tracks and (name not in game.tracks or name == track)
        }
        self._written: dict[tuple[str, Value], str] = {}

    @property
    def names(self) -> list[str]:
        """All names that there are."""
        return list(dict.fromkeys([*COMMON, *self.printed]))

    @property
    def printed(self) -> list[str]:
        """The tracks that are printed on counters."""
        return [name for name, track in self.game.tracks.items() if track.printed == "counter"]

    def values(self, unit: str) -> dict[str, str]:
        """What is known of a unit."""
        texts = {UNIT: unit}
        for name, facts in self.game.roster[unit].items():
            if facts:
                value = facts[0].value
                if (name, value) not in self._written:
                    self._written[name, value] = self.game.tracks[name].write(value)
                texts[name] = self._written[name, value]
        for name, track in self.aliases.items():
            if track in texts:
                texts[name] = texts[track]
        size = texts.get(SIZE, "")
        if size and not any(map(str.isalnum, size)):
            texts[SIZE] = ""
        return texts

    def turned(self, values: Mapping[str, str]) -> dict[str, str] | None:
        """The same on the back, None if it has no values: if they are unknown or 0."""
        if all(values.get(name, "0") == "0" for name in self.behind.values()):
            return None
        kept = {name: value for name, value in values.items() if name not in self.behind}
        return kept | {name: values[other] for name, other in self.behind.items() if other in values}

    def title(self, values: Mapping[str, str], back: bool) -> str:
        """All that is printed on a counter, in words."""
        tracks, roles = self.game.tracks, self.aliases
        known = list(self._first(values))
        shown = {roles.get(name) for name in (NATION, SYMBOL, SIZE)}
        known += [
            f"{tracks[name].title} {value}" for name, value in values.items() if name in tracks and name not in shown
        ]
        side = ", back" if back else ""
        return f"{values[UNIT]}{side}: {', '.join(known)}"

    def _first(self, values: Mapping[str, str]) -> Iterator[str]:
        for name in (NATION, SYMBOL):
            if name in self.aliases:
                yield values.get(name) or f"{self.game.tracks[self.aliases[name]].title} unknown"
        if values.get(SIZE):
            yield values[SIZE]

    def doubtful(self, unit: str, names: frozenset[str]) -> tuple[str, ...]:
        """The tracks of a unit among these whose value is made up or assumed."""
        named = names | {self.aliases[name] for name in names if name in self.aliases}
        return tuple(
            name for name, facts in self.game.roster[unit].items() if facts and facts[0].doubtful and name in named
        )
