"""What is proposed for an entry of a mapping; and the candidates, the different pieces of a module that may be units or
markers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from .....util.notes import note
from .....util.patterns import late_pattern
from ...modules import Module
from ...pieces import Piece
from ..legend import all_properties, names_for_piece, picture_of, piece_name
from ..mapping import LONGEST
from .likeness import Token, may_be_number, tokens

Sureness = Literal["sure", "likely", "guess", ""]
"""How sure a proposal is; "" for one that is left to the player."""
SURE: Sureness = "sure"
LIKELY: Sureness = "likely"
GUESS: Sureness = "guess"
_FILE_ENDING = late_pattern(r"\.\w{1,4}$")
"""How the name of a file ends."""


class Proposal(NamedTuple):
    """An entry of a section: its name, its value, how sure that is, and why."""

    name: str
    value: Any
    sure: Sureness = ""
    """Empty for an entry that is left to the player, which the file has as a comment."""
    why: str = ""


class Candidate(NamedTuple):
    """A piece that may be a unit or a marker."""

    key: Annotated[str, note("how a mapping names it")]
    title: Annotated[str, note("what players call it")]
    picture: Annotated[str, note("its file, without its ending")]
    piece: Annotated[Piece, note("with its traits, prototypes replaced")]
    own: Annotated[tuple[Token, ...], note("the words of its name, or of its picture if it has none")]
    around: Annotated[tuple[Token, ...], note("the words of its palette, its properties and its picture")]
    properties: Mapping[str, str]
    slots: Annotated[tuple[str, ...], note("the slots that hold it")]

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


def find_candidates(module: Module) -> list[Candidate]:
    """Return the different pieces of the palettes and of the module's own set-up; those of one name, picture and
    properties are one.

    A piece is named by its name, or by its picture or its slot where several have the same one.
    """
    by_looks: dict[_Looks, tuple[str, tuple[str, ...], Piece]] = {}
    slots: dict[_Looks, list[str]] = {}
    for title, path, piece in _list_pieces(module):
        properties = {name: value for name, value in all_properties(module.expanded(piece.traits)) if value}
        looks = _Looks(piece_name(piece), picture_of(piece) or title, tuple(properties.items()))
        by_looks.setdefault(looks, (title or looks.name, path, piece))
        slots.setdefault(looks, []).append(piece.slot)
    names = Counter(looks.name for looks in by_looks)
    pictures = Counter(looks.picture for looks in by_looks)
    listed = []
    for looks, (title, path, piece) in by_looks.items():
        name, picture, known_properties = looks
        expanded = piece._replace(traits=module.expanded(piece.traits))
        known = [text for text in names_for_piece(expanded) if len(text) <= LONGEST]
        if name in known and names[name] == 1:
            key = name
        elif picture in known and pictures[picture] == 1:
            key = picture
        else:
            key = next((text for text in known if text.startswith("#")), known[0] if known else "")
        if not key or not key.isprintable():
            continue
        drawn = _FILE_ENDING.sub("", picture)
        own = tuple(dict.fromkeys(token for text in (name, title) if text != picture for token in tokens(text)))
        texts = [*path, *(trait.part(1) for trait in piece.traits if trait.kind == "prototype")]
        if own:
            texts.append(drawn)
        value_tokens = (token for _, value in known_properties for token in tokens(value) if not may_be_number(token))
        around = (*(token for text in texts for token in tokens(text)), *value_tokens)
        called = title or name or picture
        listed.append(
            Candidate(
                key, called, drawn, expanded, own or tokens(drawn), around, dict(known_properties), tuple(slots[looks])
            )
        )
    return listed


def is_fixed(piece: Piece) -> bool:
    """Return whether players can neither choose nor move a piece: it is drawn as a part of its map."""
    return any(trait.kind == "immob" and "n" in trait.part(1) and trait.part(2) == "V" for trait in piece.traits)


def piece_names(module: Module) -> tuple[str, ...]:
    """Return all names by which a mapping may call pieces of a module, those in decks too."""
    pieces = [piece for _, _, piece in _list_pieces(module)]
    pieces += [piece for start in module.starts if start.deck for piece in start.pieces]
    expanded = (piece._replace(traits=module.expanded(piece.traits)) for piece in pieces)
    return tuple(sorted({name for piece in expanded for name in names_for_piece(piece)}))


def _list_pieces(module: Module) -> Iterator[tuple[str, tuple[str, ...], Piece]]:
    for slot in module.slots:
        yield slot.name, slot.path, slot.piece._replace(slot=slot.id or slot.piece.slot)
    for start in module.starts:
        if not start.deck:
            yield from (("", (), piece) for piece in start.pieces)
