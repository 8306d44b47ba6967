"""Sets of hexes of a board: all of it, those on the map, around others, far apart, and in the order of a picture."""

from __future__ import annotations

from collections.abc import Iterable

from ..game.boards import Board
from ..game.hexes import Hex
from ..util.errors import InputError
from ..util.limits import Limit

_APART = 2  # hexes from one to the other that are too few for panels


def far_parts(board: Board, names: Iterable[str]) -> list[list[str]]:
    """Return hexes in parts that lie far from each other, each in order and the first hex first."""
    left, parts = dict.fromkeys(names), list[list[str]]()
    while left:
        part, edge = set[str](), {next(iter(left))}
        while edge:
            part |= edge
            near = edge
            for _ in range(_APART + 1):
                near = hexes_around(board, near)
            edge = {name for name in near if name in left and name not in part}
        parts.append([name for name in left if name in part])
        left = {name: None for name in left if name not in part}
    return parts


def board_hexes(board: Board) -> list[str]:
    """Return the hexes of a board by row and column: those that are drawn, or all of its grid where none is."""
    if board.hexes:
        return sorted(board.hexes, key=lambda name: board.grid.parse(name)[::-1])
    (first, last), (top, bottom) = board.grid.columns, board.grid.rows
    Limit.HEXES.check(max(last - first + 1, 0) * max(bottom - top + 1, 0), f"the board {board.name or board.title} has")
    return [board.grid.name(Hex(c, r)) for r in range(top, bottom + 1) for c in range(first, last + 1)]


def keep_on_map(board: Board, places: Iterable[str]) -> list[str]:
    """Return the hexes among these places that are on the map, by their regular names."""
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
    """Return hexes with those adjacent to them."""
    hexes = set(hexes)
    return hexes.union(*map(board.neighbours, hexes))


def sort_from_upper_left(board: Board, hexes: Iterable[str]) -> list[str]:
    """Return hexes sorted row by row from the upper left."""
    return sorted(hexes, key=lambda name: (board.centre(name)[::-1], name))
