"""The grids of VASSAL boards: the printed number at a pixel, and the centre of a hex, square or region.

Pixels count from the board's upper left corner, x to the right and y down. Hexes are found as in VASSAL, by rectangles
as high as a hex and as wide as a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import floor, sqrt
from typing import Annotated, Literal, NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from ...util.notes import note

Pixel = tuple[int, int]

OFF_MAP_PIXELS = 2**20
"""A coordinate off any map."""
MAX_COMPOSED_CHARS = 2000
"""The maximum length of a composed name, since each label of a piece could double it."""
_BOARD = "VASSAL.build.module.map.boardPicker.board."
"""The beginning of the class of a board's element."""
HEXES = f"{_BOARD}HexGrid"
SQUARES = f"{_BOARD}SquareGrid"
ZONES = f"{_BOARD}ZonedGrid"
REGIONS = f"{_BOARD}RegionGrid"
_REGION = f"{_BOARD}Region"
_REGION_IN_GRID = f"{_BOARD}mapgrid.Region"
ZONE = f"{_BOARD}mapgrid.Zone"
NUMBERED_HEXES = f"{_BOARD}mapgrid.HexGridNumbering"
OBLIQUE_HEXES = f"{_BOARD}mapgrid.ObliqueHexGridNumbering"
NUMBERED_SQUARES = f"{_BOARD}mapgrid.SquareGridNumbering"


class Numbering(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The numbering of hexes or squares, with the attributes of VASSAL's element."""

    first: Annotated[Literal["H", "V"], note('whether the column ("H") or the row ("V") comes first')] = "H"
    sep: Annotated[str, note("the separator between column and row")] = ""
    h_type: Annotated[Literal["N", "A"], note('"N" for numbers, "A" for letters, of columns; `v_type` of rows')] = "N"
    v_type: Literal["N", "A"] = "N"
    h_leading: Annotated[int, note("the number of digits of columns, less one; `v_leading` of rows")] = 1
    v_leading: int = 1
    h_off: Annotated[int, note("the number added to the count of columns; `v_off` of rows")] = 0
    v_off: int = 0
    h_descend: Annotated[bool, note("whether columns count from the right")] = False
    v_descend: Annotated[bool, note("whether rows count from the bottom")] = False
    stagger: Annotated[bool, note("whether odd columns are numbered half a hex further")] = False
    oblique: Annotated[
        bool | msgspec.UnsetType,
        note("whether rows follow slanting lines of hexes, down to the right or, if `stagger`, up to the right"),
    ] = msgspec.UNSET  # left out unless true, so that saves of older modules stay the same
    location_format: str = "$gridLocation$"

    def __post_init__(self) -> None:
        if max(self.h_leading, self.v_leading) > 9 or max(abs(self.h_off), abs(self.v_off)) > 99_999:
            raise ValueError("its numbering has too many digits")

    def name(self, column: int, row: int) -> str:
        """Return the printed number for a column and row as counted from the first."""
        across = _write_figure(column + self.h_off, self.h_type, self.h_leading)
        down = _write_figure(row + self.v_off, self.v_type, self.v_leading)
        printed = across + self.sep + down if self.first == "H" else down + self.sep + across
        if self.location_format == "$gridLocation$":
            return printed[:MAX_COMPOSED_CHARS]
        return fill_format(self.location_format, gridLocation=printed, column=across, row=down)

    def read(self, name: str) -> tuple[int, int] | None:
        """Return the counted column and row of a printed number, or None for another text.

        As in VASSAL, the first of the two figures is as long as possible.
        """
        column, row = _write_pattern(self.h_type, self.h_leading), _write_pattern(self.v_type, self.v_leading)
        named_column, named_row = f"(?P<column>{column})", f"(?P<row>{row})"
        in_order = (named_column, named_row) if self.first == "H" else (named_row, named_column)
        printed = re.escape(self.sep).join(in_order)
        if "$gridLocation$" not in self.location_format:
            column, row = named_column, named_row
        match = match_format(self.location_format, name, {"gridLocation": printed, "column": column, "row": row})
        if match is None or not {"column", "row"} <= match.groupdict().keys():
            return None
        across, down = _read_figure(match["column"], self.h_type), _read_figure(match["row"], self.v_type)
        return None if across is None or down is None else (across - self.h_off, down - self.v_off)


def _write_pattern(kind: str, leading: int) -> str:
    letters = "|".join(f"{letter}+" for letter in _LETTERS)
    return "-?" + (f"[0-9]{{{max(leading, -1) + 1},}}" if kind == "N" else f"(?:{letters})")


def _read_figure(figure: str, kind: str) -> int | None:
    """Parse a figure as a grid prints it, or return None if VASSAL cannot read it."""
    sign, digits = (-1, figure[1:]) if figure.startswith("-") else (1, figure)
    if kind == "A":
        return sign * (_LETTERS.index(digits[0]) + 26 * (len(digits) - 1))
    return sign * int(digits) if 0 < len(digits) < 10 else None


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _write_figure(number: int, kind: str, leading: int) -> str:
    sign = "-" if number < 0 else ""
    number = abs(number)
    if kind == "N":
        return f"{sign}{number:0{max(leading, 0) + 1}d}"
    return sign + _LETTERS[number % 26] * (number // 26 + 1)


def fill_format(text: str, **values: str) -> str:
    """Return a text with values in place of its $names$, and nothing in place of unknown ones, cut if too long."""
    if "$" not in text:
        return text[:MAX_COMPOSED_CHARS]
    return re.sub(r"\$(\w+)\$", lambda match: values.get(match[1], "")[:MAX_COMPOSED_CHARS], text[:MAX_COMPOSED_CHARS])[
        :MAX_COMPOSED_CHARS
    ]


def match_format(format: str, text: str, patterns: Mapping[str, str]) -> re.Match[str] | None:
    """Match a text against a format with $names$.

    `patterns`: the pattern of each name, used once. Other names match nothing.
    """
    pieces = re.split(r"\$(\w+)\$", format[:MAX_COMPOSED_CHARS])
    used: set[str] = set()
    pattern = ""
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            pattern += re.escape(piece)
        elif piece in patterns and piece not in used:
            used.add(piece)
            pattern += patterns[piece]
    return re.fullmatch(pattern, text) if pattern else None


class Hexes(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A grid of hexes, with the attributes of VASSAL's element."""

    x0: Annotated[int, note("the centre of the first hex, with `y0`")]
    y0: int
    dx: Annotated[float, note("the distance from column to column")]
    dy: Annotated[float, note("the height of a hex, flat side to flat side")]
    sideways: Annotated[bool, note("whether hexes stand on a point; all other attributes are rotated with them")] = (
        False
    )
    numbering: Numbering | None = None
    size: Annotated[Pixel, note("width and height of the board, from which counts run backwards")] = (0, 0)
    dots: Annotated[bool | msgspec.UnsetType, note("whether VASSAL draws the hexes, with a dot in each")] = (
        msgspec.UNSET
    )

    def __post_init__(self) -> None:
        _check_measures(self)

    def locate(self, at: Pixel) -> str:
        """Return the printed number at a pixel, or "" without numbers."""
        return self.numbering.name(*self.counts(*self.cell(at))) if self.numbering else ""

    def cell(self, at: Pixel) -> tuple[int, int]:
        """Return column and row at a pixel, counted from the first hex."""
        x, y = at[::-1] if self.sideways else at
        column = floor((x - self.x0) / self.dx + 0.5)
        return column, floor((y - self.y0 - (self.dy / 2 if column % 2 else 0)) / self.dy + 0.5)

    def centre(self, column: int, row: int) -> Pixel:
        """Return the centre of a hex by its column and row, counted from the first hex."""
        x = int(self.dx * column + self.x0)
        y = int(self.dy * row + (int(self.dy / 2) if column % 2 else 0) + self.y0)
        return (y, x) if self.sideways else (x, y)

    def counts(self, column: int, row: int) -> tuple[int, int]:
        """Return column and row as numbered, but without the offsets of the numbering."""
        across, down = self._count_backwards(column, row)
        down += self._staggered if column % 2 else 0
        if self.numbering and self.numbering.oblique:
            half = int(across / 2)  # towards zero
            down = down + half if self.numbering.stagger else down - half + 1
        return across, down

    def at(self, column: int, row: int) -> Pixel:
        """Return the pixel at which VASSAL puts a piece, for a column and row as numbered, without offsets.

        This is the hex with that number, with two exceptions. With staggered numbers counted backwards, VASSAL takes
        odd columns for even ones. With oblique numbers it ignores the slant.
        """
        column, row = self._count_backwards(column, row - (self._staggered if column % 2 else 0))
        x = int(self.dx * column) + self.x0
        y = int(self.dy * row + (self.dy / 2 if column % 2 else 0)) + self.y0
        return (y, x) if self.sideways else (x, y)

    def _count_backwards(self, column: int, row: int) -> tuple[int, int]:
        """Return column and row, counted from the other end if the numbering descends.

        The function is its own inverse.
        """
        numbering = self.numbering or Numbering()
        # VASSAL, too, divides the height by `dx` and the width by `dy`
        rows, columns = (
            floor(self.size[1] / self.dx + 0.5),
            floor(self.size[0] / self.dy + 0.5),
        )
        if self.sideways:
            column = rows - column if numbering.v_descend else column
            return column, columns - row if numbering.h_descend else row
        column = columns - column if numbering.h_descend else column
        return column, rows - row if numbering.v_descend else row

    @property
    def _staggered(self) -> int:
        """The offset of the row numbers in odd columns."""
        numbering = self.numbering or Numbering()
        if not numbering.stagger:
            return 0
        descends = numbering.h_descend if self.sideways else numbering.v_descend
        return -1 if descends else 1


def number_format(grid: Hexes) -> str:
    """Return the format of a grid's numbers in the form of a game's grid, or "" if there is no such form.

    VASSAL's lines of hexes may be columns or rows.
    """
    numbering = grid.numbering
    if numbering is None or re.search(r"[{}$]", numbering.sep) or "{" in numbering.location_format:
        return ""
    lines, places = ("row", "column") if grid.sideways else ("column", "row")
    across = _write_field(lines, numbering.h_type, numbering.h_leading)
    down = _write_field(places, numbering.v_type, numbering.v_leading)
    pair = across + numbering.sep + down if numbering.first == "H" else down + numbering.sep + across
    text = fill_format(numbering.location_format, gridLocation=pair, column=across, row=down)
    return "" if "$" in text else text


def _write_field(name: str, kind: str, leading: int) -> str:
    if kind == "A":
        return f"{{{name}:A}}"
    return f"{{{name}:0{leading + 1}}}" if leading > 0 else f"{{{name}}}"


def _check_measures(grid: Hexes | Squares) -> None:
    if not (1 <= grid.dx < OFF_MAP_PIXELS and 1 <= grid.dy < OFF_MAP_PIXELS):
        raise ValueError(f"its grid has impossible cells of {grid.dx} by {grid.dy} pixels")
    _check_reach(grid.x0, grid.y0, *grid.size)


def _check_reach(*pixels: int) -> None:
    if any(abs(pixel) >= OFF_MAP_PIXELS for pixel in pixels):
        raise ValueError(f"{max(pixels, key=abs)} is beyond any map")


class Squares(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A grid of squares or rectangles, with the attributes of VASSAL's element."""

    x0: int
    y0: int
    dx: float
    dy: float
    numbering: Numbering | None = None
    size: Pixel = (0, 0)

    def __post_init__(self) -> None:
        _check_measures(self)

    def locate(self, at: Pixel) -> str:
        """Return the printed number at a pixel, or "" without numbers."""
        if self.numbering is None:
            return ""
        column = floor((at[0] - self.x0) / self.dx + 0.5)
        row = int((at[1] - self.y0) / self.dy + 0.5)  # towards zero: VASSAL rounds rows and columns differently
        return self.numbering.name(*self._count_backwards(column, row))

    def at(self, column: int, row: int) -> Pixel:
        """Return the pixel at which VASSAL puts a piece, for a column and row as numbered, without offsets."""
        column, row = self._count_backwards(column, row)
        return int(column * self.dx + self.x0), int(row * self.dy + self.y0)

    def _count_backwards(self, column: int, row: int) -> tuple[int, int]:
        """Return column and row, counted from the other end if the numbering descends.

        The function is its own inverse.
        """
        numbering = self.numbering or Numbering()
        column = floor(self.size[0] / self.dx + 0.5) - column if numbering.h_descend else column
        return column, floor(self.size[1] / self.dy + 0.5) - row if numbering.v_descend else row


class Regions(msgspec.Struct, frozen=True, tag=True):
    """Named points. Every pixel belongs to the nearest one."""

    points: tuple[tuple[int, int, str], ...]

    @classmethod
    def of(cls, places: Mapping[str, Pixel]) -> Regions:
        return cls(tuple((*at, name) for name, at in places.items()))

    def locate(self, at: Pixel) -> str:
        """Return the name of the nearest point, the first of equally near ones, or "" without points."""

        def distance(point: tuple[int, int, str]) -> int:
            return (at[0] - point[0]) ** 2 + (at[1] - point[1]) ** 2

        return min(self.points, key=distance)[2] if self.points else ""


class GridZone(msgspec.Struct, frozen=True):
    """A named polygon of a board."""

    name: str
    location_format: str
    path: tuple[Pixel, ...]
    grid: Hexes | Squares | Regions | None
    """The grid of the zone or of the background, or None."""

    def __post_init__(self) -> None:
        _check_reach(*(number for point in self.path for number in point))

    def holds(self, at: Pixel) -> bool:
        """Return whether a pixel is inside. As in Java, only the left and upper edges are inside."""
        x, y = at
        inside = False
        for corner, other in zip(self.path, (*self.path[1:], *self.path[:1]), strict=True):
            (x1, y1), (x2, y2) = sorted((corner, other), key=lambda point: point[1])
            # the same operations in the same order as in Java, so that rounding errors are the same
            if y1 <= y < y2 and x - x1 < (y - y1) / (y2 - y1) * (x2 - x1):
                inside = not inside
        return inside


class ZonedGrid(msgspec.Struct, frozen=True, tag=True):
    """Zones over a background. The first zone that contains a pixel names its place."""

    zones: tuple[GridZone, ...]
    background: Hexes | Squares | Regions | None

    def locate(self, at: Pixel) -> str:
        """Return the place at a pixel, named by its zone or else by the background."""
        for zone in self.zones:
            if zone.holds(at):
                within = zone.grid.locate(at) if zone.grid else ""
                return fill_format(zone.location_format, name=zone.name, gridLocation=within)
        return self.background.locate(at) if self.background else ""


Drawn = Hexes | Squares | Regions | ZonedGrid
"""Any kind of grid."""
LaidBoards = tuple[tuple[str, int, int], ...]
"""The boards of a map in a save, each with its column and row."""


class PlacedBoard(NamedTuple):
    """A board on a map: its upper left corner and size, in pixels of the map, and its grid."""

    name: str
    x: int
    y: int
    size: Pixel
    grid: Drawn | None
    turned: bool = False
    """Whether the board is upside down."""

    def holds(self, at: Pixel) -> bool:
        """Return whether a pixel of the map is on the board."""
        return self.x <= at[0] < self.x + self.size[0] and self.y <= at[1] < self.y + self.size[1]

    def locate(self, at: Pixel) -> str:
        """Return the printed place at a pixel of the map, or ""."""
        return self.grid.locate(self.own(at)) if self.grid else ""

    def own(self, at: Pixel) -> Pixel:
        """Return the coordinates on the board of a pixel of the map."""
        on_board = at[0] - self.x, at[1] - self.y
        return self._turn(on_board)

    def on_map(self, on_board: Pixel) -> Pixel:
        """Return the coordinates on the map of a pixel of the board."""
        x, y = self._turn(on_board)
        return x + self.x, y + self.y

    def _turn(self, at: Pixel) -> Pixel:
        return (self.size[0] - at[0], self.size[1] - at[1]) if self.turned else at


def printed_place(placed: Iterable[PlacedBoard], at: Pixel) -> str:
    """Return the printed place at a pixel of a map, or "" off the boards or without a grid."""
    return next((board.locate(at) for board in placed if board.holds(at)), "")


# --- from a module's file ---------------------------------------------------------------------------------------------


def read_grid(parent: Element, size: Pixel) -> Drawn | None:
    """Return the grid in the element of a board or zone, or None.

    `size`: the size of the board in pixels.

    Raises ValueError if an attribute is impossible.
    """
    for element in parent:
        if element.tag == ZONES:
            return _read_zones(element, size)
        if element.tag in (HEXES, SQUARES, REGIONS):
            return _read_plain_grid(element, size)
    return None


def _read_plain_grid(element: Element, size: Pixel) -> Hexes | Squares | Regions | None:
    if element.tag == REGIONS:
        points = (child for child in element if child.tag in (_REGION, _REGION_IN_GRID))
        names = {(int(p.get("originx", "0")), int(p.get("originy", "0"))): p.get("name", "") for p in points}
        # of two regions at one point the later one counts
        return Regions(tuple((*at, name) for at, name in names.items()))
    numbered = [child for child in element if child.tag in (NUMBERED_HEXES, OBLIQUE_HEXES, NUMBERED_SQUARES)]
    numbering = _read_numbering(numbered[-1]) if numbered else None
    first, cell = ((0, 32), (0, 64)) if element.tag == HEXES else ((24, 24), (48, 48))  # VASSAL's defaults
    x0, y0 = int(float(element.get("x0", first[0]))), int(float(element.get("y0", first[1])))
    dy = float(element.get("dy", cell[1]))
    dx = float(element.get("dx", cell[0] or dy * sqrt(3) / 2))
    if element.tag == SQUARES:
        return Squares(x0=x0, y0=y0, dx=dx, dy=dy, numbering=numbering, size=size)
    sideways = element.get("sideways") == "true"
    dots = element.get("visible") == element.get("dotsVisible") == "true" or msgspec.UNSET
    return Hexes(x0=x0, y0=y0, dx=dx, dy=dy, sideways=sideways, numbering=numbering, size=size, dots=dots)


def _read_numbering(element: Element) -> Numbering:
    known = {name: value for name in Numbering.__struct_encode_fields__ if (value := element.get(name)) is not None}
    numbering = msgspec.convert(_DEFAULTS | known, Numbering, strict=False)
    return msgspec.structs.replace(numbering, oblique=element.tag == OBLIQUE_HEXES or msgspec.UNSET)


_DEFAULTS = {"hOff": "1", "vOff": "1", "stagger": "true"}


def _read_zones(element: Element, size: Pixel) -> ZonedGrid:
    plain = [child for child in element if child.tag in (HEXES, SQUARES, REGIONS)]
    background = _read_plain_grid(plain[0], size) if plain else None
    zones = []
    for child in element:
        if child.tag == ZONE:
            path = tuple(_read_pixel(point) for point in child.get("path", "").split(";") if point)
            grids = (grid for grid in child if grid.tag in (HEXES, SQUARES, REGIONS))
            own = next((_read_plain_grid(grid, _measure_extent(path)) for grid in grids), None)
            grid = background if child.get("useParentGrid") == "true" else own
            zones.append(GridZone(child.get("name", ""), child.get("locationFormat", "$name$"), path, grid))
    return ZonedGrid(tuple(zones), background)


def _read_pixel(text: str) -> Pixel:
    x, y = map(int, text.split(","))
    return x, y


def _measure_extent(path: tuple[Pixel, ...]) -> Pixel:
    """Return width and height of the box around a polygon."""
    xs, ys = zip(*path, strict=True) if path else ((0,), (0,))
    return max(xs) - min(xs), max(ys) - min(ys)
