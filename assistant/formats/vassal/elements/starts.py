"""The set-up that a module's own file holds: pieces and decks that a new game begins with, at pixels or at printed places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ....util.limits import Limit
from ..grids import Drawn, Hexes, Pixel, Regions, Squares, Zones
from ..pieces import Piece, deck_type


class Start(NamedTuple):
    """A stack or a deck at the start of a game.

    map: where it lies; board: the one that its place counts from, "" for the first; at: its place there in pixels; location: its printed
    place, which counts instead if it is not empty; pieces: bottom first; deck: the type of a deck of cards, "" for a stack; face_down:
    whether its cards lie face down.
    """

    name: str
    map: str
    board: str
    at: Pixel
    location: str
    pieces: tuple[Piece, ...]
    deck: str = ""
    face_down: bool = False


_FACE_UP = ("Never", "MenuDefaultUp")
"""What a deck says whose cards lie face up in a new game."""


def start_of(said: Mapping[str, str], window: str, pieces: tuple[Piece, ...], *, is_deck: bool) -> Start:
    """The stack or deck that the attributes of an element tell. window: the map that it lies on."""
    location = said.get("location", "") if said.get("useGridLocation") == "true" else ""
    at = whole(said.get("x", "")), whole(said.get("y", ""))
    name, board = said.get("name", ""), said.get("owningBoard", "")
    if not is_deck:
        return Start(name, window, board, at, location, pieces)
    owners = said.get("deckOwners", "") if said.get("deckRestrictAccess") == "true" else None
    deck = deck_type(name, said.get("allowSelect") == "true", said.get("maxStack", ""), owners)
    return Start(name, window, board, at, location, pieces, deck, said.get("faceDown") not in _FACE_UP)


def place_of(location: str, grid: Drawn | None, size: Pixel) -> Pixel | None:
    """The pixel of a printed place on a board, None if the board has no such place. size: of the board, in pixels.

    Raises InputError if the grid has too many cells to be looked through.
    """
    return next((at for at in centres(grid, size) if grid is not None and grid.locate(at) == location), None)


def centres(grid: Drawn | None, size: Pixel) -> Iterator[Pixel]:
    """The places of a grid as pixels: the centres of cells, named points, and for zones without a grid a point within them."""
    if isinstance(grid, Regions):
        yield from ((x, y) for x, y, _ in grid.points)
    elif isinstance(grid, Hexes | Squares):
        yield from _cells(grid, size)
    elif isinstance(grid, Zones):
        for zone in grid.zones:
            if zone.grid is None:
                yield _middle(zone.path)
            else:
                yield from (at for at in centres(zone.grid, size) if zone.holds(at))
        yield from centres(grid.background, size)


def _cells(grid: Hexes | Squares, size: Pixel) -> Iterator[Pixel]:
    """The centres of the cells on a board and around its edge, column by column."""
    width, height = size[::-1] if isinstance(grid, Hexes) and grid.sideways else size
    columns, rows = int(width / grid.dx) + 2, int(height / grid.dy) + 2
    Limit.HEXES.check(columns * rows, "a board of the module has")
    first = -int(grid.x0 / grid.dx) - 1, -int(grid.y0 / grid.dy) - 1
    for column in range(first[0], first[0] + columns + 1):
        for row in range(first[1], first[1] + rows + 1):
            if isinstance(grid, Hexes):
                x, y = grid.centre(column, row)
            else:
                x, y = int(grid.x0 + column * grid.dx), int(grid.y0 + row * grid.dy)
            if -grid.dx <= x < size[0] + grid.dx and -grid.dy <= y < size[1] + grid.dy:
                yield x, y


def _middle(path: tuple[Pixel, ...]) -> Pixel:
    """The middle of the box around a polygon."""
    xs, ys = zip(*path, strict=True) if path else ((0,), (0,))
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2


def whole(text: str) -> int:
    """A whole number, 0 for any other text."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else 0
