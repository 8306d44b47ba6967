"""The different pieces of a module: what each is called, how a mapping names it, what its traits say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...expressions.carried import Carried
from ...modules import Module
from ...pieces import Piece
from ...sequence import split
from ...traits import Trait
from ..legend import name_of, names_of, picture_of, property_values
from ..mapping import LONGEST
from .likeness import Token, is_number, tokens

_ENDING = re.compile(r"\.\w{1,4}$")


class Candidate(NamedTuple):
    """A piece that may be a unit or a marker.

    key: how a mapping names it; title: what players call it; picture: its file, without its ending; piece: with its traits, prototypes replaced;
    own: the words of its name, or of its picture if it has none; around: those of the palette it stands in, of its properties and its picture;
    properties: by name; slots: the slots that hold it.
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
        told = [f"#{slot}" for slot in self.slots if slot]
        return told if self.key.startswith("#") and len(told) > 1 else self.key


class _Looks(NamedTuple):
    """What pieces have in common that are one candidate."""

    name: str
    picture: str
    properties: tuple[tuple[str, str], ...]


def candidates(module: Module) -> list[Candidate]:
    """The different pieces of the palettes and of the module's own set-up; those of one name, picture and properties are one.

    A piece is named by its name, or by its picture or its slot where several have the same one.
    """
    found: dict[_Looks, tuple[str, tuple[str, ...], Piece]] = {}
    slots: dict[_Looks, list[str]] = {}
    for title, path, piece in _pieces(module):
        looks = _Looks(name_of(piece), picture_of(piece) or title, _properties(module.expanded(piece.traits)))
        found.setdefault(looks, (title or looks.name, path, piece))
        slots.setdefault(looks, []).append(piece.slot)
    names, pictures = (Counter(looks[part] for looks in found) for part in (0, 1))
    listed = []
    for looks, (title, path, piece) in found.items():
        name, picture, properties = looks
        expanded = piece._replace(traits=module.expanded(piece.traits))
        known = [one for one in names_of(expanded) if len(one) <= LONGEST]
        if name in known and names[name] == 1:
            key = name
        elif picture in known and pictures[picture] == 1:
            key = picture
        else:
            key = next((one for one in known if one.startswith("#")), known[0] if known else "")
        if not key or not key.isprintable():
            continue
        drawn = _ENDING.sub("", picture)
        own = tuple(dict.fromkeys(token for text in (name, title) if text != picture for token in tokens(text)))
        texts = (*path, *_prototypes(piece.traits), *((drawn,) if own else ()))
        said = (token for _, value in properties for token in tokens(value) if not is_number(token))
        around = (*(token for text in texts for token in tokens(text)), *said)
        called = title or name or picture
        listed.append(
            Candidate(key, called, drawn, expanded, own or tokens(drawn), around, dict(properties), tuple(slots[looks]))
        )
    return listed


def _properties(traits: tuple[Trait, ...]) -> tuple[tuple[str, str], ...]:
    """The properties that stand on a piece, but for those that are empty."""
    carried = Carried(traits)
    found = {name: value for trait in traits for name, value in property_values(trait, carried).items() if value}
    return tuple(found.items())


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


def _prototypes(traits: tuple[Trait, ...]) -> Iterator[str]:
    return ((*split(trait.type, ";"), "")[1] for trait in traits if trait.kind == "prototype")
