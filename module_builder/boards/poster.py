"""A board as a picture of its own: the map in a frame, below it the title, the key, the scale, the compass, boxes and turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assistant.drawing.scene import Layer, Rectangle, Scene, Shape, enlarged, inset
from assistant.game.boards import Board
from assistant.game.course.turns import turns
from assistant.game.games import Game
from assistant.pictures.layout import Layout
from assistant.pictures.legend import Legend
from assistant.pictures.map.drawing import MapWish, map_layers
from assistant.pictures.map.survey import Scale, survey_of
from assistant.pictures.style import HEX, PAPER, SOFT_INK

from .margin import Parts, box_row, compass, headline, scale_bar, turn_row

#: The room round the map, in units of the margin: to the frame, and from there to the edge.
_INNER, _OUTER = 2.5, 6.0
_GAP = 4.0
_NARROWEST = 110.0
#: A unit of the margin, at least, in those of a map that is seen at full size.
_READABLE = 1.7


class Wish(NamedTuple):
    """What is drawn of a board.

    names: whether anything is written on the map besides hex numbers; drawn: whether doubtful facts are shown as such; margin: whether
    the map has a title and a key; whole: whether boxes and turns stand below it.
    """

    names: bool = True
    drawn: bool = False
    margin: bool = True
    whole: bool = True


def poster(game: Game, board: Board, hexes: Sequence[str], wish: Wish, scale: Scale) -> Scene:
    """A board, or some of its hexes, in the units of pictures: a hex is `HEX` high. scale: at which it will be seen.

    Raises InputError for a colour of the game that is not #rrggbb.
    """
    bare = Layout(board, hexes)
    unit = max(min(bare.width / 430, bare.height / 330), _READABLE * scale.letters)  # larger letters below a larger map
    edge = (_INNER + _OUTER) * unit if wish.margin else 0.0
    width = max(bare.width + 2 * edge, _NARROWEST * unit if wish.margin else 0.0)
    left = (width - bare.width) / 2
    layout = Layout(board, hexes, (left, edge))
    survey = survey_of(layout, game, doubts=wish.drawn, scale=scale)
    parts = Parts()
    bottom = edge + bare.height
    if wish.margin:
        inner = width / unit - 2 * _OUTER
        legend = Legend(survey, (), inner, towns=True)
        y = bottom / unit + _INNER + _GAP
        about = board.title if hexes and len(hexes) == len(board.hexes or hexes) else _part(board, hexes)
        y = headline(parts, game.title, about, board, _OUTER, y, inner)
        y = scale_bar(parts, board, _OUTER, y, HEX / unit, inner)
        compass(parts, width / unit - _OUTER - 9, bottom / unit + _INNER + _GAP + 9)
        key = enlarged(legend.layer(y, _OUTER), unit)
        y += legend.height + _GAP
        if wish.whole:
            y = box_row(parts, board.boxes, _OUTER, y, inner)
            y = turn_row(parts, turns(game), _OUTER, y, inner)
        bottom = (y + _OUTER - _GAP) * unit
    height = bottom
    drawn = map_layers(survey, (width, height), PAPER, MapWish(rims=False, names=wish.names))
    layers = [Layer("paper", (Rectangle(x=0, y=0, width=width, height=height, fill=PAPER),)), *drawn.all]
    if wish.margin:
        box = left, edge, bare.width, bare.height
        frame: list[Shape] = [
            inset(*box, -_INNER * unit, stroke=SOFT_INK, stroke_width=0.9 * unit),
            inset(*box, -(_INNER - 1.2) * unit, stroke=SOFT_INK, stroke_width=0.25 * unit),
        ]
        layers += [Layer("frame", tuple(frame)), enlarged(Layer("margin", tuple(parts.shapes)), unit), key]
    places = [f"{place.name} in {place.hex}" for place in board.places if layout.draws(place.hex)]
    return Scene(width=width, height=height, title=board.title, description=", ".join(places), layers=tuple(layers))


def _part(board: Board, hexes: Sequence[str]) -> str:
    at = [board.grid.parse(name) for name in hexes]
    columns, rows = [hex.column for hex in at], [hex.row for hex in at]
    return f"{board.title}: columns {min(columns)} to {max(columns)}, rows {min(rows)} to {max(rows)}"
