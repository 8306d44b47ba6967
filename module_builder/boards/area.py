"""Which hexes of a board are drawn: all of them, or those of an area."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.game.boards import Board
from assistant.game.hexes import Hex
from assistant.pictures.layout import board_hexes
from assistant.util.errors import InputError, Where

_WHERE = Where("--area")


def hexes_in(board: Board, area: str) -> Sequence[str]:
    """The hexes of an area, given by two of its corners as `40.15-55.35`; all hexes of the board for "".

    Raises InputError for another text, for corners that are not hexes of the map's grid, and if nothing of the map lies
    there.
    """
    if not area:
        return board_hexes(board)
    one, other = _corners(board, area)
    (first, last), (top, bottom) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    hexes = [
        name
        for name in board_hexes(board)
        if first <= (at := board.grid.parse(name)).column <= last and top <= at.row <= bottom
    ]
    if not hexes:
        raise InputError(f"nothing of the board {board.name} lies in {area}", where=_WHERE)
    return hexes


def _corners(board: Board, area: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Both corners, wherever the dash between them stands: hex numbers may hold one too."""
    places = [at for at, letter in enumerate(area) if letter == "-" and area[:at].strip() and area[at + 1 :].strip()]
    for at in places:
        try:
            return board.grid.parse(area[:at].strip()), board.grid.parse(area[at + 1 :].strip())
        except InputError as error:
            if len(places) == 1:
                raise InputError(error.what, where=_WHERE, hint=error.hint) from error
    (first, last), (top, bottom) = board.grid.columns, board.grid.rows
    example = "-".join(board.grid.name(corner) for corner in (Hex(first, top), Hex(last, bottom)))
    raise InputError(f"{area!r} is not an area", where=_WHERE, hint=f"two corners with a dash: {example}")
