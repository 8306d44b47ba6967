"""Drawn sheets of named boxes in which counters lie. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assistant.drawing.colours import INK
from assistant.drawing.lettering import base_line, fit_line
from assistant.drawing.scene import Anchor, Layer, Rectangle, Scene, Shape, Text, inset
from assistant.drawing.style import PAPER, SOFT_INK, UNKNOWN_GROUND
from assistant.formats.vassal.grids import GridZone, Pixel, ZonedGrid
from assistant.game.games import Game

OUT_WINDOW = "Out of play"
"""The title of the window for counters out of play."""
NO_PILE = "Out of the game"
"""The box in that window for counters that are not in the game's dead pile."""
SHEET = "Sheet"
"""The name of the board in each window with a drawn sheet."""
_GAP_PX = 16
_HEAD_HEIGHT_PX = 30
_NAME_SIZE_PX = 17
_SCROLL_BAR_WIDTH_PX = 18  # left free at the right and below: VASSAL's scroll bars always cover this much of a sheet
_MAX_COLUMNS = 4
_MAX_BOXES_IN_FEW_COLUMNS = 16  # a sheet with more boxes has wider rows
_MAX_COLUMNS_OF_MANY = 8


class Display(NamedTuple):
    """A sheet with rows of equal boxes, one for each name."""

    title: str
    names: tuple[str, ...]
    box_size: Pixel
    """The width and height of a box."""
    labels: Mapping[str, str] = {}
    """The text on a box, by its name; other boxes show their names with a capital."""

    @property
    def _columns(self) -> int:
        maximum = _MAX_COLUMNS_OF_MANY if len(self.names) > _MAX_BOXES_IN_FEW_COLUMNS else _MAX_COLUMNS
        return max(min(len(self.names), maximum), 1)

    @property
    def size(self) -> Pixel:
        columns = self._columns
        rows = -(-len(self.names) // columns)  # rounded up
        width, height = columns * (self.box_size[0] + _GAP_PX), rows * (self.box_size[1] + _GAP_PX)
        return _GAP_PX + width + _SCROLL_BAR_WIDTH_PX, _HEAD_HEIGHT_PX + height + _SCROLL_BAR_WIDTH_PX

    @property
    def _corners(self) -> Iterator[tuple[str, Pixel]]:
        width, height = self.box_size[0] + _GAP_PX, self.box_size[1] + _GAP_PX
        for number, name in enumerate(self.names):
            row, column = divmod(number, self._columns)
            yield name, (_GAP_PX + column * width, _HEAD_HEIGHT_PX + row * height)

    @property
    def middles(self) -> dict[str, Pixel]:
        """The pixel at which counters are put into each box: its middle, shifted down to clear the label."""
        right, down = self.box_size[0] // 2, _HEAD_HEIGHT_PX // 2 + self.box_size[1] // 2
        return {name: (x + right, y + down) for name, (x, y) in self._corners}

    def zones(self, places: Mapping[str, str]) -> ZonedGrid:
        """Return a grid with a zone for each box, in any spot of which a counter is at the same place.

        `places`: the place for a box, by its name; other boxes are places of their own names.
        """
        width, height = self.box_size
        zones = []
        for name, (x, y) in self._corners:
            path = (x, y), (x + width, y), (x + width, y + height), (x, y + height)
            zones.append(GridZone(places.get(name, name), "$name$", path, None))
        return ZonedGrid(tuple(zones), None)

    @property
    def scene(self) -> Scene:
        """The drawing of the sheet: its title, and a frame with a label for each box."""
        width, height = self.size
        shapes: list[Shape] = [Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)]
        shapes.append(
            sheet_text(self.title, width / 2, _HEAD_HEIGHT_PX / 2, _NAME_SIZE_PX, width - 2 * _GAP_PX, bold=True)
        )
        box_width, box_height = self.box_size
        for name, (x, y) in self._corners:
            shapes.append(
                inset(
                    (x, y, box_width, box_height), 0.8, radius=6, fill=UNKNOWN_GROUND, stroke=SOFT_INK, stroke_width=1.6
                )
            )
            label = self.labels.get(name, name[:1].upper() + name[1:])
            shapes.append(
                sheet_text(label, x + box_width / 2, y + _HEAD_HEIGHT_PX / 2, _NAME_SIZE_PX, box_width - _GAP_PX)
            )
        return Scene(width=width, height=height, title=self.title, layers=(Layer("sheet", tuple(shapes)),))


def dead_pile(game: Game, counter: int) -> Display:
    """Return the sheet for counters out of play, with a box for each side.

    In a game with a dead pile these boxes are the dead pile, and one more box is for counters out of the game.

    `counter`: the side of a counter.
    """
    pile = game.file.module.dead_pile if game.file.module else ""
    labels = {side: ": ".join(filter(None, [pile, game.file.title_of(side)])) for side in game.file.sides}
    names = tuple(labels) or ("all",)
    return Display(OUT_WINDOW, (*names, NO_PILE) if pile else names, (counter * 6, counter * 3), labels)


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
    min_size: float = 9.0,
) -> Text:
    """Return a text in one line, shrunk as far as `min_size` and then cut off to fit `width`.

    `x`: the coordinate of the anchor.
    `y`: the middle of the height of the capitals.
    """
    fitted = fit_line(text, size, width, min_size=min_size, bold=bold)
    base = base_line(y, fitted.size)
    return Text(x=x, y=base, text=fitted.lines[0], size=fitted.size, anchor=anchor, bold=bold, fill=fill)
