"""What stands around the map of a poster: title, scale, compass, boxes and turn track."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from math import ceil, cos, pi, radians, sin

from assistant.drawing.colours import INK, WHITE, mix
from assistant.drawing.lettering import base_line, fit_line, fit_lines, text_width, wrap
from assistant.drawing.scene import Anchor, Polygon, Polyline, Rectangle, Shape, Text, inset
from assistant.drawing.style import GRID, PLAIN, SOFT_INK
from assistant.game.boards import Board
from assistant.game.turn_record import Turn
from assistant.state.tracks import Source
from assistant.util.typesetting import sentence

READABLE_UNIT = 1.75
"""A unit of the margin, at least, in those of a map that is seen at full size."""
_TITLE = 7.0  # size of letters in units of the margin, as the next two
_ABOUT = 3.6
_SMALL = 2.8
_LEAST = 2.4  # size of letters at least, units: what can be read in print where a hex is 16 mm high
_LETTER = 9.9
"""How far the middle of the letter of the north is from that of the compass."""
COMPASS_ROOM = 20.0
"""How wide and high the compass is, with what is free around it."""
_BOX = 30.0  # units, the width of a box at least
_BOX_HIGH = 20.0  # units, its height
_BETWEEN = 1.5  # units between two boxes
_TURN = 14.5  # units, the width of the box of a turn
_TURN_HIGH = 13.5  # units, its height
_WIDEST_TURN = 24.0  # units to which it may become wider to fill its row
_BAND = 4.2  # units, the height of the bands over and under it
_BAR = 0.8  # units, the width of the bar at its right
_DATE_LINES = 3  # lines of a date for which the box of a turn has room: it becomes higher for more
_DATE_PITCH = 1.08  # from line to line, as a multiple of the size
_BAND_PAD = 1.8  # units that a band has beside its text
_LONGEST_BAR = 70.0  # units, the bar of the scale
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # of the bar of the scale, in its unit


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

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        anchor: Anchor = "start",
        bold: bool = False,
        fill: str = INK,
    ) -> None:
        """Add a line of words on a base line."""
        self.shapes.append(Text(x=x, y=y, text=text, size=size, anchor=anchor, bold=bold, fill=fill))


def add_headline(
    parts: MarginShapes, game: str, about: str, known: Sequence[str], x: float, y: float, width: float
) -> float:
    """Add the title, what is shown, and how it is known, in sentences with a line each, and return where it ends."""
    room = width - COMPASS_ROOM
    title = fit_line(game, _TITLE, room, least=3.0, bold=True)
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


def format_sources(board: Board) -> str:
    """Return how a board is known, in words that a player understands; "" for a board without facts. How most of its
    facts are known is not counted, only how the others are.
    """
    known: Counter[Source] = Counter()
    for counts in board.sources.values():
        known.update(counts)
    if not known:
        return ""
    (most, _), *others = known.most_common()
    parts = [
        f"{count:,} {'fact is' if count == 1 else 'facts are'} {_format_source(source)}" for source, count in others
    ]
    first = _format_source(most)
    return f"{first[0].upper()}{first[1:]}{'; ' if parts else ''}{', '.join(parts)}."


def _format_source(source: Source) -> str:
    return _KNOWN.get(source, source.value)


def add_scale_bar(parts: MarginShapes, board: Board, x: float, y: float, tall: float, width: float) -> float:
    """Add a bar in hexes, and in kilometres or metres if the board says how large a hex is, and return where they end.
    tall: a hex.
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
        step_length = step * tall * unit
        for number in range(parts_of):
            parts.shapes.append(
                Rectangle(
                    x=left + number * step_length,
                    y=y + 2.6,
                    width=step_length,
                    height=1.3,
                    fill=INK if number % 2 == 0 else WHITE,
                    stroke=INK,
                    stroke_width=0.2,
                )
            )
        for number in range(parts_of + 1):
            parts.text(left + number * step_length, y + 2.0, str(number * step), _LEAST, anchor="middle")
        parts.text(left + parts_of * step_length + 2.4, y + 4.0, name, 2.6)
        left += parts_of * step_length + text_width(name, 2.6) + 10
    return y + 8.0


def add_compass(parts: MarginShapes, x: float, y: float, north: float = 0.0) -> None:
    """Add a rose with its north marked. north: how far that is turned from the top of the map, in degrees clockwise."""
    turned = radians(north)
    for number in range(8):
        angle = number * pi / 4 + turned
        reach, near = (8.0, 1.7) if number % 2 == 0 else (4.4, 1.2)
        tip = x + reach * sin(angle), y - reach * cos(angle)
        for side, fill in ((-1, INK), (1, WHITE)):
            beside = angle + side * pi / 8
            foot = x + near * 1.1 * sin(beside), y - near * 1.1 * cos(beside)
            parts.shapes.append(Polygon(points=((x, y), foot, tip), fill=fill, stroke=INK, width=0.2))
    parts.text(x + _LETTER * sin(turned), y + 1.1 - _LETTER * cos(turned), "N", 3.2, anchor="middle", bold=True)


def add_boxes(
    parts: MarginShapes, names: Sequence[str], x: float, y: float, width: float, box_height: float = _BOX_HIGH
) -> float:
    """Add the boxes of a board, each with its name, and return where they end. box_height: of one of them."""
    many = max(int((width + _BETWEEN) // (_BOX + _BETWEEN)), 1)
    box_width = (width + _BETWEEN) / many - _BETWEEN
    for number, name in enumerate(names):
        left, top = x + number % many * (box_width + _BETWEEN), y + number // many * (box_height + _BETWEEN)
        parts.shapes.append(_make_frame(left, top, box_width, box_height))
        words = fit_lines(name, 2.8, box_width - 2, 6.0, least=_LEAST, bold=True)
        for line, text in enumerate(words.lines):
            base = top + 3.0 + line * words.size * 1.1
            parts.text(left + box_width / 2, base, text, words.size, anchor="middle", bold=True)
    rows = -(-len(names) // many)
    return y + rows * (box_height + _BETWEEN) + (2.5 if rows else 0)


def add_turns(parts: MarginShapes, course: Sequence[Turn], x: float, y: float, width: float) -> float:
    """Add a box for each turn with its number and date, the seasons in bands above and the weather below, and return
    where they end.
    """
    if not course:
        return y
    named = (
        text_width(text, _LEAST) + _BAND_PAD
        for turn in course
        for text in (_format_season(turn), _format_weather(turn))
    )
    least = max(_TURN, *named)  # a band over one turn holds its text
    rows = ceil(len(course) / max((width + _BETWEEN) // (least + _BETWEEN), 1))
    many = ceil(len(course) / rows)
    box_width = max(min((width + _BETWEEN) / many - _BETWEEN, _WIDEST_TURN), min(least, width))
    most = max(len(_wrap_date(turn, box_width)) for turn in course)
    height = _TURN_HIGH + max(most - _DATE_LINES, 0) * _LEAST * _DATE_PITCH
    above, below = any(map(_format_season, course)), any(map(_format_weather, course))
    for first in range(0, len(course), many):
        row = course[first : first + many]
        if above:
            _add_bands(parts, map(_format_season, row), x, y, box_width)
            y += _BAND
        for number, turn in enumerate(row):
            _add_turn(parts, turn, x + number * (box_width + _BETWEEN), y, box_width, height)
        y += height
        if below:
            _add_bands(parts, map(_format_weather, row), x, y, box_width)
            y += _BAND
        y += _BETWEEN
    between = next((turn.interphase.text for turn in course if turn.interphase), "")
    if between:
        parts.shapes.append(Polyline(points=((x + 0.4, y + 0.4), (x + 0.4, y + 3.4)), stroke=SOFT_INK, width=_BAR))
        parts.text(x + 2.0, y + 2.8, f"{between} after the turn", _ABOUT * 0.75, fill=SOFT_INK)
        y += 4.0
    return y + 2.5


def _format_season(turn: Turn) -> str:
    return sentence(turn.season.marked) if turn.season else ""


def _format_weather(turn: Turn) -> str:
    return sentence(turn.weather.marked) if turn.weather else ""


def _add_turn(parts: MarginShapes, turn: Turn, x: float, y: float, width: float, height: float) -> None:
    """Add a box with the number of a turn and its date; a bar at its right if something follows it."""
    parts.shapes.append(_make_frame(x, y, width, height))
    parts.text(x + 1.0, y + 4.2, str(turn.number), 4.0, bold=True)
    if turn.date:
        for number, line in enumerate(reversed(_wrap_date(turn, width))):
            parts.text(x + 1.0, y + height - 1.0 - number * _LEAST * _DATE_PITCH, line, _LEAST, fill=SOFT_INK)
    if turn.interphase is not None:
        bar = x + width - 0.9
        parts.shapes.append(Polyline(points=((bar, y + 1), (bar, y + height - 1)), stroke=SOFT_INK, width=_BAR))


def _wrap_date(turn: Turn, width: float) -> Sequence[str]:
    """Return the lines of a date in the box of its turn."""
    return wrap(turn.date.in_words, _LEAST, width - 1.8, broken=True) if turn.date else ()


def _add_bands(parts: MarginShapes, texts: Iterable[str], x: float, y: float, width: float) -> None:
    """Add a band over each run of turns of which the same is said, with the text in it. width: a turn."""
    left = x
    for text, run in groupby(texts):
        across = len(list(run)) * (width + _BETWEEN)
        if text:
            box = left, y + 0.35, across - _BETWEEN, _BAND - 0.7
            parts.shapes.append(inset(box, 0.0, radius=0.8, fill=mix(GRID, PLAIN, 0.68)))
            words = fit_line(text, 2.5, across - _BETWEEN - 1.6, least=_LEAST)
            parts.text(left + 1.0, base_line(y + _BAND / 2, words.size), words.lines[0], words.size)
        left += across


def _make_frame(x: float, y: float, width: float, height: float) -> Rectangle:
    return Rectangle(x=x, y=y, width=width, height=height, radius=0.8, fill=PLAIN, stroke=GRID, stroke_width=0.3)
