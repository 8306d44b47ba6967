"""The different pieces of a module, how alike two names are, and proposals for entries of a mapping with how sure they
are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from .....util.datafiles import read_toml
from .....util.texts import folded
from ...modules import Module
from ...pieces import Piece
from ..legend import all_properties, name_of, names_of, picture_of
from ..mapping import LONGEST

SURE, LIKELY, GUESS = "sure", "likely", "guess"


class Proposal(NamedTuple):
    """An entry of a section: its name, its value, how sure that is, and why.

    sure: "" for an entry that is left to the player, which the file has as a comment.
    """

    name: str
    value: Any
    sure: str = ""
    why: str = ""


Token = frozenset[str]
"""A word of a name, in each way in which it may be meant: XX is `xx`, `20` and `division`."""

_WORDS = re.compile(r"[0-9]+|[^\W0-9_]+")
_ORDINAL = re.compile(r"(?<=[0-9])(st|nd|rd|th)\b", re.IGNORECASE)
_ROMAN = re.compile(r"(?=[IVXLC])(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_TENS = {"XC": 90, "XL": 40}
_ONES = {"IX": 9, "IV": 4}
_NOISE = {*_WORDS.findall("of the be and in at a is to by it unit marker png jpg gif svg")}
_LONGEST = 200
"""The most letters of a name that are looked at."""


class _Abbreviations(NamedTuple):
    """words: what an abbreviation stands for, by it; compounds: what one word stands for as several."""

    words: dict[str, frozenset[str]]
    compounds: dict[str, tuple[str, ...]]


@cache
def _abbreviations() -> _Abbreviations:
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
    return _Abbreviations({abbreviation: frozenset(long) for abbreviation, long in words.items()}, compounds)


@cache
def plain_words(text: str) -> tuple[str, ...]:
    """The words and numbers of a name as they are written, whatever stands between them: two names with the same ones
    are the same.
    """
    return tuple(map(folded, _WORDS.findall(text[:_LONGEST])))


@cache
def tokens(text: str) -> tuple[Token, ...]:
    """The words of a name, without those that say nothing."""
    plain = _ORDINAL.sub(
        " ",
        text[:_LONGEST]
        .replace("A-H", "AH")
        .replace("ustro-Hungarian", "ustrohungarian")
        .replace("ustro-hungarian", "ustrohungarian"),
    )
    words = _WORDS.findall(re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", plain))
    telling = [word for word in words if folded(word) not in _NOISE] or words
    return tuple(token for word in telling for token in _tokens(word))


def _tokens(word: str) -> Iterator[Token]:
    small = folded(word)
    if parts := _abbreviations().compounds.get(small):
        yield from map(_meant, parts)
    else:
        yield _meant(small, _roman(word))


def _meant(small: str, number: int = 0) -> Token:
    plain = str(int(small)) if small.isascii() and small.isdecimal() else small
    return (
        frozenset({plain}) | _abbreviations().words.get(small, frozenset()) | ({str(number)} if number else frozenset())
    )


def _roman(word: str) -> int:
    """The number that a Roman numeral is, 0 for any other word; a single letter is one only if it is a capital."""
    match = _ROMAN.fullmatch(word.upper() if len(word) > 1 else word)
    if not match:
        return 0
    tens, ones = match.groups()
    return _TENS.get(tens, 50 * ("L" in tens) + 10 * tens.count("X")) + _ONES.get(
        ones, 5 * ("V" in ones) + ones.count("I")
    )


def is_number(token: Token) -> bool:
    """Whether a word may be a number."""
    return any(sign.isdecimal() for sign in token)


def has(name: Iterable[Token], token: Token) -> bool:
    """Whether a word stands among others."""
    return any(not token.isdisjoint(other) for other in name)


def has_all(name: Iterable[Token], words: Iterable[Token]) -> bool:
    """Whether all of some words stand among others."""
    mine = tuple(name)
    return all(has(mine, word) for word in words)


def likeness(mine: Sequence[Token], *others: Sequence[Token]) -> float:
    """How alike a name is to several that mean one thing, from 0 to 1: by the part of its words that they have, and the
    part of theirs that it has.
    """
    if not mine:
        return 0.0
    if any(len(other) == len(mine) and has_all(other, mine) for other in others):
        return 1.0
    shared = sum(has((token for other in others for token in other), token) for token in mine) / len(mine)
    covered = max((sum(has(mine, token) for token in other) / len(other) for other in others if other), default=0.0)
    return 0.9 * (2 * shared + covered) / 3


_ENDING = re.compile(r"\.\w{1,4}$")


class Candidate(NamedTuple):
    """A piece that may be a unit or a marker.

    key: how a mapping names it; title: what players call it; picture: its file, without its ending; piece: with its
    traits, prototypes replaced; own: the words of its name, or of its picture if it has none; around: those of the
    palette it stands in, of its properties and its picture; properties: by name; slots: the slots that hold it.
    """

    key: str
    title: str
    picture: str
    piece: Piece
    own: tuple[Token, ...]
    around: tuple[Token, ...]
    properties: Mapping[str, str]
    slots: tuple[str, ...]

    @property
    def named(self) -> str | list[str]:
        """How a mapping names it: one that only its slot tells from others by all slots that hold it."""
        slots = [f"#{slot}" for slot in self.slots if slot]
        return slots if self.key.startswith("#") and len(slots) > 1 else self.key


class _Looks(NamedTuple):
    """What pieces have in common that are one candidate."""

    name: str
    picture: str
    properties: tuple[tuple[str, str], ...]


def candidates(module: Module) -> list[Candidate]:
    """The different pieces of the palettes and of the module's own set-up; those of one name, picture and properties
    are one.

    A piece is named by its name, or by its picture or its slot where several have the same one.
    """
    by_looks: dict[_Looks, tuple[str, tuple[str, ...], Piece]] = {}
    slots: dict[_Looks, list[str]] = {}
    for title, path, piece in _pieces(module):
        properties = {name: value for name, value in all_properties(module.expanded(piece.traits)) if value}
        looks = _Looks(name_of(piece), picture_of(piece) or title, tuple(properties.items()))
        by_looks.setdefault(looks, (title or looks.name, path, piece))
        slots.setdefault(looks, []).append(piece.slot)
    names, pictures = (Counter(looks[part] for looks in by_looks) for part in (0, 1))
    listed = []
    for looks, (title, path, piece) in by_looks.items():
        name, picture, known_properties = looks
        expanded = piece._replace(traits=module.expanded(piece.traits))
        known = [text for text in names_of(expanded) if len(text) <= LONGEST]
        if name in known and names[name] == 1:
            key = name
        elif picture in known and pictures[picture] == 1:
            key = picture
        else:
            key = next((text for text in known if text.startswith("#")), known[0] if known else "")
        if not key or not key.isprintable():
            continue
        drawn = _ENDING.sub("", picture)
        own = tuple(dict.fromkeys(token for text in (name, title) if text != picture for token in tokens(text)))
        texts = (
            *path,
            *(trait.part(1) for trait in piece.traits if trait.kind == "prototype"),
            *((drawn,) if own else ()),
        )
        said = (token for _, value in known_properties for token in tokens(value) if not is_number(token))
        around = (*(token for text in texts for token in tokens(text)), *said)
        called = title or name or picture
        listed.append(
            Candidate(
                key, called, drawn, expanded, own or tokens(drawn), around, dict(known_properties), tuple(slots[looks])
            )
        )
    return listed


def piece_names(module: Module) -> tuple[str, ...]:
    """All names by which a mapping may call pieces of a module, those in decks too."""
    pieces = [piece for _, _, piece in _pieces(module)]
    pieces += [piece for start in module.starts if start.deck for piece in start.pieces]
    expanded = (piece._replace(traits=module.expanded(piece.traits)) for piece in pieces)
    return tuple(sorted({name for piece in expanded for name in names_of(piece)}))


def _pieces(module: Module) -> Iterator[tuple[str, tuple[str, ...], Piece]]:
    for slot in module.slots:
        yield slot.name, slot.path, slot.piece._replace(slot=slot.id or slot.piece.slot)
    for start in module.starts:
        if not start.deck:
            yield from (("", (), piece) for piece in start.pieces)
