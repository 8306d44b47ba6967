"""The drawing of a board: chains, labels, places and lakes, each with its source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from ...state.tracks import Source, Value
from ...state.words import Word
from ...util.errors import InputError, Where, format_suggestion
from ...util.notes import note
from ...util.patterns import late_pattern

LABELS = ("region", "water", "range")
"""The kinds of labels."""
FLOWING = frozenset({"river", "stream", "canal"})
"""Parts of words that mean flowing water along hexsides."""
WATERS = frozenset({"lake", "sea", "ocean", "water"})
"""Parts of words that mean open water on hexsides and in hexes."""
_SINCE = late_pattern("[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?")


class Basis(msgspec.Struct, frozen=True, omit_defaults=True):
    """The source of an entry, with remarks on it."""

    source: Source
    note: str = ""
    rule: str = ""
    """The number of the rule that states the fact."""
    since: str = ""
    """The date from which the fact holds: 1914, 1914-08 or 1914-08-17."""


class HexChain(msgspec.Struct, frozen=True, kw_only=True):
    """A river, railway or border: hexsides joined end to end, or hexes each adjacent to the one before."""

    name: Annotated[str, note('the name, or "" if it has none')]
    facts: Annotated[tuple[tuple[str, Value], ...], note("the stated tracks with their values")]
    along: Annotated[
        bool, note("whether `path` holds hexsides rather than hexes, whose common hexsides then have the facts")
    ]
    path: tuple[str, ...]
    basis: Basis
    where: Annotated[Where, note("the place in the files")]


class MapLabel(msgspec.Struct, frozen=True, kw_only=True):
    """A name written across the map."""

    name: str
    kind: str
    """The kind of label, one of `LABELS`."""
    hexes: tuple[str, ...]
    """The hexes along which the name runs, from its first letter to its last."""
    basis: Basis
    where: Where


class NamedPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A town or another named place in a hex."""

    hex: str
    name: str
    kind: str
    """The class of the place, or "" if it has none."""
    label: str
    """The compass point at which the name stands, or "" if any will do."""
    names: Mapping[str, str]
    """The names in other languages, by language codes such as "de"."""
    basis: Basis
    where: Where
    fortress: bool = False
    """Whether the map shows a fortress. Its effect is a fact of the hex."""
    terminus: bool = False
    """Whether a railway ends in this place."""


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The shape of a lake, used only for the picture. Its effect on movement is a fact of hexsides."""

    name: str
    """The name, or "" if it has none."""
    hex: str
    """A nearby hex, whose centre is the origin of the points."""
    points: tuple[tuple[float, float], ...]
    """Distances from the origin to the right and down, in hexes."""
    where: Where


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a board's drawing, in the order of its files."""

    chains: tuple[HexChain, ...] = ()
    labels: tuple[MapLabel, ...] = ()
    places: tuple[NamedPlace, ...] = ()
    outlines: tuple[Outline, ...] = ()
    edge: Basis | None = None
    """The source of the extent of the board: of the set of hexes that are on it."""


def read_basis(words: Sequence[Word], usual: Basis) -> Basis:
    """Parse words such as `rulebook 17.4`, `drawn "an atlas" since 1914-08` or `since 1915`.

    `usual`: the source for everything that the words leave out, unless they name a source.

    Raises InputError if there are no words or unknown ones.
    """
    if not words:
        hint = f"name a source ({', '.join(_SOURCES)}), a rule, a note in quotes, or since 1914-08"
        raise InputError("this names no source", hint=hint)
    basis = usual
    rest = list(words)
    if rest and not rest[0].quoted and rest[0].text in _SOURCES:
        basis = Basis(Source(rest.pop(0).text))
    while rest:
        word = rest.pop(0)
        if word.quoted:
            basis = msgspec.structs.replace(basis, note=word.text)
        elif word.text == "since":
            basis = msgspec.structs.replace(basis, since=read_since(rest.pop(0).text if rest else ""))
        elif re.search("[0-9]", word.text):
            basis = msgspec.structs.replace(basis, rule=word.text)
        else:
            raise InputError(f"unknown source {word.text!r}", hint=format_suggestion(word.text, _SOURCES))
    return basis


_SOURCES = tuple(source.value for source in Source)


def check_name(text: str) -> None:
    """Raise InputError if a text has a character that cannot be printed."""
    if not text.isprintable():
        raise InputError(f"{text!r} has a character that cannot be printed", hint="type it again")


def read_since(text: str) -> str:
    """Return a date in the form of `Basis.since`.

    Raises InputError if the text has another form.
    """
    if not _SINCE.fullmatch(text):
        raise InputError(f"{text!r} is not a date", hint="write 1914, 1914-08 or 1914-08-17")
    return text
