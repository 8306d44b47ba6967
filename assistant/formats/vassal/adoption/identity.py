"""Recognises a piece by its slot, its name and its picture, of which one may be wrong.

A module may give another piece's slot to a piece, saves of older versions lack slots, and many pieces share a picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from ....util.texts import compose_accents
from ..pieces import Piece
from ..traits import read_layer

T = TypeVar("T")


class Recognised(NamedTuple, Generic[T]):
    """The things that most signs of a piece stand for."""

    found: tuple[T, ...]
    """Several if the signs do not tell them apart."""
    others: tuple[T, ...]
    """The things that contradicting signs stand for."""


def recognise(signs: Sequence[Sequence[T]]) -> Recognised[T]:
    """Return the things for which most signs of a piece stand. If as many stand for others, the surest sign decides.

    `signs`: the things for which each sign stands, the surest sign first, without signs that stand for nothing.
    """
    if all(things is signs[0] for things in signs):  # the usual case; copies of a counter may be hundreds
        return Recognised(tuple(signs[0]) if signs else (), ())
    counts = Counter(thing for things in signs for thing in dict.fromkeys(things))
    most = max(counts.values(), default=0)
    found = next(
        (tuple(thing for thing in things if counts[thing] == most) for things in signs if _has(things, counts, most)),
        (),
    )
    contradicting = (things for things in signs if not {*things} & {*found})
    return Recognised(found, tuple(dict.fromkeys(thing for things in contradicting for thing in things)))


def _has(things: Sequence[T], counts: Counter[T], count: int) -> bool:
    return any(counts[thing] == count for thing in things)


def names_for_piece(piece: Piece) -> list[str]:
    """Return the names that a mapping may use for a piece, the surest first: its slot, its name, its picture.

    A name that is also the picture's is returned once.
    """
    slot = f"#{piece.slot}" if piece.slot else ""
    return [*dict.fromkeys(name for name in (slot, piece_name(piece), picture_of(piece)) if name)]


def piece_name(piece: Piece) -> str:
    """Return the name of a piece without its statuses, or ""."""
    renamed = (trait.part(1) for trait in piece.traits if trait.kind == "basicName")
    return compose_accents(next(filter(None, renamed), "") or piece.traits[-1].part(4))


def picture_of(piece: Piece) -> str:
    """Return the file of a piece's picture, or of the first picture in its innermost layer, or ""."""
    own = piece.traits[-1].part(3)
    if own:
        return compose_accents(own)
    for trait in reversed(piece.traits):
        if trait.kind == "emb2":
            for image in read_layer(trait.type).images:
                if image:
                    return compose_accents(image)
    return ""
