"""What stands around the map of a poster: title, scale, compass, boxes and turn track."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from math import ceil, cos, pi, radians, sin
from typing import Any

from assistant.drawing.colours import INK, WHITE, mix
from assistant.drawing.lettering import base_line, fit, fit_lines, text_width, wrap
from assistant.drawing.scene import Polygon, Polyline, Rectangle, Shape, Text, inset
from assistant.drawing.style import GRID, PLAIN, SOFT_INK
from assistant.game.boards import Board
from assistant.game.course import Turn
from assistant.state.tracks import Source
from assistant.util.typesetting import sentence

READABLE_UNIT = 1.75
"""A unit of the margin, at least, in those of a map that is seen at full size."""
_TITLE, _ABOUT, _SMALL = 7.0, 3.6, 2.8
_LEAST = 2.4
"""The least size of letters: what can be read in print where a hex is 16 mm high."""
_LETTER = 9.9
"""How far the middle of the letter of the north is from that of the compass."""
COMPASS_ROOM = 20.0
"""How wide and high the compass is, with what is free around it."""
_BOX, _BOX_HIGH, _BETWEEN = 30.0, 20.0, 1.5
_TURN, _TURN_HIGH, _WIDEST_TURN, _BAND, _BAR = 14.5, 13.5, 24.0, 4.2, 0.8
"""The box of a turn, how wide it may become to fill its row, the bands over and under it, and the bar at its right."""
_DATE_LINES, _DATE_PITCH = 3, 1.08
"""The lines of a date for which the box of a turn has room, and their pitch: it becomes higher for more."""
_BAND_PAD = 1.8
"""What a band has beside its text."""
_LONGEST_BAR = 70.0
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


_KNOWN = {
    Source.DRAWN: "drawn from geography, not from the printed map",
    Source.RULEBOOK: "from the rulebook",
    Source.PRINTED: "from the printed map",
    Source.STATED: "stated by the owner of the game",
}
"""How facts are known, by their source."""


class MarginShapes:
    """The shapes of the margin as they are added."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []

    def text(self, x: float, y: float, text: str, size: float, **more: Any) -> None:
        """Add a line of words on a base line."""
        self.shapes.append(Text(x=x, y=y, text=text, size=size, **{"fill": INK, **more}))


def headline(
    parts: MarginShapes, game: str, about: str, known: Sequence[str], x: float, y: float, width: float
) -> float:
    """Return the title, what is shown, and how it is known, in sentences with a line each. Returns where it ends."""
    room = width - COMPASS_ROOM
    title = fit(game, _TITLE, room, least=3.0, bold=True)
    y += _TITLE * 0.8
    parts.text(x, y, title.lines[0], title.size, bold=True)
    y += 1.4
    for line in wrap(about, _ABOUT, room):
        y += _ABOUT * 1.2
        parts.text(x, y, line, _ABOUT)
    for line in (line for words in known for line in wrap(words, _SMALL, room)):
        y += _SMALL * 1.35
        parts.text(x, y, line, _SMALL, fill=SOFT_INK)
    return y + 3.5


def known_from(board: Board) -> str:
    """Return how a board is known, in words that a player understands; "" for a board without facts. How most of its
    facts are known is not counted, only how the others are.
    """
    known: Counter[Source] = Counter()
    for counts in board.sources.values():
        known.update(counts)
    if not known:
        return ""
    (most, _), *others = known.most_common()
    parts = [f"{count:,} {'fact is' if count == 1 else 'facts are'} {_known(source)}" for source, count in others]
    first = _known(most)
    return f"{first[0].upper()}{first[1:]}{'; ' if parts else ''}{', '.join(parts)}."


def _known(source: Source) -> str:
    return _KNOWN.get(source, source.value)


def scale_bar(parts: MarginShapes, board: Board, x: float, y: float, tall: float, width: float) -> float:
    """Return a bar in hexes, and in kilometres or metres if the board says how large a hex is. tall: a hex. Returns
    where they end.
    """
    bars = [(1.0, "hexes")]
    if board.kilometres >= 1:
        bars.append((1 / board.kilometres, "km"))
    elif board.kilometres >= 0.001:
        bars.append((0.001 / board.kilometres, "m"))
    left = x
    for unit, name in bars:
        most = min(_LONGEST_BAR, width * 0.4) / (tall * unit)
        steps = [step for step in _STEPS if step * 4 <= most] or [_STEPS[0]]
        step = steps[-1]
        parts_of = max(min(int(most // step), 5), 1)
        long = step * tall * unit
        for number in range(parts_of):
            parts.shapes.append(
                Rectangle(
                    x=left + number * long,
                    y=y + 2.6,
                    width=long,
                    height=1.3,
                    fill=INK if number % 2 == 0 else WHITE,
                    stroke=INK,
                    stroke_width=0.2,
                )
            )
        for number in range(parts_of + 1):
            parts.text(left + number * long, y + 2.0, str(number * step), _LEAST, anchor="middle")
        parts.text(left + parts_of * long + 2.4, y + 4.0, name, 2.6)
        left += parts_of * long + text_width(name, 2.6) + 10
    return y + 8.0


def compass(parts: MarginShapes, x: float, y: float, north: float = 0.0) -> None:
    """A rose with its north marked. north: how far that is turned from the top of the map, in degrees clockwise."""
    turned = radians(north)
    for number in range(8):
        angle = number * pi / 4 + turned
        far, near = (8.0, 1.7) if number % 2 == 0 else (4.4, 1.2)
        tip = x + far * sin(angle), y - far * cos(angle)
        for side, fill in ((-1, INK), (1, WHITE)):
            beside = angle + side * pi / 8
            foot = x + near * 1.1 * sin(beside), y - near * 1.1 * cos(beside)
            parts.shapes.append(Polygon(points=((x, y), foot, tip), fill=fill, stroke=INK, width=0.2))
    parts.text(x + _LETTER * sin(turned), y + 1.1 - _LETTER * cos(turned), "N", 3.2, anchor="middle", bold=True)


def box_row(
    parts: MarginShapes, names: Sequence[str], x: float, y: float, width: float, high: float = _BOX_HIGH
) -> float:
    """Return the boxes of a board, each with its name. high: one of them. Returns where they end."""
    many = max(int((width + _BETWEEN) // (_BOX + _BETWEEN)), 1)
    wide = (width + _BETWEEN) / many - _BETWEEN
    for number, name in enumerate(names):
        left, top = x + number % many * (wide + _BETWEEN), y + number // many * (high + _BETWEEN)
        parts.shapes.append(_frame(left, top, wide, high))
        words = fit_lines(name, 2.8, wide - 2, 6.0, least=_LEAST, bold=True)
        for line, text in enumerate(words.lines):
            base = top + 3.0 + line * words.size * 1.1
            parts.text(left + wide / 2, base, text, words.size, anchor="middle", bold=True)
    rows = -(-len(names) // many)
    return y + rows * (high + _BETWEEN) + (2.5 if rows else 0)


def turn_row(parts: MarginShapes, course: Sequence[Turn], x: float, y: float, width: float) -> float:
    """Return a box for each turn with its number and date, the seasons in bands above and the weather below. Returns
    where they end.
    """
    if not course:
        return y
    named = (text_width(text, _LEAST) + _BAND_PAD for turn in course for text in (_season(turn), _weather(turn)))
    least = max(_TURN, *named)  # a band over one turn holds its text
    rows = ceil(len(course) / max((width + _BETWEEN) // (least + _BETWEEN), 1))
    many = ceil(len(course) / rows)
    wide = max(min((width + _BETWEEN) / many - _BETWEEN, _WIDEST_TURN), min(least, width))
    most = max(len(_date_lines(turn, wide)) for turn in course)
    high = _TURN_HIGH + max(most - _DATE_LINES, 0) * _LEAST * _DATE_PITCH
    above, below = (any(map(fact, course)) for fact in (_season, _weather))
    for first in range(0, len(course), many):
        row = course[first : first + many]
        if above:
            _bands(parts, map(_season, row), x, y, wide)
            y += _BAND
        for number, turn in enumerate(row):
            _turn(parts, turn, x + number * (wide + _BETWEEN), y, wide, high)
        y += high
        if below:
            _bands(parts, map(_weather, row), x, y, wide)
            y += _BAND
        y += _BETWEEN
    between = next((turn.interphase.text for turn in course if turn.interphase), "")
    if between:
        parts.shapes.append(Polyline(points=((x + 0.4, y + 0.4), (x + 0.4, y + 3.4)), stroke=SOFT_INK, width=_BAR))
        parts.text(x + 2.0, y + 2.8, f"{between} after the turn", _ABOUT * 0.75, fill=SOFT_INK)
        y += 4.0
    return y + 2.5


def _season(turn: Turn) -> str:
    return sentence(turn.season.marked) if turn.season else ""


def _weather(turn: Turn) -> str:
    return sentence(turn.weather.marked) if turn.weather else ""


def _turn(parts: MarginShapes, turn: Turn, x: float, y: float, wide: float, high: float) -> None:
    """A box with the number of a turn and its date; a bar at its right if something follows it."""
    parts.shapes.append(_frame(x, y, wide, high))
    parts.text(x + 1.0, y + 4.2, str(turn.number), 4.0, bold=True)
    if turn.date:
        for number, line in enumerate(reversed(_date_lines(turn, wide))):
            parts.text(x + 1.0, y + high - 1.0 - number * _LEAST * _DATE_PITCH, line, _LEAST, fill=SOFT_INK)
    if turn.interphase is not None:
        bar = x + wide - 0.9
        parts.shapes.append(Polyline(points=((bar, y + 1), (bar, y + high - 1)), stroke=SOFT_INK, width=_BAR))


def _date_lines(turn: Turn, wide: float) -> Sequence[str]:
    """Return the lines of a date in the box of its turn."""
    return wrap(turn.date.in_words, _LEAST, wide - 1.8, broken=True) if turn.date else ()


def _bands(parts: MarginShapes, texts: Iterable[str], x: float, y: float, wide: float) -> None:
    """A band over each run of turns of which the same is said, with the text in it. wide: a turn."""
    left = x
    for text, run in groupby(texts):
        across = len(list(run)) * (wide + _BETWEEN)
        if text:
            box = left, y + 0.35, across - _BETWEEN, _BAND - 0.7
            parts.shapes.append(inset(*box, 0.0, radius=0.8, fill=mix(GRID, PLAIN, 0.68)))
            words = fit(text, 2.5, across - _BETWEEN - 1.6, least=_LEAST)
            parts.text(left + 1.0, base_line(y + _BAND / 2, words.size), words.lines[0], words.size)
        left += across


def _frame(x: float, y: float, width: float, height: float) -> Rectangle:
    return Rectangle(x=x, y=y, width=width, height=height, radius=0.8, fill=PLAIN, stroke=GRID, stroke_width=0.3)
