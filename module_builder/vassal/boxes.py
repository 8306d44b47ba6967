"""A drawn sheet with boxes in which counters lie, and that of the dead pile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assistant.drawing.lettering import base_line, fit
from assistant.drawing.scene import Layer, Rectangle, Scene, Shape, Text, inset
from assistant.formats.vassal.grids import Pixel
from assistant.game.games import Game
from assistant.pictures.colours import INK
from assistant.pictures.style import PAPER, PLAIN, SOFT_INK

OUT = "Out of play"
"""The window for counters that are out of play."""
SHEET = "Sheet"
"""The board of each window with a drawn sheet."""
_GAP, _HEAD, _NAME = 16, 30, 17
_MOST_ABREAST = 4


class Display(NamedTuple):
    """A sheet with boxes: its title, and by name the middle of each, in pixels; cell: width and height of one; abreast:
    in a row.
    """

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
                    " ".join(part[:1].upper() + part[1:] for part in name.split("-")),
                    x + self.cell[0] / 2,
                    base_line(y + _HEAD / 2, _NAME),
                    self.cell[0] - _GAP,
                )
            )
        return Scene(width=width, height=height, title=self.title, layers=(Layer("sheet", tuple(shapes)),))


def _line(text: str, x: float, y: float, wide: float, *, bold: bool = False) -> Text:
    words = fit(text, _NAME, wide, least=9, bold=bold)
    return Text(x=x, y=y, text=words.lines[0], size=words.size, anchor="middle", bold=bold, fill=INK)


def display(title: str, names: Sequence[str], cell: Pixel) -> Display:
    """A sheet with a box of this size for each name, a few of them in a row."""
    return Display(title, tuple(names), cell, max(min(len(names), _MOST_ABREAST), 1))


def dead_pile(game: Game, counter: int) -> Display:
    """The sheet for counters that are out of play: a box for each side. counter: the side of one in pixels."""
    return display(OUT, [*game.file.sides] or ["all"], (counter * 6, counter * 3))
