"""The drawn turn track: a box for each turn, in which the counters lie that arrive then, and the frame around the
current one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assistant.drawing.colours import mix
from assistant.drawing.lettering import wrap
from assistant.drawing.scene import Layer, Polyline, Rectangle, Scene, Shape, inset
from assistant.drawing.style import PAPER, PLAIN, SEASONS, SOFT_INK
from assistant.formats.vassal.grids import Pixel
from assistant.game.turn_record import Turn
from assistant.util.typesetting import sentence

from .sheets import sheet_text

TURNS = "Turns"
"""The window of the turn track."""
_ABREAST = 6
_GAP = 14  # pixels around a box
_HEAD = 40  # pixels above the first row
_BAND = 26  # pixels, the height of the band with the name
_DATE = 23  # pixels, the height of the date
_LINE = 15  # pixels from line to line
_FOOT = 20  # pixels, the height of the strip with what follows the turn
_SMALL = 11.5  # size of small words, pixels
_WIDE = 228  # pixels, the least width of a box
_PAD = 8  # pixels beside the words
_AIR = 12  # pixels above and below counters
NOW = "#b3202a"
"""The colour of the frame around the current turn."""


class TurnTrack(NamedTuple):
    """The boxes of a turn track."""

    title: str
    numbers: range
    """Of the turns."""
    known: dict[int, Turn]
    """What is said of them."""
    tag: str
    """What a turn is called."""
    counter: int
    """The side of one in pixels."""
    arrives: str = ""
    """The track of units with the turn in which one comes into play, "" if the game has none."""
    called: Mapping[str, str] = {}
    """What sides and nations are called."""

    def name(self, number: int) -> str:
        """Return what a turn is called."""
        return self.tag.replace("{}", str(number))

    def turn(self, number: int) -> Turn:
        """Return what is known of a turn."""
        return self.known.get(number, Turn(number=number))

    @property
    def width(self) -> int:
        """The width of a box: two counters side by side."""
        return max(2 * self.counter + 40, _WIDE)

    @property
    def rows(self) -> list[range]:
        """The turns of each row."""
        return [self.numbers[at : at + _ABREAST] for at in range(0, len(self.numbers), _ABREAST)]

    @property
    def boxes(self) -> dict[int, TurnBox]:
        """The box of each turn: all of a row are as high as what is said of one of them needs."""
        boxes, top = dict[int, TurnBox](), _HEAD
        for row in self.rows:
            most = max(len(self.lines(self.turn(number))) for number in row)
            foot = _FOOT if any(self.turn(number).interphase for number in row) else 0
            height = _BAND + _DATE + most * _LINE + self.counter + 2 * _AIR + foot
            for column, number in enumerate(row):
                boxes[number] = TurnBox(_GAP + column * (self.width + _GAP), top, self.width, height, foot)
            top += height + _GAP
        return boxes

    @property
    def size(self) -> Pixel:
        """Of the sheet."""
        boxes = self.boxes.values()
        return max(box.right for box in boxes) + _GAP, max(box.bottom for box in boxes) + _GAP

    @property
    def middles(self) -> dict[str, Pixel]:
        """Where counters stand in the box of a turn, by its number: below the words."""
        return {
            str(number): (box.left + box.width // 2, box.bottom - box.foot - _AIR - self.counter // 2)
            for number, box in self.boxes.items()
        }

    @property
    def scene(self) -> Scene:
        """The drawing: in each box the name and date of the turn, season and weather, and what comes up, in whole
        words.
        """
        width, height = self.size
        seasons = dict.fromkeys(turn.season.text for turn in self.known.values() if turn.season)
        tints = {season: SEASONS[n % len(SEASONS)] for n, season in enumerate(seasons)}
        shapes: list[Shape] = [Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)]
        shapes.append(sheet_text(self.title, width / 2, _HEAD / 2, 20, width - 2 * _GAP, bold=True))
        for number, box in self.boxes.items():
            turn = self.turn(number)
            tint = tints.get(turn.season.text if turn.season else "", PAPER)
            shapes += self._draw_box(turn, box, tint)
        return Scene(width=width, height=height, title=self.title, layers=(Layer("sheet", tuple(shapes)),))

    def _draw_box(self, turn: Turn, box: TurnBox, tint: str) -> Iterator[Shape]:
        """Yield the drawing of a box. tint: of its season."""
        x, y, width = box.left, box.top, box.width
        yield inset((x, y, width, box.height), 0, fill=PLAIN)
        yield inset((x, y, width, _BAND), 0, fill=tint)
        room = width - 2 * _PAD
        yield sheet_text(self.name(turn.number), x + _PAD, y + _BAND / 2, 16, room / 2, bold=True, anchor="start")
        season = turn.season.marked if turn.season else ""
        yield sheet_text(season, box.right - _PAD, y + _BAND / 2, 12, room / 2, anchor="end")
        date = turn.date.in_words if turn.date else ""
        yield sheet_text(date, x + _PAD, y + _BAND + _DATE / 2 - 0.5, 12.5, room, bold=True, anchor="start")
        if not date:  # to be filled in
            rule = y + _BAND + _DATE - 6
            yield Polyline(points=((x + _PAD, rule), (box.right - _PAD, rule)), stroke=SOFT_INK, width=0.8)
        for line, text in enumerate(self.lines(turn)):
            base = y + _BAND + _DATE + (line + 0.5) * _LINE + 2
            yield sheet_text(text, x + _PAD, base, _SMALL, room, anchor="start")
        if turn.interphase:
            yield inset((x, box.bottom - _FOOT, width, _FOOT), 0, fill=mix(SOFT_INK, PAPER, 0.75))
            after = turn.interphase.marked
            yield sheet_text(after, x + _PAD, box.bottom - _FOOT / 2, 12, room, bold=True, anchor="start")
        yield inset((x, y, width, box.height), 0.8, stroke=SOFT_INK, stroke_width=1.6)

    def lines(self, turn: Turn) -> list[str]:
        """Return the weather and what comes up in a turn, in lines as wide as a box; weather that is as usual goes
        without saying.
        """
        lines: list[str] = []
        for fact in (turn.weather, *turn.events):
            if fact and fact.text != "normal":
                text = f"{self.called.get(fact.who, fact.who)}: {fact.marked}" if fact.who else sentence(fact.marked)
                lines += wrap(text, _SMALL, self.width - 2 * _PAD)
        return lines

    # --- the current turn ---

    @property
    def heads(self) -> list[tuple[range, Pixel]]:
        """The turns of each row, and the middle of the head of its first box, with name and date."""
        boxes, down = self.boxes, (_BAND + _DATE) // 2
        return [(row, (boxes[row[0]].left + self.width // 2, boxes[row[0]].top + down)) for row in self.rows]

    @property
    def frames_right(self) -> int:
        """How far right of that middle the middle of the frames lies."""
        return (self._across - self.width) // 2

    @property
    def _across(self) -> int:
        """How wide the boxes of a row are together, the gaps between them included."""
        abreast = min(len(self.numbers), _ABREAST)
        return abreast * self.width + (abreast - 1) * _GAP

    @property
    def frames(self) -> list[Scene]:
        """What lies over the heads of a row if its first turn is the current one, its second one, and so on: a frame."""
        height, drawn = _BAND + _DATE, list[Scene]()
        for column in range(min(len(self.numbers), _ABREAST)):
            x, middle = column * (self.width + _GAP), self.width / 2
            pill = 46, 17
            shapes = (
                inset((x, 0, self.width, height), 1.5, stroke=NOW, stroke_width=3),
                inset((x + middle - pill[0] / 2, _BAND / 2 - pill[1] / 2, *pill), 0, radius=8, fill=NOW),
                sheet_text("now", x + middle, _BAND / 2, 12, pill[0], bold=True, fill=PLAIN),
            )
            layers = (Layer("frame", shapes),)
            drawn.append(Scene(width=self._across, height=height, title="the current turn", layers=layers))
        return drawn


class TurnBox(NamedTuple):
    """The box of a turn, in pixels."""

    left: int
    top: int
    width: int
    height: int
    foot: int
    """The height of the strip at its lower edge that says what follows the turn."""

    @property
    def right(self) -> int:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """Its lower edge."""
        return self.top + self.height


def now_image(column: int) -> str:
    """Return the file with the frame around the current turn in a column, from 1."""
    return f"now-{column}.png"
