"""Windows beside the map: boxes that are no hexes, what a side keeps off the map army by army, and the dead pile; each a drawn sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assistant.drawing.lettering import base_line, fit
from assistant.drawing.scene import Layer, Rectangle, Scene, Shape, Text, inset
from assistant.formats.vassal.grids import Pixel
from assistant.game.boards import Board
from assistant.game.games import Game
from assistant.pictures.colours import INK
from assistant.pictures.style import PAPER, PLAIN, SOFT_INK

from ..counters import word_of
from .hiding import side_of, window
from .statuses import file_word

BOXES, OUT = "Boxes", "Out of play"
"""The windows for boxes, and for counters that are out of play."""
SHEET = "Sheet"
"""The board of each of these windows."""
_GAP, _HEAD, _NAME = 16, 30, 17
_MOST_ABREAST = 4


class Display(NamedTuple):
    """A sheet with boxes: its title, and by name the middle of each, in pixels; cell: width and height of one; abreast: in a row."""

    title: str
    names: tuple[str, ...]
    cell: Pixel
    abreast: int

    @property
    def size(self) -> Pixel:
        """Of the sheet."""
        rows = -(-len(self.names) // self.abreast)
        return _GAP + self.abreast * (self.cell[0] + _GAP), _HEAD + rows * (self.cell[1] + _GAP)

    @property
    def middles(self) -> dict[str, Pixel]:
        """Where counters go that are put into a box: its middle, below its name."""
        return {name: (x + self.cell[0] // 2, y + _HEAD // 2 + self.cell[1] // 2) for name, (x, y) in self._corners()}

    def _corners(self) -> list[tuple[str, Pixel]]:
        wide, high = self.cell[0] + _GAP, self.cell[1] + _GAP
        places = (divmod(number, self.abreast) for number in range(len(self.names)))
        return [
            (name, (_GAP + column * wide, _HEAD + row * high))
            for name, (row, column) in zip(self.names, places, strict=True)
        ]

    @property
    def scene(self) -> Scene:
        """The drawing: a frame for each box with its name on top."""
        width, height = self.size
        shapes: list[Shape] = [Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)]
        shapes.append(_line(self.title, width / 2, base_line(_HEAD / 2, _NAME), width - 2 * _GAP, bold=True))
        for name, (x, y) in self._corners():
            shapes.append(inset(x, y, *self.cell, 0.8, radius=6, fill=PLAIN, stroke=SOFT_INK, stroke_width=1.6))
            shapes.append(
                _line(
                    name[:1].upper() + name[1:].replace("-", " "),
                    x + self.cell[0] / 2,
                    base_line(y + _HEAD / 2, _NAME),
                    self.cell[0] - _GAP,
                )
            )
        return Scene(width=width, height=height, title=self.title, layers=(Layer("sheet", tuple(shapes)),))


def _line(text: str, x: float, y: float, wide: float, *, bold: bool = False) -> Text:
    words = fit(text, _NAME, wide, least=9, bold=bold)
    return Text(x=x, y=y, text=words.lines[0], size=words.size, anchor="middle", bold=bold, fill=INK)


def _display(title: str, names: Sequence[str], cell: Pixel) -> Display:
    return Display(title, tuple(names), cell, max(min(len(names), _MOST_ABREAST), 1))


def displays(game: Game, board: Board, units: Sequence[str], counter: int) -> dict[str, Display]:
    """The sheets of a module by the names of their windows. units: in the module; counter: the side of one in pixels."""
    found = {BOXES: _display(board.title, board.boxes, (counter * 3, counter * 2))} if board.boxes else {}
    found[OUT] = dead_pile(game, counter)
    sorts = game.file.module.palettes if game.file.module else ()
    return found | {
        window(side): _armies(game, units, side, sorts[-1] if sorts else "", counter) for side in game.file.sides
    }


def dead_pile(game: Game, counter: int) -> Display:
    """The sheet for counters that are out of play: a box for each side. counter: the side of one in pixels."""
    return _display(OUT, [*game.file.sides] or ["all"], (counter * 6, counter * 3))


def _armies(game: Game, units: Sequence[str], side: str, sort: str, counter: int) -> Display:
    """The sheet of one side: a box for each of its armies, or whatever else its counters are sorted by."""
    words = [word_of(game, unit, sort) for unit in units if side_of(game, unit) == side] if sort else []
    names = [f"{word} {game.tracks[sort].title}" for word in dict.fromkeys(filter(None, words))]
    return _display(f"What only the {side} side sees", [*names, "Elsewhere"], (counter * 4, counter * 5 // 2))


def image(name: str) -> str:
    """The file of a window's sheet."""
    return f"sheet-{file_word(name)}.png"
