"""The still picture that is shown while the page is fetched: the start of a game as the live board shows it then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from assistant.asking.view import View
from assistant.drawing.geometry import PageBox
from assistant.drawing.png import reduce_colours, to_png
from assistant.drawing.scene import Point, Scene
from assistant.drawing.situation import counters_of
from assistant.drawing.style import HEX, RIVER
from assistant.faces.page.tiles import Pictures
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.service import parse
from assistant.util.datafiles import read_text

_ACROSS = 19  # hexes that it shows: as many as a large screen does
_DOWN = 13
_PIXELS = 18  # the height of a hex in it
_COLOURS = 10
_KEPT = (RIVER,)
"""Colours that are kept, though few pixels have them."""
_WRITTEN = ("names", "numbers")
"""The layers that cannot be read in it."""


class Still(NamedTuple):
    """A picture."""

    png: bytes
    width: int
    height: int
    hex: int
    """The height of a hex, in pixels."""
    shows: Point
    """How many of those the hexes that are shown first lie apart, across and down: their middle is that of the picture.
    """
    first: Point
    """How far from there the first of them lies."""


def find_still(games: Iterable[Game]) -> Still | None:
    """Return the still picture of the first game with which the page can begin; None if it begins with none."""
    for game in games:
        if start := game.file.start:
            file, called, _ = game.set_up(start.setup)
            return draw_still(parse(read_text(file, called), game=game), start.shows)
    return None


def draw_still(position: Position, shows: Sequence[str]) -> Still:
    """Return the board of a position with its units round hexes that it has."""
    view = View(position.game, position.state)
    board = Pictures().of(view, shows)
    xs, ys = zip(*map(board.field.centre, shows), strict=True)
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    width, height = _ACROSS * HEX, _DOWN * HEX
    survey, drawn = board.draw_box(PageBox(x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    units, _, _ = counters_of(survey.layout, board.look, survey.symbols, (), {})
    written = (layer for layer in drawn.written if layer.name not in _WRITTEN)
    scene = Scene(width=width, height=height, title="", layers=(*drawn.ground, *drawn.ways, *written, units))
    [png] = to_png([scene], _PIXELS / HEX)
    return Still(
        reduce_colours(png, _COLOURS, _KEPT),
        _ACROSS * _PIXELS,
        _DOWN * _PIXELS,
        _PIXELS,
        ((max(xs) - min(xs)) / HEX, (max(ys) - min(ys)) / HEX),
        ((xs[0] - x) / HEX, (ys[0] - y) / HEX),
    )
