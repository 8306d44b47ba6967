"""The page below the map of a sketch: the working in rows of figures, tables, lines of words, and the key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from ...asking.sketch import UNKNOWN, ArrowKind, FateKind, FigureTable, Role, Sketch, ZoneHexes
from ...asking.view import View
from ..answer_page import Block
from ..colours import INK, WHITE, mix
from ..geometry import PageBox, hexagon
from ..hatching import slant_of
from ..legend import Draw, KeyEntry, KeyStyle, MapKey, hatched_sign
from ..lettering import FittedText, base_line, fit_lines, text_width, wrap
from ..scene import ANCHORS, Anchor, Circle, Layer, Path, Rectangle, Shape, Text, shift, text_lines
from ..style import GRID, MARGIN, PAPER, SOFT_INK
from .arrows import arrow_shapes, named_shapes
from .fates import FATE_SIGNS, LEFT_WORDS, veil_shapes
from .lanes import bead_shapes
from .layers import ZONE, frame_shapes, shade_shapes, tint_shapes
from .marks import make_tag, tag_shapes

_LINE_HEIGHT_MM = 4.5
"""The height of a line of words."""

# --- the working ------------------------------------------------------------------------------------------------------

_ROW_HEIGHT_MM = 5.0
_TEXT_SIZE_MM = 3.1
_CELL_GAP_MM = 4.0
_TOTAL_COLOUR = mix(GRID, PAPER, 0.62)
"""The ground colour of a row with a sum."""
_HEADING_SIZE_MM = 3.4
_HEADING_HEIGHT_MM = 5.6
_ANSWER_SIZE_MM = 4.6
_ANSWER_HEIGHT_MM = 7.4
_ROW_PADDING_MM = 1.6
_COLUMN_GAP_MM = 5.0
_MIN_COLUMN_WIDTH_MM = 50.0


def working_blocks(sketch: Sketch, width: float) -> Iterator[Block]:
    """Yield the calculation from the figures of a sketch to its answers.

    It is in two columns if the width in mm allows it.
    """
    half = (width - _COLUMN_GAP_MM) / 2
    parts: list[Callable[[float], _WorkingBlock]] = [
        partial(_WorkingBlock, chain.title, chain.links, answer=chain.answer) for chain in sketch.chains if chain.links
    ]
    sums = [table for table in sketch.tables if is_sum(table)]
    parts[1:1] = [partial(_WorkingBlock, table.title, table.rows, totals=table.totals) for table in sums]
    while parts:
        if half < _MIN_COLUMN_WIDTH_MM or len(parts) == 1:
            yield parts.pop(0)(width)
        else:
            yield _SideBySide(parts.pop(0)(half), parts.pop(0)(half), half + _COLUMN_GAP_MM)


def is_sum(table: FigureTable) -> bool:
    """Return whether a table belongs to the calculation: a title, and rows of a word and a figure."""
    return bool(table.title and table.rows) and not table.heads and all(len(row) == 2 for row in table.rows)


def find_badge(sketch: Sketch) -> str:
    """Return the result of the first figures of a sketch, such as a column, or "" if there are none."""
    return next((chain.links[chain.answer][1] for chain in sketch.chains if chain.links), "")


def find_due(sketch: Sketch) -> Sequence[str]:
    """Return the next rolls or choices if they belong beside the answer: there is a badge, and they are few."""
    return sketch.owed if find_badge(sketch) and len(sketch.owed) <= _MAX_DUE_LINES else ()


class _WorkingRow(NamedTuple):
    words: Sequence[str]
    """The words for the figure, line by line."""
    calculation: str
    """The calculation of the figure, or ""."""
    figure: FittedText
    height: float


class _WorkingBlock:
    """Figures under a heading, a row for each with its word.

    `width`: the width of the rows, in mm.
    `answer`: the index of the dark row with the answer.
    `totals`: the indexes of rows with the sum of the rows before.
    """

    def __init__(
        self,
        title: str,
        rows: Iterable[Sequence[str]],
        width: float,
        *,
        answer: int | None = None,
        totals: Collection[int] = (),
    ) -> None:
        self._title, self._width, self._answer, self._totals = title, width, answer, totals
        figures = [(word, *self._fit_figure(figure, number)) for number, (word, figure) in enumerate(rows)]
        self._widest = max((wide for *_, wide in figures), default=0.0)
        self._rows = [self._fit_row(word, figure, number) for number, (word, figure, _) in enumerate(figures)]

    def _fit_figure(self, figure: str, number: int) -> tuple[FittedText, float]:
        size = _ANSWER_SIZE_MM if number == self._answer else _TEXT_SIZE_MM
        fitted = fit_lines(figure, size, self._width * 0.6, 2 * size, min_size=2.4, bold=True)
        return fitted, max(text_width(line, fitted.size, bold=True) for line in fitted.lines)

    def _fit_row(self, word: str, figure: FittedText, number: int) -> _WorkingRow:
        bold, height = (
            number in self._totals or number == self._answer,
            _ANSWER_HEIGHT_MM if number == self._answer else _ROW_HEIGHT_MM,
        )
        room = self._width - self._widest - _CELL_GAP_MM - 2 * _ROW_PADDING_MM
        what, _, calculation = word.partition(": ")
        if (
            not calculation
            or bold
            or text_width(what, _TEXT_SIZE_MM) + text_width(calculation, _TEXT_SIZE_MM) + _CELL_GAP_MM > room
        ):
            what, calculation = word, ""
        words = wrap(what, _TEXT_SIZE_MM, room, bold=bold)
        return _WorkingRow(
            words, calculation, figure, height + (max(len(words), len(figure.lines)) - 1) * _LINE_HEIGHT_MM
        )

    @property
    def height(self) -> float:
        return _HEADING_HEIGHT_MM + sum(row.height for row in self._rows) + 1.0

    def layer(self, top: float) -> Layer:
        shapes: list[Shape] = [
            Text(x=MARGIN + _ROW_PADDING_MM, y=top + 3.9, text=self._title, size=_HEADING_SIZE_MM, bold=True, fill=INK),
            Rectangle(x=MARGIN, y=top + _HEADING_HEIGHT_MM - 0.4, width=self._width, height=0.4, fill=INK),
        ]
        y = top + _HEADING_HEIGHT_MM
        for number, (words, calculation, figure, height) in enumerate(self._rows):
            middle, is_answer, is_total = y + height / 2, number == self._answer, number in self._totals
            ink, right = WHITE if is_answer else INK, MARGIN + self._width - _ROW_PADDING_MM
            if is_answer or is_total:
                fill = INK if is_answer else _TOTAL_COLOUR
                shapes.append(Rectangle(x=MARGIN, y=y, width=self._width, height=height, fill=fill))
            else:
                shapes.append(Rectangle(x=MARGIN, y=y + height - 0.12, width=self._width, height=0.12, fill=GRID))
            base, pitch = (
                base_line(middle, _TEXT_SIZE_MM, len(words), _LINE_HEIGHT_MM / _TEXT_SIZE_MM),
                _LINE_HEIGHT_MM / _TEXT_SIZE_MM,
            )
            shapes += text_lines(
                words, base, _TEXT_SIZE_MM, pitch, x=MARGIN + _ROW_PADDING_MM, bold=is_answer or is_total, fill=ink
            )
            if calculation:
                at = right - self._widest - _CELL_GAP_MM
                shapes.append(Text(x=at, y=base, text=calculation, size=_TEXT_SIZE_MM, anchor="end", fill=SOFT_INK))
            base = base_line(middle, figure.size, len(figure.lines), 1.05)
            shapes += text_lines(figure.lines, base, figure.size, 1.05, x=right, anchor="end", bold=True, fill=ink)
            y += height
        return Layer("working", tuple(shapes))


class _SideBySide:
    def __init__(self, left: Block, right: Block, across: float) -> None:
        self._left, self._right, self._across = left, right, across

    @property
    def height(self) -> float:
        return max(self._left.height, self._right.height)

    def layer(self, top: float) -> Layer:
        right = shift(self._right.layer(top), self._across, 0.0)
        return Layer("working", (*self._left.layer(top).shapes, *right.shapes))


_MAX_DUE_LINES = 2
"""The maximum number of rolls and choices beside the answer."""


class TableBlock:
    """A table of figures."""

    def __init__(self, table: FigureTable, *, wrapped: bool = False) -> None:
        rows = _wrap_heads(table) if wrapped and table.heads else [*filter(None, (table.heads, *table.rows))]
        self._rows = [*rows]
        self._headed = len(rows) - len(table.rows)
        self._totals = {number + self._headed for number in table.totals}
        self._widths = [
            max(text_width(cell, _TEXT_SIZE_MM, bold=True) for cell in column)
            for column in zip(*self._rows, strict=True)
        ]

    @property
    def width(self) -> float:
        return sum(self._widths) + _CELL_GAP_MM * (len(self._widths) - 1)

    @property
    def height(self) -> float:
        return len(self._rows) * _ROW_HEIGHT_MM + 1.5

    def layer(self, top: float) -> Layer:
        """Return the table with its upper edge at `top`: labels on the left, figures right of them."""
        shapes: list[Shape] = []
        for number, row in enumerate(self._rows):
            base, x = top + (number + 0.72) * _ROW_HEIGHT_MM, MARGIN
            head, total = number < self._headed, number in self._totals
            if total:
                y, row_width = top + number * _ROW_HEIGHT_MM + 0.35, self.width + 2.0
                shapes.append(
                    Rectangle(
                        x=MARGIN - 1.0,
                        y=y,
                        width=row_width,
                        height=_ROW_HEIGHT_MM - 0.7,
                        fill=_TOTAL_COLOUR,
                        radius=0.6,
                    )
                )
            ink = SOFT_INK if head else INK
            for column, (cell, width) in enumerate(zip(row, self._widths, strict=True)):
                bold = head or total or column > 0
                anchor: Anchor = "middle" if column else "start"
                at = x + width * ANCHORS[anchor]
                shapes.append(Text(x=at, y=base, text=cell, size=_TEXT_SIZE_MM, anchor=anchor, bold=bold, fill=ink))
                x += width + _CELL_GAP_MM
            if self._headed - 1 <= number < len(self._rows) - 1:
                line = top + (number + 1) * _ROW_HEIGHT_MM
                shapes.append(Rectangle(x=MARGIN, y=line, width=self.width, height=0.3 if head else 0.12, fill=GRID))
        return Layer("figures", tuple(shapes))


_MIN_HEAD_SHARE = 0.7
"""The minimum width of a heading, as a share of its width on one line, so that it takes two lines."""


def _wrap_heads(table: FigureTable) -> list[tuple[str, ...]]:
    """Return the rows of a table, with headings wrapped into several rows.

    A heading is no wider than necessary for its figures and its longest word.
    """
    columns = list[list[str]]()
    for number, head in enumerate(table.heads):
        texts = *(row[number] for row in table.rows), *head.split()
        least = text_width(head, _TEXT_SIZE_MM, bold=True) * _MIN_HEAD_SHARE
        room = max(least, *(text_width(text, _TEXT_SIZE_MM, bold=True) for text in texts))
        columns.append(list(wrap(head, _TEXT_SIZE_MM, room, bold=True)))
    height = max(map(len, columns))
    heads = zip(*([""] * (height - len(column)) + column for column in columns), strict=True)
    return [*heads, *table.rows]


# --- the key ----------------------------------------------------------------------------------------------------------


_KEY_STYLE = KeyStyle("signs", row=6.2, size=3.0, ink=INK, swatch=12.0, gap=5.0)
_ORDER: tuple[Role, ...] = (
    "start",
    "target",
    "end",
    "open",
    "reached",
    "beyond",
    "barred",
    "unknown",
    "weakest",
    "cut",
)
_ARROWS: tuple[ArrowKind, ...] = ("way", "support", "choice", "onward", "attack")


def sketch_key(
    view: View,
    sketch: Sketch,
    colours: Mapping[str, str],
    target: str,
    width: float,
    covers: Sequence[KeyEntry] = (),
    *,
    flat: bool,
    moved: bool,
) -> MapKey:
    """Return the key to a sketch.

    `colours`: the colour of each side.
    `target`: the colour of the target.
    `moved`: whether a unit is drawn at its old and its new place.
    """
    own = colours[sketch.side]
    entries = [*_list_levels(sketch, flat=flat), *_list_parts(sketch, own, target, flat=flat)]
    if moved:
        entries.append(KeyEntry(LEFT_WORDS, partial(_draw_pale, own)))
    entries += (*_list_ways(sketch, colours), *_list_zones(view, sketch, colours, flat=flat), *covers)
    return MapKey(tuple(entries), _KEY_STYLE, width)


def _list_parts(sketch: Sketch, own: str, target: str, *, flat: bool) -> Iterator[KeyEntry]:
    roles = {spot.role for spot in sketch.spots}
    for role in _ORDER:
        if role == "barred" and any(not spot.why for spot in sketch.spots if spot.role == role):
            yield KeyEntry(sketch.word(role), partial(_draw_tag, role, "", ""))
        elif role == "cut" and role in roles:
            yield KeyEntry(sketch.word(role), partial(_draw_tag, role, "cuts", ""))
        elif role in roles - {"barred", "cut"}:
            colour = target if role == "target" else own
            yield KeyEntry(sketch.word(role), partial(_draw_frame, role, colour, flat=flat))


def _list_levels(sketch: Sketch, *, flat: bool) -> Iterator[KeyEntry]:
    """Yield all levels of shade, the darkest first, even if missing, because that is informative too."""
    for level in range(len(sketch.levels), 0, -1):
        yield KeyEntry(sketch.levels[level - 1], partial(_draw_shade, level, flat=flat))


def _draw_shade(level: int, x: float, y: float, *, flat: bool) -> Sequence[Shape]:
    corners = hexagon((x, y), 3.0, flat=flat)
    outline = Path(lines=(corners,), closed=True, stroke=GRID, width=0.25)
    return [*shade_shapes(level, corners, 0.5), outline]


_KEY_TAG_SIZE_MM = 2.7


def _draw_frame(role: Role, colour: str, x: float, y: float, *, flat: bool) -> Sequence[Shape]:
    corners = hexagon((x, y), 2.9, flat=flat)
    shapes = [*tint_shapes(role, corners, colour), *frame_shapes(role, corners, colour, 0.55)]
    sign = {"reached": "1", "beyond": "\N{MINUS SIGN}1", "unknown": UNKNOWN}.get(role)
    return [*shapes, *tag_shapes(role, make_tag(role, sign, max_size=_KEY_TAG_SIZE_MM), x, y)] if sign else shapes


def _draw_tag(role: Role, text: str, letter: str, x: float, y: float) -> Sequence[Shape]:
    return tag_shapes(role, make_tag(role, text, letter=letter), x, y)


def _draw_pale(colour: str, x: float, y: float) -> Sequence[Shape]:
    half = 2.6
    counter = Rectangle(
        x=x - half, y=y - half, width=2 * half, height=2 * half, fill=mix(colour, WHITE, 0.5), radius=0.7
    )
    return [replace(counter, stroke=colour), *veil_shapes(PageBox(x - half, y - half, x + half, y + half))]


def _list_ways(sketch: Sketch, colours: Mapping[str, str]) -> Iterator[KeyEntry]:
    for kind in _ARROWS:
        sides = list(dict.fromkeys(arrow.side for arrow in sketch.arrows if arrow.kind == kind))
        if sides:
            goals = [arrow.goal for arrow in sketch.arrows if arrow.kind == kind and arrow.name and arrow.goal]
            draw = partial(_draw_arrow, kind, colours[sides[0]], min(goals, default=0), shaded=bool(sketch.levels))
            yield KeyEntry(sketch.word(kind), draw)


def _draw_arrow(kind: ArrowKind, colour: str, goal: int, x: float, y: float, *, shaded: bool) -> Sequence[Shape]:
    half = 4.4 if shaded else 5.4
    if kind == "onward":
        half = 3.6
    draw = named_shapes if shaded else arrow_shapes
    shapes = draw(kind, ((x - half, y), (x + half, y)), colour)
    return [*shapes, *bead_shapes(goal, x, y)] if goal else shapes


def _list_zones(view: View, sketch: Sketch, colours: Mapping[str, str], *, flat: bool) -> Iterator[KeyEntry]:
    sides = [zone.side for zone in sketch.zones]
    for zone in sketch.zones:
        colour, slant = colours[zone.side], slant_of(sides, zone.side)
        yield KeyEntry(format_zone(view, zone), partial(_draw_hatching, colour, slant, flat=flat))


def format_zone(view: View, zone: ZoneHexes) -> str:
    """Return the meaning of the hatching of a side's zones."""
    return zone.text or f"in a zone of control: {view.title_of(zone.side)}"


def _draw_hatching(colour: str, slant: float, x: float, y: float, *, flat: bool) -> Sequence[Shape]:
    return hatched_sign(ZONE._replace(pitch=1.6), colour, slant, 3.0, (x, y), flat=flat)


# --- lines of words ---------------------------------------------------------------------------------------------------


class KeyLines:
    """Paragraphs below the map, each after a sign."""

    def __init__(self, paragraphs: Iterable[tuple[Draw, str]], width: float, *, bold: bool = False) -> None:
        room = width - _KEY_STYLE.swatch - 1.6
        self._bold = bold
        self._paragraphs = [(draw, wrap(text, _KEY_STYLE.size, room, bold=bold)) for draw, text in paragraphs]

    @property
    def height(self) -> float:
        return sum(len(lines) * _LINE_HEIGHT_MM + 1.2 for _, lines in self._paragraphs)

    def layer(self, top: float) -> Layer:
        shapes, y = list[Shape](), top
        for draw, lines in self._paragraphs:
            shapes += draw(MARGIN + _KEY_STYLE.swatch / 2, y + _LINE_HEIGHT_MM / 2)
            base, x = base_line(y + _LINE_HEIGHT_MM / 2, _KEY_STYLE.size), MARGIN + _KEY_STYLE.swatch + 1.6
            shapes += text_lines(
                lines, base, _KEY_STYLE.size, _LINE_HEIGHT_MM / _KEY_STYLE.size, x=x, bold=self._bold, fill=INK
            )
            y += len(lines) * _LINE_HEIGHT_MM + 1.2
        return Layer("reasons", tuple(shapes))


def reason_lines(sketch: Sketch, width: float) -> KeyLines:
    """Return the reasons with their letters and their hexes."""
    return KeyLines(
        ((partial(_draw_tag, role, "", letter), text) for letter, role, text in list_reasons(sketch)), width
    )


def list_reasons(sketch: Sketch) -> Iterator[tuple[str, Role, str]]:
    """Yield the letter of each reason, the role of its hexes, and its text with the hexes."""
    for letter, why in sketch.letters.items():
        spots = [spot for spot in sketch.spots if spot.why == why]
        yield letter, spots[0].role, f"{', '.join(spot.hex for spot in spots)}: {why}"


def owed_lines(sketch: Sketch, width: float) -> KeyLines:
    """Return the lines below the map that list the choices and rolls still to be made."""
    return KeyLines(((_draw_question, text) for text in sketch.owed), width, bold=True)


def fate_lines(sketch: Sketch, width: float) -> KeyLines:
    """Return the lines below the map that list the fates of units."""
    return KeyLines(((partial(_draw_fate, fate.kind), fate.line) for fate in sketch.fates), width, bold=True)


def _draw_fate(kind: FateKind, x: float, y: float) -> Sequence[Shape]:
    if kind == "stays":
        return _draw_result(x, y)
    return FATE_SIGNS[kind](PageBox(x - 1.7, y - 1.7, x + 1.7, y + 1.7), 0.9)


def result_lines(sketch: Sketch, width: float) -> KeyLines:
    """Return the lines below the map that list the changes to units and tracks."""
    sign = _draw_remark if sketch.levels else _draw_result  # not an arrow on a shaded map, where arrows are attacks
    return KeyLines(((sign, text) for text in sketch.results), width)


def _draw_remark(x: float, y: float) -> Sequence[Shape]:
    return [Circle(x=x, y=y, radius=0.7, fill=INK)]


def _draw_result(x: float, y: float) -> Sequence[Shape]:
    head = ((x + 0.2, y - 1.6), (x + 2.2, y), (x + 0.2, y + 1.6))
    return [Path(lines=(((x - 2.2, y), (x + 2.0, y)), head), stroke=INK, width=0.7)]


def _draw_question(x: float, y: float) -> Sequence[Shape]:
    size = 3.4
    mark = Text(x=x, y=base_line(y, size), text="?", size=size, anchor="middle", bold=True, fill=WHITE)
    return [Circle(x=x, y=y, radius=2.2, fill=INK), mark]
