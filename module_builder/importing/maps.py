"""The boards of a module as boards of a game: hexes with the module's numbers, zones and regions as boxes on the map,
and the picture of the map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from math import sqrt
from typing import NamedTuple

import msgspec

from assistant.formats.vassal.grids import (
    REACH,
    Drawn,
    GridZone,
    Hexes,
    Numbering,
    Pixel,
    Regions,
    Squares,
    ZonedGrid,
    fill_format,
    number_format,
)
from assistant.formats.vassal.legends import Window
from assistant.formats.vassal.maps import BoardDrawing, list_centres
from assistant.game.boards.map_picture import BoxArea, MapPicture
from assistant.game.hexes import Hex, HexGrid
from assistant.util.errors import InputError
from assistant.util.limits import Limit

from ..vassal.grids import picture_grid
from .findings import Findings
from .names import Names, clean_text

Cell = tuple[int, int]
"""A hex by its line and its place in it, as VASSAL counts them from its first hex."""
_OFF = 3.0  # pixels that a hex may lie from where a regular grid has it
_SAMPLE = 400  # cells, about, of which it is tried whether a grid fits them all
_PLAIN = Numbering(sep="", h_leading=1, v_leading=1, h_off=1, v_off=1)
"""How hexes without numbers are numbered."""


NO_HEXES = HexGrid(format="{column}.{row}", columns=(0, 0), rows=(0, 0))
"""The grid of a board that has none: a single hex off the picture."""


class NumberedHexes(NamedTuple):
    """Hexes with their numbers."""

    grid: HexGrid
    """Their numbering."""
    names: Mapping[Cell, str]
    """The number of each cell."""
    first: Pixel
    """As `MapPicture` has it."""
    step: tuple[float, float]
    """As `MapPicture` has it."""
    own: bool
    """Whether the numbers are those of the module."""


def number_hexes(drawn: Hexes, cells: list[Cell]) -> NumberedHexes:
    """Return the hexes of a grid with numbers that a game's map can have: the module's own, or if that is impossible
    others.

    Raises InputError for hexes that no map can have.
    """
    for numbering in (drawn.numbering, _PLAIN):
        if numbering is not None:
            shown = msgspec.structs.replace(drawn, numbering=numbering)
            if numbering is _PLAIN:
                shown = _number_from_one(shown, cells)
            if (grid := _find_grid(shown, cells)) is not None:
                return _place_hexes(shown, grid, cells, own=numbering is not _PLAIN)
    raise InputError("its hexes cannot be numbered")


def _number_from_one(drawn: Hexes, cells: list[Cell]) -> Hexes:
    """Return hexes numbered anew: the first column and the first row are 1, with as many digits as the last one needs."""
    lines, places = [line for line, _ in cells], [place for _, place in cells]
    digits = [len(str(max(some) - min(some) + 1)) for some in (lines, places)]
    leading = [max(count, 2) - 1 for count in digits]
    plain = Numbering(h_off=1 - min(lines), v_off=1 - min(places), h_leading=leading[0], v_leading=leading[1])
    return msgspec.structs.replace(drawn, numbering=plain)


def _find_grid(drawn: Hexes, cells: list[Cell]) -> HexGrid | None:
    """Return the grid that numbers these cells as they are numbered, None if there is none."""
    written = number_format(drawn)
    if not written:
        return None
    hexes = {cell: _hex_of_cell(drawn, cell) for cell in cells}
    columns, rows = [at.column for at in hexes.values()], [at.row for at in hexes.values()]
    if min(*columns, *rows) < 0 or max(*columns, *rows) > 9999:
        return None
    numbering = drawn.numbering or _PLAIN
    for shifted in ("even", "odd"):
        grid = HexGrid(
            orientation="pointy" if drawn.sideways else "flat",
            shifted=shifted,
            columns_from="east" if numbering.h_descend else "west",
            rows_from="south" if numbering.v_descend else "north",
            format=written,
            columns=(min(columns), max(columns)),
            rows=(min(rows), max(rows)),
        )
        if all(_agrees(grid, drawn, cell, hexes[cell]) for cell in _sample(cells)) and _is_regular(grid, drawn, hexes):
            return grid
    return None


def _hex_of_cell(drawn: Hexes, cell: Cell) -> Hex:
    """Return the printed column and row of a cell. VASSAL calls the lines of hexes H, be they columns or rows."""
    numbering = drawn.numbering or _PLAIN
    line, place = drawn.counts(*cell)
    line += numbering.h_off + (1 if numbering.h_type == "A" else 0)  # letters count from 0
    place += numbering.v_off + (1 if numbering.v_type == "A" else 0)
    return Hex(place, line) if drawn.sideways else Hex(line, place)


def _sample(cells: list[Cell]) -> list[Cell]:
    """Return some cells of the whole, the first and the last among them."""
    return [*cells[:: max(len(cells) // _SAMPLE, 1)], cells[-1]]


def _agrees(grid: HexGrid, drawn: Hexes, cell: Cell, at: Hex) -> bool:
    """Return whether a grid has the number of a cell, and reads it again."""
    try:
        grid.check()
        name = grid.name(at)
        return name == drawn.locate(drawn.centre(*cell)) and grid.parse(name) == at
    except (InputError, ValueError, OverflowError):
        return False


def _is_regular(grid: HexGrid, drawn: Hexes, hexes: Mapping[Cell, Hex]) -> bool:
    """Return whether the hexes lie towards one another as on a grid."""
    step, start = _measure_grid(grid, drawn, hexes)
    for cell in _sample([*hexes]):
        x, y = drawn.centre(*cell)
        across, down = grid.centre(hexes[cell])
        if abs(across * step[0] + start[0] - x) > _OFF or abs(down * step[1] + start[1] - y) > _OFF:
            return False
    return True


def _measure_grid(
    grid: HexGrid, drawn: Hexes, hexes: Mapping[Cell, Hex]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return what a hex of the grid measures to the right and down, and where the grid's own corner lies."""
    line, place = drawn.dx / (sqrt(3) / 2), drawn.dy
    step = (place, line) if drawn.sideways else (line, place)
    cell, at = next(iter(hexes.items()))
    (x, y), (across, down) = drawn.centre(*cell), grid.centre(at)
    return step, (x - across * step[0], y - down * step[1])


def _place_hexes(drawn: Hexes, grid: HexGrid, cells: list[Cell], *, own: bool) -> NumberedHexes:
    """Return the hexes on a picture, no farther from where the module has them than rounding makes them."""
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
    middles = picture_grid(grid, picture, drawn.size, set(names.values())).hexes
    x = _middle_between([drawn.centre(*cell)[0] - middles[name][0] for cell, name in names.items()])
    y = _middle_between([drawn.centre(*cell)[1] - middles[name][1] for cell, name in names.items()])
    return NumberedHexes(grid, names, (first[0] + x, first[1] + y), length, own)


def _middle_between(numbers: list[int]) -> int:
    """Return the number half-way between the least and the highest."""
    return round((min(numbers) + max(numbers)) / 2)


def cells_of(drawn: Hexes, size: Pixel) -> Iterator[Cell]:
    """Yield the cells whose middle lies on a board. size: of the board."""
    width, height = size[::-1] if drawn.sideways else size
    lines = range(-int(max(drawn.x0, 0) / drawn.dx) - 1, int((width - drawn.x0) / drawn.dx) + 2)
    places = range(-int(max(drawn.y0, 0) / drawn.dy) - 1, int((height - drawn.y0) / drawn.dy) + 2)
    for cell in product(lines, places):
        x, y = drawn.centre(*cell)
        if 0 <= x < size[0] and 0 <= y < size[1]:
            yield cell


Plain = Hexes | Squares | Regions
MOST_BOXES = 600  # places of another grid that become boxes before it is known which of them are used
_TRIES = 20  # steps across and down in which a zone is searched for a pixel in it
_SPOT = 24  # pixels from its middle that a spot reaches where pieces lie, at most


class _Field:
    """A part of a board with a grid of its own. zone: None for the whole board; grid: None for a single place."""

    def __init__(self, zone: GridZone | None, grid: Plain | None) -> None:
        self.zone, self.grid = zone, grid
        xs, ys = zip(*zone.path, strict=True) if zone and zone.path else ((-REACH, REACH), (-REACH, REACH))
        self.left, self.right, self.top, self.bottom = min(xs), max(xs), min(ys), max(ys)

    def holds(self, at: Pixel) -> bool:
        """Return whether a pixel lies in it."""
        near = self.left <= at[0] <= self.right and self.top <= at[1] <= self.bottom
        return near and (self.zone is None or self.zone.holds(at))

    def printed(self, at: Pixel) -> str:
        """Return what the module calls the place at a pixel."""
        within = self.grid.locate(at) if self.grid else ""
        if self.zone is None:
            return within
        return fill_format(self.zone.location_format, name=self.zone.name, gridLocation=within)

    def places(self, size: Pixel) -> Iterator[Pixel]:
        """Yield where its places lie. size: of the board."""
        if self.grid is not None:
            inside = (at for at in list_centres(self.grid, size) if 0 <= at[0] < size[0] and 0 <= at[1] < size[1])
            yield from filter(self.holds, inside)
        elif self.zone is not None:
            tries = [(across, down) for across in range(1, _TRIES) for down in range(1, _TRIES)]
            tries.sort(key=lambda pixel: abs(pixel[0] - _TRIES / 2) + abs(pixel[1] - _TRIES / 2))
            width, height = self.right - self.left, self.bottom - self.top
            points = ((self.left + width * x // _TRIES, self.top + height * y // _TRIES) for x, y in tries)
            yield from islice(filter(self.holds, points), 1)

    def cells(self, size: Pixel) -> int:
        """Return about how many places its grid has. size: of the board."""
        if not isinstance(self.grid, Hexes | Squares):
            return 0
        width, height = min(self.right, size[0]) - max(self.left, 0), min(self.bottom, size[1]) - max(self.top, 0)
        return int(max(width, 0) * max(height, 0) / (self.grid.dx * self.grid.dy))


class ImportedBoard:
    """A board that is imported. window, name: of its map and its own; title: here; picture: whether it has one.

    hexes: whether its hexes stay hexes; otherwise all its places are boxes.
    """

    def __init__(self, window: str, drawing: BoardDrawing, title: str, boxes: Names, findings: Findings) -> None:
        self.window, self.name, self.size, self.image = window, drawing.name, drawing.size, drawing.image
        self.title, self._names, self._findings = title, boxes, findings
        self._list_fields = [*_list_fields(drawing.grid)]
        self.numbered: NumberedHexes | None = None
        self._hexes: Hexes | None = None
        self._given: dict[tuple[int, str], str] = {}
        self._points: dict[int, dict[str, Pixel]] = {}
        self._spots: dict[str, Pixel] = {}
        self.map_grid: HexGrid | None = None
        """The hexes of the game's map, whose numbers are no names of boxes."""

    def number(self, drawn: Window | None) -> None:
        """Keep its largest grid of hexes as hexes. Raises InputError for one with too many. drawn: which of them are,
        if the module says it.
        """
        field = max(
            (part for part in self._list_fields if isinstance(part.grid, Hexes)),
            key=lambda field: field.cells(self.size),
        )
        hexed = field.grid
        assert isinstance(hexed, Hexes)
        Limit.HEXES.check(int(self.size[0] * self.size[1] / (hexed.dx * hexed.dy)), f"the board {self.name} has")
        within = [cell for cell in cells_of(hexed, self.size) if self._grid_at(hexed.centre(*cell)) == hexed]
        if within:
            numbering = number_hexes(hexed, within)
            if drawn is not None and (less := [cell for cell in within if _is_drawn(drawn, numbering, cell)]):
                numbering = number_hexes(hexed, less)
            self.numbered, self._hexes = numbering, hexed

    @property
    def hexes(self) -> int:
        """About how many hexes it has, 0 if it has none."""
        return max((field.cells(self.size) for field in self._list_fields if isinstance(field.grid, Hexes)), default=0)

    def _grid_at(self, at: Pixel) -> Plain | None:
        number = self._field_at(at)
        return self._list_fields[number].grid if number >= 0 else None

    def fill(self) -> None:
        """Give its places names, as far as they are not hexes and not too many."""
        for number, field in enumerate(self._list_fields):
            if field.grid is not None and field.grid == self._hexes:
                continue
            if field.cells(self.size) > MOST_BOXES:
                what = f"{self.title}: only those places of its grid where pieces lie in set-ups become boxes"
                self._findings.left_out(what)
                continue
            for at in field.places(self.size):
                printed = field.printed(at)
                if printed.strip() and self._field_at(at) == number:
                    self._name_box(number, printed, at)

    def _field_at(self, at: Pixel) -> int:
        """Return the number of the part of the board at a pixel, -1 where there is none."""
        return next((number for number, field in enumerate(self._list_fields) if field.holds(at)), -1)

    def place(self, at: Pixel) -> str:
        """Return the hex or box at a pixel; a spot of its own where the board has none."""
        if not self._list_fields and not self.image:
            return self._name_box(-1, self.title, at)
        number = self._field_at(at)
        if number >= 0:
            field = self._list_fields[number]
            if self.numbered is not None and self._hexes is not None and field.grid == self._hexes:
                name = self.numbered.names.get(self._hexes.cell(at))
                return name or self._find_spot(at)
            printed = field.printed(at)
            if printed.strip():
                return self._name_box(number, printed, at)
        return self._find_spot(at)

    def _name_box(self, number: int, printed: str, at: Pixel) -> str:
        """Return the name of the box that the module calls so."""
        key = number, printed
        if key not in self._given:
            self._given[key] = self._give_name(clean_text(printed), printed)
            self._points.setdefault(number, {})[self._given[key]] = at
        return self._given[key]

    def _give_name(self, wanted: str, called: str = "") -> str:
        if not wanted or (self.map_grid is not None and _is_number(self.map_grid, wanted)):
            wanted = f"{self.title} {wanted}".strip()
        return self._names.give(wanted, called)

    def _find_spot(self, at: Pixel) -> str:
        """Return the spot near a pixel, a new one if there is none."""
        for name, (x, y) in self._spots.items():
            if abs(x - at[0]) <= _SPOT and abs(y - at[1]) <= _SPOT:
                return name
        name = self._give_name(f"{self.title} spot {len(self._spots) + 1}")
        self._spots[name] = at
        return name

    # --- as a game's files have it ------------------------------------------------------------------------------------

    def picture(self, file: str) -> MapPicture:
        """Return what lies where on its picture; boxes that cannot be told apart there are left out."""
        areas = [area for number, field in enumerate(self._list_fields) for area in self._list_areas(number, field)]
        whole = [number for number, field in enumerate(self._list_fields) if field.zone is None]
        loose = {name: at for number in whole for name, at in self._points.get(number, {}).items()}
        if self.numbered is None and not areas:
            loose |= self._spots
        else:
            areas = [*(self._make_area(name, at) for name, at in self._spots.items()), *areas]
        if self.numbered is not None and self._hexes is not None:
            middles = [self._hexes.centre(*cell) for cell in self.numbered.names]
            areas += [self._make_area(name, at) for name, at in loose.items()]
            areas, loose = [part for area in areas for part in self._split_area(area, middles)], {}
        zones = tuple(GridZone("", "$gridLocation$", area.path, Regions.of(area.boxes)) for area in areas)
        placed = ZonedGrid(zones, Regions.of(loose) if loose else None)
        kept = ({name: at for name, at in area.boxes.items() if placed.locate(at) == name} for area in areas)
        return MapPicture(
            file=file,
            first=self.numbered.first if self.numbered else None,
            step=self.numbered.step if self.numbered else (100.0, 100.0),
            areas=tuple(BoxArea(area.path, boxes) for area, boxes in zip(areas, kept, strict=True) if boxes),
            boxes={name: at for name, at in loose.items() if placed.locate(at) == name},
        )

    def _list_areas(self, number: int, field: _Field) -> Iterator[BoxArea]:
        points = self._points.get(number)
        if points and field.zone is not None and len(field.zone.path) > 2:
            yield BoxArea(field.zone.path, points)

    def _make_area(self, name: str, at: Pixel) -> BoxArea:
        """Return a small area around a single place."""
        (x, y), reach = at, _SPOT
        if self._hexes is not None:
            reach = min(reach, int(min(self._hexes.dx, self._hexes.dy) / 4))
        corners = (x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)
        return BoxArea(corners, {name: at})

    def _split_area(self, area: BoxArea, middles: list[Pixel]) -> Iterator[BoxArea]:
        """Yield an area, or if it covers the middle of a hex those parts of it around its boxes that do not."""
        if not _covers(area, middles):
            yield area
            return
        for name, at in area.boxes.items():
            part = self._make_area(name, at)
            if not _covers(part, middles):
                yield part

    @property
    def boxes(self) -> list[str]:
        """All its boxes so far."""
        return [*(name for points in self._points.values() for name in points), *self._spots]

    @property
    def grid(self) -> HexGrid:
        """Its hexes."""
        return self.numbered.grid if self.numbered else NO_HEXES


def _is_drawn(drawn: Window, numbers: NumberedHexes, cell: Cell) -> bool:
    """Return whether a cell is in the part of the map that the module says it shows."""
    at = numbers.grid.parse(numbers.names[cell])
    return drawn.columns[0] <= at.column <= drawn.columns[1] and drawn.rows[0] <= at.row <= drawn.rows[1]


def _covers(area: BoxArea, middles: list[Pixel]) -> bool:
    """Return whether an area holds one of these pixels."""
    field = _Field(GridZone("", "", area.path, None), None)
    return any(map(field.holds, middles))


def _list_fields(grid: Drawn | None) -> Iterator[_Field]:
    """Yield the parts of a board. The first that holds a pixel counts."""
    if isinstance(grid, ZonedGrid):
        for zone in grid.zones:
            yield _Field(zone, zone.grid)
        if grid.background is not None:
            yield _Field(None, grid.background)
    elif grid is not None:
        yield _Field(None, grid)


def _is_number(grid: HexGrid, name: str) -> bool:
    """Return whether a name is the number of a hex of a grid."""
    try:
        grid.parse(name)
    except (InputError, ValueError):
        return False
    return True
