"""A board in pixels, its grid and its picture, drawn or of an author's own: VASSAL's numbering made to print what the
map prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import ceil, sqrt
from typing import NamedTuple

import msgspec

from assistant.drawing.lettering import base_line, fit, text_width
from assistant.drawing.scene import Layer, Point, Rectangle, Scene, Shape, enlarge, inset
from assistant.formats.vassal.grids import Drawn, Hexes, Numbering, Pixel, Regions, Zone, Zones
from assistant.formats.vassal.maps import picture_size
from assistant.game.boards import Board
from assistant.game.boards.board import MapPicture
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.game.hexes import Hex, HexGrid
from assistant.pictures.colours import INK, mix
from assistant.pictures.counters import centred_text
from assistant.pictures.faces import Faces, PictureFile, Side
from assistant.pictures.layout import Layout, board_hexes
from assistant.pictures.map.drawing import MapWish, map_layers
from assistant.pictures.map.survey import survey_of
from assistant.pictures.style import COUNTER, HEX, PAPER, PLAIN, RADIUS, SOFT_INK
from assistant.util.datafiles import inner, read_data
from assistant.util.errors import InputError, Where
from assistant.util.limits import Limit

from ..counters.pieces import Counter
from .extras import check_file

#: Between the outermost hexes and the edge of the board, in pixels.
MARGIN = 40
_FORMAT = re.compile(r"([^{}]*)\{(column|row)(?::(A|0[1-9]))?\}([^{}]*)\{(column|row)(?::(A|0[1-9]))?\}([^{}]*)")


class BoardGrid(NamedTuple):
    """The hexes of a board in pixels.

    grid: as VASSAL has it; size: of the board; hexes: the printed number of each hex and its middle; boxes: those that
    lie on its picture.
    """

    grid: Drawn
    size: Pixel
    hexes: dict[str, Pixel]
    boxes: Mapping[str, Pixel] = {}


def board_grid(grid: HexGrid, height: int) -> BoardGrid:
    """The grid of a map, with the height of a hex in pixels, flat side to flat side.

    VASSAL shifts every second line of hexes and counts the lines from nought; where the first one is a shifted one, the
    count begins a line before the board. Raises InputError for a map whose numbers VASSAL cannot print.
    """
    flat = grid.orientation == "flat"
    lines = _lines(grid)
    step, radius = round(height * sqrt(3) / 2), ceil(height / sqrt(3))
    length = 2 * MARGIN + 2 * radius + step * (len(lines.along) - 1)
    breadth = 2 * MARGIN + height * len(lines.across) + ceil(height / 2)
    size = (length, breadth) if flat else (breadth, length)
    corner = MARGIN + radius - lines.before * step, MARGIN + height // 2
    drawn = _count(grid, lines, corner, (step, height), size)
    return BoardGrid(drawn, size, _middles(grid, lines, drawn))


def picture_grid(grid: HexGrid, picture: MapPicture, size: Pixel, hexes: Collection[str] = ()) -> BoardGrid:
    """The grid of a board's own picture, its boxes among them.

    size: of the picture; hexes: those on the map, by default all of the grid. Raises InputError as `board_grid` does.
    """
    hexed, middles = None, dict[str, Pixel]()
    if picture.first is not None:
        lines = _lines(grid)
        turned = 1 if grid.orientation == "flat" else -1
        first, (across, down) = picture.first[::turned], picture.step[::turned]
        step = across, down
        corner = round(first[0] - lines.before * step[0]), first[1] - lines.before * int(step[1] / 2)
        hexed = _count(grid, lines, corner, step, size)
        middles = _middles(grid, lines, hexed, frozenset(hexes))
    loose = Regions.of(picture.boxes) if picture.boxes else None
    background = hexed or loose
    zones = tuple(
        Zone(f"Area {number}", "$gridLocation$", area.path, Regions.of(area.boxes))
        for number, area in enumerate(picture.areas, 1)
    )
    drawn: Drawn = Zones(zones, background) if zones or background is None else background
    boxes = {name: at for name, at in picture.places.items() if drawn.locate(at) == name}
    if lost := next((name for name in picture.places if name not in boxes), ""):
        hint = "boxes of one area must lie apart, each within its area"
        raise InputError(f"the box {lost} cannot be distinguished from another place on the picture", hint=hint)
    covered = next((name for name, at in middles.items() if drawn.locate(at) != name), "")
    if covered:
        raise InputError(f"an area of the picture covers hex {covered}", hint="leave that hex out of terrain.txt")
    return BoardGrid(drawn, size, middles, boxes)


class _Lines(NamedTuple):
    """The lines of hexes of a grid, columns or rows, as numbered from the left or from above; across: the hexes of
    each.

    before: 1 if the count begins a line before the board.
    """

    along: list[int]
    across: list[int]
    before: int


def _lines(grid: HexGrid) -> _Lines:
    """The lines of a grid. Raises InputError for too many hexes."""
    (first, last), (top, bottom) = grid.columns, grid.rows
    Limit.HEXES.check(max(last - first + 1, 0) * max(bottom - top + 1, 0), "the grid has")
    columns = _numbers(grid.columns, grid.columns_from == "east")
    rows = _numbers(grid.rows, grid.rows_from == "south")
    along, across = (columns, rows) if grid.orientation == "flat" else (rows, columns)
    return _Lines(along, across, int((along[0] % 2 == 1) == (grid.shifted == "odd")))


def _count(grid: HexGrid, lines: _Lines, corner: Pixel, step: tuple[float, float], size: Pixel) -> Hexes:
    """The grid with its numbering. corner: the middle of VASSAL's first hex; step: from line to line, and from hex to
    hex in a line.
    """
    drawn = Hexes(
        x0=corner[0],
        y0=corner[1],
        dx=step[0],
        dy=step[1],
        sideways=grid.orientation != "flat",
        numbering=_numbering(grid),
        size=size,
    )
    counted = _count_from(drawn, lines.before, lines.along[0], lines.across[0])
    return msgspec.structs.replace(drawn, numbering=counted)


def _middles(grid: HexGrid, lines: _Lines, drawn: Hexes, hexes: Collection[str] = ()) -> dict[str, Pixel]:
    """The middle of each hex. hexes: those on the map, all by default. Raises InputError for one whose number VASSAL
    cannot print.
    """
    flat, middles = grid.orientation == "flat", {}
    for line, along in enumerate(lines.along, lines.before):
        for place, other in enumerate(lines.across):
            name = grid.name(Hex(along, other) if flat else Hex(other, along))
            if hexes and name not in hexes:
                continue
            middles[name] = drawn.centre(line, place)
            if drawn.locate(middles[name]) != name:
                raise InputError(f"VASSAL would print {drawn.locate(middles[name])} for hex {name}")
    return middles


def _numbers(ends: tuple[int, int], backwards: bool) -> list[int]:
    """The numbers of columns or rows as they follow one another from the left, or from above."""
    numbers = list(range(ends[0], ends[1] + 1))
    return numbers[::-1] if backwards else numbers


def _numbering(grid: HexGrid) -> Numbering:
    """The numbering without its offsets. VASSAL calls the lines of hexes H, be they columns or rows."""
    match = _FORMAT.fullmatch(grid.format)
    if match is None:
        raise InputError(f"VASSAL cannot print hex numbers like {grid.format}")
    before, first, first_form, between, _, second_form, after = match.groups()
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


def _count_from(drawn: Hexes, line: int, first: int, second: int) -> Numbering:
    """The numbering with the offsets that give the first hex of the first line on the board these numbers."""
    numbering = drawn.numbering or Numbering()
    lines, places = drawn.counts(line, 0)
    return msgspec.structs.replace(
        numbering,
        h_off=first - lines - (numbering.h_type == "A"),
        v_off=second - places - (numbering.v_type == "A"),
    )


# --- pictures of an author's own --------------------------------------------------------------------------------------

_PICTURES = ("png", "jpg", "jpeg", "gif")


class PictureWindow(NamedTuple):
    """A window beside the map that shows a picture. image: the file of it; grid: its boxes; data: what the file holds."""

    image: str
    grid: BoardGrid
    data: bytes


def own_map(game: Game, board: Board) -> PictureFile | None:
    """A board's own picture, None if it has none. Raises InputError with the file if it is missing or is no picture."""
    if board.picture is None:
        return None
    path = f"boards/{board.name}/{board.picture.file}"
    ending = path.rpartition(".")[2].lower()
    if ending not in _PICTURES:
        raise InputError(
            "the picture of a board is a PNG, JPEG or GIF",
            where=Where(path),
            hint="save it as one, and name it in [picture]",
        )
    return PictureFile(ending, check_file(path, read_data(inner(game.folder, path))))


def map_grid(game: Game, board: Board) -> BoardGrid:
    """The hexes and boxes on a board's own picture. Raises InputError with the file of its head for what VASSAL cannot
    show.
    """
    picture = own_map(game, board)
    assert picture is not None
    assert board.picture is not None
    try:
        return picture_grid(board.grid, board.picture, picture_size(picture.data), board.hexes)
    except InputError as error:
        raise error.at(Where(f"boards/{board.name}/board.toml")) from None


def picture_windows(game: Game, wanted: VassalModule, taken: Collection[str]) -> dict[str, PictureWindow]:
    """The windows beside the map that show the pictures of other boards, by title. taken: the titles of all others.

    Raises InputError for a board without a picture, and for a title that another window has.
    """
    windows: dict[str, PictureWindow] = {}
    for name in wanted.windows:
        board = game.board(name)
        picture = own_map(game, board)
        if picture is None:
            hint = "give it a [picture] in its board.toml"
            raise InputError(f"[module] windows: the board {name} has no picture", where=Where("game.toml"), hint=hint)
        if board.title in windows or board.title in taken:
            hint = f"give it another title in boards/{name}/board.toml"
            what = f"[module] windows: another window is called {board.title}, too"
            raise InputError(what, where=Where("game.toml"), hint=hint)
        windows[board.title] = PictureWindow(f"window-{name}.{picture.ending}", map_grid(game, board), picture.data)
    return windows


def own_faces(game: Game, made: list[Counter]) -> Iterator[tuple[str, Side, PictureFile]]:
    """The faces of counters that are pictures of pixels: unit, side, and the file as it lies in the game's folder."""
    sides: tuple[Side, ...] = ("front", "back")
    faces = Faces(game)
    for counter in made:
        for side in sides:
            if picture := faces.picture(counter.unit, side):
                yield counter.unit, side, picture


# --- the drawn board --------------------------------------------------------------------------------------------------

#: The frame round the hexes, and the least margin that a title needs.
_FRAME, _LEAST_TITLE = 1.8, 8.0
TABLE = mix(PAPER, SOFT_INK, 0.09)


def board_scene(
    board: Board,
    centre: Callable[[str], Point],
    hex_height: float,
    size: tuple[float, float],
    places: Mapping[str, str],
    *,
    game: Game | None = None,
    hexes: Collection[str] = (),
    counter: float = 0.0,
) -> Scene:
    """The drawing of a board; all lengths are pixels, so that it is rendered at one pixel a unit.

    centre: of a hex, by its printed number; as on a regular grid. hex_height: a hex from flat side to flat side. size:
    width and height of the whole picture; what the hexes leave of it is margin, the title stands in its upper or lower
    part. places: names to print, by hex, instead of those of the board. game: whose tracks and colours the board's
    facts are drawn with; they are not drawn without one. hexes: those to draw, if not all of the board. counter: the
    side of a counter, of which names keep clear; half of a hex by default.

    Raises InputError for a place that is not a hex of the board, or a colour that is not #rrggbb.
    """
    unit = hex_height / HEX
    layout = _PlacedHexes(board, list(hexes) or board_hexes(board), centre, unit)
    wide, high = size[0] / unit, size[1] / unit
    named = {board.place(place): text for place, text in places.items()}
    named = {name: text for name, text in named.items() if layout.draws(name)}
    survey = survey_of(layout, game)
    wish = MapWish(rims=False, counters=layout.names, counter=counter / unit or COUNTER, places=named)
    drawn = map_layers(survey, (wide, high), TABLE, wish)
    layers = [
        Layer("paper", (Rectangle(x=0, y=0, width=wide, height=high, fill=TABLE),)),
        *drawn.all,
        _frame(layout, wide, high),
        _title(layout, board.title[:1].upper() + board.title[1:], wide, high),
    ]
    names = [f"{text} in {name}" for name, text in named.items()]
    return Scene(
        width=size[0],
        height=size[1],
        title=board.title,
        description=", ".join(names),
        layers=tuple(enlarge(layer, unit) for layer in layers),
    )


class _PlacedHexes(Layout):
    """Hexes where the map has them, in pixels."""

    def __init__(self, board: Board, names: Sequence[str], centre: Callable[[str], Point], unit: float) -> None:
        self._centres: dict[str, Point] = {}
        for name in names:
            x, y = centre(name)
            self._centres[name] = x / unit, y / unit
        grid = {name: board.centre(name) for name in names}
        self._across = _scale([(grid[name][0], self._centres[name][0]) for name in names])
        self._along = _scale([(grid[name][1], self._centres[name][1]) for name in names])
        super().__init__(board, names)
        xs, ys = zip(*self._centres.values(), strict=True)
        across, down = (RADIUS, HEX / 2) if self.flat else (HEX / 2, RADIUS)
        self.left, self.right = min(xs) - across, max(xs) + across
        self.top, self.bottom = min(ys) - down, max(ys) + down

    def place(self, x: float, y: float) -> Point:
        """Where a point of the grid lies; the hexes of a module are not quite regular."""
        (step, start), (down, top) = self._across, self._along
        return x * step + start, y * down + top

    def centre(self, name: str) -> Point:
        """The centre of a hex, or where it would lie if it were drawn."""
        return self._centres[name] if name in self._centres else super().centre(name)


def _scale(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """What a unit of the grid measures in one direction, and where its origin lies. pairs: places on the grid and in
    the picture.
    """
    (least, first), (most, last) = min(pairs), max(pairs)
    step = (last - first) / (most - least) if most > least else HEX
    return step, first - least * step


def _frame(layout: _PlacedHexes, wide: float, high: float) -> Layer:
    """A frame round the hexes, where the margin has room for it."""
    margin = min(layout.left, layout.top, wide - layout.right, high - layout.bottom)
    shapes: list[Shape] = []
    if margin >= _FRAME + 0.6:
        box = layout.left, layout.top, layout.right - layout.left, layout.bottom - layout.top
        for by, line in ((_FRAME, 0.6), (_FRAME - 0.9, 0.2)):
            shapes.append(inset(*box, -by, stroke=SOFT_INK, stroke_width=line))
    return Layer("frame", tuple(shapes))


def _title(layout: _PlacedHexes, title: str, wide: float, high: float) -> Layer:
    """The title in a cartouche in the upper margin, or the lower one if that is wider; none if there is no room."""
    above, below = layout.top - _FRAME, high - layout.bottom - _FRAME
    upper = above * 1.5 >= below
    room = above if upper else below
    if room < _LEAST_TITLE or not title:
        return Layer("title", ())
    middle = above / 2 if upper else high - below / 2
    height = min(room * 0.72, 16.0)
    words = fit(title, height * 0.56, wide * 0.7, least=2.5, bold=True)
    width = text_width(words.lines[0], words.size, bold=True) + height * 1.2
    box = wide / 2 - width / 2, middle - height / 2, width, height
    frames = (
        inset(*box, by, radius=height * 0.22 - by, fill=fill, stroke=SOFT_INK, stroke_width=line)
        for by, line, fill in ((0.0, 0.6, PLAIN), (height * 0.08, 0.2, ""))
    )
    written = centred_text(words.lines[0], wide / 2, base_line(middle, words.size), words.size, INK)
    return Layer("title", (*frames, written))
