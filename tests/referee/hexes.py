"""Hexes as pairs of column and row, for the referee's programs alone: even columns lie half a hex lower."""

from __future__ import annotations

from collections.abc import Iterable

Hex = tuple[int, int]
Side = frozenset[Hex]
"""A hexside: the two hexes that it parts."""


def around(at: Hex) -> list[Hex]:
    """The six hexes next to a hex, in the order of their numbers."""
    column, row = at
    lower = 1 if column % 2 == 0 else 0
    near = [(column, row - 1), (column, row + 1)]
    for other in (column - 1, column + 1):
        near += [(other, row - 1 + lower), (other, row + lower)]
    return sorted(near)


def name(at: Hex) -> str:
    """A hex as a map of four digits prints it."""
    return f"{at[0]:02}{at[1]:02}"


def names(hexes: Iterable[Hex]) -> list[str]:
    """The names of hexes, in order."""
    return [name(at) for at in sorted(hexes)]


def side(here: Hex, there: Hex) -> Side:
    """The hexside between two hexes."""
    return frozenset((here, there))


def rings(start: Hex, most: int) -> dict[Hex, int]:
    """How far the hexes lie from a hex, up to a distance, found by rounds."""
    far, edge = {start: 0}, [start]
    for number in range(1, most + 1):
        edge = [there for there in dict.fromkeys(near for at in edge for near in around(at)) if there not in far]
        far.update(dict.fromkeys(edge, number))
    return far


def block(columns: range, rows: range) -> list[Hex]:
    """The hexes of a rectangle of the map."""
    return [(column, row) for column in columns for row in rows]
