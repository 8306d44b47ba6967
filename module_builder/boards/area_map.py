"""A board that is a picture without hexes, with the names of its places."""

from __future__ import annotations

import msgspec

from assistant.drawing.colours import INK
from assistant.drawing.counters import centred_text
from assistant.drawing.map.own_art import whole_art
from assistant.drawing.scene import Bitmap, Circle, Layer, Scene, Shape
from assistant.drawing.style import HEX, PLAIN
from assistant.game.boards import Board
from assistant.game.boards.map_picture import PIXELS
from assistant.game.games import Game

_LETTERS = HEX / 5
_DOT = HEX / 16


def is_area_map(board: Board) -> bool:
    """Return whether a board is a picture without hexes."""
    return board.picture is not None and board.picture.first is None


def area_scene(game: Game, board: Board, *, names: bool) -> Scene:
    """Return the picture of a board with its places, in the units of pictures. names: whether these are written on it.

    Raises InputError with the file for a picture that is missing or is none.
    """
    assert board.picture is not None
    whole, unit = whole_art(game.folder, board.name, board.picture), HEX / PIXELS
    width, height = whole.width * unit, whole.height * unit
    picture: Bitmap = msgspec.structs.replace(whole, width=width, height=height)
    marks: list[Shape] = []
    for name, (x, y) in board.picture.places.items() if names else ():
        marks.append(Circle(x=x * unit, y=y * unit, radius=_DOT, fill=INK, stroke=PLAIN))
        below = centred_text(name, x * unit, y * unit + _DOT + _LETTERS, _LETTERS, INK)
        marks.append(msgspec.structs.replace(below, halo=PLAIN))
    layers = Layer("own-art", (picture,)), Layer("places", tuple(marks))
    described = ", ".join(board.picture.places)
    return Scene(width=width, height=height, title=board.title, description=described, layers=layers)
