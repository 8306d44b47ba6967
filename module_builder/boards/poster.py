"""A board as a picture of its own, all of it or an area, with title, key, boxes and turn track."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Annotated, NamedTuple

from assistant.drawing.layout import Layout
from assistant.drawing.legend import column_key
from assistant.drawing.map.arcs import Arc, set_word
from assistant.drawing.map.layers import MapWish, map_layers
from assistant.drawing.map.survey import Scale, Survey, survey_of
from assistant.drawing.scene import Group, Layer, Rectangle, Scene, Shape, enlarge, inset
from assistant.drawing.style import HEX_MM, PAPER, SOFT_INK
from assistant.game.boards import Board
from assistant.game.games import Game
from assistant.game.turn_record import turns
from assistant.rules.field.places import edges_drawn
from assistant.util.notes import note

from .margin import (
    COMPASS_ROOM,
    READABLE_UNIT,
    MarginShapes,
    add_boxes,
    add_compass,
    add_headline,
    add_scale_bar,
    add_turns,
    format_sources,
)

_FRAME_DISTANCE_UNITS = 2.5
"""The distance from the map to the frame, in units of the margin."""
_OUTER_MARGIN_UNITS = 6.0
"""The distance from the frame to the edge of the paper, in units of the margin."""
_HALF_FRAME_LINE_UNITS = 0.5
"""The width of the half of the frame's line that a map on sheets includes, in units of the margin."""
_KEY_GAP_UNITS = 4.0
"""The space above the key, in units of the margin."""
_EDGE_NAME_DISTANCE_UNITS = _FRAME_DISTANCE_UNITS + 2.5
"""The distance from the map to the middle of the name of an edge, in units of the margin."""
_EDGE_NAME_SIZE_UNITS = 3.0
_EDGE_NAME_SPACING_SHARE = 0.05
_MIN_WIDTH_UNITS = 110.0
"""The minimum width of a title and key below a map, in units of the margin."""
_KEY_TOP_GAP_UNITS = 3.0
_LARGE_MAP_SIZE_UNITS = 430.0, 330.0
"""The width and height from which on a map has larger letters below it."""
_MIN_KEY_UNIT_MM = 0.81


class PosterWish(NamedTuple):
    """The parts of a board to draw."""

    names: Annotated[bool, note("whether anything is written on the map besides hex numbers")] = True
    drawn: Annotated[bool, note("whether doubtful facts are shown as such")] = False
    margin: Annotated[bool, note("whether the map has a title and a key")] = True
    whole: Annotated[bool, note("whether boxes and turns are below it")] = True
    apart: Annotated[bool, note("whether all that is on a separate sheet, and only the frame round the map")] = False


def poster_scene(game: Game, board: Board, hexes: Sequence[str], wish: PosterWish, scale: Scale) -> Scene:
    """Return a board, or some of its hexes, in the units of pictures: a hex is `HEX` high.

    `scale`: the scale at which it will be seen.

    Raises InputError for a colour of the game that is not #rrggbb.
    """
    bare = Layout(board, hexes)
    unit = READABLE_UNIT * scale.letters
    if not wish.apart:
        unit = max(min(bare.width / _LARGE_MAP_SIZE_UNITS[0], bare.height / _LARGE_MAP_SIZE_UNITS[1]), unit)
    edges = edges_drawn(board, hexes) if wish.names and wish.margin else ()
    edge = (
        (_FRAME_DISTANCE_UNITS + (_HALF_FRAME_LINE_UNITS if wish.apart and not edges else _OUTER_MARGIN_UNITS)) * unit
        if wish.margin
        else 0.0
    )
    width = max(bare.width + 2 * edge, _MIN_WIDTH_UNITS * unit if wish.margin and not wish.apart else 0.0)
    left = (width - bare.width) / 2
    layout = Layout(board, hexes, (left, edge))
    survey = survey_of(layout, game, doubts=wish.drawn, scale=scale)
    height = edge + bare.height
    below: list[Layer] = []
    if wish.margin:
        box = left, edge, bare.width, bare.height
        frame: list[Shape] = [
            inset(box, -_FRAME_DISTANCE_UNITS * unit, stroke=SOFT_INK, stroke_width=0.9 * unit),
            inset(box, -(_FRAME_DISTANCE_UNITS - 1.2) * unit, stroke=SOFT_INK, stroke_width=0.25 * unit),
        ]
        below = [Layer("frame", tuple(frame)), Layer("edges", tuple(_draw_edge_names(edges, box, unit)))]
        height += edge
    if wish.margin and not wish.apart:
        top = (height - edge) / unit + _FRAME_DISTANCE_UNITS + _KEY_GAP_UNITS
        layers, bottom = _draw_margin(game, survey, wish, width / unit, top, HEX_MM / unit)
        below += [enlarge(layer, unit) for layer in layers]
        height = bottom * unit
    drawn = map_layers(survey, (width, height), PAPER, MapWish(names=wish.names))
    paper = Layer("paper", (Rectangle(x=0, y=0, width=width, height=height, fill=PAPER),))
    places = [f"{place.name} in {place.hex}" for place in board.places if layout.draws(place.hex)]
    described = ", ".join(places) if wish.names else ""
    return Scene(
        width=width, height=height, title=board.title, description=described, layers=(paper, *drawn.all, *below)
    )


def key_sheet(
    game: Game, board: Board, hexes: Sequence[str], wish: PosterWish, scale: Scale, width: float, size: float
) -> Scene:
    """Return the title, key, boxes and turn track of a map as a separate picture, in millimetres.

    `width`: width of the sheet.
    `size`: size of a unit of pictures on the map.

    Raises InputError as `poster_scene` does.
    """
    unit = min(max(READABLE_UNIT * scale.letters * size, _MIN_KEY_UNIT_MM), width / _MIN_WIDTH_UNITS)
    survey = survey_of(Layout(board, hexes), game, doubts=wish.drawn, scale=scale)
    layers, bottom = _draw_margin(game, survey, wish, width / unit, _KEY_TOP_GAP_UNITS, HEX_MM * size / unit)
    drawn = tuple(enlarge(layer, unit) for layer in layers)
    return Scene(width=width, height=bottom * unit, title=f"{board.title}: title and key", layers=drawn)


def _draw_edge_names(edges: Sequence[str], box: tuple[float, float, float, float], unit: float) -> list[Shape]:
    """Return the names of the map's edges, each along its edge beside the frame.

    `box`: the box of the map.
    `unit`: the unit of the margin.
    """
    x, y, width, height = box
    offset = _EDGE_NAME_DISTANCE_UNITS * unit
    middles = {
        "north": Arc(x + width / 2, y - offset),
        "east": Arc(x + width + offset, y + height / 2, pi / 2),
        "south": Arc(x + width / 2, y + height + offset),
        "west": Arc(x - offset, y + height / 2, -pi / 2),
    }
    size = _EDGE_NAME_SIZE_UNITS * unit
    texts = {f"{edge}ern edge": middles[edge] for edge in edges}
    return [
        Group(text, tuple(set_word(text, size, size * _EDGE_NAME_SPACING_SHARE).across(at, SOFT_INK)))
        for text, at in texts.items()
    ]


def _draw_margin(
    game: Game, survey: Survey, wish: PosterWish, width: float, top: float, tall: float
) -> tuple[list[Layer], float]:
    """Return the parts below a map and the y below them, in units of the margin.

    `width`: width of the picture.
    `tall`: height of a hex.
    """
    board, hexes, room = survey.board, survey.layout.names, width - 2 * _OUTER_MARGIN_UNITS
    parts = MarginShapes()
    about = board.title if len(hexes) == len(board.hexes or hexes) else _format_part(board, hexes)
    known = [format_sources(board), "What is only drawn from geography is dashed or fainter."]
    y = add_headline(
        parts, game.title, about, [*filter(None, known if wish.drawn else known[:1])], _OUTER_MARGIN_UNITS, top, room
    )
    y = add_scale_bar(parts, board, _OUTER_MARGIN_UNITS, y, tall, room)
    add_compass(parts, width - _OUTER_MARGIN_UNITS - COMPASS_ROOM / 2 + 1, top + COMPASS_ROOM / 2 - 1, board.north)
    legend = column_key(survey, room, tall / HEX_MM)
    key = legend.layer(y, _OUTER_MARGIN_UNITS)
    y += legend.height + _KEY_GAP_UNITS
    if wish.whole:
        y = add_boxes(parts, board.boxes, _OUTER_MARGIN_UNITS, y, room)
        y = add_turns(parts, turns(game), _OUTER_MARGIN_UNITS, y, room)
    return [Layer("margin", tuple(parts.shapes)), key], y + _OUTER_MARGIN_UNITS - _KEY_GAP_UNITS


def _format_part(board: Board, hexes: Sequence[str]) -> str:
    at = [board.grid.parse(name) for name in hexes]
    columns, rows = [place.column for place in at], [place.row for place in at]
    return f"{board.title}: columns {min(columns)} to {max(columns)}, rows {min(rows)} to {max(rows)}"
