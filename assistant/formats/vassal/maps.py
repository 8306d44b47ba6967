"""The maps of a module: their windows, boards and pictures, and the pieces and decks of a new game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

from ...util.errors import InputError
from ...util.limits import Limit, TooMuch
from ...util.notes import note
from ...util.patterns import late_pattern
from ...util.picture_head import read_picture_head
from .archives import Archive
from .grids import (
    MAX_COMPOSED_CHARS,
    OFF_MAP_PIXELS,
    Drawn,
    GridZone,
    Hexes,
    LaidBoards,
    Pixel,
    PlacedBoard,
    Regions,
    Squares,
    ZonedGrid,
    match_format,
)
from .pieces import Piece, write_deck_type
from .sequence import read_whole

_USUAL_HEAD_BYTES = 2**12
_MAX_HEAD_BYTES = 2**18
"""Maximum length of the beginning of an image that contains its size."""
_NO_SIZE = "unknown size"
_SVG = late_pattern(rb"<svg\b[^<>]*>")


def read_size(archive: Archive, name: str) -> Pixel:
    """Return width and height of an image in an archive, usually from its first bytes.

    Raises ValueError if they are not found.
    """
    try:
        return read_picture_size(archive.head(name, _USUAL_HEAD_BYTES))
    except TooMuch:
        raise
    except ValueError:
        return read_picture_size(archive.head(name, _MAX_HEAD_BYTES))


def read_picture_size(head: bytes) -> Pixel:
    """Return width and height of an image from the beginning of its file.

    Nothing is decoded, so that an image of any size takes no memory.

    Raises ValueError if they are not found.
    """
    if drawing := _SVG.search(head):
        sides = (re.search(rb'\s%s\s*=\s*["\']([0-9]{1,6})' % side, drawing[0]) for side in (b"width", b"height"))
        numbers = [int(side[1]) for side in sides if side]
        if len(numbers) == 2:
            return numbers[0], numbers[1]
    try:
        width, height = _read_pixels_size(head)
    except (InputError, IndexError):
        raise ValueError(_NO_SIZE) from None
    if width * height > Limit.SCAN.most:
        raise ValueError("it is too large")
    return width, height


def _read_pixels_size(head: bytes) -> Pixel:
    if head.startswith(_GIF):
        return head[6] + 256 * head[7], head[8] + 256 * head[9]
    found = read_picture_head(head)
    if found.kind not in ("png", "jpeg"):
        raise InputError(_NO_SIZE)
    return found.width, found.height


_GIF = b"GIF8"


class BoardDrawing(NamedTuple):
    """A board: its size in pixels, its grid, and the file of its picture or ""."""

    name: str
    size: Pixel
    grid: Drawn | None
    image: str = ""


class MapWindow(NamedTuple):
    """A map: its name, its margins in pixels, and its possible boards."""

    name: str
    edge: Pixel
    boards: Mapping[str, BoardDrawing]
    sides: tuple[str, ...] = ()
    """The sides whose private window it is, or empty if it is public."""
    open: bool = True
    """Whether all sides see the pieces in it."""
    setup: LaidBoards = ()
    """The boards of a new game, each with its column and row."""

    def with_boards(self, boards: Mapping[str, BoardDrawing]) -> MapWindow:
        """Return the map with more boards to choose from."""
        return self._replace(boards={**self.boards, **boards})

    def placed(self, chosen: LaidBoards) -> list[PlacedBoard]:
        """Return the boards chosen for a game, at their positions, without unknown boards.

        VASSAL places a board to the right of the other boards in its row and below those in its column.
        """
        known = [board for board in chosen if _board_name(board[0]) in self.boards]
        sizes = {(column, row): self.boards[_board_name(name)].size for name, column, row in known}
        starts_x = _find_starts({(row, column): width for (column, row), (width, _) in sizes.items()})
        starts_y = _find_starts({(column, row): height for (column, row), (_, height) in sizes.items()})
        boards = []
        for name, column, row in known:
            board = self.boards[_board_name(name)]
            x = starts_x[row, column]
            y = starts_y[column, row]
            at = self.edge[0] + x, self.edge[1] + y
            boards.append(PlacedBoard(board.name, *at, board.size, board.grid, turned=_board_name(name) != name))
        return boards


def _find_starts(lengths: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Return the start of each board in its row or column: the end of the previous board.

    `lengths`: the length of each board, by the row or column, then by the place in it.
    """
    begins: dict[tuple[int, int], int] = {}
    ends: dict[int, int] = {}  # the end of the boards so far, by row or column
    for (line, place), length in sorted(lengths.items()):
        begins[line, place] = ends.get(line, 0)
        ends[line] = begins[line, place] + length
    return begins


def _board_name(board: str) -> str:
    return board.removesuffix("/rev")


class Start(NamedTuple):
    """A stack or deck at the start of a game."""

    name: str
    map: str
    board: Annotated[str, note('the board that its place counts from and that it needs, or "" for the whole map')]
    at: Annotated[Pixel, note("the pixel on the board or map")]
    location: Annotated[str, note("the printed place, which takes precedence, or empty")]
    pieces: Annotated[tuple[Piece, ...], note("the pieces, the lowest first")]
    deck: Annotated[str, note('the type of a deck of cards, or "" for a stack')] = ""
    face_down: Annotated[bool, note("whether its cards are face down")] = False
    joins: Annotated[bool, note("whether an extension adds its pieces to the module's stack or deck of this name")] = (
        False
    )

    def on(self, placed: Sequence[PlacedBoard], edge: Pixel, at: Pixel | None = None) -> Pixel:
        """Return the pixel of the stack or deck on a map.

        `placed`: the boards of the map.
        `edge`: the margins of the map.
        `at`: a pixel on its board, or None for its own `at`.
        """
        x, y = at or self.at
        left, top = next(
            ((placed_board.x, placed_board.y) for placed_board in placed if placed_board.name == self.board), edge
        )
        return left + x, top + y


_FACE_UP = ("Never", "MenuDefaultUp")
"""The settings of decks whose cards are face up in a new game."""


def starting_stack(attributes: Mapping[str, str], window: str, pieces: tuple[Piece, ...], *, is_deck: bool) -> Start:
    """Return the stack or deck described by an element's attributes.

    `window`: the name of its map.
    """
    location = attributes.get("location", "") if attributes.get("useGridLocation") == "true" else ""
    at = read_whole(attributes.get("x", "")), read_whole(attributes.get("y", ""))
    name, board = attributes.get("name", ""), attributes.get("owningBoard", "")
    if not is_deck:
        return Start(name, window, board, at, location, pieces)
    owners = attributes.get("deckOwners", "") if attributes.get("deckRestrictAccess") == "true" else None
    deck = write_deck_type(
        name, picked=attributes.get("allowSelect") == "true", shows=attributes.get("maxStack", ""), owners=owners
    )
    return Start(name, window, board, at, location, pieces, deck, attributes.get("faceDown") not in _FACE_UP)


def stack_pixel(location: str, grid: Drawn | None) -> Pixel | None:
    """Return the pixel of the board at which VASSAL puts a stack with a printed place.

    The result is None if the board has no such place.
    """
    if isinstance(grid, ZonedGrid):
        return _find_in_zones(location[:MAX_COMPOSED_CHARS], grid)
    return _find_on_grid(location[:MAX_COMPOSED_CHARS], grid)


def _find_on_grid(location: str, grid: Hexes | Squares | Regions | None) -> Pixel | None:
    if isinstance(grid, Regions):
        return next(((x, y) for x, y, name in grid.points if name == location), None)
    if grid is None or grid.numbering is None or (count := grid.numbering.read(location)) is None:
        return None
    x, y = grid.at(*count)
    return (x, y) if max(abs(x), abs(y)) < OFF_MAP_PIXELS else None


def _find_in_zones(location: str, grid: ZonedGrid) -> Pixel | None:
    """Return the pixel of a place named by a zone, or else by the background, or else of a region in any zone."""
    for zone in grid.zones:
        if (at := _find_in_zone(location, zone)) is not None and zone.holds(at):
            return at
    if (at := _find_on_grid(location, grid.background)) is not None:
        return at
    for zone in grid.zones:
        at = _find_on_grid(location, zone.grid) if isinstance(zone.grid, Regions) else None
        if at is not None and zone.holds(at):
            return at
    return None


def _find_in_zone(location: str, zone: GridZone) -> Pixel | None:
    """Return the pixel of a location in a zone, or None.

    For the zone's own name it is the zone's middle, or its first corner if the middle is outside.
    """
    parts = {"name": re.escape(zone.name)}
    if zone.grid:
        parts["gridLocation"] = "(.*)"
    match = match_format(zone.location_format, location, parts)
    if match is None:
        return None
    if groups := match.groups():
        return _find_on_grid(groups[-1], zone.grid)
    if not zone.path:
        return 0, 0
    xs, ys = zip(*zone.path, strict=True)
    middle = int(sum(xs) / len(xs)), int(sum(ys) / len(ys))
    return middle if zone.holds(middle) else zone.path[0]


def list_centres(grid: Drawn | None, size: Pixel) -> Iterator[Pixel]:
    """Yield the places of a grid as pixels: centres of cells, named points, and middles of zones without a grid."""
    if isinstance(grid, Regions):
        yield from ((x, y) for x, y, _ in grid.points)
    elif isinstance(grid, Hexes | Squares):
        yield from _list_cells(grid, size)
    elif isinstance(grid, ZonedGrid):
        for zone in grid.zones:
            if zone.grid is None:
                yield _find_middle(zone.path)
            else:
                yield from (at for at in list_centres(zone.grid, size) if zone.holds(at))
        yield from list_centres(grid.background, size)


def _list_cells(grid: Hexes | Squares, size: Pixel) -> Iterator[Pixel]:
    """Yield the centres of the cells on a board and around its edge, column by column."""
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


def _find_middle(path: tuple[Pixel, ...]) -> Pixel:
    """Return the middle of the box around a polygon."""
    xs, ys = zip(*path, strict=True) if path else ((0,), (0,))
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
