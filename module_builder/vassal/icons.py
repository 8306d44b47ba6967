"""The icons of a module's buttons, drawn in 20 by 20 pixels. Each window has its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import cos, pi, sin

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.scene import Circle, Layer, Point, Polygon, Polyline, Rectangle, Scene, Shape
from assistant.drawing.style import PAPER, SEASONS, palette_of
from assistant.game.games import Game

from ..counters.picture_names import file_word
from .pieces.traits import private_window

SIDE_PX = 20
"""The width and height of an icon."""
_RED = "#b3202a"
_GREY = "#8b857a"

COUNTERS = "counters"
MARKERS = "markers"
BOXES = "boxes"
OUT_OF_PLAY = "out"
TURNS = "turns"
CHARTS = "charts"
TURN = "turn"
SIDE = "side"
STATE = "state"
LAPSES = "ends"
INVENTORY = "inventory"
NOTES = "notes"
BOARD = "board"
RECORDS = "records"
SUPPLY = "supply"
CLEAR_SUPPLY = "clear-supply"


def icon_file(name: str) -> str:
    """Return the file name of an icon."""
    return f"icon-{file_word(name)}.png"


def only_icon(side: str) -> str:
    """Return the file name of the icon for showing the counters of one side alone."""
    return icon_file(f"only-{side}")


def draw_icons(game: Game) -> dict[str, Scene]:
    """Return the icons by file name. Icons of sides have the colours of the sides."""
    palette = palette_of(game)
    drawn = {icon_file(name): _make_scene(name, draw()) for name, draw in _DRAWINGS.items()}
    for side, nations in game.file.sides.items():
        name = private_window(side)
        tint = palette.nation(nations[0])
        drawn[icon_file(name)] = _make_scene(name, _draw_private(tint))
        drawn[only_icon(side)] = _make_scene(f"{side} only", _draw_only(tint))
    return drawn


def _make_scene(title: str, shapes: Iterator[Shape]) -> Scene:
    return Scene(width=SIDE_PX, height=SIDE_PX, title=title, layers=(Layer("icon", tuple(shapes)),))


def _draw_box(x: float, y: float, width: float, height: float, fill: str = WHITE, radius: float = 1.0) -> Rectangle:
    return Rectangle(x=x, y=y, width=width, height=height, radius=radius, fill=fill, stroke=INK, stroke_width=1.2)


def _draw_line(*points: Point, stroke: str = INK, width: float = 1.4, head: float = 0.0) -> Polyline:
    return Polyline(points=points, stroke=stroke, width=width, head=head)


def _draw_counters() -> Iterator[Shape]:
    """Yield two counters, the upper one with the sign of infantry."""
    yield _draw_box(6.5, 2.5, 11, 11, SEASONS[0], 2)
    yield _draw_box(2.5, 6.5, 11, 11, PAPER, 2)
    yield Rectangle(x=4.6, y=9.2, width=6.8, height=4.6, fill=WHITE, stroke=INK, stroke_width=0.9)
    yield _draw_line((4.6, 9.2), (11.4, 13.8), width=0.9)
    yield _draw_line((4.6, 13.8), (11.4, 9.2), width=0.9)


def _draw_hexagon(x: float, y: float, radius: float, fill: str) -> Polygon:
    corners = ((x + radius * cos(n * pi / 3), y + radius * sin(n * pi / 3)) for n in range(6))
    return Polygon(points=tuple(corners), fill=fill, stroke=INK, width=1.2)


def _draw_markers() -> Iterator[Shape]:
    """Yield a flag on a hex."""
    yield _draw_hexagon(10, 11.5, 7.8, PAPER)
    yield _draw_line((8, 15.5), (8, 2))
    yield Polygon(points=((8, 2), (16, 4.5), (8, 7.5)), fill=_RED, stroke=INK, width=0.9)


def _draw_boxes() -> Iterator[Shape]:
    for x in (2.5, 10.5):
        for y in (2.5, 10.5):
            yield _draw_box(x, y, 7, 7, PAPER)


def _draw_out() -> Iterator[Shape]:
    yield _draw_box(3.5, 3.5, 13, 13, PAPER, 2)
    for ends in (((3, 3), (17, 17)), ((17, 3), (3, 17))):
        yield _draw_line(*ends, stroke=_RED, width=2.2)


def _draw_turns() -> Iterator[Shape]:
    """Yield the leaf of a calendar, one of its days framed."""
    yield _draw_box(2.5, 3.5, 15, 14, WHITE)
    yield Rectangle(x=2.5, y=3.5, width=15, height=4, fill=SEASONS[1], stroke=INK, stroke_width=1.2)
    for x in (6.0, 14.0):
        yield _draw_line((x, 1.8), (x, 5))
    for x in (5.0, 8.7, 12.4):
        for y in (9.4, 13.1):
            yield Rectangle(x=x, y=y, width=2.4, height=2.4, fill=_RED if (x, y) == (8.7, 9.4) else _GREY)


def _draw_charts() -> Iterator[Shape]:
    yield _draw_box(2.5, 3, 15, 14, WHITE, 0.6)
    yield Rectangle(x=2.5, y=3, width=15, height=4, fill=_GREY, stroke=INK, stroke_width=1.2)
    yield _draw_line((2.5, 12), (17.5, 12), width=1.0)
    for x in (7.5, 12.5):
        yield _draw_line((x, 3), (x, 17), width=1.0)


def _draw_turn() -> Iterator[Shape]:
    yield Circle(x=10, y=10, radius=7.6, fill=WHITE, stroke=INK, width=1.4)
    yield _draw_line((10, 5.4), (10, 10), (13.6, 11.8))


def _draw_side() -> Iterator[Shape]:
    """Yield two flags on crossed poles."""
    for x, across, fill in ((4.5, 1, _RED), (15.5, -1, SEASONS[1])):
        yield _draw_line((x, 2.5), (x + 8.5 * across, 17.5))
        yield Polygon(
            points=((x, 2.5), (x - 2.2 * across + 8 * across, 3.2), (x + 3.4 * across, 8.4)),
            fill=fill,
            stroke=INK,
            width=0.9,
        )


def _draw_state() -> Iterator[Shape]:
    """Yield three sliders: a fact of the game that is set."""
    for y, x in ((5, 6), (10, 13), (15, 8)):
        yield _draw_line((2.5, y), (17.5, y), stroke=_GREY)
        yield Circle(x=x, y=y, radius=2.2, fill=WHITE, stroke=INK, width=1.2)


def _draw_ends() -> Iterator[Shape]:
    """Yield a tick at the end of a line."""
    yield _draw_line((2.5, 10.5), (7.5, 15.5), (17.5, 4.5), stroke="#2f6b2a", width=2.6)


def _draw_inventory() -> Iterator[Shape]:
    """Yield a list, its lines indented."""
    for y, x in ((4, 3), (8.2, 6), (12.4, 6), (16.6, 3)):
        yield Rectangle(x=x, y=y - 1.4, width=2.8, height=2.8, fill=SEASONS[0], stroke=INK, stroke_width=0.9)
        yield _draw_line((x + 5, y), (17.5, y))


def _draw_notes() -> Iterator[Shape]:
    sheet = ((4, 2.5), (12, 2.5), (16, 6.5), (16, 17.5), (4, 17.5))
    yield Polygon(points=sheet, fill=WHITE, stroke=INK, width=1.2)
    yield _draw_line((12, 2.5), (12, 6.5), (16, 6.5), width=1.0)
    for y, x in ((9.5, 14), (12, 14), (14.5, 11)):
        yield _draw_line((6, y), (x, y), width=1.0)


def _draw_board() -> Iterator[Shape]:
    for x, y, fill in ((6.4, 6.2, SEASONS[0]), (6.4, 14.0, PAPER), (13.2, 10.1, SEASONS[1])):
        yield _draw_hexagon(x, y, 4.5, fill)


def _draw_private(tint: str) -> Iterator[Shape]:
    """Yield a lock on the colour of a side."""
    yield Polyline(points=((6.5, 9), (6.5, 5.5), (8, 3.2), (12, 3.2), (13.5, 5.5), (13.5, 9)), stroke=INK, width=1.8)
    yield _draw_box(3.5, 8.5, 13, 9, tint, 1.6)
    yield Circle(x=10, y=12.2, radius=1.5, fill=INK)
    yield _draw_line((10, 12), (10, 15))


def _draw_records() -> Iterator[Shape]:
    """Yield a row of numbered boxes with a marker in one."""
    for x in (1.5, 7.2, 12.9):
        yield _draw_box(x, 5.5, 5.7, 9.5, PAPER, 0.4)
    yield Circle(x=10.05, y=10.2, radius=3.6, fill=_RED, stroke=INK, width=1.2)


def _draw_supply() -> Iterator[Shape]:
    """Yield a source, a line, and the hex that it supplies."""
    yield _draw_line((4.5, 15.5), (12.5, 7.5), width=2.6)
    yield Polygon(points=((4.5, 11.2), (8.8, 15.5), (4.5, 19.8), (0.2, 15.5)), fill=INK)
    yield Polygon(points=((4.5, 13.6), (6.4, 15.5), (4.5, 17.4), (2.6, 15.5)), fill=WHITE)
    yield _draw_hexagon(13.2, 6.8, 6.2, PAPER)


def _draw_only(tint: str) -> Iterator[Shape]:
    """Yield a counter in the colour of a side, before the dashed outline of one that is hidden."""
    for ends in (((8, 2.5), (17.5, 2.5)), ((17.5, 2.5), (17.5, 12)), ((8, 2.5), (8, 5)), ((15, 12), (17.5, 12))):
        yield Polyline(points=ends, stroke=_GREY, width=1.3, dash=(1.6, 1.4))
    yield _draw_box(2.5, 6.5, 11, 11, tint, 2)
    yield Circle(x=8, y=12, radius=1.9, fill=INK)


def _draw_clear_supply() -> Iterator[Shape]:
    """Yield the hex of supply, crossed out with its line."""
    yield _draw_line((2.5, 17.5), (10.5, 9.5), width=2.6)
    yield _draw_hexagon(12.2, 7.8, 6.6, PAPER)
    yield _draw_line((3, 3), (17, 17), stroke=_RED, width=2.4)


_DRAWINGS: Mapping[str, Callable[[], Iterator[Shape]]] = {
    COUNTERS: _draw_counters,
    MARKERS: _draw_markers,
    BOXES: _draw_boxes,
    OUT_OF_PLAY: _draw_out,
    TURNS: _draw_turns,
    CHARTS: _draw_charts,
    TURN: _draw_turn,
    SIDE: _draw_side,
    STATE: _draw_state,
    LAPSES: _draw_ends,
    INVENTORY: _draw_inventory,
    NOTES: _draw_notes,
    BOARD: _draw_board,
    RECORDS: _draw_records,
    SUPPLY: _draw_supply,
    CLEAR_SUPPLY: _draw_clear_supply,
}
