"""What stands above a map: the title of the question, its answer in short and in a sentence, and what is to be rolled or
chosen next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..util.typesetting import sentence
from .colours import INK, WHITE, mix
from .lettering import base_line, text_width, wrap
from .scene import Layer, Rectangle, Shape, Text
from .style import GRID, MARGIN, PAPER, SOFT_INK

_TITLE, _ASIDE, _ANSWER, _PITCH = 5.0, 4.0, 3.8, 1.35
"""The letters of the title and of what follows its first comma, those of the answer, in millimetres, and the lines of that."""
_BADGE, _BADGE_WORD, _BADGE_SIDE, _WIDEST_BADGE, _AFTER_BADGE = 9.0, 4.4, 3.4, 40.0, 3.4
"""The letters of the figure in a badge and of the words below it, the room at each side, its greatest width, and the gap after
it, in millimetres.
"""
_BAND, _RIM = mix(GRID, PAPER, 0.78), 2.2
"""The ground of an answer with a badge, and the room above and below its lines, in millimetres."""


class _HeadingLine(NamedTuple):
    """A line of the answer."""

    text: str
    bold: bool
    ink: str


class Heading:
    """What stands above a map of a width, in millimetres. answer: in a sentence; badge: in a figure or two, "" for none; due: what is
    to be rolled or chosen.
    """

    def __init__(self, title: str, answer: str, wide: float, badge: str = "", due: Sequence[str] = ()) -> None:
        self._wide, self._title = wide, title
        self._lines = wrap(title, _TITLE, wide, bold=True)
        figure, _, word = badge.partition(", ") if answer else ("", "", "")
        widest = max(text_width(figure, _BADGE, bold=True), text_width(word, _BADGE_WORD, bold=True))
        self._figure, self._word, self._badge_width = figure, word, max(widest + 2 * _BADGE_SIDE, 20.0)
        self._has_badge = bool(figure) and self._badge_width <= _WIDEST_BADGE
        before = self._badge_width + _AFTER_BADGE if self._has_badge else 0.0
        self._at, room = MARGIN + before, wide - before - (_RIM if before else 0.0)
        self._answer = [*_answer_lines(answer, room), *_due_lines(due, room)]
        self._top = MARGIN + len(self._lines) * _TITLE * 1.3

    @property
    def _height(self) -> float:
        """That of the answer, in millimetres."""
        high = len(self._answer) * _ANSWER * _PITCH
        return max(high + 2 * _RIM, 17.0 if self._word else 12.5) if self._has_badge else high

    @property
    def bottom(self) -> float:
        """Where the map begins, in millimetres."""
        return self._top + self._height + 2.0

    def layers(self) -> Iterator[Layer]:
        """Yield the title and the answer."""
        yield Layer("title", tuple(self._title_shapes()))
        if self._answer:
            yield Layer("answer", (*self._badge_shapes(), *self._answer_shapes()))

    def _title_shapes(self) -> Iterator[Shape]:
        base = MARGIN + _TITLE * 0.8
        what, _, more = self._title.partition(", ")
        if len(self._lines) == 1 and more[:1].isalpha():
            yield Text(x=MARGIN, y=base, text=f"{what},", size=_TITLE, bold=True, fill=INK)
            after = MARGIN + text_width(f"{what}, ", _TITLE, bold=True)
            yield Text(x=after, y=base, text=more, size=_ASIDE, fill=SOFT_INK)
            return
        for number, line in enumerate(self._lines):
            yield Text(x=MARGIN, y=base + number * _TITLE * 1.3, text=line, size=_TITLE, bold=True, fill=INK)

    def _badge_shapes(self) -> Iterator[Shape]:
        if not self._has_badge:
            return
        high, middle = self._height, MARGIN + self._badge_width / 2
        yield Rectangle(x=MARGIN, y=self._top, width=self._wide, height=high, fill=_BAND, radius=0.8)
        yield Rectangle(x=MARGIN, y=self._top, width=self._badge_width, height=high, fill=INK, radius=0.8)
        at = self._top + high / 2 + (-2.3 if self._word else 0.0)
        yield Text(
            x=middle, y=base_line(at, _BADGE), text=self._figure, size=_BADGE, anchor="middle", bold=True, fill=WHITE
        )
        if self._word:
            base = base_line(self._top + high / 2 + 4.8, _BADGE_WORD)
            yield Text(x=middle, y=base, text=self._word, size=_BADGE_WORD, anchor="middle", bold=True, fill=WHITE)

    def _answer_shapes(self) -> Iterator[Shape]:
        high = len(self._answer) * _ANSWER * _PITCH
        first = self._top + (self._height - high) / 2 + _ANSWER * 0.95
        for number, line in enumerate(self._answer):
            y = first + number * _ANSWER * _PITCH
            yield Text(x=self._at, y=y, text=line.text, size=_ANSWER, bold=line.bold, fill=line.ink)


def _answer_lines(answer: str, room: float) -> Iterator[_HeadingLine]:
    """Yield the answer in bold lines, at its colon on two where both are short; on what it rests in quiet ones."""
    said, mark, rest = sentence(answer).partition(" (if ")
    who, colon, what = said.partition(": ")
    halves = [f"{who}:", what]
    parts = halves if colon and max(text_width(half, _ANSWER, bold=True) for half in halves) <= room else [said]
    for part in filter(None, parts):
        yield from (_HeadingLine(line, True, INK) for line in wrap(part, _ANSWER, room, bold=True))
    if mark:
        yield from (_HeadingLine(line, False, SOFT_INK) for line in wrap(f"(if {rest}", _ANSWER, room))


def _due_lines(due: Sequence[str], room: float) -> Iterator[_HeadingLine]:
    for text in due:
        yield from (_HeadingLine(line, False, INK) for line in wrap(f"Next: {text}", _ANSWER, room))
