"""Drawn sheets with boxes in which counters lie, the turn track among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assistant.drawing.lettering import base_line, fit, wrap
from assistant.drawing.scene import Anchor, Layer, Rectangle, Scene, Shape, Text, inset
from assistant.formats.vassal.grids import Pixel
from assistant.game.course import Turn
from assistant.game.games import Game
from assistant.pictures.colours import INK
from assistant.pictures.style import PAPER, PLAIN, SEASONS, SOFT_INK

OUT = "Out of play"
"""The window for counters that are out of play."""
SHEET = "Sheet"
"""The board of each window with a drawn sheet."""
_GAP, _HEAD, _NAME = 16, 30, 17
_MOST_ABREAST = 4


class _Rows(NamedTuple):
    """Boxes of one size in rows on a sheet. cell: width and height of one; gap: around each; head: above the first
    row.
    """

    boxes: int
    abreast: int
    cell: Pixel
    gap: int
    head: int

    @property
    def size(self) -> Pixel:
        """Of the sheet."""
        rows = -(-self.boxes // self.abreast)
        return self.gap + self.abreast * (self.cell[0] + self.gap), self.head + rows * (self.cell[1] + self.gap)

    @property
    def corners(self) -> Iterator[Pixel]:
        """The upper left corner of each box."""
        wide, high = self.cell[0] + self.gap, self.cell[1] + self.gap
        for row, column in (divmod(number, self.abreast) for number in range(self.boxes)):
            yield self.gap + column * wide, self.head + row * high


class Display(NamedTuple):
    """A sheet with a box for each name, all lengths in pixels. cell: width and height of one; called: what sides
    are called.
    """

    title: str
    names: tuple[str, ...]
    cell: Pixel
    called: Mapping[str, str] = {}

    @property
    def _rows(self) -> _Rows:
        abreast = max(min(len(self.names), _MOST_ABREAST), 1)
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

    @property
    def scene(self) -> Scene:
        """The drawing: a frame for each box with its name on top."""
        width, height = self.size
        shapes: list[Shape] = [Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)]
        shapes.append(_text(self.title, width / 2, _HEAD / 2, _NAME, width - 2 * _GAP, bold=True))
        wide, high = self.cell
        for name, (x, y) in zip(self.names, self._rows.corners, strict=True):
            shapes.append(inset(x, y, wide, high, 0.8, radius=6, fill=PLAIN, stroke=SOFT_INK, stroke_width=1.6))
            label = self.called.get(name, name[:1].upper() + name[1:])
            shapes.append(_text(label, x + wide / 2, y + _HEAD / 2, _NAME, wide - _GAP))
        return Scene(width=width, height=height, title=self.title, layers=(Layer("sheet", tuple(shapes)),))


def dead_pile(game: Game, counter: int) -> Display:
    """The sheet for counters that are out of play: a box for each side. counter: the side of one in pixels."""
    called = {side: game.file.title_of(side) for side in game.file.sides}
    return Display(OUT, tuple(called) or ("all",), (counter * 6, counter * 3), called)


# --- the turn track ---------------------------------------------------------------------------------------------------

TURNS = "Turns"
"""The window of the turn track."""
_ABREAST = 8
_TURNS_GAP, _TURNS_HEAD = 14, 40
_BAND, _LINE, _SMALL, _LEAST = 24, 15, 11.5, 9.0


class TurnTrack(NamedTuple):
    """The boxes of a turn track. numbers: of the turns; known: what is said of them; tag: what a turn is called;
    counter: the side of one in pixels; arrives: the track of units with the turn in which one comes into play, "" if
    the game has none; called: what sides and nations are called.
    """

    title: str
    numbers: range
    known: dict[int, Turn]
    tag: str
    counter: int
    arrives: str = ""
    called: Mapping[str, str] = {}

    @property
    def cell(self) -> Pixel:
        """Width and height of a box: two counters side by side below four lines."""
        return max(2 * self.counter + 40, 190), _BAND + 4 * _LINE + self.counter + 30

    @property
    def _rows(self) -> _Rows:
        abreast = min(len(self.numbers), _ABREAST)
        return _Rows(len(self.numbers), abreast, self.cell, _TURNS_GAP, _TURNS_HEAD)

    @property
    def size(self) -> Pixel:
        """Of the sheet."""
        return self._rows.size

    def name(self, number: int) -> str:
        """What a turn is called."""
        return self.tag.replace("{}", str(number))

    @property
    def middles(self) -> dict[str, Pixel]:
        """Where counters stand in the box of a turn, by its number."""
        down = _BAND + 4 * _LINE + (self.cell[1] - _BAND - 4 * _LINE) // 2
        corners = zip(self.numbers, self._rows.corners, strict=True)
        return {str(number): (x + self.cell[0] // 2, y + down) for number, (x, y) in corners}

    @property
    def scene(self) -> Scene:
        """The drawing: in each box number and date of the turn, season and weather, and what comes up."""
        width, height = self.size
        seasons = dict.fromkeys(turn.season.text for turn in self.known.values() if turn.season)
        tints = {season: SEASONS[n % len(SEASONS)] for n, season in enumerate(seasons)}
        shapes: list[Shape] = [Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)]
        shapes.append(_text(self.title, width / 2, _TURNS_HEAD / 2, 20, width - 2 * _TURNS_GAP, bold=True))
        for number, (x, y) in zip(self.numbers, self._rows.corners, strict=True):
            turn = self.known.get(number, Turn(number=number))
            tint = tints.get(turn.season.text if turn.season else "", PAPER)
            shapes += self._box(turn, x, y, tint)
        return Scene(width=width, height=height, title=self.title, layers=(Layer("sheet", tuple(shapes)),))

    def _box(self, turn: Turn, x: float, y: float, tint: str) -> Iterator[Shape]:
        wide, high = self.cell
        yield inset(x, y, wide, high, 0, fill=PLAIN)
        yield inset(x, y, wide, _BAND, 0, fill=tint)
        yield inset(x, y, wide, high, 0.8, stroke=SOFT_INK, stroke_width=1.6)
        yield _text(self.name(turn.number), x + 8, y + _BAND / 2, 16, wide / 2, bold=True, anchor="start")
        season = turn.season.in_words if turn.season else ""
        yield _text(season, x + wide - 8, y + _BAND / 2, 12, wide / 2, anchor="end")
        for line, (text, bold) in enumerate(_lines(turn, wide - 16, self.called)):
            yield _text(text, x + 8, y + _BAND + 4 + (line + 0.5) * _LINE, _SMALL, wide - 16, bold=bold, anchor="start")


def _lines(turn: Turn, room: float, called: Mapping[str, str]) -> list[tuple[str, bool]]:
    """What stands in a box, at most four lines: the date, the inter-phase, weather, events; whether each is bold."""
    bold = [fact.in_words for fact in (turn.date, turn.interphase) if fact]
    facts = [
        f"{called.get(fact.who, fact.who)}: {fact.in_words}" if fact.who else fact.in_words
        for fact in (turn.weather, *turn.events)
        if fact and fact.text != "normal"
    ]
    lines = [(text, True) for text in bold]
    lines += [(line, False) for text in facts for line in wrap(text, _SMALL, room)]
    if len(lines) > 4:
        lines = [*lines[:3], (f"{lines[3][0]} …", lines[3][1])]
    return lines


def _text(
    text: str, x: float, y: float, size: float, wide: float, *, bold: bool = False, anchor: Anchor = "middle"
) -> Text:
    words = fit(text, size, wide, least=_LEAST, bold=bold)
    base = base_line(y, words.size)
    return Text(x=x, y=base, text=words.lines[0], size=words.size, anchor=anchor, bold=bold, fill=INK)
