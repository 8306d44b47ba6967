"""The grid of a board in pixels: VASSAL's numbering made to print what the map prints."""

from __future__ import annotations

import re
from math import ceil, sqrt
from typing import NamedTuple

import msgspec

from assistant.formats.vassal.grids import Hexes, Numbering, Pixel
from assistant.game.hexes import Hex, HexGrid
from assistant.util.errors import InputError
from assistant.util.limits import Limit

#: Between the outermost hexes and the edge of the board, in pixels.
MARGIN = 40
_FORMAT = re.compile(r"([^{}]*)\{(column|row)(?::(A|0[1-9]))?\}([^{}]*)\{(column|row)(?::(A|0[1-9]))?\}([^{}]*)")


class BoardGrid(NamedTuple):
    """The hexes of a board in pixels.

    grid: as VASSAL has it; size: of the board; hexes: the printed number of each hex and its middle.
    """

    grid: Hexes
    size: Pixel
    hexes: dict[str, Pixel]


def board_grid(grid: HexGrid, height: int) -> BoardGrid:
    """The grid of a map, with the height of a hex in pixels, flat side to flat side.

    VASSAL shifts every second line of hexes and counts the lines from nought; where the first one is a shifted one, the
    count begins a line before the board. Raises InputError for a map whose numbers VASSAL cannot print.
    """
    flat = grid.orientation == "flat"
    (first, last), (top, bottom) = grid.columns, grid.rows
    Limit.HEXES.check(max(last - first + 1, 0) * max(bottom - top + 1, 0), "the grid has")
    columns = _numbers(grid.columns, grid.columns_from == "east")
    rows = _numbers(grid.rows, grid.rows_from == "south")
    along, across = (columns, rows) if flat else (rows, columns)  # lines of hexes, and the hexes of each
    before = int((along[0] % 2 == 1) == (grid.shifted == "odd"))
    step, radius = round(height * sqrt(3) / 2), ceil(height / sqrt(3))
    length = 2 * MARGIN + 2 * radius + step * (len(along) - 1)
    breadth = 2 * MARGIN + height * len(across) + ceil(height / 2)
    size = (length, breadth) if flat else (breadth, length)
    drawn = Hexes(
        x0=MARGIN + radius - before * step,
        y0=MARGIN + height // 2,
        dx=step,
        dy=height,
        sideways=not flat,
        numbering=_numbering(grid),
        size=size,
    )
    drawn = msgspec.structs.replace(drawn, numbering=_counted_from(drawn, before, along[0], across[0]))
    hexes = {}
    for line, one in enumerate(along, before):
        for place, other in enumerate(across):
            name = grid.name(Hex(one, other) if flat else Hex(other, one))
            hexes[name] = drawn.centre(line, place)
            if drawn.locate(hexes[name]) != name:
                raise InputError(f"VASSAL would print {drawn.locate(hexes[name])} for hex {name}")
    return BoardGrid(drawn, size, hexes)


def _numbers(ends: tuple[int, int], backwards: bool) -> list[int]:
    """The numbers of columns or rows as they follow one another from the left, or from above."""
    numbers = list(range(ends[0], ends[1] + 1))
    return numbers[::-1] if backwards else numbers


def _numbering(grid: HexGrid) -> Numbering:
    """The numbering without its offsets. VASSAL calls the lines of hexes H, be they columns or rows."""
    found = _FORMAT.fullmatch(grid.format)
    if found is None:
        raise InputError(f"VASSAL cannot print hex numbers like {grid.format}")
    before, first, first_form, between, _, second_form, after = found.groups()
    flat = grid.orientation == "flat"
    forms = {"H": first_form, "V": second_form}
    lines_first = (first == "column") == flat
    if not lines_first:
        forms = {"H": second_form, "V": first_form}
    return Numbering(
        first="H" if lines_first else "V",
        sep=between,
        h_type="A" if forms["H"] == "A" else "N",
        v_type="A" if forms["V"] == "A" else "N",
        h_leading=_leading(forms["H"]),
        v_leading=_leading(forms["V"]),
        h_descend=grid.columns_from == "east",
        v_descend=grid.rows_from == "south",
        location_format=f"{before}$gridLocation${after}",
    )


def _leading(form: str | None) -> int:
    return int(form) - 1 if form and form != "A" else 0


def _counted_from(drawn: Hexes, line: int, first: int, second: int) -> Numbering:
    """The numbering with the offsets that give the first hex of the first line on the board these numbers."""
    numbering = drawn.numbering or Numbering()
    lines, places = drawn.counts(line, 0)
    return msgspec.structs.replace(
        numbering,
        h_off=first - lines - (numbering.h_type == "A"),
        v_off=second - places - (numbering.v_type == "A"),
    )
