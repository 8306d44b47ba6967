"""The shapes that fill one slot of a counter: a ground, a text, a row of figures, symbols or pips.

Lengths are in mm, except shares of a size.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import cos, hypot, pi, sin
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.drawing.colours import INK, WHITE, mix
from assistant.drawing.lettering import FIGURE_HEIGHT as CAP
from assistant.drawing.lettering import (
    FittedText,
    fit_line,
    fit_lines,
    ink_extent,
    ink_rise,
    replace_missing,
    text_width,
)
from assistant.drawing.scene import Anchor, Circle, Point, Polygon, Rectangle, Shape, Symbol, Text, inset
from assistant.drawing.symbols import ASPECT
from assistant.util.notes import note

BLANK_BOX = "[]"
"""The text that is drawn as a blank box: the figure is not known, and a player can write it in."""
QUESTION_MARK_INK = mix(INK, WHITE, 0.55)
"""The ink of the question mark in a blank box, pale enough for a pencil to write over it."""
_QUESTION_MARK_HEIGHT_SHARE = 0.7

# Shares of the size of the letters
_BLANK_WIDTH = 0.6
_BRACKET_SIZE = 0.74  # makes a bracket as high as a figure
_BRACKET_RISE = 0.16  # a bracket of that size would hang below the figures
_LINE_PITCH = 1.02
_DASH_WIDTH = 0.15
_DASH_THICKNESS = 0.085
_ASCENDER_HEIGHT = 0.762
_DESCENDER_DEPTH = 0.24

_MAX_BLANK_WIDTH_SHARE = 0.85
_BLANK_RIM_PER_HEIGHT = 0.055
_MIN_BLANK_RIM_MM = 0.15
_DISC_TEXT_SHARE = 0.88  # diagonal of the text in a disc, as a share of the diameter
_DESCENDER_CLEARANCE_MM = 0.03
_MAX_OVERHANG_MM = 0.06  # capitals may overhang their box by this before they count as cut
_TOLERANCE_MM = 1e-6
_STEPS_PER_CORNER = 6
_ANCHORS: Mapping[str, Anchor] = {"left": "start", "centre": "middle", "right": "end"}
_SHARE_BEFORE: Mapping[str, float] = {
    "left": 0.0,
    "top": 0.0,
    "centre": 0.5,
    "middle": 0.5,
    "right": 1.0,
    "bottom": 1.0,
}
"""Share of the free space before the content, by alignment."""
_MAX_CACHED_GROUNDS = 512  # many counters have the same few grounds


class Area(NamedTuple):
    """A box, `x` and `y` being its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2

    def holds(self, point: Point) -> bool:
        return self.x <= point[0] <= self.x + self.width and self.y <= point[1] <= self.y + self.height


@lru_cache(_MAX_CACHED_GROUNDS)
def draw_ground(area: Area, scene_side: float, radius: float, fill: str) -> Shape:
    """Return a coloured ground; a corner of the ground in a corner of the counter is rounded.

    `scene_side`: the side of the counter with its bleed.
    """
    left, top, right, bottom = area.x, area.y, area.x + area.width, area.y + area.height
    low, high = _TOLERANCE_MM, scene_side - _TOLERANCE_MM
    has_counter_corner = (left < low or right > high) and (top < low or bottom > high)
    if not (radius and has_counter_corner):
        return Rectangle(x=left, y=top, width=area.width, height=area.height, fill=fill)
    points: list[Point] = []
    for x, y, quarter in ((left, top, 2), (right, top, 3), (right, bottom, 0), (left, bottom, 1)):
        if (x < low or x > high) and (y < low or y > high):
            centre = x + (radius if x == left else -radius), y + (radius if y == top else -radius)
            angles = [(quarter + step / _STEPS_PER_CORNER) * pi / 2 for step in range(_STEPS_PER_CORNER + 1)]
            points += [(centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles]
        else:
            points.append((x, y))
    return Polygon(points=tuple(points), fill=fill)


class Lettering(NamedTuple):
    """The setting of letters in a slot."""

    size: float
    min_size: float
    lines: int
    bold: bool
    align: Literal["left", "centre", "right"]
    valign: Annotated[
        Literal["top", "middle", "bottom", "base"],
        note('"middle" centres the capitals; "base" puts every text on the same base line'),
    ]
    weight: Annotated[float, note("width added to the strokes, as a share of the size")] = 0.0


class SlotShapes(NamedTuple):
    """The shapes of a slot, with its defects."""

    shapes: tuple[Shape, ...]
    size: float = 0.0
    """The size of the smallest letters, or 0 if there are none."""
    cut: bool = False
    """Whether the text does not fit even at its smallest size."""
    trouble: str = ""
    """The fault that the author of the design is told, or ""."""
    hint: str = ""
    """The remedy for the fault."""
    figures: tuple[Area, ...] = ()
    """The ink of each figure of a row."""


def set_text(text: str, area: Area, letters: Lettering, ink: str) -> SlotShapes:
    """Return a text in a box, shrunk to fit as far as its smallest size, then cut off."""
    if text == BLANK_BOX:
        width = min(letters.size * _BLANK_WIDTH, area.width * _MAX_BLANK_WIDTH_SHARE)
        height = min(letters.size * CAP, area.height)
        x = area.x + (area.width - width) * _SHARE_BEFORE[letters.align]
        top = area.y + (area.height - height) * _SHARE_BEFORE.get(letters.valign, 0.5)
        return SlotShapes(_draw_blank(x, top + height, width, height), letters.size)
    largest = min(letters.size, max(area.height / CAP, letters.min_size))
    if letters.lines > 1:
        # fit_lines counts two lines as twice the size, while they fill only CAP + _LINE_PITCH of it.
        height = area.height * 2 / (CAP + _LINE_PITCH)
        fitted = fit_lines(text, largest, area.width, height, min_size=letters.min_size, bold=letters.bold)
    else:
        fitted = fit_line(text, largest, area.width, min_size=letters.min_size, bold=letters.bold)
        if len(fitted.lines) == 1:
            fitted = _shrink_to_height(fitted, area.height, letters)
    size, count = fitted.size, len(fitted.lines)
    height = size * (CAP + _LINE_PITCH * (count - 1))
    top = area.y + (area.height - height) * _SHARE_BEFORE.get(letters.valign, 0.5)
    if letters.valign == "base":
        # Room is made for the tails of any letters, so that texts share a base line; ascenders must still fit.
        margin = (area.height - height) / 2
        room_below, room_above = margin - _DESCENDER_DEPTH * size, margin - (_ASCENDER_HEIGHT - CAP) * size
        top -= max(0.0, min(_DESCENDER_CLEARANCE_MM - room_below, room_above))
    elif count == 1:
        top += _shift_into_box(fitted.lines[0], top + height, size, area, bold=letters.bold)
    anchor, bold, weight = _ANCHORS[letters.align], letters.bold, letters.weight
    shapes: list[Text] = []
    for number, line in enumerate(fitted.lines):
        x, y = area.x + area.width * _SHARE_BEFORE[letters.align], top + size * (CAP + _LINE_PITCH * number)
        if anchor == "middle":
            x += _centring_shift(line, bold=bold) * size
        shapes.append(Text(x=x, y=y, text=line, size=size, anchor=anchor, bold=bold, fill=ink, weight=weight))
    return SlotShapes(tuple(shapes), size, fitted.cut or height > area.height + _MAX_OVERHANG_MM)


@lru_cache(maxsize=10_000)
def _centring_shift(line: str, *, bold: bool) -> float:
    """Return the shift to the right, as a share of the size, that centres the ink of a line.

    The typeface centres the line with the empty space before its first and after its last letter, which often differ.
    """
    shown = replace_missing(line.strip())
    if not shown or shown != line:
        return 0.0
    before = ink_extent(shown[0], bold=bold).left
    return (text_width(shown[-1], 1, bold=bold) - ink_extent(shown[-1], bold=bold).right - before) / 2


def _shrink_to_height(fitted: FittedText, height: float, letters: Lettering) -> FittedText:
    """Shrink a line until its accents and tails fit a height, as far as its smallest size."""
    extent = ink_rise(fitted.lines[0], bold=letters.bold)
    ink_height = extent.bottom - extent.top  # as a share of the size
    if ink_height * fitted.size <= height:
        return fitted
    return FittedText(fitted.lines, min(max(height / ink_height, letters.min_size), fitted.size), fitted.cut)


def _shift_into_box(text: str, base: float, size: float, area: Area, *, bold: bool) -> float:
    """Return the shift down that brings the ink of a line into its box.

    If accents and tails do not both fit, the tails hang out.
    """
    extent = ink_rise(text, bold=bold)
    excess_above = area.y - base - extent.top * size
    excess_below = base + extent.bottom * size - area.y - area.height
    return max(excess_above, min(-excess_below, 0.0))


def fit_in_disc(text: str, area: Area, letters: Lettering) -> Lettering:
    """Return letters small enough that the corners of a text stay clear of the rim of its disc."""
    ink = ink_extent(text, bold=letters.bold)
    diagonal = hypot(ink.right - ink.left, CAP)  # as a share of the size
    largest = _DISC_TEXT_SHARE * min(area.width, area.height) / diagonal
    return letters._replace(size=max(min(letters.size, largest), letters.min_size))


class Figure(NamedTuple):
    """A text in a row of figures."""

    text: str
    share: float
    """The size of this text, as a share of the size of the row."""
    ink: str


def draw_row(
    figures: Sequence[Figure], separator: str, area: Area, letters: Lettering, gap: float, separator_ink: str
) -> SlotShapes:
    """Return figures side by side, with a separator between them.

    Distances are measured from ink to ink, as the empty space beside digits differs.

    `gap`: the distance from a figure to the separator, or to the next figure if there is none.
    """
    is_dash = separator == "-"  # drawn as a rectangle: a hyphen is too wide between large figures
    separator_width = text_width(separator, 1, bold=letters.bold) if separator else 0.0  # as a share of the size
    if is_dash:
        separator_width = _DASH_WIDTH
    # The width of the row at size 1, without gaps: it grows with the size, while gaps do not.
    width_per_size = sum(_ink_width(text, share, letters) for text, share, _ in figures)
    width_per_size += separator_width * (len(figures) - 1)
    gaps_width = gap * (2 if separator else 1) * (len(figures) - 1)
    widest = (area.width - gaps_width) / (width_per_size or 1)
    size = max(min(letters.size, area.height / CAP, widest), letters.min_size)
    width = width_per_size * size + gaps_width
    x = area.x + (area.width - width) * _SHARE_BEFORE[letters.align]
    height = size * CAP
    base = area.y + height + (area.height - height) * _SHARE_BEFORE.get(letters.valign, 0.5)
    shapes: list[Shape] = []
    places: list[Area] = []
    for number, (text, share, ink) in enumerate(figures):
        if number:
            x += gap
            if is_dash:
                thickness = size * _DASH_THICKNESS
                top = base - height / 2 - thickness / 2
                shapes.append(Rectangle(x=x, y=top, width=separator_width * size, height=thickness, fill=separator_ink))
                x += separator_width * size + gap
            elif separator:
                shapes.append(Text(x=x, y=base, text=separator, size=size, bold=letters.bold, fill=separator_ink))
                x += separator_width * size + gap
        figure_width = _ink_width(text, size * share, letters)
        if text == BLANK_BOX:
            shapes += _draw_blank(x, base, figure_width, height)
        else:
            space_before, _ = _spaces_beside_ink(text, letters)
            shapes += _draw_figure(text, x - space_before * size * share, base, size * share, letters, ink)
        places.append(Area(x, base - height * share, figure_width, height * share))
        x += figure_width
    smallest = size * min((share for _, share, _ in figures), default=1.0)
    return SlotShapes(tuple(shapes), smallest, width > area.width + 0.01, figures=tuple(places))


def _ink_width(text: str, size: float, letters: Lettering) -> float:
    if text == BLANK_BOX:
        return _BLANK_WIDTH * size
    width = sum(text_width(run, size * share, bold=letters.bold) for run, share in _split_brackets(text))
    return width - size * sum(_spaces_beside_ink(text, letters))


def _spaces_beside_ink(text: str, letters: Lettering) -> tuple[float, float]:
    """Return the empty space before and after the ink of a figure, as shares of the size."""
    if text == BLANK_BOX or not text.strip():
        return 0.0, 0.0
    runs = _split_brackets(text)
    (first, first_share), (last, last_share) = runs[0], runs[-1]
    bold, added = letters.bold, letters.weight / 2  # a heavier stroke grows by half its weight on each side
    before = ink_extent(first, bold=bold).left - added
    after = text_width(last, 1, bold=bold) - ink_extent(last, bold=bold).right - added
    return before * first_share, after * last_share


def _split_brackets(text: str) -> list[tuple[str, float]]:
    """Split `(4)` into its brackets and digits, each with its share of the size.

    Brackets are set smaller so that they are as high as figures.
    """
    return [(run, _BRACKET_SIZE if run in "()" else 1.0) for run in re.findall(r"[()]|[^()]+", text)]


def _draw_figure(text: str, x: float, base: float, size: float, letters: Lettering, ink: str) -> list[Shape]:
    shapes: list[Shape] = []
    for run, share in _split_brackets(text):
        y = base if share == 1 else base - size * _BRACKET_RISE
        shapes.append(Text(x=x, y=y, text=run, size=size * share, bold=letters.bold, fill=ink, weight=letters.weight))
        x += text_width(run, size * share, bold=letters.bold)
    return shapes


def _draw_blank(x: float, base: float, width: float, height: float) -> tuple[Shape, ...]:
    """Return the box of an unknown figure: white to write in, with a pale question mark."""
    rim = max(height * _BLANK_RIM_PER_HEIGHT, _MIN_BLANK_RIM_MM)
    box = inset((x, base - height, width, height), rim / 2, radius=rim, fill=WHITE, stroke=INK, stroke_width=rim)
    return box, question_mark(x + width / 2, base - height / 2, height * _QUESTION_MARK_HEIGHT_SHARE)


def question_mark(x: float, y: float, height: float) -> Text:
    """Return the pale question mark of an unknown figure, centred at `x`, `y`."""
    size = height / CAP
    return Text(x=x, y=y + height / 2, text="?", size=size, anchor="middle", bold=True, fill=QUESTION_MARK_INK)


def draw_chip(kind: Literal["disc", "box", "plate"], area: Area, fill: str, rim: str, rim_width: float) -> Shape:
    """Return the shape behind a text: a disc, a box with round corners, or a plate with square corners."""
    if kind == "disc":
        radius = (min(area.width, area.height) - (rim_width if rim else 0.0)) / 2
        return Circle(x=area.middle[0], y=area.middle[1], radius=radius, fill=fill, stroke=rim, width=rim_width)
    radius = min(area.height * 0.14, 0.5) if kind == "box" else 0.0
    half_rim = rim_width / 2 if rim else 0.0
    return inset(area, half_rim, radius=radius, fill=fill, stroke=rim, stroke_width=rim_width)


def draw_symbol(drawing: Symbol, area: Area, ink: str, fill: str, rim: str, rim_width: float) -> SlotShapes:
    """Return a symbol as large as its box allows, framed if it has a fill or a rim.

    The symbol's lines end under the middle of the rim: at its outer edge they would stick out as spurs.
    """
    aspect = drawing.view_box[2] / drawing.view_box[3]
    height = min(area.height, area.width / aspect)
    width = height * aspect
    x, y = area.middle[0] - width / 2, area.middle[1] - height / 2
    inner_width = width - rim_width if rim else width
    scale = inner_width / width
    left, top = x + (width - inner_width) / 2, y + height * (1 - scale) / 2
    drawn = msgspec.structs.replace(drawing, x=left, y=top, width=inner_width, height=height * scale, ink=ink)
    if not (fill or rim):
        return SlotShapes((drawn,))
    plate = inset((x, y, width, height), 0, fill=fill)
    frame = inset((x, y, width, height), rim_width / 2, stroke=rim, stroke_width=rim_width)
    return SlotShapes((plate, drawn, frame) if rim else (plate, drawn))


def draw_signs(symbols: Sequence[Symbol], area: Area, ink: str, gap: float) -> SlotShapes:
    """Return small symbols in the middle of a box: a column in a high box, else a row."""
    count = len(symbols)
    gaps = gap * (count - 1)
    is_column = area.height > area.width and count > 1
    if is_column:
        height = min(area.width / ASPECT, (area.height - gaps) / count)
    else:
        height = min(area.height, (area.width - gaps) / count / ASPECT)
    width = height * ASPECT
    group_width, group_height = (width, count * height + gaps) if is_column else (count * width + gaps, height)
    left, top = area.middle[0] - group_width / 2, area.middle[1] - group_height / 2
    step = (0.0, height + gap) if is_column else (width + gap, 0.0)
    signs: list[Symbol] = []
    for number, sign in enumerate(symbols):
        x, y = left + number * step[0], top + number * step[1]
        signs.append(msgspec.structs.replace(sign, x=x, y=y, width=width, height=height, ink=ink))
    return SlotShapes(tuple(signs))


def draw_pips(count: int, area: Area, ink: str, gap: float) -> SlotShapes:
    """Return `count` discs in a row, smaller if the row would not fit."""
    diameter = min(area.height, (area.width - gap * (count - 1)) / count)
    left, y = area.middle[0] - (count * diameter + gap * (count - 1)) / 2, area.middle[1]
    return SlotShapes(
        tuple(
            Circle(x=left + number * (diameter + gap) + diameter / 2, y=y, radius=diameter / 2, fill=ink)
            for number in range(count)
        )
    )
