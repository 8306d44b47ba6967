"""The picture of a board in a module: drawn, or of an author's own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from assistant.drawing.colours import INK, mix
from assistant.drawing.counters import centred_text
from assistant.drawing.faces import FaceFile, Faces, PictureFile, Side
from assistant.drawing.hex_sets import board_hexes
from assistant.drawing.layout import Layout
from assistant.drawing.lettering import base_line, fit_line, text_width
from assistant.drawing.map.layers import MapWish, map_layers
from assistant.drawing.map.survey import survey_of
from assistant.drawing.scene import Layer, Point, Rectangle, Scene, Shape, enlarge, inset
from assistant.drawing.style import COUNTER_MM, HEX_MM, PAPER, RADIUS, SOFT_INK, UNKNOWN_GROUND
from assistant.formats.vassal.board_grids import BoardGrid, picture_grid
from assistant.formats.vassal.maps import read_picture_size
from assistant.game.boards import Board
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.util.datafiles import read_data, resolve_within
from assistant.util.errors import InputError, Where
from assistant.util.memory import all_kept

from .extras import check_file

if TYPE_CHECKING:
    from ..counters.pieces import Counter

_PICTURES = ("png", "jpg", "jpeg", "gif")


class PictureWindow(NamedTuple):
    """A window beside the map that shows a picture."""

    image: str
    """The file with the picture."""
    grid: BoardGrid
    """The grid with the boxes of the picture."""
    data: bytes
    """Contents of the file."""


def own_map(game: Game, board: Board) -> PictureFile | None:
    """Return a board's own picture, or None if it has none.

    Raises InputError if the file is missing or is not a picture.
    """
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
    return PictureFile(ending, check_file(path, read_data(resolve_within(game.folder, path))))


def map_grid(game: Game, board: Board) -> BoardGrid:
    """Return the hexes and boxes on a board's own picture. Raises InputError for a grid that VASSAL cannot show."""
    picture = own_map(game, board)
    assert picture is not None
    assert board.picture is not None
    try:
        return picture_grid(board.grid, board.picture, read_picture_size(picture.data), board.hexes)
    except InputError as error:
        raise error.at(Where(f"boards/{board.name}/board.toml")) from None


def picture_windows(game: Game, wanted: VassalModule, taken: Collection[str]) -> dict[str, PictureWindow]:
    """Return the windows beside the map with pictures of other boards, by title.

    `taken`: the titles of all other windows.

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


def own_faces(faces: Faces, counters: list[Counter]) -> Iterator[tuple[str, Side, FaceFile]]:
    """Yield the faces of counters that are bitmaps: unit, side, and the file."""
    sides: tuple[Side, ...] = ("front", "back")
    for counter in counters:
        for side in sides:
            if picture := faces.picture(counter.unit, side):
                yield counter.unit, side, picture


# --- the drawn board --------------------------------------------------------------------------------------------------

_FRAME_WIDTH = 1.8
_MIN_TITLE_SIZE = 8.0
TABLE = mix(PAPER, SOFT_INK, 0.09)


def bare_table(size: tuple[int, int]) -> Scene:
    """Return the drawing of a table without a map. `size`: width and height in pixels."""
    paper = Rectangle(x=0, y=0, width=size[0], height=size[1], fill=TABLE)
    return Scene(width=size[0], height=size[1], title="", layers=(Layer("paper", (paper,)),))


@all_kept()
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
    """Return the drawing of a board, with a unit of a pixel.

    `centre`: a function that returns the centre of a hex by its printed number.
    `hex_height`: height from flat side to flat side.
    `size`: width and height of the picture.
    `places`: names by hex, instead of the board's.
    `game`: the game whose facts are drawn, or None for none.
    `counter`: side of a counter.

    Raises InputError for an unknown hex.
    """
    unit = hex_height / HEX_MM
    layout = _PlacedHexes(board, list(hexes) or board_hexes(board), centre, unit)
    width, height = size[0] / unit, size[1] / unit
    named = {board.place(place): text for place, text in places.items()}
    named = {name: text for name, text in named.items() if layout.draws(name)}
    survey = survey_of(layout, game)
    wish = MapWish(counters=layout.names, counter=counter / unit or COUNTER_MM, places=named)
    drawn = map_layers(survey, (width, height), TABLE, wish)
    layers = [
        Layer("paper", (Rectangle(x=0, y=0, width=width, height=height, fill=TABLE),)),
        *drawn.all,
        _draw_frame(layout, width, height),
        _draw_title(layout, board.title[:1].upper() + board.title[1:], width, height),
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
    """Hexes at the module's pixels."""

    def __init__(self, board: Board, names: Sequence[str], centre: Callable[[str], Point], unit: float) -> None:
        self._given: dict[str, Point] = {}
        for name in names:
            x, y = centre(name)
            self._given[name] = x / unit, y / unit
        grid = {name: board.centre(name) for name in names}
        self._across = _measure_axis([(grid[name][0], self._given[name][0]) for name in names])
        self._along = _measure_axis([(grid[name][1], self._given[name][1]) for name in names])
        super().__init__(board, names)
        xs, ys = zip(*self._given.values(), strict=True)
        across, down = (RADIUS, HEX_MM / 2) if self.flat else (HEX_MM / 2, RADIUS)
        self.left, self.right = min(xs) - across, max(xs) + across
        self.top, self.bottom = min(ys) - down, max(ys) + down

    def place(self, x: float, y: float) -> Point:
        """Return the pixel of a point of the grid. The hexes of a module are not quite regular."""
        (step, start), (down, top) = self._across, self._along
        return x * step + start, y * down + top

    def centre(self, name: str) -> Point:
        """Return the centre of a hex, even of one that is not drawn."""
        return self._given[name] if name in self._given else super().centre(name)


def _measure_axis(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the length of a grid unit in one direction, and the origin.

    `pairs`: coordinates on the grid with those in the picture.
    """
    (least, first), (most, last) = min(pairs), max(pairs)
    step = (last - first) / (most - least) if most > least else HEX_MM
    return step, first - least * step


def _draw_frame(layout: _PlacedHexes, width: float, height: float) -> Layer:
    """Return a frame around the hexes, if the margin has room for it."""
    margin = min(layout.left, layout.top, width - layout.right, height - layout.bottom)
    shapes: list[Shape] = []
    if margin >= _FRAME_WIDTH + 0.6:
        box = layout.left, layout.top, layout.right - layout.left, layout.bottom - layout.top
        for by, line in ((_FRAME_WIDTH, 0.6), (_FRAME_WIDTH - 0.9, 0.2)):
            shapes.append(inset(box, -by, stroke=SOFT_INK, stroke_width=line))
    return Layer("frame", tuple(shapes))


def _draw_title(layout: _PlacedHexes, title: str, picture_width: float, picture_height: float) -> Layer:
    """Return the title in the wider of the upper and lower margin, or nothing if it does not fit."""
    above, below = layout.top - _FRAME_WIDTH, picture_height - layout.bottom - _FRAME_WIDTH
    upper = above * 1.5 >= below
    room = above if upper else below
    if room < _MIN_TITLE_SIZE or not title:
        return Layer("title", ())
    middle = above / 2 if upper else picture_height - below / 2
    height = min(room * 0.72, 16.0)
    words = fit_line(title, height * 0.56, picture_width * 0.7, min_size=2.5, bold=True)
    width = text_width(words.lines[0], words.size, bold=True) + height * 1.2
    box = picture_width / 2 - width / 2, middle - height / 2, width, height
    frames = (
        inset(box, by, radius=height * 0.22 - by, fill=fill, stroke=SOFT_INK, stroke_width=line)
        for by, line, fill in ((0.0, 0.6, UNKNOWN_GROUND), (height * 0.08, 0.2, ""))
    )
    written = centred_text(words.lines[0], picture_width / 2, base_line(middle, words.size), words.size, INK)
    return Layer("title", (*frames, written))
