"""Cavalry that steps aside: what triggers a reaction, and which hexes are barred to it (9.1, 9.2)."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import NamedTuple

from assistant.field import Around, Barred, HexOption, open_hexes, option

from ...fortresses.garrisons import garrison_move, is_inside
from ...ground.hexsides import between, closed

TRIGGERS = {
    0: "the move triggers no reaction",
    1: "an enemy has come next to it, and none stood there",
    2: "an enemy has moved from one adjacent hex into another that is adjacent to it or to a friendly unit",
}


def trigger(
    adjacent: Collection[str],
    now: str,
    left: str | None,
    other_enemies: Collection[str],
    next_to_friends: Collection[str],
) -> int:
    """Which trigger a move pulls: 2 from a hex next to the cavalry into one next to it or to a friend of it; 1 next to cavalry
    that no enemy stood next to; else 0.

    adjacent: the hexes around the cavalry; other_enemies: those of them where other enemies stand; next_to_friends: the hexes
    around other units of its side. Rule: 9.1.1a, 9.1.1b
    """
    if left in adjacent and (now in adjacent or now in next_to_friends):
        return 2
    return int(now in adjacent and left not in adjacent and not other_enemies)


class Bars(NamedTuple):
    """What bars hexes to cavalry that steps aside.

    around: the field as its side sees it, itself left out; place: its hex; zone: the hexes in EZOCs that count; rule: the one by which they do;
    left: the hex that an enemy has just left; keeps: whether it is a Fortress Garrison that need not leave; outside: hexes next to
    enemies that the area of its army keeps it out of (ruling aside-area).
    """

    around: Around
    place: str
    zone: frozenset[str]
    rule: str
    left: str | None = None
    keeps: bool = False
    outside: frozenset[str] = frozenset()

    def options(self) -> tuple[HexOption, ...]:
        """The hexes around, the open ones first."""
        return open_hexes(self.around.view, self.place, partial(option, [self.bar]), lambda one: one.hex)

    def bar(self, here: str, there: str) -> Barred | None:
        """What bars the way into the next hex. Rule: 9.1.2b, 9.1.3, 9.2.1"""
        view = self.around.view
        if there in self.around.enemies:
            return Barred("4.2", "enemies stand there")
        inside = is_inside(view, here, there)
        if self.keeps and garrison_move(inside, required=False, can_stay=True) == "barred":
            return Barred("12.4.1", "a Fortress Garrison does not leave its fortress or complex")
        if shut := closed(between(view, here, there)):
            return Barred("9.1", f"{shut} cannot be crossed")
        if there == self.left:
            return Barred("9.1.2", "the enemy has just left it")
        if there in self.outside:
            return Barred("6.3.1", "it is next to an enemy and outside the area of its army")
        if there in self.zone and there not in self.around.friends:
            return Barred(self.rule, "an empty hex in an EZOC")
        return None
