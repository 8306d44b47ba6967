"""When enemy cavalry may react to a move (9.1.1)."""

from __future__ import annotations

from collections.abc import Collection

TRIGGERS = {
    0: "the move triggers no reaction",
    1: "an enemy has become adjacent to it, where none was before",
    2: "an enemy has moved from one adjacent hex into another that is adjacent to it or to a friendly unit",
}


def trigger(
    adjacent: Collection[str],
    now: str,
    left: str | None,
    other_enemies: Collection[str],
    next_to_friends: Collection[str],
) -> int:
    """The number of the trigger that a move pulls: 2 from a hex next to the cavalry into one next to it or to a friend
    of it; 1 adjacent to cavalry that no enemy stood adjacent to; else 0.

    adjacent: the hexes around the cavalry; other_enemies: those of them where other enemies stand; next_to_friends: the
    hexes around other units of its side.
    Rule: 9.1.1a, 9.1.1b
    """
    if left in adjacent and (now in adjacent or now in next_to_friends):
        return 2
    return int(now in adjacent and left not in adjacent and not other_enemies)
