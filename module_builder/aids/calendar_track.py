"""The turn track of a campaign that counts its turns by months: a row for each month, with a box for each of its turns
and what the schedules say of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assistant.drawing.lettering import POINT
from assistant.drawing.scene import Rectangle, Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.game.calendar import CalendarFile, Month, MonthCalendar, parse_date
from assistant.game.games import Game
from assistant.game.schedule_files import read_schedules
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .aid_set import AidSet
from .flow import Block
from .page import AidStyle, counter_box, draw_box, format_rule, thin_line
from .words import Words, set_line, set_words

REMINDER = "reminder"
"""What the schedules call a row that only reminds the players of something."""
_NAME = 11 * POINT  # size of the name of a month, mm
_SAID = 7.5 * POINT  # size of what is said of it, mm
_HEADS = 6.0  # mm, the height of the row with the numbers of turns
_PAD = 1.2  # mm at each side of a text
_GAP = 0.8  # mm round a box
_LEAST_WIDE = 42.0
"""Mm for the name of a month and what is said of it; where an upright page has less, the track lies on its side."""


class MonthRow(NamedTuple):
    """A month."""

    month: Month
    turns: frozenset[int]
    """Those of the game in it, 0 for the special one."""
    said: Words
    """What the schedules say of it."""

    def height(self, style: AidStyle) -> float:
        """Return what it needs."""
        return max(style.box, _NAME * 1.2 + self.said.height + 0.6) + 2 * _GAP


def lies_on_its_side(style: AidStyle, calendar: CalendarFile, upright: Box) -> bool:
    """Return whether the track needs pages that lie on their sides."""
    return upright.width - _count_columns(calendar) * (style.box + _GAP) < _LEAST_WIDE


def calendar_track(aids: AidSet, calendar: CalendarFile, area: Box) -> list[Block]:
    """Return each page. Raises InputError for a calendar or a schedule that cannot be read."""
    boxes = _count_columns(calendar) * (aids.look.box + _GAP)
    rows = month_rows(aids.game, calendar, area.width - boxes - 2 * _PAD)
    pages: list[list[MonthRow]] = []
    left = 0.0
    for row in rows:
        height = row.height(aids.look)
        if height > left:
            pages.append([])
            left = area.height - _HEADS
        pages[-1].append(row)
        left -= height
    return [_block_of_page(aids.look, calendar, page, area.width) for page in pages]


def month_rows(game: Game, calendar: CalendarFile, width: float) -> list[MonthRow]:
    """Return the months of a game in order, what is said of each broken for a width."""
    turns = MonthCalendar(calendar)
    texts, months = reminders(game), dict[Month, set[int]]()
    for number in range(turns.first, turns.last + 1):
        months.setdefault(turns.month(number), set()).add(turns.turn_of_month(number))
    return [
        MonthRow(month, frozenset(some), set_words("; ".join(texts.get(month, ())), _SAID, width))
        for month, some in months.items()
    ]


def reminders(game: Game) -> Mapping[Month, list[str]]:
    """Return what the schedules remind the players of, by its month; with its turn where it has one."""
    texts: dict[Month, list[str]] = {}
    for row in read_schedules(game).rows:
        date = parse_date(row.at) if row.item == REMINDER else None
        if date:
            month, turn = date
            rule = format_rule(row.rule)
            when = f"turn {turn}: " if turn else ""
            texts.setdefault(month, []).append(sentence(f"{when}{row.text}") + (f" ({rule})" if rule else ""))
    return texts


def _count_columns(calendar: CalendarFile) -> int:
    """Return how many turns a month has."""
    return calendar.turns + calendar.special


def _block_of_page(style: AidStyle, calendar: CalendarFile, rows: list[MonthRow], width: float) -> Block:
    """Return some months below the numbers of their turns."""
    heights = [row.height(style) for row in rows]
    return Block(
        _HEADS + sum(heights),
        lambda x, y: _draw_months(style, calendar, rows, Box(x, y, width, _HEADS + sum(heights))),
    )


def _draw_months(style: AidStyle, calendar: CalendarFile, rows: list[MonthRow], area: Box) -> Iterator[Shape]:
    each = style.box + _GAP
    numbers = range(0 if calendar.special else 1, calendar.turns + 1)
    left = area.right - len(numbers) * each
    yield Rectangle(
        x=area.left, y=area.top, width=area.width, height=_HEADS - 0.6, radius=0.8, fill=style.tint(GRID, 0.5)
    )
    yield set_line(area.left + _PAD, area.top + 3.9, "Month", _NAME * 0.85, left - area.left, bold=True)
    for column, number in enumerate(numbers):
        middle = left + (column + 0.5) * each
        yield set_line(
            middle, area.top + 3.9, str(number) if number else "Special", _NAME * 0.85, each, bold=True, anchor="middle"
        )
    y = area.top + _HEADS
    for number, row in enumerate(rows):
        height = row.height(style)
        at = Box(area.left, y, area.width, height)
        if row.month.of_year == 1 and number:
            yield thin_line(at.left, y, at.right, y, stroke=SOFT_INK, width=0.6)
        yield from _draw_row(style, row, at, left, list(numbers))
        yield thin_line(at.left, at.bottom, at.right, at.bottom)
        y += height


def _draw_row(style: AidStyle, row: MonthRow, at: Box, left: float, numbers: list[int]) -> Iterator[Shape]:
    """Yield a month: its name, what is said of it, and a box for each of its turns that the game has."""
    yield set_line(at.left + _PAD, at.top + _GAP + _NAME, row.month.in_words, _NAME, left - at.left - _PAD, bold=True)
    yield from row.said.at(at.left + _PAD, at.top + _GAP + _NAME * 1.2 + 0.6)
    for column, number in enumerate(numbers):
        place = Box(left + column * (style.box + _GAP), at.top + (at.height - style.box) / 2, style.box, style.box)
        if number in row.turns:
            yield counter_box(place.left, place.top, style)
            if not number:
                yield draw_box(place, fill=style.tint(GRID, 0.2), stroke=GRID, width=0.25, radius=0.8)
