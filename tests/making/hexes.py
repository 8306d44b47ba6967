"""Hexes of the paper maps by their names: `41.19` of a map whose odd columns lie half a hex lower, `2620` of one whose even columns do."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from random import Random

Pair = tuple[str, str]
"""A hexside: the two hexes that it parts, in order."""


def split(hex: str) -> tuple[int, int]:
    """Return the column and the row of a hex."""
    column, dot, row = hex.partition(".")
    return (int(column), int(row)) if dot else (int(hex[:2]), int(hex[2:]))


def name(column: int, row: int, like: str = "") -> str:
    """Return the name of a hex. `like`: a hex of the same map, with a point between column and row or without."""
    return f"{column:02}{'.' * ('.' in like)}{row:02}"


@cache
def neighbours(hex: str) -> tuple[str, ...]:
    """Return the hexes next to one, those of its own column first."""
    column, row = split(hex)
    lower = row if (column % 2 == 1) == ("." in hex) else row - 1
    found = [(column, row - 1), (column, row + 1)]
    found += [(beside, at) for beside in (column - 1, column + 1) for at in (lower, lower + 1)]
    return tuple(name(*at, like=hex) for at in found if min(at) >= 0)


def pair(one: str, other: str) -> Pair:
    """Return the hexside between two hexes."""
    return (one, other) if one < other else (other, one)


def within(centre: str, far: int) -> tuple[str, ...]:
    """Return the hexes at most `far` hexes from one, the nearest first."""
    return tuple(distances(centre, far))


def distances(centre: str, far: int) -> dict[str, int]:
    """Return the distance of each hex at most `far` hexes from one."""
    found, edge = {centre: 0}, [centre]
    for number in range(1, far + 1):
        edge = [hex for hex in dict.fromkeys(near for at in edge for near in neighbours(at)) if hex not in found]
        found |= dict.fromkeys(edge, number)
    return found


@cache
def distance(one: str, other: str) -> int:
    """Return the number of hexes from one to another."""
    seen = ring = {one}
    steps = 0
    while other not in seen:
        ring = {near for hex in ring for near in neighbours(hex)} - seen
        seen = seen | ring
        steps += 1
    return steps


def hexsides(hexes: Iterable[str]) -> list[Pair]:
    """Return the hexsides between some hexes."""
    inside = dict.fromkeys(hexes)
    return sorted({pair(hex, near) for hex in inside for near in neighbours(hex) if near in inside})


def walk(random: Random, start: str, steps: int, inside: Collection[str] = (), *, returns: bool = False) -> list[str]:
    """Return a random way from a hex, without it.

    `inside`: the hexes that it does not leave, none for any. `returns`: whether it may enter a hex twice.
    """
    way = [start]
    for _ in range(steps):
        onward = [hex for hex in neighbours(way[-1]) if (returns or hex not in way) and (not inside or hex in inside)]
        if not onward:
            break
        way.append(random.choice(onward))
    return way[1:]
