"""Drawn sheets with a named box for each pile of counters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assistant.drawing.colours import INK
from assistant.drawing.lettering import base_line, fit_line
from assistant.drawing.scene import Anchor, Layer, Rectangle, Scene, Shape, Text, inset
from assistant.drawing.style import PAPER, PLAIN, SOFT_INK
from assistant.formats.vassal.grids import GridZone, Pixel, ZonedGrid
from assistant.game.games import Game

OUT = "Out of play"  # the window for counters that are out of play
GONE = "Out of the game"  # what in it lies for those that are in no pile of the game
SHEET = "Sheet"
"""The board of each window with a drawn sheet."""
_GAP = 16  # pixels around a box
_HEAD = 30  # pixels above the first row
_NAME = 17  # size of a name, pixels
_BARS = 18
"""What the scroll bars of its window cover of a sheet, at its right and lower edge: VASSAL makes the window as large as
the sheet and always shows them.
"""
_MOST_ABREAST = 4  # boxes side by side at most
_MANY = 16  # boxes that are many
_OF_MANY = 8  # boxes side by side at most where there are many


class _Rows(NamedTuple):
    """Boxes of one size in rows on a sheet."""

    boxes: int
    abreast: int
    cell: Pixel
    """Width and height of one."""
    gap: int
    """Around each."""
    head: int
    """Above the first row."""

    @property
    def size(self) -> Pixel:
        """Of the sheet."""
        rows = -(-self.boxes // self.abreast)
        width, height = self.abreast * (self.cell[0] + self.gap), rows * (self.cell[1] + self.gap)
        return self.gap + width + _BARS, self.head + height + _BARS

    @property
    def corners(self) -> Iterator[Pixel]:
        """The upper left corner of each box."""
        width, height = self.cell[0] + self.gap, self.cell[1] + self.gap
        for row, column in (divmod(number, self.abreast) for number in range(self.boxes)):
            yield self.gap + column * width, self.head + row * height


class Display(NamedTuple):
    """A sheet with a box for each name, all lengths in pixels."""

    title: str
    names: tuple[str, ...]
    cell: Pixel
    """Width and height of one."""
    called: Mapping[str, str] = {}
    """What sides are called."""

    @property
    def _rows(self) -> _Rows:
        most = _OF_MANY if len(self.names) > _MANY else _MOST_ABREAST
        abreast = max(min(len(self.names), most), 1)
        return _Rows(len(self.names), abreast, self.cell, _GAP, _HEAD)

    @property
    def size(self) -> Pixel:
        """Of the sheet."""
        return self._rows.size

    @property
    def middles(self) -> dict[str, Pixel]:
        """Where counters go that are put into a box: its middle, below its name."""
        right, down = self.cell[0] // 2, _HEAD // 2 + self.cell[1] // 2
        corners = zip(self.names, self._rows.corners, strict=True)
        return {name: (x + right, y + down) for name, (x, y) in corners}

    def zones(self, called: Mapping[str, str]) -> ZonedGrid:
        """Return its boxes as zones in which a counter lies anywhere. called: the names of these places, if they have
        other ones.
        """
        width, height = self.cell
        zones = []
        for name, (x, y) in zip(self.names, self._rows.corners, strict=True):
            path = (x, y), (x + width, y), (x + width, y + height), (x, y + height)
            zones.append(GridZone(called.get(name, name), "$name$", path, None))
        return ZonedGrid(tuple(zones), None)

    @property
    def scene(self) -> Scene:
        """The drawing: a frame for each box with its name on top."""
        width, height = self.size
        shapes: list[Shape] = [Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)]
        shapes.append(sheet_text(self.title, width / 2, _HEAD / 2, _NAME, width - 2 * _GAP, bold=True))
        cell_width, cell_height = self.cell
        for name, (x, y) in zip(self.names, self._rows.corners, strict=True):
            shapes.append(
                inset((x, y, cell_width, cell_height), 0.8, radius=6, fill=PLAIN, stroke=SOFT_INK, stroke_width=1.6)
            )
            label = self.called.get(name, name[:1].upper() + name[1:])
            shapes.append(sheet_text(label, x + cell_width / 2, y + _HEAD / 2, _NAME, cell_width - _GAP))
        return Scene(width=width, height=height, title=self.title, layers=(Layer("sheet", tuple(shapes)),))


def dead_pile(game: Game, counter: int) -> Display:
    """Return the sheet for counters that are out of play: a box for each side; where these are the dead pile of the
    game, one more for what is in none. counter: the side of one in pixels.
    """
    pile = game.file.module.dead_pile if game.file.module else ""
    called = {side: ": ".join(filter(None, [pile, game.file.title_of(side)])) for side in game.file.sides}
    names = tuple(called) or ("all",)
    return Display(OUT, (*names, GONE) if pile else names, (counter * 6, counter * 3), called)


def sheet_text(
    text: str,
    x: float,
    y: float,
    size: float,
    width: float,
    *,
    bold: bool = False,
    anchor: Anchor = "middle",
    fill: str = INK,
    least: float = 9.0,
) -> Text:
    """Return a text in one line, smaller or cut where it is too wide. x, y: its anchor and the middle of its height."""
    words = fit_line(text, size, width, least=least, bold=bold)
    base = base_line(y, words.size)
    return Text(x=x, y=base, text=words.lines[0], size=words.size, anchor=anchor, bold=bold, fill=fill)
