"""What stands above a map: the title of the question, its answer in short and in a sentence, and what is to be rolled
or chosen next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..util.typesetting import sentence
from .colours import INK, WHITE, mix
from .lettering import base_line, text_width, wrap
from .scene import Layer, Rectangle, Shape, Text
from .style import GRID, MARGIN, PAPER, SOFT_INK

_TITLE = 5.0  # size of letters, mm, as the next two
_ASIDE = 4.0  # what follows the first comma of the title
_ANSWER = 3.8
_PITCH = 1.35  # lines of the answer, as a multiple of their size
_BADGE = 9.0  # size of the figure in a badge, mm
_BADGE_WORD = 4.4  # size of the words below it, mm
_BADGE_SIDE = 3.4  # mm of room at each side of a badge
_WIDEST_BADGE = 40.0  # mm
_AFTER_BADGE = 3.4  # mm from a badge to the answer
_BAND = mix(GRID, PAPER, 0.78)  # the ground of an answer with a badge
_RIM = 2.2  # mm above and below the lines of such an answer


class _HeadingLine(NamedTuple):
    """A line of the answer."""

    text: str
    bold: bool
    ink: str


class Heading:
    """What stands above a map of a width, in millimetres. answer: in a sentence; badge: in a figure or two, "" for
    none; due: what is to be rolled or chosen.
    """

    def __init__(self, title: str, answer: str, width: float, badge: str = "", due: Sequence[str] = ()) -> None:
        self._wide, self._title = width, title
        self._lines = wrap(title, _TITLE, width, bold=True)
        figure, _, word = badge.partition(", ") if answer else ("", "", "")
        widest = max(text_width(figure, _BADGE, bold=True), text_width(word, _BADGE_WORD, bold=True))
        self._figure, self._word, self._badge_width = figure, word, max(widest + 2 * _BADGE_SIDE, 20.0)
        self._has_badge = bool(figure) and self._badge_width <= _WIDEST_BADGE
        before = self._badge_width + _AFTER_BADGE if self._has_badge else 0.0
        self._answer_left, room = MARGIN + before, width - before - (_RIM if before else 0.0)
        self._answer = [*_format_answer(answer, room), *_format_due(due, room)]
        self._top = MARGIN + len(self._lines) * _TITLE * 1.3

    @property
    def _height(self) -> float:
        """That of the answer, in millimetres."""
        height = len(self._answer) * _ANSWER * _PITCH
        return max(height + 2 * _RIM, 17.0 if self._word else 12.5) if self._has_badge else height

    @property
    def bottom(self) -> float:
        """Where the map begins, in millimetres."""
        return self._top + self._height + 2.0

    def layers(self) -> Iterator[Layer]:
        """Yield the title and the answer."""
        yield Layer("title", tuple(self._draw_title()))
        if self._answer:
            yield Layer("answer", (*self._draw_badge(), *self._draw_answer()))

    def _draw_title(self) -> Iterator[Shape]:
        base = MARGIN + _TITLE * 0.8
        what, _, more = self._title.partition(", ")
        if len(self._lines) == 1 and more[:1].isalpha():
            yield Text(x=MARGIN, y=base, text=f"{what},", size=_TITLE, bold=True, fill=INK)
            after = MARGIN + text_width(f"{what}, ", _TITLE, bold=True)
            yield Text(x=after, y=base, text=more, size=_ASIDE, fill=SOFT_INK)
            return
        for number, line in enumerate(self._lines):
            yield Text(x=MARGIN, y=base + number * _TITLE * 1.3, text=line, size=_TITLE, bold=True, fill=INK)

    def _draw_badge(self) -> Iterator[Shape]:
        if not self._has_badge:
            return
        height, middle = self._height, MARGIN + self._badge_width / 2
        yield Rectangle(x=MARGIN, y=self._top, width=self._wide, height=height, fill=_BAND, radius=0.8)
        yield Rectangle(x=MARGIN, y=self._top, width=self._badge_width, height=height, fill=INK, radius=0.8)
        at = self._top + height / 2 + (-2.3 if self._word else 0.0)
        yield Text(
            x=middle, y=base_line(at, _BADGE), text=self._figure, size=_BADGE, anchor="middle", bold=True, fill=WHITE
        )
        if self._word:
            base = base_line(self._top + height / 2 + 4.8, _BADGE_WORD)
            yield Text(x=middle, y=base, text=self._word, size=_BADGE_WORD, anchor="middle", bold=True, fill=WHITE)

    def _draw_answer(self) -> Iterator[Shape]:
        height = len(self._answer) * _ANSWER * _PITCH
        first = self._top + (self._height - height) / 2 + _ANSWER * 0.95
        for number, line in enumerate(self._answer):
            y = first + number * _ANSWER * _PITCH
            yield Text(x=self._answer_left, y=y, text=line.text, size=_ANSWER, bold=line.bold, fill=line.ink)


def _format_answer(answer: str, room: float) -> Iterator[_HeadingLine]:
    """Yield the answer in bold lines, at its colon on two where both are short; on what it rests in quiet ones."""
    main, mark, rest = sentence(answer).partition(" (if ")
    who, colon, what = main.partition(": ")
    halves = [f"{who}:", what]
    parts = halves if colon and max(text_width(half, _ANSWER, bold=True) for half in halves) <= room else [main]
    for part in filter(None, parts):
        yield from (_HeadingLine(line, True, INK) for line in wrap(part, _ANSWER, room, bold=True))
    if mark:
        yield from (_HeadingLine(line, False, SOFT_INK) for line in wrap(f"(if {rest}", _ANSWER, room))


def _format_due(due: Sequence[str], room: float) -> Iterator[_HeadingLine]:
    for text in due:
        yield from (_HeadingLine(line, False, INK) for line in wrap(f"Next: {text}", _ANSWER, room))
