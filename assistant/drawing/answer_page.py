"""The page round the map of an answer: the heading above it; keys, blocks and the caption below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from ..asking.view import View
from ..asking.wording import format_list
from ..util.typesetting import sentence
from .colours import INK, WHITE, mix
from .layout import Layout
from .lettering import base_line, text_width, wrap
from .map.survey import SurveyReader
from .scene import Layer, Rectangle, Shape, Text, text_lines
from .style import GRID, MARGIN, PAPER, SOFT_INK

_TITLE_SIZE_MM = 5.0
_TITLE_END_SIZE_MM = 4.0
_ANSWER_SIZE_MM = 3.8
_LINE_PITCH_FACTOR = 1.35
_BADGE_FIGURE_SIZE_MM = 9.0
_BADGE_WORD_SIZE_MM = 4.4
_BADGE_PADDING_MM = 3.4
_MAX_BADGE_WIDTH_MM = 40.0
_BADGE_GAP_MM = 3.4
_BAND_COLOUR = mix(GRID, PAPER, 0.78)
_BAND_PADDING_MM = 2.2
_CAPTION_SIZE_MM = 3.0
_MIN_ENLARGED_WIDTH_MM = 250.0
_MAX_ENLARGEMENT = 2.4


class Block(Protocol):
    """A block below a map, such as a key."""

    @property
    def height(self) -> float: ...

    def layer(self, top: float) -> Layer: ...


class AnswerPage:
    """The texts round a map, all of one width: the heading above it, keys and the caption below it.

    `width`: the minimum width, in mm; a long word of the caption makes it wider.
    `badge`, `due`: as in `_Heading`.
    """

    def __init__(
        self,
        title: str,
        caption: Sequence[str],
        width: float,
        answer: str = "",
        badge: str = "",
        due: Sequence[str] = (),
    ) -> None:
        words = [word for text in caption for word in text.split()]
        self.wide = max(width, *(text_width(word, _CAPTION_SIZE_MM) for word in words), 0.0)
        self._heading = _Heading(title, answer, self.wide, badge, due)
        self._caption = [line for text in caption for line in wrap(text, _CAPTION_SIZE_MM, self.wide)]
        self.width, self.top = self.wide + 2 * MARGIN, self._heading.bottom

    def layers(self, bottom: float, blocks: Sequence[Block]) -> tuple[list[Layer], float]:
        """Return the layers of the texts, and the height of the page.

        `bottom`: the lower edge of the map.
        """
        drawn, y = stack_blocks(bottom + 3.0, blocks)
        caption = text_lines(self._caption, y + 1.0 + _CAPTION_SIZE_MM, _CAPTION_SIZE_MM, 1.4, x=MARGIN, fill=INK)
        layers = [*self._heading.layers(), *drawn, Layer("caption", tuple(caption))]
        return layers, y + len(self._caption) * _CAPTION_SIZE_MM * 1.4 + MARGIN - 1.0


def stack_blocks(top: float, blocks: Iterable[Block]) -> tuple[list[Layer], float]:
    """Return blocks one below the other, without those of height 0, and the upper edge for the next block."""
    layers = list[Layer]()
    for block in blocks:
        if block.height:
            layers.append(block.layer(top))
            top += block.height + 1.0
    return layers, top


def enlargement(width: float) -> float:
    """Return the factor by which texts round a map are enlarged, so that they are legible round a wide one."""
    return min(max(width / _MIN_ENLARGED_WIDTH_MM, 1.0), _MAX_ENLARGEMENT)


class _HeadingLine(NamedTuple):
    text: str
    bold: bool
    ink: str


class _Heading:
    """The title of the question, its answer, and the next roll or choice.

    `answer`: the answer in a sentence.
    `badge`: the answer as one or two figures, or "".
    `due`: the next rolls or choices.
    """

    def __init__(self, title: str, answer: str, width: float, badge: str = "", due: Sequence[str] = ()) -> None:
        self._width, self._title = width, title
        self._lines = wrap(title, _TITLE_SIZE_MM, width, bold=True)
        figure, _, word = badge.partition(", ") if answer else ("", "", "")
        widest = max(
            text_width(figure, _BADGE_FIGURE_SIZE_MM, bold=True), text_width(word, _BADGE_WORD_SIZE_MM, bold=True)
        )
        self._figure, self._word, self._badge_width = figure, word, max(widest + 2 * _BADGE_PADDING_MM, 20.0)
        self._has_badge = bool(figure) and self._badge_width <= _MAX_BADGE_WIDTH_MM
        badge_room = self._badge_width + _BADGE_GAP_MM if self._has_badge else 0.0
        self._answer_left, room = MARGIN + badge_room, width - badge_room - (_BAND_PADDING_MM if badge_room else 0.0)
        self._answer = [*_format_answer(answer, room), *_format_due(due, room)]
        self._top = MARGIN + len(self._lines) * _TITLE_SIZE_MM * 1.3

    @property
    def _height(self) -> float:
        height = len(self._answer) * _ANSWER_SIZE_MM * _LINE_PITCH_FACTOR
        return max(height + 2 * _BAND_PADDING_MM, 17.0 if self._word else 12.5) if self._has_badge else height

    @property
    def bottom(self) -> float:
        return self._top + self._height + 2.0

    def layers(self) -> Iterator[Layer]:
        yield Layer("title", tuple(self._draw_title()))
        if self._answer:
            yield Layer("answer", (*self._draw_badge(), *self._draw_answer()))

    def _draw_title(self) -> Iterator[Shape]:
        base = MARGIN + _TITLE_SIZE_MM * 0.8
        what, _, more = self._title.partition(", ")
        if len(self._lines) == 1 and more[:1].isalpha():
            yield Text(x=MARGIN, y=base, text=f"{what},", size=_TITLE_SIZE_MM, bold=True, fill=INK)
            after = MARGIN + text_width(f"{what}, ", _TITLE_SIZE_MM, bold=True)
            yield Text(x=after, y=base, text=more, size=_TITLE_END_SIZE_MM, fill=SOFT_INK)
            return
        for number, line in enumerate(self._lines):
            yield Text(
                x=MARGIN, y=base + number * _TITLE_SIZE_MM * 1.3, text=line, size=_TITLE_SIZE_MM, bold=True, fill=INK
            )

    def _draw_badge(self) -> Iterator[Shape]:
        if not self._has_badge:
            return
        height, middle = self._height, MARGIN + self._badge_width / 2
        yield Rectangle(x=MARGIN, y=self._top, width=self._width, height=height, fill=_BAND_COLOUR, radius=0.8)
        yield Rectangle(x=MARGIN, y=self._top, width=self._badge_width, height=height, fill=INK, radius=0.8)
        at = self._top + height / 2 + (-2.3 if self._word else 0.0)
        yield Text(
            x=middle,
            y=base_line(at, _BADGE_FIGURE_SIZE_MM),
            text=self._figure,
            size=_BADGE_FIGURE_SIZE_MM,
            anchor="middle",
            bold=True,
            fill=WHITE,
        )
        if self._word:
            base = base_line(self._top + height / 2 + 4.8, _BADGE_WORD_SIZE_MM)
            yield Text(
                x=middle, y=base, text=self._word, size=_BADGE_WORD_SIZE_MM, anchor="middle", bold=True, fill=WHITE
            )

    def _draw_answer(self) -> Iterator[Shape]:
        height = len(self._answer) * _ANSWER_SIZE_MM * _LINE_PITCH_FACTOR
        first = self._top + (self._height - height) / 2 + _ANSWER_SIZE_MM * 0.95
        for number, line in enumerate(self._answer):
            y = first + number * _ANSWER_SIZE_MM * _LINE_PITCH_FACTOR
            yield Text(x=self._answer_left, y=y, text=line.text, size=_ANSWER_SIZE_MM, bold=line.bold, fill=line.ink)


def _format_answer(answer: str, room: float) -> Iterator[_HeadingLine]:
    """Yield the answer in bold lines, and its condition in pale ones.

    If the answer has a colon and both parts are short, the line breaks at the colon.
    """
    main, mark, rest = sentence(answer).partition(" (if ")
    who, colon, what = main.partition(": ")
    halves = [f"{who}:", what]
    parts = halves if colon and max(text_width(half, _ANSWER_SIZE_MM, bold=True) for half in halves) <= room else [main]
    for part in filter(None, parts):
        yield from (_HeadingLine(line, True, INK) for line in wrap(part, _ANSWER_SIZE_MM, room, bold=True))
    if mark:
        yield from (_HeadingLine(line, False, SOFT_INK) for line in wrap(f"(if {rest}", _ANSWER_SIZE_MM, room))


def _format_due(due: Sequence[str], room: float) -> Iterator[_HeadingLine]:
    for text in due:
        yield from (_HeadingLine(line, False, INK) for line in wrap(f"Next: {text}", _ANSWER_SIZE_MM, room))


def figures_note(view: View, hexes: Iterable[str]) -> Iterator[str]:
    """Yield a line that explains the figures on counters, if a unit in the hexes has figures."""
    reader = SurveyReader(view)
    if any(reader.figures(unit.id) for name in hexes for unit in reader.state.stack(name)):
        titles = [
            view.game.tracks[name].title.removesuffix(" printed")
            for name in view.game.file.picture.figures
            if name in view.game.tracks
        ]
        if len(titles) > 1:
            yield f"Figures on counters: {format_list(titles)}."


def parted_note(layout: Layout) -> Iterator[str]:
    """Yield a sentence for a map drawn in panels, or nothing for a whole map."""
    if layout.is_parted:
        yield "The map is drawn in parts: the hexes between them are left out."
