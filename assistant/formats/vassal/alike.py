"""Counters that are all alike: which of their units each piece of a save is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from .pieces import Piece


def pieces_in_order(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces as they are numbered: by their ids, for those stay the same wherever they move and whoever hides
    them.

    A number that a side does not see tells it of a counter out of sight, and no more: a roster that all may read names
    all of them.
    """
    return sorted(pieces, key=lambda piece: _sort_key(piece.id))


def _sort_key(id: str) -> tuple[int, str]:
    """Return what ids are sorted by: VASSAL counts its own upwards; others come after them."""
    return (len(id), id) if re.fullmatch("[1-9][0-9]*", id) else (len(id) + 1000, id)


def share_units(
    pieces: Sequence[Piece], units: Mapping[str, tuple[str, ...]], is_placed: Callable[[Piece], bool]
) -> dict[str, str]:
    """Return the unit of each piece, by its id, for as many pieces as there are units.

    pieces: in their order; units: those that a piece may be, by its id. Pieces on the map come first, and of these the
    ones that no side hides, so that no piece that is left over reveals a hidden one.
    """
    alike: dict[tuple[str, ...], list[Piece]] = {}
    known: dict[int, list[Piece]] = {}  # by the very tuple: hundreds of alike pieces share one of hundreds of units
    for piece in pieces:
        possible = units[piece.id]
        if id(possible) not in known:
            known[id(possible)] = alike.setdefault(possible, [])
        known[id(possible)].append(piece)
    units_of = dict[str, str]()
    given = set[str]()
    for possible, some in alike.items():
        free = [unit for unit in possible if unit not in given]
        if len(some) > len(free):
            first = sorted(some, key=lambda piece: (not is_placed(piece), bool(piece.owners())))
            chosen = {piece.id for piece in first[: len(free)]}
            some = [piece for piece in some if piece.id in chosen]
        units_of |= {piece.id: unit for piece, unit in zip(some, free, strict=False)}
        given.update(free[: len(some)])
    return units_of
