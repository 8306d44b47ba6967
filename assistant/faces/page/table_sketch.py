"""The small picture of a table or a game in a list: its ground, and a square for each hex with units."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import sqrt
from typing import NamedTuple

from ...asking.view import View
from ...drawing.counters import draw_stack, face_of_unit
from ...drawing.geometry import PageBox
from ...drawing.map.survey import SurveyReader
from ...drawing.palettes import kinds_of_ground
from ...drawing.scene import Layer, Path, Point, Rectangle, Scene, Shape
from ...drawing.style import COUNTER_MM, palette_of
from ...drawing.svg import to_svg
from ...drawing.symbols import Symbols
from ...game.boards import Board
from ...game.games import Game
from ...service import parse
from ...util.datafiles import read_text

_WIDTH_PX = 96.0
_HEIGHT_PX = 64.0
_MIN_MARGIN_HEXES = 1.5
"""The minimum distance between the units and the edge of a sketch, in hexes."""
_MAX_HEX_HEIGHT_PX = 11.0
_MIN_SQUARE_PX = 3.2
"""The minimum side of the square of a hex with units; squares of a wide front overlap."""
_MIN_HEXES = 2
"""The minimum number of hexes with units for a sketch of a set-up's map."""
_GAP_MM = 2.5
"""The distance between counters."""
_GROUND_COLOUR = "#f4eeda"
_HALF_COLUMN_STEP_HEXES = sqrt(3) / 4
"""The distance from the centre of a hex to the edge of its column, where a hex is 1 high."""


def sketch_table(view: View) -> str:
    """Return a sketch of the hexes with units as SVG, or "" without units."""
    sides = _find_sides(view)
    return _draw_front(view, sides, view.board) if sides else ""


def sketch_game(game: Game) -> str:
    """Return a sketch of the set-up that a game begins with or, without set-ups, of its first drawn board, as SVG.

    Raises InputError if a file of the game has a fault.
    """
    boards = [board for board in map(game.board, game.board_names) if board.hexes]
    for name in ((game.file.start.setup,) if game.file.start else game.setups)[:1]:
        file, called, _ = game.set_up(name)
        view = View(game, parse(read_text(file, called), game=game).state)
        sides = _find_sides(view)
        if len(sides) < _MIN_HEXES:
            return _draw_counters(view)
        is_on_paper = game.file.one_map and boards and not view.board.hexes
        return _draw_front(view, sides, boards[0] if is_on_paper else view.board)
    return _draw(game, boards[0], _fit_frame(boards[0], boards[0].hexes), ()) if boards else ""


def _find_sides(view: View) -> dict[str, str]:
    """Return the side of each hex with units."""
    units = (*view.unseen.values(), *view.state.units.values())
    return {unit.place: view.side_of(unit.id) for unit in units if unit.place and view.board.shows(unit.place)}


def _draw_front(view: View, sides: Mapping[str, str], board: Board) -> str:
    palette = palette_of(view.game)
    frame = _fit_frame(board, sides)
    size = max(0.8 * frame.hex, _MIN_SQUARE_PX)
    squares = (frame.square(board.centre(at), size, palette.side(side).strong) for at, side in sides.items())
    return _draw(view.game, board, frame, squares)


def _draw_counters(view: View) -> str:
    """Return a counter of each side in a set-up whose units stand off the map."""
    first = {view.side_of(unit.id): unit for unit in reversed([*view.state.units.values()])}
    units = [first[side] for side in view.game.file.sides if side in first]
    reader, symbols = SurveyReader(view), Symbols(view.game)
    step = COUNTER_MM + _GAP_MM
    width = max(len(units), 2) * step + _GAP_MM
    height = width * _HEIGHT_PX / _WIDTH_PX
    top = (height - COUNTER_MM) / 2
    shapes: list[Shape] = [Rectangle(x=0, y=0, width=width, height=height, fill=_GROUND_COLOUR)]
    for number, unit in enumerate(units):
        left = _GAP_MM + number * step
        box = PageBox(left, top, left + COUNTER_MM, top + COUNTER_MM)
        shapes += draw_stack([face_of_unit(unit, reader)], box, symbols)[0]
    return to_svg(Scene(width=width, height=height, title="", layers=(Layer("sketch", tuple(shapes)),)))


class _Frame(NamedTuple):
    """The part of a board in a sketch."""

    middle: Point
    hex: float
    """The height of a hex, in pixels."""

    def square(self, centre: Point, side: float, fill: str) -> Rectangle:
        x, y = self.point(centre)
        return Rectangle(
            x=round(x - side / 2, 1), y=round(y - side / 2, 1), width=round(side, 1), height=round(side, 1), fill=fill
        )

    def cover(self, board: Board, at: str) -> tuple[Point, ...]:
        """Return the corners of a rectangle as high as a hex and as wide as the distance between columns."""
        half_column, half_row = (
            (_HALF_COLUMN_STEP_HEXES, 0.5) if board.grid.orientation == "flat" else (0.5, _HALF_COLUMN_STEP_HEXES)
        )
        x, y = board.centre(at)
        left, top = self.point((x - half_column, y - half_row))
        right, bottom = self.point((x + half_column, y + half_row))
        left, top, right, bottom = (round(length, 1) for length in (left, top, right, bottom))
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def point(self, at: Point) -> Point:
        (x, y), (across, down) = at, self.middle
        return _WIDTH_PX / 2 + (x - across) * self.hex, _HEIGHT_PX / 2 + (y - down) * self.hex

    def holds(self, centre: Point) -> bool:
        x, y = self.point(centre)
        return -self.hex < x < _WIDTH_PX + self.hex and -self.hex < y < _HEIGHT_PX + self.hex


def _fit_frame(board: Board, hexes: Collection[str]) -> _Frame:
    xs, ys = zip(*map(board.centre, hexes), strict=True)
    across, down = max(xs) - min(xs), max(ys) - min(ys)
    margin = 2 * _MIN_MARGIN_HEXES
    height = min(_WIDTH_PX / (across + margin), _HEIGHT_PX / (down + margin), _MAX_HEX_HEIGHT_PX)
    return _Frame(((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2), height)


def _draw(game: Game, board: Board, frame: _Frame, squares: Iterable[Rectangle]) -> str:
    ground = Rectangle(x=0, y=0, width=_WIDTH_PX, height=_HEIGHT_PX, fill=_GROUND_COLOUR)
    shapes: tuple[Shape, ...] = (ground, *_draw_grounds(game, board, frame), *squares)
    return to_svg(Scene(width=_WIDTH_PX, height=_HEIGHT_PX, title="", layers=(Layer("sketch", shapes),)))


def _draw_grounds(game: Game, board: Board, frame: _Frame) -> Iterator[Path]:
    """Yield the hexes of each ground that is not clear, each as a rectangle that covers it."""
    terrain, palette = game.file.picture.terrain, palette_of(game)
    areas = dict[str, list[tuple[Point, ...]]]()
    for at in sorted(board.hexes):
        fact = board.fact(terrain, at) if frame.holds(board.centre(at)) else None
        if fact and kinds_of_ground(str(fact.value)) != ("clear",):
            areas.setdefault(palette.ground(str(fact.value)), []).append(frame.cover(board, at))
    for colour, lines in areas.items():
        yield Path(lines=tuple(lines), closed=True, holes=False, fill=colour)
