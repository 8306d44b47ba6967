"""What a slot of a counter shows, as shapes in its box: a ground, a text, a row of figures, symbols, pips."""

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

BLANK = "[]"
"""Stands for a blank box."""
_BLANK = 0.6  # the width of a blank box, as a share of the size
_BLANK_ROOM = 0.85  # share of the width of its slot that it takes at most
_MARK = 0.7  # height of the question mark in it, as a share of its own
PALE = mix(INK, WHITE, 0.55)
"""The ink of that question mark, over which a pencil can write."""
_BLANK_RIM = 0.055  # its outline, as a share of its height
_BLANK_LEAST_RIM = 0.15  # mm, that outline at least
_IN_DISC = 0.88  # of the diameter of a disc, from corner to corner of its text
_BRACKET = 0.74  # size of brackets as high as figures, as a share of the size
_BRACKET_RISE = 0.16  # how far they rise, as a share of the size
_LINE = 1.02  # from line to line, as a share of the size
_DASH = 0.15  # width of the dash between figures, as a share of the size
_DASH_HEIGHT = 0.085  # its thickness, as a share of the size
_TALL = 0.762  # how far ascenders reach above the base line, as a share of the size
_TAILS = 0.24  # how far tails reach below it, as a share of the size
_INSIDE = 0.03  # mm inside the box that tails end, if the line has to move up for them
_OVER = 0.06  # mm that capitals may reach over their box
_NEAR = 1e-6  # mm that count as nothing
_ARC = 6  # points of a rounded corner
_ANCHORS: Mapping[str, Anchor] = {"left": "start", "centre": "middle", "right": "end"}
"""Where a text that is aligned so has its point."""
_SHARES: Mapping[str, float] = {"left": 0.0, "top": 0.0, "centre": 0.5, "middle": 0.5, "right": 1.0, "bottom": 1.0}
"""The share of the free room that lies before what is aligned so."""


_GROUNDS = 512  # the same few lie under many counters


class Area(NamedTuple):
    """A box, in millimetres: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        """Its centre."""
        return self.x + self.width / 2, self.y + self.height / 2

    def holds(self, point: Point) -> bool:
        """Return whether a point lies in it."""
        return self.x <= point[0] <= self.x + self.width and self.y <= point[1] <= self.y + self.height


@lru_cache(_GROUNDS)
def draw_ground(area: Area, whole: float, radius: float, fill: str) -> Shape:
    """Return a coloured ground; its corners that are corners of the counter are rounded. whole: side of the scene."""
    left, top, right, bottom = area.x, area.y, area.x + area.width, area.y + area.height
    is_in_corner = (left < _NEAR or right > whole - _NEAR) and (top < _NEAR or bottom > whole - _NEAR)
    if not (radius and is_in_corner):
        return Rectangle(x=left, y=top, width=area.width, height=area.height, fill=fill)
    points: list[Point] = []
    for x, y, turn in ((left, top, 2), (right, top, 3), (right, bottom, 0), (left, bottom, 1)):
        if (x < _NEAR or x > whole - _NEAR) and (y < _NEAR or y > whole - _NEAR):
            centre = x + (radius if x == left else -radius), y + (radius if y == top else -radius)
            angles = [(turn + step / _ARC) * pi / 2 for step in range(_ARC + 1)]
            points += [(centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in angles]
        else:
            points.append((x, y))
    return Polygon(points=tuple(points), fill=fill)


class Lettering(NamedTuple):
    """How letters are set, sizes in millimetres."""

    size: float
    least: Annotated[float, note("the smallest size")]
    lines: int
    bold: bool
    align: Literal["left", "centre", "right"]
    valign: Annotated[
        Literal["top", "middle", "bottom", "base"],
        note('"middle": capitals in the middle; "base": on one base line whichever letters these are'),
    ]
    weight: Annotated[float, note("how much heavier than the face strokes are, as a share of the size")] = 0.0


class SlotShapes(NamedTuple):
    """Shapes of a slot."""

    shapes: tuple[Shape, ...]
    size: float = 0.0
    """Of their letters in millimetres, 0 without letters."""
    cut: bool = False
    """Whether letters found no room."""
    trouble: str = ""
    """What is wrong with them, in words."""
    hint: str = ""
    """What to do."""


def set_text(text: str, area: Area, letters: Lettering, ink: str) -> SlotShapes:
    """Return a text in a box: smaller if it is too long, down to the least size, then cut off."""
    if text == BLANK:
        width, height = min(letters.size * _BLANK, area.width * _BLANK_ROOM), min(letters.size * CAP, area.height)
        x = area.x + (area.width - width) * _SHARES[letters.align]
        top = area.y + (area.height - height) * _SHARES.get(letters.valign, 0.5)
        return SlotShapes(_draw_blank(x, top + height, width, height), letters.size)
    largest = min(letters.size, max(area.height / CAP, letters.least))
    if letters.lines > 1:
        height = area.height * 2 / (CAP + _LINE)  # of two lines, as fit_lines counts it: twice the size
        words = fit_lines(text, largest, area.width, height, least=letters.least, bold=letters.bold)
    else:
        words = fit_line(text, largest, area.width, least=letters.least, bold=letters.bold)
        if len(words.lines) == 1:
            words = _shrink_to_height(words, area.height, letters)
    size, count = words.size, len(words.lines)
    height = size * (CAP + _LINE * (count - 1))
    top = area.y + (area.height - height) * _SHARES.get(letters.valign, 0.5)
    if letters.valign == "base":
        below, above = (area.height - height) / 2 - _TAILS * size, (area.height - height) / 2 - (_TALL - CAP) * size
        top -= max(0.0, min(_INSIDE - below, above))
    elif count == 1:
        top += _move_inside(words.lines[0], top + height, size, area, bold=letters.bold)
    share = _SHARES[letters.align]
    anchor = _ANCHORS[letters.align]
    bold, lines = letters.bold, list[Text]()
    for number, line in enumerate(words.lines):
        x, y = area.x + area.width * share, top + size * (CAP + _LINE * number)
        if anchor == "middle":
            x += _measure_offset(line, bold=bold) * size
        weight = letters.weight
        lines.append(Text(x=x, y=y, text=line, size=size, anchor=anchor, bold=bold, fill=ink, weight=weight))
    return SlotShapes(tuple(lines), size, words.cut or height > area.height + _OVER)


@lru_cache(maxsize=10_000)
def _measure_offset(line: str, *, bold: bool) -> float:
    """Return how far to the right a centred line has to move so that its ink is centred, as a share of its size: the
    first letter and the last seldom have the same room beside their ink.
    """
    shown = replace_missing(line.strip())
    if not shown or shown != line:
        return 0.0
    before = ink_extent(shown[0], bold=bold).left
    return (text_width(shown[-1], 1, bold=bold) - ink_extent(shown[-1], bold=bold).right - before) / 2


def _shrink_to_height(words: FittedText, height: float, letters: Lettering) -> FittedText:
    """Return a line as small as its accents and tails need to have room in a box of this height, down to the least
    size.
    """
    extent = ink_rise(words.lines[0], bold=letters.bold)
    height_of_ink = extent.bottom - extent.top
    if height_of_ink * words.size <= height:
        return words
    return FittedText(words.lines, min(max(height / height_of_ink, letters.least), words.size), words.cut)


def _move_inside(text: str, base: float, size: float, area: Area, *, bold: bool) -> float:
    """Return how far down a line moves so that accents and the tails of its letters stay in its box; tails hang below
    it if there is no room for both.
    """
    extent = ink_rise(text, bold=bold)
    above, below = area.y - base - extent.top * size, base + extent.bottom * size - area.y - area.height
    return max(above, min(-below, 0.0))


def fit_in_disc(text: str, area: Area, letters: Lettering) -> Lettering:
    """Return how a text is set in a disc: so small that its corners stay clear of the rim."""
    ink = ink_extent(text, bold=letters.bold)
    across = hypot(ink.right - ink.left, CAP)
    return letters._replace(
        size=max(min(letters.size, _IN_DISC * min(area.width, area.height) / across), letters.least)
    )


class Figure(NamedTuple):
    """A text in a row of figures."""

    text: str
    share: float
    """Its size, as a share of that of the row."""
    ink: str


def draw_row(
    texts: Sequence[Figure], separator: str, area: Area, letters: Lettering, gap: float, pale: str
) -> SlotShapes:
    """Return figures side by side, at one size, with signs between them, as far apart as their ink is.

    gap: on both sides of a sign; pale: the ink of the signs.
    """
    dash = separator == "-"  # drawn, for a hyphen is too wide between large figures
    between = text_width(separator, 1, bold=letters.bold) if separator else 0.0
    if dash:
        between = _DASH
    unit = sum(_measure_ink(text, share, letters) for text, share, _ in texts) + between * (len(texts) - 1)
    gaps = gap * (2 if separator else 1) * (len(texts) - 1)
    size = max(min(letters.size, area.height / CAP, (area.width - gaps) / (unit or 1)), letters.least)
    width = unit * size + gaps
    x = area.x + (area.width - width) * _SHARES[letters.align]
    height = size * CAP
    base = area.y + height + (area.height - height) * _SHARES.get(letters.valign, 0.5)
    shapes: list[Shape] = []
    for number, (text, share, ink) in enumerate(texts):
        if number:
            x += gap
            if dash:
                thick = size * _DASH_HEIGHT
                middle = base - height / 2 - thick / 2
                shapes.append(Rectangle(x=x, y=middle, width=between * size, height=thick, fill=pale))
                x += between * size + gap
            elif separator:
                shapes.append(Text(x=x, y=base, text=separator, size=size, bold=letters.bold, fill=pale))
                x += between * size + gap
        wide_ink = _measure_ink(text, size * share, letters)
        if text == BLANK:
            shapes += _draw_blank(x, base, wide_ink, height)
        else:
            before, _ = _measure_bearings(text, letters)
            shapes += _draw_figure(text, x - before * size * share, base, size * share, letters, ink)
        x += wide_ink
    return SlotShapes(
        tuple(shapes), size * min((share for _, share, _ in texts), default=1.0), width > area.width + 0.01
    )


def _measure_ink(text: str, size: float, letters: Lettering) -> float:
    """Return how wide the ink of a figure is."""
    if text == BLANK:
        return _BLANK * size
    width = sum(text_width(run, size * share, bold=letters.bold) for run, share in _split_brackets(text))
    return width - size * sum(_measure_bearings(text, letters))


def _measure_bearings(text: str, letters: Lettering) -> tuple[float, float]:
    """Return the empty room before and after the ink of a figure, as shares of the size."""
    if text == BLANK or not text.strip():
        return 0.0, 0.0
    (first, small), (last, little) = _split_brackets(text)[0], _split_brackets(text)[-1]
    bold, heavier = letters.bold, letters.weight / 2
    behind = text_width(last, 1, bold=bold) - ink_extent(last, bold=bold).right - heavier
    return (ink_extent(first, bold=bold).left - heavier) * small, behind * little


def _split_brackets(text: str) -> list[tuple[str, float]]:
    """Return the parts of a figure, each with its size as a share: brackets are as high as figures."""
    return [(run, _BRACKET if run in "()" else 1.0) for run in re.findall(r"[()]|[^()]+", text)]


def _draw_figure(text: str, x: float, base: float, size: float, letters: Lettering, ink: str) -> list[Shape]:
    """Return a figure whose brackets do not hang below it."""
    shapes: list[Shape] = []
    for run, share in _split_brackets(text):
        y = base if share == 1 else base - size * _BRACKET_RISE
        shapes.append(Text(x=x, y=y, text=run, size=size * share, bold=letters.bold, fill=ink, weight=letters.weight))
        x += text_width(run, size * share, bold=letters.bold)
    return shapes


def _draw_blank(x: float, base: float, width: float, height: float) -> tuple[Shape, ...]:
    """Return a white box to write in, for a figure that is not known: the pale question mark in it says so."""
    rim = max(height * _BLANK_RIM, _BLANK_LEAST_RIM)
    box = inset((x, base - height, width, height), rim / 2, radius=rim, fill=WHITE, stroke=INK, stroke_width=rim)
    return box, question_mark(x + width / 2, base - height / 2, height * _MARK)


def question_mark(x: float, y: float, height: float) -> Text:
    """Return the pale question mark in a box or disc whose figure is not known. x, y: its middle; height: its height."""
    size = height / CAP
    return Text(x=x, y=y + height / 2, text="?", size=size, anchor="middle", bold=True, fill=PALE)


def draw_chip(kind: Literal["disc", "box", "plate"], area: Area, fill: str, rim: str, rim_width: float) -> Shape:
    """Return a disc, a box with round corners or a plate with square ones behind a text."""
    if kind == "disc":
        radius = (min(area.width, area.height) - (rim_width if rim else 0.0)) / 2
        return Circle(x=area.middle[0], y=area.middle[1], radius=radius, fill=fill, stroke=rim, width=rim_width)
    radius = min(area.height * 0.14, 0.5) if kind == "box" else 0.0
    by = rim_width / 2 if rim else 0.0
    return inset(area, by, radius=radius, fill=fill, stroke=rim, stroke_width=rim_width)


def draw_symbol(drawing: Symbol, area: Area, ink: str, fill: str, rim: str, rim_width: float) -> SlotShapes:
    """Return a symbol as large as its box allows, in a frame if it has a fill or a rim: its lines end under the middle
    of the rim, for a line that ends at the outer edge shows there as a spur on screens and in print.
    """
    aspect = drawing.view_box[2] / drawing.view_box[3]
    height = min(area.height, area.width / aspect)
    width = height * aspect
    x, y = area.middle[0] - width / 2, area.middle[1] - height / 2
    inside = width - rim_width if rim else width
    share = inside / width
    left, top = x + (width - inside) / 2, y + height * (1 - share) / 2
    drawn = msgspec.structs.replace(drawing, x=left, y=top, width=inside, height=height * share, ink=ink)
    if not (fill or rim):
        return SlotShapes((drawn,))
    plate = inset((x, y, width, height), 0, fill=fill)
    frame = inset((x, y, width, height), rim_width / 2, stroke=rim, stroke_width=rim_width)
    return SlotShapes((plate, drawn, frame) if rim else (plate, drawn))


def draw_signs(symbols: Sequence[Symbol], area: Area, ink: str, gap: float) -> SlotShapes:
    """Return small symbols in the middle of a box, side by side if it is wide, else one below the other."""
    count = len(symbols)
    gaps = gap * (count - 1)
    down = area.height > area.width and count > 1
    if down:
        height = min(area.width / ASPECT, (area.height - gaps) / count)
    else:
        height = min(area.height, (area.width - gaps) / count / ASPECT)
    width = height * ASPECT
    across, along = (width, count * height + gaps) if down else (count * width + gaps, height)
    left, top = area.middle[0] - across / 2, area.middle[1] - along / 2
    step = (0.0, height + gap) if down else (width + gap, 0.0)
    signs: list[Symbol] = []
    for number, sign in enumerate(symbols):
        x, y = left + number * step[0], top + number * step[1]
        signs.append(msgspec.structs.replace(sign, x=x, y=y, width=width, height=height, ink=ink))
    return SlotShapes(tuple(signs))


def draw_pips(count: int, area: Area, ink: str, gap: float) -> SlotShapes:
    """Return as many discs in a row, smaller if there are many."""
    each = min(area.height, (area.width - gap * (count - 1)) / count)
    left, y = area.middle[0] - (count * each + gap * (count - 1)) / 2, area.middle[1]
    return SlotShapes(
        tuple(
            Circle(x=left + number * (each + gap) + each / 2, y=y, radius=each / 2, fill=ink) for number in range(count)
        )
    )
