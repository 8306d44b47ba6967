"""The different pieces of a module: what each is called, how a mapping names it, what its traits say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from ...modules import Module
from ...pieces import Piece
from ...traits import Trait
from ..legend import name_of, names_of, picture_of, property_values
from .likeness import Token, tokens


class Candidate(NamedTuple):
    """A piece that may be a unit or a marker.

    key: how a mapping names it; title: what players call it; piece: with its traits, prototypes replaced; own: the words of its name, or of its
    picture if it has none; around: those of the palette it stands in, of its properties and its picture; properties: by name.
    """

    key: str
    title: str
    piece: Piece
    own: tuple[Token, ...]
    around: tuple[Token, ...]
    properties: Mapping[str, str]


def candidates(module: Module) -> list[Candidate]:
    """The different pieces of the palettes and of the module's own set-up; those of one name and picture are one.

    A piece is named by its name, or by its picture or its slot where several have the same one.
    """
    found: dict[tuple[str, str], tuple[str, tuple[str, ...], Piece]] = {}
    for title, path, piece in _pieces(module):
        name, picture = name_of(piece), picture_of(piece)
        found.setdefault((name, picture or title), (title or name, path, piece))
    names = [name for name, _ in found]
    pictures = [picture for _, picture in found]
    listed = []
    for (name, picture), (title, path, piece) in found.items():
        expanded = piece._replace(traits=module.expanded(piece.traits))
        known = names_of(expanded)
        if name in known and names.count(name) == 1:
            key = name
        elif picture in known and pictures.count(picture) == 1:
            key = picture
        else:
            key = next((one for one in known if one.startswith("#")), known[0] if known else "")
        if not key or not key.isprintable():
            continue
        properties = {
            name: value for trait in expanded.traits for name, value in property_values(trait).items() if value
        }
        drawn = PurePosixPath(picture).stem
        own = dict.fromkeys(token for text in (name, title) if text != picture for token in tokens(text))
        texts = (*path, *_prototypes(piece.traits), *properties.values(), *((drawn,) if own else ()))
        around = tuple(token for text in texts for token in tokens(text))
        listed.append(
            Candidate(key, title or name or picture, expanded, tuple(own) or tokens(drawn), around, properties)
        )
    return listed


def _pieces(module: Module) -> Iterator[tuple[str, tuple[str, ...], Piece]]:
    for slot in module.slots:
        yield slot.name, slot.path, slot.piece._replace(slot=slot.id or slot.piece.slot)
    for start in module.starts:
        if not start.deck:
            yield from (("", (), piece) for piece in start.pieces)


def _prototypes(traits: tuple[Trait, ...]) -> Iterator[str]:
    return (trait.type.partition(";")[2] for trait in traits if trait.kind == "prototype")
