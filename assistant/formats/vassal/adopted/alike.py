"""Counters that are all alike, such as several of one slot: which of them is which unit, in every save of a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ..pieces import Piece

NUMBERED = "{} ({})"
"""The name of a unit that is not the first of its kind: `Infantry (2)`."""
_NUMBER = re.compile(r" \([0-9]+\)$")


def kind_of(unit: str) -> str:
    """What units are called whose counters are all alike: their name without the number behind it."""
    return _NUMBER.sub("", unit)


def in_order(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces as they are numbered: by their ids, for those stay the same wherever they move and whoever hides them.

    A number that a side does not see tells it of a counter out of sight, and no more: a roster that all may read names all of them.
    """
    return sorted(pieces, key=lambda piece: _age(piece.id))


def _age(id: str) -> tuple[int, str]:
    """VASSAL counts its ids upwards; others come after them."""
    return (len(id), id) if re.fullmatch("[1-9][0-9]*", id) else (len(id) + 1000, id)


def shared_out(
    pieces: Sequence[Piece], units: Mapping[str, tuple[str, ...]], is_placed: Callable[[Piece], bool]
) -> dict[str, str]:
    """The unit of each piece, by its id; those for which no unit is left are missing.

    pieces: in their order; units: that a piece may be, by its id; is_placed: whether it lies on the map. Where there are more pieces
    than units, those on the map come first, and of these the ones that nobody hides: no piece that is left over tells of a hidden one.
    """
    alike: dict[tuple[str, ...], list[Piece]] = {}
    known: dict[int, list[Piece]] = {}  # by the very tuple: hundreds of alike pieces share one of hundreds of units
    for piece in pieces:
        possible = units[piece.id]
        if id(possible) not in known:
            known[id(possible)] = alike.setdefault(possible, [])
        known[id(possible)].append(piece)
    found, given = dict[str, str](), set[str]()
    for possible, some in alike.items():
        free = [unit for unit in possible if unit not in given]
        if len(some) > len(free):
            first = sorted(some, key=lambda piece: (not is_placed(piece), bool(piece.owners())))
            chosen = {piece.id for piece in first[: len(free)]}
            some = [piece for piece in some if piece.id in chosen]
        found |= {piece.id: unit for piece, unit in zip(some, free, strict=False)}
        given.update(free[: len(some)])
    return found
