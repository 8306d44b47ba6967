"""The grid of a board in pixels, with VASSAL's numbering set to print the map's own numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import ceil, sqrt
from typing import NamedTuple

import msgspec

from ...game.boards.map_picture import MapPicture
from ...game.hexes import Hex, HexGrid
from ...util.errors import InputError
from ...util.limits import Limit
from ...util.patterns import late_pattern
from .grids import Drawn, GridZone, Hexes, Numbering, Pixel, Regions, ZonedGrid

MARGIN_PIXELS = 40
"""The distance from the outermost hexes to the edge of the board."""
_TABLE_SIZE_PX = 1200, 900
_FORMAT = late_pattern(r"([^{}]*)\{(column|row)(?::(A|0[1-9]))?\}([^{}]*)\{(column|row)(?::(A|0[1-9]))?\}([^{}]*)")

_REGION_FORMS = ("AB", "odd", "even")
"""Forms of columns and rows that the numbers of VASSAL's hexes cannot have."""


class BoardGrid(NamedTuple):
    """The hexes of a board in pixels."""

    grid: Drawn
    """The grid in VASSAL's form."""
    size: Pixel
    """The size of the board."""
    hexes: dict[str, Pixel]
    """The middle of each hex, by printed number."""
    boxes: Mapping[str, Pixel] = {}
    """The middle of each box on the picture, by name."""


def board_grid(grid: HexGrid, height: int) -> BoardGrid:
    """Return the grid of a map.

    VASSAL shifts every second line of hexes and counts lines from zero. If the board's first line is shifted, the count
    begins one line before the board.

    `height`: the height of a hex in pixels, flat side to flat side.

    Raises InputError if VASSAL cannot print the map's numbers.
    """
    flat = grid.orientation == "flat"
    lines = _find_lines(grid)
    step, radius = round(height * sqrt(3) / 2), ceil(height / sqrt(3))
    length = 2 * MARGIN_PIXELS + 2 * radius + step * (len(lines.along) - 1)
    starts = [*_list_starts(grid, lines)]
    above = ceil(-min(0, *starts) / 2) * height
    breadth = 2 * MARGIN_PIXELS + above + height * len(lines.across) + ceil(height * max(1, *starts) / 2)
    size = (length, breadth) if flat else (breadth, length)
    corner = MARGIN_PIXELS + radius - lines.before * step, MARGIN_PIXELS + height // 2 + above
    bare = Hexes(x0=corner[0], y0=corner[1], dx=step, dy=height, sideways=not flat)
    drawn, middles = _draw_hexes(grid, lines, bare, size)
    return BoardGrid(drawn, size, middles)


def has_hexes(grid: HexGrid) -> bool:
    """Return whether a board without a picture is a map. A single hex is only a table for counters."""
    return grid.columns[0] < grid.columns[1] or grid.rows[0] < grid.rows[1]


def table_grid() -> BoardGrid:
    """Return the grid of a bare table for counters without a map."""
    return BoardGrid(ZonedGrid((), None), _TABLE_SIZE_PX, {})


def picture_grid(grid: HexGrid, picture: MapPicture, size: Pixel, hexes: Collection[str] = ()) -> BoardGrid:
    """Return the grid of a board's own picture, with its boxes.

    `size`: the size of the picture.
    `hexes`: the hexes on the map, by default all of the grid.

    Raises InputError as `board_grid` does, and if a hex is beyond the picture.
    """
    hexed: Hexes | Regions | None = None
    middles = dict[str, Pixel]()
    if picture.first is not None:
        lines = _find_lines(grid)
        bare = _lay_lines(grid, lines, picture.first, picture.step)
        bare = msgspec.structs.replace(bare, dots=grid.dots or msgspec.UNSET)
        hexed, middles = _draw_hexes(grid, lines, bare, size, frozenset(hexes))
    reach = max(picture.step) * 2 / 3  # from the middle of a hex: the edge of a map may cut through hexes
    for hex, (x, y) in middles.items():
        if not (-reach <= x <= size[0] + reach and -reach <= y <= size[1] + reach):
            what = f"hex {hex} would lie around {x}, {y}, beyond the picture of {size[0]} by {size[1]} pixels"
            hint = "correct first and step of [picture], or leave out what it does not show: columns and rows of [grid]"
            raise InputError(what, hint=hint)
    loose = Regions.of(picture.boxes) if picture.boxes else None
    background = hexed or loose
    zones = _draw_areas(picture)
    drawn: Drawn = ZonedGrid(zones, background) if zones or background is None else background
    boxes = {name: at for name, at in picture.places.items() if drawn.locate(at) == name}
    if lost := next((name for name in picture.places if name not in boxes), ""):
        hint = "boxes of one area must lie apart, each within its area"
        raise InputError(f"the box {lost} cannot be distinguished from another place on the picture", hint=hint)
    covered = next((name for name, at in middles.items() if any(zone.holds(at) for zone in zones)), "")
    if covered:
        raise InputError(f"an area of the picture covers hex {covered}", hint="leave that hex out of terrain.txt")
    return BoardGrid(drawn, size, middles, boxes)


class PictureMap:
    """The places on the picture of a board.

    `hexes`: the hexes on the map, by default all of the grid.

    Raises InputError if the picture has too many hexes.
    """

    def __init__(self, grid: HexGrid, picture: MapPicture, hexes: Collection[str] = ()) -> None:
        self._areas = ZonedGrid(_draw_areas(picture), Regions.of(picture.boxes) if picture.boxes else None)
        self._hexes, self._names = None, dict[tuple[int, int], str]()
        if picture.first is not None:
            lines, on_map = _find_lines(grid), frozenset(hexes)
            self._hexes = _lay_lines(grid, lines, picture.first, picture.step)
            cells = _name_cells(grid, lines)
            self._names = {cell: name for cell, name in cells if not on_map or name in on_map}

    def locate(self, at: Pixel) -> str:
        """Return the box or hex at a pixel, or ""."""
        if box := self._areas.locate(at):
            return box
        return self._names.get(self._hexes.cell(at), "") if self._hexes else ""


def _draw_areas(picture: MapPicture) -> tuple[GridZone, ...]:
    return tuple(
        GridZone(f"Area {number}", "$gridLocation$", area.path, Regions.of(area.boxes))
        for number, area in enumerate(picture.areas, 1)
    )


class _Lines(NamedTuple):
    """The lines of hexes of a grid: its columns if hexes are flat, its rows if they are pointed.

    `along` has the numbers of the lines, `across` those of the hexes in a line, both from the left or from above.
    """

    along: list[int]
    across: list[int]
    before: int
    """The number of lines before the board that VASSAL counts: 1 or 0."""


def _find_lines(grid: HexGrid) -> _Lines:
    (first, last), (top, bottom) = grid.columns, grid.rows
    Limit.HEXES.check(max(last - first + 1, 0) * max(bottom - top + 1, 0), "the grid has")
    columns = _list_numbers(grid.columns, backwards=grid.columns_from == "east")
    rows = _list_numbers(grid.rows, backwards=grid.rows_from == "south")
    along, across = (columns, rows) if grid.orientation == "flat" else (rows, columns)
    is_first_shifted = grid.shifted == ("odd" if along[0] % 2 else "even")
    return _Lines(along, across, 1 if is_first_shifted else 0)


def _lay_lines(grid: HexGrid, lines: _Lines, first: Pixel, step: tuple[float, float]) -> Hexes:
    """Return the grid without its numbering.

    `first`: the middle of the hex in the upper left corner.
    `step`: the distances from column to column and from row to row.
    """
    flat = grid.orientation == "flat"
    x, y = first if flat else first[::-1]
    dx, dy = step if flat else step[::-1]
    return Hexes(x0=round(x - lines.before * dx), y0=y - lines.before * int(dy / 2), dx=dx, dy=dy, sideways=not flat)


def _draw_hexes(
    grid: HexGrid, lines: _Lines, bare: Hexes, size: Pixel, hexes: Collection[str] = ()
) -> tuple[Hexes | Regions, dict[str, Pixel]]:
    """Return the hexes in VASSAL's form, with the middle of each, by default of the whole grid.

    Numbers that VASSAL's hexes cannot have, such as those by twos, are the names of regions, one for each hex.

    Raises InputError if VASSAL cannot print a number.
    """
    if any(form in _REGION_FORMS for form in grid.forms.values()):
        cells = ((cell, name) for cell, name in _name_cells(grid, lines) if not hexes or name in hexes)
        middles = {name: bare.centre(*cell) for cell, name in cells}
        return Regions.of(middles), middles
    drawn = _number_lines(grid, lines, bare, size)
    return drawn, _find_middles(grid, lines, drawn, hexes)


def _number_lines(grid: HexGrid, lines: _Lines, bare: Hexes, size: Pixel) -> Hexes:
    drawn = msgspec.structs.replace(bare, numbering=_make_numbering(grid), size=size)
    counted = _count_from(drawn, lines.before, lines.along[0], lines.across[0])
    return msgspec.structs.replace(drawn, numbering=counted)


def _find_middles(grid: HexGrid, lines: _Lines, drawn: Hexes, hexes: Collection[str] = ()) -> dict[str, Pixel]:
    """Return the middle of each hex, by default of the whole grid.

    Raises InputError if VASSAL cannot print a number.
    """
    middles = dict[str, Pixel]()
    for cell, name in _name_cells(grid, lines):
        if hexes and name not in hexes:
            continue
        middles[name] = drawn.centre(*cell)
        if drawn.locate(middles[name]) != name:
            raise InputError(f"VASSAL would print {drawn.locate(middles[name])} for hex {name}")
    return middles


def _name_cells(grid: HexGrid, lines: _Lines) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield each hex with its number, by VASSAL's count of lines and of places within a line."""
    flat = grid.orientation == "flat"
    for line, (along, start) in enumerate(zip(lines.along, _list_starts(grid, lines), strict=True), lines.before):
        for place, other in enumerate(lines.across, start // 2):
            yield (line, place), grid.name(Hex(along, other) if flat else Hex(other, along))


def _list_starts(grid: HexGrid, lines: _Lines) -> Iterator[int]:
    """Yield the offset of each line's first hex, in half hexes down or to the right.

    It is measured from the line at which VASSAL's count begins.
    """
    begin = round(2 * _measure_along(grid, lines.along[0], lines.across[0])) - lines.before
    return (round(2 * _measure_along(grid, along, lines.across[0])) - begin for along in lines.along)


def _measure_along(grid: HexGrid, along: int, across: int) -> float:
    """Return the position of a hex within its line, in hexes."""
    return grid.centre(Hex(along, across))[1] if grid.orientation == "flat" else grid.centre(Hex(across, along))[0]


def _list_numbers(ends: tuple[int, int], *, backwards: bool) -> list[int]:
    numbers = list(range(ends[0], ends[1] + 1))
    return numbers[::-1] if backwards else numbers


def _make_numbering(grid: HexGrid) -> Numbering:
    """Return the numbering without its offsets. In VASSAL H means the lines, whether columns or rows."""
    match = _FORMAT.fullmatch(grid.format)
    if match is None:
        raise InputError(f"VASSAL cannot print hex numbers like {grid.format}")
    before, first, first_form, between, _, second_form, after = match.groups()
    flat = grid.orientation == "flat"
    backwards = grid.rows_from == "south" if flat else grid.columns_from == "east"
    forms = {"H": first_form, "V": second_form}
    lines_first = (first == "column") == flat
    if not lines_first:
        forms = {"H": second_form, "V": first_form}
    return Numbering(
        first="H" if lines_first else "V",
        sep=between,
        h_type="A" if forms["H"] == "A" else "N",
        v_type="A" if forms["V"] == "A" else "N",
        h_leading=_leading_digits(forms["H"]),
        v_leading=_leading_digits(forms["V"]),
        h_descend=grid.columns_from == "east",
        v_descend=grid.rows_from == "south",
        oblique=grid.shifted in ("onward", "back") or msgspec.UNSET,
        stagger=(grid.shifted == "back") != backwards if grid.shifted in ("onward", "back") else False,
        location_format=f"{before}$gridLocation${after}",
    )


def _leading_digits(form: str | None) -> int:
    return int(form) - 1 if form and form != "A" else 0


def _count_from(drawn: Hexes, line: int, first: int, second: int) -> Numbering:
    """Return the numbering with offsets that give the board's first hex these numbers."""
    numbering = drawn.numbering or Numbering()
    lines, places = drawn.counts(line, 0)
    return msgspec.structs.replace(
        numbering,
        h_off=first - lines - (1 if numbering.h_type == "A" else 0),
        v_off=second - places - (1 if numbering.v_type == "A" else 0),
    )
