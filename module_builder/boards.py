"""A board as a picture: hexes with their printed numbers, places by name, and the ground where the board's facts state it.

Unstated ground stays blank. The parts are those of the pictures in reports, enlarged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from assistant.drawing.lettering import base_line, fit, fit_lines, text_width
from assistant.drawing.pdf import Area
from assistant.drawing.scene import Circle, Layer, Point, Polygon, Rectangle, Scene, Shape, Text, enlarged, inset
from assistant.game.boards import Board
from assistant.game.gamefile import Picture
from assistant.game.games import Game
from assistant.game.hexes import Hex
from assistant.pictures import ground
from assistant.pictures.colours import INK, WHITE, mixed
from assistant.pictures.counters import centred
from assistant.pictures.layout import Layout
from assistant.pictures.look import MapLook
from assistant.pictures.style import GRID, HEX, PAPER, PLAIN, RADIUS, SOFT_INK, Palette
from assistant.pictures.symbols import Symbols
from assistant.util.limits import Limit

#: From the hex's centre to the base line of a place's name: below a counter; between the lower hexes' numbers on a
#: pointy grid, which has no room further down.
_NAME_BELOW_FLAT, _NAME_BELOW_POINTY = 14.9, 12.2
_NAME_SIZE, _LEAST_NAME = 4.2, 3.0
_NAME_WIDE_FLAT, _NAME_WIDE_POINTY = 36.0, 29.0
#: The frame round the hexes, and the least margin that a title needs.
_FRAME, _LEAST_TITLE = 1.8, 8.0
_TABLE, _LINE = mixed(PAPER, SOFT_INK, 0.09), mixed(GRID, PLAIN, 0.25)


def board_scene(
    board: Board,
    centre: Callable[[str], Point],
    hex_height: float,
    size: tuple[float, float],
    places: Mapping[str, str],
    *,
    game: Game | None = None,
    hexes: Collection[str] = (),
) -> Scene:
    """The drawing of a board; all lengths are pixels, so that it is rendered at one pixel a unit.

    centre: of a hex, by its printed number; as on a regular grid. hex_height: a hex from flat side to flat side.
    size: width and height of the whole picture; what the hexes leave of it is margin, the title stands in its upper or
    lower part. places: the names to print, by hex. game: whose tracks and colours the board's facts are drawn with; they
    are not drawn without one. hexes: those to draw, if not all of the board.

    Raises InputError for a place that is not a hex of the board, or a colour that is not #rrggbb.
    """
    unit = hex_height / HEX
    picture, tracks = (game.file.picture, game.tracks) if game else (Picture(), {})
    layout = _Placed(board, list(hexes) or board_hexes(board), centre, unit)
    look = MapLook(board, tracks, picture)
    palette = Palette(picture.colours, look.values(picture.nation), look.values(picture.terrain))
    wide, high = size[0] / unit, size[1] / unit
    named = {board.place(place): text for place, text in places.items()}
    named = {name: text for name, text in named.items() if layout.draws(name)}

    stated = ({track for track, _ in board.facts} | set(board.silence)) & set(tracks)
    layers = [_paper(layout, wide, high)]
    if picture.terrain in stated:
        layers.append(ground.terrain_layer(layout, look, palette, Symbols(game)))
    layers.append(_grid(layout, picture.terrain in stated))
    if picture.barrier in stated:
        layers.append(ground.hexside_layer(layout, look, palette))
    crossed: Sequence[str] = ()
    if stated & {picture.road, picture.rail}:
        layers.append(ground.link_layer(layout, look, palette, ()))
        crossed = ground.links_north(layout, look)
    numbers = ground.number_layer(layout, look, palette, crossed)
    layers.append(numbers if stated else _without_halos(numbers))
    layers.append(_place_layer(layout, named))
    layers.append(_title(layout, board.title, wide, high))
    return Scene(
        width=size[0],
        height=size[1],
        title=board.title,
        description=", ".join(f"{text} in {name}" for name, text in named.items()),
        layers=tuple(enlarged(layer, unit) for layer in layers),
    )


def board_hexes(board: Board) -> list[str]:
    """The hexes of a board by row and column: those that are drawn, or all of its grid where none is."""
    if board.hexes:
        return sorted(board.hexes, key=lambda name: board.grid.parse(name)[::-1])
    (first, last), (top, bottom) = board.grid.columns, board.grid.rows
    Limit.HEXES.check(max(last - first + 1, 0) * max(bottom - top + 1, 0), "the map has")
    return [board.grid.name(Hex(c, r)) for r in range(top, bottom + 1) for c in range(first, last + 1)]


class _Placed(Layout):
    """Hexes where the map has them, in pixels."""

    def __init__(self, board: Board, names: Sequence[str], centre: Callable[[str], Point], unit: float) -> None:
        self._centres: dict[str, Point] = {}
        for name in names:
            x, y = centre(name)
            self._centres[name] = x / unit, y / unit
        super().__init__(board, names)
        (x0, y0), (x1, y1) = super().centre(names[0]), self._centres[names[0]]
        self._shift = self._shift[0] + x1 - x0, self._shift[1] + y1 - y0
        xs, ys = zip(*self._centres.values(), strict=True)
        across, down = (RADIUS, HEX / 2) if self.flat else (HEX / 2, RADIUS)
        self.left, self.right = min(xs) - across, max(xs) + across
        self.top, self.bottom = min(ys) - down, max(ys) + down

    @property
    def inner(self) -> Area | None:
        """A box that hexes cover wholly, a hex from the edges, so that it can be painted at once; None if some are missing."""
        grid = self.board.grid
        (first, last), (top, bottom) = grid.columns, grid.rows
        box = self.left + HEX, self.top + HEX, self.right - self.left - 2 * HEX, self.bottom - self.top - 2 * HEX
        return box if len(self.names) == (last - first + 1) * (bottom - top + 1) and min(box[2:]) > 0 else None

    def centre(self, name: str) -> Point:
        """The centre of a hex; of one that is not drawn, where it would lie."""
        return self._centres[name] if name in self._centres else super().centre(name)


def _paper(layout: _Placed, wide: float, high: float) -> Layer:
    """The paper and, where the margin has room for it, a frame round the hexes."""
    shapes: list[Shape] = [Rectangle(x=0, y=0, width=wide, height=high, fill=_TABLE)]
    margin = min(layout.left, layout.top, wide - layout.right, high - layout.bottom)
    if margin >= _FRAME + 0.6:
        box = layout.left, layout.top, layout.right - layout.left, layout.bottom - layout.top
        for by, line in ((_FRAME, 0.6), (_FRAME - 0.9, 0.2)):
            shapes.append(inset(*box, -by, stroke=SOFT_INK, stroke_width=line))
    return Layer("paper", tuple(shapes))


def _grid(layout: _Placed, stated: bool) -> Layer:
    inner = None if stated else layout.inner
    shapes: list[Shape] = [inset(*inner, 0, fill=PLAIN)] if inner else []
    for name in layout.names:
        corners = layout.corners(name)
        plain = stated or (inner is not None and all(_holds(inner, corner) for corner in corners))
        shapes.append(Polygon(points=corners, fill="" if plain else PLAIN, stroke=_LINE, width=0.3))
    return Layer("grid", tuple(shapes))


def _holds(box: Area, point: Point) -> bool:
    """Whether a point lies well within a box: left, top, width and height."""
    left, top, width, height = box
    return left + 1 < point[0] < left + width - 1 and top + 1 < point[1] < top + height - 1


def _without_halos(layer: Layer) -> Layer:
    """Texts without the rims that keep them legible over ground: where none is drawn, they would take as long as the texts."""
    shapes = (msgspec.structs.replace(shape, halo="") if isinstance(shape, Text) else shape for shape in layer.shapes)
    return Layer(layer.name, tuple(shapes))


def _place_layer(layout: _Placed, named: Mapping[str, str]) -> Layer:
    """A dot for each place and its name at the lower end of the hex, where a counter leaves it to be read."""
    below, wide = (_NAME_BELOW_FLAT, _NAME_WIDE_FLAT) if layout.flat else (_NAME_BELOW_POINTY, _NAME_WIDE_POINTY)
    dots: list[Shape] = []
    texts: list[Shape] = []
    for name, text in named.items():
        x, y = layout.centre(name)
        dots.append(Circle(x=x, y=y, radius=1.5, fill=WHITE, stroke=INK, width=0.7))
        words = fit(text, _NAME_SIZE, wide, least=_LEAST_NAME, bold=True)
        if words.cut:  # on two lines; a counter would cover the upper one
            words = fit_lines(text, _NAME_SIZE, wide, 2 * _NAME_SIZE, least=_LEAST_NAME, bold=True)
        for number, line in enumerate(reversed(words.lines)):
            base = y + below - number * words.size * 1.02
            texts.append(
                Text(x=x, y=base, text=line, size=words.size, anchor="middle", bold=True, fill=INK, halo=PLAIN)
            )
    return Layer("places", (*dots, *texts))


def _title(layout: _Placed, title: str, wide: float, high: float) -> Layer:
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
    written = centred(words.lines[0], wide / 2, base_line(middle, words.size), words.size, INK)
    return Layer("title", (*frames, written))
