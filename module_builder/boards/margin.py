"""The margin of a poster: title, scale, compass, boxes and turn track.

Lengths and sizes of letters are in units of the margin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from math import ceil, cos, pi, radians, sin

from assistant.drawing.colours import INK, WHITE, mix
from assistant.drawing.lettering import base_line, fit_line, fit_lines, text_width, wrap
from assistant.drawing.scene import Anchor, Polygon, Polyline, Rectangle, Shape, Text, inset
from assistant.drawing.style import GRID, SOFT_INK, UNKNOWN_GROUND
from assistant.game.boards import Board
from assistant.game.turn_record import Turn
from assistant.state.tracks import Source
from assistant.util.typesetting import sentence

READABLE_UNIT = 1.75
"""The smallest unit of the margin with which it can be read, in units of a map at full size."""
# All sizes and lengths below are in units of the margin.
_TITLE_SIZE = 7.0
_DESCRIPTION_SIZE = 3.6
_SMALL_SIZE = 2.8
_MIN_SIZE = 2.4  # can still be read in print where a hex is 16 mm high
_NORTH_LETTER_DISTANCE = 9.9
"""The distance of the letter N from the middle of the compass, in units of the margin."""
COMPASS_ROOM = 20.0
"""The width and height of the compass, with the space around it."""
_MIN_BOX_WIDTH = 30.0
_BOX_HEIGHT = 20.0
_BOX_GAP = 1.5
_MIN_TURN_WIDTH = 14.5
_TURN_HEIGHT = 13.5
_MAX_TURN_WIDTH = 24.0  # for a turn that is widened to fill its row
_BAND_HEIGHT = 4.2
_INTERPHASE_BAR_WIDTH = 0.8
_MAX_DATE_LINES = 3  # in a turn's box; for a longer date all boxes become higher
_DATE_PITCH_FACTOR = 1.08  # from line to line, as a multiple of the size
_BAND_PAD = 1.8
_MAX_SCALE_LENGTH = 70.0
_SCALE_BAR_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""The possible lengths of a step of a scale bar, in the unit of the bar: hexes, km or m."""


_SOURCE_WORDS = {
    Source.DRAWN: "drawn from geography, not from the printed map",
    Source.RULEBOOK: "from the rulebook",
    Source.PRINTED: "from the printed map",
    Source.STATED: "stated by the owner of the game",
}
"""The words for facts from each source."""


class MarginShapes:
    """A collector of a margin's shapes."""

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
        """Add a line of text, `y` being its base line."""
        self.shapes.append(Text(x=x, y=y, text=text, size=size, anchor=anchor, bold=bold, fill=fill))


def add_headline(
    parts: MarginShapes, game: str, description: str, known: Sequence[str], x: float, y: float, width: float
) -> float:
    """Add the title, a description and the sources of the map, and return the y below them.

    `description`: the description.
    `known`: sentences on the sources, each on a line of its own.
    """
    room = width - COMPASS_ROOM
    title = fit_line(game, _TITLE_SIZE, room, min_size=3.0, bold=True)
    y += _TITLE_SIZE * 0.8
    parts.text(x, y, title.lines[0], title.size, bold=True)
    y += 1.4
    for line in wrap(description, _DESCRIPTION_SIZE, room):
        y += _DESCRIPTION_SIZE * 1.2
        parts.text(x, y, line, _DESCRIPTION_SIZE)
    for line in (line for words in known for line in wrap(words, _SMALL_SIZE, room)):
        y += _SMALL_SIZE * 1.35
        parts.text(x, y, line, _SMALL_SIZE, fill=SOFT_INK)
    return y + 3.5


def format_sources(board: Board) -> str:
    """Return a sentence on the sources of a board's facts, or "" for a board without facts.

    It names the source of most facts without a number, and counts the facts from others.
    """
    fact_counts: Counter[Source] = Counter()
    for counts in board.sources.values():
        fact_counts.update(counts)
    if not fact_counts:
        return ""
    (main_source, _), *others = fact_counts.most_common()
    parts = [
        f"{count:,} {'fact is' if count == 1 else 'facts are'} {_format_source(source)}" for source, count in others
    ]
    first = _format_source(main_source)
    return f"{first[0].upper()}{first[1:]}{'; ' if parts else ''}{', '.join(parts)}."


def _format_source(source: Source) -> str:
    return _SOURCE_WORDS.get(source, source.value)


def add_scale_bar(parts: MarginShapes, board: Board, x: float, y: float, hex_height: float, width: float) -> float:
    """Add a scale in hexes, and one in kilometres or metres if a hex has a size, and return the y below them."""
    scales = [(1.0, "hexes")]  # the length of a unit in hexes, and its name
    if board.kilometres >= 1:
        scales.append((1 / board.kilometres, "km"))
    elif board.kilometres >= 0.001:
        scales.append((0.001 / board.kilometres, "m"))
    left = x
    for unit, name in scales:
        max_units = min(_MAX_SCALE_LENGTH, width * 0.4) / (hex_height * unit)
        # The largest step that fits four times, else the smallest one.
        step = ([step for step in _SCALE_BAR_STEPS if step * 4 <= max_units] or [_SCALE_BAR_STEPS[0]])[-1]
        step_count = max(min(int(max_units // step), 5), 1)
        step_length = step * hex_height * unit
        for number in range(step_count):
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
        for number in range(step_count + 1):
            parts.text(left + number * step_length, y + 2.0, str(number * step), _MIN_SIZE, anchor="middle")
        parts.text(left + step_count * step_length + 2.4, y + 4.0, name, 2.6)
        left += step_count * step_length + text_width(name, 2.6) + 10
    return y + 8.0


def add_compass(parts: MarginShapes, x: float, y: float, north: float = 0.0) -> None:
    """Add a compass rose centred at `x`, `y`.

    `north`: the direction of north, in degrees clockwise from the top of the map.
    """
    north_angle = radians(north)
    for number in range(8):
        angle = number * pi / 4 + north_angle
        length, half_width = (8.0, 1.7) if number % 2 == 0 else (4.4, 1.2)  # for main points, or the minor ones between
        tip = x + length * sin(angle), y - length * cos(angle)
        for side, fill in ((-1, INK), (1, WHITE)):
            foot_angle = angle + side * pi / 8
            foot = x + half_width * 1.1 * sin(foot_angle), y - half_width * 1.1 * cos(foot_angle)
            parts.shapes.append(Polygon(points=((x, y), foot, tip), fill=fill, stroke=INK, width=0.2))
    distance = _NORTH_LETTER_DISTANCE
    left, base = x + distance * sin(north_angle), y + 1.1 - distance * cos(north_angle)
    parts.text(left, base, "N", 3.2, anchor="middle", bold=True)


def add_boxes(
    parts: MarginShapes, names: Sequence[str], x: float, y: float, width: float, box_height: float = _BOX_HEIGHT
) -> float:
    """Add the boxes of a board in rows, each with its name, and return the y below them."""
    columns = max(int((width + _BOX_GAP) // (_MIN_BOX_WIDTH + _BOX_GAP)), 1)
    box_width = (width + _BOX_GAP) / columns - _BOX_GAP
    for number, name in enumerate(names):
        left, top = x + number % columns * (box_width + _BOX_GAP), y + number // columns * (box_height + _BOX_GAP)
        parts.shapes.append(_make_frame(left, top, box_width, box_height))
        words = fit_lines(name, 2.8, box_width - 2, 6.0, min_size=_MIN_SIZE, bold=True)
        for line, text in enumerate(words.lines):
            base = top + 3.0 + line * words.size * 1.1
            parts.text(left + box_width / 2, base, text, words.size, anchor="middle", bold=True)
    rows = -(-len(names) // columns)  # rounded up
    return y + rows * (box_height + _BOX_GAP) + (2.5 if rows else 0)


def add_turns(parts: MarginShapes, course: Sequence[Turn], x: float, y: float, width: float) -> float:
    """Add a box for each turn, with bands for seasons above and for weather below, and return the y below them."""
    if not course:
        return y
    band_widths = (
        text_width(text, _MIN_SIZE) + _BAND_PAD
        for turn in course
        for text in (_format_season(turn), _format_weather(turn))
    )
    min_width = max(_MIN_TURN_WIDTH, *band_widths)  # a band over a single turn must hold its text
    rows = ceil(len(course) / max((width + _BOX_GAP) // (min_width + _BOX_GAP), 1))
    columns = ceil(len(course) / rows)
    box_width = max(min((width + _BOX_GAP) / columns - _BOX_GAP, _MAX_TURN_WIDTH), min(min_width, width))
    date_lines = max(len(_wrap_date(turn, box_width)) for turn in course)
    height = _TURN_HEIGHT + max(date_lines - _MAX_DATE_LINES, 0) * _MIN_SIZE * _DATE_PITCH_FACTOR
    has_seasons, has_weather = any(map(_format_season, course)), any(map(_format_weather, course))
    for first in range(0, len(course), columns):
        row = course[first : first + columns]
        if has_seasons:
            _add_bands(parts, map(_format_season, row), x, y, box_width)
            y += _BAND_HEIGHT
        for number, turn in enumerate(row):
            _add_turn(parts, turn, x + number * (box_width + _BOX_GAP), y, box_width, height)
        y += height
        if has_weather:
            _add_bands(parts, map(_format_weather, row), x, y, box_width)
            y += _BAND_HEIGHT
        y += _BOX_GAP
    interphase = next((turn.interphase.text for turn in course if turn.interphase), "")
    if interphase:  # the key to the bars at the right of turns
        parts.shapes.append(
            Polyline(points=((x + 0.4, y + 0.4), (x + 0.4, y + 3.4)), stroke=SOFT_INK, width=_INTERPHASE_BAR_WIDTH)
        )
        parts.text(x + 2.0, y + 2.8, f"{interphase} after the turn", _DESCRIPTION_SIZE * 0.75, fill=SOFT_INK)
        y += 4.0
    return y + 2.5


def _format_season(turn: Turn) -> str:
    return sentence(turn.season.marked) if turn.season else ""


def _format_weather(turn: Turn) -> str:
    return sentence(turn.weather.marked) if turn.weather else ""


def _add_turn(parts: MarginShapes, turn: Turn, x: float, y: float, width: float, height: float) -> None:
    """Add the box of a turn with its number and date, and a bar at its right if an interphase follows."""
    parts.shapes.append(_make_frame(x, y, width, height))
    parts.text(x + 1.0, y + 4.2, str(turn.number), 4.0, bold=True)
    if turn.date:
        for number, line in enumerate(reversed(_wrap_date(turn, width))):
            parts.text(
                x + 1.0, y + height - 1.0 - number * _MIN_SIZE * _DATE_PITCH_FACTOR, line, _MIN_SIZE, fill=SOFT_INK
            )
    if turn.interphase is not None:
        bar_x = x + width - 0.9
        points = (bar_x, y + 1), (bar_x, y + height - 1)
        parts.shapes.append(Polyline(points=points, stroke=SOFT_INK, width=_INTERPHASE_BAR_WIDTH))


def _wrap_date(turn: Turn, width: float) -> Sequence[str]:
    return wrap(turn.date.in_words, _MIN_SIZE, width - 1.8, broken=True) if turn.date else ()


def _add_bands(parts: MarginShapes, texts: Iterable[str], x: float, y: float, turn_width: float) -> None:
    """Add a band with its text over each run of turns with the same text; "" leaves a gap.

    `texts`: the text of each turn in a row.
    """
    left = x
    for text, run in groupby(texts):
        run_width = len(list(run)) * (turn_width + _BOX_GAP)
        if text:
            box = left, y + 0.35, run_width - _BOX_GAP, _BAND_HEIGHT - 0.7
            parts.shapes.append(inset(box, 0.0, radius=0.8, fill=mix(GRID, UNKNOWN_GROUND, 0.68)))
            words = fit_line(text, 2.5, run_width - _BOX_GAP - 1.6, min_size=_MIN_SIZE)
            parts.text(left + 1.0, base_line(y + _BAND_HEIGHT / 2, words.size), words.lines[0], words.size)
        left += run_width


def _make_frame(x: float, y: float, width: float, height: float) -> Rectangle:
    return Rectangle(
        x=x, y=y, width=width, height=height, radius=0.8, fill=UNKNOWN_GROUND, stroke=GRID, stroke_width=0.3
    )
