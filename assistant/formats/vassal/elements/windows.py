"""The windows of a module with a map: their boards, where these lie beside each other, and whose private window each
is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..grids import Drawn, Pixel, PlacedBoard


class BoardDrawing(NamedTuple):
    """A board: its size in pixels, its grid, and the file of its picture, "" for none."""

    name: str
    size: Pixel
    grid: Drawn | None
    image: str = ""


class MapWindow(NamedTuple):
    """A map: its name, its margins in pixels, and its possible boards.

    sides: whose private window it is, empty for everybody's; open: whether all sides see what lies in it; setup:
    the boards of a new game, each with its column and row.
    """

    name: str
    edge: Pixel
    boards: Mapping[str, BoardDrawing]
    sides: tuple[str, ...] = ()
    open: bool = True
    setup: tuple[tuple[str, int, int], ...] = ()

    def placed(self, chosen: tuple[tuple[str, int, int], ...]) -> list[PlacedBoard]:
        """The boards chosen for a game, each given with its column and row, at their positions; unknown ones are left
        out.

        VASSAL places a board to the right of the other boards of its row and below those of its column.
        """
        known = [board for board in chosen if _plain(board[0]) in self.boards]
        sizes = {(column, row): self.boards[_plain(name)].size for name, column, row in known}
        left = _starts({(row, column): width for (column, row), (width, _) in sizes.items()})
        above = _starts({(column, row): height for (column, row), (_, height) in sizes.items()})
        boards = []
        for name, column, row in known:
            board, x, y = self.boards[_plain(name)], left[row, column], above[column, row]
            at = self.edge[0] + x, self.edge[1] + y
            boards.append(PlacedBoard(board.name, *at, board.size, board.grid, turned=_plain(name) != name))
        return boards


def _starts(lengths: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Where each board of a row or a column begins: behind those before it. lengths: by row or column, then by the
    place in it.
    """
    lengths_from: dict[tuple[int, int], int] = {}
    last, end = None, 0
    for (line, place), length in sorted(lengths.items()):
        last, end = line, end if line == last else 0
        lengths_from[line, place] = end
        end += length
    return lengths_from


def _plain(board: str) -> str:
    return board.removesuffix("/rev")
