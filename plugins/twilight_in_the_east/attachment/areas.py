"""Areas of Attachment: their shape, and the boundaries between two armies of a side (6.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import combinations

from ..forces.armies import GARRISONS, Breach, side_of_army

DEPTH = 7
"""How many hexes a boundary goes on behind the friendly Front Line, at least (6.1)."""

Hexes = Collection[str]
Neighbours = Callable[[str], Iterable[str]]
Distance = Callable[[str, str], int]


def shapes(areas: Mapping[str, frozenset[str]], neighbours: Neighbours) -> list[Breach]:
    """What is wrong with areas by army: one in pieces, and a hex that two of a side hold. Rule: 6.1"""
    breaches = []
    for army, hexes in areas.items():
        if army in GARRISONS:
            breaches.append(Breach("24.1", army, "it is not an army, and has no Area of Attachment"))
        elif (count := len(pieces(hexes, neighbours))) > 1:
            breaches.append(Breach("6.1", army, f"its Area of Attachment is in {count} pieces"))
    for first, second in combinations(sorted(areas), 2):
        if side_of_army(first) == side_of_army(second) and (shared := sorted(areas[first] & areas[second])):
            breaches.append(Breach("6.1", first, f"its area and that of {second} both hold {', '.join(shared)}"))
    return breaches


def pieces(hexes: Hexes, neighbours: Neighbours) -> list[frozenset[str]]:
    """The contiguous pieces of a set of hexes."""
    left, parts = set(hexes), []
    while left:
        piece = edge = {min(left)}
        while edge:
            left -= edge
            edge = {beside for hex in edge for beside in neighbours(hex) if beside in left}
            piece = piece | edge
        parts.append(frozenset(piece))
    return parts


def boundary_breaches(
    areas: Mapping[str, frozenset[str]], fronts: Mapping[str, Hexes], neighbours: Neighbours, distance: Distance
) -> list[Breach]:
    """What is wrong with the boundaries between armies of a side that have a piece of the front; others lie behind it
    for now.

    areas: of each army, by its side and name; fronts: the hexes of the Front Line of each army that has one; distance:
    in hexes.
    Rule: 6.1c
    """
    breaches = []
    in_front = {army: areas[army] for army in sorted(areas) if army in fronts}
    for (first, second), shared in sorted(boundaries(in_front, neighbours).items()):
        side = side_of_army(first)
        if side == side_of_army(second):
            friendly = {*fronts[first], *fronts[second]}
            enemy = {hex for army, hexes in fronts.items() if side_of_army(army) != side for hex in hexes}
            breaches += along_boundary(first, second, shared, friendly, enemy, distance)
    return breaches


def boundaries(areas: Mapping[str, Hexes], neighbours: Neighbours) -> dict[tuple[str, str], frozenset[str]]:
    """The hexes of two areas that lie along the line between them, by the two armies in order; each hex is looked at
    once.
    """
    held: dict[str, list[str]] = {}
    for army, hexes in areas.items():
        for hex in hexes:
            held.setdefault(hex, []).append(army)
    borders: dict[tuple[str, str], set[str]] = {}
    for hex, armies in held.items():
        beside = {army for other in neighbours(hex) for army in held.get(other, ())}
        for army_name in armies:
            for other in beside - {army_name}:
                borders.setdefault((min(army_name, other), max(army_name, other)), set()).add(hex)
    return {pair: frozenset(hexes) for pair, hexes in borders.items()}


def along_boundary(
    army: str, other: str, hexes: Hexes, friendly: Hexes, enemy: Hexes, distance: Distance
) -> list[Breach]:
    """What is wrong with the boundary between two armies of a side: where it begins, and how far it goes back.

    A hex of the boundary has to lie on the enemy's Front Line or next to it, and the last one so many hexes behind the
    own; hexes between the two lines are behind neither. hexes: those of both areas along it; friendly, enemy: Front
    Lines, empty if not known.
    """

    def behind(hex: str) -> int:
        """How many hexes behind the own line a hex lies, 0 if it lies before it."""
        far = min(distance(hex, line) for line in friendly)
        here = min((distance(hex, line) for line in enemy), default=far)
        there = min(
            (distance(own_hex, line) for own_hex in friendly if distance(hex, own_hex) == far for line in enemy),
            default=0,
        )
        return far if here > there else 0

    breaches = []
    if enemy and min(distance(hex, line) for hex in hexes for line in enemy) > 1:
        breaches.append(Breach("6.1", army, f"its boundary with {other} does not begin on the enemy's Front Line"))
    last = max(map(behind, hexes), default=0) if friendly else DEPTH
    if last < DEPTH:
        why = f"its boundary with {other} ends {last} hexes behind the Front Line; the least is {DEPTH}"
        breaches.append(Breach("6.1", army, why))
    return breaches
