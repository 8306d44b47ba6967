"""The parts of a module's boards, each with its own grid, and hex numbers that a game's map can have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product
from math import sqrt
from typing import NamedTuple

import msgspec

from assistant.formats.vassal.board_grids import picture_grid
from assistant.formats.vassal.grids import (
    OFF_MAP_PIXELS,
    GridZone,
    Hexes,
    Numbering,
    Pixel,
    PlacedBoard,
    Regions,
    Squares,
    ZonedGrid,
    fill_format,
    number_format,
)
from assistant.formats.vassal.maps import list_centres
from assistant.game.boards.map_picture import MapPicture
from assistant.game.hexes import Hex, HexGrid
from assistant.util.errors import InputError
from assistant.util.limits import Limit

from .names import clean_text

Cell = tuple[int, int]
"""A hex by its line and its place in it, as VASSAL counts them from its first hex."""
_MAX_HEX_ERROR_PX = 3.0
"""The maximum distance of a hex from its place in a regular grid, across and down."""
_MAX_CELLS_SAMPLED = 400
"""The approximate maximum number of cells by which a grid is tested."""


NO_HEXES = HexGrid(format="{column}.{row}", columns=(0, 0), rows=(0, 0))
"""The grid of a board that has none: a single hex off the picture."""


class NumberedHexes(NamedTuple):
    """Hexes with their numbers."""

    drawn: Hexes
    """The hexes on the picture."""
    grid: HexGrid
    """The numbering of the hexes."""
    names: Mapping[Cell, str]
    """The number of each cell."""
    first: Pixel
    """Centre of the hex in the upper left corner, as in `MapPicture`."""
    step: tuple[float, float]
    """Pixels from hex to hex, right and down, as in `MapPicture`."""
    has_module_numbers: bool
    """Whether the numbers are those of the module."""


def number_hexes(
    drawn: Hexes, cells: list[Cell], size: Pixel = (0, 0), printed: Callable[[Pixel], str] | None = None
) -> NumberedHexes:
    """Return the hexes of a grid with their numbers: the module's own, or new ones if no map of a game can have these.

    `size`: size of the picture, by default of the grid.
    `printed`: a function that returns the number printed at a pixel, by default the grid's.

    Raises InputError for hexes that no map can have.
    """
    if drawn.numbering is not None and (grid := _find_grid(drawn, cells, printed or drawn.locate)) is not None:
        return _place_hexes(drawn, grid, cells, size, own=True)
    plain = _number_from_one(drawn, cells)
    if (grid := _find_grid(plain, cells, plain.locate)) is not None:
        return _place_hexes(plain, grid, cells, size, own=False)
    raise InputError("its hexes cannot be numbered")


def _number_from_one(drawn: Hexes, cells: list[Cell]) -> Hexes:
    """Return hexes with new numbers: column and row count from 1, with leading zeros up to the digits of the last."""
    lines, places = [line for line, _ in cells], [place for _, place in cells]
    digits = [len(str(max(some) - min(some) + 1)) for some in (lines, places)]
    leading = [max(count, 2) - 1 for count in digits]
    plain = Numbering(h_off=1 - min(lines), v_off=1 - min(places), h_leading=leading[0], v_leading=leading[1])
    return msgspec.structs.replace(drawn, numbering=plain)


def _find_grid(drawn: Hexes, cells: list[Cell], printed: Callable[[Pixel], str]) -> HexGrid | None:
    """Return the grid with the numbers of these cells, or None if there is none."""
    written = number_format(drawn)
    if not written:
        return None
    hexes = {cell: _hex_of_cell(drawn, cell) for cell in cells}
    columns, rows = [at.column for at in hexes.values()], [at.row for at in hexes.values()]
    if max(map(abs, (*columns, *rows))) > 9999:
        return None
    numbering = drawn.numbering or Numbering()
    for shifted in ("even", "odd", "onward", "back"):
        grid = HexGrid(
            orientation="pointy" if drawn.sideways else "flat",
            shifted=shifted,
            columns_from="east" if numbering.h_descend else "west",
            rows_from="south" if numbering.v_descend else "north",
            format=written,
            columns=(min(columns), max(columns)),
            rows=(min(rows), max(rows)),
            dots=drawn.dots is True,
        )
        sample = ((printed(drawn.centre(*cell)), hexes[cell]) for cell in _sample(cells))
        if all(_agrees(grid, name, at) for name, at in sample) and _is_regular(grid, drawn, hexes):
            return grid
    return None


def _hex_of_cell(drawn: Hexes, cell: Cell) -> Hex:
    """Return the printed column and row of a cell. VASSAL calls the lines of hexes H, whether they are columns or rows."""
    numbering = drawn.numbering or Numbering()
    line, place = drawn.counts(*cell)
    line += numbering.h_off + (1 if numbering.h_type == "A" else 0)  # Letters count from 0 in VASSAL, and from 1 here.
    place += numbering.v_off + (1 if numbering.v_type == "A" else 0)
    return Hex(place, line) if drawn.sideways else Hex(line, place)


def _sample(cells: list[Cell]) -> list[Cell]:
    """Return a sample of the cells, with the first and the last."""
    return [*cells[:: max(len(cells) // _MAX_CELLS_SAMPLED, 1)], cells[-1]]


def _agrees(grid: HexGrid, printed: str, at: Hex) -> bool:
    """Return whether a grid has the printed number of a hex, reads it, and notation can write it."""
    try:
        grid.check()
        name = grid.name(at)
        return name == printed == clean_text(name) and grid.parse(name) == at
    except (InputError, ValueError, OverflowError):
        return False


def _is_regular(grid: HexGrid, drawn: Hexes, hexes: Mapping[Cell, Hex]) -> bool:
    """Return whether the hexes have the relative places of a grid."""
    step, start = _measure_grid(grid, drawn, hexes)
    for cell in _sample([*hexes]):
        x, y = drawn.centre(*cell)
        across, down = grid.centre(hexes[cell])
        if (
            abs(across * step[0] + start[0] - x) > _MAX_HEX_ERROR_PX
            or abs(down * step[1] + start[1] - y) > _MAX_HEX_ERROR_PX
        ):
            return False
    return True


def _measure_grid(
    grid: HexGrid, drawn: Hexes, hexes: Mapping[Cell, Hex]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the width and height of a hex, and the corner of the grid."""
    line, place = drawn.dx / (sqrt(3) / 2), drawn.dy
    step = (place, line) if drawn.sideways else (line, place)
    cell, at = next(iter(hexes.items()))
    (x, y), (across, down) = drawn.centre(*cell), grid.centre(at)
    return step, (x - across * step[0], y - down * step[1])


def _place_hexes(drawn: Hexes, grid: HexGrid, cells: list[Cell], size: Pixel, *, own: bool) -> NumberedHexes:
    """Return the hexes on a picture. They differ from the module's places only by rounding."""
    hexes = {cell: _hex_of_cell(drawn, cell) for cell in cells}
    names = {cell: grid.name(at) for cell, at in hexes.items()}
    step, start = _measure_grid(grid, drawn, hexes)
    corner = Hex(
        grid.columns[1 if grid.columns_from == "east" else 0], grid.rows[1 if grid.rows_from == "south" else 0]
    )
    across, down = grid.centre(corner)
    first = round(across * step[0] + start[0]), round(down * step[1] + start[1])
    length = (drawn.dy, drawn.dx) if drawn.sideways else (drawn.dx, drawn.dy)
    picture = MapPicture(file="", first=first, step=length)
    middles = picture_grid(grid, picture, size if any(size) else drawn.size, set(names.values())).hexes
    x = _middle_between([drawn.centre(*cell)[0] - middles[name][0] for cell, name in names.items()])
    y = _middle_between([drawn.centre(*cell)[1] - middles[name][1] for cell, name in names.items()])
    return NumberedHexes(drawn, grid, names, (first[0] + x, first[1] + y), length, own)


def _middle_between(numbers: list[int]) -> int:
    return round((min(numbers) + max(numbers)) / 2)


def cells_of(drawn: Hexes, size: Pixel) -> Iterator[Cell]:
    """Yield the cells whose centre is on a board of this size."""
    width, height = size[::-1] if drawn.sideways else size
    lines = range(int(-drawn.x0 / drawn.dx) - 1, int((width - drawn.x0) / drawn.dx) + 2)
    places = range(int(-drawn.y0 / drawn.dy) - 1, int((height - drawn.y0) / drawn.dy) + 2)
    for cell in product(lines, places):
        x, y = drawn.centre(*cell)
        if 0 <= x < size[0] and 0 <= y < size[1]:
            yield cell


Plain = Hexes | Squares | Regions
MAX_BOXES = 600
"""Maximum number of places of another grid that become boxes before their use is known."""
_SEARCH_STEP_COUNT = 20
"""The number of steps each way in the search for a point of a zone."""


class Field:
    """A part of a board with its own grid.

    `board`: the board with a place on the picture.
    `zone`: the zone, or None for the whole board.
    `grid`: the grid, or None for a single place.
    """

    def __init__(self, board: PlacedBoard, zone: GridZone | None, grid: Plain | None) -> None:
        self.board, self.zone, self.grid = board, zone, grid
        xs, ys = (
            zip(*zone.path, strict=True)
            if zone and zone.path
            else ((-OFF_MAP_PIXELS, OFF_MAP_PIXELS), (-OFF_MAP_PIXELS, OFF_MAP_PIXELS))
        )
        self.left, self.right, self.top, self.bottom = min(xs), max(xs), min(ys), max(ys)

    def holds(self, at: Pixel) -> bool:
        return self.board.holds(at) and self._holds_own(self.board.own(at))

    def _holds_own(self, at: Pixel) -> bool:
        near = self.left <= at[0] <= self.right and self.top <= at[1] <= self.bottom
        return near and (self.zone is None or self.zone.holds(at))

    def printed(self, at: Pixel) -> str:
        """Return the module's name of the place at a pixel."""
        within = self.grid.locate(self.board.own(at)) if self.grid else ""
        if self.zone is None:
            return within
        return fill_format(self.zone.location_format, name=self.zone.name, gridLocation=within)

    def places(self) -> Iterator[Pixel]:
        """Yield the pixels of its places."""
        if self.grid is not None:
            yield from filter(self.holds, map(self.board.on_map, list_centres(self.grid, self.board.size)))
        elif self.zone is not None:
            tries = [(across, down) for across in range(1, _SEARCH_STEP_COUNT) for down in range(1, _SEARCH_STEP_COUNT)]
            tries.sort(
                key=lambda pixel: abs(pixel[0] - _SEARCH_STEP_COUNT / 2) + abs(pixel[1] - _SEARCH_STEP_COUNT / 2)
            )
            width, height = self.right - self.left, self.bottom - self.top
            points = (
                (self.left + width * x // _SEARCH_STEP_COUNT, self.top + height * y // _SEARCH_STEP_COUNT)
                for x, y in tries
            )
            yield from islice(map(self.board.on_map, filter(self._holds_own, points)), 1)

    @property
    def cell_count(self) -> int:
        """The approximate number of places on its grid."""
        if not isinstance(self.grid, Hexes | Squares):
            return 0
        size = self.board.size
        width, height = min(self.right, size[0]) - max(self.left, 0), min(self.bottom, size[1]) - max(self.top, 0)
        return int(max(width, 0) * max(height, 0) / (self.grid.dx * self.grid.dy))

    @property
    def hexes(self) -> Hexes | None:
        """Its hexes on the picture, or None if it has none. Hexes of a board that lies upside down have no numbers."""
        grid = self.grid
        if not isinstance(grid, Hexes):
            return None
        x0, y0 = self.board.on_map((grid.y0, grid.x0) if grid.sideways else (grid.x0, grid.y0))
        x0, y0 = (y0, x0) if grid.sideways else (x0, y0)
        numbering = None if self.board.turned else grid.numbering
        return msgspec.structs.replace(grid, x0=x0, y0=y0, numbering=numbering)


def continues(hexes: Hexes, field: Field) -> bool:
    """Return whether the hexes of a field continue those of another one."""
    other = field.hexes
    if other is None or other.sideways != hexes.sideways or field.cell_count > Limit.HEXES.most:
        return False
    board = field.board
    end = board.x + board.size[0], board.y + board.size[1]
    inside = (other.centre(*cell) for cell in cells_of(other, end))
    centres = [at for at in inside if field.holds(at)]
    return bool(centres) and all(
        abs(x - at[0]) <= hexes.dy / 8 and abs(y - at[1]) <= hexes.dy / 8
        for at in centres
        for x, y in [hexes.centre(*hexes.cell(at))]
    )


def list_fields(board: PlacedBoard) -> Iterator[Field]:
    """Yield the parts of a board. A pixel belongs to the first part that contains it."""
    grid = board.grid
    if isinstance(grid, ZonedGrid):
        for zone in grid.zones:
            yield Field(board, zone, zone.grid)
        if grid.background is not None:
            yield Field(board, None, grid.background)
    elif grid is not None:
        yield Field(board, None, grid)
