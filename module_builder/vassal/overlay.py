"""The pieces that show supply in a module: rings for the state of units, signs at sources, and lines from hex to hex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, hypot
from typing import NamedTuple

from assistant.drawing.colours import WHITE
from assistant.drawing.lettering import base_line
from assistant.drawing.scene import Circle, Layer, Path, Point, Polygon, Polyline, Scene, Shape, Text
from assistant.drawing.style import palette_of
from assistant.formats.vassal.board_grids import BoardGrid
from assistant.formats.vassal.overlay import OVERLAY, SUPPLY_LAYER, degrees_of, write_link_name, write_tint_name
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import Trait, marker_trait
from assistant.game.boards import Board
from assistant.game.games import Game
from assistant.state.overlay import SOURCE, STATES, Tint
from assistant.util.typesetting import sentence

from ..counters.picture_names import file_word
from .pieces.traits import LAYER, OUT_OF_PLAY, delete, immovable

CLEAR_KEY = "57344,0,Clear supply"
"""The keystroke that takes all pieces of supply off the map."""
# All widths and distances below are in heights of a hex.
_RING_WIDTH = 0.085
_THIN_RING_WIDTH = 0.045
_RINGS: Mapping[str, tuple[tuple[float, float], tuple[tuple[float, float, tuple[float, ...]], ...]]] = {
    "full": ((0.075, _RING_WIDTH + 0.03), ((0.075, _RING_WIDTH, ()),)),
    "low": ((0.075, _RING_WIDTH + 0.03), ((0.075, _RING_WIDTH, (0.13, 0.085)),)),
    "unknown": ((0.075, _RING_WIDTH + 0.03), ((0.075, _THIN_RING_WIDTH, (0.04, 0.06)),)),
    "none": ((0.075, _RING_WIDTH + 0.03), ((0.075, _THIN_RING_WIDTH, ()),)),
    "cut-off": ((0.085, _RING_WIDTH + 0.07), ((0.045, _THIN_RING_WIDTH, ()), (0.125, _THIN_RING_WIDTH, ()))),
}
"""The rings of each state: the distance of the white rim from the edge and its width, then of each ring its distance,
width and dashes.
"""
_SUPPLY_LINE_WIDTH = 0.11
"""The width of a line of supply."""
_DIRECTIONS = {
    0: "west to east",
    30: "northwest to southeast",
    60: "northwest to southeast",
    90: "north to south",
    120: "southwest to northeast",
    150: "southwest to northeast",
}
"""Names of directions by the number of the way."""
_SIGNS = {
    "low": "\N{HORIZONTAL ELLIPSIS}",
    "none": "\N{MULTIPLICATION SIGN}",
    "cut-off": "\N{MULTIPLICATION SIGN}",
    "unknown": "?",
}


class OverlayPiece(NamedTuple):
    """A piece that shows supply."""

    name: str
    """Name for players."""
    piece: Piece
    image: str
    """The file of its picture."""
    scene: Scene


def overlay_pieces(game: Game, board: Board, grid: BoardGrid, slots: Mapping[str, str]) -> list[OverlayPiece]:
    """Return the pieces of all sides.

    `board`, `grid`: the hexes of the map.
    `slots`: the ids of slots by slot name.
    """
    around = _find_ways_around(board, grid)
    if not around:
        return []
    made = []
    for side in game.file.sides:
        for name, title, fixed, scene in _draw_pieces(game, side, around):
            image = _overlay_image(name)
            made.append(
                OverlayPiece(title, _make_piece(name, title, image, slots[_slot_name(name)], fixed=fixed), image, scene)
            )
    return made


def overlay_names(game: Game, board: Board, grid: BoardGrid) -> list[str]:
    """Return the slot names of all pieces of `overlay_pieces`."""
    return [_slot_name(name) for side in game.file.sides for name in _list_names(side, _find_ways_around(board, grid))]


def _overlay_image(name: str) -> str:
    return f"supply-{file_word(name)}.png"


def _slot_name(name: str) -> str:
    """Return the slot name of such a piece, which no unit and no marker has."""
    return f"{OVERLAY} {name}"


def _list_names(side: str, around: tuple[Point, ...]) -> Iterator[str]:
    if around:
        yield from (write_tint_name(Tint(side, state, "")) for state in STATES)
        for full in (True, False):
            yield from (write_link_name(side, way, full=full) for way in _lines_through(around))


def _make_piece(name: str, title: str, image: str, slot: str, *, fixed: bool) -> Piece:
    """Return the piece as in a palette. `fixed`: whether it snaps to the centre of hexes."""
    marks = marker_trait({OVERLAY: name, LAYER: SUPPLY_LAYER})
    basic = Trait(join(("piece", "", "", image, title), ";"))
    traits = (
        delete("Remove", OUT_OF_PLAY.stroke),
        delete("", CLEAR_KEY),
        immovable(on_grid=fixed),
        marks,
        basic,
    )
    return Piece("null", traits, slot=slot)


# --- drawings of the pieces -------------------------------------------------------------------------------------------


def _find_ways_around(board: Board, grid: BoardGrid) -> tuple[Point, ...]:
    """Return the offsets of a hex's six neighbours in pixels, clockwise, or none if no hex of the board has six."""
    for name, (x, y) in grid.hexes.items():
        others = [grid.hexes[other] for other in board.neighbours(name) if other in grid.hexes]
        if len(others) == 6:
            return tuple(
                sorted(((float(a - x), float(b - y)) for a, b in others), key=lambda way: atan2(way[1], way[0]))
            )
    return ()


def _lines_through(around: tuple[Point, ...]) -> dict[int, Point]:
    """Return the three directions of lines through a hex."""
    return {degrees_of((0, 0), (round(x), round(y))): (x, y) for x, y in around}


def _draw_pieces(game: Game, side: str, around: tuple[Point, ...]) -> Iterator[tuple[str, str, bool, Scene]]:
    """Yield name, title, `fixed`, and drawing of each piece of a side."""
    colour = palette_of(game).side(side).strong
    whose = game.file.title_of(side)
    for state, words in STATES.items():
        yield (
            write_tint_name(Tint(side, state, "")),
            f"{sentence(words)} ({whose})",
            True,
            _draw_ring(around, colour, state, f"{sentence(words)} ({whose})"),
        )
    for full, words in ((True, "Supply line"), (False, "Line of low supply")):
        for way, step in _lines_through(around).items():
            called = f"{words}, {_DIRECTIONS[way]} ({whose})"
            yield write_link_name(side, way, full=full), called, False, _draw_line(step, colour, called, full=full)


def _draw_ring(around: tuple[Point, ...], colour: str, state: str, title: str) -> Scene:
    """Return the ring for a state of supply.

    It is whole if supplied, broken if partly supplied, thin with a cross if unsupplied, and double if isolated, so that
    the states differ in grey too.
    """
    corners = [((a + c) / 3, (b + d) / 3) for (a, b), (c, d) in zip(around, (*around[1:], around[0]), strict=True)]
    scene_width = 2 * max(abs(x) for x, _ in corners)
    scene_height = 2 * max(abs(y) for _, y in corners)
    height = min(hypot(x, y) for x, y in around)
    middle = scene_width / 2, scene_height / 2

    def ring(at: float, width: float, ink: str, dash: tuple[float, ...] = ()) -> Path:
        """Return a ring at a distance from the edge, in heights of a hex."""
        share = 1 - 2 * at
        points = tuple((middle[0] + x * share, middle[1] + y * share) for x, y in corners)
        dashes = tuple(length * height for length in dash)
        return Path(
            lines=((*points, points[0], points[1]),), stroke=ink, width=width * height, dash=dashes, butt=bool(dash)
        )

    shapes: list[Shape] = []
    if state != SOURCE:
        rim, rings = _RINGS[state]
        shapes = [ring(*rim, WHITE), *(ring(at, width, colour, dash) for at, width, dash in rings)]
    if state == SOURCE:
        shapes += _draw_star(middle[0], scene_height - 0.14 * height, 0.13 * height, colour)
    elif sign := _SIGNS.get(state):
        shapes += _draw_badge(middle[0], 0.13 * height, 0.12 * height, colour, sign)
    return Scene(width=scene_width, height=scene_height, title=title, layers=(Layer("supply", tuple(shapes)),))


def _draw_badge(x: float, y: float, radius: float, colour: str, sign: str) -> Iterator[Shape]:
    """Yield a disc with a sign at the upper edge of a hex, where no counter covers it."""
    yield Circle(x=x, y=y, radius=radius, fill=colour, stroke=WHITE, width=radius * 0.16)
    size = radius * 1.7
    yield Text(x=x, y=base_line(y, size), text=sign, size=size, anchor="middle", bold=True, fill=WHITE)


def _draw_star(x: float, y: float, radius: float, colour: str) -> Iterator[Shape]:
    """Yield the sign of a source: a square on its corner with a white centre."""
    for share, fill in ((1.0, WHITE), (0.84, colour), (0.32, WHITE)):
        reach = radius * share
        yield Polygon(points=((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)), fill=fill)


def _draw_line(step: Point, colour: str, title: str, *, full: bool) -> Scene:
    """Return a line from the centre of a hex to that of the next: whole, or broken for partial supply."""
    height = hypot(*step)
    width = _SUPPLY_LINE_WIDTH * height
    rim = width * 1.6
    across, down = step
    begin = rim / 2 + max(-across, 0.0), rim / 2 + max(-down, 0.0)
    points = begin, (begin[0] + across, begin[1] + down)
    # Butt ends make the rim no longer than the step, so that the lines of successive steps join.
    rim_line = Polyline(points=points, stroke=WHITE, width=rim, butt=True)
    dash = () if full else (0.14 * height, 0.11 * height)
    line = Polyline(points=points, stroke=colour, width=width, dash=dash, butt=not full)
    layers = (Layer("supply", (rim_line, line)),)
    return Scene(width=abs(across) + rim, height=abs(down) + rim, title=title, layers=layers)
