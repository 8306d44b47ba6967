"""The boards of a module as boards of a game: hexes with the module's numbers, zones and regions as boxes on the map,
and the picture of the map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import sqrt
from typing import NamedTuple

import msgspec

from assistant.formats.vassal.board_grids import PictureMap, picture_grid
from assistant.formats.vassal.grids import (
    REACH,
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
from assistant.formats.vassal.legends import Window
from assistant.formats.vassal.maps import BoardDrawing, MapWindow, list_centres
from assistant.game.boards.map_picture import BoxArea, MapPicture
from assistant.game.hexes import Hex, HexGrid
from assistant.util.errors import InputError
from assistant.util.limits import Limit

from .findings import Findings
from .names import Names, clean_text

Cell = tuple[int, int]
"""A hex by its line and its place in it, as VASSAL counts them from its first hex."""
_OFF = 3.0  # pixels that a hex may lie from where a regular grid has it
_SAMPLE = 400  # cells, about, of which it is tried whether a grid fits them all


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


def number_hexes(
    drawn: Hexes, cells: list[Cell], size: Pixel = (0, 0), printed: Callable[[Pixel], str] | None = None
) -> NumberedHexes:
    """Return the hexes of a grid with numbers that a game's map can have: the module's own, or if that is impossible
    others.

    size: of the picture, that of the grid by default; printed: what is printed at a pixel, by default what the grid
    prints. Raises InputError for hexes that no map can have.
    """
    if drawn.numbering is not None and (grid := _find_grid(drawn, cells, printed or drawn.locate)) is not None:
        return _place_hexes(drawn, grid, cells, size, own=True)
    plain = _number_from_one(drawn, cells)
    if (grid := _find_grid(plain, cells, plain.locate)) is not None:
        return _place_hexes(plain, grid, cells, size, own=False)
    raise InputError("its hexes cannot be numbered")


def _number_from_one(drawn: Hexes, cells: list[Cell]) -> Hexes:
    """Return hexes numbered anew: the first column and the first row are 1, with as many digits as the last one needs."""
    lines, places = [line for line, _ in cells], [place for _, place in cells]
    digits = [len(str(max(some) - min(some) + 1)) for some in (lines, places)]
    leading = [max(count, 2) - 1 for count in digits]
    plain = Numbering(h_off=1 - min(lines), v_off=1 - min(places), h_leading=leading[0], v_leading=leading[1])
    return msgspec.structs.replace(drawn, numbering=plain)


def _find_grid(drawn: Hexes, cells: list[Cell], printed: Callable[[Pixel], str]) -> HexGrid | None:
    """Return the grid that numbers these cells as they are numbered, None if there is none."""
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
        )
        sample = ((printed(drawn.centre(*cell)), hexes[cell]) for cell in _sample(cells))
        if all(_agrees(grid, name, at) for name, at in sample) and _is_regular(grid, drawn, hexes):
            return grid
    return None


def _hex_of_cell(drawn: Hexes, cell: Cell) -> Hex:
    """Return the printed column and row of a cell. VASSAL calls the lines of hexes H, be they columns or rows."""
    numbering = drawn.numbering or Numbering()
    line, place = drawn.counts(*cell)
    line += numbering.h_off + (1 if numbering.h_type == "A" else 0)  # letters count from 0
    place += numbering.v_off + (1 if numbering.v_type == "A" else 0)
    return Hex(place, line) if drawn.sideways else Hex(line, place)


def _sample(cells: list[Cell]) -> list[Cell]:
    """Return some cells of the whole, the first and the last among them."""
    return [*cells[:: max(len(cells) // _SAMPLE, 1)], cells[-1]]


def _agrees(grid: HexGrid, printed: str, at: Hex) -> bool:
    """Return whether a grid has the number that is printed in a hex, and reads it again."""
    try:
        grid.check()
        name = grid.name(at)
        return name == printed and grid.parse(name) == at
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


def _place_hexes(drawn: Hexes, grid: HexGrid, cells: list[Cell], size: Pixel, *, own: bool) -> NumberedHexes:
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
    middles = picture_grid(grid, picture, size if any(size) else drawn.size, set(names.values())).hexes
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
    """A part of a board with a grid of its own. board: where it lies on the picture; zone: None for the whole board;
    grid: None for a single place.
    """

    def __init__(self, board: PlacedBoard, zone: GridZone | None, grid: Plain | None) -> None:
        self.board, self.zone, self.grid = board, zone, grid
        xs, ys = zip(*zone.path, strict=True) if zone and zone.path else ((-REACH, REACH), (-REACH, REACH))
        self.left, self.right, self.top, self.bottom = min(xs), max(xs), min(ys), max(ys)

    def holds(self, at: Pixel) -> bool:
        """Return whether a pixel of the picture lies in it."""
        return self.board.holds(at) and self._holds_own(self.board.own(at))

    def _holds_own(self, at: Pixel) -> bool:
        near = self.left <= at[0] <= self.right and self.top <= at[1] <= self.bottom
        return near and (self.zone is None or self.zone.holds(at))

    def printed(self, at: Pixel) -> str:
        """Return what the module calls the place at a pixel of the picture."""
        within = self.grid.locate(self.board.own(at)) if self.grid else ""
        if self.zone is None:
            return within
        return fill_format(self.zone.location_format, name=self.zone.name, gridLocation=within)

    def places(self) -> Iterator[Pixel]:
        """Yield where its places lie on the picture."""
        if self.grid is not None:
            yield from filter(self.holds, map(self.board.on_map, list_centres(self.grid, self.board.size)))
        elif self.zone is not None:
            tries = [(across, down) for across in range(1, _TRIES) for down in range(1, _TRIES)]
            tries.sort(key=lambda pixel: abs(pixel[0] - _TRIES / 2) + abs(pixel[1] - _TRIES / 2))
            width, height = self.right - self.left, self.bottom - self.top
            points = ((self.left + width * x // _TRIES, self.top + height * y // _TRIES) for x, y in tries)
            yield from islice(map(self.board.on_map, filter(self._holds_own, points)), 1)

    @property
    def cells(self) -> int:
        """About how many places its grid has."""
        if not isinstance(self.grid, Hexes | Squares):
            return 0
        size = self.board.size
        width, height = min(self.right, size[0]) - max(self.left, 0), min(self.bottom, size[1]) - max(self.top, 0)
        return int(max(width, 0) * max(height, 0) / (self.grid.dx * self.grid.dy))

    @property
    def hexes(self) -> Hexes | None:
        """Its hexes as they lie on the picture, None if it has none. Those of a board that lies upside down have no
        numbers.
        """
        grid = self.grid
        if not isinstance(grid, Hexes):
            return None
        x0, y0 = self.board.on_map((grid.y0, grid.x0) if grid.sideways else (grid.x0, grid.y0))
        x0, y0 = (y0, x0) if grid.sideways else (x0, y0)
        numbering = None if self.board.turned else grid.numbering
        return msgspec.structs.replace(grid, x0=x0, y0=y0, numbering=numbering)


def _goes_on(hexes: Hexes, field: _Field) -> bool:
    """Return whether the hexes of a field lie as if those of another one went on."""
    other = field.hexes
    if other is None or other.sideways != hexes.sideways or field.cells > Limit.HEXES.most:
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


class JoinedBoards(NamedTuple):
    """One board of a map, or several of one whose edges meet."""

    boards: Sequence[PlacedBoard]
    """Where each lies on their common picture."""
    size: Pixel
    """Of the picture."""
    images: Mapping[str, str]
    """The picture of each board, by its name."""


def join_boards(window: MapWindow, laid: Sequence[tuple[str, int, int]]) -> JoinedBoards | None:
    """Return the boards that lie on a map beside one another, None if it is only one, or one lies there twice."""
    placed = window.placed(tuple(laid))
    if len(placed) < 2 or len({board.name for board in placed}) < len(placed):
        return None
    left, top = min(board.x for board in placed), min(board.y for board in placed)
    moved = [board._replace(x=board.x - left, y=board.y - top) for board in placed]
    size = max(board.x + board.size[0] for board in moved), max(board.y + board.size[1] for board in moved)
    return JoinedBoards(moved, size, {board.name: window.boards[board.name].image for board in moved})


def single_board(board: BoardDrawing) -> JoinedBoards:
    """Return a board alone."""
    return JoinedBoards([PlacedBoard(board.name, 0, 0, board.size, board.grid)], board.size, {board.name: board.image})


class ImportedBoard:
    """A board that is imported, or several that lie beside one another. window: its map."""

    def __init__(self, window: str, joined: JoinedBoards, boxes: Names, findings: Findings) -> None:
        self.window, self.boards, self.size = window, joined.boards, joined.size
        self._names, self._findings = boxes, findings
        self.image = ""
        """Its picture, "" for none."""
        self.title = ""
        """What it is called here."""
        self._fields = [field for board in self.boards for field in _list_fields(board)]
        self.numbered: NumberedHexes | None = None
        self._hexes: Hexes | None = None
        self._lattice: PictureMap | None = None
        self._hexed: set[int] = set()
        self._given: dict[tuple[int, str], str] = {}
        self._points: dict[int, dict[str, Pixel]] = {}
        self._spots: dict[str, Pixel] = {}
        self.map_grid: HexGrid | None = None
        """The hexes of the game's map, whose numbers are no names of boxes."""

    @property
    def _largest(self) -> list[int]:
        """The largest field of hexes of each board, that of an upright board first."""
        fields = self._fields
        some = [number for number, field in enumerate(fields) if isinstance(field.grid, Hexes)]
        best = {fields[number].board: number for number in sorted(some, key=lambda number: fields[number].cells)}
        return sorted(best.values(), key=lambda number: (fields[number].board.turned, -fields[number].cells))

    @property
    def goes_on(self) -> bool:
        """Whether each board has hexes that go on those of the others."""
        first, *others = self._largest or [-1]
        if first < 0 or len(others) + 1 < len(self.boards):
            return False
        hexes = self._fields[first].hexes
        return hexes is not None and all(_goes_on(hexes, self._fields[number]) for number in others)

    def number(self, drawn: Window | None) -> None:
        """Number its largest grid of hexes, and with it those of the boards beside it; all else becomes boxes. drawn: the
        part of the map that the module shows, None if it does not say. Raises InputError for too many hexes.
        """
        largest = self._largest
        hexed = self._fields[largest[0]].hexes
        assert hexed is not None
        Limit.HEXES.check(int(self.size[0] * self.size[1] / (hexed.dx * hexed.dy)), f"the board {self.title} has")
        grids = {(field.board, field.grid) for field in map(self._fields.__getitem__, largest)}
        self._hexed = {number for number, field in enumerate(self._fields) if (field.board, field.grid) in grids}
        within = [cell for cell in cells_of(hexed, self.size) if self._field_at(hexed.centre(*cell)) in self._hexed]
        if within:
            numbering = number_hexes(hexed, within, self.size, self._print_hex)
            if drawn is not None and (less := [cell for cell in within if _is_drawn(drawn, numbering, cell)]):
                numbering = number_hexes(hexed, less, self.size, self._print_hex)
            self.numbered, self._hexes = numbering, hexed
            picture = MapPicture(file="", first=numbering.first, step=numbering.step)
            self._lattice = PictureMap(numbering.grid, picture, numbering.names.values())
        else:
            self._hexed = set()

    @property
    def has_numbers(self) -> bool:
        """Whether the module numbers its hexes."""
        return any(getattr(self._fields[number].grid, "numbering", None) for number in self._hexed)

    def _print_hex(self, at: Pixel) -> str:
        """Return the number that is printed in a hex at a pixel."""
        field = self._fields[self._field_at(at)]
        return field.grid.locate(field.board.own(at)) if field.grid else ""

    @property
    def hexes(self) -> int:
        """About how many hexes it has, 0 if it has none."""
        return sum(self._fields[number].cells for number in self._largest)

    def fill(self) -> None:
        """Give its places names, as far as they are not hexes and not too many."""
        for number, field in enumerate(self._fields):
            if number in self._hexed:
                continue
            if field.cells > MOST_BOXES:
                what = f"{self.title}: only those places of its grid where pieces lie in set-ups become boxes"
                self._findings.left_out(what)
                continue
            for at in field.places():
                printed = field.printed(at)
                if printed.strip() and self._field_at(at) == number:
                    self._name_box(number, printed, at)

    def _field_at(self, at: Pixel) -> int:
        """Return the number of the part of the board at a pixel, -1 where there is none."""
        return next((number for number, field in enumerate(self._fields) if field.holds(at)), -1)

    def place(self, at: Pixel) -> str:
        """Return the hex or box at a pixel; where the board has none, a spot of its picture, or the board as a whole if it
        has no picture.
        """
        number = self._field_at(at)
        if number >= 0:
            field = self._fields[number]
            if self._lattice is not None and number in self._hexed:
                return self._lattice.locate(at) or self._find_other(at)
            printed = field.printed(at)
            if printed.strip():
                return self._name_box(number, printed, at)
        return self._find_other(at)

    def _find_other(self, at: Pixel) -> str:
        return self._find_spot(at) if self.image else self._name_box(-1, "", at)

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
            reach = self._find_reach((x, y))
            if x - reach <= at[0] < x + reach and y - reach <= at[1] < y + reach:
                return name
        name = self._give_name(f"{self.title} spot {len(self._spots) + 1}")
        self._spots[name] = at
        return name

    @property
    def printed_boxes(self) -> dict[str, str]:
        """The boxes by what the module calls them."""
        return {printed: name for (_, printed), name in self._given.items() if printed != name}

    # --- as a game's files have it ------------------------------------------------------------------------------------

    def picture(self, file: str) -> MapPicture:
        """Return what lies where on its picture; boxes that cannot be told apart there are left out."""
        areas = [area for number, field in enumerate(self._fields) for area in self._list_areas(number, field)]
        whole = [number for number, field in enumerate(self._fields) if field.zone is None]
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
            yield BoxArea(tuple(map(field.board.on_map, field.zone.path)), points)

    def _make_area(self, name: str, at: Pixel) -> BoxArea:
        """Return a small area around a single place."""
        (x, y), reach = at, self._find_reach(at)
        corners = (x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)
        return BoxArea(corners, {name: at})

    def _find_reach(self, at: Pixel) -> int:
        """Return how far a small area around a place reaches that holds nothing of a hex of the map, if possible."""
        if self._hexes is None or self._lattice is None:
            return _SPOT
        full = min(_SPOT, int(min(self._hexes.dx, self._hexes.dy) / 4))
        for reach in (full, full // 2, full // 4):
            ends = product((at[0] - reach, at[0] + reach - 1), (at[1] - reach, at[1] + reach - 1))
            if not any(map(self._lattice.locate, ends)):
                return reach
        return 2

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
    xs, ys = zip(*area.path, strict=True)
    zone = GridZone("", "", area.path, None)
    near = (at for at in middles if min(xs) <= at[0] <= max(xs) and min(ys) <= at[1] <= max(ys))
    return any(map(zone.holds, near))


def _list_fields(board: PlacedBoard) -> Iterator[_Field]:
    """Yield the parts of a board. The first that holds a pixel counts."""
    grid = board.grid
    if isinstance(grid, ZonedGrid):
        for zone in grid.zones:
            yield _Field(board, zone, zone.grid)
        if grid.background is not None:
            yield _Field(board, None, grid.background)
    elif grid is not None:
        yield _Field(board, None, grid)


def _is_number(grid: HexGrid, name: str) -> bool:
    """Return whether a name is the number of a hex of a grid."""
    try:
        grid.parse(name)
    except (InputError, ValueError):
        return False
    return True
