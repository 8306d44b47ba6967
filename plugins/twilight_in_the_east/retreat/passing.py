"""Artillery, Corps Trains and depots next to which a stack comes on its way, and which have to leave their hexes at once (9.5, 9.8, 9.9)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from assistant.questions import Step, step

from ..terms import COMBAT_ARMS, DEPOTS, KG_TRAIN, SUPPLY_ARMS
from .pieces import Layout, Piece, Pieces

DISPLACE = ("artillery", *SUPPLY_ARMS)
"""The arms that have to make room."""


def must_go(layout: Layout, piece: Piece) -> bool:
    """Whether a unit has to leave its hex: a depot next to an enemy, artillery or a Corps Train in an EZOC without a combat unit.
    Rule: 9.5, 9.8, 9.9
    """
    place = layout.where[piece.id]
    if piece.arm in DEPOTS:
        return not layout.enemies(piece.side).isdisjoint(layout.pieces.terrain.neighbours(place))
    return place in layout.enemy_zones(piece.side) and not accompanied(layout, piece)


def accompanied(layout: Layout, piece: Piece) -> bool:
    """Whether a friendly combat unit stands with a unit."""
    return any(other.arm in COMBAT_ARMS for other in layout.at(layout.where[piece.id]))


def passed(pieces: Pieces, stack: Collection[str], way: Sequence[str]) -> Iterator[tuple[str, list[Piece]]]:
    """The hexes of a way in which a stack makes enemy units leave theirs, with those units, each where it first has to: before that
    hex none of them had to.
    """
    seen: set[str] = set()
    side = next((pieces.pieces[name].side for name in stack if name in pieces.pieces), "")
    others = [one for one in pieces.pieces.values() if one.arm in DISPLACE and one.side not in ("", side)]
    others = [one for one in others if one.id != KG_TRAIN]  # it stands its ground (22.5.1)
    stood = {one.id for one in others if must_go(pieces.layout(()), one)}
    for hex in way:
        layout = pieces.layout(tuple((name, hex) for name in stack))
        going = [one for one in others if one.id not in (*stood, *seen) and must_go(layout, one)]
        seen.update(one.id for one in going)
        if going:
            yield hex, going


def passing_step(hex: str, going: Sequence[Piece]) -> Step:
    """That units have to leave their hexes the instant that a stack enters one, which the players see to (9.5.1, 9.9)."""
    units = [f"{one.id} in {one.place}" for one in going]
    text = "the instant that the stack enters {hex}, and before it goes on, these must leave their hexes: {units}; "
    text += "the players see to that"
    rule = "9.9" if all(one.arm in DEPOTS for one in going) else "9.5.1"
    return step(rule, text, hex=hex, units=units)
