"""The hexes of a module's board as a grid of a game: which hex has which number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import sqrt
from typing import NamedTuple

import msgspec

from assistant.formats.vassal.grids import Hexes, Numbering, Pixel, number_format
from assistant.game.hexes import Hex, HexGrid
from assistant.util.errors import InputError

Cell = tuple[int, int]
"""A hex by its line and its place in it, as VASSAL counts them from its first hex."""
_OFF = 3.0
"""How far a hex may lie from where a regular grid has it, in pixels."""
_SAMPLE = 400
_PLAIN = Numbering(sep="", h_leading=1, v_leading=1, h_off=1, v_off=1)
"""How hexes without numbers are numbered."""


class Numbered(NamedTuple):
    """Hexes with their numbers. grid: their numbering; names: the number of each cell; first, step: as `MapPicture` has
    them.

    own: whether the numbers are those of the module.
    """

    grid: HexGrid
    names: Mapping[Cell, str]
    first: Pixel
    step: tuple[float, float]
    own: bool


def numbered(drawn: Hexes, cells: list[Cell]) -> Numbered:
    """The hexes of a grid with numbers that a game's map can have: the module's own, or if that is impossible others.

    Raises InputError for hexes that no map can have.
    """
    for numbering in (drawn.numbering, _PLAIN):
        if numbering is not None:
            shown = msgspec.structs.replace(drawn, numbering=numbering)
            if numbering is _PLAIN:
                shown = _from_one(shown, cells)
            if (grid := _fitting(shown, cells)) is not None:
                return _place(shown, grid, cells, own=numbering is not _PLAIN)
    raise InputError("its hexes cannot be numbered")


def _from_one(drawn: Hexes, cells: list[Cell]) -> Hexes:
    """Hexes numbered anew: the first column and the first row are 1, with as many digits as the last one needs."""
    lines, places = [line for line, _ in cells], [place for _, place in cells]
    digits = [len(str(max(some) - min(some) + 1)) for some in (lines, places)]
    leading = [max(count, 2) - 1 for count in digits]
    plain = Numbering(h_off=1 - min(lines), v_off=1 - min(places), h_leading=leading[0], v_leading=leading[1])
    return msgspec.structs.replace(drawn, numbering=plain)


def _fitting(drawn: Hexes, cells: list[Cell]) -> HexGrid | None:
    """The grid that numbers these cells as they are numbered, None if there is none."""
    format = number_format(drawn)
    if not format:
        return None
    hexes = {cell: _hex(drawn, cell) for cell in cells}
    columns, rows = ([hex[axis] for hex in hexes.values()] for axis in (0, 1))
    if min(*columns, *rows) < 0 or max(*columns, *rows) > 9999:
        return None
    numbering = drawn.numbering or _PLAIN
    for shifted in ("even", "odd"):
        grid = HexGrid(
            orientation="pointy" if drawn.sideways else "flat",
            shifted=shifted,
            columns_from="east" if numbering.h_descend else "west",
            rows_from="south" if numbering.v_descend else "north",
            format=format,
            columns=(min(columns), max(columns)),
            rows=(min(rows), max(rows)),
        )
        if all(_agrees(grid, drawn, cell, hexes[cell]) for cell in _some(cells)) and _lies(grid, drawn, hexes):
            return grid
    return None


def _hex(drawn: Hexes, cell: Cell) -> Hex:
    """The printed column and row of a cell. VASSAL calls the lines of hexes H, be they columns or rows."""
    numbering = drawn.numbering or _PLAIN
    line, place = drawn.counts(*cell)
    line += numbering.h_off + (numbering.h_type == "A")
    place += numbering.v_off + (numbering.v_type == "A")
    return Hex(place, line) if drawn.sideways else Hex(line, place)


def _some(cells: list[Cell]) -> list[Cell]:
    """Some cells of the whole, the first and the last among them."""
    return [*cells[:: max(len(cells) // _SAMPLE, 1)], cells[-1]]


def _agrees(grid: HexGrid, drawn: Hexes, cell: Cell, at: Hex) -> bool:
    """Whether a grid has the number of a cell, and reads it again."""
    try:
        grid.check()
        name = grid.name(at)
        return name == drawn.locate(drawn.centre(*cell)) and grid.parse(name) == at
    except (InputError, ValueError, OverflowError):
        return False


def _lies(grid: HexGrid, drawn: Hexes, hexes: Mapping[Cell, Hex]) -> bool:
    """Whether the hexes lie towards one another as on a grid."""
    step, start = _scale(grid, drawn, hexes)
    for cell in _some([*hexes]):
        x, y = drawn.centre(*cell)
        across, down = grid.centre(hexes[cell])
        if abs(across * step[0] + start[0] - x) > _OFF or abs(down * step[1] + start[1] - y) > _OFF:
            return False
    return True


def _scale(grid: HexGrid, drawn: Hexes, hexes: Mapping[Cell, Hex]) -> tuple[tuple[float, float], tuple[float, float]]:
    """What a hex of the grid measures to the right and down, and where the grid's own corner lies."""
    line, place = drawn.dx / (sqrt(3) / 2), drawn.dy
    step = (place, line) if drawn.sideways else (line, place)
    cell, at = next(iter(hexes.items()))
    (x, y), (across, down) = drawn.centre(*cell), grid.centre(at)
    return step, (x - across * step[0], y - down * step[1])


def _place(drawn: Hexes, grid: HexGrid, cells: list[Cell], *, own: bool) -> Numbered:
    hexes = {cell: _hex(drawn, cell) for cell in cells}
    step, start = _scale(grid, drawn, hexes)
    corner = Hex(
        grid.columns[1 if grid.columns_from == "east" else 0], grid.rows[1 if grid.rows_from == "south" else 0]
    )
    across, down = grid.centre(corner)
    first = round(across * step[0] + start[0]), round(down * step[1] + start[1])
    length = (drawn.dy, drawn.dx) if drawn.sideways else (drawn.dx, drawn.dy)
    return Numbered(grid, {cell: grid.name(at) for cell, at in hexes.items()}, first, length, own)


def cells_of(drawn: Hexes, size: Pixel) -> Iterator[Cell]:
    """The cells whose middle lies on a board. size: of the board."""
    width, height = size[::-1] if drawn.sideways else size
    lines = range(-1, int((width - drawn.x0) / drawn.dx) + 2)
    first = -int(max(drawn.x0, 0) / drawn.dx) - 1
    above = -int(max(drawn.y0, 0) / drawn.dy) - 1
    for cell in product(range(first, lines.stop), range(above, int((height - drawn.y0) / drawn.dy) + 2)):
        x, y = drawn.centre(*cell)
        if 0 <= x < size[0] and 0 <= y < size[1]:
            yield cell
