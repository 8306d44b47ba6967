"""Sets of hexes of a board: all hexes, hexes on the map, neighbours, distant parts, and hexes sorted for a picture."""

from __future__ import annotations

from collections.abc import Iterable

from ..game.boards import Board
from ..game.hexes import Hex
from ..util.errors import InputError
from ..util.limits import Limit

_MAX_GAP_HEXES = 2
"""The maximum number of hexes between two hexes of one part."""


def far_parts(board: Board, names: Iterable[str]) -> list[list[str]]:
    """Return the hexes in parts that are far apart, the part of the first hex first, each in the given order."""
    unassigned, parts = dict.fromkeys(names), list[list[str]]()
    while unassigned:
        part, edge = set[str](), {next(iter(unassigned))}
        while edge:
            part |= edge
            reached = edge
            for _ in range(_MAX_GAP_HEXES + 1):
                reached = hexes_around(board, reached)
            edge = {name for name in reached if name in unassigned and name not in part}
        parts.append([name for name in unassigned if name in part])
        unassigned = {name: None for name in unassigned if name not in part}
    return parts


def board_hexes(board: Board) -> list[str]:
    """Return the hexes of a board by row and column: the drawn ones, or its whole grid if none are drawn."""
    if board.hexes:
        return sorted(board.hexes, key=lambda name: board.grid.parse(name)[::-1])
    (first, last), (top, bottom) = board.grid.columns, board.grid.rows
    Limit.HEXES.check(max(last - first + 1, 0) * max(bottom - top + 1, 0), f"the board {board.name or board.title} has")
    return [board.grid.name(Hex(c, r)) for r in range(top, bottom + 1) for c in range(first, last + 1)]


def keep_on_map(board: Board, places: Iterable[str]) -> list[str]:
    """Return the places that are hexes on the map, by their regular names."""
    names = []
    for place in places:
        try:
            name = board.place(place)
        except InputError:
            continue
        if board.is_hex(name):
            names.append(name)
    return names


def hexes_around(board: Board, hexes: Iterable[str]) -> set[str]:
    """Return the hexes with their neighbours."""
    hexes = set(hexes)
    return hexes.union(*map(board.neighbours, hexes))


def sort_from_upper_left(board: Board, hexes: Iterable[str]) -> list[str]:
    """Return the hexes sorted row by row from the upper left."""
    return sorted(hexes, key=lambda name: (board.centre(name)[::-1], name))
