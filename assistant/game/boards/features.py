"""What a board is drawn from: chains, labels, places and lakes, and how each is known."""

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
"""Parts of words for what flows along hexsides."""
WATERS = frozenset({"lake", "sea", "ocean", "water"})
"""Parts of words for open water on hexsides and in hexes."""
_SINCE = late_pattern("[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?")


class Basis(msgspec.Struct, frozen=True, omit_defaults=True):
    """How an entry is known."""

    source: Source
    note: str = ""
    rule: str = ""
    """The one that states it."""
    since: str = ""
    """When it came to be, as 1914, 1914-08 or 1914-08-17."""


class HexChain(msgspec.Struct, frozen=True, kw_only=True):
    """A river, a railway, a border: hexsides each of which goes on where the one before ends, or hexes each adjacent to
    the one before.
    """

    name: Annotated[str, note('"" for none')]
    facts: Annotated[tuple[tuple[str, Value], ...], note("what it states, as tracks with their values")]
    along: Annotated[
        bool, note("whether `path` holds hexsides; if hexes, facts of hexsides are about those between them")
    ]
    path: tuple[str, ...]
    basis: Basis
    where: Annotated[Where, note("where it is written")]


class MapLabel(msgspec.Struct, frozen=True, kw_only=True):
    """A name written across the map."""

    name: str
    kind: str
    """One of `LABELS`."""
    hexes: tuple[str, ...]
    """Along which it runs, from its first letter to its last."""
    basis: Basis
    where: Where


class NamedPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A town or another named place in a hex."""

    hex: str
    name: str
    kind: str
    """Its class, "" for none."""
    label: str
    """The compass point at which its name stands, "" for any."""
    names: Mapping[str, str]
    """In other languages, by their codes: "de", "pl"."""
    basis: Basis
    where: Where
    fortress: bool = False
    """Whether the map shows a fortress there; what one does is a fact of its hex."""
    terminus: bool = False
    """Whether a railway ends there."""


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The shape of a lake, for the picture alone: what it bars lies on hexsides."""

    name: str
    """Empty for none."""
    hex: str
    """One nearby, from the middle of which its points count."""
    points: tuple[tuple[float, float], ...]
    """To the right and down, in hexes."""
    where: Where


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """What a board is drawn from, in the order of its files."""

    chains: tuple[HexChain, ...] = ()
    labels: tuple[MapLabel, ...] = ()
    places: tuple[NamedPlace, ...] = ()
    outlines: tuple[Outline, ...] = ()
    edge: Basis | None = None
    """How it is known which hexes are on it."""


def read_basis(words: Sequence[Word], usual: Basis) -> Basis:
    """Return how an entry is known, from words like `rulebook 17.4`, `drawn "an atlas" since 1914-08` or `since 1915`.

    usual: what holds for what is not said, unless a source is named. Raises InputError for anything else, and for no
    words.
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
    """Raise InputError for a name or a note with a letter that neither a screen nor a map can show."""
    if not text.isprintable():
        raise InputError(f"{text!r} has a character that cannot be printed", hint="type it again")


def read_since(text: str) -> str:
    """Return a date as `Basis.since` has it. Raises InputError for anything else."""
    if not _SINCE.fullmatch(text):
        raise InputError(f"{text!r} is not a date", hint="write 1914, 1914-08 or 1914-08-17")
    return text
